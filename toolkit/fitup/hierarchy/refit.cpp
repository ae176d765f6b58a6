#include <fitup/hierarchy/refit.h>

#include <algorithm>
#include <string>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/detail/wide_children.h>

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

double halfArea(double x, double y, double z) { return x * y + y * z + z * x; }

double halfArea(const Aabb& box) {
  if (box.empty()) return 0;
  return halfArea(double(box.max.x) - box.min.x, double(box.max.y) - box.min.y,
                  double(box.max.z) - box.min.z);
}

double boxAreas(const ScdTrees& trees) {
  double sum = 0;
  for (const RTreeEntry& e : trees.entries) sum += halfArea(e.box());
  return sum;
}

double boxAreas(const WideBvh& tree) {
  double sum = 0;
  for (std::uint32_t n = 0; n < tree.nodeCount(); ++n)
    detail::openWideNode(
        tree, n, [&](const WideFrame&, const auto&, const auto& half, const auto&, std::uint32_t count) {
          for (std::uint32_t k = 0; k < count; ++k)
            sum += 4 * halfArea(double(half[0][k]), double(half[1][k]), double(half[2][k]));
        });
  return sum;
}

}  // namespace

std::vector<HierarchyKind> CollisionModel::kinds() const {
  std::vector<HierarchyKind> kinds{HierarchyKind::scd};
  if (wide_) kinds.push_back(HierarchyKind::wide);
  for (const auto& tree : trees_)
    if (tree) kinds.push_back(tree->kind());
  return kinds;
}

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
                               "' cannot be refitted; build the model anew, or without it");
  if (!deformed || !hasTrianglesOf(*deformed, *mesh_))
    throw InputError("part '" + mesh_->name() + "'", "refit", "the deformed mesh has other triangles");
  RefitHistory history;
  if (history_)
    history = *history_;
  else
    for (const HierarchyKind kind : carried) history.builtCosts.emplace_back(kind, areaCost(kind));
  ++history.refits;
  history.counts = {};
  ScdTrees scd = scd_.refitted(*deformed, history.counts);
  std::optional<WideBvh> wide;
  if (wide_) wide = wide_->refitted(*mesh_, *deformed, options, history.counts);
  const std::shared_ptr<CollisionModel> result(
      new CollisionModel(std::move(deformed), std::move(scd), std::move(wide)));
  for (std::size_t i = 0; i < trees_.size(); ++i)
    if (trees_[i]) result->trees_[i] = trees_[i]->refitted(*result->mesh_, history.counts);
  result->history_ = std::move(history);
  return result;
}

double CollisionModel::areaCost(HierarchyKind kind) const {
  const double whole = halfArea(mesh_->bounds());
  if (!(whole > 0)) return 0;
  switch (kind) {
    case HierarchyKind::wide:
      return boxAreas(wide()) / whole;
    case HierarchyKind::scd:
      return boxAreas(scd_) / whole;
    default:
      return tree(kind).boxAreas() / whole;
  }
}

double CollisionModel::costGrowth(HierarchyKind kind) const {
  const double now = areaCost(kind);
  if (!history_) return 1;
  for (const auto& [built, cost] : history_->builtCosts)
    if (built == kind && cost > 0) return now / cost;
  return 1;
}

}  // namespace fitup
