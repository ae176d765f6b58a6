#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <fitup/base/shared_array.h>
#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/refit.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Data that a `WideBvh` stores for each node and leaf.
enum class WideLayout {
  fast,     ///< float boxes; each leaf stores the corners of its triangles, so that a query never reads the
            ///< mesh
  compact,  ///< boxes of 8 bits per side relative to the node, triangles by their ids; a sixth of the memory
};

/// Options of a `WideBvh`.
struct WideBvhOptions {
  WideLayout layout = WideLayout::fast;
  /// Rotates the axes of a node if that shrinks the boxes of its children by more than a fifth. If off, every
  /// box is aligned with the model's axes. This builds faster, but yields many more triangle candidates
  /// between smooth surfaces that lie close to each other.
  bool orientNodes = true;
  friend bool operator==(const WideBvhOptions&, const WideBvhOptions&) = default;
};

/// A child of a node: another node, or a leaf of 1 to 8 triangles in consecutive slots.
///
/// Slots number the triangles of a tree in the order of its leaves.
class WideChild {
 public:
  static constexpr std::uint32_t maxSlots = 1U << 28;

  WideChild() = default;
  static WideChild ofNode(std::uint32_t node) noexcept { return WideChild(node); }
  static WideChild ofLeaf(std::uint32_t firstSlot, std::uint32_t count) noexcept {
    return WideChild(0x80000000U | (count - 1) << 28 | firstSlot);
  }
  [[nodiscard]] bool isLeaf() const noexcept { return (bits_ & 0x80000000U) != 0; }
  [[nodiscard]] std::uint32_t node() const noexcept { return bits_; }
  [[nodiscard]] std::uint32_t firstSlot() const noexcept { return bits_ & (maxSlots - 1); }
  [[nodiscard]] std::uint32_t count() const noexcept { return (bits_ >> 28 & 7U) + 1; }
  friend bool operator==(const WideChild&, const WideChild&) = default;

 private:
  explicit WideChild(std::uint32_t bits) noexcept : bits_(bits) {}
  std::uint32_t bits_ = 0;
};

/// Bit that marks the number of a triangle in a leaf's packet, so that its bits are a normal float. Lanes
/// beyond a leaf's triangles read the number as a coordinate. Without the mark it would be denormal, and a
/// product of denormals takes about 120 cycles on Intel processors.
constexpr std::uint32_t triangleIdMark = 0x40000000U;
static_assert(WideChild::maxSlots < triangleIdMark / 2, "an exponent of ones is no number");
constexpr float encodeTriangleId(TriangleId id) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(id) ^ triangleIdMark);
}
constexpr TriangleId decodeTriangleId(float word) noexcept {
  return TriangleId{std::bit_cast<std::uint32_t>(word) ^ triangleIdMark};
}

/// Data that both layouts store beside the boxes of a node's children.
struct WideNodeHead {
  /// Box around all children, in the axes of the node.
  std::array<float, 3> centre, half;
  std::uint32_t frame : 19;      ///< index into `frames`: the axes of this node's boxes
  std::uint32_t flat : 1;        ///< the children's cylinders are much lower than their boxes
  std::uint32_t childCount : 4;  ///< children fill the lanes from 0
  std::uint32_t leafMask : 8;    ///< bit i: child i is a leaf
  std::uint32_t surface;         ///< ordinal of the surface of all triangles below, or `mixed`

  static constexpr std::uint32_t mixed = ~0U;
};
static_assert(sizeof(WideNodeHead) == 32);

/// Node of the fast layout: eight boxes as a structure of arrays (centres and half extents by axis).
struct alignas(64) WideNode {
  std::array<std::array<float, 8>, 3> centre, half;
  std::array<WideChild, 8> child;
  WideNodeHead head;
};
static_assert(sizeof(WideNode) == 256);

/// A cylinder around the triangles of each child of a node, in the axes of the node. Its axis is
/// perpendicular to the surface of the child, so that close patches of smooth surfaces are separated long
/// before their boxes are. Its centre is that of the child's box, moved along the axis by `shift`.
struct alignas(64) WideCylinders {
  std::array<std::array<float, 8>, 3> axis;  ///< of unit length up to rounding; 0 in lanes without a child
  std::array<float, 8> shift, half, radius;  ///< `half` is half of the height
};
static_assert(sizeof(WideCylinders) == 192);

/// Node of the compact layout: the sides of a child's box lie at head.centre - head.half + scale * n,
/// n from 0 to 255, scale = compactScale(head.half); rounded outward.
struct alignas(16) CompactWideNode {
  std::array<std::array<std::uint8_t, 8>, 3> low, high;
  std::array<WideChild, 8> child;
  WideNodeHead head;
};
static_assert(sizeof(CompactWideNode) == 112);
/// The step of a box side. It is slightly above half / 127.5 despite three roundings, and has the same
/// bits wherever boxes are written or read.
constexpr float compactScale(float half) noexcept { return half * (1.0F / 127.5F) * (1 + 0x1p-22F); }

