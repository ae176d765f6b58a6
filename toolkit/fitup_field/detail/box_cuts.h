#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup_field/detail/binary_tree.h>

namespace fitup::detail {

/// The sides at which a node of a restricted boxtree cuts the box of its parent, by number: the upper ends on
/// x, y and z, then the lower ends. The first cut is the node's own; the others are spare.
struct BoxCuts {
  int count = 0;
  std::array<int, 6> side{};
  std::array<double, 6> gain{};  ///< volume that each spare cut takes away
};

/// Chooses the cuts of all nodes of a restricted boxtree, whose boxes lie between the tight box of the node
/// and the box of its parent.
///
/// The cost of a box is the volume of its Minkowski sum with the box of a partner, as in Zachmann's criterion
/// (section 4.1). The partner is a cube with the mean side of the parent's tight box, because both parts are
/// opened together. Unlike the paper's approximation by volumes, this measures flat boxes too.
///
/// Each node cuts once: at the side with the least cost of its box and, one level further down, of the boxes
/// of its children after their best cuts. Spare cuts go where they take away most volume in the whole tree:
/// there is one least gain for all nodes, found by repeated selection.
class BoxCutter {
 public:
  /// `tight` are the boxes of `shape`. Both must outlive this object.
  BoxCutter(std::span<const BinaryNode> shape, std::span<const Box4> tight, const WorkMeter& meter)
      : shape_(shape), tight_(tight), meter_(meter) {}

  /// Calls `visit(parent, cuts of both children)`, parents first, with at most `spare` spare cuts in all.
  template <typename Visit>
  void cutAll(std::size_t spare, const Visit& visit) const {
    const double least = leastGain(spare);
    forEachParent(least, [&](std::uint32_t parent, std::array<BoxCuts, 2>& cuts) {
      // The selection may end a few cuts above the limit.
      for (BoxCuts& c : cuts) {
        c.count = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(c.count), 1 + spare));
        spare -= static_cast<std::size_t>(c.count - 1);
      }
      visit(parent, cuts);
    });
  }

 private:
  /// The sides of a box in the order of `BoxCuts`.
  using Sides = std::array<float, 6>;
  static Sides sidesOf(const Box4& b) noexcept {
    return {b.max[0], b.max[1], b.max[2], b.min[0], b.min[1], b.min[2]};
  }
  struct Cut {
    int side;
    double cost;
  };

  static double meanSide(const Sides& box) noexcept;
  static double cost(const Sides& box, double partner) noexcept;
  static Cut bestCut(Sides box, const Sides& tight, double partner) noexcept;
  [[nodiscard]] int firstSide(std::uint32_t node, Sides box, const Sides& tight,
                              double partner) const noexcept;
  [[nodiscard]] BoxCuts cut(std::uint32_t node, Sides& box, double partner, double least) const noexcept;
  [[nodiscard]] double leastGain(std::size_t spare) const;

  template <typename Visit>
  void forEachParent(double least, const Visit& visit) const {
    std::vector<Sides> boxes(shape_.size());
    if (!boxes.empty()) boxes[0] = sidesOf(tight_[0]);
    polledLoop(shape_.size(), meter_, [&](std::size_t parent) {
      if (shape_[parent].isLeaf()) return;
      const double partner = meanSide(sidesOf(tight_[parent]));
      std::array<BoxCuts, 2> cuts;
      for (std::uint32_t k = 0; k < 2; ++k) {
        const std::uint32_t child = shape_[parent].firstChild + k;
        boxes[child] = boxes[parent];
        cuts[k] = cut(child, boxes[child], partner, least);
      }
      visit(static_cast<std::uint32_t>(parent), cuts);
    });
  }

  std::span<const BinaryNode> shape_;
  std::span<const Box4> tight_;
  const WorkMeter& meter_;
};

}  // namespace fitup::detail
