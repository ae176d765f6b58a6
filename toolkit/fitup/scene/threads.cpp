#include <fitup/scene/threads.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>

#include <fitup/base/rounding.h>
#include <fitup/base/work_meter.h>
#include <fitup/mesh/recognise.h>

namespace fitup {
namespace {

struct CoarseThread {
  double nominal, pitch;
};
/// ISO 261, coarse series; millimetres.
constexpr CoarseThread coarseThreads[] = {
    {1, 0.25}, {1.2, 0.25}, {1.4, 0.3}, {1.6, 0.35}, {1.8, 0.35}, {2, 0.4},  {2.5, 0.45},
    {3, 0.5},  {3.5, 0.6},  {4, 0.7},   {5, 0.8},    {6, 1},      {7, 1},    {8, 1.25},
    {10, 1.5}, {12, 1.75},  {14, 2},    {16, 2},     {18, 2.5},   {20, 2.5}, {22, 2.5},
    {24, 3},   {27, 3},     {30, 3.5},  {33, 3.5},   {36, 4},     {39, 4},   {42, 4.5},
    {45, 4.5}, {48, 5},     {52, 5},    {56, 5.5},   {60, 5.5},   {64, 6}};
/// Factors of the pitch (ISO 68-1): core of the outer thread, the usual core hole, and the allowance.
constexpr double outerCore = 1.2269, coreHole = 1, allowance = 0.05;
constexpr double mostTilt = 0.01;  // sine of the angle between the axes
/// A clash may be deeper than its thread by this factor, because of the chord errors of both cylinders.
constexpr double chordErrorFactor = 1.02;

bool isInRange(double value, double least, double most, double by) {
  return value >= least - by && value <= most + by;
}

/// True if the triangles of a surface face away from the axis of its cylinder, false if they face it; empty
/// if they do both.
std::optional<bool> facesOutward(const TriangleMesh& mesh, const Surface& surface,
                                 const SurfaceDescription& cylinder) {
  double outward = 0, area = 0;
  for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
    const Triangle t = mesh.triangle(TriangleId{surface.firstTriangle + i});
    const Vec3 normal = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    const Vec3 from = mesh.origin() + (1.0 / 3) * (t.v[0] + t.v[1] + t.v[2]) - cylinder.point;
    const Vec3 radial = from - dot(from, cylinder.axis) * cylinder.axis;
    if (!(norm(radial) > 0)) continue;
    outward += dot(normal, normalized(radial));
    area += norm(normal);
  }
  if (!(std::abs(outward) > 0.8 * area)) return std::nullopt;
  return outward > 0;
}

}  // namespace

