#include <catch2/catch.hpp>

#include <fitup/mesh/watertightness.h>

#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace watertightness_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Watertightness watertightnessOf(const MeshPtr& mesh) {
  return SolidModel::build(CollisionModel::build(mesh))->watertightness();
}

/// Returns the mesh without the triangles of one surface.
MeshPtr without(const MeshPtr& mesh, std::uint32_t surface) {
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i)
    if (index(mesh->surfaceOf(TriangleId{i})) != surface) triangles.push_back(mesh->triangle(TriangleId{i}));
  return fromTriangles(mesh->name(), triangles);
}

}  // namespace

TEST_CASE("closed meshes are closed however their corners are shared, with the right volume") {
  for (const MeshPtr& mesh : {box(2, 3, 4), sixSidedBox(2, 3, 4, 3), subdivided(box(2, 3, 4), 2)}) {
    const Watertightness c = watertightnessOf(mesh);
    CHECK(c.closed());
    CHECK(c.components().size() == 1);
    CHECK(c.openEdges() == 0);
    CHECK(c.volume() == Approx(24));
    CHECK(text(c) == "closed");
  }
  for (const MeshPtr& mesh : {tetrahedron(1), icosphere(1, 2), uvSphere(1, 12, 8, 3), cylinder(1, 2, 16),
                              lShape(4, 1), tube(2, 1, 3, 12, 2), threadedRod({}), threadedRing({}, 7)})
    CHECK(watertightnessOf(mesh).closed());
}

TEST_CASE("what is open is counted and its surfaces are named") {
  // A box of six faces of one quad each: without the face +x, its four border edges are open.
  const Watertightness c = watertightnessOf(without(sixSidedBox(1, 1, 1), 1));
  CHECK_FALSE(c.closed());
  CHECK(c.openEdges() == 4);
  CHECK(text(c) == "open: 4 open edges at 1 surface");

  const MeshPtr sheet = flatSheet(2, 2);
  CHECK(watertightnessOf(sheet).openEdges() == 8);
  CHECK(watertightnessOf(sheet).openSurfaces() == std::vector{SurfaceId{0}});
  CHECK_FALSE(watertightnessOf(emptyMesh()).closed());
  CHECK(text(watertightnessOf(emptyMesh())) == "empty");
}

TEST_CASE("a part with a closed and an open component has an inside, of the closed one") {
  const MeshPtr mesh =
      joined({box(1, 1, 1), transformed(flatSheet(1, 1), Transform::translation({5, 0, 0}))});
  const Watertightness c = watertightnessOf(mesh);
  CHECK_FALSE(c.closed());
  CHECK(c.hasInside());
  CHECK(c.components()[0].closed());
  CHECK_FALSE(c.components()[1].closed());
}

TEST_CASE("orientation is normalised: inside-out parts, single triangles, cavities") {
  const Watertightness reversed = watertightnessOf(insideOut(box(1, 1, 1)));
  CHECK(reversed.closed());
  CHECK(reversed.components()[0].insideOut);
  CHECK(reversed.outward(TriangleId{3}) == -1);
  CHECK(reversed.volume() == Approx(1));

  // Two wrongly wound triangles of a box are reversed to agree with the rest.
  TriangleMeshBuilder b("mixed");
  const MeshPtr good = box(1, 1, 1);
  for (std::uint32_t i = 0; i < 8; ++i) b.addPoint(good->pointInPart(i));
  for (std::uint32_t i = 0; i < 12; ++i) {
    const TriangleIndices& t = good->triangles()[i];
    if (i == 4 || i == 7)
      b.addTriangle(t[0], t[2], t[1]);
    else
      b.addTriangle(t[0], t[1], t[2]);
  }
  const MeshPtr mixed = std::make_shared<const TriangleMesh>(b.build());
  const Watertightness c = watertightnessOf(mixed);
  CHECK(c.closed());
  CHECK(c.components()[0].reversedTriangles == 2);
  for (std::uint32_t i = 0; i < 12; ++i) CHECK(c.outward(TriangleId{i}) == (i == 4 || i == 7 ? -1 : 1));
  CHECK(c.volume() == Approx(1));

  // A shell in another one bounds a cavity, whichever way it points; the same box beside it is inside out.
  for (const bool turned : {false, true}) {
    const Watertightness hollow =
        watertightnessOf(joined({box(4, 4, 4), turned ? insideOut(box(1, 1, 1)) : box(1, 1, 1)}));
    CHECK(hollow.components()[1].isCavity);
    CHECK(hollow.components()[1].insideOut != turned);
    CHECK(hollow.volume() == Approx(63));
    CHECK(text(hollow) == (turned ? "closed, 1 cavity" : "closed, 1 cavity assumed"));
  }
  const Watertightness beside = watertightnessOf(
      joined({box(4, 4, 4), transformed(insideOut(box(1, 1, 1)), Transform::translation({9, 0, 0}))}));
  CHECK(beside.components()[1].insideOut);
  CHECK(beside.volume() == Approx(65));
}

TEST_CASE("orientation of several components is that of the nest they are in") {
  const MeshPtr outer = box(10, 10, 10), cavity = insideOut(box(4, 4, 4));
  const auto moved = [](const MeshPtr& mesh, double x, double y, double z) {
    return transformed(mesh, Transform::translation({x, y, z}));
  };
  // A file with all normals reversed: outer shell and cavity are both reversed, and so is a solid in the
  // cavity.
  const MeshPtr nest = joined({outer, cavity, box(1, 1, 1)});
  CHECK(watertightnessOf(nest).volume() == Approx(1000 - 64 + 1));
  CHECK(watertightnessOf(insideOut(nest)).volume() == Approx(1000 - 64 + 1));
  // Overlapping solids are not cavities of each other, wherever their corners are.
  const MeshPtr overlapping = joined({outer, moved(box(4, 4, 4), 5, 0, 0)});
  CHECK(watertightnessOf(overlapping).volume() == Approx(1064));
  CHECK(watertightnessOf(insideOut(overlapping)).volume() == Approx(1064));
  // A solid in a corner of the cavity touches it there.
  const MeshPtr standing = joined({outer, cavity, moved(box(1, 1, 1), -1.5, -1.5, -1.5)});
  CHECK(watertightnessOf(standing).volume() == Approx(1000 - 64 + 1));
}

TEST_CASE("edges of more than two triangles are counted and close a part if they balance") {
  // Two boxes that share one edge: four triangles meet there.
  const Watertightness c =
      watertightnessOf(joined({box(1, 1, 1), transformed(box(1, 1, 1), Transform::translation({1, 1, 0}))}));
  CHECK(c.closed());
  CHECK(c.nonManifoldEdges() == 1);
  CHECK(c.components().size() == 1);
}

}  // namespace watertightness_tests
