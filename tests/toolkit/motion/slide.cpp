#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/motion/slide.h>
#include <fitup/query/penetration.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/motion/drag_scene.h"
#include "toolkit/motion/slide_reference.h"
#include "toolkit/motion/unsteady_rounds.h"

namespace slide_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A part that slides among others, every pose of which is looked at by means of its own.
struct SlideScene : DragScene {
  MeshPtr mesh;
  std::vector<NodeId> others;
  double tolerance = 0.1;
  bool turns = false;

  void addDragged(const MeshPtr& part, const Transform& place) {
    mesh = part;
    place_ = place;
    dragged = add("dragged", part, place);
  }
  void addOther(const MeshPtr& part, const Transform& place) {
    others.push_back(add("other" + std::to_string(others.size()), part, place));
  }
  [[nodiscard]] SlideGuard slide(const RigidMotion& start = {}, DragOptions drag = {}) const {
    const NodeId nodes[] = {dragged};
    drag.tolerance = tolerance;
    return {
        built, {}, nodes, start, {turns ? SlideFreedom::shiftAndTurn : SlideFreedom::shift, std::move(drag)}};
  }
  [[nodiscard]] WeightedPoints points() const { return {mesh, place_}; }
  [[nodiscard]] double deepest(const RigidMotion& pose) const {
    double most = 0;
    for (const NodeId other : others) most = std::max(most, depth(other, pose));
    return most;
  }
  [[nodiscard]] bool isDeeper(const RigidMotion& pose, double than) const {
    PenetrationRequest request;
    request.deeperThan = than;
    request.regions = false;
    return std::ranges::any_of(others, [&](NodeId other) {
      return !penetration(posed(dragged, pose), posed(other, pose), request).regions.empty();
    });
  }
  /// Checks that no small motion that is as feasible as the pose brings the part nearer to the hand. What the
  /// search may gain is 2 % of its reach, and what it gets for an overlap that is deeper by a hundredth of t:
  /// a share of t, since few places hold at steep angles.
  void checkNearest(const RigidMotion& pose, const RigidMotion& hand, std::uint64_t seed = 1,
                    double shareOfTolerance = 0.1) const {
    const WeightedPoints points = this->points();
    RigidMotion goal = hand;
    if (!turns)
      goal = {pose.rotation, hand.transform().apply(points.centre()) -
                                 Transform::rotation(pose.rotation).apply(points.centre())};
    const double allowed = std::max(deepest(pose), 0.3 * tolerance) + 0.01 * tolerance;
    LocalSearch search;
    search.turns = turns;
    search.reach = 0.3 * std::min(1.0, points.size());
    search.isFeasible = [&](const RigidMotion& at) { return !isDeeper(at, allowed); };
    const double now = points.distance(pose, goal), reached = search.nearest(points, pose, goal, seed);
    INFO("at " << pose.translation.x << ' ' << pose.translation.y << ' ' << pose.translation.z << " distance "
               << now << ", by trial " << reached);
    CHECK(reached >= now - 0.02 * search.reach - shareOfTolerance * tolerance);
  }

 private:
  Transform place_;
};

/// A box between walls at x = 9 and y = 7, as seen by the box's far faces at 8 and 6.
SlideScene corner(bool turns) {
  SlideScene scene;
  scene.turns = turns;
  scene.addDragged(sixSidedBox(2, 2, 2), {});
  scene.addOther(sixSidedBox(2, 20, 20, 4), at(10, 0, 0));
  scene.addOther(sixSidedBox(20, 2, 20, 3), at(0, 8, 0));
  scene.build();
  return scene;
}

}  // namespace

