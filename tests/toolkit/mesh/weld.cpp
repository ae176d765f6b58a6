#include <fitup/mesh/weld.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <stop_token>
#include <vector>

#include <fitup/base/error.h>

#include "support/placements.h"

namespace weld_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Computes the documented result by comparing each point with all before it.
template <typename Point>
std::vector<std::uint32_t> firstEqual(const std::vector<Point>& points) {
  std::vector<std::uint32_t> first;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    std::uint32_t same = i;
    for (std::uint32_t k = 0; k < i && same == i; ++k)
      if (points[k].x == points[i].x && points[k].y == points[i].y && points[k].z == points[i].z) same = k;
    first.push_back(same);
  }
  return first;
}

/// Makes points on a small lattice, so that most occur more than once, and zeros have both signs.
template <typename Point, typename Coordinate>
std::vector<Point> latticePoints(std::uint32_t n, std::uint64_t seed, Coordinate step) {
  Random random(seed);
  std::vector<Point> points(n);
  const auto coordinate = [&] {
    const auto c = static_cast<Coordinate>(random.integer(-3, 3)) * step;
    return c == 0 && random.below(2) == 0 ? -c : c;
  };
  for (Point& p : points) p = {coordinate(), coordinate(), coordinate()};
  return points;
}

}  // namespace

TEST_CASE("points are welded to the first one with their coordinates", "[mesh][weld]") {
  for (const std::uint32_t n : {0U, 1U, 2U, 3U, 50U, 1500U})
    for (const double step : {1.0, 1e-30, 1e30, 0.1}) {
      const auto doubles = latticePoints<Vec3>(n, n, step);
      CHECK(weldByCoordinates(doubles) == firstEqual(doubles));
      const auto floats = latticePoints<Point3f>(n, n + 1, static_cast<float>(step));
      CHECK(weldByCoordinates(floats) == firstEqual(floats));
    }
}

TEST_CASE("points that differ in their last bits stay apart", "[mesh][weld]") {
  std::vector<Vec3> points;
  double x = 1;
  for (int i = 0; i < 3000; ++i, x = std::nextafter(x, 2)) points.push_back({x, -x, 7});
  CHECK(weldByCoordinates(points) == firstEqual(points));
}

TEST_CASE("what is not a number is welded to nothing, however often it is there", "[mesh][weld]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<Vec3> few{{nan, 0, 0}, {0, inf, 0}, {nan, 0, 0}, {0, inf, 0}, {0, -inf, 0}};
  CHECK(weldByCoordinates(few) == std::vector<std::uint32_t>{0, 1, 2, 1, 4});
  // With one row of slots this would take minutes.
  const std::vector<Vec3> many(400'000, {nan, nan, nan});
  CHECK(weldByCoordinates(many).back() == many.size() - 1);
}

TEST_CASE("welding can be cancelled", "[mesh][weld]") {
  std::stop_source stop;
  stop.request_stop();
  const Progress progress(stop.get_token());
  const WorkMeter meter(progress);
  const std::vector<Point3f> points(3);
  CHECK_THROWS_AS(weldByCoordinates(points, meter), CancelledError);
}

}  // namespace weld_tests
