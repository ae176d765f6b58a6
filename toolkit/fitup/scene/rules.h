#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The effect of a rule on the pairs that it matches.
enum class RuleAction {
  ignore,        ///< the pair is not checked
  allowContact,  ///< the pair may touch: contact needs no action, a clash does
  allowOverlap,  ///< the pair may overlap up to `Rule::depth`: deeper is a clash, all else is allowed contact
  clearance,     ///< the pair must keep a distance of `Rule::distance`
};
std::string_view name(RuleAction action) noexcept;
/// True if contact of the pair is expected.
constexpr bool allowsContact(RuleAction action) noexcept {
  return action == RuleAction::allowContact || action == RuleAction::allowOverlap;
}
/// The reverse of `name`; empty for any other text.
std::optional<RuleAction> ruleActionFromName(std::string_view text) noexcept;

/// Fasteners that are recognised from the shapes of two parts (`recogniseThread`).
enum class Fastener {
  thread,  ///< an outer and an inner thread that are modelled as cylinders
};
/// Returns "thread".
std::string_view name(Fastener fastener) noexcept;

/// What a side of a rule requires of an instance besides its path. Everything that is set must match.
struct RuleAttributes {
  std::string part{};    ///< pattern for the name of the instance's part; empty: any
  std::string colour{};  ///< "#rrggbb" in lower case: of the instance or a surface of its part; empty: any
  /// Pattern for a layer of the instance or of a subassembly above it (`AssemblyNode::layers`); empty: any.
  std::string layer{};
  [[nodiscard]] bool empty() const noexcept { return part.empty() && colour.empty() && layer.empty(); }
  friend bool operator==(const RuleAttributes&, const RuleAttributes&) = default;
};

/// A rule for pairs of instances whose paths match two patterns, in either order. In a pattern, '*' stands
/// for any run of characters (also '/') and '?' for one; every other character stands for itself. A pattern
/// that matches the path of a subassembly covers all instances below it. An empty pattern matches nothing.
///
/// With `sameSubassembly`, both patterns must match one and the same subassembly above both instances: the
/// patterns "pump*" then cover the pairs within pump1 and those within pump2, and none between the two.
struct Rule {
  std::string a, b;
  std::string reason{};  ///< shown in reports; may be empty
  RuleAction action = RuleAction::ignore;
  double distance = 0;  ///< for `clearance`, in the assembly's unit
  double depth = 0;     ///< for `allowOverlap`, in the assembly's unit
  bool sameSubassembly = false;
  /// Besides the patterns. Rules with attributes or a fastener must be resolved for a model before they are
  /// applied (`resolveAttributes`).
  RuleAttributes whereA{}, whereB{};
  /// Set: the rule matches only pairs that are recognised as such a fastener, as designed.
  std::optional<Fastener> fastener{};
  [[nodiscard]] bool needsModel() const noexcept {
    return !whereA.empty() || !whereB.empty() || fastener.has_value();
  }
  friend bool operator==(const Rule&, const Rule&) = default;
};

/// What rules with attributes match in one model, by position of the rule. Other rules have an empty entry.
struct RuleMatches {
  struct OfRule {
    std::set<std::string, std::less<>> a, b;  ///< paths of the instances that have the attributes of the side
    /// Paths of the pairs that are recognised as the fastener, the lesser path first.
    std::set<std::pair<std::string, std::string>> pairs;
  };
  std::vector<OfRule> rules;
};

/// What a rule requires besides its patterns, for people: ", same subassembly, part of a 'M8*', thread".
/// Empty if nothing.
std::string requirementsText(const Rule& rule);

/// Pairs that a check covers: an instance that matches a pattern of `a` against one that matches a pattern of
/// `b`, in either order. Patterns as in `Rule`.
struct CheckSets {
  std::vector<std::string> a, b;
  friend bool operator==(const CheckSets&, const CheckSets&) = default;
};

/// Maximum number of bytes of a pattern, and of a reason, in rule files.
constexpr std::size_t longestPattern = 4096;

/// Matches a whole path. Linear in practice, at worst O(|pattern| |text|); files limit both
/// (`longestPattern`, and model files limit the length of paths).
bool matchesPattern(std::string_view pattern, std::string_view text) noexcept;
/// Matches the path, or that of a subassembly above it. The cost is that of `matchesPattern`.
bool matchesAtOrAbove(std::string_view pattern, std::string_view path) noexcept;

/// The rules of a check, in order; the first matching rule applies.
struct Rules {
  std::vector<Rule> rules{};
  std::optional<CheckSets> check{};  ///< unset: every pair
  /// Patterns match whole instance paths only, not paths of subassemblies, as in files of version 1.
  bool wholePaths = false;
  /// Made by `resolveAttributes`, from the rules as they are now.
  std::shared_ptr<const RuleMatches> resolved{};
  /// Compares the rules, not what they match in a model.
  friend bool operator==(const Rules& p, const Rules& q) {
    return p.rules == q.rules && p.check == q.check && p.wholePaths == q.wholePaths;
  }

  /// Puts rules that need no model before all others.
  void prepend(std::span<const Rule> first);
  [[nodiscard]] bool empty() const noexcept { return rules.empty() && !check; }
  [[nodiscard]] bool matches(std::string_view pattern, std::string_view path) const noexcept {
    return wholePaths ? matchesPattern(pattern, path) : matchesAtOrAbove(pattern, path);
  }
  /// Precondition: `rule` is one of `rules`. Throws InputError if it needs a model and is not resolved.
  [[nodiscard]] bool matches(const Rule& rule, std::string_view pathA, std::string_view pathB) const;
  /// The first rule that matches the pair, or null. Throws as `matches`.
  [[nodiscard]] const Rule* find(std::string_view pathA, std::string_view pathB) const;
  /// True if the path is in set A or set B of `check`, respectively; always true if `check` is unset.
  [[nodiscard]] bool inSetA(std::string_view path) const noexcept;
  [[nodiscard]] bool inSetB(std::string_view path) const noexcept;
  /// True if the check covers the pair.
  [[nodiscard]] bool selects(std::string_view pathA, std::string_view pathB) const noexcept {
    return !check || (inSetA(pathA) && inSetB(pathB)) || (inSetA(pathB) && inSetB(pathA));
  }
  /// True if the check covers the pair and no rule ignores it.
  [[nodiscard]] bool asksFor(std::string_view pathA, std::string_view pathB) const {
    if (!selects(pathA, pathB)) return false;
    const Rule* rule = find(pathA, pathB);
    return rule == nullptr || rule->action != RuleAction::ignore;
  }

 private:
  [[nodiscard]] bool matchesSide(const Rule& rule, bool sideA, std::string_view path) const;
  [[nodiscard]] const RuleMatches::OfRule& resolvedFor(const Rule& rule) const;
};

/// Counts the pairs between or within groups of instances that `Rules::selects`, without enumerating them.
class SelectedPairs {
 public:
  explicit SelectedPairs(const Rules& rules) : rules_(rules) {}
  void add(std::string_view path);
  [[nodiscard]] std::size_t size() const noexcept { return all_; }
  [[nodiscard]] std::size_t within() const noexcept;
  /// Number of pairs with one instance of each group. Precondition: the groups have no instance in common.
  [[nodiscard]] std::size_t with(const SelectedPairs& other) const noexcept;

 private:
  const Rules& rules_;
  std::size_t all_ = 0, inA_ = 0, inB_ = 0, inBoth_ = 0;
};

}  // namespace fitup
