#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

/// Calls `visit(frame, centre, half, child, count)` with the boxes of a node's children in the node's axes,
/// for either layout. Boxes are a structure of arrays of 32-bit numbers by axis. Boxes of the compact layout
/// are rounded to nearest; `wideBoxSlack` covers that.
template <typename Visit>
void openWideNode(const WideBvh& tree, std::uint32_t node, Visit&& visit) {
  if (tree.layout == WideLayout::fast) {
    const WideNode& n = tree.nodes[node];
    visit(tree.frames[n.head.frame], n.centre, n.half, n.child, std::uint32_t{n.head.childCount});
    return;
  }
  const CompactWideNode& n = tree.compactNodes[node];
  std::array<std::array<float, 8>, 3> centre, half;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float scale = compactScale(n.head.half[axis]), base = n.head.centre[axis] - n.head.half[axis];
    for (std::size_t k = 0; k < 8; ++k) {
      centre[axis][k] = base + 0.5F * scale * static_cast<float>(n.low[axis][k] + n.high[axis][k]);
      half[axis][k] = 0.5F * scale * static_cast<float>(n.high[axis][k] - n.low[axis][k]);
    }
  }
  visit(tree.frames[n.head.frame], centre, half, n.child, std::uint32_t{n.head.childCount});
}

/// Returns triangle k of a leaf.
inline TriangleId triangleInLeaf(const WideBvh& tree, WideChild leaf, std::uint32_t k) noexcept {
  if (tree.layout == WideLayout::compact) return TriangleId{tree.triangleAt[leaf.firstSlot() + k]};
  return decodeTriangleId(
      tree.packets[std::size_t{leaf.firstSlot()} * 10 + std::size_t{9} * leaf.count() + k]);
}

/// Returns the surface of all triangles below a child of a node, or `mixed`.
inline std::uint32_t surfaceBelow(const WideBvh& tree, const WideNodeHead& parent, WideChild child,
                                  const TriangleMesh& mesh) noexcept {
  if (parent.surface != WideNodeHead::mixed) return parent.surface;
  if (child.isLeaf())
    return static_cast<std::uint32_t>(index(mesh.surfaceOf(triangleInLeaf(tree, child, 0))));
  return tree.layout == WideLayout::fast ? tree.nodes[child.node()].head.surface
                                         : tree.compactNodes[child.node()].head.surface;
}

/// Bounds the error of boxes in a node's axes for coordinates up to `magnitude`. F p takes at most six
/// roundings of 3 |p|. A compact box as opened above takes four roundings of 24 bits of its node's box, which
/// lies within 2 sqrt(3) of the largest coordinate.
inline double wideBoxSlack(double magnitude, WideLayout layout) noexcept {
  return magnitude * (layout == WideLayout::fast ? 0x1p-48 : 0x1p-20);
}

/// Largest relative error of a length measured in the axes of a node, which are orthonormal up to 2^-22 for
/// each entry.
inline constexpr double wideFrameStretch = 0x1p-20;

/// Maps a point to the axes of a node, and back (up to `wideFrameStretch`).
inline Vec3 intoAxes(const WideFrame& f, const Vec3& p) noexcept {
  Vec3 q;
  for (std::size_t i = 0; i < 3; ++i)
    q[static_cast<int>(i)] =
        (double(f.columns[0][i]) * p.x + double(f.columns[1][i]) * p.y) + double(f.columns[2][i]) * p.z;
  return q;
}
inline Vec3 outOfAxes(const WideFrame& f, const Vec3& q) noexcept {
  Vec3 p;
  for (std::size_t i = 0; i < 3; ++i)
    p[static_cast<int>(i)] =
        (double(f.columns[i][0]) * q.x + double(f.columns[i][1]) * q.y) + double(f.columns[i][2]) * q.z;
  return p;
}

}  // namespace fitup::detail
