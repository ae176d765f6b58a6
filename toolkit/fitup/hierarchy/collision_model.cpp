#include <fitup/hierarchy/collision_model.h>

#include <fitup/base/error.h>

namespace fitup {

std::shared_ptr<const CollisionModel> CollisionModel::build(std::shared_ptr<const TriangleMesh> mesh,
                                                            const BuildOptions& options) {
  if (!mesh) throw InputError("collision model: no mesh");
  ScdTrees trees = ScdTrees::build(*mesh, options.rtree);
  return std::shared_ptr<const CollisionModel>(new CollisionModel(std::move(mesh), std::move(trees)));
}

std::shared_ptr<const CollisionModel> CollisionModel::fromTrees(std::shared_ptr<const TriangleMesh> mesh,
                                                                ScdTrees trees) {
  if (!mesh) throw InputError("collision model: no mesh");
  if (!trees.isWellFormedFor(*mesh))
    throw InputError("mesh '" + mesh->name() + "'", "R-trees", "do not fit the mesh");
  return std::shared_ptr<const CollisionModel>(new CollisionModel(std::move(mesh), std::move(trees)));
}

std::size_t CollisionModel::hierarchyBytes() const noexcept {
  return scd_.entries.size() * sizeof(RTreeEntry) + scd_.triangleTrees.size() * sizeof(RTreeRoot);
}

}  // namespace fitup
