#pragma once

#include <fitup_field/detail/aabb_pairs.h>
#include <fitup_field/trees/compact_aabb_tree.h>

namespace fitup::detail {

/// Converts 16-bit boxes to floats, with the same bits when boxes are written and read.
struct QuantizedScale {
  Float4 centre, half;

  explicit QuantizedScale(const CompactAabbTree::Data& data)
      : centre{data.centreScale[0], data.centreScale[1], data.centreScale[2], 0},
        half{data.halfScale[0], data.halfScale[1], data.halfScale[2], 0} {}
  [[nodiscard]] LinkedBox operator()(const QuantizedBox& box) const noexcept {
    return {Float4{float(box.centre[0]), float(box.centre[1]), float(box.centre[2]), 0} * centre,
            Float4{float(box.half[0]), float(box.half[1]), float(box.half[2]), 0} * half};
  }
};

struct QuantizedNodeBoxes {
  const QuantizedNode* nodes;
  QuantizedScale scale;
  [[nodiscard]] TreeLink link(std::uint32_t node) const noexcept { return nodes[node].link; }
  [[nodiscard]] LinkedBox operator()(std::uint32_t node) const noexcept { return scale(nodes[node].box); }
};

struct NoLeafBoxes {
  const NoLeafNode* nodes;
  [[nodiscard]] TreeLink child(std::uint32_t node, int k) const noexcept { return nodes[node].child[k]; }
  [[nodiscard]] LinkedBox operator()(std::uint32_t node) const noexcept {
    static_assert(offsetof(NoLeafNode, half) == 12 && offsetof(NoLeafNode, child) == 24);
    return loadedBox(nodes[node].centre, nodes[node].half);
  }
};

struct QuantizedNoLeafBoxes {
  const QuantizedNoLeafNode* nodes;
  QuantizedScale scale;
  [[nodiscard]] TreeLink child(std::uint32_t node, int k) const noexcept { return nodes[node].child[k]; }
  [[nodiscard]] LinkedBox operator()(std::uint32_t node) const noexcept { return scale(nodes[node].box); }
};

}  // namespace fitup::detail
