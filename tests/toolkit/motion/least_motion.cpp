#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include <fitup/motion/detail/least_motion.h>
#include <fitup/motion/detail/nearest_in_polyhedron.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace least_motion_tests {

using namespace fitup;
using namespace fitup::detail;
using namespace fitup::test;

namespace {

double product(const Point6& a, const Point6& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}
double distance(const Point6& a, const Point6& b) {
  Point6 d{};
  for (std::size_t i = 0; i < 6; ++i) d[i] = a[i] - b[i];
  return std::sqrt(product(d, d));
}
double worstViolation(const Point6& y, const std::vector<HalfSpace>& rows) {
  double worst = 0;
  for (const HalfSpace& row : rows) worst = std::max(worst, row.least - product(row.normal, y));
  return worst;
}

/// Solves a small dense system by elimination with pivots; nothing if it is singular.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> m, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    if (std::abs(m[pivot][k]) < 1e-9) return std::nullopt;
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= f * m[k][j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= m[k][j] * b[j];
    b[k] /= m[k][k];
  }
  return b;
}

/// The nearest point by trying every set of at most `dimensions` borders.
std::optional<Point6> byBruteForce(const Point6& wanted, const std::vector<HalfSpace>& rows,
                                   std::size_t dimensions) {
  std::optional<Point6> best;
  for (std::uint32_t set = 0; set < (1U << rows.size()); ++set) {
    std::vector<std::size_t> on;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if ((set >> i) & 1U) on.push_back(i);
    if (on.size() > dimensions) continue;
    std::vector<std::vector<double>> gram(on.size(), std::vector<double>(on.size()));
    std::vector<double> lacks(on.size());
    for (std::size_t i = 0; i < on.size(); ++i) {
      for (std::size_t j = 0; j < on.size(); ++j)
        gram[i][j] = product(rows[on[i]].normal, rows[on[j]].normal);
      lacks[i] = rows[on[i]].least - product(rows[on[i]].normal, wanted);
    }
    const auto factors = solved(gram, lacks);
    if (!factors) continue;
    Point6 y = wanted;
    for (std::size_t i = 0; i < on.size(); ++i)
      for (std::size_t k = 0; k < 6; ++k) y[k] += (*factors)[i] * rows[on[i]].normal[k];
    if (worstViolation(y, rows) > 1e-8) continue;
    if (!best || distance(y, wanted) < distance(*best, wanted)) best = y;
  }
  return best;
}

Point6 randomPoint(Random& random, std::size_t dimensions) {
  Point6 y{};
  for (std::size_t i = 0; i < dimensions; ++i) y[i] = random.between(-1, 1);
  return y;
}

/// Checks the conditions of Karush, Kuhn and Tucker, which are sufficient for a convex program.
void checkOptimal(const Point6& wanted, const std::vector<HalfSpace>& rows, const NearestInPolyhedron& found,
                  double accuracy) {
  REQUIRE(worstViolation(found.point, rows) <= accuracy);
  Point6 y = wanted;
  for (const auto& [row, multiplier] : found.active) {
    REQUIRE(multiplier > 0);
    REQUIRE(std::abs(rows[row].least - product(rows[row].normal, found.point)) <= accuracy);
    for (std::size_t k = 0; k < 6; ++k) y[k] += multiplier * rows[row].normal[k];
  }
  REQUIRE(found.active.size() <= 6);
  REQUIRE(distance(y, found.point) <= accuracy);
}

}  // namespace

TEST_CASE("the nearest point of a polyhedron is that of all sets of borders", "[motion][slide]") {
  int infeasible = 0, held = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::size_t dimensions = seed % 2 == 0 ? 6 : 3;
    std::vector<HalfSpace> rows;
    for (std::uint32_t i = 0, n = 1 + random.below(9); i < n; ++i)
      rows.push_back({randomPoint(random, dimensions), random.between(-0.5, 0.3)});
    // Rows that are equal, opposite or combinations of others.
    if (seed % 3 == 0) rows.push_back(rows.front());
    if (seed % 5 == 0) {
      rows.push_back(rows.front());
      for (double& v : rows.back().normal) v = -v;
      rows.back().least = -rows.front().least - (seed % 10 == 0 ? 0.0 : random.between(-0.1, 0.2));
    }
    const Point6 wanted = randomPoint(random, dimensions);
    const NearestInPolyhedron found = nearestInPolyhedron(wanted, rows, 1e-12);
    const std::optional<Point6> expected = byBruteForce(wanted, rows, dimensions);
    REQUIRE(found.isFeasible == expected.has_value());
    if (!expected) {
      ++infeasible;
      continue;
    }
    REQUIRE(distance(found.point, *expected) < 1e-6);
    checkOptimal(wanted, rows, found, 1e-9);
    held += found.active.empty() ? 0 : 1;
  }
  CHECK(infeasible > 10);
  CHECK(held > 100);
}

