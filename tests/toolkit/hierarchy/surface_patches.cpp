#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/hierarchy/surface_patches.h>

namespace surface_patches_tests {

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

/// How a tube round the z-axis is made.
struct TubeOptions {
  std::uint32_t sides = 24, rings = 1;
  double radius = 3, height = 8;
  double turned = 1;      ///< share of the circle
  bool inward = false;    ///< a bore instead of a shaft
  bool inHalves = false;  ///< two surfaces
  bool hasHole = false;   ///< without the triangles of some sides
  bool isDescribed = false;
};

TriangleMesh tube(const TubeOptions& o, const Transform& place) {
  TriangleMeshBuilder builder("tube");
  const bool closes = o.turned == 1;
  const std::uint32_t columns = closes ? o.sides : o.sides + 1;
  std::vector<std::uint32_t> points;
  for (std::uint32_t k = 0; k <= o.rings; ++k)
    for (std::uint32_t i = 0; i < columns; ++i) {
      // Rings between the ends zigzag.
      const bool isEnd = k == 0 || k == o.rings;
      const double angle = 2 * std::numbers::pi * o.turned * i / o.sides,
                   z = o.height * (k + (isEnd ? 0 : 0.3 * (i % 2))) / o.rings;
      points.push_back(
          builder.addPoint(place.apply({o.radius * std::cos(angle), o.radius * std::sin(angle), z})));
    }
  const auto at = [&](std::uint32_t i, std::uint32_t k) { return points[k * columns + i % columns]; };
  builder.beginSurface();
  for (std::uint32_t i = 0; i < o.sides; ++i) {
    if (o.inHalves && i == o.sides / 2) builder.beginSurface();
    for (std::uint32_t k = 0; k < o.rings; ++k) {
      if (o.hasHole && k == o.rings / 2 && i > 2 && i < 6) continue;
      const std::uint32_t a = at(i, k), b = at(i + 1, k), c = at(i + 1, k + 1), d = at(i, k + 1);
      builder.addTriangle(a, o.inward ? c : b, o.inward ? b : c);
      builder.addTriangle(a, o.inward ? d : c, o.inward ? c : d);
    }
  }
  const TriangleMesh made = builder.build();
  if (!o.isDescribed) return made;
  TriangleMesh::Data data = made.data();
  for (Surface& surface : data.surfaces) {
    surface.description.emplace();
    surface.description->kind = SurfaceKind::cylinder;
    surface.description->point = place.apply({0, 0, 20});
    surface.description->axis = place.applyToVector({0, 0, -1});
    surface.description->radius = o.radius;
  }
  return TriangleMesh(data);
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
    const SurfacePatches patches(mesh);
    const auto local = [&](double x, double y, double z) { return place.apply({x, y, z}) - mesh.origin(); };
    for (int i = 0; i < 400; ++i) {
      const double x = number(-9, 9), y = number(-9, 9), size = std::pow(10, number(-2.5, 0.7)),
                   height = number(-0.1, 0.1);
      std::array<Vec3, 3> corners;
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

TEST_CASE("laws: the height over a round surface bounds the distance of all points", "[hierarchy][laws]") {
  std::mt19937 random(5);
  const auto number = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 100001) / 1e5;
  };
  const auto variant = [](auto change) {
    TubeOptions options;
    change(options);
    return options;
  };
  const TubeOptions variants[] = {
      {},
      variant([](TubeOptions& o) { o.isDescribed = true; }),
      variant([](TubeOptions& o) { o.inward = true; }),
      variant([](TubeOptions& o) { o.inHalves = true; }),
      variant([](TubeOptions& o) { o.turned = 0.6; }),
      variant([](TubeOptions& o) { o.turned = 0.9, o.rings = 5, o.isDescribed = true; }),
      variant([](TubeOptions& o) { o.rings = 6; }),
      variant([](TubeOptions& o) { o.rings = 6, o.hasHole = true; }),
      variant([](TubeOptions& o) { o.sides = 12, o.isDescribed = true; }),
      variant([](TubeOptions& o) { o.sides = 200, o.inHalves = o.inward = true; })};
  for (const TubeOptions& o : variants) {
    std::size_t bounded = 0;
    const Transform place = Transform::rotation({number(-1, 1), number(-1, 1), 1}, number(0, 3)) *
                            Transform::translation({number(-5, 5), 0, 0});
    const TriangleMesh mesh = tube(o, place);
    const SurfacePatches patches(mesh);
    const auto around = [&](double angle, double z, double radius) {
      return place.apply({radius * std::cos(angle), radius * std::sin(angle), z}) - mesh.origin();
    };
    for (int i = 0; i < 300; ++i) {
      const double angle = number(-7, 7), z = number(-2, 10), size = std::pow(10, number(-2, 0.6));
      std::vector<Vec3> corners;
      const double radius = o.radius + number(-0.15, 0.1);
      for (int k = 0; k < 3; ++k)
        corners.push_back(around(angle + 0.2 * size * number(-1, 1), z + size * number(-1, 1),
                                 radius + 0.05 * number(-1, 1)));
      if (i % 3 == 0)  // a flat quadrangle, convex as 0.6 + 0.7 > 1
        corners.insert(corners.begin() + 2,
                       corners[0] + 0.6 * (corners[1] - corners[0]) + 0.7 * (corners[2] - corners[0]));
      Vec3 middle;
      for (const Vec3& corner : corners) middle = middle + (1.0 / double(corners.size())) * corner;
      const double useful = number(0, 0.5);
      const auto found = patches.heightOver(nearest(mesh, middle).triangle, corners, middle, useful);
      if (!found) continue;
      ++bounded;
      CHECK(*found <= useful);
      std::vector<Vec3> points = corners;
      while (points.size() < 30) {
        Vec3 p;
        double sum = 0;
        std::vector<double> weights;
        for (std::size_t c = 0; c < corners.size(); ++c) sum += weights.emplace_back(number(0, 1));
        for (std::size_t c = 0; c < corners.size(); ++c) p = p + (weights[c] / sum) * corners[c];
        points.push_back(p);
      }
      for (const Vec3& p : points) CHECK(nearest(mesh, p).distance <= *found + 1e-6);  // storage rounds
    }
    CHECK(bounded > 20);
  }
}

TEST_CASE("pieces over a round surface are settled as wholes up to its border", "[hierarchy]") {
  for (const bool inHalves : {false, true}) {
    TubeOptions options;
    options.inHalves = inHalves;
    const TriangleMesh mesh = tube(options, {});
    const SurfacePatches patches(mesh);
    const auto piece = [&](double from, double to, double low, double high) {
      const auto at = [&](double turns, double z) {
        return Vec3{3 * std::cos(2 * std::numbers::pi * turns), 3 * std::sin(2 * std::numbers::pi * turns),
                    z} -
               mesh.origin();
      };
      return std::array{at(from, low), at(to, low), at(to, high), at(from, high)};
    };
    const auto isOver = [&](const std::array<Vec3, 4>& p) {
      const Vec3 middle = 0.25 * (p[0] + p[1] + p[2] + p[3]);
      return patches.heightOver(nearest(mesh, middle).triangle, p, middle, 0.3).has_value();
    };
    const auto crossings = [&](const std::array<Vec3, 4>& p) {
      return patches.borderBetween(p, 0.3, 100).count;
    };
    // A needle as long as the tube, of other angles than its sides.
    CHECK(isOver(piece(0.1, 0.15, 0, 8)));
    CHECK(crossings(piece(0.1, 0.15, 1, 7)) == 0);
    // Beyond both ends: the planes of two circles, whatever sides they have.
    CHECK_FALSE(isOver(piece(0.1, 0.2, -1, 9)));
    CHECK(crossings(piece(0.1, 0.2, -1, 9)) == 2);
    CHECK(crossings(piece(0.1, 0.2, 1, 9)) == 1);
    // Over the seams of the halves, also where angles begin anew.
    for (const double seam : {0.0, 0.5}) {
      CHECK(isOver(piece(seam - 0.02, seam + 0.03, 1, 7)) == !inHalves);
      CHECK((crossings(piece(seam - 0.02, seam + 0.03, 1, 7)) > 0) == inHalves);
    }
  }
}

TEST_CASE("a piece that reaches over the border of a flat surface crosses it", "[hierarchy]") {
  const TriangleMesh mesh = ring(3, 8, 40, {});
  const SurfacePatches patches(mesh);
  const auto crossings = [&](double x, double size, double height) {
    const Vec3 o = mesh.origin();
    return patches
        .borderBetween(std::array{Vec3{x - size, -size, height} - o, Vec3{x + size, -size, height} - o,
                                  Vec3{x, size, height} - o},
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

}  // namespace surface_patches_tests
