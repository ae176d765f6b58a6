#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace fitup::detail {

/// Conservative advancement of many pairs along one path, s in [0, 1] (Mirtich, Impulse-based Dynamic
/// Simulation of Rigid Body Systems, 1996, chapter 2.3). Each pair is examined again at the earliest place at
/// which it can have reached its limit, and the earliest of all pairs comes first. So at any s no pair has
/// reached its limit before s, and pairs that are far apart are rarely examined.
class Advancement {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// Examines the pair at s. Returns the s at which it must be examined again (beyond 1: not on this path),
  /// or nothing to end the work.
  using Look = std::function<std::optional<double>(std::size_t pair, double s)>;

  void add(std::size_t pair, double s = 0) { queue_.emplace(s, pair); }

  /// Runs until a look ends it or `stop` returns true. Returns the s, at most 1, up to which every pair keeps
  /// its limit.
  double run(
      const Look& look, const std::function<bool()>& stop = [] { return false; }) {
    while (!queue_.empty()) {
      const auto [s, pair] = queue_.top();
      if (s > 1) return 1;
      if (stop()) return s;
      queue_.pop();
      const std::optional<double> next = look(pair, s);
      if (!next) return s;
      if (*next <= 1) queue_.emplace(*next, pair);
    }
    return 1;
  }

 private:
  using Entry = std::pair<double, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

}  // namespace fitup::detail
