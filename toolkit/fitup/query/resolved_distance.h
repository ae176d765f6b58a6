#pragma once

#include <optional>
#include <string>

#include <fitup/query/distance_error.h>
#include <fitup/query/resolved_verdict.h>

namespace FITUP_EXPORT fitup {

/// The distance of the exact shapes of two parts.
struct ResolvedDistance {
  /// The nearest triangles of the parts as finely as they were divided, and their points; the ids are those
  /// of these meshes. Empty if nothing is as near as was asked for.
  std::optional<NearestPair> nearest;
  DistanceError error;  ///< of the distance of `nearest`
  /// Why the chord error is larger than was asked for; empty if it is not.
  std::string problem;
  ReportStatus status = ReportStatus::complete;  ///< nothing else is known unless it is complete
};

/// Measures the distance of the exact shapes of two parts, whatever the tessellation: what is as near as the
/// nearest triangles is made finer, until its chord errors are at most `accuracy` (world units; at least four
/// times the rounding of coordinates is used). Nothing beyond `within` is looked for, if that is given. Of
/// overlapping parts the distance is 0. Depends on the arguments only. Errors of `finer` are left in
/// `problem`; CancelledError ends the query. Throws as `distance`, and InputError for an accuracy that is not
/// above zero.
ResolvedDistance resolvedDistance(const PosedSolid& first, const PosedSolid& second, double accuracy,
                                  std::optional<double> within, const FinerShapes& finer,
                                  const QueryLimits& limits, QueryContext& context);

}  // namespace fitup
