#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <stop_token>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/overlap_volume.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace overlap_volume_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Checks the volume, also with exchanged arguments, at the default accuracy and, for small meshes, at a
/// higher one.
void check(const PosedSolid& first, const PosedSolid& second, double expected, double slack = 0) {
  const std::size_t triangles = first.solid->mesh().triangleCount() + second.solid->mesh().triangleCount();
  for (const double accuracy : {1.0 / 1024, 0x1p-20}) {
    if (accuracy < 1e-4 && triangles > 1000) continue;
    const OverlapVolumeRequest request{.relativeAccuracy = accuracy};
    const OverlapVolume found = overlapVolume(first, second, request);
    CAPTURE(accuracy, expected, found.errorBound, found.pieces);
    REQUIRE(found.volume);
    CHECK(found.unknownBecause.empty());
    CHECK(found.status == ReportStatus::complete);
    CHECK(std::abs(*found.volume - expected) <= found.errorBound + slack);
    CHECK(found.errorBound <= accuracy * *found.volume + slack);
    const OverlapVolume back = overlapVolume(second, first, request);
    CHECK(back.volume == found.volume);
    CHECK(back.errorBound == found.errorBound);
  }
}

using Tetrahedron = std::array<Vec3, 4>;
double volumeOf(const Tetrahedron& t) {
  return std::abs(dot(t[1] - t[0], cross(t[2] - t[0], t[3] - t[0]))) / 6;
}

/// Volume of a tetrahedron's part in front of some planes, each given by three points and one in front.
double clippedVolume(const Tetrahedron& t, std::vector<Tetrahedron> planes) {
  if (planes.empty()) return volumeOf(t);
  const auto [p, q, r, front] = planes.back();
  planes.pop_back();
  const Vec3 normal = cross(q - p, r - p);
  const double sign = dot(normal, front - p) > 0 ? 1 : -1;
  std::vector<Vec3> in, out;
  std::vector<double> f, g;
  for (const Vec3& v : t) {
    const double value = sign * dot(normal, v - p);
    (value >= 0 ? in : out).push_back(v);
    (value >= 0 ? f : g).push_back(value);
  }
  const auto between = [&](std::size_t i, std::size_t o) {
    return in[i] + (out[o] - in[i]) * (f[i] / (f[i] - g[o]));
  };
  const auto sum = [&](const std::vector<Tetrahedron>& parts) {
    double total = 0;
    for (const Tetrahedron& part : parts) total += clippedVolume(part, planes);
    return total;
  };
  switch (in.size()) {
    case 4:
      return sum({t});
    case 3: {
      const Vec3 a = between(0, 0), b = between(1, 0), c = between(2, 0);
      return sum({{in[0], in[1], in[2], a}, {in[1], in[2], a, b}, {in[2], a, b, c}});
    }
    case 2: {
      const Vec3 a = between(0, 0), b = between(0, 1), c = between(1, 0), d = between(1, 1);
      return sum({{in[0], a, b, in[1]}, {a, b, in[1], c}, {b, in[1], c, d}});
    }
    case 1:
      return sum({{in[0], between(0, 0), between(0, 1), between(0, 2)}});
    default:
      return 0;
  }
}

MeshPtr meshOf(const Tetrahedron& t) {
  const std::array<Triangle, 4> faces{Triangle{{t[0], t[1], t[2]}}, Triangle{{t[0], t[3], t[1]}},
                                      Triangle{{t[1], t[3], t[2]}}, Triangle{{t[2], t[3], t[0]}}};
  return fromTriangles("tetrahedron", faces);
}
/// The corners as they are stored.
Tetrahedron storedIn(const MeshPtr& mesh) {
  const auto at = [&](std::uint32_t triangle, int k) {
    return mesh->triangle(TriangleId{triangle}).v[k] + mesh->origin();
  };
  return {at(0, 0), at(0, 1), at(0, 2), at(1, 1)};
}

/// A part of boxes with whole corners in [0, 6].
MeshPtr boxes(Random& random, int count) {
  std::vector<MeshPtr> all;
  for (int i = 0; i < count; ++i) {
    Vec3 low, size;
    for (int k = 0; k < 3; ++k) {
      low[k] = random.integer(0, 4);
      size[k] = random.integer(1, 6 - static_cast<int>(low[k]));
    }
    const MeshPtr one = box(size.x, size.y, size.z);
    all.push_back(transformed(one, Transform::translation(low + size * 0.5)));
  }
  return joined(all);
}

