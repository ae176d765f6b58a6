#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fitup/planning/detail/passage_poses.h>
#include <fitup/planning/pose_search.h>
#include <fitup/planning/removal.h>
#include <models/ways_out.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace way_profile_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A box of 10 mm on a floor that ends at x = 20, which passes a post 2 mm beside it at x = 12.
struct PastPost {
  Assembly assembly{"past"};
  NodeId moved = assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  NodeId floor = assembly.addNode("floor", shift(0, 0, -6), {}, assembly.addPart(sixSidedBox(40, 40, 2)));
  NodeId post = assembly.addNode("post", shift(12, 8, 0), {}, assembly.addPart(sixSidedBox(2, 2, 8)));
};

}  // namespace

TEST_CASE("a way tells how near it comes and on what it slides", "[planning][way_profile]") {
  const PastPost model;
  const Scene scene(model.assembly);
  RemovalOptions options;
  options.tolerance = 0.01;
  options.goal = RigidMotion{{}, {30, 0, 0}};
  const RemovalReport report = findRemoval(scene, {}, std::vector{model.moved}, options);
  REQUIRE(report.answer == RemovalAnswer::certain);
  REQUIRE(report.profile);
  const WayProfile& profile = *report.profile;
  CHECK(profile.status == ReportStatus::complete);
  REQUIRE(profile.clearances.size() == 9);
  for (const WayClearance& c : profile.clearances) {
    const double x = 30 * c.time;
    // The floor touches at the start, so that it does not count.
    CHECK(c.pair.a == model.moved);
    CHECK(c.pair.b == model.post);
    const double apart = std::max({11 - (x + 5), x - 5 - 13, 0.0});
    CHECK(c.pair.nearest.distance == Approx(std::hypot(apart, 2)));
  }
  REQUIRE(profile.atLeast);
  CHECK(*profile.atLeast <= 2);
  CHECK(*profile.atLeast > 1.97);
  // Its lower face slides on the upper one of the floor, up to its end at x = 25.
  REQUIRE(profile.slides.size() == 1);
  const WaySlide& slide = profile.slides.front();
  CHECK(slide.moved == model.moved);
  CHECK(slide.rest == model.floor);
  const auto normalOf = [&](NodeId node, SurfaceId surface) {
    const Surface& s = model.assembly.meshOf(node).surfaces()[index(surface)];
    const Triangle t = model.assembly.meshOf(node).triangle(TriangleId{s.firstTriangle});
    return normalized(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
  };
  CHECK(normalOf(slide.moved, slide.surfaces.a).z == Approx(-1));
  CHECK(normalOf(slide.rest, slide.surfaces.b).z == Approx(1));
  CHECK(slide.from == 0);
  CHECK(slide.to == Approx(0.75));  // of eight times in a step the last before 25 / 30
}

TEST_CASE("parts that move as one do not count, however they were placed", "[planning][way_profile]") {
  // Two boxes on top of each other, both placed anew, so that the track has a path for each.
  Assembly assembly("pair");
  const PartId box = assembly.addPart(sixSidedBox(10, 10, 10));
  const std::vector moved{assembly.addNode("lower", {}, {}, box),
                          assembly.addNode("upper", shift(0, 0, 10), {}, box)};
  assembly.addNode("post", shift(12, 8, 0), {}, assembly.addPart(sixSidedBox(2, 2, 8)));
  RemovalOptions options;
  options.tolerance = 0.01;
  options.goal = RigidMotion{{}, {30, 0, 0}};
  const Poses poses{{moved[0], shift(0, 0, 1)}, {moved[1], shift(0, 0, 11)}};
  const RemovalReport report = findRemoval(Scene(assembly), poses, moved, options);
  REQUIRE(report.answer == RemovalAnswer::certain);
  REQUIRE(report.way->certificate.track.moved.size() == 2);
  REQUIRE(report.profile);
  REQUIRE(report.profile->atLeast);
  CHECK(*report.profile->atLeast > 1.9);
  CHECK(*report.profile->atLeast <= 2);
}

TEST_CASE("names that are patterns leave the least distance of a way open", "[planning][way_profile]") {
  Assembly assembly("names");
  const NodeId moved = assembly.addNode("bo*", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  assembly.addNode("floor", shift(0, 0, -6), {}, assembly.addPart(sixSidedBox(40, 40, 2)));
  assembly.addNode("post", shift(12, 8, 0), {}, assembly.addPart(sixSidedBox(2, 2, 8)));
  RemovalOptions options;
  options.tolerance = 0.01;
  const RemovalReport report = findRemoval(Scene(assembly), {}, std::vector{moved}, options);
  REQUIRE(report.profile);
  CHECK_FALSE(report.profile->atLeast);
  CHECK_FALSE(report.profile->clearances.empty());
}

TEST_CASE("a way is widened to the middle of a slot, between the same ends", "[planning][way_profile]") {
  // A box of 10 mm above the middle of a slot that is 14 mm wide, which it passes 0.2 mm beside a wall.
  Assembly assembly("slot");
  const NodeId moved = assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  const PartId wall = assembly.addPart(sixSidedBox(2, 60, 60));
  assembly.addNode("left", shift(-8, 0, -50), {}, wall);
  assembly.addNode("right", shift(8, 0, -50), {}, wall);
  const Scene scene(assembly);
  FreeSpace space(scene, {}, std::vector{moved});
  REQUIRE(space.admit({}));
  const std::vector<RigidMotion> way{{}, {{}, {1.8, 0, -20}}, {{}, {1.8, 0, -80}}, {{}, {0, 0, -120}}};
  for (std::size_t k = 1; k < way.size(); ++k) REQUIRE(space.isFree(way[k - 1], way[k]));
  const auto leastOf = [&](const std::vector<RigidMotion>& poses) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 1; k < poses.size(); ++k)
      for (int i = 0; i <= 20; ++i)
        least =
            std::min(least, space.roomAt(interpolate(poses[k - 1], poses[k], space.centre(), i / 20.0), 10));
    return least;
  };
  CHECK(leastOf(way) == Approx(0.2).margin(0.02));
  const std::vector<RigidMotion> wide = widenedWay(space, way, [] { return false; });
  CHECK(wide.front() == way.front());
  CHECK(wide.back() == way.back());
  // Enough is a fortieth of the size of the box.
  CHECK(leastOf(wide) > 0.9 * space.size() / 40);
  for (std::size_t k = 1; k < wide.size(); ++k) CHECK(space.go(wide[k - 1], wide[k]).share == 1);
  // Cancelled at once, it is the same way.
  for (const RigidMotion& pose : widenedWay(space, way, [] { return true; }))
    CHECK(std::ranges::find(way, pose) != way.end());
}

