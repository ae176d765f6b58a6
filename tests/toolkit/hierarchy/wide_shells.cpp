#include <fitup/hierarchy/detail/wide_shells.h>

#include <catch2/catch.hpp>

#include <fitup/hierarchy/wide_bvh.h>
#include <fitup/query/intersect.h>
#include <models/grid.h>
#include <models/placements.h>
#include <models/sphere.h>

#include "support/sweep_oracle.h"
#include "support/tiny_meshes.h"

namespace wide_shells_tests {

using namespace fitup;
using namespace fitup::test;
using detail::Bodies;
using detail::shellsWorthSplitting;

namespace {

constexpr models::GridOptions lattice{.bars = 5, .cells = 12, .size = 500, .thickness = 15};

/// Returns the same triangles and surfaces, with separate points for each triangle.
MeshPtr unwelded(const TriangleMesh& mesh) {
  TriangleMeshBuilder builder(mesh.name());
  for (const Surface& surface : mesh.surfaces()) {
    builder.beginSurface(surface.name);
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
      const Triangle t = mesh.triangle(TriangleId(surface.firstTriangle + i));
      const std::uint32_t a = builder.addPoint(t.v[0] + mesh.origin());
      builder.addPoint(t.v[1] + mesh.origin());
      builder.addPoint(t.v[2] + mesh.origin());
      builder.addTriangle(a, a + 1, a + 2);
    }
  }
  return std::make_shared<const TriangleMesh>(builder.build());
}

void addTo(TriangleMeshBuilder& builder, const TriangleMesh& mesh, const Vec3& shift) {
  const auto first = static_cast<std::uint32_t>(builder.pointCount());
  for (const Point3f& p : mesh.points()) builder.addPoint(mesh.origin() + shift + Vec3{p.x, p.y, p.z});
  for (const TriangleIndices& t : mesh.triangles())
    builder.addTriangle(first + t[0], first + t[1], first + t[2]);
}

}  // namespace

TEST_CASE("bars that cross are shells worth splitting by", "[hierarchy][wide]") {
  const TriangleMesh grid = models::makeGrid(lattice);
  const std::optional<Bodies> shells = shellsWorthSplitting(grid, 0, 1);
  REQUIRE(shells);
  CHECK(shells->kind == Bodies::Kind::shells);
  CHECK(shells->surface(0) == 0U);
  const std::uint32_t perBar = 8 * lattice.cells + 4;
  REQUIRE(shells->weights == std::vector<std::uint32_t>(3 * lattice.bars * lattice.bars, perBar));
  REQUIRE(shells->items.size() == shells->weights.size());
  // The generator makes one bar after the other.
  bool right = true;
  for (std::uint32_t bar = 0; bar < shells->weights.size(); ++bar)
    for (std::uint32_t k = 0; k < perBar; ++k) right = right && shells->triangle(bar, k) == bar * perBar + k;
  CHECK(right);
  for (const detail::BuildItem& item : shells->items) {
    detail::Box4 around;
    for (std::uint32_t k = 0; k < perBar; ++k) {
      const detail::BuildItem triangle = detail::itemOf(grid, shells->triangle(item.id(), k));
      around.extend(triangle.min, triangle.max);
    }
    for (int axis = 0; axis < 3; ++axis) {
      right = right && item.min[axis] == around.min[axis] && item.max[axis] == around.max[axis];
    }
  }
  CHECK(right);
}

TEST_CASE("shells are not looked for where they do not help", "[hierarchy][wide]") {
  const auto worth = [](const TriangleMesh& mesh) { return shellsWorthSplitting(mesh, 0, 1).has_value(); };
  // One shell; shells of one triangle; a surface that is small.
  CHECK_FALSE(worth(models::makeSphere({1, 12, true})));
  CHECK_FALSE(worth(*unwelded(models::makeGrid(lattice))));
  CHECK_FALSE(worth(models::makeGrid({.bars = 2, .cells = 2, .size = 100, .thickness = 5})));
  // Separated spheres, which triangles alone separate as well, and one sphere inside the other, everywhere
  // close to it.
  const TriangleMesh sphere = models::makeSphere({1, 12, true}),
                     larger = models::makeSphere({1.02, 12, true});
  TriangleMeshBuilder apart("apart"), nested("nested");
  apart.beginSurface();
  nested.beginSurface();
  for (int i = 0; i < 8; ++i) addTo(apart, sphere, {3.0 * i, 0, 0});
  addTo(nested, sphere, {});
  addTo(nested, larger, {});
  CHECK_FALSE(worth(apart.build()));
  CHECK_FALSE(worth(nested.build()));
}

TEST_CASE("trees by shells are well formed, pure and answer as the oracle does",
          "[hierarchy][wide][oracle]") {
  const auto grid = std::make_shared<const TriangleMesh>(models::makeGrid(lattice));
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    const WideBvh tree = WideBvh::build(*grid, {.layout = layout});
    CHECK_FALSE(tree.problemFor(*grid, true));
    for (std::size_t i = 1; i < tree.nodeCount(); ++i)
      REQUIRE((layout == WideLayout::fast ? tree.nodes[i].head : tree.compactNodes[i].head).surface == 0);
  }
  const auto model = CollisionModel::build(grid), soup = CollisionModel::build(unwelded(*grid));
  for (const bool clear : {true, false}) {
    const Transform pose = models::entwinedGridPoses(lattice, 1, clear, 3).front();
    IntersectionRequest request;
    request.mode = QueryMode::allTrianglePairs;
    const IntersectionReport all = intersect({model, {}}, {model, pose}, request),
                             bySoup = intersect({soup, {}}, {soup, pose}, request);
    CHECK(all.trianglePairs == sweepOracle({model, {}}, {model, pose}).trianglePairs);
    CHECK(all.trianglePairs.empty() == clear);
    CHECK(all.trianglePairs == bySoup.trianglePairs);
    // This is the purpose of shells.
    if (clear) CHECK(4 * all.stats.boxTests < bySoup.stats.boxTests);
  }
}

}  // namespace wide_shells_tests
