#pragma once

#include <vector>

#include <osg/Transform>
#include <osg/observer_ptr>

namespace osgFitup::detail {

/// Is where the last node of a path is, in the coordinates that the path begins in: worldFromNode is put
/// together anew at each traversal, so nothing has to be told to it when nodes move. Does not own the path;
/// draws nothing once a node of it is gone, and where a node mask of it hides the node.
class FollowingTransform : public osg::Transform {
 public:
  explicit FollowingTransform(const osg::NodePath& path = {});
  FollowingTransform(const FollowingTransform& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
  META_Node(osgFitup, FollowingTransform)

  bool computeLocalToWorldMatrix(osg::Matrix& matrix, osg::NodeVisitor* visitor) const override;
  bool computeWorldToLocalMatrix(osg::Matrix& matrix, osg::NodeVisitor* visitor) const override;
  void traverse(osg::NodeVisitor& visitor) override;
  osg::BoundingSphere computeBound() const override { return {}; }
  /// All nodes of the path are still there.
  [[nodiscard]] bool isAlive() const;

 protected:
  ~FollowingTransform() override = default;

 private:
  /// False if a node is gone.
  [[nodiscard]] bool worldFromNode(osg::Matrixd& matrix) const;
  std::vector<osg::observer_ptr<osg::Node>> path_;
};

}  // namespace osgFitup::detail