TEST_CASE("hundreds of redundant and degenerate rows do no harm", "[motion][slide]") {
  std::size_t most = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    std::vector<HalfSpace> rows;
    // A narrow channel about few directions, each given many times with rounding and some exactly; the origin
    // is inside.
    const double play = std::pow(10.0, -random.between(0, 9)), noise = seed % 3 == 0 ? 0 : 1e-14;
    for (int group = 0; group < 4; ++group) {
      const Point6 normal = randomPoint(random, 6);
      for (int i = 0; i < 100; ++i) {
        HalfSpace row{normal, -play};
        for (double& v : row.normal) v = (i % 2 == 0 ? 1 : -1) * (v + noise * random.between(-1, 1));
        rows.push_back(row);
      }
    }
    const Point6 wanted = randomPoint(random, 6);
    const NearestInPolyhedron found = nearestInPolyhedron(wanted, rows, 1e-11);
    REQUIRE(found.isFeasible);
    checkOptimal(wanted, rows, found, 1e-10);
    const NearestInPolyhedron again = nearestInPolyhedron(wanted, rows, 1e-11);
    REQUIRE(again.point == found.point);
    most = std::max(most, found.active.size());
  }
  CHECK(most == 4);
}

TEST_CASE("a motion is measured by what it does to the points", "[motion][slide]") {
  Random random(7);
  const std::vector<Triangle> triangles = trianglesOf(sixSidedBox(2, 6, 3, 3));
  const MeanDisplacement displacement{triangles};
  CHECK(norm(displacement.centre()) < 1e-12);
  for (int i = 0; i < 20; ++i) {
    const RigidMotion pose{randomRotation(random), random.inCube(5)};
    const MeanDisplacement moved = displacement.moved(pose);
    const Twist twist{random.inCube(1), random.inCube(1)};
    double squares = 0, area = 0;
    const Transform map = pose.transform();
    for (const Triangle& t : triangles)
      for (int k = 0; k < 3; ++k) {
        const double weight = norm(cross(t.v[1] - t.v[0], t.v[2] - t.v[0]));
        const Vec3 at = map.apply(0.5 * (t.v[k] + t.v[(k + 1) % 3]));
        const Vec3 by = twist.displacement(at - moved.centre());
        squares += weight * dot(by, by);
        area += weight;
      }
    CHECK(moved.of(twist) == Approx(std::sqrt(squares / area)).epsilon(1e-9));
    const Twist same = moved.twist(moved.coordinates(twist));
    CHECK(norm(same.shift - twist.shift) + norm(same.turn - twist.turn) < 1e-12);
    const Vec3 point = random.inCube(3), direction = normalized(random.inCube(1));
    const Point6 gradient = moved.gradient(point, direction);
    CHECK(product(gradient, moved.coordinates(twist)) ==
          Approx(dot(direction, twist.displacement(point - moved.centre()))));
    const Twist back = twistOf(motionOf(twist, moved.centre()), moved.centre());
    CHECK(norm(back.shift - twist.shift) + norm(back.turn - twist.turn) < 1e-9);
  }
}

TEST_CASE("the least motion slides along a wall, and turns where that is nearer", "[motion][slide]") {
  const MeanDisplacement displacement{trianglesOf(sixSidedBox(2, 2, 2))};
  // Two points of a wall at x = 1.1, the upper and the lower end of the contact.
  const std::vector<MotionRow> rows{{{1, 1, 0}, {-1, 0, 0}, -0.1}, {{1, -1, 0}, {-1, 0, 0}, -0.1}};
  const LeastMotion along = leastMotion(displacement, {{1, 0.5, 0}, {}}, rows, Freedom::shiftAndTurn, 1e-12);
  CHECK(norm(along.twist.shift - Vec3{0.1, 0.5, 0}) < 1e-9);
  CHECK(norm(along.twist.turn) < 1e-9);
  CHECK(along.holding.size() == 2);
  // With one point only, the box gives way by turning about z too.
  const LeastMotion turning =
      leastMotion(displacement, {{1, 0, 0}, {}}, std::span(rows).first(1), Freedom::shiftAndTurn, 1e-12);
  CHECK(turning.twist.shift.x > 0.2);
  CHECK(turning.twist.turn.z > 0.1);
  const LeastMotion shifted =
      leastMotion(displacement, {{1, 0, 0}, {0, 0, 1}}, std::span(rows).first(1), Freedom::shift, 1e-12);
  CHECK(norm(shifted.twist.shift - Vec3{0.1, 0, 0}) < 1e-9);
  CHECK(norm(shifted.twist.turn) == 0);
  REQUIRE(shifted.holding.size() == 1);
  CHECK(shifted.holding.front().multiplier == Approx(0.9));
  // Too deep on both sides: no motion helps.
  const std::vector<MotionRow> pressed{{{1, 0, 0}, {-1, 0, 0}, 0.1}, {{-1, 0, 0}, {1, 0, 0}, 0.1}};
  CHECK_FALSE(leastMotion(displacement, {}, pressed, Freedom::shift, 1e-12).isFeasible);
}

}  // namespace least_motion_tests
