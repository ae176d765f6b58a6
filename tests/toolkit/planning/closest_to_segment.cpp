#include <catch2/catch.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_segment_triangle.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/point_query.h>

#include "support/effort.h"
#include "toolkit/planning/swept_checks.h"

namespace closest_to_segment_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Vec3 randomPoint(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> x(-size, size);
  return {x(random), x(random), x(random)};
}

}  // namespace

TEST_CASE("the distance of a segment and a triangle is that of two triangles", "[planning][distance]") {
  std::mt19937_64 random(5);
  int crossings = 0;
  for (int i = 0; i < effort(4000, 100'000); ++i) {
    const Triangle t{{randomPoint(random, 1), randomPoint(random, 1), randomPoint(random, 1)}};
    const Vec3 a = randomPoint(random, 1);
    // Long ones, short ones, and points.
    const Vec3 b = i % 3 == 0 ? a : a + randomPoint(random, i % 3 == 1 ? 3 : 1e-3);
    const ClosestPoints found = distanceSegmentTriangle(a, b, t);
    const double expected = distanceTriangleTriangle({{a, b, b}}, t).distance;
    CHECK(std::abs(found.distance - expected) <= 1e-14);
    CHECK((found.distance == 0) == (expected == 0));
    CHECK(std::abs(norm(found.onA - found.onB) - found.distance) <= 1e-14);
    CHECK(distancePointTriangle(found.onB, t).distance <= 1e-14);
    CHECK(norm(closestPointOnSegment(found.onA, a, b) - found.onA) <= 1e-14);
    crossings += found.distance == 0;
  }
  CHECK(crossings > 50);
}

TEST_CASE("a query finds the triangle that is nearest to a segment, as a loop does", "[planning][distance]") {
  std::mt19937_64 random(6);
  for (const auto& mesh : {icosphere(1, 2), lShape(1, 0.3), soup(200, 3, 0.4), degenerateSet()})
    for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
      BuildOptions options;
      options.wide = WideBvhOptions{.layout = layout};
      const auto model = CollisionModel::build(mesh, options);
      PointQuery query(*model);
      for (int i = 0; i < effort(60, 1000); ++i) {
        const Vec3 a = randomPoint(random, 3), b = a + randomPoint(random, i % 2 == 0 ? 4 : 0.1);
        double expected = std::numeric_limits<double>::infinity();
        for (std::uint32_t t = 0; t < mesh->triangleCount(); ++t)
          expected =
              std::min(expected, distanceSegmentTriangle(a, b, mesh->triangle(TriangleId{t})).distance);
        const auto found = query.closestToSegment(a, b);
        REQUIRE(found);
        CHECK(found->distance == expected);
        CHECK(distanceSegmentTriangle(a, b, mesh->triangle(found->triangle)).distance == expected);
        const TriangleId hint{static_cast<std::uint32_t>(random() % mesh->triangleCount())};
        CHECK(query.closestToSegment(a, b, expected + 1, hint)->distance == expected);
        if (expected > 0) CHECK_FALSE(query.closestToSegment(a, b, expected));
        const auto roughly = query.closestToSegment(a, b, expected + 1, hint, 0.05);
        REQUIRE(roughly);
        CHECK(roughly->distance >= expected);
        CHECK(roughly->distance < expected + 0.05);

        // All that are near, unless there are too many.
        const double within = expected + 0.3;
        std::vector<std::pair<TriangleId, double>> near;
        for (std::uint32_t t = 0; t < mesh->triangleCount(); ++t) {
          const double d = distanceSegmentTriangle(a, b, mesh->triangle(TriangleId{t})).distance;
          if (d < within) near.emplace_back(TriangleId{t}, d);
          CHECK(query.triangleToSegment(a, b, within, TriangleId{t}).has_value() == (d < within));
        }
        std::vector<ClosestToSegment> all;
        REQUIRE(query.nearSegment(a, b, within, near.size(), all));
        std::vector<std::pair<TriangleId, double>> listed;
        for (const ClosestToSegment& c : all) listed.emplace_back(c.triangle, c.distance);
        std::ranges::sort(listed);
        CHECK(listed == near);
        CHECK_FALSE(query.nearSegment(a, b, within, near.size() - 1, all));
      }
    }
}

}  // namespace closest_to_segment_tests
