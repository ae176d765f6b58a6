// The relative placement of the axes of nodes of two wide trees. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_FRAMES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_FRAMES_INL
#undef FITUP_WIDE_FRAMES_INL
#else
#define FITUP_WIDE_FRAMES_INL
#endif

#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Composes the maps between the axes of two nodes, and keeps those of the last pair of axes.
class WideFrames {
 public:
  WideFrames(const WideQuery& query, const WideBvh& a, const WideBvh& b)
      : query_(query), a_(a.frames.data()), b_(b.frames.data()) {}

  /// The result is valid until the next call.
  const WideRelative& relative(std::uint32_t frameA, std::uint32_t frameB) {
    if ((frameA | frameB) == 0) return query_.untilted;
    if (frameA != lastA_ || frameB != lastB_) {
      const Composed forth = aFromB(frameA, frameB);
      keep(frameA, frameB, forth, back(forth, frameA, frameB));
    }
    return tilted_;
  }
  HWY_INLINE Composed aFromB(std::uint32_t frameA, std::uint32_t frameB) const {
    if ((frameA | frameB) == 0) return Composed::of(query_.untilted.aFromB);
    return composed(query_.untilted.aFromB, a_[frameA], b_[frameB]);
  }
  /// Returns the inverse of `forth`.
  HWY_INLINE Composed back(const Composed& forth, std::uint32_t frameA, std::uint32_t frameB) const {
    if ((frameA | frameB) == 0) return Composed::of(query_.untilted.bFromA);
    return query_.orthogonal ? forth.transposed(query_.untilted.bFromA, b_[frameB])
                             : composed(query_.untilted.bFromA, b_[frameB], a_[frameA]);
  }
  [[nodiscard]] const WideFrame& axesA(std::uint32_t frame) const { return a_[frame]; }
  [[nodiscard]] const WideFrame& axesB(std::uint32_t frame) const { return b_[frame]; }
  HWY_INLINE void keep(std::uint32_t frameA, std::uint32_t frameB, const Composed& aFromB,
                       const Composed& bFromA) {
    lastA_ = frameA;
    lastB_ = frameB;
    aFromB.storeTo(tilted_.aFromB);
    bFromA.storeTo(tilted_.bFromA);
  }

 private:
  const WideQuery& query_;
  const WideFrame* a_;
  const WideFrame* b_;
  std::uint32_t lastA_ = 0, lastB_ = 0;
  WideRelative tilted_;
};

/// Returns the boxes of a node's children, in its axes.
template <typename Tree>
HWY_INLINE EightBoxes childBoxes(Tree& tree, std::uint32_t node) {
  const NodeBoxes boxes = tree.boxes(node);
  return {loadVec(boxes.centre), loadVec(boxes.half)};
}
/// Repeats the box of one child in all lanes.
template <typename Tree>
EightBoxes slotBox(Tree& tree, std::uint32_t slot) {
  const NodeBoxes boxes = tree.boxes(slot >> 3);
  const std::uint32_t k = slot & 7U;
  const float c[3] = {boxes.centre[0][k], boxes.centre[1][k], boxes.centre[2][k]};
  const float h[3] = {boxes.half[0][k], boxes.half[1][k], boxes.half[2][k]};
  return {allVec(c), allVec(h)};
}
HWY_INLINE EightBoxes ownBox(const WideNodeHead& head) {
  return {allVec(head.centre.data()), allVec(head.half.data())};
}

/// Returns the children of a node as bits.
HWY_INLINE std::uint32_t lanesOf(const WideNodeHead& head) { return (1U << head.childCount) - 1; }

/// Contents of lanes beyond the count of a leaf.
enum class Beyond {
  anything,
  first,  ///< the first lane, so that a reduction does not change
};

/// Returns corner c of a leaf's triangles.
template <Beyond beyond>
HWY_INLINE Vec8 cornerOf(const Packet& p, std::uint32_t c) {
  const float* row = p.rows + std::size_t{3} * c * p.stride;
  const auto axis = [&](std::size_t i) {
    const float* from = row + i * p.stride;
    return beyond == Beyond::first ? Float8::loadFirst(from, p.count) : Float8::load(from);
  };
  return {axis(0), axis(1), axis(2)};
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
