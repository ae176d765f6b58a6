#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <viewer/core/session.h>

namespace fitup::viewer {

/// Numbers of pairs of instances for one rule in a list.
struct RuleMatchCount {
  std::size_t matching = 0;  ///< pairs that the rule matches
  std::size_t applying = 0;  ///< those that no earlier rule matches
  friend bool operator==(const RuleMatchCount&, const RuleMatchCount&) = default;
};

/// Counts what rules match while a user edits them. Remembers what each rule matches, so that only changed
/// rules are examined again.
class RuleMatchCounter {
 public:
  /// Maximum number of pairs times rules that are examined: about half a second of work.
  static constexpr std::size_t mostMatchings = 3'000'000;

  /// The session must outlive the counter.
  explicit RuleMatchCounter(const Session& session) : session_(session) {}
  /// Counts all pairs of instances, wherever they are, for each rule; empty for more than `mostMatchings`.
  /// Fasteners are recognised as `Session::rules` does.
  std::optional<std::vector<RuleMatchCount>> count(const Rules& rules);

 private:
  using Pairs = std::vector<bool>;  ///< by pair, in the order of the loops in `matchedBy`
  const Pairs& matchedBy(Rule rule);

  const Session& session_;
  bool wholePaths_ = false;
  std::map<std::string, Pairs> known_;  ///< by everything of a rule that decides what it matches
};

}  // namespace fitup::viewer
