#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/wide_bvh.h>

// Whether corners lie in the boxes and cylinders of the nodes above them, by 32-bit arithmetic: what it finds
// inside is inside; what it does not may be, too, and is to be looked at with more care.

namespace fitup::detail {

/// Corners of up to 64 triangles: rows of x, y, z of the first corner, of the second, of the third.
struct CornerRows {
  /// Vectors of sixteen may be loaded at the last triangle.
  alignas(64) float row[9][64 + 16] = {};
};

/// What is known of a mesh's coordinates.
struct MeshReach {
  float largest = 0;  ///< of all magnitudes of coordinates
  float unit = 1;     ///< a power of two; `largest * unit` lies in [1, 2), or is 0
  /// No number of a box is larger, nor, with a factor of 3, of a cylinder. Slacks of queries (wide_task.h)
  /// rest on it: they take centres and half extents for at most sqrt(3) |b|, heights and radii for 2 |b|, and
  /// have a third of it to spare.
  float limit = 0;

  static MeshReach of(const TriangleMesh& mesh) noexcept;
};

/// The boxes and cylinders of a node's children by axis and child, made smaller by what comparing rounds.
struct ChildVolumes {
  /// Sides in the node's axes, where also the node's own box ends.
  alignas(64) std::array<std::array<float, 8>, 3> low, high;
  /// Cylinders in the model's axes, scaled by `MeshReach::unit`; the centre is that of the child's box.
  std::array<std::array<float, 8>, 3> axis, centre;
  std::array<float, 8> lowAlong, highAlong, acrossSquared;
  std::array<std::array<float, 3>, 3> columns;  ///< of the node's frame
  bool turned = false;                          ///< it is not the identity
  bool haveCylinders = false;
  /// Bit i: the numbers of child i are not such as a build makes; nothing is known of them.
  std::uint32_t odd = 0;
};

/// Of all children of a node.
ChildVolumes volumesOf(const WideBvh& tree, std::uint32_t node, const MeshReach& reach);

/// Whether the triangles [begin, end) of the rows are sure to lie in the box and the cylinder of a child.
bool isSureToEnclose(const ChildVolumes& volumes, std::uint32_t child, const CornerRows& rows,
                     std::size_t begin, std::size_t end, const MeshReach& reach);

}  // namespace fitup::detail
