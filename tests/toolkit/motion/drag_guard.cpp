#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/motion/drag_guard.h>
#include <fitup/query/verdict.h>
#include <models/process_plant.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/motion/drag_scene.h"

namespace drag_guard_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("a dragged box stops at a wall, at the tolerance", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(2, 2, 2), at(0, 0, 0));
  const NodeId wall = scene.add("wall", sixSidedBox(2, 20, 20, 4), at(10, 0, 0));
  scene.build();
  DragOptions options;
  options.tolerance = 0.1;
  DragGuard guard = scene.drag(options);
  const DragUpdate hit = guard.update(shiftBy(30, 0, 0));
  CHECK(hit.status == ReportStatus::complete);
  CHECK(hit.pose.translation.x <= 8.1);
  CHECK(hit.pose.translation.x >= 8.0);
  REQUIRE(hit.stop);
  CHECK(hit.stop->b == wall);
  REQUIRE(hit.stop->nearest);
  CHECK(guard.pose() == hit.pose);
  // No further, however often it is tried; back without hindrance; along the wall too.
  for (int i = 0; i < 5; ++i) CHECK(guard.update(shiftBy(30, 0, 0)).pose.translation.x <= 8.1);
  const DragUpdate along = guard.update(shiftBy(guard.pose().translation.x, 5, 0));
  CHECK(along.fraction == 1);
  CHECK_FALSE(along.stop);
  const DragUpdate back = guard.update(shiftBy(0, 0, 0));
  CHECK(back.fraction == 1);
  CHECK(back.pose == shiftBy(0, 0, 0));

  options.strict = true;
  DragGuard strict = scene.drag(options);
  const DragUpdate before = strict.update(shiftBy(30, 0, 0));
  CHECK(before.pose.translation.x < 8);
  CHECK(before.pose.translation.x > 8 - 1e-3);
  CHECK_FALSE(scene.intersects(wall, before.pose));
  REQUIRE(before.stop);
  CHECK(before.stop->nearest->surfaces.b == SurfaceId{0});
  CHECK(before.stop->nearest->pointB.x == 9);
  CHECK(strict.update(shiftBy(0, 0, 0)).fraction == 1);
}

TEST_CASE("small steps and large ones never tunnel through a thin wall", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(1, 1, 1), at(0, 0, 0));
  scene.add("plate", sixSidedBox(0.3, 20, 20), at(5, 0, 0));
  scene.add("sheet", transformed(flatSheet(20, 20), Transform::rotation({0, 1, 0}, -std::numbers::pi / 2)),
            at(-5, -10, -10));
  scene.build();
  for (const bool strict : {false, true})
    for (const double step : {0.01, 0.19, 3.0, 500.0}) {
      DragOptions options;
      options.tolerance = 0.1;
      options.strict = strict;
      DragGuard right = scene.drag(options), left = scene.drag(options);
      for (int i = 0; i < 20 + static_cast<int>(6 / step); ++i) {
        right.update(shiftBy(right.pose().translation.x + step, 0, 0));
        left.update(shiftBy(left.pose().translation.x - step, 0, 0));
      }
      INFO(strict << " " << step);
      CHECK(right.pose().translation.x <= 4.35 + (strict ? 0 : 0.1));
      CHECK(right.pose().translation.x > 4.3);
      CHECK(left.pose().translation.x > -4.5);
      CHECK(left.pose().translation.x < -4.49);
    }
}

TEST_CASE("clashes of the start may separate but not get deeper", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(4, 4, 4), at(0, 0, 0));
  const NodeId wall = scene.add("wall", sixSidedBox(6, 20, 20), at(4, 0, 0));  // 1 deep
  scene.build();
  CHECK(scene.depth(wall, {}) == Approx(1).epsilon(0.01));
  DragOptions options;
  options.tolerance = 0.05;
  DragGuard guard = scene.drag(options);
  const DragUpdate in = guard.update(shiftBy(2, 0, 0));
  CHECK(in.stop);
  CHECK(in.pose.translation.x <= 0.05 + 0.01);
  CHECK(guard.update(shiftBy(guard.pose().translation.x, 3, 0)).fraction == 1);
  CHECK(guard.update(shiftBy(-3, 3, 0)).fraction == 1);
  // Strict: nothing is accepted until the parts are separated.
  options.strict = true;
  DragGuard strict = scene.drag(options);
  CHECK(strict.update(shiftBy(-0.5, 0, 0)).pose == shiftBy(0, 0, 0));
  CHECK(strict.update(shiftBy(0, 1, 0)).pose == shiftBy(0, 0, 0));
  const DragUpdate out = strict.update(shiftBy(-2, 0, 0));
  CHECK(out.fraction == 1);
  const DragUpdate again = strict.update(shiftBy(0, 0, 0));
  CHECK(again.stop);
  CHECK(again.pose.translation.x < -1);
  CHECK_FALSE(scene.intersects(wall, again.pose));
}

