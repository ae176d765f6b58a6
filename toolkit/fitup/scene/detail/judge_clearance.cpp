#include <fitup/scene/detail/judge_clearance.h>

#include <algorithm>

#include <fitup/base/bounded_text.h>
#include <fitup/base/error.h>

namespace fitup::detail {
namespace {

/// Judges the exact shapes.
ClearanceJudgement judgeExactly(double clearance, double kept, const PosedModel& first,
                                const PosedModel& second, const DistanceRequest& request, double tolerance,
                                const MeasureShapes& measure, QueryContext& context, ReportStatus& status) {
  ClearanceJudgement judgement;
  DistanceRange range = exactDistance(first, second, clearance, request, context);
  const auto isOpen = [&] {
    return range.status == ReportStatus::complete && range.least < kept && range.most >= kept;
  };
  for (const double share : {1.0 / 8, 1.0 / 64}) {
    if (!measure || !isOpen()) break;
    ResolvedDistance found;
    try {
      found = measure(share * tolerance);
    } catch (const CancelledError&) {
      found.status = ReportStatus::cancelled;
    }
    range.status = found.status;
    if (found.status != ReportStatus::complete) break;
    range.nearest = found.nearest;
    if (!found.nearest) break;
    range.least = found.nearest->distance - *found.error.chordError;
    range.most = found.nearest->distance + *found.error.chordError;
    if (!found.problem.empty()) break;
  }
  status = std::max(status, range.status);
  if (range.status != ReportStatus::complete || range.least >= kept || !range.nearest) return judgement;
  const NearestPair& nearest = *range.nearest;
  const DistanceError error{std::max({0.0, nearest.distance - range.least, range.most - nearest.distance}),
                            lengthRounding(first, second)};
  if (range.most < kept) {
    judgement.tooNear = nearest;
    judgement.error = error;
    return judgement;
  }
  VerdictReport open;
  open.verdict = Verdict::undecided;
  const BoundedText text = boundedText(nearest.distance, error.bound(), 15);
  open.undecidedBecause = "because of chord errors, the distance is known only as " + text.number + " (+/- " +
                          text.bound + "), which leaves open whether the clearance of the rule, " +
                          boundedNumber(clearance, 0, 6) + ", is kept; a finer tessellation would decide it";
  open.distance = nearest.distance;
  open.chordError = *error.chordError;
  open.rounding = error.rounding;
  open.point = nearest.pointA;
  const Vec3 way = nearest.pointB - nearest.pointA;
  if (norm(way) > 0) open.direction = normalized(way);
  judgement.open = std::move(open);
  return judgement;
}

}  // namespace

ClearanceJudgement judgeClearance(double clearance, const PosedModel& first, const PosedModel& second,
                                  const std::optional<VerdictOptions>& options, const QueryLimits& limits,
                                  QueryContext& context, ReportStatus& status, const MeasureShapes& measure) {
  DistanceRequest request;
  request.limits = limits;
  const double kept = clearance - clearanceRounding(first, second);
  if (!(kept > 0)) return {};
  const bool isExact = options && options->judgesExactShapes();
  if (isExact && largestChordError(first) + largestChordError(second) > 0)
    return judgeExactly(clearance, kept, first, second, request, *options->tolerance, measure, context,
                        status);
  ClearanceJudgement judgement;
  request.ignoreBeyond = clearance;
  const DistanceReport found = distance(first, second, request, context);
  status = std::max(status, found.status);
  if (!(found.distance() < kept)) return judgement;
  judgement.tooNear = found.nearest;
  judgement.error = distanceError(first, second, found.distance(), limits, context);
  return judgement;
}

void applyClearance(const ClearanceJudgement& judgement, VerdictReport& verdict) {
  if (!judgement.open || verdict.verdict == Verdict::clash || verdict.verdict == Verdict::undecided) return;
  VerdictReport open = *judgement.open;
  open.tolerance = verdict.tolerance;
  open.depthIsLowerBound = verdict.depthIsLowerBound;
  verdict = std::move(open);
}

}  // namespace fitup::detail
