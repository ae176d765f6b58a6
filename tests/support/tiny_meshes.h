#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::test {

using MeshPtr = std::shared_ptr<const TriangleMesh>;
using ModelPtr = std::shared_ptr<const CollisionModel>;
using BodyPtr = std::shared_ptr<const SolidModel>;

/// Returns the mesh of the builder.
MeshPtr finished(const TriangleMeshBuilder& builder);
/// Corners are not shared between the triangles; triangle i belongs to surface i * surfaces / size (if there
/// are more surfaces than triangles, some are empty).
MeshPtr fromTriangles(const std::string& name, std::span<const Triangle> triangles,
                      std::uint32_t surfaces = 1);
inline MeshPtr fromTriangle(const Triangle& t) { return fromTriangles("triangle", {&t, 1}); }

MeshPtr emptyMesh();
/// Regular, around the origin, one surface.
MeshPtr tetrahedron(double edge);
/// 12 triangles in one surface, around the origin.
MeshPtr box(double width, double height, double depth);
/// Six surfaces of n x n cells each, in the order -x, +x, -y, +y, -z, +z, around the origin.
MeshPtr sixSidedBox(double width, double height, double depth, std::uint32_t n = 1);
/// The same between two opposite corners.
MeshPtr boxBetween(const Vec3& low, const Vec3& high);
/// 20 * 4^level triangles in one surface.
MeshPtr icosphere(double radius, std::uint32_t level);
/// Slices around z by stacks; surfaces are bands of meridians.
MeshPtr uvSphere(double radius, std::uint32_t slices, std::uint32_t stacks, std::uint32_t patches);
/// Around z; surfaces: mantle, bottom, top.
MeshPtr cylinder(double radius, double height, std::uint32_t segments);
/// n needles with a common tip, each `length` long and `width` wide at the far end.
MeshPtr sliverFan(std::uint32_t n, double length, double width);
/// Segments, points and collinear corners on a small lattice, between some proper triangles. Two surfaces.
MeshPtr degenerateSet();
/// n x m unit cells at z = 0, beginning at the origin, one surface.
MeshPtr flatSheet(std::uint32_t n, std::uint32_t m);
/// An extruded L of unit thickness with legs of `size`; surfaces: the eight faces.
MeshPtr lShape(double size, double height);
/// n triangles of about `size`, corners in a cube of half side 1.
MeshPtr soup(std::uint32_t n, std::uint64_t seed, double size, std::uint32_t surfaces = 1);
/// n triangles with corners at whole numbers in [0, range]; many touch, are coplanar or degenerate.
MeshPtr latticeSoup(std::uint32_t n, std::uint64_t seed, int range, std::uint32_t surfaces = 1);

/// The triangles of a mesh in the part frame, to be changed.
std::vector<Triangle> trianglesOf(const MeshPtr& mesh);
/// The triangle with the other sense.
inline Triangle turned(const Triangle& t) { return {{t.v[0], t.v[2], t.v[1]}}; }

/// The mesh with every point of its part frame transformed.
MeshPtr transformed(const MeshPtr& mesh, const Transform& map);

/// Adds the kind that others are compared with.
inline BuildOptions withScd(BuildOptions options = {}) {
  options.add(HierarchyKind::scd);
  return options;
}
inline ModelPtr modelOf(const MeshPtr& mesh, const BuildOptions& options = withScd()) {
  return CollisionModel::build(mesh, options);
}
inline BodyPtr bodyOf(const MeshPtr& mesh) { return SolidModel::build(modelOf(mesh)); }

}  // namespace fitup::test
