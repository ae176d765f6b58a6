#include <fitup/mesh/triangle_mesh.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace triangle_mesh_tests {

using namespace fitup;
using namespace fitup::test;
using Catch::Matchers::Contains;

namespace {

TriangleMeshBuilder threePoints() {
  TriangleMeshBuilder b("part");
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) b.addPoint(p);
  return b;
}

}  // namespace

TEST_CASE("the builder refuses what is no coordinate", "[mesh]") {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity()})
    for (int axis = 0; axis < 3; ++axis) {
      TriangleMeshBuilder b = threePoints();
      Vec3 p{1, 2, 3};
      p[axis] = bad;
      CHECK_THROWS_AS(b.addPoint(p), InputError);
      CHECK_THROWS_WITH(b.addPoint(p), Contains("part") && Contains("point 3"));
      CHECK(b.pointCount() == 3);
    }
  TriangleMeshBuilder b = threePoints();
  CHECK_THROWS_AS(b.addPoint({0, 2 * limits::largest, 0}), RangeError);
  CHECK_THROWS_WITH(b.addPoint({0, -2 * limits::largest, 0}), Contains("part") && Contains("point 3"));
  CHECK_NOTHROW(b.addPoint({0, limits::largest, -limits::largest}));
}

TEST_CASE("the builder refuses indices out of range", "[mesh]") {
  TriangleMeshBuilder b = threePoints();
  b.addTriangle(0, 1, 2);
  CHECK_THROWS_AS(b.addTriangle(0, 1, 3), InputError);
  CHECK_THROWS_WITH(b.addTriangle(0xFFFFFFFFU, 1, 2), Contains("part") && Contains("triangle 1"));
  CHECK(b.triangleCount() == 1);
  CHECK(b.build().triangleCount() == 1);
}

TEST_CASE("an empty mesh is a mesh", "[mesh]") {
  const TriangleMesh mesh = TriangleMeshBuilder("nothing").build();
  CHECK(mesh.triangleCount() == 0);
  CHECK(mesh.points().empty());
  CHECK(mesh.surfaces().empty());
  CHECK(mesh.bounds().empty());
  CHECK(mesh.boundsInPart().empty());
  CHECK(TriangleMesh().triangleCount() == 0);
  CHECK(TriangleMesh().contentHash() == mesh.contentHash());
  // Points without triangles, and a face that could not be tessellated.
  TriangleMeshBuilder b = threePoints();
  b.beginSurface("lost face");
  const TriangleMesh lost = b.build();
  CHECK(lost.bounds().empty());
  REQUIRE(lost.surfaces().size() == 1);
  CHECK(lost.surfaces()[0].triangleCount == 0);
  CHECK(lost.surfaces()[0].name == "lost face");
}

TEST_CASE("a mesh that was moved from is empty", "[mesh]") {
  TriangleMesh mesh = *tetrahedron(1);
  const TriangleMesh copy = mesh, taken = std::move(mesh);
  CHECK(taken.contentHash() == copy.contentHash());
  const auto isEmpty = [](const TriangleMesh& m) {
    return m.triangleCount() == 0 && m.surfaces().empty() && m.bounds().empty() && m.boundsInPart().empty() &&
           m.contentHash() == TriangleMesh().contentHash();
  };
  CHECK(isEmpty(mesh));  // NOLINT(bugprone-use-after-move)
  TriangleMesh again = copy, other;
  other = std::move(again);
  CHECK(isEmpty(again));  // NOLINT(bugprone-use-after-move)
  CHECK(other.triangleCount() == copy.triangleCount());
  CHECK(other.surfaceOf(TriangleId{0}) == SurfaceId{0});
}

