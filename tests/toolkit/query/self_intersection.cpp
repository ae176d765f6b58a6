#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/query/self_intersection.h>

#include <models/process_plant.h>

#include "support/analytic_solids.h"
#include "support/cgal_oracle.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace self_intersection_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Counts = std::map<std::pair<SurfaceId, SurfaceId>, std::size_t>;

/// Number of crossing pairs of triangles by surfaces, in rational arithmetic.
Counts bruteForceCounts(const SolidModel& solid) {
  const TriangleMesh& mesh = solid.mesh();
  Counts counts;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    for (std::uint32_t j = i + 1; j < mesh.triangleCount(); ++j) {
      const TriangleId first{i}, second{j};
      const Triangle t = mesh.triangle(first), s = mesh.triangle(second);
      if (rationalDegenerate(t) || rationalDegenerate(s) || !rationalIntersect(t, s, Touching::exclude))
        continue;
      const bool isCoplanar = std::all_of(std::begin(s.v), std::end(s.v), [&](const Vec3& p) {
        return rationalOrient3d(t.v[0], t.v[1], t.v[2], p) == 0;
      });
      if (isCoplanar && solid.topology().componentOf(first) != solid.topology().componentOf(second)) continue;
      ++counts[std::minmax(mesh.surfaceOf(first), mesh.surfaceOf(second))];
    }
  return counts;
}

Counts countsOf(const std::vector<SelfIntersection>& found) {
  Counts counts;
  for (const SelfIntersection& f : found) counts[{f.a, f.b}] += f.pairs;
  return counts;
}

/// A closed tube of radius `thickness` round a closed curve in the plane z = 0.
MeshPtr tubeAlong(const std::function<Vec3(double)>& curve, double thickness, std::uint32_t steps) {
  constexpr std::uint32_t around = 12;
  TriangleMeshBuilder b("tube");
  for (std::uint32_t i = 0; i < steps; ++i) {
    const double u = double(i) / steps;
    const Vec3 p = curve(u), along = normalized(curve(u + 1e-4) - curve(u - 1e-4));
    const Vec3 across = cross(Vec3{0, 0, 1}, along);
    for (std::uint32_t k = 0; k < around; ++k) {
      const double phi = 2 * std::numbers::pi * k / around;
      b.addPoint(p + (across * std::cos(phi) + Vec3{0, 0, std::sin(phi)}) * thickness);
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t k) { return i % steps * around + k % around; };
  for (std::uint32_t half = 0; half < 2; ++half) {
    b.beginSurface(half == 0 ? "first half" : "second half");
    for (std::uint32_t i = half * steps / 2; i < (half + 1) * steps / 2; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        b.addTriangle(at(i, k), at(i + 1, k), at(i + 1, k + 1));
        b.addTriangle(at(i, k), at(i + 1, k + 1), at(i, k + 1));
      }
  }
  return finished(b);
}

/// A prism over a quadrilateral that crosses itself.
MeshPtr bowTie() {
  TriangleMeshBuilder b("bow tie");
  const std::vector<Vec3> base{{-2, -1, 0}, {2, 1, 0}, {2, -1, 0}, {-2, 1, 0}};
  for (const double z : {0.0, 1.0})
    for (const Vec3& p : base) b.addPoint({p.x, p.y, z});
  b.beginSurface("walls");
  for (std::uint32_t i = 0; i < 4; ++i) {
    const std::uint32_t j = (i + 1) % 4;
    b.addTriangle(i, j, j + 4);
    b.addTriangle(i, j + 4, i + 4);
  }
  b.beginSurface("ends");
  b.addTriangle(0, 2, 1);
  b.addTriangle(0, 3, 2);
  b.addTriangle(4, 5, 6);
  b.addTriangle(4, 6, 7);
  return finished(b);
}

}  // namespace

TEST_CASE("crossing triangles of one part are those that rational arithmetic finds",
          "[query][self][oracle]") {
  std::vector<MeshPtr> meshes{
      degenerateSet(),
      bowTie(),
      lShape(3, 1),
      sliverFan(12, 2, 1e-3),
      joined({box(2, 2, 2), transformed(box(2, 2, 2), shift(1, 0, 0)), box(1, 1, 9)}),
      joined({sixSidedBox(2, 2, 2, 2), transformed(sixSidedBox(2, 2, 2, 2), shift(1, 1, 1))})};
  for (std::uint64_t seed = 0; seed < effort(4U, 60U); ++seed) {
    meshes.push_back(soup(60, seed, 0.6, 3));
    meshes.push_back(latticeSoup(40, seed, 3, 3));
    Random random(seed);
    const Transform turn = randomPlacement(PlacementClass::rigid, random, 0.5);
    meshes.push_back(joined({icosphere(1, 1), transformed(lShape(2, 1), turn)}));
  }
  std::size_t total = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    CAPTURE(i);
    const BodyPtr solid = bodyOf(meshes[i]);
    const std::vector<SelfIntersection> found = selfIntersections(*solid);
    CHECK(countsOf(found) == bruteForceCounts(*solid));
    for (const SelfIntersection& f : found) {
      total += f.pairs;
      CHECK(f.a <= f.b);
      CHECK(solid->mesh().surfaceOf(f.first) == f.a);
      CHECK(solid->mesh().surfaceOf(f.second) == f.b);
      const Vec3 p = f.point - solid->mesh().origin();
      const Triangle point{{p, p, p}};
      CHECK(exactDistance(point, solid->mesh().triangle(f.first)) < 1e-12);
      CHECK(exactDistance(point, solid->mesh().triangle(f.second)) < 1e-12);
    }
    CHECK(std::is_sorted(found.begin(), found.end(), [](const auto& p, const auto& q) {
      return std::tuple(p.kind, p.a, p.b) < std::tuple(q.kind, q.a, q.b);
    }));
  }
  CHECK(total > 300);
}

