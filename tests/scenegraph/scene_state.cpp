#include "scene_state.h"

#include <osg/StateSet>
#include <osg/Transform>

namespace osgFitup::test {
namespace {

class StateReader : public osg::NodeVisitor {
 public:
  StateReader() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0U); }
  SceneState state;

  void apply(osg::Node& node) override {
    auto& addresses = state.addresses[&node];
    auto& numbers = state.numbers[&node];
    addresses = {node.getStateSet(), node.getUserDataContainer(), node.getUpdateCallback(),
                 node.getCullCallback(), node.getEventCallback()};
    numbers = {node.getNodeMask(), node.getNumParents(), static_cast<std::size_t>(node.getDataVariance()),
               static_cast<std::size_t>(node.getNumChildrenRequiringUpdateTraversal())};
    for (unsigned int i = 0; i < node.getNumParents(); ++i) addresses.push_back(node.getParent(i));
    if (const osg::Group* group = node.asGroup())
      for (unsigned int i = 0; i < group->getNumChildren(); ++i) addresses.push_back(group->getChild(i));
    if (const osg::StateSet* set = node.getStateSet()) {
      numbers.push_back(set->getNumParents());
      numbers.push_back(set->getAttributeList().size());
      numbers.push_back(set->getModeList().size());
    }
    if (osg::Geometry* geometry = node.asGeometry()) {
      numbers.push_back(geometry->getUseDisplayList());
      numbers.push_back(geometry->getUseVertexBufferObjects());
      osg::Geometry::ArrayList arrays;
      geometry->getArrayList(arrays);
      for (const auto& array : arrays) {
        addresses.push_back(array.get());
        addresses.push_back(array->getBufferObject());
        numbers.push_back(array->getModifiedCount());
        numbers.push_back(static_cast<std::size_t>(array->getBinding()));
      }
      for (const auto& set : geometry->getPrimitiveSetList()) {
        addresses.push_back(set.get());
        addresses.push_back(set->getBufferObject());
      }
    }
    traverse(node);
  }
};

class DrawnReader : public osg::NodeVisitor {
 public:
  explicit DrawnReader(osg::Node::NodeMask mask) : osg::NodeVisitor(CULL_VISITOR, TRAVERSE_ACTIVE_CHILDREN) {
    setTraversalMask(mask);
  }
  std::vector<DrawnDrawable> drawn;

  using osg::NodeVisitor::apply;
  void apply(osg::Drawable& drawable) override {
    if (auto* callback = dynamic_cast<osg::DrawableCullCallback*>(drawable.getCullCallback()))
      if (callback->cull(this, &drawable, static_cast<osg::RenderInfo*>(nullptr))) return;
    if (osg::Geometry* geometry = drawable.asGeometry())
      drawn.push_back({geometry, osg::computeLocalToWorld(getNodePath())});
  }
};

}  // namespace

SceneState sceneStateOf(osg::Node& root) {
  StateReader reader;
  root.accept(reader);
  return std::move(reader.state);
}

std::vector<DrawnDrawable> drawnBelow(osg::Node& root, osg::Node::NodeMask traversalMask) {
  DrawnReader reader(traversalMask);
  root.accept(reader);
  return std::move(reader.drawn);
}

}  // namespace osgFitup::test
