#include <fitup/hierarchy/hierarchy_tree.h>

#include <fitup/hierarchy/detail/tree_scratch.h>

namespace fitup {

TreeScratch::TreeScratch() : data_(std::make_unique<Data>()) {}
TreeScratch::~TreeScratch() = default;
WideScratch& TreeScratch::wide() noexcept { return data_->wide; }
TreeScratch::TreeScratch(TreeScratch&&) noexcept = default;
TreeScratch& TreeScratch::operator=(TreeScratch&&) noexcept = default;

std::shared_ptr<const HierarchyTree> HierarchyTree::refitted(const TriangleMesh&, const TriangleMesh&,
                                                             const RefitOptions&, RefitCounts&) const {
  return nullptr;
}

}  // namespace fitup
