#include <osgFitup/detail/scene_motion.h>

#include <algorithm>
#include <string>

#include <fitup/base/error.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {

using fitup::InputError;
using fitup::NodeId;
using fitup::Transform;

SceneAssembly designAssembly(osg::Node& root) {
  SceneAssembly scene = createAssembly(root);
  fitup::Assembly design = scene.assembly();
  for (const SceneInstance& instance : scene.instances)
    if (const auto* part = dynamic_cast<const PartNode*>(instance.path.back().get()))
      design.setPlacement(instance.node, part->getDesignPlacement());
  scene.scene = fitup::Scene(std::move(design), scene.scene.collisionModels());
  return scene;
}

osg::MatrixTransform& transformOf(const SceneAssembly& scene, NodeId node) {
  osg::Transform* transform = scene.nodes.at(index(node))->asTransform();
  if (transform == nullptr || transform->asMatrixTransform() == nullptr)
    throw InputError("scene", scene.assembly().path(node), "is no matrix transform and cannot be moved");
  return *transform->asMatrixTransform();
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