std::vector<ThreadCylinder> threadCylinders(const TriangleMesh& mesh, const Transform& worldFromPart) {
  std::vector<ThreadCylinder> result;
  for (std::uint32_t s = 0; s < mesh.surfaces().size(); ++s) {
    const Surface& surface = mesh.surfaces()[s];
    if (surface.triangleCount == 0) continue;
    const auto inPart = describeSurface(mesh, SurfaceId{s});
    if (!inPart || inPart->kind != SurfaceKind::cylinder) continue;
    const auto world = placed(*inPart, worldFromPart);
    const auto outward = facesOutward(mesh, surface, *inPart);
    if (!world || !outward) continue;
    ThreadCylinder cylinder{!*outward,
                            world->point,
                            world->axis,
                            world->radius,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
      for (const Vec3& v : mesh.triangle(TriangleId{surface.firstTriangle + i}).v) {
        const double along = dot(worldFromPart.apply(mesh.origin() + v) - world->point, world->axis);
        cylinder.from = std::min(cylinder.from, along);
        cylinder.to = std::max(cylinder.to, along);
      }
    result.push_back(cylinder);
  }
  return result;
}

std::optional<Thread> threadOf(const ThreadCylinder& a, const ThreadCylinder& b, double millimetresPerUnit) {
  if (a.isHole == b.isHole) return std::nullopt;
  const ThreadCylinder &pin = a.isHole ? b : a, &hole = a.isHole ? a : b;
  const double outer = 2 * pin.radius * millimetresPerUnit, inner = 2 * hole.radius * millimetresPerUnit;
  const auto* const size = std::ranges::find_if(coarseThreads, [&](const CoarseThread& t) {
    const double by = allowance * t.pitch;
    return isInRange(outer, t.nominal, t.nominal, by) &&
           isInRange(inner, t.nominal - outerCore * t.pitch, t.nominal - coreHole * t.pitch, by);
  });
  if (size == std::end(coarseThreads)) return std::nullopt;
  const double pitch = size->pitch / millimetresPerUnit;
  if (norm(cross(pin.axis, hole.axis)) > mostTilt) return std::nullopt;
  // The extent of the hole along the pin's axis.
  const Vec3 ends[] = {hole.point + hole.from * hole.axis, hole.point + hole.to * hole.axis};
  double from = dot(ends[0] - pin.point, pin.axis), to = dot(ends[1] - pin.point, pin.axis);
  if (from > to) std::swap(from, to);
  from = std::max(from, pin.from);
  to = std::min(to, pin.to);
  if (to - from < 0.5 * pitch) return std::nullopt;
  const Vec3 middle = pin.point + 0.5 * (from + to) * pin.axis - hole.point;
  if (norm(middle - dot(middle, hole.axis) * hole.axis) > allowance * pitch) return std::nullopt;
  return Thread{size->nominal, 2 * pin.radius, 2 * hole.radius};
}

std::optional<Thread> recogniseThread(const TriangleMesh& a, const Transform& worldFromA,
                                      const TriangleMesh& b, const Transform& worldFromB,
                                      double millimetresPerUnit) {
  std::optional<Thread> result;
  const std::vector<ThreadCylinder> ofB = threadCylinders(b, worldFromB);
  if (ofB.empty()) return result;
  for (const ThreadCylinder& p : threadCylinders(a, worldFromA))
    for (const ThreadCylinder& q : ofB)
      if (const auto thread = threadOf(p, q, millimetresPerUnit);
          thread && (!result || thread->overlap() > result->overlap()))
        result = thread;
  return result;
}

std::vector<std::pair<std::size_t, std::size_t>> threadPairs(const Scene& scene, const Poses& poses,
                                                             double millimetresPerUnit,
                                                             const Progress& progress) {
  const WorkMeter meter(progress);
  struct Placed {
    std::size_t position;
    ThreadCylinder cylinder;
  };
  std::vector<Placed> holes, pins;
  const std::span<const NodeId> instances = scene.instances();
  for (std::size_t i = 0; i < instances.size(); ++i) {
    meter.poll();
    for (const ThreadCylinder& cylinder :
         threadCylinders(scene.assembly().meshOf(instances[i]), scene.worldFromPart(instances[i], poses)))
      (cylinder.isHole ? holes : pins).push_back({i, cylinder});
  }
  // The core of a thread is at least 0.69 of its nominal diameter (M1).
  std::ranges::sort(holes, {}, [](const Placed& hole) { return hole.cylinder.radius; });
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const Placed& pin : pins) {
    const auto from = std::ranges::lower_bound(holes, 0.6 * pin.cylinder.radius, {},
                                               [](const Placed& hole) { return hole.cylinder.radius; });
    for (auto hole = from; hole != holes.end() && hole->cylinder.radius < pin.cylinder.radius; ++hole) {
      meter.poll();
      if (hole->position == pin.position || !threadOf(pin.cylinder, hole->cylinder, millimetresPerUnit))
        continue;
      pairs.insert(std::minmax(pin.position, hole->position));
    }
  }
  return {pairs.begin(), pairs.end()};
}

ThreadSuggestion findThreads(const Scene& scene, const Poses& poses, const InterferenceReport& report,
                             double millimetresPerUnit, const Progress& progress) {
  ThreadSuggestion result;
  const WorkMeter meter(progress);
  std::map<NodeId, std::vector<ThreadCylinder>> cylinders;
  const auto cylindersOf = [&](NodeId node) -> const std::vector<ThreadCylinder>& {
    const auto [found, isNew] = cylinders.try_emplace(node);
    if (isNew)
      found->second = threadCylinders(scene.assembly().meshOf(node), scene.worldFromPart(node, poses));
    return found->second;
  };
  for (const PairInterference& pair : report.pairs) {
    meter.poll();
    if (!pair.is(Verdict::clash) || pair.rule || pair.areCopies || !pair.verdict->depth) continue;
    std::optional<Thread> thread;
    for (const ThreadCylinder& p : cylindersOf(pair.a))
      for (const ThreadCylinder& q : cylindersOf(pair.b))
        if (const auto found = threadOf(p, q, millimetresPerUnit);
            found && (!thread || found->overlap() > thread->overlap()))
          thread = found;
    if (!thread) continue;
    const double overlap = thread->overlap();
    if (*pair.verdict->depth >
        chordErrorFactor * overlap + pair.verdict->depthErrorBound + pair.verdict->tolerance)
      continue;
    result.leastOverlap = result.pairs == 0 ? overlap : std::min(result.leastOverlap, overlap);
    result.mostOverlap = std::max(result.mostOverlap, overlap);
    ++result.pairs;
  }
  return result;
}

Rule ruleFor(const ThreadSuggestion& found) {
  Rule rule{"*", "*", "", RuleAction::allowOverlap};
  rule.depth = roundedUp(chordErrorFactor * found.mostOverlap);
  rule.fastener = Fastener::thread;
  return rule;
}

}  // namespace fitup
