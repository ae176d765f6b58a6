#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The kinds of hierarchy a model may carry, by the names that the command line uses.
enum class HierarchyKind {
  wide,             ///< eight boxes a node, tested at once: the fast default
  scd,              ///< surface R-tree and triangle R-trees (Figueiredo)
  aabb,             ///< axis-aligned boxes (SOLID, van den Bergen)
  obb,              ///< oriented boxes (RAPID, Gottschalk, Lin and Manocha)
  box,              ///< boxes that share all sides but one with their parent's (restricted boxtree, Zachmann)
  dop,              ///< discrete orientation polytopes, realigned on the way (Dop-Tree, Zachmann; Klosowski)
  opcode,           ///< axis-aligned boxes without leaves (OPCODE, Terdiman)
  opcodeQuantized,  ///< the same in 16 bits a number
};
inline constexpr std::size_t hierarchyKindCount = 8;

/// All of them, in the order of the enumeration.
std::span<const HierarchyKind> allHierarchyKinds() noexcept;
std::string_view name(HierarchyKind kind) noexcept;
/// Whether `CollisionModel::refit` can fit a tree of this kind around moved points. Trees whose boxes are
/// turned, or are cut out of their parents', have to be built anew.
bool isRefittable(HierarchyKind kind) noexcept;
/// "wide, scd, ...".
std::string hierarchyKindNames();
std::optional<HierarchyKind> hierarchyKindFromName(std::string_view name) noexcept;

}  // namespace fitup
