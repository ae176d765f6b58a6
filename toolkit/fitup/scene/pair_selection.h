#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Pairs of instances to check: all of them, or those with an instance of one set and one of another. The
/// sets may overlap.
struct PairSelection {
  /// By position in `Assembly::instances()`; nonzero: in the set. Both empty: all pairs.
  std::vector<char> first, second;

  [[nodiscard]] bool all() const noexcept { return first.empty() && second.empty(); }
  /// Throws InputError unless the selection is made for this number of instances.
  void requireSize(std::size_t instances) const {
    if (!all() && (first.size() != instances || second.size() != instances))
      throw InputError("check", "selection", "has the wrong number of instances");
  }
  [[nodiscard]] bool selects(std::size_t i, std::size_t j) const {
    return all() || (first[i] && second[j]) || (first[j] && second[i]);
  }
  /// Number of selected pairs of different instances. The n1 n2 ordered choices contain each instance of both
  /// sets with itself, and each pair within both sets twice.
  [[nodiscard]] std::size_t count(std::size_t instances) const {
    const auto pairsOf = [](std::size_t n) { return n * (n - std::min<std::size_t>(n, 1)) / 2; };
    if (all()) return pairsOf(instances);
    std::size_t n1 = 0, n2 = 0, both = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      n1 += first[i] ? 1 : 0;
      n2 += second[i] ? 1 : 0;
      both += first[i] && second[i] ? 1 : 0;
    }
    return n1 * n2 - both - pairsOf(both);
  }
};

}  // namespace fitup
