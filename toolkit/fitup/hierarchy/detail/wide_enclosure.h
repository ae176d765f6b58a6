#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/wide_bvh.h>

// Tests in 32-bit arithmetic whether corners lie in the boxes and cylinders of the nodes above them. A
// positive result is certain. A negative one may be wrong and needs a more careful test.

namespace fitup::detail {

/// Boxes in turned axes around corners that are nearer to each other than this share of the mesh's reach are
/// grown by roundings of their own size, others by those of the reach.
inline constexpr double localBoxShare = 1.0 / 16;

/// Corners of up to 64 triangles: rows of x, y, z of the first corner, of the second, of the third.
struct CornerRows {
  /// Vectors of sixteen may be loaded at the last triangle.
  alignas(64) float row[9][64 + 16] = {};
};

/// Bounds on the coordinates of a mesh.
struct MeshReach {
  float largest = 0;  ///< largest magnitude of a coordinate
  float unit = 1;     ///< a power of two; `largest * unit` lies in [1, 2), or is 0
  /// Upper bound on the numbers of a box and, with a factor of 3, of a cylinder. Slacks of queries
  /// (wide_task.h) depend on it: they assume that centres and half extents are at most sqrt(3) |b|, heights
  /// and radii at most 2 |b|, and have a third of that to spare.
  float limit = 0;

  static MeshReach of(const TriangleMesh& mesh) noexcept;
};

/// The boxes and cylinders of a node's children by axis and child, reduced by the rounding of comparisons.
struct ChildVolumes {
  /// Sides in the axes of the node. They also respect the node's own box.
  alignas(64) std::array<std::array<float, 8>, 3> low, high;
  /// If the axes are turned: sides are relative to this point of the model, by child.
  std::array<std::array<float, 8>, 3> origin{};
  /// Cylinders in the model's axes, scaled by `MeshReach::unit`. The centre is that of the child's box.
  std::array<std::array<float, 8>, 3> axis, centre;
  std::array<float, 8> lowAlong, highAlong, acrossSquared;
  std::array<std::array<float, 3>, 3> columns;  ///< columns of the node's frame
  bool turned = false;                          ///< the frame is not the identity
  bool haveCylinders = false;
  /// Bit i: the numbers of child i are not as a build makes them, so nothing is known of them.
  std::uint32_t odd = 0;
};

/// Returns the volumes of all children of a node.
ChildVolumes volumesOf(const WideBvh& tree, std::uint32_t node, const MeshReach& reach);

/// Returns true if the triangles [begin, end) of the rows certainly lie in the box and the cylinder of a
/// child.
bool isSureToEnclose(const ChildVolumes& volumes, std::uint32_t child, const CornerRows& rows,
                     std::size_t begin, std::size_t end, const MeshReach& reach);

}  // namespace fitup::detail