/// Number of unit cells inside both parts, in their frame.
double commonCells(const BodyPtr& a, const BodyPtr& b) {
  PointQuery inA(a->model()), inB(b->model());
  double cells = 0;
  for (int x = 0; x < 6; ++x)
    for (int y = 0; y < 6; ++y)
      for (int z = 0; z < 6; ++z) {
        const Vec3 p{x + 0.5, y + 0.5, z + 0.5};
        cells += inA.side(p - a->mesh().origin(), a->watertightness()) == PointSide::inside &&
                 inB.side(p - b->mesh().origin(), b->watertightness()) == PointSide::inside;
      }
  return cells;
}

}  // namespace

TEST_CASE("two boxes have the volume of their common box in common, under any placement", "[query][volume]") {
  const BodyPtr a = bodyOf(box(2, 4, 6)), b = bodyOf(sixSidedBox(1, 3, 5, 3));
  Random random(1);
  for (const PlacementClass kind : allPlacementClasses)
    for (int i = 0; i < effort(2, 20); ++i) {
      const Transform world = randomPlacement(kind, random, 10);
      CAPTURE(kind, i);
      // 0.5 of the smaller box on each axis lies outside.
      check({a, world}, {b, world * shift(1, 1, 1)}, std::abs(world.determinant()) * 0.5 * 2.5 * 4.5);
      check({a, world}, {b, world * shift(0.25, 0, 0)}, std::abs(world.determinant()) * 15);
      // One of the two alone mirrored or stretched.
      check({a, world}, {b, world * shift(0.25, 0, 0) * Transform::scaling(-1, 1, 1)},
            std::abs(world.determinant()) * 15);
      check({a, world}, {b, world * shift(0.25, 0, 0) * Transform::scaling(0.5, 1, -2)},
            std::abs(world.determinant()) * 9);
    }
  CHECK(*overlapVolume({a, {}}, {b, shift(10, 0, 0)}).volume == 0);
  CHECK(*overlapVolume({a, {}}, {b, shift(1.5, 0, 0)}).volume == 0);  // touching faces
}

TEST_CASE("parts that touch have no volume in common, also where they are turned", "[query][volume]") {
  const BodyPtr a = bodyOf(box(2, 4, 6)), b = bodyOf(sixSidedBox(1, 3, 5, 3));
  Random random(2);
  for (int i = 0; i < effort(5, 50); ++i) {
    const Transform world = randomPlacement(PlacementClass::rigid, random, 10);
    const OverlapVolume found = overlapVolume({a, world}, {b, world * shift(1.5, 0, 0)});
    CHECK(found.status == ReportStatus::complete);
    CHECK(*found.volume < 1e-12);  // turned faces overlap by the rounding of their coordinates
    CHECK(found.errorBound < 1e-12);
  }
}

TEST_CASE("tetrahedra have the volume in common that clipping gives", "[query][volume]") {
  Random random(3);
  int overlapping = 0;
  for (int i = 0; i < effort(60, 2000); ++i) {
    Tetrahedron t, s;
    for (Vec3& p : t) p = random.inCube(1);
    for (Vec3& p : s) p = random.inCube(1);
    const MeshPtr first = meshOf(t), second = meshOf(s);
    t = storedIn(first);
    s = storedIn(second);
    const double expected = clippedVolume(t, {{s[0], s[1], s[2], s[3]},
                                              {s[0], s[1], s[3], s[2]},
                                              {s[0], s[2], s[3], s[1]},
                                              {s[1], s[2], s[3], s[0]}});
    overlapping += expected > 1e-6;
    CAPTURE(i);
    check({bodyOf(first), {}}, {bodyOf(second), {}}, expected, 1e-9);
  }
  CHECK(overlapping > 10);
}

TEST_CASE("parts of overlapping boxes and their cavities have the volume of their common cells in common",
          "[query][volume]") {
  Random random(4);
  for (int i = 0; i < effort(25, 400); ++i) {
    const BodyPtr a = bodyOf(boxes(random, random.integer(1, 4))),
                  b = bodyOf(boxes(random, random.integer(1, 4)));
    if (!a->watertightness().closed() || !b->watertightness().closed()) continue;
    const Transform world =
        randomPlacement(i % 3 == 0 ? PlacementClass::identity : PlacementClass::rigid, random, 10);
    CAPTURE(i);
    check({a, world}, {b, world}, commonCells(a, b),
          1e-4);  // coordinates of turned parts are not stored anew
  }
}

