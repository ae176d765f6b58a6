#include <osgFitup/detail/scene_walk.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <osg/AutoTransform>
#include <osg/Billboard>
#include <osg/Camera>
#include <osg/LOD>
#include <osg/PagedLOD>
#include <osg/Projection>
#include <osg/ProxyNode>
#include <osg/Sequence>

#include <fitup/base/error.h>
#include <fitup/scene/assembly.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/drawable_triangles.h>
#include <osgFitup/detail/levels_of_detail.h>

namespace osgFitup::detail {
namespace {

/// Stops at the first drawable that has an area.
class AreaSearch : public osg::NodeVisitor {
 public:
  explicit AreaSearch(const osg::NodeVisitor& masks) : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {
    setTraversalMask(masks.getTraversalMask());
    setNodeMaskOverride(masks.getNodeMaskOverride());
  }
  bool isFound = false;

  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) override {
    if (!isFound && seen_.insert(&node).second) traverse(node);
  }
  void apply(osg::Drawable& drawable) override { isFound = isFound || drawsArea(drawable); }

 private:
  std::set<const osg::Node*> seen_;  // a graph of few nodes may have very many paths
};

}  // namespace

bool isShapedWhileShown(const osg::Object& node) {
  constexpr std::array<std::string_view, 5> kinds{"osgAnimation::RigGeometry", "osgAnimation::MorphGeometry",
                                                  "osgTerrain::TerrainTile", "osgVolume::VolumeTile",
                                                  "osgSim::SphereSegment"};
  return std::find(kinds.begin(), kinds.end(), node.getCompoundClassName()) != kinds.end();
}

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
  std::set<decltype(key(more.front()))> known;  // the keys refer to texts, which `reserve` keeps in place
  warnings.reserve(warnings.size() + more.size());
  for (const auto& w : warnings) known.insert(key(w));
  for (const auto& w : more)
    if (known.insert(key(w)).second) warnings.push_back(w);
}

void SceneWalk::apply(osg::Transform& node) {
  // AutoTransform presents itself as a plain transform.
  if (dynamic_cast<const osg::AutoTransform*>(&node) != nullptr)
    return leaveOut("left out: an automatic transform follows the view", drawsAreaBelow(node));
  if (node.getReferenceFrame() != osg::Transform::RELATIVE_RF)
    return leaveOut("left out: the transform does not follow its parents", true);
  fitup::Transform parentFromNode, worldFromNode;
  try {
    parentFromNode = osgFitup::parentFromNode(node);
    (void)parentFromNode.inverse();
    // The product of two invertible matrices may be singular.
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
  leaveOut("left out: the contents of a camera within the scene are not part of it", drawsAreaBelow(node));
}

void SceneWalk::apply(osg::Projection& node) {
  leaveOut("left out: the contents of a projection have no place in the scene", drawsAreaBelow(node));
}

void SceneWalk::apply(osg::Billboard& node) {
  leaveOut("left out: a billboard turns with the view", drawsAreaBelow(node));
}

void SceneWalk::apply(osg::LOD& node) {
  // A paged node may have any level loaded, and uses the one nearest to the wanted level.
  const auto* const paged = dynamic_cast<const osg::PagedLOD*>(&node);
  bool any = paged != nullptr || node.getNumChildren() == 0;
  for (unsigned int i = 0; i < node.getNumChildren() && !any; ++i) any = isFinestLevel(node, i);
  if (!any) leaveOut("left out: no level of detail covers an eye at its centre", true);
  if (paged != nullptr)
    for (unsigned int i = node.getNumChildren(); i < paged->getNumFileNames(); ++i)
      if (!paged->getFileName(i).empty() && isFinestLevel(node, i))
        leaveOut("the finest level of detail is not loaded: " + paged->getFileName(i), true);
  visit(node, nullptr);
}

void SceneWalk::apply(osg::ProxyNode& node) {
  for (unsigned int i = node.getNumChildren(); i < node.getNumFileNames(); ++i)
    if (!node.getFileName(i).empty()) leaveOut("is not loaded: " + node.getFileName(i), true);
  visit(node, nullptr);
}

void SceneWalk::apply(osg::Sequence& node) {
  const bool isShown =
      node.getValue() >= 0 && static_cast<unsigned int>(node.getValue()) < node.getNumChildren();
  if (!isShown && drawsAreaBelow(node))
    leaveOut("left out: a sequence that has not started shows nothing", true);
  visit(node, nullptr);
}

void SceneWalk::leaveOut(const std::string& message, bool incomplete) {
  warnings.push_back({pathText(getNodePath()), message, incomplete});
}

bool SceneWalk::drawsAreaBelow(osg::Group& node) const {
  AreaSearch search(*this);
  for (unsigned int i = 0; i < node.getNumChildren(); ++i) node.getChild(i)->accept(search);
  return search.isFound;
}

}  // namespace osgFitup::detail
