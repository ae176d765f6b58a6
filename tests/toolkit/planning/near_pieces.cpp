#include <catch2/catch.hpp>

#include <numbers>
#include <random>

#include <fitup/geometry/distance_segment_triangle.h>
#include <fitup/planning/detail/near_pieces.h>
#include <fitup/planning/swept_volume.h>

#include "support/effort.h"

namespace near_pieces_tests {

using namespace fitup;
using namespace fitup::detail;
using namespace fitup::test;

namespace {

/// Segments of points between two placements, without a deviation.
struct Moving {
  SweptPiece piece;
  Triangle triangle;

  [[nodiscard]] ClosestPoints nearest(const Vec3& x) const {
    return distanceSegmentTriangle(piece.localFromWorldAtFrom.apply(x), piece.localFromWorldAtTo.apply(x),
                                   triangle);
  }
};

class Scenes {
 public:
  Vec3 inBox(double half) { return {half * unit_(random_), half * unit_(random_), half * unit_(random_)}; }

  Moving moving(double away) {
    Moving made;
    const Vec3 place = away * normalized(inBox(1) + Vec3{0.1, 0, 0}), axis = inBox(1) + Vec3{0.1, 0, 0};
    const double angle = std::numbers::pi * unit_(random_);
    made.piece.localFromWorldAtFrom = Transform::rotation(axis, angle);
    made.piece.localFromWorldAtTo =
        Transform::translation(inBox(2)) * Transform::rotation(axis, angle + 0.1 * unit_(random_));
    for (Vec3& corner : made.triangle.v) corner = made.piece.localFromWorldAtFrom.apply(place) + inBox(2);
    return made;
  }

 private:
  std::mt19937_64 random_{41};
  std::uniform_real_distribution<double> unit_{-1, 1};
};

NearPiece bounded(const Moving& moving, const WorldCube& cube) {
  const ClosestPoints nearest = moving.nearest(cube.centre);
  NearPiece one;
  one.triangles = NearPiece::Triangles::one;
  boundTriangle(one, moving.piece, moving.triangle, moving.piece.localFromWorldAtFrom.apply(cube.centre),
                moving.piece.localFromWorldAtTo.apply(cube.centre), nearest.onA - nearest.onB, cube);
  return one;
}

}  // namespace

TEST_CASE("bounds of triangles in a cube are below their distances, and near to them at its centre",
          "[planning][sweep]") {
  Scenes scenes;
  const WorldCube cube{{0.3, -0.2, 0.1}, 0.5};
  for (int i = 0; i < effort(500, 20'000); ++i) {
    const Moving moving = scenes.moving(3);
    const NearPiece one = bounded(moving, cube);
    const double d = moving.nearest(cube.centre).distance;
    CHECK(NearList::lowAt(one, {}, 0) <= d);
    CHECK(NearList::lowAt(one, {}, 0) >= d - 1e-4);
    for (int k = 0; k < 20; ++k) {
      const Vec3 fromCentre = scenes.inBox(cube.half);
      CHECK(NearList::lowAt(one, fromCentre, norm(fromCentre)) <=
            moving.nearest(cube.centre + fromCentre).distance);
    }
  }
}

TEST_CASE("what is left out of a cube is nowhere in it the nearest", "[planning][sweep]") {
  Scenes scenes;
  const WorldCube cube{{0.3, -0.2, 0.1}, 0.5};
  int excluded = 0, kept = 0;
  for (int i = 0; i < effort(500, 20'000); ++i) {
    const Moving a = scenes.moving(3), b = scenes.moving(3);
    const ClosestPoints nearest = a.nearest(cube.centre);
    const Vec3 from = a.piece.localFromWorldAtFrom.apply(cube.centre),
               along = a.piece.localFromWorldAtTo.apply(cube.centre) - from;
    const double share = dot(nearest.onA - from, along) / dot(along, along);
    const CornerDistances corners(a.piece, a.triangle, share, cube);
    const double tolerance = 0.05;
    // By the bounds that are best at the centre, and by a direction that has nothing to do with it.
    const Vec3 outward = normalized(scenes.inBox(1) + Vec3{0, 0, 1e-3});
    const double below = corners.excludedBelow(b.piece, outward, tolerance);
    const bool isFar = std::max({dot(outward, b.triangle.v[0]), dot(outward, b.triangle.v[1]),
                                 dot(outward, b.triangle.v[2])}) <= below;
    if (!corners.excludes(bounded(b, cube), tolerance) && !isFar) {
      ++kept;
      continue;
    }
    ++excluded;
    for (int k = 0; k < 40; ++k) {
      const Vec3 x = cube.centre + scenes.inBox(cube.half);
      const double ofA = a.nearest(x).distance, ofB = b.nearest(x).distance;
      CHECK(ofB >= ofA - tolerance);
    }
  }
  CHECK(excluded > 50);
  CHECK(kept > 50);
}

}  // namespace near_pieces_tests
