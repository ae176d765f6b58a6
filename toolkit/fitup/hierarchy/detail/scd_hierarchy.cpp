#include <fitup/hierarchy/detail/scd_hierarchy.h>

#include <fitup/hierarchy/build_options.h>
#include <fitup/hierarchy/detail/box_descent.h>

namespace fitup {

constinit const TreeKind detail::scdKind{"scd", true,
                                         [](BuildOptions& options) { options.triangleTrees = true; }};

std::optional<std::string> ScdHierarchy::problemFor(const TriangleMesh& mesh) const {
  if (trees_.isWellFormedFor(mesh)) return std::nullopt;
  return "they do not fit the mesh";
}

void ScdHierarchy::visitBoxes(std::size_t deepest, const BoxVisit& visit) const {
  struct Node {
    std::uint32_t first, count;
    bool ofSurfaces;
  };
  const auto boxOf = [](const Aabb& box) {
    return detail::alignedBoxBetween(toVec3(box.min), toVec3(box.max));
  };
  const RTreeRoot& root = trees_.surfaceTree;
  if (root.count == 0) return;
  visit(0, false, boxOf(root.box));
  if (deepest == 0) return;
  detail::descend(Node{root.first, root.count, true}, deepest - 1,
                  [&](const Node& node, std::size_t level, const auto& below) {
                    for (const RTreeEntry& entry : trees_.entries.span().subspan(node.first, node.count)) {
                      Node next{entry.first, entry.count, node.ofSurfaces};
                      if (entry.isLeaf() && node.ofSurfaces) {
                        const RTreeRoot& triangles = trees_.triangleTrees[entry.first];
                        next = {triangles.first, triangles.count, false};
                      }
                      const bool ends = entry.isLeaf() && !node.ofSurfaces;
                      visit(level + 1, ends, boxOf(entry.box()));
                      if (!ends) below(next);
                    }
                  });
}

std::shared_ptr<const HierarchyTree> ScdHierarchy::refitted(const TriangleMesh&, const TriangleMesh& mesh,
                                                            const RefitOptions&, RefitCounts& counts) const {
  return std::make_shared<const ScdHierarchy>(trees_.refitted(mesh, counts));
}

double ScdHierarchy::boxAreas() const noexcept {
  double sum = 0;
  for (const RTreeEntry& e : trees_.entries)
    sum += detail::halfArea(double(e.max.x) - e.min.x, double(e.max.y) - e.min.y, double(e.max.z) - e.min.z);
  return sum;
}

}  // namespace fitup
