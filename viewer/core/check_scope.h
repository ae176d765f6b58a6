#pragma once

#include <optional>
#include <set>

#include <fitup/scene/assembly.h>
#include <fitup/scene/rules.h>

namespace fitup::viewer {

/// What a user may narrow the check to.
enum class CheckScope {
  withSelected,   ///< pairs of one of the selected instances and any other one
  amongSelected,  ///< pairs of two selected instances
};

/// The sets of `Rules::check` for a scope. An instance whose path is named in them stands for what is below
/// it too, as in all rules. Throws InputError for pairs among less than two.
CheckSets checkSetsOf(const Assembly& assembly, const std::set<NodeId>& selected, CheckScope scope);

/// The scope that rules narrow the check to; nothing where they do not, or otherwise.
std::optional<CheckScope> scopeOf(const Rules& rules);

/// Instances of the check's set A: those it is about. All if nothing is narrowed.
std::set<NodeId> instancesInScope(const Assembly& assembly, const Rules& rules);

}  // namespace fitup::viewer
