#pragma once

#include <optional>

#include <fitup/query/distance.h>
#include <fitup/query/nearness.h>

namespace FITUP_EXPORT fitup {

/// By how much the distance of the exact shapes of two parts may differ from that of their triangles. World
/// units.
struct DistanceError {
  /// The share of the chord errors of the surfaces concerned. Unset if these are not known: for meshes that
  /// do not come from CAD shapes, or if a limit ended the search for the surfaces.
  std::optional<double> chordError;
  double rounding = 0;  ///< `lengthRounding`
  [[nodiscard]] double bound() const noexcept { return chordError.value_or(0) + rounding; }
};

/// By how much distances of two parts, and the depth of their overlap, may be off by rounding, in world
/// units: of coordinates to storage, of their relative placement, and of arithmetic in double precision.
/// Values up to this are not distinguishable from 0, though a distance of exactly 0 says that triangles
/// intersect. Throws as `PairFrame::of`.
double lengthRounding(const PosedModel& first, const PosedModel& second);

/// The range in which the distance of the exact shapes of two parts lies, as far as it is of interest.
struct DistanceRange {
  double least = 0;                              ///< at most the length asked for
  double most = 0;                               ///< infinity if no surfaces are near enough
  std::optional<NearestPair> nearest;            ///< the nearest triangles, if they matter
  ReportStatus status = ReportStatus::complete;  ///< nothing else is known unless it is complete
};
/// Finds that range up to `within` (world units): a range that begins there says only that the exact shapes
/// are no nearer. The distance of the exact shapes is the least one of any two of their faces, and that of
/// two faces differs from the distance of their triangles by at most both chord errors. Chord errors that are
/// not known count as 0: meshes are exact. Of `request`, limits and vector use count. Throws as
/// `surfacePairsWithin`.
DistanceRange exactDistance(const PosedModel& first, const PosedModel& second, double within,
                            const DistanceRequest& request, QueryContext& context);

/// The error of the least distance of two parts. The surfaces concerned are those that may be as near as that
/// (`nearSurfaces`). Throws as `surfacePairsWithin`.
DistanceError distanceError(const PosedModel& first, const PosedModel& second, double distance,
                            const QueryLimits& limits, QueryContext& context);
/// The error of the least distance of two surfaces of theirs.
DistanceError distanceError(const PosedModel& first, const PosedModel& second, const SurfacePair& surfaces);

}  // namespace fitup
