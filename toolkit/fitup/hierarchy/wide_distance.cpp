#include <fitup/hierarchy/wide_distance.h>

#define FITUP_WITHOUT_AVX3_DL
#include <fitup/hierarchy/detail/kernel_targets.h>
#include <fitup/hierarchy/detail/wide_distance_task.h>

// Declarations for each instruction set. Those of the compiler's own set come last.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/wide_distance_kernel-inl.h"
#include <hwy/foreach_target.h>

#include <fitup/hierarchy/detail/wide_distance_kernel-inl.h>

#include <cmath>

#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup {
namespace {

HWY_EXPORT(nearest);

double frobenius(const Transform& f) {
  double sum = 0;
  for (const auto& row : f.m)
    for (const double v : row) sum += v * v;
  return std::sqrt(sum);
}

/// Returns the slots below which there are only the triangles of a surface: one slot, or several of one node;
/// none for a surface without triangles. Linear in the nodes of several surfaces.
std::vector<std::uint32_t> slotsOfSurface(const WideBvh& tree, const TriangleMesh& mesh, SurfaceId surface) {
  const auto wanted = static_cast<std::uint32_t>(surface);
  const auto head = [&](std::uint32_t n) -> const WideNodeHead& {
    return tree.layout == WideLayout::fast ? tree.nodes.data()[n].head : tree.compactNodes.data()[n].head;
  };
  const auto child = [&](std::uint32_t slot) {
    return tree.layout == WideLayout::fast ? tree.nodes.data()[slot >> 3].child[slot & 7U]
                                           : tree.compactNodes.data()[slot >> 3].child[slot & 7U];
  };
  const auto leafSurface = [&](WideChild leaf) {
    return static_cast<std::uint32_t>(mesh.surfaceOf(detail::triangleInLeaf(tree, leaf, 0)));
  };
  std::vector<std::uint32_t> waiting{0}, slots;
  while (!waiting.empty()) {
    const std::uint32_t slot = waiting.back();
    waiting.pop_back();
    const WideChild c = child(slot);
    const std::uint32_t here = c.isLeaf() ? leafSurface(c) : head(c.node()).surface;
    if (here == wanted) slots.push_back(slot);
    if (c.isLeaf() || here != WideNodeHead::mixed) continue;
    for (std::uint32_t i = 0; i < head(c.node()).childCount; ++i) waiting.push_back(8 * c.node() + i);
  }
  return slots;
}

/// Searches for any intersecting pair. Returns true if that answers the query or if the search was stopped.
bool findCrossing(const WideDistanceTask& task, const WideBvh& a, const WideBvh& b,
                  WideDistanceScratch::Data& data) {
  QueryStats stats;
  data.crossingPairs.clear();
  traverseWide({.a = task.a,
                .b = task.b,
                .placement = task.placement,
                .mode = QueryMode::firstSurfacePair,
                .vectorUse = task.vectorUse,
                .stop = task.stop,
                .stats = stats,
                .found = data.crossingPairs},
               a, b, data.crossing);
  task.stats.boxTests += stats.boxTests;
  task.stats.boxUpdates += stats.boxUpdates;
  if (data.crossingPairs.empty()) return task.stop.reason() != StopCheck::Reason::none;
  const TrianglePair pair = data.crossingPairs.front();
  ++task.stats.triangleDistances;
  task.found.assign(1, {pair, task.lengths.distance(task.a.triangle(pair.a),
                                                    task.placement.placed(task.b.triangle(pair.b)))});
  return true;
}

}  // namespace

WorldMetric WorldMetric::of(const Transform& worldFromPart, const Vec3& originInPart) {
  WorldMetric map;
  map.worldFromLocal = worldFromPart;
  map.worldFromLocal.t = worldFromPart.apply(originInPart);
  if (worldFromPart.kind() != TransformKind::affine) return map;
  // One scale for all directions: the columns have the same length and are orthogonal.
  const double scale = std::cbrt(std::abs(worldFromPart.determinant()));
  Transform unscaled = worldFromPart;
  for (auto& row : unscaled.m)
    for (double& v : row) v /= scale;
  map.uniform = unscaled.kind() != TransformKind::affine;
  map.factor = map.uniform ? scale : (1 - 0x1p-40) / frobenius(worldFromPart.inverse());
  return map;
}

