#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

#include <fitup/motion/slide.h>

#include "support/analytic_solids.h"
#include "support/revolved_part.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/motion/drag_scene.h"

namespace slide_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

SlideGuard slide(const DragScene& scene, double tolerance, SlideFreedom freedom = SlideFreedom::shift,
                 const RigidMotion& start = {}) {
  const NodeId nodes[] = {scene.dragged};
  SlideOptions options;
  options.freedom = freedom;
  options.drag.tolerance = tolerance;
  return {scene.built, {}, nodes, start, options};
}

void print(const SlideUpdate& u) {
  std::printf("pose %g %g %g  rot %g %g %g  dist %g moves %zu rows %zu holds %zu ms %.2f there %d\n", u.pose.translation.x,
              u.pose.translation.y, u.pose.translation.z, u.pose.rotation.x, u.pose.rotation.y,
              u.pose.rotation.z, u.distance, u.moves, u.rows, u.holding.size(), u.milliseconds, u.isThere);
  for (const SlideHold& h : u.holding)
    std::printf("   at %g %g %g n %g %g %g gap %g mult %g faces %zu %zu exact %d\n", h.point.x, h.point.y, h.point.z,
                h.normal.x, h.normal.y, h.normal.z, h.gap, h.multiplier, index(h.surfaces.a), index(h.surfaces.b), h.isExact);
}

}  // namespace

TEST_CASE("a box slides along a wall into a corner and out again", "[motion][slide]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(2, 2, 2), at(0, 0, 0));
  scene.add("wall", sixSidedBox(2, 20, 20, 4), at(10, 0, 0));
  scene.add("other", sixSidedBox(20, 2, 20, 4), at(0, 8, 0));
  scene.build();
  for (SlideFreedom f : {SlideFreedom::shift, SlideFreedom::shiftAndTurn}) {
  SlideGuard guard = slide(scene, 0.1, f);
  print(guard.update(shiftBy(30, 0, 0)));
  print(guard.update(shiftBy(30, 3, 1)));
  print(guard.update(shiftBy(30, 30, 1)));
  print(guard.update(shiftBy(30, 30, 4)));
  print(guard.update(shiftBy(3, 30, 4)));
  print(guard.update(shiftBy(30, 3, 4)));
  print(guard.update(shiftBy(0, 0, 0)));
  }
}

SlideGuard slide(const Scene& scene, NodeId node, double tolerance) {
  const NodeId nodes[] = {node};
  SlideOptions options;
  options.drag.tolerance = tolerance;
  return {scene, {}, nodes, {}, options};
}

TEST_CASE("explore peg", "[explore]") {
  for (double t : {0.004, 0.05}) {
  RevolvedScene parts;
  const NodeId peg = parts.add("peg", shaft(4.995, -10, 30), 0.05, {}, 0.03);
  parts.add("bush", bushing(5, 10, 0, 20), 0.05);
  const Scene scene = parts.scene();
  SlideGuard guard = slide(scene, peg, t);
  const double a = 3 * std::numbers::pi / 180;
  for (int i = 1; i <= 12; ++i) {
    const Quaternion q = axisAngle({1, 0.3, 0}, a);
    print(guard.update({q, {0.2, 0.1, 4.0 * i}}));
  }
  print(guard.update({{}, {0, 0, 0}}));
  }
}
TEST_CASE("explore convex edge", "[explore]") {
  for (SlideFreedom f : {SlideFreedom::shift, SlideFreedom::shiftAndTurn}) {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(2, 2, 2), at(0, 0, 2.05));
  scene.add("block", sixSidedBox(6, 20, 2, 1), at(0, 0, 0));
  scene.build();
  SlideGuard guard = slide(scene, 0.1, f);
  for (int i = 1; i <= 12; ++i) print(guard.update(shiftBy(0.6 * i, 0.1 * i, -1.2)));
  print(guard.update(shiftBy(0, 0, 0)));
  }
}

}  // namespace slide_tests
