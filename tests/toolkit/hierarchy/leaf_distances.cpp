#include <fitup/hierarchy/detail/leaf_distances.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>

#include "support/only_target.h"
#include "support/placements.h"

namespace leaf_distances_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("no bound on the distance of a leaf's triangles or a node's boxes exceeds it") {
  Random random(7);
  std::size_t sharp = 0, all = 0;
  for (auto targets = static_cast<std::uint64_t>(hwy::SupportedTargets()); targets != 0;
       targets &= targets - 1) {
    const OnlyTarget only(std::int64_t{1} << std::countr_zero(targets));
    for (int round = 0; round < 3000; ++round) {
      // Slivers, points and triangles of all sizes, near the origin and far from it.
      const double size = std::exp2(random.between(-40, 40)), part = std::exp2(random.between(-24, 0));
      const double thin = random.below(3) == 0 ? std::exp2(random.between(-30, 0)) : 1;
      const auto count = 1 + random.below(8);
      const Vec3 middle = random.inCube(random.below(2) == 0 ? 0 : size);
      std::vector<float> rows(10 * count + 8);
      std::vector<Triangle> triangles(count);
      double magnitude = 0;
      for (std::uint32_t k = 0; k < count; ++k) {
        const Vec3 at = middle + random.inCube(size * part), along = random.inCube(size * part);
        const Vec3 corners[3] = {at, at + along,
                                 at + random.unit() * along + random.inCube(size * part * thin)};
        for (std::size_t c = 0; c < 3; ++c)
          for (int axis = 0; axis < 3; ++axis) {
            const auto value = static_cast<float>(corners[c][axis]);
            rows[(3 * c + static_cast<std::size_t>(axis)) * count + k] = value;
            triangles[k].v[c][axis] = value;
            magnitude = std::max(magnitude, std::abs(double{value}));
          }
      }
      const Vec3 p = middle + random.inCube(size * part * std::exp2(random.between(-20, 4)));
      magnitude = std::max(magnitude + 0x1p-60, std::abs(p.x) + std::abs(p.y) + std::abs(p.z));
      detail::EightDistances bounds{};
      detail::boundLeafDistances(rows.data(), count, p, magnitude, bounds);
      for (std::uint32_t k = 0; k < count; ++k) {
        const double distance = distancePointTriangle(p, triangles[k]).distance;
        REQUIRE(double{bounds[k]} <= distance);
        ++all;
        if (bounds[k] >= 0.75 * distance - magnitude * 0x1p-21) ++sharp;
      }
      std::array<std::array<float, 8>, 3> centre{}, half{};
      for (std::uint32_t k = 0; k < count; ++k)
        for (int axis = 0; axis < 3; ++axis) {
          const auto& v = triangles[k].v;
          const double low = std::min({v[0][axis], v[1][axis], v[2][axis]}),
                       high = std::max({v[0][axis], v[1][axis], v[2][axis]});
          centre[static_cast<std::size_t>(axis)][k] = static_cast<float>(0.5 * (low + high));
          half[static_cast<std::size_t>(axis)][k] =
              std::nextafter(static_cast<float>(std::max(high - centre[static_cast<std::size_t>(axis)][k],
                                                         centre[static_cast<std::size_t>(axis)][k] - low)),
                             INFINITY);
        }
      detail::boundBoxDistances(centre, half, p, magnitude, bounds);
      for (std::uint32_t k = 0; k < count; ++k)
        REQUIRE(double{bounds[k]} <= distancePointTriangle(p, triangles[k]).distance);
    }
  }
  CHECK(sharp > all / 2);
}

}  // namespace leaf_distances_tests
