#include <fitup/query/distance_error.h>

#include <algorithm>
#include <limits>

#include <fitup/query/detail/stretch.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/verify.h>

namespace fitup {
namespace {

bool areChordErrorsKnown(const PosedModel& first, const PosedModel& second) {
  return first.model->mesh().deflection() && second.model->mesh().deflection();
}

}  // namespace

double lengthRounding(const PosedModel& first, const PosedModel& second) {
  const PairFrame frame = PairFrame::of(first, second);
  const PosedModel& a = frame.swapped ? second : first;
  return coordinateRounding(first.model->mesh(), first.worldFromPart) +
         coordinateRounding(second.model->mesh(), second.worldFromPart) +
         norm(frame.placement.placementError) * detail::stretchOf(a.worldFromPart) +
         distanceSlop(first, second);
}

DistanceRange exactDistance(const PosedModel& first, const PosedModel& second, double within,
                            const DistanceRequest& request, QueryContext& context) {
  DistanceRequest near;
  near.vectorUse = request.vectorUse;
  near.limits = request.limits;
  near.limits.maxPairs.reset();
  const double reach = within + largestChordError(first) + largestChordError(second);
  const SurfaceDistanceReport found = surfacePairsWithin(first, second, reach, near, context);
  DistanceRange range{within, std::numeric_limits<double>::infinity(), std::nullopt, found.status};
  for (const NearestPair& pair : found.pairs) {
    const double error =
        chordErrorInWorld(first, pair.surfaces.a) + chordErrorInWorld(second, pair.surfaces.b);
    range.least = std::min(range.least, pair.distance - error);
    range.most = std::min(range.most, pair.distance + error);
    if (!range.nearest || pair.distance < range.nearest->distance) range.nearest = pair;
  }
  return range;
}

DistanceError distanceError(const PosedModel& first, const PosedModel& second, double distance,
                            const QueryLimits& limits, QueryContext& context) {
  DistanceError error{std::nullopt, lengthRounding(first, second)};
  if (!areChordErrorsKnown(first, second)) return error;
  ReportStatus status{};
  const NearSurfaces near = nearSurfaces(first, second, distance, limits, context, status);
  if (status == ReportStatus::complete) error.chordError = near.error();
  return error;
}

DistanceError distanceError(const PosedModel& first, const PosedModel& second, const SurfacePair& surfaces) {
  DistanceError error{std::nullopt, lengthRounding(first, second)};
  if (areChordErrorsKnown(first, second))
    error.chordError = chordErrorInWorld(first, surfaces.a) + chordErrorInWorld(second, surfaces.b);
  return error;
}

}  // namespace fitup
