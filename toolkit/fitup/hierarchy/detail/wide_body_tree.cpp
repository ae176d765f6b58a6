#include <fitup/hierarchy/detail/wide_body_tree.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include <tbb/parallel_invoke.h>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/wide_bodies.h>
#include <fitup/hierarchy/detail/wide_collapse.h>
#include <fitup/hierarchy/detail/wide_pieces.h>
#include <fitup/hierarchy/detail/wide_shells.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

class BodyTree::Builder {
 public:
  Builder(BodyTree& tree, const TriangleMesh& mesh, std::span<BuildItem> items, float unit,
          const WorkMeter& meter)
      : tree_(tree), mesh_(mesh), items_(items), unit_(unit), meter_(meter), pieces_(mesh, unit, meter) {}

  const BodyNode* build() {
    Bodies surfaces = surfacesOf(mesh_, meter_);
    if (surfaces.items.empty()) return nullptr;
    return treeOf(tree_.nodes_.emplace_back(), surfaces,
                  {0, static_cast<std::uint32_t>(surfaces.items.size())},
                  {0, static_cast<std::uint32_t>(items_.size())});
  }

 private:
  using Nodes = std::deque<BodyNode>;

  const BodyNode* treeOf(Nodes& nodes, Bodies& bodies, BuildGroup run, BuildGroup slots,
                         std::uint32_t skipTrials = 0) {
    meter_.poll();
    if (run.count() > 1)
      return bodies.kind == Bodies::Kind::surfaces ? surfacesOrPieces(nodes, bodies, run, slots, skipTrials)
                                                   : halvesOf(nodes, bodies, run, slots, 0);
    const std::uint32_t body = bodies.items[run.begin].id();
    if (bodies.kind != Bodies::Kind::surfaces)
      return bodyOf(nodes, bodies, body, slots, bodies.surface(body));
    std::optional<Bodies> shells = shellsWorthSplitting(mesh_, body, unit_, meter_);
    if (!shells) return bodyOf(nodes, bodies, body, slots, body);
    return treeOf(nodes, *shells, {0, static_cast<std::uint32_t>(shells->items.size())}, slots);
  }

  /// Splits by surfaces or, if that makes a better tree, all triangles of these surfaces together, so that
  /// nodes of several surfaces may be as low as leaves.
  const BodyNode* surfacesOrPieces(Nodes& nodes, Bodies& surfaces, BuildGroup run, BuildGroup slots,
                                   std::uint32_t skipTrials) {
    if (skipTrials > 0) return halvesOf(nodes, surfaces, run, slots, skipTrials - 1);
    const auto items = std::span(surfaces.items).subspan(run.begin, run.count());
    std::optional<Bodies> pieces = pieces_.worthTrying(items, surfaces.weights);
    if (!pieces) return halvesOf(nodes, surfaces, run, slots, 0);
    const BuildGroup all{0, static_cast<std::uint32_t>(pieces->items.size())};
    double bySurfaces = areaOf(surfaces, run);
    for (const BuildItem& item : items) bySurfaces += pieces_.areaBelow(item.id());
    if (areaOf(*pieces, all) < tuning::worthMixing * bySurfaces)
      return halvesOf(nodes, *pieces, all, slots, 0);
    return halvesOf(nodes, surfaces, run, slots, tuning::levelsBetweenTrials);
  }
  /// Returns the area of the wide nodes above the groups of bodies, without the triangles.
  double areaOf(Bodies& bodies, BuildGroup run) const {
    std::deque<BodyNode> nodes;
    return areaTree(nodes, bodies, run)->cost[1];
  }
  const BodyNode* areaTree(Nodes& nodes, Bodies& bodies, BuildGroup run) const {
    meter_.poll();
    BodyNode& node = nodes.emplace_back();
    if (run.count() == 1) {
      const BuildItem& item = bodies.items[run.begin];
      node.box.extend(item.min, item.max);
      node.groups.count = std::min((bodies.weights[item.id()] + 7) / 8, 8U);
    } else {
      const std::uint32_t middle =
          run.begin +
          splitBodies(std::span(bodies.items).subspan(run.begin, run.count()), bodies.weights, unit_);
      node.left = areaTree(nodes, bodies, {run.begin, middle});
      node.right = areaTree(nodes, bodies, {middle, run.end});
      node.box = node.left->box;
      node.box.extend(node.right->box);
    }
    setCosts(node, unit_);
    return &node;
  }

  const BodyNode* halvesOf(Nodes& nodes, Bodies& bodies, BuildGroup run, BuildGroup slots,
                           std::uint32_t skipTrials) {
    const std::uint32_t middle =
        run.begin +
        splitBodies(std::span(bodies.items).subspan(run.begin, run.count()), bodies.weights, unit_);
    std::uint32_t slot = slots.begin;
    for (std::uint32_t i = run.begin; i < middle; ++i) slot += bodies.weights[bodies.items[i].id()];
    BodyNode& node = nodes.emplace_back();
    node.slots = slots;
    const auto setLeft = [&](Nodes& own) {
      node.left = treeOf(own, bodies, {run.begin, middle}, {slots.begin, slot}, skipTrials);
    };
    const auto setRight = [&] {
      node.right = treeOf(nodes, bodies, {middle, run.end}, {slot, slots.end}, skipTrials);
    };
    if (slots.count() >= tuning::subtreeTask) {
      Nodes& own = newNodes();
      tbb::parallel_invoke([&] { setLeft(own); }, setRight);
    } else {
      setLeft(nodes);
      setRight();
    }
    node.box = node.left->box;
    node.box.extend(node.right->box);
    node.surface = node.left->surface == node.right->surface ? node.left->surface : WideNodeHead::mixed;
    setCosts(node, unit_);
    return &node;
  }

  const BodyNode* bodyOf(Nodes& nodes, const Bodies& bodies, std::uint32_t body, BuildGroup slots,
                         std::uint32_t surface) {
    BodyNode& node = nodes.emplace_back();
    node.slots = slots;
    node.surface = surface;
    polledLoop(slots.count(), meter_, [&](std::size_t k) {
      const BuildItem item = itemOf(mesh_, bodies.triangle(body, static_cast<std::uint32_t>(k)));
      node.box.extend(item.min, item.max);
      items_[slots.begin + k] = item;
    });
    node.groups = splitTriangles(items_, slots.begin, slots.end, unit_, meter_);
    setCosts(node, unit_);
    return &node;
  }

  Nodes& newNodes() {
    const std::lock_guard lock(mutex_);
    return tree_.nodes_.emplace_back();
  }

  BodyTree& tree_;
  const TriangleMesh& mesh_;
  std::span<BuildItem> items_;
  float unit_;
  const WorkMeter& meter_;
  SurfacePieces pieces_;
  std::mutex mutex_;
};

BodyTree::BodyTree(const TriangleMesh& mesh, std::span<BuildItem> items, float unit, const WorkMeter& meter) {
  root_ = Builder(*this, mesh, items, unit, meter).build();
}

}  // namespace fitup::detail
