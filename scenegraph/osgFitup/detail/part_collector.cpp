#include <osgFitup/detail/part_collector.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include <osg/Geometry>
#include <osg/LOD>
#include <osg/Sequence>
#include <osg/Transform>

#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/material_colour.h>
#include <osgFitup/detail/part_contents.h>
#include <osgFitup/part_node.h>

namespace osgFitup::detail {
namespace {

/// Returns the colour of the material nearest to the drawable, from the child of the part's node downwards,
/// or otherwise the colour that all of its vertices have.
std::optional<fitup::Colour> colourOf(const osg::Drawable& drawable, std::span<osg::Node* const> belowPart) {
  for (auto node = belowPart.rbegin(); node != belowPart.rend(); ++node)
    if (const auto colour = materialColour(**node)) return colour;
  const osg::Geometry* geometry = drawable.asGeometry();
  const auto* colours =
      geometry == nullptr ? nullptr : dynamic_cast<const osg::Vec4Array*>(geometry->getColorArray());
  if (colours == nullptr || colours->size() != 1) return std::nullopt;
  return toColour(colours->front());
}

/// Whether a group only holds others together. Groups of the drawables of one thing, or of its versions for
/// different distances or times, do not. Top-level children are searched below containers.
bool isContainer(const osg::Node& node) {
  return node.asGroup() != nullptr && node.asGeode() == nullptr &&
         dynamic_cast<const osg::LOD*>(&node) == nullptr &&
         dynamic_cast<const osg::Sequence*>(&node) == nullptr;
}

/// Returns the name of the drawable at the end of a path: its own, or that of the group that holds it alone.
std::string surfaceName(const osg::NodePath& path) {
  const osg::Node& drawable = *path.back();
  if (!drawable.getName().empty() || path.size() < 2) return drawable.getName();
  const osg::Group* holder = path[path.size() - 2]->asGroup();
  return holder != nullptr && holder->getNumChildren() == 1 ? holder->getName() : std::string();
}

}  // namespace

PartCollector::PartCollector(const osg::NodeVisitor& masks, bool keepModels, Nodes stale)
    : keepModels_(keepModels), stale_(std::move(stale)) {
  setTraversalMask(masks.getTraversalMask());
  setNodeMaskOverride(masks.getNodeMaskOverride());
}

void PartCollector::collect(osg::Node& root) {
  const osg::Node* node = &root;
  while (isContainer(*node) && container_ == nullptr) {
    const osg::Group& group = *node->asGroup();
    const osg::Node* seen = onlySeenChild(group);
    if (seen == nullptr)
      container_ = &group;
    else
      node = seen;
  }
  if (container_ == nullptr) lastResort_ = node;
  root.accept(*this);
  warnings.clear();
  found_ = true;
  root.accept(*this);
  std::erase_if(parts, [&](const CollectedPart& part) {
    return part.drawables.empty() && !part.keepsModel && !stale_.contains(part.node);
  });
  for (CollectedPart& part : parts)
    std::stable_sort(part.drawables.begin(), part.drawables.end(),
                     [](const PartDrawable& a, const PartDrawable& b) { return a.path < b.path; });
}

/// Returns the only child that the masks show; null for none or several.
const osg::Node* PartCollector::onlySeenChild(const osg::Group& group) const {
  const osg::Node* seen = nullptr;
  for (unsigned int i = 0; i < group.getNumChildren(); ++i) {
    if (!validNodeMask(*group.getChild(i))) continue;
    if (seen != nullptr) return nullptr;
    seen = group.getChild(i);
  }
  return seen;
}

/// Applies the rule to the current path.
bool PartCollector::becomesPart(const osg::Node& node, bool isTransform) const {
  if (dynamic_cast<const PartNode*>(&node) != nullptr || isMarkedAsPart(node)) return true;
  if (keepModels_ && partModelOf(node) != nullptr) return true;
  if (!open_.empty() && open_.back().marked) return false;
  if (isTransform && !node.getName().empty()) return true;
  if (!open_.empty()) return false;
  const auto& path = getNodePath();
  return &node == lastResort_ ||
         (container_ != nullptr && path.size() >= 2 && path[path.size() - 2] == container_);
}

bool PartCollector::keepsModel(const osg::Node& node) const {
  return keepModels_ && partModelOf(node) != nullptr && !stale_.contains(&node);
}

void PartCollector::open(osg::Node& node) {
  const auto [found, isNew] = partOfNode_.emplace(&node, parts.size());
  if (isNew) parts.push_back({&node, node.getName(), keepsModel(node), {}});
  const bool collects = isNew && !parts.back().keepsModel;
  open_.push_back({found->second, getNodePath().size() - 1, false, collects, {}});
}

void PartCollector::visit(osg::Node& node, const fitup::Transform* parentFromNode) {
  if (!found_) return find(node, parentFromNode != nullptr);
  if (partNodes_.contains(&node)) {
    open(node);
    if (osg::Drawable* drawable = node.asDrawable())
      take(*drawable);
    else
      descend(node);
    open_.pop_back();
    return;
  }
  if (partModelOf(node) != nullptr) outdated.push_back(&node);
  if (osg::Drawable* drawable = node.asDrawable()) return take(*drawable);
  if (parentFromNode == nullptr || open_.empty()) return descend(node);
  const fitup::Transform kept = open_.back().partFromNode;
  open_.back().partFromNode = kept * *parentFromNode;
  descend(node);
  open_.back().partFromNode = kept;
}

void PartCollector::find(osg::Node& node, bool isTransform) {
  const bool isPart = becomesPart(node, isTransform);
  if (isPart) {
    partNodes_.insert(&node);
    OpenPart& part = open_.emplace_back();
    part.marked = dynamic_cast<const PartNode*>(&node) != nullptr || isMarkedAsPart(node);
  }
  if (node.asDrawable() == nullptr) traverse(node);
  if (isPart) open_.pop_back();
}

void PartCollector::descend(osg::Node& node) {
  if (const osg::Group* group = node.asGroup()) lastChild_[group] = noChild;
  traverse(node);
}

/// Children come one after the other. So a search is rare, and a child that its parent has twice is
/// distinguished.
unsigned int PartCollector::childIndex(const osg::Group& group, const osg::Node* child) {
  unsigned int& last = lastChild_[&group];
  for (const unsigned int i : {last, last + 1})
    if (i < group.getNumChildren() && group.getChild(i) == child) return last = i;
  return last = group.getChildIndex(child);
}

void PartCollector::take(osg::Drawable& drawable) {
  if (open_.empty()) return leaveOut("left out: belongs to no part", true);
  const OpenPart& open = open_.back();
  if (!open.collects) return;
  if (isFlatText(drawable)) return leaveOut("left out: flat text is not geometry of a part", false);
  if (!hasPlaceInPart(drawable))
    return leaveOut("left out: the text follows the view", isDrawn(*solidTextOf(drawable)));
  CollectedPart& part = parts[open.part];
  const osg::NodePath& path = getNodePath();
  PartDrawable taken;
  taken.drawable = &drawable;
  for (std::size_t i = open.depth; i + 1 < path.size(); ++i)
    taken.path.push_back(childIndex(*path[i]->asGroup(), path[i + 1]));
  taken.partFromDrawable = open.partFromNode;
  taken.pathText = pathText(path);
  taken.name = surfaceName(path);
  taken.colour = colourOf(drawable, std::span(path).subspan(std::min(open.depth + 1, path.size() - 1)));
  for (std::size_t i = open.depth + 1; part.name.empty() && i < path.size(); ++i)
    part.name = path[i]->getName();
  part.drawables.push_back(std::move(taken));
}

}  // namespace osgFitup::detail