TEST_CASE("poses on straight ways are left out", "[planning][way_profile]") {
  Assembly assembly("one");
  const NodeId moved = assembly.addNode("box", {}, {}, assembly.addPart(sixSidedBox(10, 10, 10)));
  const Scene scene(assembly);
  FreeSpace space(scene, {}, std::vector{moved});
  std::vector<RigidMotion> way;
  for (int k = 0; k <= 10; ++k) way.push_back({{}, {static_cast<double>(k), 0, 0}});
  for (int k = 1; k <= 10; ++k) way.push_back({{}, {10, static_cast<double>(k), 0}});
  const std::vector<RigidMotion> less = withoutNeedless(space, way);
  REQUIRE(less.size() == 3);
  CHECK(less[1] == way[10]);
  CHECK(less[2] == way.back());
}

TEST_CASE("poses in openings put axes of the part on those of bores that fit", "[planning][way_profile]") {
  const models::WayOutScene model = models::makeBugTrap();
  const Scene scene(model.assembly);
  const std::vector moved{model.assembly.at("bug-trap/moved")};
  const auto axes = detail::wayCandidates(scene, {}, moved, {}).axes;
  const std::vector<RigidMotion> poses = detail::passagePoses(scene, {}, moved, axes);
  // The rod lies along y, at (36, 0, 60); the pipe is along z, from 40 to 70. One pose has the rod in its
  // middle.
  const bool isInPipe = std::ranges::any_of(poses, [](const RigidMotion& pose) {
    const Vec3 middle = pose.transform().apply({36, 0, 60}), axis = pose.transform().applyToVector({0, 1, 0});
    return norm(middle - Vec3{0, 0, 55}) < 1e-3 && std::abs(axis.z) > 1 - 1e-9;
  });
  CHECK(isInPipe);
  FreeSpace space(scene, {}, moved);
  CHECK(std::ranges::any_of(poses, [&](const RigidMotion& pose) { return space.admit(pose); }));
  // The outside of a pipe is no opening: the peg's block has one, its hole.
  const models::WayOutScene peg = models::makePeg();
  const std::vector block{peg.assembly.at("peg/block")};
  CHECK(detail::passagePoses(Scene(peg.assembly), {}, block, {}).empty());
}

}  // namespace way_profile_tests
