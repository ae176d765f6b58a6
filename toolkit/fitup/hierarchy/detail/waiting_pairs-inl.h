// Pairs of nodes and of leaves that wait for memory, for one target. See lanes-inl.h on inclusion.

#if defined(FITUP_WAITING_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WAITING_PAIRS_INL
#undef FITUP_WAITING_PAIRS_INL
#else
#define FITUP_WAITING_PAIRS_INL
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/cache_control.h>

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/wide_bvh.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// The leaves of two trees are not much larger than the second cache of a core: what a query looks at stays
/// in it, and pairs need not wait. Those of the compact layout count as nearby, whatever their size.
inline bool areNearby(const WideBvh& a, const WideBvh& b) {
  const std::size_t floats = a.packets.size() + (&a == &b ? 0 : b.packets.size());
  return floats * sizeof(float) <= std::size_t{4} << 20;
}

/// What memory is asked for: all that a visit reads, or what it reads first. Of nodes the latter does, as the
/// rest comes while that is looked at; asking for all takes longer where they are in the caches after all.
enum class AskedFor { all, heads };

/// Pairs of children, first in, first out. Memory is asked for them when they come and brings them while
/// those before are visited. `most`: a power of two.
template <typename TreeA, typename TreeB, AskedFor askedFor, std::uint32_t most>
class WaitingPairs {
 public:
  /// Precondition: the trees stay.
  WaitingPairs(const TreeA& a, const TreeB& b) : a_(a), b_(b) {}

  [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
  [[nodiscard]] bool full() const noexcept { return end_ - begin_ == most; }
  /// Precondition: not full.
  HWY_INLINE void add(SlotPair pair) {
    if constexpr (askedFor == AskedFor::heads) {
      prefetchHead(a_, pair.a);
      prefetchHead(b_, pair.b);
    } else {
      a_.prefetch(pair.a);
      b_.prefetch(pair.b);
    }
    pairs_[end_++ % most] = pair;
  }
  /// Precondition: not empty.
  SlotPair take() noexcept { return pairs_[begin_++ % most]; }

 private:
  template <typename Tree>
  static HWY_INLINE void prefetchHead(const Tree& tree, std::uint32_t slot) {
    const WideChild c = tree.child(slot);
    if (!c.isLeaf()) hwy::Prefetch(&tree.head(c.node()));
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
