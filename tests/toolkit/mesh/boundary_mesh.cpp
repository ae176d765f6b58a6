#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

#include <fitup/hierarchy/point_query.h>
#include <fitup/mesh/boundary_mesh.h>

#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace boundary_mesh_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

MeshPtr meshOf(const std::vector<Triangle>& triangles) { return fromTriangles("part", triangles); }

BodyPtr solidOf(const std::vector<Triangle>& triangles) {
  return SolidModel::build(CollisionModel::build(meshOf(triangles)));
}

/// Cuts the triangles at random into two at a point of a side, each for itself, so that the point is not a
/// corner of the neighbour there: T-junctions.
std::vector<Triangle> withTJunctions(const std::vector<Triangle>& triangles, std::mt19937& random) {
  std::vector<Triangle> result;
  for (const Triangle& t : triangles) {
    if (random() % 4 != 0) {
      result.push_back(t);
      continue;
    }
    const int k = static_cast<int>(random() % 3);
    const Vec3 &a = t.v[k], &b = t.v[(k + 1) % 3], &c = t.v[(k + 2) % 3];
    const double s = std::uniform_real_distribution(0.35, 0.65)(random);
    const Vec3 middle = a + s * (b - a);
    result.push_back({{a, middle, c}});
    result.push_back({{middle, b, c}});
  }
  return result;
}

std::vector<MeshPtr> solids() {
  return {box(2, 3, 4), sixSidedBox(2, 3, 4, 3), icosphere(3, 2), cylinder(1, 2, 16),
          lShape(4, 1), tube(2, 1, 3, 12, 2),    threadedRod({}), tetrahedron(2)};
}

/// Seeded points in and around the box of a mesh, local.
std::vector<Vec3> pointsAround(const TriangleMesh& mesh, std::mt19937& random, int count) {
  const Vec3 c = mesh.bounds().centre(), h = mesh.bounds().halfExtent();
  std::uniform_real_distribution at(-1.2, 1.2);
  std::vector<Vec3> result;
  for (int i = 0; i < count; ++i)
    result.push_back({c.x + at(random) * h.x, c.y + at(random) * h.y, c.z + at(random) * h.z});
  return result;
}

/// Whether both solids have the same points inside, but for points nearer than `within` to the surface.
/// `other` is in the same part frame.
void requireSameInside(const BodyPtr& solid, const BodyPtr& other, std::mt19937& random, double within) {
  PointQuery query(solid->model()), otherQuery(other->model());
  const Vec3 shift = solid->mesh().origin() - other->mesh().origin();
  int inside = 0;
  for (const Vec3& p : pointsAround(solid->mesh(), random, 400)) {
    if (query.closest(p)->distance <= within) continue;
    const PointSide side = query.side(p, solid->watertightness());
    inside += side == PointSide::inside;
    CHECK(otherQuery.side(p + shift, other->watertightness()) == side);
  }
  CHECK(inside > 0);
}

}  // namespace

TEST_CASE("the boundary of a sound mesh is the mesh itself") {
  for (const MeshPtr& mesh : solids()) {
    const BoundaryMesh boundary = boundaryMesh(mesh, MeshTopology(*mesh));
    CHECK(boundary.mesh == mesh);
    CHECK_FALSE(boundary.repairs.any());
  }
}

