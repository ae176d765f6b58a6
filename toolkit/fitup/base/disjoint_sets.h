#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Disjoint sets (union-find) of the ordinals from 0. The representative of a set is its smallest member, so
/// it does not depend on the order of unions.
class DisjointSets {
 public:
  /// Makes n sets of one member each.
  explicit DisjointSets(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }

  [[nodiscard]] std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  /// Adds a set with one new member and returns the ordinal of that member.
  std::uint32_t add() {
    parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
    return parent_.back();
  }
  [[nodiscard]] std::size_t size() const noexcept { return parent_.size(); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace fitup
