#include <catch2/catch.hpp>

#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/intersect_triangle_triangle.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace point_query_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

double bruteDistance(const TriangleMesh& mesh, const Vec3& p) {
  double least = 1e300;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i)
    least = std::min(least, distancePointTriangle(p, mesh.triangle(TriangleId{i})).distance);
  return least;
}

std::vector<std::shared_ptr<const SolidModel>> bothLayouts(const MeshPtr& mesh) {
  std::vector<std::shared_ptr<const SolidModel>> bodies;
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    BuildOptions options;
    options.wide = WideBvhOptions{layout, true};
    bodies.push_back(SolidModel::build(modelOf(mesh, options)));
  }
  return bodies;
}

}  // namespace

TEST_CASE("closest points agree with brute force, with and without hints and bounds") {
  Random random(5);
  for (const MeshPtr& mesh :
       {icosphere(1, 2), lShape(3, 1), soup(200, 3, 0.4), degenerateSet(), sliverFan(20, 2, 1e-3)})
    for (const auto& body : bothLayouts(mesh)) {
      PointQuery query(body->model());
      TriangleId hint{};
      for (int i = 0; i < 60; ++i) {
        const Vec3 p = random.inCube(3);
        const double expected = bruteDistance(*mesh, p);
        const auto found = query.closest(p);
        REQUIRE(found);
        CHECK(found->distance == Approx(expected).margin(1e-12));
        CHECK(norm(found->point - p) == found->distance);
        CHECK(query.closest(p, std::numeric_limits<double>::infinity(), hint)->distance == found->distance);
        CHECK(query.closest(p, expected * 1.001 + 1e-9).has_value());
        CHECK_FALSE(query.closest(p, expected * 0.999 - 1e-9).has_value());
        hint = found->triangle;
      }
    }
  // A bound whose square is below the range of doubles.
  const ModelPtr ball = modelOf(icosphere(1, 2));
  for (const double within : {1e-150, 1e-170, 1e-300}) {
    const auto found = PointQuery(*ball).closest(ball->mesh().pointInPart(0) - ball->mesh().origin(), within);
    REQUIRE(found);
    CHECK(found->distance == 0);
  }
  const ModelPtr nothing = modelOf(emptyMesh());
  PointQuery empty(*nothing);
  CHECK_FALSE(empty.closest({}).has_value());
}

TEST_CASE("sides agree with winding numbers, however a part is oriented") {
  Random random(8);
  const std::vector<MeshPtr> meshes{
      icosphere(1, 2),
      insideOut(icosphere(1, 1)),
      lShape(1.5, 1),
      tube(1.2, 0.6, 1, 9),
      joined({box(2, 2, 2), insideOut(box(1, 1, 1))}),
      joined({box(1, 1, 1), transformed(insideOut(box(1, 1, 1)), Transform::translation({1.5, 0, 0}))})};
  for (const MeshPtr& mesh : meshes)
    for (const auto& body : bothLayouts(mesh)) {
      REQUIRE(body->watertightness().closed());
      PointQuery query(body->model());
      int inside = 0;
      for (int i = 0; i < 200; ++i) {
        const Vec3 p = random.inCube(1.3);
        const double winding = windingNumber(*mesh, body->watertightness(), p);
        CHECK(std::abs(winding - std::nearbyint(winding)) < 1e-9);
        const PointSide side = query.side(p, body->watertightness());
        CHECK((side == PointSide::inside) == (winding > 0.5));
        inside += side == PointSide::inside;
      }
      CHECK(inside > 10);
    }
}

TEST_CASE("points whose every simple ray hits edges and corners are still decided") {
  // A lattice of cells: from the centre of a box of n x n quads, all axes hit edges.
  const auto body = SolidModel::build(modelOf(sixSidedBox(2, 2, 2, 4)));
  PointQuery query(body->model());
  for (int x = -3; x <= 3; ++x)
    for (int y = -3; y <= 3; ++y)
      for (int z = -3; z <= 3; ++z) {
        const Vec3 p{0.5 * x, 0.5 * y, 0.5 * z};
        const double largest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        const PointSide expected = largest < 1   ? PointSide::inside
                                   : largest > 1 ? PointSide::outside
                                                 : PointSide::boundary;
        CHECK(query.side(p, body->watertightness()) == expected);
      }
}

