// Draws every bolt and nut of a model out along its axis by slides that follow unsteady hands, and prints how
// many come out, the least margin, and how long updates took: fitup-slide-hands MODEL [HANDS [BUDGET
// [TOLERANCE]]], the budget of an update in milliseconds (0: none). With a budget, the hand waits at its end
// until the part stays.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/motion/slide.h>
#include <fitup/query/penetration.h>
#include <fitup/query/verdict.h>

#include "support/placements.h"

namespace {

using namespace fitup;
using namespace fitup::test;

constexpr double travel = 80;          // model units
constexpr int events = 80;             // of a hand
constexpr double positionNoise = 0.5;  // half a cube's side
constexpr int mostWaits = 20000;       // updates
constexpr double angleNoise = 0.05;    // radians

Vec3 centreOf(const Scene& scene, NodeId node) { return scene.worldBounds(node, {}).centre(); }

/// The normal of the largest flat face of an instance, in the world: bolts and nuts have it along their axis.
std::optional<Vec3> axisOf(const Scene& scene, NodeId node) {
  double largest = 0;
  std::optional<Vec3> axis;
  for (const Surface& surface : scene.modelOf(node).mesh().surfaces())
    if (surface.description && surface.description->kind == SurfaceKind::plane &&
        surface.fingerprint.area > largest) {
      largest = surface.fingerprint.area;
      axis = normalized(scene.designPlacement(node).applyToVector(surface.description->axis));
    }
  return axis;
}

/// Which way a fastener comes out: a bolt towards its head, which has most of its surface; a nut away from
/// the bolt or rod that is nearest to it.
Vec3 wayOut(const Scene& scene, NodeId node, const Vec3& axis, const std::string& path) {
  Vec3 from = centreOf(scene, node), to = from;
  if (path.find("bolt_") != std::string::npos && path.find("nut_") == std::string::npos) {
    Vec3 sum;
    double area = 0;
    for (const Surface& s : scene.modelOf(node).mesh().surfaces()) {
      sum = sum + s.fingerprint.area * s.fingerprint.centroid;
      area += s.fingerprint.area;
    }
    to = scene.designPlacement(node).apply((1 / area) * sum);
  } else {
    double nearest = std::numeric_limits<double>::infinity();
    for (const NodeId other : scene.instances()) {
      const std::string& name = scene.paths()[scene.positionOf(other)];
      if (other == node || name.substr(name.rfind('/')).find("nut") != std::string::npos) continue;
      if (name.find("bolt_") == std::string::npos && name.find("rod_") == std::string::npos) continue;
      const Vec3 way = centreOf(scene, node) - centreOf(scene, other);
      const double aside = norm(way - dot(way, axis) * axis);
      if (aside + 1e-3 * norm(way) >= nearest) continue;
      nearest = aside + 1e-3 * norm(way);
      from = centreOf(scene, other);
    }
  }
  return dot(to - from, axis) < 0 ? -axis : axis;
}

/// Least margin of a part at a pose: L, as `PairLimit` has it, less the depth, by queries of their own.
double marginAt(const Scene& scene, NodeId node, const RigidMotion& pose, std::optional<double> tolerance) {
  double least = std::numeric_limits<double>::infinity();
  Poses poses;
  poses.set(node, pose.transform() * scene.designPlacement(node));
  const Box box = scene.worldBounds(node, poses);
  for (const NodeId other : scene.instances()) {
    if (other == node || !box.overlaps(scene.worldBounds(other, {}))) continue;
    const PosedSolid there = scene.posedSolid(node, poses), rest = scene.posedSolid(other);
    const double t = tolerance.value_or(defaultTolerance(there, rest)),
                 q = penetration(scene.posedSolid(node), rest).depth();
    double errors = 0;
    for (const NodeId each : {node, other})
      errors += scene.modelOf(each).mesh().deflection().value_or(Deflection{}).linear;
    const double limit = q > 0 ? std::max(t, q + std::max(errors, t / 2)) : t;
    least = std::min(least, limit - penetration(there, rest).depth());
  }
  return least;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0
                        : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

struct Totals {
  int out = 0, hands = 0;
  std::vector<double> milliseconds, moves;
  double margin = std::numeric_limits<double>::infinity();  ///< the least, at every eighth event
  std::size_t waits = 0;                                    ///< updates after the hand had stopped

  void count(const SlideUpdate& update) {
    milliseconds.push_back(update.milliseconds);
    moves.push_back(static_cast<double>(update.moves));
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const int hands = argc > 2 ? std::atoi(argv[2]) : 20;
  const Scene scene = sceneOf(readModelFile(argv[1]));
  Totals all;
  for (const NodeId node : scene.instances()) {
    const std::string& path = scene.paths()[scene.positionOf(node)];
    const std::string name = path.substr(path.rfind('/') + 1);
    if (name.rfind("bolt_", 0) != 0 && name.rfind("nut_", 0) != 0) continue;
    const auto axis = axisOf(scene, node);
    if (!axis) continue;
    const Vec3 way = wayOut(scene, node, *axis, "/" + name);
    Totals part;
    for (int hand = 0; hand < hands; ++hand) {
      Random random(static_cast<std::uint64_t>(hand) + 1);
      SlideOptions options;
      const double budget = argc > 3 ? std::atof(argv[3]) : 0;
      if (budget > 0)
        options.drag.limits.timeBudget = std::chrono::nanoseconds(static_cast<std::int64_t>(1e6 * budget));
      if (argc > 4) options.drag.tolerance = std::atof(argv[4]);
      SlideGuard guard(scene, {}, std::span(&node, 1), {}, options);
      SlideUpdate last;
      for (int i = 1; i <= events; ++i) {
        const double at = travel * i / events;
        Vec3 shift = at * way + random.inCube(positionNoise);
        const Vec3 turn = random.inCube(angleNoise);
        const RigidMotion wanted =
            motionAbout(centreOf(scene, node), axisAngle(turn + Vec3{1e-9, 0, 0}, norm(turn)), shift);
        last = guard.update(wanted);
        part.count(last);
        if (i % 8 == 0)
          part.margin = std::min(part.margin, marginAt(scene, node, last.pose, options.drag.tolerance));
      }
      for (int i = 0; i < mostWaits && last.status != ReportStatus::complete; ++i) {
        last = guard.proceed();
        part.count(last);
        ++part.waits;
      }
      ++part.hands;
      const Vec3 moved = last.pose.transform().apply(centreOf(scene, node)) - centreOf(scene, node);
      if (dot(moved, way) > 0.95 * travel)
        ++part.out;
      else if (hand < 3) {
        std::printf("  hand %d stays at %g, %zu hold\n", hand, dot(moved, way), last.holding.size());
        for (const SlideHold& h : last.holding)
          std::printf("    %s at %g %g %g normal %g %g %g gap %g exact %d\n",
                      scene.paths()[scene.positionOf(h.b)].c_str(), h.point.x, h.point.y, h.point.z,
                      h.normal.x, h.normal.y, h.normal.z, h.gap, h.isExact);
      }
    }
    std::printf(
        "%-60s %d of %d out, ms p50 %.2f p95 %.2f p99.9 %.2f max %.2f, moves p95 %.0f, waits %zu, margin "
        "%.4f\n",
        path.c_str(), part.out, part.hands, percentile(part.milliseconds, 0.5),
        percentile(part.milliseconds, 0.95), percentile(part.milliseconds, 0.999),
        percentile(part.milliseconds, 1), percentile(part.moves, 0.95), part.waits, part.margin);
    all.out += part.out;
    all.hands += part.hands;
    all.milliseconds.insert(all.milliseconds.end(), part.milliseconds.begin(), part.milliseconds.end());
  }
  std::printf("all: %d of %d out, ms p50 %.2f p95 %.2f p99.9 %.2f max %.2f\n", all.out, all.hands,
              percentile(all.milliseconds, 0.5), percentile(all.milliseconds, 0.95),
              percentile(all.milliseconds, 0.999), percentile(all.milliseconds, 1));
  return 0;
}
