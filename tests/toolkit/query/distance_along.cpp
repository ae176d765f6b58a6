#include <fitup/query/distance_along.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <fitup/base/error.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace distance_along_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A body that goes by `shift` and turns by `turn` about `centre` while s goes from 0 to 1.
UniformWay wayOf(const Transform& start, const Vec3& centre, const Vec3& shift, const Vec3& turn) {
  return {[=](double s) {
            const double angle = s * norm(turn);
            const Vec3 axis = angle > 0 ? normalized(turn) : Vec3{0, 0, 1};
            return Transform::translation(centre + s * shift) * Transform::rotation(axisAngle(axis, angle)) *
                   Transform::translation(-1.0 * centre) * start;
          },
          centre, shift, turn};
}

PosedModel posedAt(const ModelPtr& model, const UniformWay& way, double s) {
  return {model, way.worldFromPart(s)};
}

double distanceAt(const ModelPtr& a, const UniformWay& wayOfA, const ModelPtr& b, const UniformWay& wayOfB,
                  double s) {
  return distance(posedAt(a, wayOfA, s), posedAt(b, wayOfB, s)).distance();
}

}  // namespace

TEST_CASE("distances along a way hold at every sample, and end where the clearance is reached",
          "[distance_along]") {
  Random random(71);
  const std::vector<ModelPtr> models{modelOf(box(3, 1, 0.5)),      modelOf(sixSidedBox(2, 2, 2, 3)),
                                     modelOf(icosphere(1, 2)),     modelOf(lShape(3, 1)),
                                     modelOf(soup(60, 5, 0.7, 3)), modelOf(cylinder(0.7, 3, 24))};
  std::size_t ended = 0, whole = 0;
  const int runs = effort(300, 3000);
  for (int run = 0; run < runs; ++run) {
    CAPTURE(run);
    const ModelPtr &a = models[random.below(6)], &b = models[random.below(6)];
    const PlacementClass kind = allPlacementClasses[random.below(allPlacementClasses.size())];
    const UniformWay wayOfA = wayOf(randomPlacement(kind, random, 3), random.inCube(3), random.inCube(4),
                                    random.inCube(run % 3 == 0 ? 0 : 1.5));
    const UniformWay wayOfB = run % 2 == 0 ? UniformWay::at(randomPlacement(PlacementClass::rigid, random, 4))
                                           : wayOf(randomPlacement(PlacementClass::rigid, random, 4),
                                                   random.inCube(3), random.inCube(2), random.inCube(0.5));
    DistanceAlongRequest request;
    request.from = random.between(0, 0.5);
    request.to = random.between(request.from, 1);
    request.clearance = run % 5 == 0 ? random.between(0, 0.5) : 0;
    request.reserve = random.between(1e-4, 0.1);
    request.maxPieces = 10'000'000;
    const DistanceAlongReport found = distanceAlong(*a, wayOfA, *b, wayOfB, request);
    REQUIRE(found.isComplete);
    REQUIRE(found.atLeast >= request.clearance);
    REQUIRE(found.until >= request.from);
    REQUIRE(found.until <= request.to);
    REQUIRE(found.reached.has_value() == (found.until < request.to));
    if (found.until > request.from)
      for (int k = 0; k <= 40; ++k) {
        const double s = request.from + (found.until - request.from) * k / 40;
        REQUIRE(distanceAt(a, wayOfA, b, wayOfB, s) >= found.atLeast - 1e-12);
      }
    // The search ends only near the clearance.
    if (found.reached) {
      REQUIRE(distanceAt(a, wayOfA, b, wayOfB, found.until) <= request.clearance + request.reserve + 1e-12);
      ++ended;
    } else {
      ++whole;
    }
    // Exchanging the bodies changes the end by no more than the reserve explains: neither passes the limit.
    const DistanceAlongReport other = distanceAlong(*b, wayOfB, *a, wayOfA, request);
    REQUIRE(other.isComplete);
    if (other.reached)
      REQUIRE(distanceAt(a, wayOfA, b, wayOfB, other.until) <= request.clearance + request.reserve + 1e-12);
  }
  CHECK(ended > 30);
  CHECK(whole > 50);
}

TEST_CASE("bodies that slide along each other at a small distance take few pieces", "[distance_along]") {
  // Plates 0.001 apart, one of which goes 1,000 times as far.
  const ModelPtr plate = modelOf(sixSidedBox(4, 4, 1, 4));
  const auto slide = [&](double clearance, const Vec3& shift, const Vec3& turn) {
    DistanceAlongRequest request;
    request.clearance = clearance;
    request.reserve = 1e-5;
    return distanceAlong(*plate, wayOf(Transform::translation({0, 0, 1.001}), {0, 0, 1.5}, shift, turn),
                         *plate, UniformWay::at({}), request);
  };
  const DistanceAlongReport straight = slide(0, {1, 0.3, 0}, {});
  CHECK(straight.until == 1);
  CHECK(straight.atLeast > 0.0005);
  CHECK(straight.atLeast <= 0.001);
  CHECK(straight.pieces < 2000);
  // It is also followed while it turns in the plane.
  const DistanceAlongReport turned = slide(0, {1, 0, 0}, {0, 0, 1});
  CHECK(turned.until == 1);
  // Nearer to the clearance than the reserve, nothing is certain.
  const DistanceAlongReport near = slide(0.000995, {1, 0.3, 0}, {});
  CHECK(near.until == 0);
  CHECK(near.reached);
  // A plate that comes down at 0.002 for each unit reaches a clearance of 0.0002 after 0.4.
  const DistanceAlongReport down = slide(0.0002, {1, 0.3, -0.002}, {});
  CHECK(down.until == Approx(0.4).margin(0.01));
}

TEST_CASE("a way on which nothing is known begins and ends at once", "[distance_along]") {
  const ModelPtr ball = modelOf(icosphere(1, 3));
  const UniformWay way = wayOf(shift(2.01, 0, 0), {}, {0, 0, 0}, {0, 0, 6});
  DistanceAlongRequest request;
  request.reserve = 1e-6;
  request.maxPieces = 1;
  const DistanceAlongReport limited = distanceAlong(*ball, way, *ball, UniformWay::at({}), request);
  CHECK_FALSE(limited.isComplete);
  CHECK(limited.until == 0);
  CHECK_FALSE(limited.reached);
  std::stop_source stop;
  stop.request_stop();
  request.maxPieces = 1000;
  request.limits.cancel = stop.get_token();
  CHECK_FALSE(distanceAlong(*ball, way, *ball, UniformWay::at({}), request).isComplete);
  request.reserve = 0;
  CHECK_THROWS_AS(distanceAlong(*ball, way, *ball, UniformWay::at({}), request), InputError);
  // Bodies that intersect at the start.
  request = {};
  request.reserve = 0.01;
  const DistanceAlongReport at =
      distanceAlong(*ball, UniformWay::at({}), *ball, UniformWay::at(shift(1, 0, 0)), request);
  CHECK(at.until == 0);
  CHECK(at.reached);
}

}  // namespace distance_along_tests
