#include <osgFitup/detail/scene_motion.h>

#include <algorithm>
#include <string>

#include <osg/ValueObject>

#include <fitup/base/error.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {

using fitup::InputError;
using fitup::NodeId;
using fitup::Transform;

namespace {

constexpr const char *modelHashName = "osgFitup.modelHash", *sceneHashName = "osgFitup.sceneHash";

}  // namespace

SceneAssembly designAssembly(osg::Node& root) {
  SceneAssembly scene = createAssembly(root);
  for (const SceneInstance& instance : scene.instances)
    if (const auto* part = dynamic_cast<const PartNode*>(instance.path.back().get()))
      scene.assembly.setPlacement(instance.node, part->getDesignPlacement());
  return scene;
}

void rememberModelHash(osg::Node& root, std::uint64_t modelHash) {
  root.setUserValue(modelHashName, std::to_string(modelHash));
  root.setUserValue(sceneHashName, std::to_string(designAssembly(root).assembly.contentHash()));
}

std::uint64_t modelHashOf(osg::Node& root, const SceneAssembly& design) {
  const std::uint64_t own = design.assembly.contentHash();
  std::string modelHash, sceneHash;
  if (!root.getUserValue(modelHashName, modelHash) || !root.getUserValue(sceneHashName, sceneHash))
    return own;
  return sceneHash == std::to_string(own) ? std::stoull(modelHash) : own;
}

osg::MatrixTransform& transformOf(const SceneAssembly& scene, NodeId node) {
  osg::Transform* transform = scene.nodes.at(index(node))->asTransform();
  if (transform == nullptr || transform->asMatrixTransform() == nullptr)
    throw InputError("scene", scene.assembly.path(node), "is no matrix transform and cannot be moved");
  return *transform->asMatrixTransform();
}

NodeId nodeOf(const SceneAssembly& scene, const osg::Node& node) {
  const auto found = std::find(scene.nodes.begin(), scene.nodes.end(), &node);
  if (found == scene.nodes.end()) throw InputError("scene", "node '" + node.getName() + "'", "has no parts");
  return NodeId(static_cast<std::uint32_t>(found - scene.nodes.begin()));
}

Transform placementAfter(const SceneAssembly& scene, NodeId node, const Transform& d) {
  const auto parent = scene.assembly.node(node).parent;
  const Transform world = d * scene.assembly.worldFromNode(node);
  return parent ? scene.assembly.worldFromNode(*parent).inverse() * world : world;
}

fitup::RigidMotion rigidMotion(const Transform& d) {
  if (!d.isFinite() || d.kind() != fitup::TransformKind::rigid)
    throw InputError("motion", "", "is not rigid");
  return {rotationOf(d), d.t};
}

}  // namespace osgFitup::detail
