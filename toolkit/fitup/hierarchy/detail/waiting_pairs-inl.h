// Pairs of nodes and of leaves that wait for memory, for one target. See lanes-inl.h for inclusion.

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

/// The memory to prefetch for a node or leaf: the triangles of a leaf, or the head of a node. The rest of a
/// node arrives while its head is read; prefetching all of it takes longer if it is in the caches anyway.
enum class AskedFor { leaves, heads };

/// Pairs of children, first in, first out. Their memory is prefetched when they are added and arrives while
/// earlier pairs are visited. `most` is a power of two.
template <typename TreeA, typename TreeB, AskedFor askedFor, std::uint32_t most>
class WaitingPairs {
 public:
  /// Precondition: the trees stay valid.
  WaitingPairs(const TreeA& a, const TreeB& b) : a_(a), b_(b) {}

  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] bool full() const noexcept { return end_ - begin_ == most; }
  /// Precondition: not full; if leaves are prefetched, a pair of leaves.
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
  std::uint32_t begin_ = 0, end_ = 0;  // may wrap around
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