TEST_CASE("triangles belong to the surface begun last", "[mesh]") {
  TriangleMeshBuilder b = threePoints();
  const SurfaceId first = b.beginSurface("first", Colour{1, 0, 0, 1});
  b.addTriangle(0, 1, 2, 17);
  b.beginSurface("hollow");
  const SurfaceId last = b.beginSurface("last");
  b.addTriangle(2, 1, 0);
  b.addTriangle(0, 2, 1);
  const TriangleMesh mesh = b.build();
  REQUIRE(mesh.surfaces().size() == 3);
  CHECK(mesh.surfaceOf(TriangleId(0)) == first);
  CHECK(mesh.surfaceOf(TriangleId(1)) == last);
  CHECK(mesh.surfaceOf(TriangleId(2)) == last);
  CHECK(mesh.surfaces()[0].colour == Colour{1, 0, 0, 1});
  CHECK(mesh.surfaces()[2].firstTriangle == 1);
  CHECK(mesh.sourceTriangle(TriangleId(0)) == 17);
  CHECK(mesh.sourceTriangle(TriangleId(1)) == 1);
  CHECK(mesh.surfaces()[0].fingerprint.area == Approx(0.5));
  CHECK(norm(mesh.surfaces()[2].fingerprint.centroid - Vec3{1.0 / 3, 1.0 / 3, 0}) < 1e-15);
  // Building again after additions.
  b.addTriangle(1, 0, 2);
  CHECK(b.build().triangleCount() == 4);
  CHECK(mesh.triangleCount() == 3);
}

TEST_CASE("degenerate triangles are counted after rounding and kept", "[mesh]") {
  const MeshPtr set = degenerateSet();
  CHECK(set->triangleCount() == 10);
  CHECK(set->validation().degenerateTriangles == 8);
  // Proper in double precision, a segment once stored.
  TriangleMeshBuilder b("needle");
  b.addPoint({1, 0, 0});
  b.addPoint({2, 0, 0});
  b.addPoint({1, 1e-60, 0});
  b.addTriangle(0, 1, 2);
  const TriangleMesh needle = b.build();
  CHECK(needle.triangleCount() == 1);
  CHECK(needle.validation().degenerateTriangles == 1);
  CHECK(box(1, 2, 3)->validation().degenerateTriangles == 0);
}

