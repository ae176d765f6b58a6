#include <osgFitup/detail/scene_watch.h>

#include <algorithm>
#include <typeinfo>
#include <unordered_set>

#include <osg/Geode>
#include <osg/MatrixTransform>
#include <osg/PositionAttitudeTransform>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/scene_motion.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {
namespace {

/// The children that a traversal of active children visits, whatever their masks.
class ActiveChildren : public osg::NodeVisitor {
 public:
  ActiveChildren() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) { setNodeMaskOverride(~0U); }
  std::vector<const osg::Node*> found;
  void apply(osg::Node& node) override { found.push_back(&node); }
  void apply(osg::Drawable& drawable) override { found.push_back(&drawable); }
  // By default, these do more than call apply(osg::Node&).
  void apply(osg::Geometry& geometry) override { found.push_back(&geometry); }
};

std::vector<std::pair<unsigned int, const osg::Node*>> childrenOf(osg::Node& node, bool withDrawables) {
  ActiveChildren visitor;
  node.traverse(visitor);
  std::vector<std::pair<unsigned int, const osg::Node*>> children;
  for (unsigned int i = 0; i < visitor.found.size(); ++i)
    if (const osg::Node* child = visitor.found[i];
        withDrawables || child->asDrawable() == nullptr || partModelOf(*child) != nullptr)
      children.emplace_back(i, child);
  return children;
}

bool isPlainGroup(const osg::Node& node) {
  const std::type_info& type = typeid(node);
  return type == typeid(osg::Group) || type == typeid(osg::MatrixTransform) || type == typeid(osg::Geode) ||
         type == typeid(PartNode) || type == typeid(osg::PositionAttitudeTransform);
}

const PartModel* modelOf(const osg::Node& node) {
  const PartModel* part = partModelOf(node);
  return part != nullptr && part->getCollisionModel() != nullptr ? part : nullptr;
}

/// osg::Matrixd compares NaN as equal to anything.
bool isSameMatrix(const osg::Matrixd& a, const osg::Matrixd& b) {
  return std::equal(a.ptr(), a.ptr() + 16, b.ptr());
}

/// The same condition as in `SceneWalk`.
bool isUsable(const osg::Transform& transform) {
  if (transform.getReferenceFrame() != osg::Transform::RELATIVE_RF) return false;
  try {
    (void)parentFromNode(transform).inverse();
    return true;
  } catch (const fitup::PlacementError&) {
    return false;
  }
}

}  // namespace

class SceneRecorder : public osg::NodeVisitor {
 public:
  SceneRecorder(SceneWatch& watch, const SceneAssembly& scene)
      : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN), watch_(watch) {
    setTraversalMask(watch.traversalMask_);
    setNodeMaskOverride(watch.nodeMaskOverride_);
    for (const auto& node : scene.nodes) placed_.insert(node.get());
  }

  using osg::NodeVisitor::apply;
  void apply(osg::Drawable& drawable) override {
    if (openParts_ == 0 || modelOf(drawable) != nullptr) add(drawable, true);
  }
  void apply(osg::Node& node) override {
    const PartModel* model = modelOf(node);
    if (!add(node, true)) return;
    openParts_ += model != nullptr ? 1 : 0;
    traverse(node);
    openParts_ -= model != nullptr ? 1 : 0;
  }

 private:
  /// Returns false if the node was met before.
  bool add(osg::Node& node, bool isVisible) {
    if (!seen_.insert(&node).second) return false;
    SceneWatch::Entry entry;
    entry.node = &node;
    entry.isVisible = isVisible;
    if (isVisible) {
      entry.model = modelOf(node);
      entry.isPlain = isPlainGroup(node);
      if (const osg::Group* group = node.asGroup()) entry.childCount = group->getNumChildren();
      const bool isInPart = openParts_ > 0 || entry.model != nullptr;
      // Which drawables a switch shows matters within a part too; for a plain group the number of children is
      // enough.
      entry.children = childrenOf(node, !isInPart || !entry.isPlain);
      const osg::Transform* transform = node.asTransform();
      if (transform != nullptr && !placed_.contains(&node))
        watch_.unplaced_.push_back({transform, isUsable(*transform)});
    }
    const auto children = entry.children;
    watch_.entries_.push_back(std::move(entry));
    for (const auto& [position, child] : children)
      if (!validNodeMask(*child) && (child->asDrawable() == nullptr || openParts_ == 0))
        add(const_cast<osg::Node&>(*child), false);
    return true;
  }

  SceneWatch& watch_;
  std::unordered_set<const osg::Node*> seen_, placed_;
  int openParts_ = 0;
};