TEST_CASE("an open part that has come apart on the way is stopped for good", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(10, 10, 10), at(5, 0, 0));
  // Two walls without thickness; the box touches the first.
  const MeshPtr sheet = transformed(flatSheet(100, 100), Transform::translation({-50, -50, 0}));
  const Transform upright = Transform::rotation({0, 1, 0}, std::numbers::pi / 2);
  scene.add("walls",
            joined({transformed(sheet, upright),
                    transformed(sheet, Transform::translation({100, 0, 0}) * upright)}),
            {});
  scene.build();
  DragGuard guard = scene.drag({.tolerance = 0.1});
  for (int i = 0; i < 3; ++i) {
    const DragUpdate update = guard.update(shiftBy(200, 0, 0));
    CHECK(update.stop.has_value());
    CHECK(update.pose.translation.x == Approx(90).margin(0.01));
  }
}

TEST_CASE("a part that stands twice in one place may be pulled out", "[motion][drag]") {
  DragScene scene;
  const MeshPtr cube = sixSidedBox(10, 10, 10);
  scene.dragged = scene.add("one", cube, {});
  scene.add("other", cube, {});
  scene.build();
  DragGuard guard = scene.drag({.tolerance = 0.2});
  CHECK(guard.update(shiftBy(3, 0, 0)).pose.translation.x == Approx(3));
  CHECK(guard.update(shiftBy(30, 0, 0)).pose.translation.x == Approx(30));
}

TEST_CASE("a peg slides in its hole, and only along it", "[motion][drag]") {
  // Four walls around the peg, touching it exactly.
  DragScene scene;
  scene.dragged = scene.add("peg", sixSidedBox(2, 2, 6), at(0, 0, 0));
  for (int i = 0; i < 4; ++i)
    scene.add("wall" + std::to_string(i), sixSidedBox(2, 2, 8),
              at(i == 0   ? 2
                 : i == 1 ? -2
                          : 0,
                 i == 2   ? 2
                 : i == 3 ? -2
                          : 0,
                 0));
  scene.build();
  DragOptions options;
  options.tolerance = 0.02;
  DragGuard guard = scene.drag(options);
  CHECK(guard.update(shiftBy(1, 0, 0)).pose.translation.x <= 0.02);
  CHECK(guard.update({axisAngle({0, 0, 1}, 0.5), {}}).fraction < 0.1);
  CHECK(guard.update(shiftBy(guard.pose().translation.x, 0, 1)).pose.translation.z > 0.5);
}

TEST_CASE("a pin is pulled out of its bore in few examinations, and turned in it", "[motion][drag]") {
  // Pin and bore have one diameter; their facets overlap by less than 0.02.
  DragScene scene;
  scene.dragged = scene.add("pin", cylinder(1, 6, 24), {});
  const NodeId block = scene.add("block", tube(2.5, 1, 3, 32), {});
  scene.build();
  const DragOptions options{.tolerance = 0.06};
  for (const double step : {0.05, 0.5, 9.0}) {
    INFO("step " << step);
    DragGuard guard = scene.drag(options);
    std::size_t looks = 0;
    double at = 0;
    while (at < 9) {
      at += step;
      const DragUpdate update = guard.update(shiftBy(0, 0, at));
      REQUIRE(update.fraction == 1);
      REQUIRE(update.looks < 30);
      looks += update.looks;
      CHECK(scene.depth(block, update.pose) <= 0.06);
    }
    CHECK(static_cast<double>(looks) < 4 * at / step + 60);
    CHECK_FALSE(scene.intersects(block, guard.pose()));
  }
  DragGuard guard = scene.drag(options);
  for (int k = 1; k <= 40; ++k) {
    const DragUpdate update = guard.update({axisAngle({0, 0, 1}, 0.1 * k), {}});
    REQUIRE(update.fraction == 1);
    REQUIRE(update.looks < 60);
    CHECK(scene.depth(block, update.pose) <= 0.06);
  }
  const DragUpdate aside = guard.update(shiftBy(0.5, 0, 0));
  REQUIRE(aside.stop);
  CHECK(scene.depth(block, aside.pose) <= 0.06);
  // Pushed against the wall, it stays there at the cost of few examinations.
  const DragUpdate again = guard.update(shiftBy(0.7, 0, 0));
  CHECK(again.fraction == 0);
  CHECK(again.looks <= 4);
}