TEST_CASE("a box slides along a wall into a corner and out again", "[motion][slide]") {
  for (const bool turns : {false, true}) {
    CAPTURE(turns);
    const SlideScene scene = corner(turns);
    SlideGuard guard = scene.slide();
    const auto follow = [&](const RigidMotion& hand, const Vec3& expected, std::size_t walls) {
      const SlideUpdate update = guard.update(hand);
      INFO("hand " << hand.translation.x << ' ' << hand.translation.y << ' ' << hand.translation.z);
      CHECK(update.status == ReportStatus::complete);
      // Into the walls by at most t; along them within 2 % of the way, which is at least 1.
      for (int k = 0; k < 3; ++k) CHECK(std::abs(update.pose.translation[k] - expected[k]) <= 0.05);
      CHECK(degreesBetween(update.pose.rotation, {}) < 0.1);
      std::vector<NodeId> held;
      Vec3 pull;
      for (const SlideHold& hold : update.holding) {
        held.push_back(hold.b);
        pull = pull + hold.multiplier * hold.normal;
        CHECK(hold.gap <= 0);
        CHECK(hold.gap >= -0.1);
      }
      std::sort(held.begin(), held.end());
      CHECK(static_cast<std::size_t>(std::unique(held.begin(), held.end()) - held.begin()) == walls);
      // The faces that hold balance the hand.
      CHECK(norm(pull - (update.pose.translation - hand.translation)) < 1e-3);
      CHECK(scene.deepest(update.pose) <= 0.1);
      CHECK(update.isThere == (walls == 0));
      CHECK(guard.pose() == update.pose);
      scene.checkNearest(update.pose, hand);
      CHECK(guard.update(hand).pose == update.pose);
    };
    follow(shiftBy(5, 0, 0), {5, 0, 0}, 0);
    follow(shiftBy(30, 0, 0), {8, 0, 0}, 1);
    follow(shiftBy(30, 3, 1), {8, 3, 1}, 1);
    follow(shiftBy(30, 30, 1), {8, 6, 1}, 2);
    follow(shiftBy(30, 30, 4), {8, 6, 4}, 2);
    follow(shiftBy(3, 30, 4), {3, 6, 4}, 1);
    follow(shiftBy(30, 3, 4), {8, 3, 4}, 1);
    follow(shiftBy(0, 0, 0), {0, 0, 0}, 0);
    CHECK(guard.pose() == shiftBy(0, 0, 0));
  }
}

TEST_CASE("a slide does not drift, and comes back to where it began", "[motion][slide]") {
  for (const bool turns : {false, true}) {
    CAPTURE(turns);
    const SlideScene scene = corner(turns);
    SlideGuard guard = scene.slide(), twin = scene.slide();
    Random random(turns ? 11 : 5);
    for (int i = 0; i < 10000; ++i) {
      // A hand that is often behind both walls, and turned.
      const RigidMotion hand{axisAngle(random.inCube(1), 0.2 * random.unit()),
                             Vec3{7, 5, 0} + random.inCube(3)};
      const SlideUpdate update = guard.update(hand);
      REQUIRE(update.status == ReportStatus::complete);
      if (i < 200) REQUIRE(twin.update(hand).pose == update.pose);
      if (i % 50 == 0) {
        REQUIRE_FALSE(scene.isDeeper(update.pose, scene.tolerance));
        if (i % 500 == 0) scene.checkNearest(update.pose, hand, static_cast<std::uint64_t>(i));
      }
    }
    const SlideUpdate back = guard.update(shiftBy(0, 0, 0));
    CHECK(back.isThere);
    CHECK(back.pose == shiftBy(0, 0, 0));
  }
}