TEST_CASE("doubled, seamed, cracked and turned triangles leave the inside as it was") {
  std::mt19937 random(52);
  for (const MeshPtr& mesh : solids()) {
    const std::vector<Triangle> sound = trianglesOf(mesh);
    const BodyPtr truth = solidOf(sound);
    REQUIRE(truth->watertightness().closed());

    {
      INFO(mesh->name() << ": "
                        << "some triangles are there twice");
      std::vector<Triangle> doubled = sound;
      for (std::size_t i = 0; i < sound.size(); i += 3) doubled.push_back(sound[i]);
      const BodyPtr solid = solidOf(doubled);
      CHECK(solid->watertightness().closed());
      CHECK(solid->repairs().duplicateTriangles == doubled.size() - sound.size());
      CHECK(solid->watertightness().volume() == Approx(truth->watertightness().volume()));
      requireSameInside(truth, solid, random, 1e-6);
    }
    {
      INFO(mesh->name() << ": "
                        << "all triangles are there in both senses");
      std::vector<Triangle> doubled;
      for (const Triangle& t : sound) {
        doubled.push_back(t);
        doubled.push_back(turned(t));
      }
      const BodyPtr solid = solidOf(doubled);
      CHECK(solid->watertightness().closed());
      CHECK(solid->repairs().doubleSidedTriangles == sound.size());
      CHECK(solid->repairs().cancelledTriangles == 0);
      requireSameInside(truth, solid, random, 1e-6);
    }
    {
      INFO(mesh->name() << ": "
                        << "a fifth of the triangles is reversed");
      std::vector<Triangle> mixed = sound;
      for (std::size_t i = 0; i < mixed.size(); i += 5) mixed[i] = turned(mixed[i]);
      const BodyPtr solid = solidOf(mixed);
      CHECK(solid->watertightness().closed());
      requireSameInside(truth, solid, random, 1e-6);
    }
    {
      INFO(mesh->name() << ": "
                        << "T-junctions");
      const BodyPtr solid = solidOf(withTJunctions(sound, random));
      CHECK(solid->watertightness().closed());
      CHECK(solid->repairs().insertedPoints > 0);
      // Two points of one edge may be joined along it.
      CHECK(solid->repairs().joinedWithin < 2e-3 * norm(mesh->bounds().halfExtent()));
      requireSameInside(truth, solid, random, 1e-5);
    }
    {
      INFO(mesh->name() << ": "
                        << "cracks: every corner of every triangle moved by itself");
      const double e = 1e-5;
      std::uniform_real_distribution by(-e / 4, e / 4);
      std::vector<Triangle> cracked = sound;
      for (Triangle& t : cracked)
        for (Vec3& p : t.v) p = p + Vec3{by(random), by(random), by(random)};
      const BodyPtr solid = solidOf(cracked);
      CHECK(solid->watertightness().closed());
      CHECK(solid->repairs().joinedPoints > 0);
      CHECK(solid->repairs().joinedWithin <= e);
      requireSameInside(truth, solid, random, 2 * e);
    }
    {
      INFO(mesh->name() << ": "
                        << "all of it together");
      std::vector<Triangle> bad = withTJunctions(sound, random);
      for (std::size_t i = 0; i < bad.size(); i += 4) bad[i] = turned(bad[i]);
      for (std::size_t i = 0, n = bad.size(); i < n; i += 3) bad.push_back(bad[i]);
      std::shuffle(bad.begin(), bad.end(), random);
      const BodyPtr solid = solidOf(bad);
      CHECK(solid->watertightness().closed());
      requireSameInside(truth, solid, random, 1e-5);
    }
  }
}

TEST_CASE("a wall that is there in both senses between two solids makes them one") {
  // Two boxes side by side, both with their own wall between them.
  const MeshPtr left = sixSidedBox(2, 2, 2), right = transformed(left, Transform::translation({2, 0, 0}));
  const BodyPtr solid = SolidModel::build(CollisionModel::build(joined({left, right})));
  CHECK(solid->repairs().cancelledTriangles == 4);
  CHECK(solid->repairs().doubleSidedTriangles == 0);
  CHECK(solid->watertightness().closed());
  CHECK(solid->watertightness().volume() == Approx(16));
  CHECK(solid->mesh().triangleCount() == 20);
  // Surfaces keep their ordinals, triangles their numbers in the file.
  CHECK(solid->mesh().surfaces().size() == 12);
  CHECK(solid->mesh().surfaces()[1].triangleCount == 0);
  CHECK(solid->partModel()->mesh().triangleCount() == 24);
  CHECK(text(*solid) == "closed, 4 triangles cancelled by others of opposite sense");
}

TEST_CASE("a face that is there in both senses closes its hole") {
  std::mt19937 random(7);
  for (const MeshPtr& mesh : solids()) {
    const BodyPtr truth = SolidModel::build(CollisionModel::build(mesh));
    std::vector<Triangle> bad = trianglesOf(mesh);
    const std::size_t count = bad.size();
    for (std::size_t i = 0; i < count; ++i)
      if (i < 4 || random() % 5 == 0) bad.push_back(turned(bad[i]));
    const BodyPtr solid = solidOf(bad);
    CHECK(solid->watertightness().closed());
    CHECK(solid->repairs().cancelledTriangles == 0);
    CHECK(solid->repairs().doubleSidedTriangles == bad.size() - count);
    requireSameInside(truth, solid, random, 1e-5);
  }
}

TEST_CASE("a double-sided sheet has no inside") {
  const MeshPtr sheet = flatSheet(3, 3);
  std::vector<Triangle> doubled;
  for (const Triangle& t : trianglesOf(sheet)) {
    doubled.push_back(t);
    doubled.push_back(turned(t));
  }
  const BodyPtr solid = solidOf(doubled);
  CHECK_FALSE(solid->watertightness().closed());
  CHECK(solid->mesh().triangleCount() == 0);
  CHECK(text(*solid) == "empty, 36 triangles cancelled by others of opposite sense");
}

TEST_CASE("gaps wider than a thousandth of the part stay open, and so do crowds of loose triangles") {
  const MeshPtr mesh = sixSidedBox(10, 10, 10, 2);
  std::vector<Triangle> gaping = trianglesOf(mesh);
  for (Vec3& p : gaping[0].v) p = p + Vec3{-0.1, 0, 0};
  const BodyPtr solid = solidOf(gaping);
  CHECK_FALSE(solid->watertightness().closed());
  CHECK_FALSE(solid->repairs().any());
  CHECK(SolidModel::build(CollisionModel::build(soup(3000, 7, 0.01)))->watertightness().openEdges() > 8000);
}

}  // namespace boundary_mesh_tests