TEST_CASE("rounding to storage is reported and true", "[mesh]") {
  CHECK(box(1, 2, 3)->validation().largestRounding == 0);
  Random random(51);
  for (double reach : {1e-3, 1.0, 1e3, 1e9})
    for (double offset : {0.0, 1e6, -3e8}) {
      TriangleMeshBuilder b("cloud");
      std::vector<Vec3> given;
      for (int i = 0; i < 30; ++i) given.push_back(Vec3{offset, -offset, 0} + random.inCube(reach));
      for (const Vec3& p : given) b.addPoint(p);
      for (std::uint32_t i = 0; i + 2 < given.size(); ++i) b.addTriangle(i, i + 1, i + 2);
      const TriangleMesh mesh = b.build();
      REQUIRE(mesh.points().size() == given.size());
      double largest = 0;
      for (std::uint32_t i = 0; i < given.size(); ++i) {
        const Vec3 d = toVec3(mesh.points()[i]) - (given[i] - mesh.origin());
        largest = std::max({largest, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
      }
      CHECK(mesh.validation().largestRounding >= largest);
      CHECK(mesh.validation().largestRounding <= 2 * largest + 1e-300);
      // At least as good as a float's 24 bits over the part's own size (or its distance, unless that is far
      // larger).
      CHECK(largest <= 16 * reach * 0x1p-24);
    }
}

TEST_CASE("a part far from the origin keeps its differences exactly", "[mesh]") {
  Random random(52);
  for (double distance : {1e4, 1e6, 1e9}) {
    TriangleMeshBuilder b("far");
    std::vector<Vec3> given;
    for (int i = 0; i < 100; ++i) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = distance + random.integer(-10 * 1024, 10 * 1024) / 1024.0;
      given.push_back(p);
      b.addPoint(p);
    }
    for (std::uint32_t i = 0; i + 2 < given.size(); ++i) b.addTriangle(i, i + 1, i + 2);
    const TriangleMesh mesh = b.build();
    CHECK(mesh.validation().largestRounding == 0);
    for (std::uint32_t i = 0; i < given.size(); ++i) {
      CHECK(mesh.pointInPart(i) == given[i]);
      CHECK(toVec3(mesh.points()[i]) - toVec3(mesh.points()[0]) == given[i] - given[0]);
    }
    const Box bounds = mesh.boundsInPart();
    for (const Vec3& p : given)
      for (int k = 0; k < 3; ++k) CHECK((bounds.min[k] <= p[k] && p[k] <= bounds.max[k]));
  }
}

TEST_CASE("magnitudes at the ends of the range", "[mesh]") {
  TriangleMeshBuilder b("extremes");
  b.addPoint({limits::largest, 0, -limits::largest});
  b.addPoint({limits::smallest / 4, -limits::smallest / 4, -0.0});
  b.addPoint({1, 1, 1});
  b.addTriangle(0, 1, 2);
  const TriangleMesh mesh = b.build();
  CHECK(mesh.points()[1] == Point3f{0, 0, 0});
  CHECK_FALSE(std::signbit(mesh.points()[1].y));
  CHECK_FALSE(std::signbit(mesh.points()[1].z));
  CHECK(mesh.pointInPart(0) == Vec3{limits::largest, 0, -limits::largest});
}

TEST_CASE("content hash: equal contents, equal hash", "[mesh]") {
  const auto build = [](const char* name, double x, std::uint32_t a, bool split, const char* surfaceName) {
    TriangleMeshBuilder b(name);
    for (const Vec3& p : {Vec3{x, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) b.addPoint(p);
    b.beginSurface(surfaceName);
    b.addTriangle(a, 1, 2);
    if (split) b.beginSurface();
    b.addTriangle(1, 2, 3);
    return b.build().contentHash();
  };
  const std::uint64_t hash = build("part", 0, 0, false, "s");
  CHECK(build("part", 0, 0, false, "s") == hash);
  CHECK(build("other name", 0, 0, false, "other surface") == hash);
  CHECK(build("part", -0.0, 0, false, "s") == hash);
  CHECK(build("part", 0x1p-30, 0, false, "s") != hash);
  CHECK(build("part", 0, 3, false, "s") != hash);
  CHECK(build("part", 0, 0, true, "s") != hash);
  const MeshPtr part = sixSidedBox(1, 2, 3);
  CHECK(TriangleMesh(part->data()).contentHash() == part->contentHash());
  CHECK(transformed(part, Transform::translation({1e9, 0, 0}))->contentHash() != part->contentHash());
}

TEST_CASE("damaged data makes no mesh", "[mesh]") {
  const TriangleMesh::Data good = sixSidedBox(1, 1, 1)->data();
  CHECK_NOTHROW(TriangleMesh(good));
  const auto points = [&](auto change) {
    std::vector<Point3f> p(good.points.begin(), good.points.end());
    change(p);
    TriangleMesh::Data d = good;
    d.points = SharedArray<Point3f>(std::move(p));
    return d;
  };
  CHECK_THROWS_AS(TriangleMesh(points([](auto& p) { p[3].y = NAN; })), InputError);
  CHECK_THROWS_AS(TriangleMesh(points([](auto& p) { p[3].y = INFINITY; })), InputError);
  CHECK_THROWS_AS(TriangleMesh(points([](auto& p) { p[3].y = 0x1p101F; })), InputError);
  CHECK_THROWS_AS(TriangleMesh(points([](auto& p) { p[3].y = 0x1p-101F; })), InputError);
  CHECK_THROWS_AS(TriangleMesh(points([](auto& p) { p.pop_back(); })), InputError);
  TriangleMesh::Data d = good;
  for (const double wrong : {double(NAN), double(INFINITY), -1.0}) {
    // Tolerances are computed from these.
    d = good;
    d.deflection = {wrong, 0.1};
    CHECK_THROWS_AS(TriangleMesh(d), InputError);
    d.deflection = {0.1, wrong};
    CHECK_THROWS_AS(TriangleMesh(d), InputError);
    d = good;
    d.validation.largestRounding = wrong;
    CHECK_THROWS_AS(TriangleMesh(d), InputError);
  }
  d = good;
  d.validation.degenerateTriangles = static_cast<std::uint32_t>(good.triangles.size()) + 1;
  CHECK_THROWS_AS(TriangleMesh(d), InputError);
  d = good;
  d.surfaces[1].description.emplace().radius = INFINITY;
  CHECK_THROWS_AS(TriangleMesh(d), InputError);
  d = good;
  d.origin.z = NAN;
  CHECK_THROWS_AS(TriangleMesh(d), InputError);
  d = good;
  d.sourceTriangles = {};
  CHECK_THROWS_AS(TriangleMesh(d), InputError);
  for (std::size_t s = 0; s < good.surfaces.size(); ++s)
    for (std::uint32_t wrong : {0U, 1U, 3U, 0xFFFFFFFFU}) {
      d = good;
      d.surfaces[s].triangleCount = wrong;
      CHECK_THROWS_AS(TriangleMesh(d), InputError);
      d = good;
      if (d.surfaces[s].firstTriangle == wrong) continue;
      d.surfaces[s].firstTriangle = wrong;
      CHECK_THROWS_AS(TriangleMesh(d), InputError);
    }
}

TEST_CASE("feature edges follow points and surfaces", "[mesh]") {
  TriangleMeshBuilder builder("roof");
  for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{9, 9, 9}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 1}})
    builder.addPoint(p);
  const SurfaceId a = builder.beginSurface("a");
  builder.addTriangle(0, 2, 3);
  const SurfaceId b = builder.beginSurface("b");
  builder.addTriangle(2, 4, 3);
  builder.addFeatureEdge(std::array{3U, 2U}, b, a);
  builder.addFeatureEdge(std::array{2U, 1U}, a, {});  // along a point that no triangle uses
  builder.addFeatureEdge(std::array{2U, 4U, 3U}, b, {});
  const auto refused = [&](std::vector<std::uint32_t> points, SurfaceId face,
                           std::optional<SurfaceId> other) {
    CHECK_THROWS_AS(builder.addFeatureEdge(points, face, other), InputError);
  };
  refused({2}, a, b);
  refused({2, 5}, a, b);
  refused({2, 4}, SurfaceId(2), b);
  refused({2, 4}, a, SurfaceId(2));

  const TriangleMesh mesh = builder.build();
  REQUIRE(mesh.featureEdges().size() == 2);
  const FeatureEdge &ridge = mesh.featureEdges()[0], &open = mesh.featureEdges()[1];
  CHECK(ridge.face() == a);
  CHECK(ridge.otherFace() == b);
  CHECK(open.face() == b);
  CHECK_FALSE(open.otherFace());
  const auto positions = [&](const FeatureEdge& edge) {
    std::vector<Vec3> result;
    for (const std::uint32_t p : mesh.edgePoints(edge)) result.push_back(mesh.pointInPart(p));
    return result;
  };
  CHECK(positions(ridge) == std::vector<Vec3>{{0, 1, 0}, {1, 0, 0}});
  CHECK(positions(open) == std::vector<Vec3>{{1, 0, 0}, {1, 1, 1}, {0, 1, 0}});

  // Edges move with their points; with other surfaces they are dropped.
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i) points.push_back(mesh.pointInPart(i) * 2);
  CHECK(withPoints(mesh, points).edgePoints(open).size() == 3);
  CHECK(withSurfaces(mesh, std::vector<std::uint32_t>{0, 0}).featureEdges().empty());

  using Change = void (*)(std::vector<FeatureEdge>&, std::vector<std::uint32_t>&);
  const std::array<Change, 9> damages{[](auto& edges, auto&) { edges[0].pointCount = 1; },
                                      [](auto& edges, auto&) { edges[0].pointCount = 3; },
                                      [](auto& edges, auto&) { edges[1].pointCount = 0xffffffffU; },
                                      [](auto& edges, auto&) { edges[1].firstPoint = 1; },
                                      [](auto& edges, auto&) { edges.pop_back(); },
                                      [](auto& edges, auto&) { edges[0].second = 2; },
                                      [](auto& edges, auto&) { edges[1].first = FeatureEdge::none; },
                                      [](auto& edges, auto&) { std::swap(edges[0].first, edges[0].second); },
                                      [](auto&, auto& points) { points[4] = 4; }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    INFO(i);
    std::vector<FeatureEdge> edges(mesh.featureEdges().begin(), mesh.featureEdges().end());
    std::vector<std::uint32_t> edgePoints(mesh.data().edgePoints.begin(), mesh.data().edgePoints.end());
    damages[i](edges, edgePoints);
    TriangleMesh::Data data = mesh.data();
    data.featureEdges = SharedArray<FeatureEdge>(std::move(edges));
    data.edgePoints = SharedArray<std::uint32_t>(std::move(edgePoints));
    CHECK_THROWS_AS(TriangleMesh(std::move(data)), InputError);
  }
}

