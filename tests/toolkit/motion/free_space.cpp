#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/motion/free_space.h>
#include <fitup/query/distance.h>
#include <models/ways_out.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace free_space_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// The least distance of an instance from all others, at a motion from where it is.
double distanceAt(const Scene& scene, NodeId moved, const RigidMotion& pose) {
  PosedModel there = scene.posed(moved);
  there.worldFromPart = pose.transform() * there.worldFromPart;
  double least = std::numeric_limits<double>::infinity();
  for (const NodeId node : scene.instances())
    if (node != moved) least = std::min(least, distance(there, scene.posed(node)).distance());
  return least;
}

/// The same on a straight way, at many places.
double distanceOn(const Scene& scene, NodeId moved, const FreeSpace& space, const RigidMotion& from,
                  const RigidMotion& to) {
  double least = std::numeric_limits<double>::infinity();
  constexpr int samples = 100;
  for (int k = 0; k <= samples; ++k)
    least = std::min(
        least,
        distanceAt(scene, moved, interpolate(from, to, space.centre(), static_cast<double>(k) / samples)));
  return least;
}

class Motions {
 public:
  explicit Motions(unsigned seed) : random_(seed) {}
  RigidMotion near(const RigidMotion& pose, const FreeSpace& space, double reach) {
    const Vec3 axis{uniform_(random_), uniform_(random_), uniform_(random_)};
    const Vec3 shift{uniform_(random_), uniform_(random_), uniform_(random_)};
    RigidMotion next = motionAbout(pose.transform().apply(space.centre()),
                                   axisAngle(normalized(axis), uniform_(random_)), reach * shift) *
                       pose;
    next.rotation = normalized(next.rotation);
    return next;
  }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace

TEST_CASE("ways in free space are free up to where they end, by distances at many places",
          "[motion][free_space]") {
  const models::WayOutScene model = models::makeAlpha(1.5);
  const Scene scene(model.assembly);
  const NodeId moved = model.assembly.at("alpha/moved");
  for (const double clearance : {0.0, 0.3}) {
    FreeSpaceOptions options;
    options.clearance = clearance;
    FreeSpace space(scene, {}, std::vector{moved}, options);
    REQUIRE(space.admit({}));
    Motions motions(7);
    std::vector<RigidMotion> poses{RigidMotion{}};
    std::size_t stopped = 0;
    for (std::size_t k = 0; k < effort<std::size_t>(60, 2000); ++k) {
      const RigidMotion from = poses[(k * 31) % poses.size()];
      const RigidMotion to = motions.near(from, space, 40);
      const FreeStep step = space.go(from, to);
      CHECK(distanceOn(scene, moved, space, from, step.pose) > clearance);
      CHECK(step.stop.has_value() == (step.share < 1));
      CHECK(space.isFree(from, to) == (step.share >= 1));
      if (step.share < 1) {
        ++stopped;
        CHECK(step.stop->moved == moved);
        // It was stopped by something that is near: a little farther on it comes nearer than the room.
        const double beyond = std::min(1.0, step.share + 0.1);
        CHECK(distanceOn(scene, moved, space, from, interpolate(from, to, space.centre(), beyond)) <
              clearance + 2 * space.room() + 0.1 * space.distance(from, to) * 3);
      }
      if (step.share > 0.05) poses.push_back(step.pose);
    }
    CHECK(stopped > 20);
    CHECK(poses.size() > 20);
  }
}

TEST_CASE("slides are free, and come nearer to where they go", "[motion][free_space]") {
  const models::WayOutScene model = models::makeFlange();
  const Scene scene(model.assembly);
  const NodeId moved = model.assembly.at("flange/moved");
  FreeSpace space(scene, {}, std::vector{moved});
  REQUIRE(space.admit({}));
  Motions motions(3);
  std::vector<RigidMotion> poses{RigidMotion{}};
  std::size_t slid = 0;
  for (std::size_t k = 0; k < effort<std::size_t>(25, 500); ++k) {
    const RigidMotion from = poses[(k * 17) % poses.size()];
    const RigidMotion to = motions.near(from, space, 60);
    const double length = space.size() / 40;
    const std::vector<RigidMotion> way = space.slide(from, to, length, 10);
    CHECK(way.size() <= 10);
    RigidMotion at = from;
    for (const RigidMotion& pose : way) {
      CHECK(distanceOn(scene, moved, space, at, pose) > 0);
      at = pose;
    }
    if (way.empty()) continue;
    ++slid;
    CHECK(space.distance(at, to) < space.distance(from, to));
    poses.push_back(at);
  }
  CHECK(slid > 10);
}

namespace {

/// A box of 10 mm that stands on a floor.
struct OnFloor {
  Assembly assembly{"contact"};
  NodeId moved = assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  OnFloor() { assembly.addNode("floor", shift(0, 0, -6), {}, assembly.addPart(sixSidedBox(60, 60, 2))); }
};

}  // namespace

TEST_CASE("parts in contact at the start keep their limit in free space", "[motion][free_space]") {
  const auto [assembly, moved] = OnFloor();
  const Scene scene(assembly);
  FreeSpaceOptions options;
  options.tolerance = 0.01;
  FreeSpace space(scene, {}, std::vector{moved}, options);
  REQUIRE(space.admit({}));
  CHECK(space.go({}, {{}, {20, 0, 0}}).share == 1);
  CHECK(space.go({}, {{}, {0, 0, 20}}).share == 1);
  const FreeStep down = space.go({}, {{}, {10, 0, -1}});
  CHECK(down.share < 0.03);
  REQUIRE(down.stop);
  CHECK(down.stop->moved == moved);
  // Pushed down and aside, it slides.
  const std::vector<RigidMotion> slid = space.slide({}, {{}, {10, 0, -1}}, 1, 8);
  REQUIRE_FALSE(slid.empty());
  CHECK(slid.back().translation.x > 5);
  CHECK(std::abs(slid.back().translation.z) <= 0.011);
  CHECK_FALSE(space.admit({{}, {0, 0, -1}}));
  CHECK(space.admit({{}, {5, 5, 0}}));
}

TEST_CASE("a way past a part that is very near ends", "[motion][free_space]") {
  for (const double gap : {1e-2, 1e-5, 1e-7}) {
    Assembly assembly("near");
    const NodeId moved =
        assembly.addNode("box", shift(0, 0, gap), {}, assembly.addPart(sixSidedBox(10, 10, 10)));
    assembly.addNode("floor", shift(0, 0, -6), {}, assembly.addPart(sixSidedBox(600, 60, 2)));
    const Scene scene(assembly);
    FreeSpaceOptions options;
    options.tolerance = 1e-12;
    FreeSpace space(scene, {}, std::vector{moved}, options);
    CAPTURE(gap);
    if (!space.admit({})) continue;  // it is as near as a certificate can tell
    const FreeStep step = space.go({}, {{}, {250, 0, 0}});
    CHECK(space.work() < 10'000);
    CHECK(distanceOn(scene, moved, space, {}, step.pose) > 0);
    if (gap > 1e-3) CHECK(step.share > 0.01);
  }
}

namespace {

/// A box of 10 mm between two walls whose inner sides are at x = -20 and x = 20, at x = 12.
struct BetweenWalls {
  Assembly assembly{"walls"};
  NodeId moved = assembly.addNode("box", shift(12, 0, 0), {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  BetweenWalls() {
    const PartId wall = assembly.addPart(sixSidedBox(2, 60, 60));
    assembly.addNode("left", shift(-21, 0, 0), {}, wall);
    assembly.addNode("right", shift(21, 0, 0), {}, wall);
  }
};

}  // namespace

TEST_CASE("the room at a pose is the least distance beyond the clearance", "[motion][free_space]") {
  const BetweenWalls walls;
  const Scene scene(walls.assembly);
  for (const double clearance : {0.0, 1.0}) {
    FreeSpaceOptions options;
    options.clearance = clearance;
    FreeSpace space(scene, {}, std::vector{walls.moved}, options);
    CHECK(space.roomAt({}, 100) == Approx(3 - clearance).margin(0.01));
    CHECK(space.roomAt({{}, {-12, 0, 0}}, 100) == Approx(15 - clearance).margin(0.01));
    CHECK(space.roomAt({}, 1) == 1);
    CHECK(space.roomAt({{}, {3.5, 0, 0}}, 100) == Approx(-clearance).margin(0.01));  // it intersects
    CHECK(space.tolerance() == 0);
  }
}

TEST_CASE("a withdrawn pose has more room, up to the middle between what is near", "[motion][free_space]") {
  const BetweenWalls walls;
  const Scene scene(walls.assembly);
  FreeSpace space(scene, {}, std::vector{walls.moved});
  const RigidMotion little = space.withdrawn({}, 5);
  CHECK(space.roomAt(little, 100) >= 4.9);
  CHECK(norm(little.translation) <= 5);
  const RigidMotion far = space.withdrawn({}, 14);
  CHECK(space.roomAt(far, 100) > 13);
  CHECK(far.translation.x < -9);
  // In the middle there is nothing to win.
  const RigidMotion middle{{}, {-12, 0, 0}};
  CHECK(space.distance(space.withdrawn(middle, 30), middle) < 0.5);
}

TEST_CASE("poses with less than the room leave the rooms of a search as they are", "[motion][free_space]") {
  const BetweenWalls walls;
  const Scene scene(walls.assembly);
  FreeSpaceOptions options;
  options.room = 0.5;
  FreeSpace space(scene, {}, std::vector{walls.moved}, options);
  REQUIRE(space.admit({}));
  const RigidMotion near{{}, {2.999, 0, 0}};  // 0.001 mm are left
  CHECK(space.hasRoom({{}, {2.4, 0, 0}}));
  CHECK_FALSE(space.hasRoom(near));
  CHECK_FALSE(space.hasRoom({{}, {4, 0, 0}}));
  // Ways still end where half a millimetre is left; once a nearer pose is admitted, they need not.
  const double share = space.go({}, {{}, {3, 0, 0}}).share;
  CHECK(3 - 3 * share >= 0.5);
  for (const double left : {1e-3, 1e-2, 0.1, 0.4}) {
    const auto pose = space.retracted({{}, {3 - left, 0, 0}}, 2);
    REQUIRE(pose);
    CHECK(distanceAt(scene, walls.moved, *pose) >= 0.5);
  }
  CHECK(space.go({}, {{}, {3, 0, 0}}).share == share);
  REQUIRE(space.admit(near));
  CHECK(3 - 3 * space.go({}, {{}, {3, 0, 0}}).share < 0.01);
}

TEST_CASE("a pose that is too near is retracted, one that intersects is not", "[motion][free_space]") {
  const BetweenWalls walls;
  const Scene scene(walls.assembly);
  FreeSpaceOptions options;
  options.clearance = 0.5;
  FreeSpace space(scene, {}, std::vector{walls.moved}, options);
  REQUIRE(space.admit({}));
  CHECK(space.retracted({}, 1) == RigidMotion{});
  const RigidMotion near{axisAngle({0, 0, 1}, 0.01),
                         {2.7, 0, 0}};  // 0.3 mm are left, less what the turn takes
  REQUIRE_FALSE(space.admit(near));
  const auto pose = space.retracted(near, 1);
  REQUIRE(pose);
  CHECK(distanceAt(scene, walls.moved, *pose) > 0.5);
  CHECK(norm(pose->translation - near.translation) < 1);
  CHECK_FALSE(space.retracted(near, 0.01));
  CHECK_FALSE(space.retracted({{}, {5, 0, 0}}, 1));
}

TEST_CASE("parts in contact at the start are retracted out of what is too deep", "[motion][free_space]") {
  const auto [assembly, moved] = OnFloor();
  const Scene scene(assembly);
  FreeSpaceOptions options;
  options.tolerance = 0.01;
  FreeSpace space(scene, {}, std::vector{moved}, options);
  CHECK(space.tolerance() == Approx(0.01));
  const RigidMotion deep{{}, {8, 0, -0.03}};
  REQUIRE_FALSE(space.admit(deep));
  const auto pose = space.retracted(deep, 0.5);
  REQUIRE(pose);
  CHECK(pose->translation.z >= -0.0101);
  CHECK(pose->translation.x == Approx(8).margin(0.05));
}

TEST_CASE("what free space refuses", "[motion][free_space]") {
  Assembly assembly("one");
  const NodeId moved = assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  const Scene scene(assembly);
  CHECK_THROWS_AS(FreeSpace(scene, {}, {}), InputError);
  FreeSpaceOptions options;
  options.clearance = -1;
  CHECK_THROWS_AS(FreeSpace(scene, {}, std::vector{moved}, options), InputError);
  FreeSpace alone(scene, {}, std::vector{moved});
  CHECK(alone.rest().empty());
  CHECK(alone.go({}, {{}, {1e3, 0, 0}}).share == 1);
}

}  // namespace free_space_tests
