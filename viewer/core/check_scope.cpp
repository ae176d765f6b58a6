#include <viewer/core/check_scope.h>

namespace fitup::viewer {

CheckSets checkSetsOf(const Assembly& assembly, const std::set<NodeId>& selected, CheckScope scope) {
  CheckSets sets;
  for (const NodeId node : selected) sets.a.push_back(assembly.path(node));
  sets.b = scope == CheckScope::amongSelected ? sets.a : std::vector<std::string>{"*"};
  return sets;
}

std::set<NodeId> instancesInScope(const Assembly& assembly, const Rules& rules) {
  std::set<NodeId> result;
  for (const NodeId node : assembly.instances())
    if (!rules.check || rules.inSetA(assembly.path(node))) result.insert(node);
  return result;
}

}  // namespace fitup::viewer
