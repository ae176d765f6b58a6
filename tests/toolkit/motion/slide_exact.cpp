#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fitup/motion/slide.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/revolved_part.h"
#include "toolkit/motion/slide_reference.h"
#include "toolkit/motion/unsteady_rounds.h"

/// Slides along exact faces, whose play is far below the chord error. What overlaps is found on dense points
/// of the closed forms.
namespace slide_exact_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A surface of revolution about z: the radius as a function of the height, between two heights.
struct Wall {
  double low, high, radiusAtLow, radiusAtHigh;

  [[nodiscard]] double radius(double z) const {
    return radiusAtLow + (radiusAtHigh - radiusAtLow) * (z - low) / (high - low);
  }
  /// How far a point is outside of the cone or cylinder; less than -1000 if it is beside it.
  [[nodiscard]] double beyond(const Vec3& p) const {
    if (p.z < low || p.z > high) return -1e9;
    const double slope = (radiusAtHigh - radiusAtLow) / (high - low);
    return (std::hypot(p.x, p.y) - radius(p.z)) / std::hypot(1, slope);
  }
  /// The largest of a function over dense points.
  template <typename Function>
  [[nodiscard]] double largest(const Function& of) const {
    double most = -1e9;
    constexpr int around = 360, along = 8;
    for (int i = 0; i < around; ++i)
      for (int k = 0; k <= along; ++k) {
        const double z = low + (high - low) * k / along, angle = 2 * std::numbers::pi * i / around;
        most = std::max(most, of(Vec3{radius(z) * std::cos(angle), radius(z) * std::sin(angle), z}));
      }
    return most;
  }
};

/// A plug in the bore of a block that rests.
struct Plug {
  RevolvedScene parts;
  NodeId plug{};
  Scene scene;
  WeightedPoints points;
  Wall outside, bore;
  double tolerance;

  Plug(const RevolvedPart& part, const Wall& ofPlug, const RevolvedPart& block, const Wall& ofBlock,
       double chordError, double t)
      : points(std::make_shared<const TriangleMesh>(part.mesh(chordError)), {}),
        outside(ofPlug),
        bore(ofBlock),
        tolerance(t) {
    plug = parts.add("plug", part, chordError, {}, 0.03);
    parts.add("block", block, chordError);
    scene = parts.scene();
  }
  [[nodiscard]] SlideGuard slide() const {
    SlideOptions options;
    options.drag.tolerance = tolerance;
    return {scene, {}, std::span(&plug, 1), {}, options};
  }
  /// How deep the exact parts overlap at a pose; below 0 if they do not.
  [[nodiscard]] double overlap(const RigidMotion& pose) const {
    const Transform there = pose.transform(), back = there.inverse();
    return std::max(outside.largest([&](const Vec3& p) { return bore.beyond(there.apply(p)); }),
                    bore.largest([&](const Vec3& p) {
                      const Vec3 q = back.apply(p);
                      return q.z < outside.low || q.z > outside.high ? -1e9 : -outside.beyond(q);
                    }));
  }
  void checkNearest(const RigidMotion& pose, const RigidMotion& hand, std::uint64_t seed) const {
    const double allowed = std::max(overlap(pose), 0.3 * tolerance) + 0.01 * tolerance;
    LocalSearch search;
    search.reach = 0.05;
    search.isFeasible = [&](const RigidMotion& at) { return overlap(at) <= allowed; };
    const double now = points.distance(pose, hand), reached = search.nearest(points, pose, hand, seed);
    INFO("distance " << now << ", by trial " << reached);
    CHECK(reached >= now - 0.02 * search.reach);
  }
};

/// A shaft that is 40 long in a bore of 20 with this play.
Plug shaftInBore(double play, double chordError, double tolerance) {
  return {shaft(5 - play, -10, 30),
          {-10, 30, 5 - play, 5 - play},
          bushing(5, 10, 0, 20),
          {0, 20, 5, 5},
          chordError,
          tolerance};
}

}  // namespace

TEST_CASE("a peg with a play of five micrometres follows a hand that is three degrees off",
          "[motion][slide][exact]") {
  const Plug peg = shaftInBore(0.005, 0.05, 0.004);
  REQUIRE(peg.overlap({}) == Approx(-0.005));
  SlideGuard guard = peg.slide();
  const Quaternion off = axisAngle({1, 0.3, 0}, 3 * std::numbers::pi / 180);
  const auto follow = [&](const RigidMotion& hand) {
    const SlideUpdate update = guard.update(hand);
    INFO("hand " << hand.translation.z << ", part " << update.pose.translation.z);
    REQUIRE(update.status == ReportStatus::complete);
    // The play is used up, and the tolerance kept. The triangles overlap by ten times as much.
    CHECK(peg.overlap(update.pose) <= peg.tolerance);
    CHECK(std::abs(update.pose.translation.z - hand.translation.z) <=
          0.02 * std::abs(hand.translation.z) + 0.02);
    // It may turn about its axis, but not tilt.
    const Vec3 axis = Transform::rotation(update.pose.rotation).applyToVector({0, 0, 1});
    CHECK(std::hypot(axis.x, axis.y) < 0.005);
    return update;
  };
  for (int i = 1; i <= 10; ++i) {
    const RigidMotion hand{off, {0.2, 0.1, 1.0 * i}};
    const SlideUpdate update = follow(hand);
    CHECK(peg.overlap(update.pose) > 0);
    CHECK(update.holding.size() >= 2);
    for (const SlideHold& hold : update.holding) CHECK(hold.isExact);
    if (i % 3 == 1) peg.checkNearest(update.pose, hand, static_cast<std::uint64_t>(i));
  }
  for (int i = 9; i >= -6; --i) follow({off, {0.2, 0.1, 1.0 * i}});
  CHECK(guard.update({}).pose == RigidMotion{});
  // An unsteady hand.
  Random random(4);
  for (int i = 0; i < 40; ++i) {
    const Vec3 axis = random.inCube(1), aside = random.inCube(0.3);
    follow({axisAngle(axis, 0.05), Vec3{0, 0, random.between(-8, 8)} + aside});
  }
  CHECK(guard.update({}).pose == RigidMotion{});
}

