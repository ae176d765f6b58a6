#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/query/intersection_marks.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace intersection_marks_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

double areaOf(const IntersectionRegion& region) {
  double area = 0;
  for (const Triangle& t : region.pieces) area += 0.5 * norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
  return area;
}

}  // namespace

TEST_CASE("the region of a sphere inside another one is a cap", "[query]") {
  // A cap of height h has the area 2 pi r h, and the border lies in the plane between both.
  Random random(8);
  const MeshPtr ball = icosphere(1, 4);
  const BodyPtr solid = SolidModel::build(modelOf(ball));
  for (const PlacementClass kind : {PlacementClass::rigid, PlacementClass::mirrored})
    for (const double distance : {0.3, 1.0, 1.8}) {
      const Transform world = randomPlacement(kind, random, 100);
      const PosedModel part{modelOf(ball), world};
      const PosedSolid around{solid, world * Transform::translation({distance, 0, 0})};
      const IntersectionRegion region = regionInside(part, around);
      CHECK_FALSE(region.isCut);
      const double cap = 2 * std::numbers::pi * (1 - distance / 2);
      CHECK(areaOf(region) == Approx(cap).epsilon(0.02));
      const Transform partFromWorld = world.inverse();
      for (const Triangle& t : region.pieces)
        for (const Vec3& p : t.v) REQUIRE(partFromWorld.apply(p).x > distance / 2 - 0.04);
      CHECK(areaOf(regionInside(around.posedPart(), {solid, world})) == Approx(cap).epsilon(0.02));
    }
}

TEST_CASE("finer triangles have the same region, and more pieces than allowed are said", "[query]") {
  for (const std::uint32_t cells : {1U, 2U, 7U}) {
    const PosedModel part{modelOf(sixSidedBox(1, 1, 1, cells)), Transform::translation({2, 0, 0})};
    const PosedSolid around{SolidModel::build(modelOf(sixSidedBox(4, 4, 4, cells))), {}};
    CHECK(areaOf(regionInside(part, around)) == Approx(1 + 4 * 0.5).epsilon(0.05));
    const IntersectionRegion few = regionInside(part, around, {}, 20);
    CHECK(few.isCut);
    CHECK(few.pieces.size() <= 20);
  }
}

TEST_CASE("surfaces that coincide take few pieces and are not inside", "[query]") {
  // Four sides of both boxes lie in common planes.
  Random random(3);
  const Transform world = randomPlacement(PlacementClass::rigid, random, 10);
  const PosedModel part{modelOf(sixSidedBox(4, 4, 4)), world};
  const PosedSolid around{SolidModel::build(modelOf(sixSidedBox(4, 4, 4))),
                          world * Transform::translation({3, 0, 0})};
  const IntersectionRegion region = regionInside(part, around, {}, 8'000);
  CHECK_FALSE(region.isCut);
  CHECK(areaOf(region) == Approx(16).epsilon(0.05));
}

TEST_CASE("nothing is known to be inside an open part, and nothing is if boxes are apart", "[query]") {
  const PosedModel part{modelOf(sixSidedBox(1, 1, 1)), {}};
  const PosedSolid sheet{SolidModel::build(modelOf(flatSheet(2, 2))), {}};
  CHECK(regionInside(part, sheet).pieces.empty());
  const PosedSolid apart{SolidModel::build(modelOf(sixSidedBox(1, 1, 1))), Transform::translation({3, 0, 0})};
  CHECK(regionInside(part, apart).pieces.empty());
  CHECK_THROWS_AS(regionInside(part, {}), InputError);
  CHECK_THROWS_AS(regionInside({}, apart), InputError);
}

TEST_CASE("the marks of two parts are their lines and what of each is inside the other", "[query]") {
  const auto box = [](double size, const Transform& at) {
    return PosedSolid{SolidModel::build(modelOf(sixSidedBox(size, size, size))), at};
  };
  const PosedSolid large = box(4, {});
  // The second box reaches by 0.5 into the first one, through one of its faces.
  const IntersectionMarks crossing = intersectionMarks(large, box(1, Transform::translation({2, 0, 0})));
  CHECK_FALSE(crossing.isCut());
  CHECK_FALSE(crossing.lines.empty());
  CHECK(areaOf(crossing.regions[0]) == Approx(1).epsilon(0.05));
  CHECK(areaOf(crossing.regions[1]) == Approx(1 + 4 * 0.5).epsilon(0.05));
  const IntersectionMarks inside = intersectionMarks(large, box(1, Transform::translation({0.5, 0, 0})));
  CHECK(inside.lines.empty());
  CHECK(inside.regions[0].pieces.empty());
  CHECK(areaOf(inside.regions[1]) == Approx(6));
  const IntersectionMarks touching = intersectionMarks(large, box(1, Transform::translation({2.5, 0, 0})));
  CHECK_FALSE(touching.lines.empty());
  CHECK(areaOf(touching.regions[0]) + areaOf(touching.regions[1]) < 1e-9);
  CHECK(intersectionMarks(large, box(1, Transform::translation({9, 0, 0}))).lines.empty());
  const PosedSolid sheet{SolidModel::build(modelOf(flatSheet(2, 2))), {}};
  const IntersectionMarks open = intersectionMarks(sheet, box(1, {}));
  CHECK(open.regions[1].pieces.empty());  // nothing is known to be inside an open part
}

TEST_CASE("the search for a region ends when it is cancelled", "[query]") {
  const MeshPtr ball = icosphere(1, 5);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(regionInside({modelOf(ball), {}},
                               {SolidModel::build(modelOf(ball)), Transform::translation({0.5, 0, 0})},
                               Progress(stop.get_token())),
                  CancelledError);
}

}  // namespace intersection_marks_tests
