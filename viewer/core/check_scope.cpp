#include <viewer/core/check_scope.h>

#include <fitup/base/error.h>

namespace fitup::viewer {

CheckSets checkSetsOf(const Assembly& assembly, const std::set<NodeId>& selected, CheckScope scope) {
  // A check among fewer than two instances would find nothing, whatever the part hits.
  if (scope == CheckScope::amongSelected && selected.size() < 2)
    throw InputError("pairs among the selected parts: select at least two parts");
  CheckSets sets;
  for (const NodeId node : selected) sets.a.push_back(assembly.path(node));
  sets.b = scope == CheckScope::amongSelected ? sets.a : std::vector<std::string>{"*"};
  return sets;
}

std::optional<CheckScope> scopeOf(const Rules& rules) {
  if (!rules.check) return std::nullopt;
  if (rules.check->b == std::vector<std::string>{"*"}) return CheckScope::withSelected;
  return rules.check->a == rules.check->b ? std::optional(CheckScope::amongSelected) : std::nullopt;
}

std::set<NodeId> instancesInScope(const Assembly& assembly, const Rules& rules) {
  std::set<NodeId> result;
  for (const NodeId node : assembly.instances())
    if (!rules.check || rules.inSetA(assembly.path(node))) result.insert(node);
  return result;
}

}  // namespace fitup::viewer
