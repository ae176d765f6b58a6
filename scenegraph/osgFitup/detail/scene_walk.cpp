#include <osgFitup/detail/scene_walk.h>

#include <set>
#include <tuple>
#include <utility>

#include <osg/AutoTransform>
#include <osg/Billboard>
#include <osg/Camera>
#include <osg/LOD>
#include <osg/PagedLOD>
#include <osg/Projection>

#include <fitup/base/error.h>
#include <fitup/scene/assembly.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/levels_of_detail.h>

namespace osgFitup::detail {

std::string pathText(const osg::NodePath& path) {
  std::string text;
  for (const osg::Node* node : path) {
    if (!text.empty()) text += '/';
    text += fitup::escapedName(node->getName().empty() ? node->className() : node->getName());
  }
  return text;
}

void addWarnings(std::span<const fitup::ImportWarning> more, std::vector<fitup::ImportWarning>& warnings) {
  if (more.empty()) return;
  const auto key = [](const fitup::ImportWarning& w) { return std::tie(w.element, w.message); };
  std::set<decltype(key(more.front()))> known;  // texts stay where they are: room is made before
  warnings.reserve(warnings.size() + more.size());
  for (const auto& w : warnings) known.insert(key(w));
  for (const auto& w : more)
    if (known.insert(key(w)).second) warnings.push_back(w);
}

void SceneWalk::apply(osg::Transform& node) {
  // AutoTransform calls itself a plain transform.
  if (dynamic_cast<const osg::AutoTransform*>(&node) != nullptr)
    return leaveOut("left out: an automatic transform follows the view", false);
  if (node.getReferenceFrame() != osg::Transform::RELATIVE_RF)
    return leaveOut("left out: the transform does not follow its parents", true);
  fitup::Transform parentFromNode, worldFromNode;
  try {
    parentFromNode = osgFitup::parentFromNode(node);
    (void)parentFromNode.inverse();
    // Of two that can be inverted the product may be singular.
    worldFromNode = worldFromParent_ * parentFromNode;
    (void)worldFromNode.inverse();
  } catch (const fitup::PlacementError& error) {
    return leaveOut("left out: " + std::string(error.what()), true);
  }
  const fitup::Transform above = std::exchange(worldFromParent_, worldFromNode);
  visit(node, &parentFromNode);
  worldFromParent_ = above;
}

void SceneWalk::apply(osg::Camera& node) {
  // The first node may be a viewer's own camera; its matrices are those of the view.
  if (getNodePath().size() == 1) return visit(node, nullptr);
  leaveOut("left out: what a camera within the scene shows is no part of it", false);
}

void SceneWalk::apply(osg::Projection&) {
  leaveOut("left out: a projection has no place in the scene", false);
}

void SceneWalk::apply(osg::Billboard&) { leaveOut("left out: a billboard turns with the view", false); }

void SceneWalk::apply(osg::LOD& node) {
  // Of pages any level may be loaded, and the nearest to the wanted one counts.
  const bool isPaged = dynamic_cast<const osg::PagedLOD*>(&node) != nullptr;
  bool any = isPaged || node.getNumChildren() == 0;
  for (unsigned int i = 0; i < node.getNumChildren() && !any; ++i) any = isFinestLevel(node, i);
  if (!any) leaveOut("left out: no level of detail is for an eye at its centre", true);
  visit(node, nullptr);
}

void SceneWalk::leaveOut(const std::string& message, bool incomplete) {
  warnings.push_back({pathText(getNodePath()), message, incomplete});
}

}  // namespace osgFitup::detail
