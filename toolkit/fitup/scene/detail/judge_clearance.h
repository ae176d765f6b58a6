#pragma once

#include <functional>
#include <optional>
#include <string>

#include <fitup/query/resolved_distance.h>
#include <fitup/scene/interference.h>

namespace fitup::detail {

/// Whether a pair keeps the clearance of its rule.
struct ClearanceJudgement {
  /// The nearest triangles, if the pair is nearer than the clearance.
  std::optional<NearestPair> tooNear;
  DistanceError error;  ///< that of the distance of `tooNear`
  /// Set if the chord errors leave it open: the verdict that the pair then has, undecided, with its reason.
  std::optional<VerdictReport> open;
};

/// Measures the distance of the exact shapes of a pair to an accuracy (`resolvedDistance`).
using MeasureShapes = std::function<ResolvedDistance(double accuracy)>;

/// Judges the clearance of a pair: on the triangles or, if `options` ask for it, on the exact shapes.
/// `status` becomes that of the queries if that is worse.
///
/// The exact shapes keep the clearance if all of the range of their distance (`exactDistance`) does, and
/// violate it if none of it does. Otherwise they are measured by `measure`, if that is given, with chord
/// errors of an eighth and of a 64th of the tolerance; what is open even then is open. Distances that are
/// less by no more than `clearanceRounding` keep the clearance.
ClearanceJudgement judgeClearance(double clearance, const PosedModel& first, const PosedModel& second,
                                  const std::optional<VerdictOptions>& options, const QueryLimits& limits,
                                  QueryContext& context, ReportStatus& status,
                                  const MeasureShapes& measure = {});

/// Lets a clearance that is `open` decide the verdict of the pair, unless it clashes: it becomes undecided.
void applyClearance(const ClearanceJudgement& judgement, VerdictReport& verdict);

}  // namespace fitup::detail
