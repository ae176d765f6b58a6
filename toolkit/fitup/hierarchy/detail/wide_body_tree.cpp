#include <fitup/hierarchy/detail/wide_body_tree.h>

#include <mutex>
#include <optional>

#include <tbb/parallel_invoke.h>

#include <fitup/base/tuning-inl.h>
#include <fitup/hierarchy/detail/wide_bodies.h>
#include <fitup/hierarchy/detail/wide_collapse.h>
#include <fitup/hierarchy/detail/wide_shells.h>
#include <fitup/hierarchy/wide_bvh.h>

namespace fitup::detail {

class BodyTree::Builder {
 public:
  Builder(BodyTree& tree, const TriangleMesh& mesh, std::span<BuildItem> items, float unit,
          const WorkMeter& meter)
      : tree_(tree), mesh_(mesh), items_(items), unit_(unit), meter_(meter) {}

  const BodyNode* build() {
    Bodies surfaces = surfacesOf(mesh_, meter_);
    if (surfaces.items.empty()) return nullptr;
    return treeOf(tree_.nodes_.emplace_back(), surfaces,
                  {0, static_cast<std::uint32_t>(surfaces.items.size())},
                  {0, static_cast<std::uint32_t>(items_.size())});
  }

 private:
  using Nodes = std::deque<BodyNode>;

  const BodyNode* treeOf(Nodes& nodes, Bodies& bodies, BuildGroup run, BuildGroup slots) {
    meter_.poll();
    if (run.count() > 1) return halvesOf(nodes, bodies, run, slots);
    const std::uint32_t body = bodies.items[run.begin].id();
    if (bodies.surface) return bodyOf(nodes, bodies, body, slots, *bodies.surface);
    std::optional<Bodies> shells = shellsWorthSplitting(mesh_, body, unit_, meter_);
    if (!shells) return bodyOf(nodes, bodies, body, slots, body);
    return treeOf(nodes, *shells, {0, static_cast<std::uint32_t>(shells->items.size())}, slots);
  }

  const BodyNode* halvesOf(Nodes& nodes, Bodies& bodies, BuildGroup run, BuildGroup slots) {
    const std::uint32_t middle =
        run.begin +
        splitBodies(std::span(bodies.items).subspan(run.begin, run.count()), bodies.weights, unit_);
    std::uint32_t slot = slots.begin;
    for (std::uint32_t i = run.begin; i < middle; ++i) slot += bodies.weights[bodies.items[i].id()];
    BodyNode& node = nodes.emplace_back();
    node.slots = slots;
    const auto setLeft = [&](Nodes& own) {
      node.left = treeOf(own, bodies, {run.begin, middle}, {slots.begin, slot});
    };
    const auto setRight = [&] { node.right = treeOf(nodes, bodies, {middle, run.end}, {slot, slots.end}); };
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
  std::mutex mutex_;
};

BodyTree::BodyTree(const TriangleMesh& mesh, std::span<BuildItem> items, float unit, const WorkMeter& meter) {
  root_ = Builder(*this, mesh, items, unit, meter).build();
}

}  // namespace fitup::detail
