#include <catch2/catch.hpp>

#include <cmath>

#include <fitup/query/intersect.h>
#include <fitup/query/intersection_lines.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace intersection_lines_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

double lengthOf(const std::vector<IntersectionLine>& lines) {
  double sum = 0;
  for (const IntersectionLine& line : lines)
    if (line.common.kind == TriangleIntersection::Kind::segment)
      sum += norm(line.common.points[1] - line.common.points[0]);
  return sum;
}

}  // namespace

TEST_CASE("two cubes, corner in corner, meet in a hexagon", "[query]") {
  // They overlap by 1.3 x 1.2 x 1.1, so each of these lengths occurs twice, however both cubes are placed
  // together and meshed. The hexagon follows no edge of the meshes, where both triangles of the edge would
  // count it.
  constexpr double expected = 2 * (1.3 + 1.2 + 1.1);
  Random random(5);
  for (PlacementClass kind : {PlacementClass::rigid, PlacementClass::mirrored})
    for (std::uint32_t cells : {1U, 3U})
      for (double far : {0.0, 1e5}) {
        const ModelPtr cube = modelOf(sixSidedBox(2, 2, 2, cells)), other = modelOf(sixSidedBox(2, 2, 2, 2));
        const Transform world = randomPlacement(kind, random, far);
        const PosedModel first{cube, world}, second{other, world * Transform::translation({0.7, 0.8, 0.9})};
        const auto lines = intersectionLines(first, second, intersect(first, second));
        double bound = 0;
        const Transform partFromWorld = world.inverse();
        for (const IntersectionLine& line : lines) {
          bound += 4 * line.common.errorBound;
          for (const Vec3& p : line.common.corners()) {
            // On the surfaces of both cubes: [-1, 1] in each axis, and the same shifted.
            const Vec3 q = partFromWorld.apply(p);
            const double slack = 8 * line.common.errorBound + 1e-9;
            double inFirst = 0, inSecond = 0;
            for (int i = 0; i < 3; ++i) {
              inFirst = std::max(inFirst, std::abs(q[i]));
              inSecond = std::max(inSecond, std::abs(q[i] - (Vec3{0.7, 0.8, 0.9}[i])));
            }
            REQUIRE(std::abs(inFirst - 1) <= slack);
            REQUIRE(std::abs(inSecond - 1) <= slack);
          }
        }
        CHECK(std::abs(lengthOf(lines) - expected) <= bound + 1e-8);
        // The same lines in either order.
        CHECK(std::abs(lengthOf(intersectionLines(second, first, intersect(second, first))) - expected) <=
              bound + 1e-8);
      }
}

TEST_CASE("no pairs, no lines", "[query]") {
  const ModelPtr cube = modelOf(box(1, 1, 1));
  const PosedModel first{cube, {}}, second{cube, Transform::translation({5, 0, 0})};
  CHECK(intersectionLines(first, second, intersect(first, second)).empty());
}

}  // namespace intersection_lines_tests
