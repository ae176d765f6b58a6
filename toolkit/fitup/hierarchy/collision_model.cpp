#include <fitup/hierarchy/collision_model.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/hierarchy/detail/binary_tree.h>
#include <fitup/hierarchy/tree_registry.h>

namespace fitup {

void BuildOptions::add(HierarchyKind kind) {
  switch (kind) {
    case HierarchyKind::wide:
      if (!wide) wide.emplace();
      return;
    case HierarchyKind::scd:
      triangleTrees = true;
      return;
    default:
      for (const TreeKind& entry : treeKinds())
        if (entry.kind == kind) entry.request(*this);
  }
}

std::shared_ptr<const CollisionModel> CollisionModel::build(std::shared_ptr<const TriangleMesh> mesh,
                                                            const BuildOptions& options,
                                                            const WorkMeter& meter, unsigned threads) {
  if (!mesh) throw InputError("collision model: no mesh");
  constexpr std::size_t trianglesEach = 20'000;  // fewer are built before another thread has begun
  const unsigned workers = workerCount(threads, mesh->triangleCount() / trianglesEach);
  ScdTrees trees;
  std::optional<WideBvh> wide;
  parallelFor(2, workers, [&](std::size_t i, unsigned) {
    if (i == 0)
      trees = ScdTrees::build(*mesh, options.rtree, options.triangleTrees, meter);
    else if (options.wide)
      wide = WideBvh::build(*mesh, *options.wide, workers > 1 ? workers - 1 : 1, meter);
  });
  std::shared_ptr<CollisionModel> model(
      new CollisionModel(std::move(mesh), std::move(trees), std::move(wide)));
  for (const TreeKind& kind : treeKinds())
    model->trees_[static_cast<std::size_t>(kind.kind)] = kind.build(*model->mesh_, options, meter);
  return model;
}

std::uint64_t CollisionModel::units(const TriangleMesh& mesh, const BuildOptions& options) noexcept {
  std::uint64_t units = ScdTrees::units(mesh, options.triangleTrees);
  if (options.wide) units += WideBvh::units(mesh);
  for (const TreeKind& kind : treeKinds())
    if (kind.isRequested(options)) units += mesh.triangleCount() * detail::binaryUnits;
  return units;
}

std::shared_ptr<const CollisionModel> CollisionModel::with(std::shared_ptr<const CollisionModel> model,
                                                           const BuildOptions& options,
                                                           const WorkMeter& meter) {
  if (!model) throw InputError("collision model: there is none to add to");
  std::shared_ptr<CollisionModel> more;
  const auto changed = [&]() -> CollisionModel& {
    if (!more) more.reset(new CollisionModel(*model));
    return *more;
  };
  if (options.triangleTrees && !model->hasTriangleTrees())
    changed().scd_ = ScdTrees::build(*model->mesh_, options.rtree, true, meter);
  if (options.wide && !model->wide_) changed().wide_ = WideBvh::build(*model->mesh_, *options.wide, 1, meter);
  for (const TreeKind& kind : treeKinds())
    if (!model->has(kind.kind))
      if (auto tree = kind.build(*model->mesh_, options, meter))
        changed().trees_[static_cast<std::size_t>(kind.kind)] = std::move(tree);
  if (!more) return model;
  if (more->history_) {
    // What was built now has not grown yet. A lean model's surface trees are built again with the others.
    auto& costs = more->history_->builtCosts;
    for (const HierarchyKind kind : more->kinds())
      if (!model->has(kind)) {
        std::erase_if(costs, [&](const auto& known) { return known.first == kind; });
        costs.emplace_back(kind, more->areaCost(kind));
      }
  }
  return more;
}

std::shared_ptr<const CollisionModel> CollisionModel::fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                                ScdTrees trees, std::optional<WideBvh> wide,
                                                                const WorkMeter& meter) {
  if (!mesh) throw InputError("collision model: no mesh");
  if (!trees.isWellFormedFor(*mesh, meter))
    throw InputError("mesh '" + mesh->name() + "'", "R-trees", "do not fit the mesh");
  if (wide)
    if (const auto problem = wide->problemFor(*mesh, false, meter))
      throw InputError("mesh '" + mesh->name() + "'", "wide tree", *problem);
  return fromCheckedTrees(std::move(mesh), std::move(trees), std::move(wide));
}

std::shared_ptr<const CollisionModel> CollisionModel::fromCheckedTrees(
    std::shared_ptr<const TriangleMesh> mesh, ScdTrees trees, std::optional<WideBvh> wide) {
  if (wide) wide->tellSurfaces(*mesh);
  return std::shared_ptr<const CollisionModel>(
      new CollisionModel(std::move(mesh), std::move(trees), std::move(wide)));
}

const WideBvh& CollisionModel::wide() const {
  if (!wide_) throw NotBuiltError("part '" + mesh_->name() + "' was built without the hierarchy 'wide'");
  return *wide_;
}

const PartHull& CollisionModel::hull() const {
  static const PartHull none;
  if (history_ || !wide_) return none;
  std::call_once(hull_->made, [&] { hull_->hull = PartHull::of(*mesh_, *wide_); });
  return hull_->hull;
}

bool CollisionModel::has(HierarchyKind kind) const noexcept {
  switch (kind) {
    case HierarchyKind::wide:
      return hasWide();
    case HierarchyKind::scd:
      return hasTriangleTrees();
    default:
      return trees_[static_cast<std::size_t>(kind)] != nullptr;
  }
}

const HierarchyTree& CollisionModel::tree(HierarchyKind kind) const {
  const auto& tree = trees_[static_cast<std::size_t>(kind)];
  if (!tree)
    throw NotBuiltError("part '" + mesh_->name() + "' was built without the hierarchy '" +
                        std::string(name(kind)) + "'");
  return *tree;
}

std::size_t CollisionModel::hierarchyBytes(HierarchyKind kind) const noexcept {
  switch (kind) {
    case HierarchyKind::wide:
      return wide_ ? wide_->bytes() : 0;
    case HierarchyKind::scd:
      return scd_.entries.size() * sizeof(RTreeEntry) + scd_.triangleTrees.size() * sizeof(RTreeRoot);
    default:
      return has(kind) ? tree(kind).bytes() : 0;
  }
}

std::size_t CollisionModel::hierarchyBytes() const noexcept {
  std::size_t bytes = 0;
  for (const HierarchyKind kind : allHierarchyKinds()) bytes += hierarchyBytes(kind);
  return bytes;
}

}  // namespace fitup