/// Axes of a node. A point p of the mesh's local frame has the coordinates p.x columns[0] + p.y columns[1] +
/// p.z columns[2] in them. They are orthonormal up to the rounding of entries to 32 bits. The fourth entries
/// are 0.
struct alignas(16) WideFrame {
  std::array<std::array<float, 4>, 3> columns{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  friend bool operator==(const WideFrame&, const WideFrame&) = default;
};

/// A bounding volume hierarchy with eight children for each node, so that eight boxes or triangles are tested
/// with one instruction. It is the default hierarchy. Each surface has a subtree of its own, or several
/// subtrees side by side in one node, so that a query for surfaces can skip it; but surfaces that make much
/// larger boxes as wholes than their triangles together, such as strips that run alongside each other, may
/// share nodes down to the leaves, each of which has one surface. Boxes are in the local coordinates of the
/// mesh, in the axes of their node, and conservative: a box contains F p for every corner p below it, where F
/// is the node's frame as stored, up to roundings in double precision that queries allow for.
///
/// Immutable and thread-safe; copies share the arrays. One orientation for eight children is an idea of this
/// project. The surface area heuristic is that of Goldsmith and Salmon (1987) in bins (Wald 2007). The nodes
/// above surfaces are those of least area (Ylitie, Karras and Laine 2017).
struct WideBvh {
  WideLayout layout = WideLayout::fast;
  /// nodes[0] has the root as its only child, so that every box belongs to a child of a node. Both arrays are
  /// empty for a mesh without triangles, and only that of the layout is used.
  SharedArray<WideNode> nodes;
  SharedArray<CompactWideNode> compactNodes;
  /// Fast layout: one entry for each node, used if one of two nodes is `flat`.
  SharedArray<WideCylinders> cylinders;
  /// frames[0] is the identity.
  SharedArray<WideFrame> frames;
  /// Fast layout: ten words for each slot. A leaf of n triangles from slot s begins at word 10 s. Its rows of
  /// n words are x, y, z of the first corner, of the second, of the third, and the numbers of the triangles
  /// (`encodeTriangleId`). Eight words of padding at the end allow eight lanes to be loaded everywhere.
  SharedArray<float> packets;
  /// Fast layout: for each child, at 8 * node + lane, the surface of all triangles below it, or `mixed`.
  /// Nodes and leaves have it too; this array gives it to a query for all surfaces with one read. Not stored
  /// in model files: see `computeSurfaces`.
  SharedArray<std::uint32_t> surfaces;
  /// Compact layout: the triangle at each slot.
  SharedArray<std::uint32_t> triangleAt;
  /// For a refitted tree: content hash of the mesh for which the tree was built, on which its nodes depend.
  std::optional<std::uint64_t> builtFor;

  /// Builds a tree. Throws RangeError for more than `WideChild::maxSlots` triangles, and CancelledError.
  /// `threads` = 0 means one for each core; the result does not depend on it. Advances `meter` by at most
  /// `units`.
  static WideBvh build(const TriangleMesh& mesh, const WideBvhOptions& options = {}, unsigned threads = 1,
                       const WorkMeter& meter = {});
  static std::uint64_t units(const TriangleMesh& mesh) noexcept;

  /// Returns the same tree around the triangles of `mesh`, which are those of `before`, the mesh of this
  /// tree, with moved points. Nodes, leaves, slots and layout are the same. Axes of nodes are chosen again.
  /// Boxes and cylinders of the two lowest levels, and all boxes in the model's axes, are as tight as in a
  /// new build. Rotated boxes and cylinders above are fitted around those of their children. Adds to
  /// `counts`. Throws InputError for a foreign tree whose leaves are not in the order of their slots.
  [[nodiscard]] WideBvh refitted(const TriangleMesh& before, const TriangleMesh& mesh,
                                 const RefitOptions& options, RefitCounts& counts) const;

  /// Computes `surfaces` from the other arrays. Precondition: `problemFor(mesh)` finds nothing wrong with
  /// them.
  void computeSurfaces(const TriangleMesh& mesh);

  [[nodiscard]] std::size_t nodeCount() const noexcept {
    return layout == WideLayout::fast ? nodes.size() : compactNodes.size();
  }
  /// Bytes of all arrays.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Returns a description of what is wrong with the tree as a tree of `mesh` (a damaged file, a bug), or
  /// nothing. Linear. With `boxes` it also checks that each box and cylinder contains each corner below it,
  /// so that answers do not depend on the origin of the tree: O(n log n). `threads` as for `build`. Throws
  /// CancelledError.
  [[nodiscard]] std::optional<std::string> problemFor(const TriangleMesh& mesh, bool boxes,
                                                      const WorkMeter& meter = {},
                                                      unsigned threads = 1) const;
};

}  // namespace fitup
