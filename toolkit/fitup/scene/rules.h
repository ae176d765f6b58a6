#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fitup {

/// A pair of path patterns whose instances are not checked against each other, in either order. In a pattern
/// '*' stands for any run of characters (also '/'), '?' for one; everything else for itself. An empty pattern
/// matches nothing.
struct ExclusionRule {
  std::string a, b;
  std::string reason;  ///< shown in reports; may be empty
};

/// Matches a whole path. Linear in practice, at worst O(|pattern| |text|).
bool matchesPattern(std::string_view pattern, std::string_view text) noexcept;

/// The rules of a check, in order; the first that matches wins.
struct ExclusionRules {
  std::vector<ExclusionRule> rules;

  /// The rule that excludes the pair, or null.
  [[nodiscard]] const ExclusionRule* find(std::string_view pathA, std::string_view pathB) const noexcept;
};

}  // namespace fitup
