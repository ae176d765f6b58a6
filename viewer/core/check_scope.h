#pragma once

#include <optional>
#include <set>

#include <fitup/scene/assembly.h>
#include <fitup/scene/rules.h>

namespace fitup::viewer {

/// How a user may narrow the check.
enum class CheckScope {
  withSelected,   ///< pairs of one of the selected instances and any other one
  amongSelected,  ///< pairs of two selected instances
};

/// Returns the sets of `Rules::check` for a scope. As in all rules, a path also stands for the instances
/// below it. Throws InputError for pairs among fewer than two instances.
CheckSets checkSetsOf(const Assembly& assembly, const std::set<NodeId>& selected, CheckScope scope);

/// Returns the scope to which rules narrow the check; empty if they narrow it in another way or not at all.
std::optional<CheckScope> scopeOf(const Rules& rules);

/// Returns the instances of the check's set A, which the check is about; all instances if it is not narrowed.
std::set<NodeId> instancesInScope(const Assembly& assembly, const Rules& rules);

}  // namespace fitup::viewer