void SceneWatch::record(osg::Node& root, const osg::NodeVisitor& masks, const SceneAssembly& scene) {
  entries_.clear();
  placed_.clear();
  unplaced_.clear();
  vertices_.clear();
  traversalMask_ = masks.getTraversalMask();
  nodeMaskOverride_ = masks.getNodeMaskOverride();
  SceneRecorder recorder(*this, scene);
  root.accept(recorder);
  if (entries_.empty()) entries_.push_back({&root});
  assembly_ = scene.assembly();
  for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
    if (const osg::Transform* transform = scene.nodes[i]->asTransform())
      placed_.push_back({transform, fitup::NodeId{i}, matrixOf(*transform)});
  std::unordered_set<const osg::Drawable*> known;
  for (const SceneInstance& instance : scene.instances)
    for (std::uint32_t s = 0; s < instance.part->getSurfacePaths().size(); ++s) {
      osg::Drawable* drawable = instance.part->drawableOf(*instance.path.back(), fitup::SurfaceId{s});
      if (drawable != nullptr && drawable->getDataVariance() == osg::Object::DYNAMIC &&
          known.insert(drawable).second)
        vertices_.push_back({drawable, versionOf(*drawable)});
    }
}

bool SceneWatch::isSame(const Entry& entry) const {
  osg::Node& node = *entry.node;
  const bool isVisible = (traversalMask_ & (nodeMaskOverride_ | node.getNodeMask())) != 0;
  if (isVisible != entry.isVisible) return false;
  if (!isVisible) return true;
  const osg::Group* group = node.asGroup();
  if ((typeid(node) == typeid(PartNode) || node.getUserDataContainer() != nullptr ||
       node.getObserverSet() != nullptr || entry.model != nullptr) &&
      modelOf(node) != entry.model)
    return false;
  if (group == nullptr) return true;
  if (!entry.isPlain) return childrenOf(node, true) == entry.children;
  if (group->getNumChildren() != entry.childCount) return false;
  return std::all_of(entry.children.begin(), entry.children.end(),
                     [&](const auto& child) { return group->getChild(child.first) == child.second; });
}

bool SceneWatch::isOutdated() const {
  if (!std::all_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return isSame(e); })) return true;
  if (!std::all_of(unplaced_.begin(), unplaced_.end(),
                   [](const Unplaced& u) { return u.isUsable == isUsable(*u.transform); }))
    return true;
  if (!std::all_of(vertices_.begin(), vertices_.end(),
                   [](const Vertices& v) { return v.version == versionOf(*v.drawable); }))
    return true;
  return !std::all_of(placed_.begin(), placed_.end(), [](const Placed& p) {
    return p.transform->getReferenceFrame() == osg::Transform::RELATIVE_RF &&
           (isSameMatrix(matrixOf(*p.transform), p.matrix) || isUsable(*p.transform));
  });
}

fitup::Poses SceneWatch::follow(const SceneAssembly& scene) {
  std::vector<char> moved(scene.nodes.size(), 0);
  bool any = false;
  for (Placed& placed : placed_) {
    const osg::Matrixd now = matrixOf(*placed.transform);
    if (isSameMatrix(now, placed.matrix)) continue;
    placed.matrix = now;
    assembly_.setPlacement(placed.node, toTransform(now));
    moved[index(placed.node)] = 1;
    any = true;
  }
  fitup::Poses moves;
  if (!any) return moves;
  for (const SceneInstance& instance : scene.instances) {
    std::optional<fitup::NodeId> node = instance.node;
    while (node && !moved[index(*node)]) node = assembly_.node(*node).parent;
    if (node) moves.set(instance.node, assembly_.worldFromNode(instance.node));
  }
  return moves;
}

}  // namespace osgFitup::detail