TEST_CASE("sound parts do not cross themselves", "[query][self]") {
  // Nozzles of the plant's vessels are shells that cross the vessel.
  const Assembly plant = models::makeProcessPlant();
  for (std::uint32_t i = 0; i < plant.partCount(); ++i) {
    const auto& mesh = plant.part(PartId{i});
    INFO(mesh.name());
    for (const SelfIntersection& f : selfIntersections(*bodyOf(std::make_shared<const TriangleMesh>(mesh))))
      CHECK(f.kind == SelfIntersectionKind::shells);
  }
  for (const MeshPtr& mesh :
       {emptyMesh(), box(1, 2, 3), sixSidedBox(1, 2, 3, 4), icosphere(1, 3), uvSphere(1, 12, 8, 3),
        lShape(3, 1), cylinder(1, 3, 24), tube(5, 3, 4, 40), threadedRod({}), flatSheet(4, 4), tetrahedron(1),
        tubeAlong(
            [](double u) {
              return Vec3{3 * std::cos(2 * std::numbers::pi * u), 3 * std::sin(2 * std::numbers::pi * u), 0};
            },
            0.5, 40)})
    CHECK(selfIntersections(*bodyOf(mesh)).empty());
  // A cavity, and boxes of one part that touch in a face, an edge and a corner.
  CHECK(selfIntersections(*bodyOf(joined({icosphere(3, 2), insideOut(icosphere(2, 2))}))).empty());
  for (const Vec3& beside : {Vec3{1, 0.25, 0}, Vec3{1, 1, 0.25}, Vec3{1, 1, 1}})
    CHECK(selfIntersections(
              *bodyOf(joined({box(1, 1, 1), transformed(box(1, 1, 1), Transform::translation(beside))})))
              .empty());
}

TEST_CASE("a shell that crosses itself differs from shells that cross", "[query][self]") {
  const auto only = [](const MeshPtr& mesh) {
    const std::vector<SelfIntersection> found = selfIntersections(*bodyOf(mesh));
    REQUIRE(!found.empty());
    for (const SelfIntersection& f : found) CHECK(f.kind == found.front().kind);
    return found;
  };
  // A tube in the form of an 8 meets itself in the middle: its first half the second one.
  const auto eight = only(tubeAlong(
      [](double u) {
        const double a = 2 * std::numbers::pi * (u + 0.25);
        return Vec3{4 * std::cos(a), 3 * std::sin(2 * a), 0};
      },
      0.4, 60));
  CHECK(eight.front().kind == SelfIntersectionKind::itself);
  CHECK(std::ranges::any_of(eight, [](const auto& f) { return f.a == SurfaceId{0} && f.b == SurfaceId{1}; }));
  for (const SelfIntersection& f : eight) CHECK(norm(f.point) < 1);
  CHECK(std::ranges::any_of(selfIntersections(*bodyOf(bowTie())),
                            [](const auto& f) { return f.kind == SelfIntersectionKind::itself; }));

  const MeshPtr beside = transformed(box(1, 1, 1), shift(0.5, 0.25, 0.125));
  CHECK(only(joined({box(1, 1, 1), beside})).front().kind == SelfIntersectionKind::shells);
  CHECK(only(joined({box(1, 1, 1), transformed(flatSheet(2, 2), shift(-1, -1, 0.1))})).front().kind ==
        SelfIntersectionKind::open);

  // Two triangles at one edge, the second folded onto the first; unfolded, they are neighbours.
  for (const double side : {1.0, -1.0}) {
    const std::vector<Triangle> two{{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}},
                                    {{{1, 0, 0}, {0, 0, 0}, {1, side, 0}}}};
    const auto found = selfIntersections(*bodyOf(fromTriangles("fold", two)));
    CHECK(found.size() == (side > 0 ? 1 : 0));
    if (!found.empty()) CHECK(found.front().kind == SelfIntersectionKind::folded);
  }
}

TEST_CASE("the search for crossings of a part can be cancelled", "[query][self]") {
  std::stop_source source;
  source.request_stop();
  const Progress progress(source.get_token());
  CHECK_THROWS_AS(selfIntersections(*bodyOf(icosphere(1, 2)), WorkMeter(progress)), CancelledError);
}

}  // namespace self_intersection_tests