TEST_CASE("a box slides over a convex edge, which does not hold it", "[motion][slide]") {
  SlideScene scene;
  scene.addDragged(sixSidedBox(2, 2, 2), at(0, 0, 2));
  scene.addOther(sixSidedBox(6, 20, 2), {});
  scene.build();
  SlideGuard guard = scene.slide();
  for (int i = 1; i <= 40; ++i) {
    const double x = 0.15 * i;
    const RigidMotion hand = shiftBy(x, 0.02 * i, -1);
    const SlideUpdate update = guard.update(hand);
    CAPTURE(x);
    CHECK(std::abs(update.pose.translation.x - x) <= 0.02 * x);
    CHECK(std::abs(update.pose.translation.y - 0.02 * i) <= 0.01);
    // The part leaves the block at x = 4.
    if (x < 3.9) CHECK(std::abs(update.pose.translation.z) <= 0.1);
    if (x > 4.05) CHECK(update.isThere);
    REQUIRE_FALSE(scene.isDeeper(update.pose, scene.tolerance));
    if (i % 5 == 0) scene.checkNearest(update.pose, hand);
  }
  // Back onto the block the hand has to lift it.
  CHECK(guard.update(shiftBy(0, 0, -1)).pose.translation.x > 3.8);
  CHECK(guard.update(shiftBy(6, 0, 0.1)).isThere);
  CHECK(guard.update(shiftBy(0, 0, 0.1)).isThere);
}

TEST_CASE("a box that may turn lies down on a slope", "[motion][slide]") {
  SlideScene scene;
  scene.turns = true;
  scene.addDragged(sixSidedBox(2, 2, 2), at(0, 0, 2.5));
  const Transform tilted = Transform::rotation(axisAngle({0, 1, 0}, 0.2));
  scene.addOther(sixSidedBox(30, 30, 2, 2), tilted);
  scene.build();
  SlideGuard guard = scene.slide();
  // Pulled through the slope, the box turns until its face lies on it: that is nearer than a corner alone.
  const RigidMotion hand = shiftBy(0.5, 0.3, -0.6);
  const SlideUpdate update = guard.update(hand);
  CHECK(degreesBetween(update.pose.rotation, {}) > 3);
  CHECK(degreesBetween(update.pose.rotation, {}) < 12);
  CHECK_FALSE(scene.isDeeper(update.pose, scene.tolerance));
  scene.checkNearest(update.pose, hand);
  CHECK(guard.update(shiftBy(0, 0, 0)).pose == shiftBy(0, 0, 0));
}

TEST_CASE("slides that a limit of time ends go on later, and keep their limits all the way",
          "[motion][slide]") {
  for (const bool turns : {false, true}) {
    const SlideScene scene = corner(turns);
    DragOptions drag;
    drag.limits.timeBudget = std::chrono::nanoseconds(0);
    SlideGuard limited = scene.slide({}, drag), free = scene.slide();
    for (const RigidMotion& hand : {shiftBy(12, 3, 0), shiftBy(12, 9, 1), shiftBy(2, 9, 1)}) {
      SlideUpdate update = limited.update(hand);
      std::size_t calls = 1;
      while (update.status != ReportStatus::complete) {
        REQUIRE_FALSE(scene.isDeeper(update.pose, scene.tolerance));
        REQUIRE(++calls < 5000);
        update = limited.proceed();
      }
      CHECK(calls > 5);
      const SlideUpdate whole = free.update(hand);
      CHECK(scene.points().distance(update.pose, whole.pose) < 0.01);
    }
  }
}

TEST_CASE("slides and drags keep a clearance", "[motion][slide][drag]") {
  for (const bool turns : {false, true}) {
    SlideScene scene = corner(turns);
    scene.others.push_back(scene.add("pin", cylinder(0.5, 6, 16), at(2, -4, 0)));
    scene.build();
    const auto nearest = [&](const RigidMotion& pose) {
      double least = 1e9;
      for (const NodeId other : scene.others)
        least = std::min(
            least,
            distance(scene.posed(scene.dragged, pose).posed(), scene.posed(other, pose).posed()).distance());
      return least;
    };
    DragOptions drag;
    drag.clearance = 0.5;
    drag.tolerance = scene.tolerance;
    DragGuard guard = scene.drag(drag);
    CHECK(guard.update(shiftBy(30, 0, 0)).pose.translation.x == Approx(7.5).margin(1e-3));
    CHECK(nearest(guard.pose()) >= 0.5);
    SlideGuard slide = scene.slide({}, drag);
    CHECK(std::abs(slide.update(shiftBy(30, 3, 1)).pose.translation.x - 7.5) <= 0.05);
    CHECK(std::abs(slide.pose().translation.y - 3) <= 0.06);
    Random random(8);
    for (int i = 0; i < 200; ++i) {
      const Vec3 axis = random.inCube(1);
      const double angle = 0.4 * random.unit();
      const SlideUpdate update = slide.update({axisAngle(axis, angle), Vec3{4, 1, 0} + random.inCube(6)});
      REQUIRE(update.status == ReportStatus::complete);
      REQUIRE(nearest(update.pose) >= 0.5);
      if (!update.isThere) REQUIRE(nearest(update.pose) < 0.5 + 0.6 * scene.tolerance);
    }
    CHECK(slide.update({}).pose == RigidMotion{});
  }
  // What is nearer at the reference keeps its limit of depth, and may touch.
  const SlideScene scene = corner(false);
  DragOptions drag;
  drag.clearance = 8;
  CHECK(scene.slide({}, drag).update(shiftBy(0, 30, 0)).pose.translation.y == Approx(6).margin(0.05));
}