TEST_CASE("winding number of an open box says how far it encloses a point") {
  // From the centre of a cube, each face covers a sixth of the sphere.
  std::vector<Triangle> five;
  const MeshPtr cube = sixSidedBox(1, 1, 1);
  for (std::uint32_t i = 2; i < 12; ++i) five.push_back(cube->triangle(TriangleId{i}));
  const auto body = SolidModel::build(modelOf(fromTriangles("open", five)));
  CHECK(windingNumber(body->mesh(), body->watertightness(), {}) == Approx(5.0 / 6));
  PointQuery query(body->model());
  CHECK(query.side({}, body->watertightness()) == PointSide::inside);
  CHECK(query.side({-0.49, 0, 0}, body->watertightness()) == PointSide::unknown);
  CHECK(query.side({0.6, 0, 0}, body->watertightness()) == PointSide::outside);
}

TEST_CASE("sides of open parts are those of their winding number, computed from the open edges alone") {
  Random random(52);
  // Solids without some of their triangles, with reversed ones, and beside a loose sheet.
  std::vector<MeshPtr> meshes;
  for (const MeshPtr& mesh :
       {icosphere(1, 2), sixSidedBox(1.5, 1.5, 1.5, 3), tube(1.2, 0.6, 1, 9), lShape(1.5, 1)})
    for (const int left : {2, 5, 20}) {
      std::vector<Triangle> some;
      for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i) {
        if (random.below(static_cast<std::uint32_t>(left)) == 0) continue;
        Triangle t = mesh->triangle(TriangleId{i});
        if (random.below(4) == 0) std::swap(t.v[1], t.v[2]);
        some.push_back(t);
      }
      meshes.push_back(fromTriangles("open", some));
    }
  meshes.push_back(
      joined({icosphere(1, 2), transformed(flatSheet(1, 1), Transform::translation({0.2, 0, 0.5}))}));
  std::array<int, 4> counts{};
  for (const MeshPtr& mesh : meshes)
    for (const auto& body : bothLayouts(mesh)) {
      REQUIRE_FALSE(body->watertightness().closed());
      PointQuery query(body->model());
      for (int i = 0; i < 200; ++i) {
        const Vec3 p = random.inCube(1);
        const Aabb& box = body->mesh().bounds();
        if (!(p.x > box.min.x && p.y > box.min.y && p.z > box.min.z && p.x < box.max.x && p.y < box.max.y &&
              p.z < box.max.z))
          continue;
        const double winding = windingNumber(body->mesh(), body->watertightness(), p);
        if (std::abs(winding - 0.75) < 1e-9 || std::abs(winding - 0.25) < 1e-9) continue;
        const PointSide side = query.side(p, body->watertightness());
        CHECK(side == (winding > 0.75   ? PointSide::inside
                       : winding < 0.25 ? PointSide::outside
                                        : PointSide::unknown));
        ++counts[static_cast<std::size_t>(side)];
      }
    }
  for (const PointSide side : {PointSide::inside, PointSide::outside, PointSide::unknown})
    CHECK(counts[static_cast<std::size_t>(side)] > 100);
}

TEST_CASE("a triangle meets a mesh exactly where the triangle test says so") {
  Random random(21);
  for (const MeshPtr& mesh : {icosphere(1, 2), latticeSoup(80, 4, 3)})
    for (const auto& body : bothLayouts(mesh)) {
      PointQuery query(body->model());
      int met = 0;
      for (int i = 0; i < 300; ++i) {
        Triangle t;
        const Vec3 c = random.inCube(2);
        for (Vec3& v : t.v) v = c + random.inCube(0.3);
        bool expected = false;
        for (std::uint32_t k = 0; k < mesh->triangleCount() && !expected; ++k)
          expected = intersectTriangleTriangle(t, mesh->triangle(TriangleId{k}));
        CHECK(query.meets(t) == expected);
        met += expected;
      }
      CHECK(met > 5);
      CHECK(met < 295);
    }
}

}  // namespace point_query_tests
