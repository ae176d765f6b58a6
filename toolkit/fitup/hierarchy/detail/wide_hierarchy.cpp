#include <fitup/hierarchy/detail/wide_hierarchy.h>

#include <fitup/hierarchy/build_options.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup/hierarchy/detail/tree_scratch.h>
#include <fitup/hierarchy/detail/wide_children.h>

namespace fitup {

constinit const TreeKind detail::wideKind{"wide", true, [](BuildOptions& options) {
                                            if (!options.wide) options.wide.emplace();
                                          }};

void WideHierarchy::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  if (tree_.nodeCount() == 0) return;
  // Node 0 has the root as its only child, so children of nodes at level n are boxes of level n.
  detail::descend(std::uint32_t{0}, deepest, [&](std::uint32_t node, std::size_t level, const auto& below) {
    detail::openWideNode(tree_, node,
                         [&](const WideFrame& frame, const auto& centre, const auto& half, const auto& child,
                             std::uint32_t count) {
                           for (std::uint32_t i = 0; i < count; ++i) {
                             const Vec3 inAxes{centre[0][i], centre[1][i], centre[2][i]},
                                 extent{half[0][i], half[1][i], half[2][i]};
                             visit(
                                 level, child[i].isLeaf(),
                                 detail::turnedBox(frame.columns, detail::outOfAxes(frame, inAxes), extent));
                             if (!child[i].isLeaf()) below(child[i].node());
                           }
                         });
  });
}

std::shared_ptr<const HierarchyTree> WideHierarchy::refitted(const TriangleMesh& before,
                                                             const TriangleMesh& mesh,
                                                             const RefitOptions& options,
                                                             RefitCounts& counts) const {
  return std::make_shared<const WideHierarchy>(tree_.refitted(before, mesh, options, counts));
}

double WideHierarchy::boxAreas() const noexcept {
  double sum = 0;
  for (std::uint32_t n = 0; n < tree_.nodeCount(); ++n)
    detail::openWideNode(
        tree_, n, [&](const WideFrame&, const auto&, const auto& half, const auto&, std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k)
            sum += detail::halfArea(2 * double(half[0][k]), 2 * double(half[1][k]), 2 * double(half[2][k]));
        });
  return sum;
}

void WideHierarchy::traverse(const TraversalTask& task, const HierarchyTree& treeOfB,
                             TreeScratch& scratch) const {
  traverseWide(task, tree_, static_cast<const WideHierarchy&>(treeOfB).tree_, scratch.data().wide);
}

}  // namespace fitup