TEST_CASE("a tessellated pin slides and turns in its bore", "[motion][slide]") {
  SlideScene scene;
  scene.turns = true;
  scene.tolerance = 0.06;
  scene.addDragged(cylinder(1, 6, 24), {});
  scene.addOther(tube(2.5, 1, 3, 32), {});
  scene.build();
  SlideGuard guard = scene.slide();
  Random random(3);
  for (int i = 1; i <= 60; ++i) {
    const double z = 0.12 * i;
    const RigidMotion hand{axisAngle(Vec3{0, 0, 1} + random.inCube(0.3), 0.05 * i),
                           Vec3{0, 0, z} + Vec3{random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0}};
    const SlideUpdate update = guard.update(hand);
    CAPTURE(i, z);
    REQUIRE(update.status == ReportStatus::complete);
    REQUIRE_FALSE(scene.isDeeper(update.pose, scene.tolerance));
    // It leaves the bore at z = 4.5, and before that tilts by what the rest of the bore lets it.
    if (z < 3.6) {
      CHECK(std::abs(update.pose.translation.z - z) <= 0.02 * z + 0.02);
      CHECK(std::hypot(update.pose.translation.x, update.pose.translation.y) < 0.2);
    }
    if (i % 12 == 0) scene.checkNearest(update.pose, hand);
  }
  CHECK(guard.pose().translation.z > 7);
}

TEST_CASE("a tessellated pin is back at its start whenever its hand is", "[motion][slide]") {
  SlideScene scene;
  scene.turns = true;
  scene.tolerance = 0.06;
  scene.addDragged(cylinder(1, 6, 24), {});
  scene.addOther(tube(2.5, 1, 3, 32), {});
  scene.build();
  SlideGuard guard = scene.slide();
  const int held = unsteadyRounds(guard, effort(200, 10000), 29, 2, 0.1, [&](const RigidMotion& pose) {
    REQUIRE_FALSE(scene.isDeeper(pose, scene.tolerance));
  });
  CHECK(held >= effort(150, 9000));
}

TEST_CASE("the poses that a slide has passed lead from where it was to where it is", "[motion][slide]") {
  for (const bool turns : {false, true}) {
    const SlideScene scene = corner(turns);
    SlideGuard whole = scene.slide();
    DragOptions drag;
    drag.limits.timeBudget = std::chrono::nanoseconds(0);
    SlideGuard limited = scene.slide({}, drag);
    Random random(7);
    for (SlideGuard* guard : {&whole, &limited}) {
      RigidMotion before;
      const auto check = [&](const SlideUpdate& update) {
        CHECK(update.way.empty() == (update.pose == before));
        if (!update.way.empty()) CHECK(update.way.back() == update.pose);
        // Between the poses too, the box is no deeper in the walls than it may be.
        for (const RigidMotion& to : update.way) {
          CHECK_FALSE(to == before);
          for (const double s : {0.25, 0.5, 0.75, 1.0})
            REQUIRE_FALSE(scene.isDeeper(interpolate(before, to, {}, s), scene.tolerance));
          before = to;
        }
        return update.status == ReportStatus::complete;
      };
      for (int i = 0; i < 10; ++i) {
        const RigidMotion hand{axisAngle(random.inCube(1), 0.2 * random.unit()),
                               Vec3{7, 5, 0} + random.inCube(3)};
        bool isDone = check(guard->update(hand));
        while (!isDone) isDone = check(guard->proceed());
      }
      check(guard->update({}));
    }
  }
}

