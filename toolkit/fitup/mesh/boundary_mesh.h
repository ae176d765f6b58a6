#pragma once

#include <cstdint>
#include <memory>

#include <fitup/base/work_meter.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// What `boundaryMesh` changed. Lengths in the part's unit.
struct BoundaryRepairs {
  std::uint32_t duplicateTriangles = 0;    ///< further triangles with equal corners and sense, counted once
  std::uint32_t cancelledTriangles = 0;    ///< triangles that cancel another one of opposite sense
  std::uint32_t doubleSidedTriangles = 0;  ///< of second skins: of whole components, and of faces that would leave holes
  std::uint32_t joinedPoints = 0;          ///< points moved onto another point
  std::uint32_t insertedPoints = 0;        ///< points inserted into an edge that passes them (T-junctions)
  double joinedWithin = 0;                 ///< the largest distance over which points and edges were joined

  [[nodiscard]] bool any() const noexcept {
    return duplicateTriangles + cancelledTriangles + doubleSidedTriangles + joinedPoints + insertedPoints > 0;
  }
  friend bool operator==(const BoundaryRepairs&, const BoundaryRepairs&) = default;
};

/// The surface that bounds the material of a part.
struct BoundaryMesh {
  std::shared_ptr<const TriangleMesh> mesh;  ///< the mesh itself if nothing had to be changed
  BoundaryRepairs repairs;
};

/// Finds the surface that bounds a part's material, in the local coordinates of its mesh:
///
/// - Triangles with the same three corners cancel in pairs of opposite senses; of the same sense one counts.
///   If everything in a component cancels (a double-sided skin), one skin is kept if it is closed by itself;
///   of a face that cancels and leaves a hole, one skin is kept if it closes that hole.
/// - Points of open edges are joined if they are at most a quarter of the shortest edge at either apart, and
///   at most a thousandth of the mesh's diagonal. A point that close to the inside of an open edge is
///   inserted into it (T-junction). Joins are made only if fewer edges are open afterwards.
///
/// CAD shells share the points of their edges and are returned as they are, as is every mesh without
/// duplicates and open edges. Surfaces keep their ordinals, triangles their source indices; feature edges are
/// omitted. `topology` is that of `mesh`. O(n) for meshes that need nothing, otherwise O(n log n); joins are
/// left out in a mesh whose open edges are crowded beyond that. Throws CancelledError.
BoundaryMesh boundaryMesh(std::shared_ptr<const TriangleMesh> mesh, const MeshTopology& topology,
                          const WorkMeter& meter = {});

}  // namespace fitup
