#include <fitup/hierarchy/collision_model.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/scd_hierarchy.h>
#include <fitup/hierarchy/detail/wide_hierarchy.h>

namespace fitup {

void CollisionModel::setTree(std::shared_ptr<const HierarchyTree> tree) {
  const HierarchyKind kind = tree->kind();
  if (kind == HierarchyKind::wide) wide_ = &static_cast<const WideHierarchy&>(*tree).tree();
  trees_.emplace_back(kind, std::move(tree));
}

void CollisionModel::setRTrees(ScdTrees rtrees) {
  rtrees_ = std::move(rtrees);
  // A part without surfaces needs no triangle trees.
  if (!rtrees_.triangleTrees.empty() || mesh_->surfaces().empty())
    setTree(std::make_shared<const ScdHierarchy>(rtrees_));
}

std::shared_ptr<const CollisionModel> CollisionModel::build(std::shared_ptr<const TriangleMesh> mesh,
                                                            const BuildOptions& options,
                                                            const WorkMeter& meter, unsigned threads) {
  if (!mesh) throw InputError("collision model: no mesh");
  const unsigned workers = workerCount(threads, mesh->triangleCount() / tuning::trianglesForThread);
  ScdTrees rtrees;
  std::optional<WideBvh> wide;
  parallelFor(2, workers, [&](std::size_t i, unsigned) {
    if (i == 0)
      rtrees = ScdTrees::build(*mesh, options.rtree, options.triangleTrees, meter);
    else if (options.wide)
      wide = WideBvh::build(*mesh, *options.wide, workers > 1 ? workers - 1 : 1, meter);
  });
  std::shared_ptr<CollisionModel> model(new CollisionModel(std::move(mesh)));
  if (wide) model->setTree(std::make_shared<const WideHierarchy>(std::move(*wide)));
  model->setRTrees(std::move(rtrees));
  for (const TreeRequest& request : options.more) model->setTree(request.build(*model->mesh_, meter));
  return model;
}

std::uint64_t CollisionModel::units(const TriangleMesh& mesh, const BuildOptions& options) noexcept {
  std::uint64_t units = ScdTrees::units(mesh, options.triangleTrees);
  if (options.wide) units += WideBvh::units(mesh);
  for (const TreeRequest& request : options.more) units += mesh.triangleCount() * request.unitsPerTriangle;
  return units;
}

std::shared_ptr<const CollisionModel> CollisionModel::with(std::shared_ptr<const CollisionModel> model,
                                                           const BuildOptions& options,
                                                           const WorkMeter& meter) {
  if (!model) throw InputError("collision model: is null");
  std::shared_ptr<CollisionModel> more;
  const auto changed = [&]() -> CollisionModel& {
    if (!more) more.reset(new CollisionModel(*model));
    return *more;
  };
  if (options.wide && !model->hasWide())
    changed().setTree(
        std::make_shared<const WideHierarchy>(WideBvh::build(*model->mesh_, *options.wide, 1, meter)));
  if (options.triangleTrees && !model->has(HierarchyKind::scd))
    changed().setRTrees(ScdTrees::build(*model->mesh_, options.rtree, true, meter));
  for (const TreeRequest& request : options.more)
    if (!model->has(request.kind)) changed().setTree(request.build(*model->mesh_, meter));
  if (!more) return model;
  if (more->history_)  // trees built just before have not grown yet
    for (const HierarchyKind kind : more->kinds())
      if (!model->has(kind)) more->history_->builtCosts.emplace_back(kind, more->areaCost(kind));
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
  std::shared_ptr<CollisionModel> model(new CollisionModel(std::move(mesh)));
  if (wide) {
    wide->computeSurfaces(*model->mesh_);
    model->setTree(std::make_shared<const WideHierarchy>(std::move(*wide)));
  }
  model->setRTrees(std::move(trees));
  return model;
}

void CollisionModel::failNotBuilt(HierarchyKind kind) const {
  throw NotBuiltError("part '" + mesh_->name() + "' was built without the hierarchy '" +
                      std::string(name(kind)) + "'");
}

const PartHull& CollisionModel::hull() const {
  static const PartHull none;
  if (history_ || !wide_) return none;
  std::call_once(hull_->made, [&] { hull_->hull = PartHull::of(*mesh_, *wide_); });
  return hull_->hull;
}

std::vector<HierarchyKind> CollisionModel::kinds() const {
  std::vector<HierarchyKind> kinds;
  for (const auto& [kind, tree] : trees_) kinds.push_back(kind);
  return kinds;
}

std::size_t CollisionModel::hierarchyBytes(HierarchyKind kind) const noexcept {
  const HierarchyTree* tree = find(kind);
  return tree != nullptr ? tree->bytes() : 0;
}

std::size_t CollisionModel::hierarchyBytes() const noexcept {
  std::size_t bytes = has(HierarchyKind::scd) ? 0 : rtrees_.bytes();
  for (const auto& [kind, tree] : trees_) bytes += tree->bytes();
  return bytes;
}

}  // namespace fitup
