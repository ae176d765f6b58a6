// Access of a traversal to a wide tree, in either layout. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_TREES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_TREES_INL
#undef FITUP_WIDE_TREES_INL
#else
#define FITUP_WIDE_TREES_INL
#endif

#include <cassert>

#include <hwy/cache_control.h>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/wide_bvh.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// The boxes of a node's children, by axis and lane.
struct NodeBoxes {
  const float (*centre)[8];
  const float (*half)[8];
};

/// The triangles of a leaf: rows of `stride` floats, as in the packets of the fast layout.
struct Packet {
  const float* rows;
  std::uint32_t stride, count;
  [[nodiscard]] TriangleId triangle(std::uint32_t k) const {
    return decodeTriangleId(rows[std::size_t{9} * stride + k]);
  }
  [[nodiscard]] Triangle corners(std::uint32_t k) const {
    const auto at = [&](std::size_t r) { return double{rows[r * stride + k]}; };
    return {{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}}};
  }
  /// Returns the same packet, but hides this from the compiler, so that data is read again. Otherwise GCC
  /// keeps rows and their addresses on the stack in between, which can take 3 % of a query.
  [[nodiscard]] HWY_INLINE Packet toReadAgain() const {
    Packet r = *this;
    asm("" : "+r"(r.rows), "+r"(r.stride));
    return r;
  }
};

class FastTree {
 public:
  static constexpr bool hasCylinders = true;

  FastTree(const WideBvh& tree, const TriangleMesh&)
      : nodes_(tree.nodes.data()),
        cylinders_(tree.cylinders.data()),
        packets_(tree.packets.data()),
        surfaces_(tree.surfaces.data()) {}
  [[nodiscard]] const WideNodeHead& head(std::uint32_t node) const { return nodes_[node].head; }
  [[nodiscard]] WideChild child(std::uint32_t slot) const { return nodes_[slot >> 3].child[slot & 7U]; }
  [[nodiscard]] NodeBoxes boxes(std::uint32_t node) {
    return {reinterpret_cast<const float(*)[8]>(nodes_[node].centre.data()),
            reinterpret_cast<const float(*)[8]>(nodes_[node].half.data())};
  }
  [[nodiscard]] const WideCylinders& cylinders(std::uint32_t node) const { return cylinders_[node]; }
  [[nodiscard]] Packet packet(WideChild leaf) {
    return {packets_ + std::size_t{leaf.firstSlot()} * 10, leaf.count(), leaf.count()};
  }
  /// Returns the surface of all triangles below a slot, or `mixed`.
  [[nodiscard]] std::uint32_t surfaceBelow(std::uint32_t slot) const { return surfaces_[slot]; }
  // These functions prefetch the memory that a visit will read.
  /// Prefetches five lines. Fewer triangles need less, but counting them would cost more; a sixth line, which
  /// eight triangles may need, arrives with its neighbour. The address may lie beyond the array, because it
  /// is only a hint.
  HWY_INLINE void prefetchLeaf(WideChild leaf) const {
    assert(leaf.isLeaf());
    prefetch<5>(packets_ + std::size_t{leaf.firstSlot()} * 10);
  }
  HWY_INLINE void prefetchHead(std::uint32_t node) const { hwy::Prefetch(&head(node)); }
  HWY_INLINE void prefetchNode(std::uint32_t node) const {
    prefetchBoxes(node);
    prefetchCylinders(node);
  }
  HWY_INLINE void prefetchCylinders(std::uint32_t node) const {
    prefetch<sizeof(WideCylinders) / 64>(cylinders_ + node);
  }
  /// Prefetches a leaf or a node, without cylinders.
  HWY_INLINE void prefetchSlot(std::uint32_t slot) const {
    const WideChild c = child(slot);
    c.isLeaf() ? prefetchLeaf(c) : prefetchBoxes(c.node());
  }

 private:
  HWY_INLINE void prefetchBoxes(std::uint32_t node) const { prefetch<sizeof(WideNode) / 64>(nodes_ + node); }
  template <std::size_t lines>
  static HWY_INLINE void prefetch(const void* memory) {
    for (std::size_t i = 0; i < lines; ++i) hwy::Prefetch(static_cast<const char*>(memory) + 64 * i);
  }