TEST_CASE("a part has its own volume in common with itself", "[query][volume]") {
  const MeshPtr hollow = joined({icosphere(3, 2), insideOut(icosphere(2, 2))});
  const Transform world = Transform::rigid(axisAngle({1, 2, 3}, 0.7), {5, -3, 2});
  for (const MeshPtr& mesh : {icosphere(3, 2), lShape(3, 2), tube(5, 3, 4, 40), hollow,
                              threadedRod({.segments = 24, .rowsPerPitch = 8})}) {
    const BodyPtr solid = bodyOf(mesh);
    const double own = solid->watertightness().volume();
    CAPTURE(mesh->triangleCount(), own);
    check({solid, world}, {solid, world}, own, 1e-9 * own);
    // The cut surface is the same up to the rounding of points.
    if (solid->mesh().triangleCount() < 500)
      check({solid, world}, {bodyOf(subdivided(mesh)), world}, own, 1e-5 * own);
  }
}

TEST_CASE("spheres, a press fit and a part in a cavity have the volumes of the formulas in common",
          "[query][volume]") {
  const Transform world = Transform::rigid(axisAngle({1, 2, 3}, 0.7), {5, -3, 2});
  for (const double scale : {0.001, 1000.0}) {
    const auto placed = [&](const MeshPtr& mesh) {
      return bodyOf(transformed(mesh, Transform::scaling(scale, scale, scale)));
    };
    const double cube = scale * scale * scale;
    const BodyPtr sphere = placed(icosphere(1, 4));
    const double lens = std::numbers::pi * (4 + 1) * 1 / 12;  // (4 r + d) (2 r - d)^2 pi / 12, d = 1
    check({sphere, world}, {sphere, world * shift(scale, 0, 0)}, lens * cube, 0.01 * lens * cube);

    // Polygons with their corners at the same angles.
    const BodyPtr shaft = placed(cylinder(10, 60, 80)), hub = placed(tube(20, 9.95, 30, 80));
    const double shell = 40 * std::sin(std::numbers::pi / 40) * (100 - 9.95 * 9.95) * 30;
    check({hub, world}, {shaft, world}, shell * cube, 1e-4 * shell * cube);

    const BodyPtr hollow = placed(joined({icosphere(3, 3), insideOut(icosphere(2, 3))}));
    CHECK(*overlapVolume({hollow, world}, {sphere, world}).volume == 0);
  }
}

TEST_CASE("the common volume of open parts is unknown, and says so", "[query][volume]") {
  const BodyPtr a = bodyOf(flatSheet(3, 3)), b = bodyOf(box(1, 1, 1));
  for (const OverlapVolume& found : {overlapVolume({a, {}}, {b, {}}), overlapVolume({b, {}}, {a, {}})}) {
    CHECK_FALSE(found.volume);
    CHECK(found.unknownBecause == "part '" + a->mesh().name() + "' is not closed");
  }
}

TEST_CASE("a limit ends the search for the common volume with a bound that holds", "[query][volume]") {
  const BodyPtr a = bodyOf(icosphere(1, 4));
  const Transform beside = shift(0.7, 0.2, 0.1);
  const double d = norm(beside.t), lens = std::numbers::pi * (4 + d) * (2 - d) * (2 - d) / 12;
  for (const std::size_t pieces : {1, 10, 100, 1000}) {
    const OverlapVolume found =
        overlapVolume({a, {}}, {a, beside}, {.relativeAccuracy = 0, .maxPieces = pieces});
    CHECK(found.status == ReportStatus::truncated);
    CHECK(std::abs(*found.volume - lens) <= found.errorBound + 0.01 * lens);
  }
  std::stop_source source;
  source.request_stop();
  OverlapVolumeRequest cancelled;
  cancelled.limits.cancel = source.get_token();
  const OverlapVolume found = overlapVolume({a, {}}, {a, beside}, cancelled);
  CHECK(found.status == ReportStatus::cancelled);
  CHECK(std::abs(*found.volume - lens) <= found.errorBound);
  CHECK_THROWS_AS(overlapVolume({a, {}}, {a, beside}, {.relativeAccuracy = -1}), InputError);
  CHECK_THROWS_AS(overlapVolume({nullptr, {}}, {a, beside}), InputError);
}

}  // namespace overlap_volume_tests