TEST_CASE("a blade stops at a wall as thin as itself", "[motion][drag][thin]") {
  for (const double thickness : {0.02, 0.1, 0.2, 0.26, 0.38})
    for (const double step : {0.03, 0.4, 30.0}) {
      CAPTURE(thickness, step);
      DragScene scene;
      // The blade lies in the plane y = 0 and comes along x; the wall is upright in x = 0.
      scene.dragged = scene.add("blade", sixSidedBox(10, thickness, 4), at(-8, 0.3, 0.2));
      const NodeId wall = scene.add("wall", sixSidedBox(thickness, 10, 10), {});
      scene.build();
      DragGuard guard = scene.drag({.tolerance = 0.2});
      RigidMotion pose;
      for (int i = 0; i < 8 + static_cast<int>(12 / step); ++i)
        pose = guard.update(shiftBy(guard.pose().translation.x + step, 0, 0)).pose;
      // It would reach the wall's middle at 3, and is stopped within the resolution of t / 4 before that.
      CHECK(pose.translation.x < 3);
      CHECK(pose.translation.x >= 3 - thickness / 2 - 1.6 * 0.05);
      CHECK(verdict(scene.posed(scene.dragged, pose), scene.posed(wall, pose), {.tolerance = 0.2}).verdict !=
            Verdict::clash);
      // Drawn back a little, it goes past the wall.
      CHECK(guard.update(shiftBy(pose.translation.x - 0.02, 6, 0)).fraction == 1);
      CHECK(guard.update(shiftBy(20, 6, 0)).fraction == 1);
    }
}

TEST_CASE("thin plates slide on each other, and a blade in its slot", "[motion][drag][thin]") {
  DragScene scene;
  scene.dragged = scene.add("plate", sixSidedBox(10, 8, 0.3), at(0, 0, 0.3));
  scene.add("other", sixSidedBox(10, 8, 0.3), {});
  scene.build();
  DragGuard guard = scene.drag({.tolerance = 0.2});
  CHECK(guard.update(shiftBy(3, 2, 0)).fraction == 1);
  CHECK(guard.update({axisAngle({0, 0, 1}, 0.4), {3, 2, 0}}).fraction == 1);
  CHECK(guard.update(shiftBy(3, 2, 4)).fraction == 1);

  // A slot of the blade's thickness between two halves of a wall that is thin too.
  DragScene slot;
  slot.dragged = slot.add("blade", sixSidedBox(10, 0.3, 4), {});
  slot.add("above", sixSidedBox(0.3, 4, 10), at(0, 2.15, 0));
  slot.add("below", sixSidedBox(0.3, 4, 10), at(0, -2.15, 0));
  slot.build();
  DragGuard along = slot.drag({.tolerance = 0.2});
  CHECK(along.update(shiftBy(3, 0, 0)).fraction == 1);
  CHECK(along.update(shiftBy(3, 1, 0)).pose.translation.y < 0.2);
  CHECK(along.update(shiftBy(20, along.pose().translation.y, 0)).fraction == 1);
}

TEST_CASE("a clash does not grow from drag to drag", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(4, 4, 4), at(0, 0, 0));
  const NodeId wall = scene.add("wall", sixSidedBox(6, 20, 20), at(4.9, 0, 0));  // 0.1 deep
  scene.build();
  RigidMotion pose;
  for (int i = 0; i < 12; ++i) {
    DragGuard guard = scene.drag({.tolerance = 0.4}, pose);
    pose = guard.update(shiftBy(30, 0, 0)).pose;
  }
  CHECK(scene.depth(wall, pose) <= 0.4);
  CHECK(scene.depth(wall, pose) >= 0.4 - 1.6 * 0.1 - 1e-6);
  // What was deeper when it was fixed may stay as deep.
  const NodeId nodes[] = {scene.dragged};
  DragOptions options{.tolerance = 0.05};
  options.reference = Poses{};
  options.reference->set(scene.dragged, shiftBy(0.3, 0, 0).transform());
  DragGuard guard(scene.built, {}, nodes, {}, options);
  pose = guard.update(shiftBy(30, 0, 0)).pose;
  CHECK(scene.depth(wall, pose) <= 0.4 + 0.05);
  CHECK(scene.depth(wall, pose) >= 0.4 - 0.05);
}

