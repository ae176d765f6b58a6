#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fitup::detail {

/// Pairs of surfaces that a query for all surfaces has found so far.
class FoundSurfaces {
 public:
  void clear() {
    for (const std::size_t i : used_) table_[i] = none;
    used_.clear();
  }
  [[nodiscard]] std::size_t count() const noexcept { return used_.size(); }
  [[nodiscard]] bool empty() const noexcept { return used_.empty(); }
  [[nodiscard]] bool contains(std::uint32_t a, std::uint32_t b) const noexcept {
    if (used_.empty()) return false;
    const std::uint64_t k = key(a, b);
    for (std::size_t i = place(k);; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i] == k) return true;
      if (table_[i] == none) return false;
    }
  }
  /// Precondition: the pair is not contained.
  void insert(std::uint32_t a, std::uint32_t b) {
    // Sparse enough that the first place usually decides.
    if (8 * (used_.size() + 1) > table_.size()) grow();
    put(key(a, b));
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static std::uint64_t key(std::uint32_t a, std::uint32_t b) noexcept { return std::uint64_t{a} << 32 | b; }
  /// Fibonacci hashing (Knuth, volume 3, section 6.4).
  [[nodiscard]] std::size_t place(std::uint64_t k) const noexcept {
    return static_cast<std::size_t>((k * 0x9e3779b97f4a7c15U) >> 32) & (table_.size() - 1);
  }
  void put(std::uint64_t k) {
    std::size_t i = place(k);
    while (table_[i] != none) i = (i + 1) & (table_.size() - 1);
    table_[i] = k;
    used_.push_back(i);
  }
  void grow() {
    std::vector<std::uint64_t> old;
    for (const std::size_t i : used_) old.push_back(table_[i]);
    table_.assign(std::max<std::size_t>(256, 2 * table_.size()), none);
    used_.clear();
    for (const std::uint64_t k : old) put(k);
  }

  std::vector<std::uint64_t> table_;  ///< open addressing; the size is a power of two
  std::vector<std::size_t> used_;
};

}  // namespace fitup::detail
