#include <fitup/query/resolved_distance.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/base/rounding.h>
#include <fitup/base/text.h>
#include <fitup/query/detail/pair_refiner.h>

namespace fitup {

ResolvedDistance resolvedDistance(const PosedSolid& first, const PosedSolid& second, double accuracy,
                                  std::optional<double> within, const FinerShapes& finer,
                                  const QueryLimits& limits, QueryContext& context) {
  requireSolids(first, second);
  if (!(accuracy > 0)) throw InputError("distance", "accuracy", "is not above zero");
  detail::PairRefiner pair(first, second, finer, limits);
  const double enough = std::max(accuracy, 4 * coordinateRounding(first, second));
  ResolvedDistance result;
  result.error = {0.0, lengthRounding(first.posedPart(), second.posedPart())};
  DistanceRequest request;
  request.limits = limits;
  request.limits.maxPairs.reset();
  // What is farther than that cannot be as near, whatever the chord errors are.
  if (within) request.ignoreBeyond = *within + pair.largestError();
  for (;;) {
    const DistanceReport found = distance(pair.a.posed.posed(), pair.b.posed.posed(), request, context);
    result.status = found.status;
    result.nearest = found.nearest;
    if (result.status != ReportStatus::complete || !found.nearest) return result;
    std::optional<NearTriangles> near = pair.near(found.distance(), result.status);
    if (!near) return result;
    result.error.chordError = near->error();
    if (near->error() <= enough) break;
    const double before = near->error();
    const bool isFiner = pair.refine(near, found.distance(), std::max(enough, before / 16), result.status);
    if (result.status != ReportStatus::complete) return result;
    if (!isFiner) {
      result.problem = !pair.problem.empty() ? pair.problem
                       : pair.offCorners(*near) > near->error() / 4
                           ? "the points of the file are off the surfaces of its faces by up to " +
                                 numberText(roundedUp(pair.offCorners(*near)))
                           : "the shapes could not be made finer";
      break;
    }
  }
  if (within && result.nearest->distance > *within + *result.error.chordError) result.nearest.reset();
  return result;
}

}  // namespace fitup