TEST_CASE("a peg with a play of five micrometres is back at its start whenever its hand is",
          "[motion][slide][exact]") {
  const Plug peg = shaftInBore(0.005, 0.05, 0.004);
  SlideGuard guard = peg.slide();
  const int held = unsteadyRounds(guard, effort(100, 10000), 17, 7, 0.05, [&](const RigidMotion& pose) {
    REQUIRE(peg.overlap(pose) <= peg.tolerance);
  });
  CHECK(held >= effort(75, 9000));
}

TEST_CASE("a peg turns in its bore without jitter", "[motion][slide][exact]") {
  const Plug peg = shaftInBore(0.002, 0.05, 0.004);
  SlideGuard guard = peg.slide();
  double lowest = 1, highest = -1;
  for (int i = 1; i <= 40; ++i) {
    // Pulled to one side while it turns by more than a facet.
    const double angle = 0.03 * i;
    const SlideUpdate update = guard.update({axisAngle({0, 0, 1}, angle), {0.5, 0, 0.02 * i}});
    REQUIRE(update.status == ReportStatus::complete);
    const Vec3 centre = update.pose.transform().apply({0, 0, 10 - update.pose.translation.z});
    lowest = std::min(lowest, centre.x);
    highest = std::max(highest, centre.x);
    CHECK(std::abs(degreesBetween(update.pose.rotation, {}) - angle * 180 / std::numbers::pi) < 0.05);
    CHECK(peg.overlap(update.pose) <= peg.tolerance);
  }
  // At the play and 0.3 t, less than 0.15 t beyond.
  CHECK(lowest > 0.002);
  CHECK(highest < 0.002 + 0.45 * peg.tolerance);
}

TEST_CASE("a plug slides along a cone", "[motion][slide][exact]") {
  const double play = 0.001, sine = std::sin(std::atan(0.4));
  const RevolvedPart part{{0, 1}, {{{2.4 - play, 1}}, {{6.8 - play, 12}}, {{0, 12}}}},
      seat{{2, 0}, {{{12, 0}}, {{12, 10}}, {{6, 10}}, {{2, 0}}}};
  const Plug plug(part, {1, 12, 2.4 - play, 6.8 - play}, seat, {0, 10, 2, 6}, 0.03, 0.02);
  SlideGuard guard = plug.slide();
  for (int i = 1; i <= 8; ++i) {
    // Pulled up and harder to one side than the cone lets it.
    const RigidMotion hand{{}, {0.2 * i, 0, 0.25 * i}};
    const SlideUpdate update = guard.update(hand);
    CAPTURE(i);
    REQUIRE(update.status == ReportStatus::complete);
    CHECK(plug.overlap(update.pose) <= plug.tolerance);
    CHECK(update.pose.translation.z > 0.25 * i);
    // What is left of the hand's way is across the cone, to first order.
    const Vec3 left =
        hand.translation - update.pose.transform().apply(plug.points.centre()) + plug.points.centre();
    CHECK(std::abs(left.x * sine + left.z * std::cos(std::asin(sine))) < 0.3 * norm(left));
    if (i % 4 == 0) plug.checkNearest(update.pose, hand, static_cast<std::uint64_t>(i));
  }
  CHECK(guard.update({}).pose == RigidMotion{});
}

TEST_CASE("a ball rolls on a plate at one height", "[motion][slide][exact]") {
  RevolvedScene parts;
  const NodeId moved = parts.add("ball", ball(3), 0.05, Transform::translation({0, 0, 3.5}), 0.1);
  parts.add("plate", shaft(20, -2, 0), 0.05);
  const Scene scene = parts.scene();
  SlideOptions options;
  options.drag.tolerance = 0.02;
  SlideGuard guard(scene, {}, std::span(&moved, 1), {}, options);
  for (int i = 1; i <= 30; ++i) {
    const Quaternion turn = axisAngle({0.2, 1, 0.1}, 0.07 * i);
    // About the centre of the ball.
    const Vec3 centre{0, 0, 3.5}, shift{0.2 * i, 0.1, -2};
    const SlideUpdate update = guard.update(motionAbout(centre, turn, shift));
    REQUIRE(update.status == ReportStatus::complete);
    const Vec3 at = update.pose.transform().apply(centre);
    CAPTURE(i, at.x, at.y, at.z);
    CHECK(std::abs(at.z - (3 - 0.3 * 0.02)) < 0.15 * 0.02);
    CHECK(std::abs(at.x - 0.2 * i) < 0.02 * 0.2 * i);
    CHECK(std::abs(at.y - 0.1) < 0.01);
    CHECK(degreesBetween(update.pose.rotation, turn) < 1);
  }
}

}  // namespace slide_exact_tests
