#include <fitup/hierarchy/collision_model.h>

#include <fitup/base/error.h>

namespace fitup {

std::shared_ptr<const CollisionModel> CollisionModel::build(std::shared_ptr<const TriangleMesh> mesh,
                                                            const BuildOptions& options) {
  if (!mesh) throw InputError("collision model: no mesh");
  ScdTrees trees = ScdTrees::build(*mesh, options.rtree, options.triangleTrees);
  std::optional<WideBvh> wide;
  if (options.wide) wide = WideBvh::build(*mesh, *options.wide);
  return std::shared_ptr<const CollisionModel>(
      new CollisionModel(std::move(mesh), std::move(trees), std::move(wide)));
}

std::shared_ptr<const CollisionModel> CollisionModel::fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                                ScdTrees trees, std::optional<WideBvh> wide) {
  if (!mesh) throw InputError("collision model: no mesh");
  if (!trees.isWellFormedFor(*mesh))
    throw InputError("mesh '" + mesh->name() + "'", "R-trees", "do not fit the mesh");
  if (wide)
    if (const auto problem = wide->problemFor(*mesh, false))
      throw InputError("mesh '" + mesh->name() + "'", "wide tree", *problem);
  return std::shared_ptr<const CollisionModel>(
      new CollisionModel(std::move(mesh), std::move(trees), std::move(wide)));
}

const WideBvh& CollisionModel::wide() const {
  if (!wide_) throw NotBuiltError("part '" + mesh_->name() + "' was built without the hierarchy 'wide'");
  return *wide_;
}

std::size_t CollisionModel::hierarchyBytes() const noexcept {
  return scd_.entries.size() * sizeof(RTreeEntry) + scd_.triangleTrees.size() * sizeof(RTreeRoot) +
         (wide_ ? wide_->bytes() : 0);
}

}  // namespace fitup
