#include <fitup/hierarchy/refit.h>

#include <algorithm>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/detail/box_descent.h>
#include <fitup/hierarchy/detail/scd_hierarchy.h>

namespace fitup {
namespace {

template <typename T>
bool sameElements(std::span<const T> a, std::span<const T> b) {
  return a.data() == b.data() ? a.size() == b.size() : std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool hasTrianglesOf(const TriangleMesh& deformed, const TriangleMesh& mesh) {
  return deformed.points().size() == mesh.points().size() &&
         sameElements(deformed.triangles(), mesh.triangles()) &&
         std::equal(deformed.surfaces().begin(), deformed.surfaces().end(), mesh.surfaces().begin(),
                    mesh.surfaces().end(),
                    [](const Surface& a, const Surface& b) { return a.triangleCount == b.triangleCount; });
}

}  // namespace

std::shared_ptr<const CollisionModel> CollisionModel::refit(std::span<const Vec3> pointsInPart,
                                                            const RefitOptions& options) const {
  return refit(std::make_shared<const TriangleMesh>(withPoints(*mesh_, pointsInPart)), options);
}

std::shared_ptr<const CollisionModel> CollisionModel::refit(std::shared_ptr<const TriangleMesh> deformed,
                                                            const RefitOptions& options) const {
  const std::vector<HierarchyKind> carried = kinds();
  for (const HierarchyKind kind : carried)
    if (!isRefittable(kind))
      throw NotRefittableError("part '" + mesh_->name() + "': the hierarchy '" + std::string(name(kind)) +
                               "' cannot be refitted; build the model again, or without this hierarchy");
  if (!deformed || !hasTrianglesOf(*deformed, *mesh_))
    throw InputError("part '" + mesh_->name() + "'", "refit", "the deformed mesh has other triangles");
  RefitHistory history;
  if (history_)
    history = *history_;
  else
    for (const HierarchyKind kind : carried) history.builtCosts.emplace_back(kind, areaCost(kind));
  ++history.refits;
  history.counts = {};
  const std::shared_ptr<CollisionModel> result(new CollisionModel(std::move(deformed)));
  for (const auto& [kind, tree] : trees_)
    result->setTree(tree->refitted(*mesh_, *result->mesh_, options, history.counts));
  if (const HierarchyTree* scd = result->find(HierarchyKind::scd))
    result->rtrees_ = static_cast<const ScdHierarchy*>(scd)->trees();
  else
    result->rtrees_ = rtrees_.refitted(*result->mesh_, history.counts);
  result->history_ = std::move(history);
  return result;
}

double CollisionModel::areaCost(HierarchyKind kind) const {
  const Aabb& box = mesh_->bounds();
  if (box.empty()) return 0;
  const double whole = detail::halfArea(double(box.max.x) - box.min.x, double(box.max.y) - box.min.y,
                                        double(box.max.z) - box.min.z);
  return whole > 0 ? tree(kind).boxAreas() / whole : 0;
}

double CollisionModel::costGrowth(HierarchyKind kind) const {
  const double now = areaCost(kind);
  if (!history_) return 1;
  for (const auto& [built, cost] : history_->builtCosts)
    if (built == kind && cost > 0) return now / cost;
  return 1;
}

}  // namespace fitup
