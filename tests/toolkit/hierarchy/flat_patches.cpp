#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/flat_patches.h>

namespace flat_patches_tests {

using namespace fitup;

namespace {

/// A ring in the plane z = 0 between two circles with many corners, as one surface of needles; behind it a
/// square of two triangles, which is another surface.
TriangleMesh ring(double inner, double outer, std::uint32_t corners, const Transform& place) {
  TriangleMeshBuilder builder("ring");
  const auto at = [&](double radius, std::uint32_t i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    return builder.addPoint(place.apply({radius * std::cos(angle), radius * std::sin(angle), 0}));
  };
  builder.beginSurface();
  std::vector<std::uint32_t> in, out;
  for (std::uint32_t i = 0; i < corners; ++i) {
    in.push_back(at(inner, i));
    out.push_back(at(outer, i));
  }
  for (std::uint32_t i = 0; i < corners; ++i) {
    const std::uint32_t j = (i + 1) % corners;
    builder.addTriangle(in[i], out[i], out[j]);
    builder.addTriangle(in[i], out[j], in[j]);
  }
  builder.beginSurface();
  const auto point = [&](double x, double y) { return builder.addPoint(place.apply({x, y, -5})); };
  const std::uint32_t a = point(-9, -9), b = point(9, -9), c = point(9, 9), d = point(-9, 9);
  builder.addTriangle(a, b, c);
  builder.addTriangle(a, c, d);
  return builder.build();
}

struct Nearest {
  TriangleId triangle{};
  double distance = std::numeric_limits<double>::infinity();
};

Nearest nearest(const TriangleMesh& mesh, const Vec3& p) {
  Nearest found;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    if (const double d = distancePointTriangle(p, mesh.triangle(TriangleId(i))).distance; d < found.distance)
      found = {TriangleId(i), d};
  return found;
}

}  // namespace

TEST_CASE("laws: the height over a flat surface bounds the distance of all points", "[hierarchy][laws]") {
  std::mt19937 random(3);
  const auto number = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 100001) / 1e5;
  };
  std::size_t bounded = 0;
  for (int round = 0; round < 4; ++round) {
    const Transform place = Transform::rotation({number(-1, 1), number(-1, 1), 1}, number(0, 3)) *
                            Transform::translation({number(-5, 5), 0, 0});
    const TriangleMesh mesh = ring(3, 8, 40, place);
    const FlatPatches patches(mesh);
    const auto local = [&](double x, double y, double z) { return place.apply({x, y, z}) - mesh.origin(); };
    for (int i = 0; i < 400; ++i) {
      const double x = number(-9, 9), y = number(-9, 9), size = std::pow(10, number(-2.5, 0.7)),
                   height = number(-0.1, 0.1);
      FlatPatches::Corners corners;
      for (Vec3& corner : corners)
        corner = local(x + size * number(-1, 1), y + size * number(-1, 1), height + 0.05 * number(-1, 1));
      const Vec3 middle = (1.0 / 3) * (corners[0] + corners[1] + corners[2]);
      const double useful = number(0, 0.3);
      const auto found = patches.heightOver(nearest(mesh, middle).triangle, corners, middle, useful);
      if (!found) continue;
      ++bounded;
      CHECK(*found <= useful);
      for (int k = 0; k < 30; ++k) {
        const double u = number(0, 1), v = number(0, 1 - u);
        const Vec3 p = u * corners[0] + v * corners[1] + (1 - u - v) * corners[2];
        CHECK(nearest(mesh, p).distance <= *found + 1e-6);  // storage rounds
      }
    }
  }
  CHECK(bounded > 100);
}

TEST_CASE("a piece that reaches over the border of a flat surface crosses it", "[hierarchy]") {
  const TriangleMesh mesh = ring(3, 8, 40, {});
  const FlatPatches patches(mesh);
  const auto crossings = [&](double x, double size, double height) {
    const Vec3 o = mesh.origin();
    return patches
        .borderBetween(
            {Vec3{x - size, -size, height} - o, Vec3{x + size, -size, height} - o, Vec3{x, size, height} - o},
            0.1, 100)
        .count;
  };
  CHECK(crossings(5.5, 1, 0) == 0);
  CHECK(crossings(8, 0.5, 0) > 0);
  CHECK(crossings(3, 0.5, 0.05) > 0);
  CHECK(crossings(8, 0.5, 0.2) == 0);  // too far from the plane
  CHECK(crossings(0, 1, 0) == 0);      // in the hole
  CHECK(patches.planeOf(TriangleId(0)));
  CHECK_FALSE(patches.planeOf(TriangleId(80)));  // two triangles are not worth it
}

}  // namespace flat_patches_tests
