// Pairs of nodes and of leaves that wait for memory, for one target. See lanes-inl.h on inclusion.

#if defined(FITUP_WAITING_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WAITING_PAIRS_INL
#undef FITUP_WAITING_PAIRS_INL
#else
#define FITUP_WAITING_PAIRS_INL
#endif

#include <cstddef>
#include <cstdint>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/wide_bvh.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Of a node or leaf the memory that is asked for: a leaf's triangles; or a node's head, as the rest of a
/// node comes while that is looked at, and asking for all takes longer where it is in the caches after all.
enum class AskedFor { leaves, heads };

/// Pairs of children, first in, first out. Memory is asked for them when they come and brings them while
/// those before are visited. `most`: a power of two.
template <typename TreeA, typename TreeB, AskedFor askedFor, std::uint32_t most>
class WaitingPairs {
 public:
  /// Precondition: the trees stay.
  WaitingPairs(const TreeA& a, const TreeB& b) : a_(a), b_(b) {}

  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] bool full() const noexcept { return end_ - begin_ == most; }
  /// Precondition: not full. Pairs of leaves, where leaves are asked for.
  HWY_INLINE void add(SlotPair pair) {
    prefetch(a_, a_.child(pair.a));
    prefetch(b_, b_.child(pair.b));
    pairs_[end_++ % most] = pair;
  }
  /// Precondition: not empty.
  SlotPair take() noexcept { return pairs_[begin_++ % most]; }

 private:
  template <typename Tree>
  static HWY_INLINE void prefetch(const Tree& tree, WideChild c) {
    if constexpr (askedFor == AskedFor::leaves)
      tree.prefetchLeaf(c);
    else if (!c.isLeaf())
      tree.prefetchHead(c.node());
  }

  const TreeA& a_;
  const TreeB& b_;
  SlotPair pairs_[most];
  std::uint32_t begin_ = 0, end_ = 0;  // may wrap round
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