  const WideNode* nodes_;
  const WideCylinders* cylinders_;
  const float* packets_;
  const std::uint32_t* surfaces_;
};

class CompactTree {
 public:
  static constexpr bool hasCylinders = false;

  CompactTree(const WideBvh& tree, const TriangleMesh& mesh)
      : tree_(tree),
        mesh_(mesh),
        nodes_(tree.compactNodes.data()),
        triangleAt_(tree.triangleAt.data()),
        triangles_(mesh.triangles().data()),
        points_(mesh.points().data()) {}
  [[nodiscard]] const WideNodeHead& head(std::uint32_t node) const { return nodes_[node].head; }
  [[nodiscard]] WideChild child(std::uint32_t slot) const { return nodes_[slot >> 3].child[slot & 7U]; }
  /// The result is valid until the next call.
  [[nodiscard]] NodeBoxes boxes(std::uint32_t index) {
    const CompactWideNode& node = nodes_[index];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // Decoding rounds by at most 4 u of the node's reach, which is part of the query's slack.
      const float halfScale = 0.5F * compactScale(node.head.half[axis]);
      const Float8 low = fromBytes(node.low[axis].data()), high = fromBytes(node.high[axis].data());
      const Float8 scale = Float8::all(halfScale);
      mulAdd(low + high, scale, Float8::all(node.head.centre[axis] - node.head.half[axis]))
          .store(boxes_[axis]);
      ((high - low) * scale).store(boxes_[3 + axis]);
    }
    return {boxes_, boxes_ + 3};
  }
  /// Returns the surface of all triangles below a slot, or `mixed`.
  [[nodiscard]] std::uint32_t surfaceBelow(std::uint32_t slot) const {
    return detail::surfaceBelow(tree_, head(slot >> 3), child(slot), mesh_);
  }
  /// Prefetches the memory that a visit of the slot reads first.
  HWY_INLINE void prefetchSlot(std::uint32_t slot) const {
    const WideChild c = child(slot);
    if (c.isLeaf()) return hwy::Prefetch(triangleAt_ + c.firstSlot());
    hwy::Prefetch(nodes_ + c.node());
    hwy::Prefetch(reinterpret_cast<const char*>(nodes_ + c.node()) + 64);
  }
  /// The result is valid until the next call for another leaf.
  [[nodiscard]] Packet packet(WideChild leaf) {
    if (leaf == leaf_ && loaded_) return {packet_, 8, leaf.count()};
    leaf_ = leaf;
    loaded_ = true;
    for (std::uint32_t k = 0; k < leaf.count(); ++k) {
      const std::uint32_t id = triangleAt_[leaf.firstSlot() + k];
      for (std::size_t c = 0; c < 3; ++c) {
        const Point3f& p = points_[triangles_[id][c]];
        packet_[(3 * c + 0) * 8 + k] = p.x;
        packet_[(3 * c + 1) * 8 + k] = p.y;
        packet_[(3 * c + 2) * 8 + k] = p.z;
      }
      packet_[9 * 8 + k] = encodeTriangleId(TriangleId{id});
    }
    return {packet_, 8, leaf.count()};
  }

 private:
  const WideBvh& tree_;
  const TriangleMesh& mesh_;
  const CompactWideNode* nodes_;
  const std::uint32_t* triangleAt_;
  const TriangleIndices* triangles_;
  const Point3f* points_;
  WideChild leaf_;
  bool loaded_ = false;
  alignas(64) float boxes_[6][8];
  alignas(64) float packet_[80] = {};
};

/// Calls `work` with the classes that read the layouts of two trees as template arguments.
template <typename Work>
auto byLayouts(const WideBvh& a, const WideBvh& b, Work&& work) {
  const bool fastA = a.layout == WideLayout::fast, fastB = b.layout == WideLayout::fast;
  if (fastA && fastB) return work.template operator()<FastTree, FastTree>();
  if (fastA) return work.template operator()<FastTree, CompactTree>();
  if (fastB) return work.template operator()<CompactTree, FastTree>();
  return work.template operator()<CompactTree, CompactTree>();
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
