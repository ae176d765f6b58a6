#include "slide_margins.h"

#include <algorithm>

#include <fitup/query/distance.h>
#include <fitup/query/penetration.h>
#include <fitup/query/verdict.h>

namespace fitup::bench {
namespace {

double distanceOf(const PosedSolid& a, const PosedSolid& b) {
  return distance(a.posedPart(), b.posedPart()).distance();
}

}  // namespace

SlideMargins::SlideMargins(const fitup::Scene& scene, const std::vector<NodeId>& group,
                           const std::optional<double>& tolerance)
    : scene_(scene), group_(group) {
  for (const NodeId other : scene.instances())
    if (std::ranges::find(group, other) == group.end())
      for (const NodeId node : group) addPair(node, other, tolerance);
}

SlideMargins::Margin SlideMargins::at(const RigidMotion& pose) const {
  Poses poses;
  for (const NodeId node : group_) poses.set(node, pose.transform() * scene_.designPlacement(node));
  Margin least;
  for (const Pair& pair : pairs_) {
    if (!scene_.worldBounds(pair.moved, poses).overlaps(pair.box)) continue;
    const double margin =
        marginOf(pair, scene_.posedSolid(pair.moved, poses), scene_.posedSolid(pair.resting));
    if (margin < least.margin) least = {margin, pair.resting};
  }
  return least;
}

double SlideMargins::toleranceWith(NodeId resting) const {
  double t = 0;
  for (const Pair& pair : pairs_)
    if (pair.resting == resting) t = std::max(t, pair.tolerance);
  return t;
}

void SlideMargins::addPair(NodeId node, NodeId other, const std::optional<double>& tolerance) {
  Pair pair{node, other, scene_.worldBounds(other, {})};
  const PosedSolid moved = scene_.posedSolid(node), resting = scene_.posedSolid(other);
  pair.isClosed = moved.solid->watertightness().closed() && resting.solid->watertightness().closed();
  if (pair.isClosed) {
    const double t = effectiveTolerance(tolerance, moved, resting), q = penetration(moved, resting).depth();
    double errors = 0;
    for (const PosedSolid* each : {&moved, &resting})
      if (each->solid->mesh().deflection())
        errors += deflectionInWorld(each->solid->mesh(), each->worldFromPart);
    pair.tolerance = t;
    pair.limit = q > 0 ? std::max(t, q + std::max(errors, t / 2)) : t;
  } else {
    pair.isFree = distanceOf(moved, resting) <= 0;
  }
  pairs_.push_back(pair);
}

double SlideMargins::marginOf(const Pair& pair, const PosedSolid& moved, const PosedSolid& resting) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (pair.isFree) return none;
  if (!pair.isClosed) return distanceOf(moved, resting) > 0 ? none : -none;
  PenetrationRequest request;
  request.deeperThan = pair.tolerance / 4;
  request.accuracy = pair.tolerance / 64;
  return pair.limit - std::max(request.deeperThan, penetration(moved, resting, request).depth());
}

}  // namespace fitup::bench