TEST_CASE("slides among many shapes end where no small motion is nearer", "[motion][slide]") {
  int held = 0, turned = 0;
  for (std::uint64_t seed = 1; seed <= effort(40U, 400U); ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const MeshPtr shapes[] = {lShape(2, 1), icosphere(1, 1), sixSidedBox(3, 0.3, 2), cylinder(0.4, 4, 10)};
    SlideScene scene;
    scene.turns = seed % 2 == 0;
    scene.tolerance = 0.08;
    const auto addShape = [&](const Vec3& at, bool isDragged) {
      const std::uint32_t shape = random.below(4);
      const Transform place = Transform::rigid(randomRotation(random), at);
      if (isDragged)
        scene.addDragged(shapes[shape], place);
      else
        scene.addOther(shapes[shape], place);
    };
    addShape({}, true);
    for (int k = 0; k < 3; ++k) {
      const Vec3 away = normalized(random.inCube(1));
      addShape((4.2 + random.unit()) * away, false);
    }
    scene.build();
    if (scene.deepest({}) > 0) continue;
    SlideGuard guard = scene.slide();
    for (int k = 0; k < 6; ++k) {
      const Vec3 axis = random.inCube(1);
      const double angle = random.between(-0.6, 0.6);
      const RigidMotion hand{axisAngle(axis, angle), random.inCube(4)};
      const SlideUpdate update = guard.update(hand);
      REQUIRE(update.status == ReportStatus::complete);
      REQUIRE_FALSE(scene.isDeeper(update.pose, scene.tolerance));
      if (update.isThere) continue;
      ++held;
      turned += scene.turns ? 1 : 0;
      // Slides measure the overlap of two crossing edges between these, where the points of one are up to
      // two times nearer to the other part. By depth, which the search goes by, they could go on by 0.3 t.
      scene.checkNearest(update.pose, hand, seed, 1);
    }
  }
  CHECK(held >= 20);
  CHECK(turned >= 10);
}

TEST_CASE("the reference of slides finds what is nearer", "[motion][slide]") {
  // What is left of the way along a wall, and the turn that lies down on a slope: it finds both.
  const SlideScene scene = corner(false);
  const WeightedPoints points = scene.points();
  const RigidMotion hand = shiftBy(30, 3, 0);
  LocalSearch search;
  search.turns = false;
  search.reach = 0.5;
  search.isFeasible = [&](const RigidMotion& at) { return !scene.isDeeper(at, 0.05); };
  for (const double behind : {0.05, 0.2, 0.4}) {
    const RigidMotion from = shiftBy(8.03, 3 - behind, 0);
    CHECK(search.nearest(points, from, hand, 1) < points.distance(from, hand) - 0.2 * behind * behind / 22);
    CHECK(search.nearest(points, shiftBy(8.03 - behind, 3, 0), hand, 1) <
          points.distance(shiftBy(8.03 - behind, 3, 0), hand) - 0.9 * behind);
  }
}

TEST_CASE("slides refuse what drags refuse", "[motion][slide]") {
  const SlideScene scene = corner(false);
  SlideGuard guard = scene.slide();
  RigidMotion bad;
  bad.rotation.w = 3;
  CHECK_THROWS_AS(guard.update(bad), PlacementError);
  CHECK(guard.pose() == RigidMotion{});
  CHECK_THROWS_AS(SlideGuard(scene.built, {}, {}, {}, {}), InputError);
}

}  // namespace slide_tests