TEST_CASE("of many damaged elements the first is named", "[mesh]") {
  // Long enough for several rounds of vectorised validation, whatever the vector length.
  const MeshPtr mesh = soup(5000, 4, 0.1);
  const auto messageWith = [&](auto change) {
    std::vector<Point3f> points(mesh->points().begin(), mesh->points().end());
    std::vector<TriangleIndices> triangles(mesh->triangles().begin(), mesh->triangles().end());
    change(points, triangles);
    TriangleMesh::Data data = mesh->data();
    data.points = SharedArray<Point3f>(std::move(points));
    data.triangles = SharedArray<TriangleIndices>(std::move(triangles));
    try {
      (void)TriangleMesh(std::move(data));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string start = "mesh 'soup': ", count = std::to_string(mesh->points().size());
  CHECK(messageWith([](auto&, auto&) {}).empty());
  for (std::size_t i :
       {std::size_t(0), std::size_t(1023), std::size_t(1024), std::size_t(7777), mesh->points().size() - 1}) {
    for (float bad : {NAN, -NAN, INFINITY, -INFINITY})
      CHECK(messageWith([&](auto& points, auto&) { points[i].z = points.back().z = bad; }) ==
            start + "point " + std::to_string(i) + ": coordinate is not finite");
    for (float bad : {0x1.000002p100F, -0x1.000002p100F, 0x0.ffffffp-100F, -0x1p-149F})
      CHECK(messageWith([&](auto& points, auto&) { points[i].x = points.back().x = bad; }) ==
            start + "point " + std::to_string(i) + ": coordinate outside 2^-100 to 2^100");
    CHECK(messageWith([&](auto& points, auto&) { points[i] = {0x1p100F, -0x1p-100F, -0.0F}; }).empty());
  }
  for (std::size_t i : {0U, 1023U, 1024U, 3333U, 4999U})
    for (std::uint32_t bad : {static_cast<std::uint32_t>(mesh->points().size()), 0x80000000U, 0xffffffffU})
      CHECK(messageWith([&](auto&, auto& triangles) { triangles[i][1] = triangles.back()[2] = bad; }) ==
            start + "triangle " + std::to_string(i) + ": index " + std::to_string(bad) + " of " + count +
                " points");
}

TEST_CASE("bounds are those of the points that triangles use", "[mesh]") {
  TriangleMesh::Data data = box(1, 2, 3)->data();
  std::vector<Point3f> points(data.points.begin(), data.points.end());
  points.push_back({50, -50, 50});
  data.points = SharedArray<Point3f>(std::move(points));
  CHECK(TriangleMesh(data).bounds() == box(1, 2, 3)->bounds());
}

TEST_CASE("withSurfaces regroups and keeps the source's order", "[mesh]") {
  const MeshPtr raw = box(1, 2, 3);
  std::vector<std::uint32_t> label(raw->triangleCount());
  for (std::uint32_t i = 0; i < label.size(); ++i) label[i] = (i + 1) % 3;
  const TriangleMesh mesh = withSurfaces(*raw, label);
  REQUIRE(mesh.surfaces().size() == 3);
  REQUIRE(mesh.triangleCount() == raw->triangleCount());
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const std::uint32_t source = mesh.sourceTriangle(TriangleId(i));
    CHECK(index(mesh.surfaceOf(TriangleId(i))) == label[source]);
    const Triangle t = mesh.triangle(TriangleId(i)), u = raw->triangle(TriangleId(source));
    for (int k = 0; k < 3; ++k) CHECK(mesh.origin() + t.v[k] == raw->origin() + u.v[k]);
  }
  CHECK(mesh.validation().degenerateTriangles == raw->validation().degenerateTriangles);
  CHECK_THROWS_AS(withSurfaces(*raw, std::vector<std::uint32_t>(3)), InputError);
  // Far away too, where points go through the part frame and back.
  const MeshPtr far = transformed(raw, Transform::translation({1e6, 2e6, -1e6}));
  const TriangleMesh again = withSurfaces(*far, label);
  CHECK(again.origin() == far->origin());
  for (std::uint32_t i = 0; i < far->points().size(); ++i) CHECK(again.points()[i] == far->points()[i]);
}

TEST_CASE("points that no triangle uses are left out and spoil nothing", "[mesh]") {
  const auto build = [](bool stray) {
    TriangleMeshBuilder b("part");
    if (stray) b.addPoint({1e9, 0, 0});
    const std::uint32_t p = b.addPoint({1000.25, 0, 0}), q = b.addPoint({1001.5, 0, 0}),
                        r = b.addPoint({1000, 1, 0.1});
    b.addTriangle(p, q, r);
    return b.build();
  };
  const TriangleMesh clean = build(false), strayed = build(true);
  CHECK(strayed.points().size() == 3);
  CHECK(strayed.contentHash() == clean.contentHash());
  CHECK(strayed.validation().largestRounding == clean.validation().largestRounding);
}

TEST_CASE("a mesh regrouped keeps its points, origin and what validation found", "[mesh]") {
  TriangleMeshBuilder b("part");
  for (int i = 0; i < 4; ++i) b.addPoint({1e6 + 0.1 * i, 0.3 * i * i, 0.7 - i});
  b.addTriangle(0, 1, 2);
  b.addTriangle(1, 2, 3);
  b.addTriangle(0, 0, 3);
  const TriangleMesh mesh = b.build();
  REQUIRE(mesh.validation().largestRounding > 0);
  const TriangleMesh regrouped = withSurfaces(mesh, std::vector<std::uint32_t>{1, 0, 1});
  CHECK(regrouped.origin() == mesh.origin());
  CHECK(regrouped.validation().largestRounding == mesh.validation().largestRounding);
  CHECK(regrouped.validation().degenerateTriangles == 1);
  CHECK(regrouped.surfaces().size() == 2);
  CHECK(regrouped.sourceTriangle(TriangleId{0}) == 1);
  CHECK_THROWS_AS(withSurfaces(mesh, std::vector<std::uint32_t>{0, 2, 2}), InputError);  // a gap
  CHECK_THROWS_AS(withSurfaces(mesh, std::vector<std::uint32_t>{0, 0, 0xFFFFFFFFU}), InputError);
}

TEST_CASE("a mesh of arrays is the one that the builder makes, with the caller's numbers of surfaces",
          "[mesh]") {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<TriangleIndices> triangles{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const std::uint64_t large = std::uint64_t{1} << 60;
  const TriangleMesh mesh =
      TriangleMesh::from(points, triangles, std::vector{large, 7UL, large, 7UL}, "four");

  TriangleMeshBuilder builder("four");
  for (const Vec3& p : points) builder.addPoint(p);
  builder.beginSurface();
  builder.addTriangle(0, 1, 3);
  builder.addTriangle(2, 0, 3);
  builder.beginSurface();
  builder.addTriangle(0, 2, 1);
  builder.addTriangle(1, 2, 3);
  CHECK(mesh.name() == "four");
  CHECK(mesh.contentHash() == builder.build().contentHash());
  REQUIRE(mesh.surfaces().size() == 2);
  CHECK(mesh.surfaces()[0].tag == 7);
  CHECK(mesh.surfaces()[1].tag == large);
  for (const auto& [triangle, source] : {std::pair{0U, 1U}, {1U, 3U}, {2U, 0U}, {3U, 2U}})
    CHECK(mesh.sourceTriangle(TriangleId{triangle}) == source);
  // The number stays with the surface when the mesh is bent.
  std::vector<Vec3> moved = points;
  moved[3].z = 2;
  CHECK(withPoints(mesh, moved).surfaces()[1].tag == large);

  const TriangleMesh one = TriangleMesh::from(points, triangles);
  CHECK(one.surfaces().size() == 1);
  CHECK(one.triangleCount() == 4);
  CHECK(TriangleMesh::from({}, {}).triangleCount() == 0);
  CHECK_THROWS_WITH(TriangleMesh::from(points, triangles, std::vector<std::uint64_t>{1, 2}, "four"),
                    Contains("four") && Contains("2 numbers of surfaces for 4 triangles"));
  CHECK_THROWS_AS(TriangleMesh::from({points.data(), 3}, triangles), InputError);  // index 3
}

}  // namespace triangle_mesh_tests
