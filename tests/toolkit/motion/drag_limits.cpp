#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stop_token>
#include <vector>

#include <models/random.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/motion/drag_scene.h"

namespace drag_limits_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("laws: limits of updates change how soon a part arrives, not where",
          "[motion][drag][limits][laws]") {
  int stops = 0, partial = 0;
  for (std::uint64_t seed = 500; seed < 540; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const MeshPtr shapes[] = {lShape(2, 1), icosphere(1, 1), sixSidedBox(3, 0.3, 2), cylinder(0.4, 4, 10)};
    DragScene scene;
    scene.dragged = scene.add("dragged", shapes[random.below(4)], {});
    std::vector<NodeId> others;
    for (int k = 0; k < 3; ++k)
      others.push_back(scene.add("rest" + std::to_string(k), shapes[random.below(4)],
                                 randomPlacement(PlacementClass::rigid, random, 3)));
    scene.build();
    DragOptions options;
    options.tolerance = 0.08;
    options.strict = seed % 4 == 1;
    const RigidMotion start{{}, random.inCube(3)};
    DragOptions few = options;
    few.maxSteps = 1;
    DragOptions hasty = options;
    hasty.limits.timeBudget = std::chrono::nanoseconds(0);
    DragGuard whole = scene.drag(options, start), slow = scene.drag(few, start),
              slower = scene.drag(hasty, start), late = scene.drag(few, start);
    std::vector<RigidMotion> poses;
    std::vector<double> limit;
    for (const NodeId other : others)
      limit.push_back(
          std::max({0.08, scene.depth(other, {}) * 1.01 + 0.04, scene.depth(other, start) * 1.01 + 0.012}));
    RigidMotion wanted = start;
    DragUpdate last;
    for (int k = 0; k < 4; ++k) {
      wanted = {normalized(axisAngle(random.inCube(1), random.between(-0.6, 0.6)) * wanted.rotation),
                wanted.translation + random.inCube(2)};
      poses.push_back(wanted);
      last = whole.update(wanted);
      stops += last.stop.has_value();
      for (DragGuard* guard : {&slow, &slower}) {
        DragUpdate update = guard->update(wanted);
        double fraction = 0;
        for (int calls = 1; update.status != ReportStatus::complete; ++calls) {
          REQUIRE(update.status == ReportStatus::truncated);
          REQUIRE(update.steps <= 1);
          REQUIRE(calls < 100'000);
          CHECK_FALSE(update.stop);
          // Never back by more than the resolution, and where no pair is too deep.
          CHECK(update.fraction >= fraction - 0.01);
          const bool hasMoved = update.fraction != fraction;
          partial += update.fraction > fraction;
          fraction = update.fraction;
          if (hasMoved && !options.strict)
            for (std::size_t o = 0; o < others.size(); ++o)
              CHECK(scene.depth(others[o], update.pose) <= limit[o] + 1e-9);
          CHECK(guard->pose() == update.pose);
          update = guard->proceed();
        }
        CHECK(update.pose == last.pose);
        CHECK(update.fraction == last.fraction);
        CHECK(update.stop.has_value() == last.stop.has_value());
        if (update.stop && last.stop) CHECK(update.stop->b == last.stop->b);
        // Without other poses, nothing changes.
        const DragUpdate again = guard->update(wanted);
        CHECK(again.pose == last.pose);
        CHECK(again.looks == 0);
      }
    }
    // The hand has gone on before the part has begun.
    DragUpdate update = late.update(poses);
    while (update.status != ReportStatus::complete) update = late.proceed();
    CHECK(update.pose == last.pose);
  }
  CHECK(stops > 40);
  CHECK(partial > 200);
}

TEST_CASE("laws: no pose on the way of a limited update is deeper than the limit",
          "[motion][drag][limits][laws]") {
  // Parts that lie along none of their axes, so that their depth has to be searched for at every pose.
  const Transform turn = Transform::rotation({1, 2, 3}, 0.4);
  const MeshPtr block = transformed(sixSidedBox(2, 2, 2, 2), turn),
                wide = transformed(sixSidedBox(2, 9, 9, 3), turn);
  std::size_t partial = 0;
  for (int i = 0; i < 60; ++i) {
    INFO("round " << i);
    DragScene scene;
    // The part comes straight at the wall, or aslant; how deep it is where it is looked at differs.
    scene.dragged = scene.add("block", block, {});
    const NodeId wall = scene.add("wall", wide, turn * at(2.3 + 0.0037 * i, 0, 0) * turn.inverse());
    scene.build();
    DragOptions options{.tolerance = 0.1};
    options.limits.timeBudget = std::chrono::nanoseconds(0);
    DragGuard guard = scene.drag(options);
    const RigidMotion far{{}, turn.apply({0.6 + 0.01 * i, i % 3 == 0 ? 0.0 : 0.11 * (i % 7), 0})};
    DragUpdate update = guard.update(far);
    RigidMotion shown;
    for (; update.status != ReportStatus::complete; update = guard.proceed()) {
      if (update.pose == shown) continue;
      shown = update.pose;
      ++partial;
      CHECK(scene.depth(wall, update.pose) <= 0.1 + 1e-9);
    }
    REQUIRE(update.stop);
    CHECK(scene.depth(wall, update.pose) <= 0.1 + 1e-9);
  }
  CHECK(partial > 100);
}

TEST_CASE("a drag that is cut short stays where it is safe, and ignored pairs stop nothing",
          "[motion][drag][limits]") {
  DragScene scene;
  scene.dragged = scene.add("box", sixSidedBox(1, 1, 1), {});
  scene.add("floor", transformed(sixSidedBox(60, 60, 1), Transform::rotation({1, 0, 0}, 0.01)),
            at(0, 0, -1.4));
  const NodeId wall = scene.add("wall", sixSidedBox(1, 9, 9), at(20, 0, 0));
  scene.build();
  DragOptions options;
  options.tolerance = 0.05;
  options.strict = true;
  options.maxSteps = 3;
  DragGuard few = scene.drag(options);
  const DragUpdate part = few.update(shiftBy(30, 0, 0));
  CHECK(part.status == ReportStatus::truncated);
  CHECK(part.fraction < 1);
  CHECK(part.pose.translation.x < 19);
  CHECK_FALSE(scene.intersects(wall, part.pose));
  DragUpdate last = part;
  for (int i = 0; i < 400 && !last.stop; ++i) last = few.update(shiftBy(30, 0, 0));
  REQUIRE(last.stop);
  CHECK(last.stop->b == wall);
  CHECK(last.pose.translation.x == Approx(19).margin(1e-3));

  std::stop_source source;
  source.request_stop();
  const DragUpdate none = scene.drag(options).update(shiftBy(30, 0, 0), Progress(source.get_token()));
  CHECK(none.status == ReportStatus::cancelled);
  CHECK(none.pose == RigidMotion{});

  options.maxSteps = 10'000;
  options.rules.rules = {{"box", "wall", ""}};
  CHECK(scene.drag(options).update(shiftBy(30, 0, 0)).fraction == 1);
}

}  // namespace drag_limits_tests
