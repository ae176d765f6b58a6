#pragma once

#include <osg/NodeVisitor>

namespace osgFitup::detail {

/// True for the traversals that draw a frame: update, event and cull. Nodes that are only a look are entered
/// by no others, so that queries and monitors never take them for parts.
inline bool isDrawingTraversal(const osg::NodeVisitor& visitor) {
  switch (visitor.getVisitorType()) {
    case osg::NodeVisitor::UPDATE_VISITOR:
    case osg::NodeVisitor::EVENT_VISITOR:
    case osg::NodeVisitor::CULL_VISITOR:
      return true;
    default:
      return false;
  }
}

}  // namespace osgFitup::detail
