#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fitup::detail {

constexpr std::uint64_t lowestBit(std::uint64_t bits) noexcept { return bits & (~bits + 1); }

// Functions on eight masks of eight bits in one word, the first one lowest.

/// Repeats the mask in each of the eight.
constexpr std::uint64_t inEach(std::uint32_t mask) noexcept {
  return mask * std::uint64_t{0x0101010101010101};
}
/// Spreads bit i of a mask to the lowest bit of mask i.
constexpr std::uint64_t inFirstOfEach(std::uint32_t mask) noexcept {
  const std::uint64_t spread = inEach(mask) & 0x8040201008040201;
  return ((spread + 0x7f7f7f7f7f7f7f7f) | spread) >> 7 & 0x0101010101010101;
}
/// Spreads bit i of a mask to all bits of mask i.
constexpr std::uint64_t wholeOfEach(std::uint32_t mask) noexcept { return inFirstOfEach(mask) * 0xff; }
/// Returns mask i.
constexpr std::uint32_t maskAt(std::uint64_t masks, std::uint32_t i) noexcept {
  return static_cast<std::uint32_t>(masks >> (8 * i)) & 0xffU;
}
/// Puts the mask at position i; the others are empty.
constexpr std::uint64_t inOne(std::uint32_t mask, std::uint32_t i) noexcept {
  return std::uint64_t{mask} << (8 * i);
}
/// Sets bit i if mask i has any bit.
constexpr std::uint32_t anyOfEach(std::uint64_t masks) noexcept {
  const std::uint64_t high =
      (((masks & 0x7f7f7f7f7f7f7f7f) + 0x7f7f7f7f7f7f7f7f) | masks) >> 7 & 0x0101010101010101;
  return static_cast<std::uint32_t>(high * 0x0102040810204080 >> 56);
}
/// Returns the union of the masks.
constexpr std::uint32_t inAny(std::uint64_t masks) noexcept {
  masks |= masks >> 32;
  masks |= masks >> 16;
  return static_cast<std::uint32_t>(masks | masks >> 8) & 0xffU;
}

/// A child of a node of A and one of a node of B, each as 8 * node + lane.
struct SlotPair {
  std::uint32_t a, b;
};

/// Pairs of children of one node of A and one of B.
struct PairSet {
  std::uint32_t nodeA, nodeB;
  std::uint64_t bits;  ///< a mask of A's children for each child of B

  static PairSet of(SlotPair pair) noexcept {
    return {pair.a >> 3, pair.b >> 3, inOne(1U << (pair.a & 7U), pair.b & 7U)};
  }
  /// Precondition: not empty.
  [[nodiscard]] SlotPair first() const noexcept {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(bits));
    return {8 * nodeA + (bit & 7U), 8 * nodeB + (bit >> 3)};
  }
};

/// Pairs that a traversal still has to visit, grouped by the nodes whose children they are. The set pushed
/// last is visited next. The storage outlives the query.
class PairStack {
 public:
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  void clear() noexcept { size_ = 0; }
  /// Precondition: the set is not empty.
  [[gnu::always_inline]] void push(const PairSet& pairs) {
    if (size_ == sets_.size()) [[unlikely]]
      grow();
    sets_[size_++] = pairs;
  }
  /// Precondition here and below: not empty.
  [[nodiscard]] const PairSet& last() const noexcept { return sets_[size_ - 1]; }
  void dropLast() noexcept { --size_; }
  SlotPair pop() noexcept {
    PairSet& last = sets_[size_ - 1];
    const SlotPair pair = last.first();
    last.bits &= last.bits - 1;
    if (last.bits == 0) --size_;
    return pair;
  }

 private:
  [[gnu::noinline, gnu::cold]] void grow() { sets_.resize(2 * size_ + 64); }

  std::vector<PairSet> sets_;
  std::size_t size_ = 0;
};

}  // namespace fitup::detail
