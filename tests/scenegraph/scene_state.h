#pragma once

#include <map>
#include <string>
#include <vector>

#include <osg/Geometry>
#include <osg/NodeVisitor>

namespace osgFitup::test {

/// The state of a scene that must not change while something is shown over it: children, parents, state sets,
/// callbacks, user data, masks, arrays with their buffer objects and modified counts. By address; compare two
/// with `==`.
struct SceneState {
  std::map<const osg::Object*, std::vector<const void*>> addresses;
  std::map<const osg::Object*, std::vector<std::size_t>> numbers;
  friend bool operator==(const SceneState&, const SceneState&) = default;
};

SceneState sceneStateOf(osg::Node& root);

/// A drawable below a node, with its placement, as a cull traversal meets it.
struct DrawnDrawable {
  osg::Geometry* geometry;
  osg::Matrixd matrix;
};
std::vector<DrawnDrawable> drawnBelow(osg::Node& root, osg::Node::NodeMask traversalMask = ~0U);

}  // namespace osgFitup::test
