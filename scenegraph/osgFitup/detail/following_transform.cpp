#include <osgFitup/detail/following_transform.h>

#include <algorithm>

#include <osg/NodeVisitor>

namespace osgFitup::detail {

FollowingTransform::FollowingTransform(const osg::NodePath& path) : path_(path.begin(), path.end()) {
  setDataVariance(osg::Object::DYNAMIC);
  setCullingActive(false);  // drawables below are culled one by one, by where they are at the moment
}

FollowingTransform::FollowingTransform(const FollowingTransform& other, const osg::CopyOp& copyop)
    : osg::Transform(other, copyop), path_(other.path_) {}

bool FollowingTransform::isAlive() const {
  return std::all_of(path_.begin(), path_.end(), [](const auto& observed) { return observed.valid(); });
}

bool FollowingTransform::worldFromNode(osg::Matrixd& matrix) const {
  matrix.makeIdentity();
  for (const auto& observed : path_) {
    osg::ref_ptr<osg::Node> node;
    if (!observed.lock(node)) return false;
    if (const osg::Transform* transform = node->asTransform())
      transform->computeLocalToWorldMatrix(matrix, nullptr);
  }
  return true;
}

bool FollowingTransform::computeLocalToWorldMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const {
  osg::Matrixd world;
  if (worldFromNode(world)) matrix.preMult(world);
  return true;
}

bool FollowingTransform::computeWorldToLocalMatrix(osg::Matrix& matrix, osg::NodeVisitor*) const {
  osg::Matrixd world;
  if (worldFromNode(world)) matrix.postMult(osg::Matrixd::inverse(world));
  return true;
}

void FollowingTransform::traverse(osg::NodeVisitor& visitor) {
  const bool visible = std::all_of(path_.begin(), path_.end(), [&](const auto& observed) {
    osg::ref_ptr<osg::Node> node;
    return observed.lock(node) && visitor.validNodeMask(*node);
  });
  if (visible) osg::Transform::traverse(visitor);
}

}  // namespace osgFitup::detail