namespace {

/// Checks seeded drags: what was accepted obeys the limits at poses and between them, and is the same when
/// the drag is repeated.
void checkSeededDrags(std::uint64_t firstSeed, int count) {
  constexpr double t = 0.08;
  int stops = 0, moves = 0;
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = firstSeed + static_cast<std::uint64_t>(i);
    INFO("seed " << seed);
    Random random(seed);
    const MeshPtr shapes[] = {lShape(2, 1), icosphere(1, 1), sixSidedBox(3, 0.3, 2), cylinder(0.4, 4, 10)};
    DragScene scene;
    const std::uint32_t shape = random.below(4);
    scene.dragged = scene.add("dragged", shapes[shape], Transform::rigid(randomRotation(random), {}));
    std::vector<NodeId> others;
    for (int k = 0; k < 3; ++k)
      others.push_back(
          scene.add("rest" + std::to_string(k), shapes[random.below(4)],
                    randomPlacement(k == 0 ? PlacementClass::mirrored : PlacementClass::rigid, random, 3)));
    scene.build();
    DragOptions options;
    options.tolerance = t;
    options.strict = i % 2 == 1;
    const RigidMotion start{{}, random.inCube(3)};
    DragGuard guard = scene.drag(options, start), twin = scene.drag(options, start);
    std::vector<double> limit;
    std::vector<char> mayMeet;
    for (NodeId other : others) {
      // L of the design placements, or what is beyond it at the start.
      double errors = 0;
      for (const NodeId node : {scene.dragged, other})
        errors += scene.assembly.meshOf(node).deflection().value_or(Deflection{}).linear;
      const double q = scene.depth(other, {}) * (1 + 1.0 / 128),
                   beyond = scene.depth(other, start) * (1 + 1.0 / 128);
      limit.push_back(std::max({t, q + std::max(errors, t / 2), beyond + t * 0.15}));
      mayMeet.push_back(scene.intersects(other, start));
    }
    RigidMotion wanted = start;
    for (int k = 0; k < 5; ++k) {
      const RigidMotion before = guard.pose();
      const Vec3 axis = random.inCube(1);
      const Quaternion turn = axisAngle(axis, random.between(-0.6, 0.6));
      wanted = {normalized(turn * wanted.rotation), wanted.translation + random.inCube(k % 2 == 0 ? 0.5 : 3)};
      const DragUpdate update = guard.update(wanted);
      const DragUpdate same = twin.update(wanted);
      REQUIRE(update.pose == same.pose);
      REQUIRE(update.status == ReportStatus::complete);
      if (update.stop) ++stops;
      if (update.fraction > 0) ++moves;
      if (!update.stop) REQUIRE(update.fraction == 1);
      if (update.fraction == 0) {
        REQUIRE(update.pose == before);
        continue;
      }
      const Box box = [&] {
        Box b;
        b.extend(scene.assembly.worldBounds(scene.dragged));
        return b;
      }();
      for (int sample = 1; sample <= 6; ++sample) {
        const double s = sample == 6 ? update.fraction : update.fraction * random.unit();
        const RigidMotion pose = sample == 6 ? update.pose : interpolate(before, wanted, box.centre(), s);
        for (std::size_t o = 0; o < others.size(); ++o) {
          if (!scene.intersects(others[o], pose)) {
            if (sample == 6) mayMeet[o] = 0;
            continue;
          }
          INFO("update " << k << ", other " << o << ", at " << s << " of " << update.fraction);
          REQUIRE((!options.strict || (mayMeet[o] && sample < 6)));
          PenetrationRequest deeper;
          deeper.deeperThan = limit[o] + 1e-9;
          deeper.regions = false;
          REQUIRE(penetration(scene.posed(scene.dragged, pose), scene.posed(others[o], pose), deeper)
                      .regions.empty());
        }
      }
    }
  }
  CHECK(stops > count);
  CHECK(moves > count);
}

}  // namespace

TEST_CASE("no seeded drag ends in a refused pose", "[motion][drag]") { checkSeededDrags(100, 60); }

TEST_CASE("none of a thousand seeded drags ends in a refused pose", "[.][motion][drag][large]") {
  checkSeededDrags(10000, 1000);
}

