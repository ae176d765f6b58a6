#pragma once

#include <optional>
#include <string_view>

namespace fitup {

/// The kinds of hierarchy a model may carry, by the names that the command line uses.
enum class HierarchyKind {
  wide,  ///< eight boxes a node, tested at once: the fast default
  scd,   ///< surface R-tree and triangle R-trees (Figueiredo)
};

std::string_view name(HierarchyKind kind) noexcept;
/// Whether `CollisionModel::refit` can fit a tree of this kind around moved points. Trees whose boxes are
/// turned, or are cut out of their parents', have to be built anew.
bool isRefittable(HierarchyKind kind) noexcept;
std::optional<HierarchyKind> hierarchyKindFromName(std::string_view name) noexcept;

}  // namespace fitup
