#include <fitup/hierarchy/tree_registry.h>

#include <fitup/hierarchy/aabb_tree.h>
#include <fitup/hierarchy/box_tree.h>
#include <fitup/hierarchy/compact_aabb_tree.h>
#include <fitup/hierarchy/dop_tree.h>
#include <fitup/hierarchy/obb_tree.h>

namespace fitup {
namespace {

/// `more`: what the tree's `build` wants besides.
template <typename Tree, auto options, auto... more>
constexpr TreeKind registered(HierarchyKind kind) {
  return {kind, [](const BuildOptions& asked) { return (asked.*options).has_value(); },
          [](const TriangleMesh& mesh, const BuildOptions& asked,
             const WorkMeter& meter) -> std::shared_ptr<const HierarchyTree> {
            if (!(asked.*options)) return nullptr;
            return Tree::build(mesh, *(asked.*options), more..., meter);
          },
          [](BuildOptions& asked) {
            if (!(asked.*options)) (asked.*options).emplace();
          }};
}

constexpr TreeKind kinds[] = {
    registered<AabbTree, &BuildOptions::aabb>(HierarchyKind::aabb),
    registered<ObbTree, &BuildOptions::obb>(HierarchyKind::obb),
    registered<BoxTree, &BuildOptions::box>(HierarchyKind::box),
    registered<DopTree, &BuildOptions::dop>(HierarchyKind::dop),
    registered<CompactAabbTree, &BuildOptions::opcode, false>(HierarchyKind::opcode),
    registered<CompactAabbTree, &BuildOptions::opcodeQuantized, true>(HierarchyKind::opcodeQuantized),
};

}  // namespace

std::span<const TreeKind> treeKinds() noexcept { return kinds; }

}  // namespace fitup
