#include <osgFitup/detail/scene_motion.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <osg/MatrixTransform>
#include <osg/PositionAttitudeTransform>

#include <fitup/base/error.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {

using fitup::InputError;
using fitup::NodeId;
using fitup::Transform;

SceneAssembly designAssembly(osg::Node& root) {
  SceneAssembly scene = createAssembly(root);
  putInDesign(scene);
  return scene;
}

void putInDesign(SceneAssembly& scene) {
  fitup::Assembly design = scene.assembly();
  for (const SceneInstance& instance : scene.instances)
    if (const auto* part = dynamic_cast<const PartNode*>(instance.path.back().get()))
      design.setPlacement(instance.node, part->getDesignPlacement());
  scene.scene = fitup::Scene(std::move(design), scene.scene.collisionModels());
}

osg::Transform& movable(osg::Node& node) {
  osg::Transform* transform = node.asTransform();
  if (transform != nullptr &&
      (transform->asMatrixTransform() != nullptr || transform->asPositionAttitudeTransform() != nullptr))
    return *transform;
  throw InputError("scene", "node '" + node.getName() + "'",
                   "cannot be moved: " + node.getCompoundClassName() +
                       " is neither a MatrixTransform nor a PositionAttitudeTransform");
}

osg::Matrixd matrixOf(const osg::Transform& transform) {
  if (const auto* matrixTransform = transform.asMatrixTransform()) return matrixTransform->getMatrix();
  osg::Matrixd matrix;
  transform.computeLocalToWorldMatrix(matrix, nullptr);
  return matrix;
}

void setMatrix(osg::Transform& transform, const osg::Matrixd& matrix) {
  if (auto* matrixTransform = transform.asMatrixTransform()) return matrixTransform->setMatrix(matrix);
  auto& placed = *transform.asPositionAttitudeTransform();
  const osg::Vec3d before = placed.getPosition();
  const osg::Quat turnedBefore = placed.getAttitude();
  // The node's points are moved by -pivot, scaled, turned and moved to the position, in this order.
  const osg::Vec3d scale = placed.getScale();
  const osg::Matrixd turned = osg::Matrixd::scale(1 / scale.x(), 1 / scale.y(), 1 / scale.z()) * matrix;
  placed.setAttitude(turned.getRotate());
  placed.setPosition(placed.getPivotPoint() * matrix);
  const osg::Matrixd made = matrixOf(placed);
  // Positions take a few operations, attitudes some tens.
  constexpr double rounding = 1e-13;
  double size = 0;
  for (int i = 0; i < 16; ++i) size = std::max(size, std::abs(matrix.ptr()[i]));
  for (int i = 0; i < 16; ++i)
    if (!(std::abs(made.ptr()[i] - matrix.ptr()[i]) <= rounding * size)) {
      placed.setAttitude(turnedBefore);
      placed.setPosition(before);
      throw InputError("scene", "node '" + transform.getName() + "'",
                       "cannot be moved this way: a PositionAttitudeTransform cannot shear");
    }
}

osg::Transform& transformOf(const SceneAssembly& scene, NodeId node) {
  return movable(*scene.nodes.at(index(node)));
}

NodeId nodeOf(const SceneAssembly& scene, const osg::Node& node) {
  const auto found = std::find(scene.nodes.begin(), scene.nodes.end(), &node);
  if (found == scene.nodes.end()) throw InputError("scene", "node '" + node.getName() + "'", "has no parts");
  return NodeId(static_cast<std::uint32_t>(found - scene.nodes.begin()));
}

Transform placementAfter(const SceneAssembly& scene, NodeId node, const Transform& d) {
  const auto parent = scene.assembly().node(node).parent;
  const Transform world = d * scene.assembly().worldFromNode(node);
  return parent ? scene.assembly().worldFromNode(*parent).inverse() * world : world;
}

fitup::RigidMotion rigidMotion(const Transform& d) {
  if (!d.isFinite() || d.kind() != fitup::TransformKind::rigid)
    throw InputError("motion", "", "is not rigid");
  return {rotationOf(d), d.t};
}

}  // namespace osgFitup::detail