ClosestPoints WorldMetric::distance(const Triangle& a, const Triangle& b) const noexcept {
  if (uniform) {
    ClosestPoints r = distanceTriangleTriangle(a, b);
    r.distance *= factor;
    if (!(r.distance > 0) && !intersectTriangleTriangle(a, b))
      r.distance = std::numeric_limits<double>::denorm_min();
    return r;
  }
  if (intersectTriangleTriangle(a, b)) {
    ClosestPoints r = distanceTriangleTriangle(a, b);
    r.onA = r.onB = worldFromLocal.applyToVector(r.onA);
    return r;
  }
  Triangle inA = a, inB = b;
  for (Triangle* t : {&inA, &inB})
    for (Vec3& v : t->v) v = worldFromLocal.applyToVector(v);
  ClosestPoints r = distanceTriangleTriangle(inA, inB);
  r.distance = std::max(r.distance, std::numeric_limits<double>::denorm_min());
  return r;
}

WideDistanceScratch::WideDistanceScratch() : data_(std::make_unique<Data>()) {}
WideDistanceScratch::~WideDistanceScratch() = default;
WideDistanceScratch::WideDistanceScratch(WideDistanceScratch&&) noexcept = default;
WideDistanceScratch& WideDistanceScratch::operator=(WideDistanceScratch&&) noexcept = default;

void nearestWide(const WideDistanceTask& task, const WideBvh& treeOfA, const WideBvh& treeOfB,
                 WideDistanceScratch& scratch) {
  using detail::WideIdentity;
  WideDistanceScratch::Data& data = scratch.data();
  data.starts.clear();
  if (task.only) {
    const auto slotsB = slotsOfSurface(treeOfB, task.b, task.only->b);
    for (const std::uint32_t slotA : slotsOfSurface(treeOfA, task.a, task.only->a))
      for (const std::uint32_t slotB : slotsB) data.starts.push_back({slotA, slotB});
    if (data.starts.empty()) return;
  } else {
    data.starts.push_back({0, 0});
  }
  const WideIdentity a = WideIdentity::of(treeOfA, task.a), b = WideIdentity::of(treeOfB, task.b);
  if (task.coherence == Coherence::on && (data.history.treeA != a || data.history.treeB != b))
    data.history = {a, b, std::nullopt, false};

  const detail::WideQuery query = detail::prepareWideQuery(task.a, task.b, task.placement);
  detail::DistanceBounds bounds;
  if (!query.orthogonal) {
    const double least = 1 / frobenius(task.placement.bFromA);
    bounds.bToA = floatBelow(least * least * (1 - 0x1p-20));
  }
  bounds.blind = !std::isfinite(query.slackInA) || !std::isfinite(query.slackInB);
  data.pairAt.clear();
  task.found.clear();
  const auto run = [&](detail::DistancePhase phase) {
    const detail::WideDistanceRun part{task, treeOfA, treeOfB, query, bounds, data, phase};
    return task.vectorUse == VectorUse::scalar ? detail::nearestWideScalar(part)
                                               : HWY_DYNAMIC_DISPATCH(nearest)(part);
  };
  if (task.bySurface) {
    run(detail::DistancePhase::whole);
    return;
  }
  detail::DistanceProgress progress = run(detail::DistancePhase::begin);
  // If parts overlap, a search for any intersection ends far sooner than one for the nearest pair.
  if (!progress.ended && progress.overlapping && !task.only)
    progress.ended = findCrossing(task, treeOfA, treeOfB, data);
  if (!progress.ended) run(detail::DistancePhase::whole);
  if (task.coherence == Coherence::on && !task.found.empty()) {
    data.history.nearest = task.found.front().triangles;
    data.history.met = task.found.front().points.distance == 0;
  }
}

}  // namespace fitup
