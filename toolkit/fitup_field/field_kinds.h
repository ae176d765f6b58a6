#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fitup/hierarchy/build_options.h>
#include <fitup_field/research_options.h>

namespace fitup::field {

/// A hierarchy of one of the papers.
struct FieldKind : TreeKind {
  std::shared_ptr<const HierarchyTree> (*build)(const TriangleMesh&, const ResearchOptions&,
                                                const WorkMeter&) = nullptr;
};

namespace detail {
extern const FieldKind aabbKind, obbKind, boxKind, dopKind, opcodeKind, opcodeQuantizedKind;
}  // namespace detail

/// Axis-aligned boxes (SOLID, van den Bergen).
inline constexpr HierarchyKind aabb{detail::aabbKind};
/// Oriented boxes (RAPID, Gottschalk, Lin and Manocha).
inline constexpr HierarchyKind obb{detail::obbKind};
/// Boxes that share all sides but one with their parent's (restricted boxtree, Zachmann).
inline constexpr HierarchyKind box{detail::boxKind};
/// Discrete orientation polytopes, realigned during the descent (Dop-Tree, Zachmann; Klosowski).
inline constexpr HierarchyKind dop{detail::dopKind};
/// Axis-aligned boxes without leaves (OPCODE, Terdiman), in floats and in 16-bit numbers.
inline constexpr HierarchyKind opcode{detail::opcodeKind}, opcodeQuantized{detail::opcodeQuantizedKind};

/// The kinds of the toolkit and those above, for programs that let users choose.
std::span<const HierarchyKind> allHierarchyKinds() noexcept;
/// Names of all kinds: "wide, scd, ...".
std::string hierarchyKindNames();
std::optional<HierarchyKind> hierarchyKindFromName(std::string_view name) noexcept;

/// Makes `build` request a kind of `allHierarchyKinds`, built with `options`; replaces an earlier request for
/// it. The toolkit's own kinds have no such options, so they are requested as by `BuildOptions::add`.
void add(BuildOptions& build, HierarchyKind kind, const ResearchOptions& options = {});

}  // namespace fitup::field