TEST_CASE("the spool is dragged out of the plant and set down on the frame", "[motion][drag]") {
  const Assembly plant = models::makeProcessPlant();
  const fitup::Scene scene(plant);
  const NodeId spool[] = {plant.at(models::spoolPath)};
  DragOptions options;
  options.tolerance = 0.5;
  // From its place between the flanges, along them.
  const RigidMotion start = models::makeSpoolTrack(plant).steps[0][0];
  DragGuard out(scene, {}, spool, start, options);
  for (int k = 1; k <= 20; ++k) {
    const DragUpdate update = out.update({start.rotation, start.translation + Vec3{0, 0, 15.0 * k}});
    CHECK(update.fraction == 1);
    CHECK_FALSE(update.stop);
  }
  for (const bool strict : {false, true}) {
    options.strict = strict;
    DragGuard down(scene, {}, spool, shiftBy(0, 0, 1500), options);
    DragUpdate update;
    for (int k = 1; k <= 30; ++k) update = down.update(shiftBy(0, 0, 1500 - 25 * k));
    CHECK(update.status == ReportStatus::complete);
    REQUIRE(update.stop);
    CHECK(plant.path(update.stop->b) == "process-plant/structure/frame");
    REQUIRE(update.stop->nearest);
    CHECK(update.stop->nearest->distance < 0.01);
    const PosedSolid dragged{scene.solid(plant.partOf(spool[0])),
                             update.pose.transform() * plant.worldFromNode(spool[0])};
    for (NodeId other : plant.instances()) {
      if (other == spool[0]) continue;
      const PosedSolid rest = scene.posedSolid(other);
      CHECK(verdict(dragged, rest, {.tolerance = 0.5}).verdict != Verdict::clash);
      if (strict) CHECK_FALSE(intersect(dragged.posed(), rest.posed()).intersects());
    }
  }
}

TEST_CASE("a pose that is too far away to be checked is refused, and the part stays", "[motion][drag]") {
  Assembly assembly("two");
  const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
  const NodeId moved = assembly.addNode("moved", {}, {}, part);
  assembly.addNode("wall", Transform::translation({5, 0, 0}), {}, part);
  const std::vector<NodeId> dragged{moved};
  DragGuard guard(fitup::Scene(assembly), {}, dragged, {}, {.tolerance = 0.01});
  CHECK_THROWS_AS(guard.update({{}, {1e300, 0, 0}}), PlacementError);
  CHECK(guard.pose().translation == Vec3{});
  const DragUpdate far = guard.update({{}, {1e30, 0, 0}});
  CHECK(far.status == ReportStatus::complete);
  REQUIRE(far.stop);
  CHECK(far.pose.translation.x <= 4.01 + 1e-9);
}

TEST_CASE("poses that are no rigid motions are refused, and the part stays", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("arm", sixSidedBox(4, 0.2, 0.2), {});
  scene.add("pin", sixSidedBox(0.1, 0.1, 4), at(1.4, 1.4, 0));
  scene.build();
  DragOptions options;
  options.strict = true;
  DragGuard guard = scene.drag(options);
  const Quaternion turn = axisAngle({0, 0, 1}, 1.2);
  for (const double length : {0.5, 3.0, 100.0, std::numeric_limits<double>::quiet_NaN()}) {
    const Quaternion longer{turn.x * length, turn.y * length, turn.z * length, turn.w * length};
    CHECK_THROWS_AS(guard.update({longer, {}}), PlacementError);
    CHECK(guard.pose() == RigidMotion{});
    CHECK_THROWS_AS(DragGuard(scene.built, {}, std::vector{scene.dragged}, {longer, {}}, options),
                    PlacementError);
  }
  CHECK(guard.update({turn, {}}).stop);
}

TEST_CASE("drags that cannot be are refused", "[motion][drag]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(1, 1, 1), {});
  scene.add("wall", sixSidedBox(1, 1, 1), at(3, 0, 0));
  scene.build();
  CHECK_THROWS_AS(scene.drag({}), InputError);  // meshes have no chord error
  DragOptions options;
  options.tolerance = -1;
  CHECK_THROWS_AS(scene.drag(options), InputError);
  options.tolerance = 0.1;
  CHECK_THROWS_AS(DragGuard(scene.built, {}, {}, {}, options), InputError);
  CHECK_THROWS_AS(DragGuard(scene.built, {}, std::vector{NodeId{99}}, {}, options), InputError);
}

}  // namespace drag_guard_tests
