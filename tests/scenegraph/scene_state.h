#pragma once

#include <map>
#include <string>
#include <vector>

#include <osg/Geometry>
#include <osg/NodeVisitor>

namespace osgFitup::test {

/// What of a scene a helper must not touch: children, parents, state sets, callbacks, user data, masks,
/// arrays with their buffer objects and modified counts. By address; compare two with `==`.
struct SceneState {
  std::map<const osg::Object*, std::vector<const void*>> addresses;
  std::map<const osg::Object*, std::vector<std::size_t>> numbers;
  friend bool operator==(const SceneState&, const SceneState&) = default;
};

SceneState sceneStateOf(osg::Node& root);

/// What is drawn below a node: drawables with their placements, as a cull traversal meets them.
struct DrawnDrawable {
  osg::Geometry* geometry;
  osg::Matrixd matrix;
};
std::vector<DrawnDrawable> drawnBelow(osg::Node& root, osg::Node::NodeMask traversalMask = ~0U);

}  // namespace osgFitup::test
