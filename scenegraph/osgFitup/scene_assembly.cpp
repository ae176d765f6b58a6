#include <osgFitup/scene_assembly.h>

#include <algorithm>
#include <map>
#include <string>

#include <osg/Transform>
#include <osg/ValueObject>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/material_colour.h>
#include <osgFitup/detail/node_order.h>
#include <osgFitup/detail/scene_walk.h>
#include <osgFitup/part_node.h>

namespace osgFitup {
namespace {

using fitup::Colour;
using fitup::NodeId;
using fitup::PartId;

class AssemblyMaker : public detail::SceneWalk {
 public:
  AssemblyMaker(const osg::Node& root, const osg::NodeVisitor* masks) : assembly_(root.getName()) {
    std::string unit;
    if (root.getUserValue("osgFitup.unit", unit)) assembly_.setUnit(unit);
    unsigned int upAxis = 0;
    if (root.getUserValue("osgFitup.upAxis", upAxis) && upAxis <= 2)
      assembly_.setUpAxis(static_cast<fitup::UpAxis>(upAxis));
    setTraversalMask(masks != nullptr ? masks->getTraversalMask() : ~0U);
    setNodeMaskOverride(masks != nullptr ? masks->getNodeMaskOverride() : ~0U);
  }
  ~AssemblyMaker() override = default;

  SceneAssembly result;

  /// Called after the walk from `root`: makes the assembly from what was found.
  void finish(const osg::Node& root) {
    std::vector<std::optional<std::size_t>> parents;
    for (const Found& found : found_) parents.push_back(found.parent);
    std::vector<NodeId> ids(found_.size());
    for (const std::size_t i : detail::rememberedOrder(root, parents)) {
      const Found& found = found_[i];
      const auto parent = found.parent ? std::optional(ids[*found.parent]) : std::nullopt;
      const auto part = found.part != nullptr ? std::optional(partId(*found.part)) : std::nullopt;
      const std::string& name =
          found.part != nullptr ? nameOf(*found.node, *found.part) : found.node->getName();
      ids[i] = assembly_.addNode(name, found.parentFromNode, parent, part, found.colour);
      result.nodes.emplace_back(found.node);
      if (part) result.instances.push_back({ids[i], found.path, found.part});
    }
    result.warnings = std::move(warnings);
    result.scene = fitup::Scene(std::move(assembly_), std::move(models_));
  }

 protected:
  void visit(osg::Node& node, const fitup::Transform* parentFromNode) override {
    PartModel* part = partModelOf(node);
    if (part != nullptr && part->getCollisionModel() == nullptr) part = nullptr;
    const bool isRoot = getNodePath().size() == 1;
    const bool isLevel = part != nullptr || parentFromNode != nullptr || (!isRoot && !node.getName().empty());
    if (isLevel)
      levels_.push_back({&node, parentFromNode != nullptr ? *parentFromNode : fitup::Transform{}, {}});
    if (part != nullptr)
      addInstance(*part);
    else if (isLevel && detail::isRememberedSubassembly(node))
      addLevels();
    openParts_ += part != nullptr ? 1 : 0;
    if (node.asDrawable() != nullptr)
      result.drawablesOutsideParts += openParts_ == 0 ? 1 : 0;
    else
      traverse(node);
    openParts_ -= part != nullptr ? 1 : 0;
    if (isLevel) levels_.pop_back();
  }

 private:
  /// A node on the current path that the assembly shows if a part is at or below it.
  struct Level {
    osg::Node* node;
    fitup::Transform parentFromNode;
    std::optional<std::size_t> position;  ///< in `found_`
  };
  /// A node of the assembly, in the order of the walk.
  struct Found {
    osg::Node* node;
    fitup::Transform parentFromNode;
    std::optional<std::size_t> parent;
    PartModel* part = nullptr;
    std::optional<Colour> colour{};
    osg::RefNodePath path{};  ///< path of an instance
  };

  void addLevels() {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      Level& level = levels_[i];
      if (level.position) continue;
      level.position = found_.size();
      found_.push_back({level.node, level.parentFromNode, i > 0 ? levels_[i - 1].position : std::nullopt});
    }
  }

  void addInstance(PartModel& part) {
    addLevels();
    Found& instance = found_.back();
    instance.part = &part;
    instance.colour = instanceColour(part);
    for (osg::Node* n : getNodePath()) instance.path.emplace_back(n);
    detail::addWarnings(part.getWarnings(), warnings);
  }

  /// A transform keeps its name, even an empty one, as in assemblies. Another node without a name takes that
  /// of the mesh.
  static std::string nameOf(const osg::Node& node, const PartModel& part) {
    return node.getName().empty() && node.asTransform() == nullptr ? part.getCollisionModel()->mesh().name()
                                                                   : node.getName();
  }

  PartId partId(const PartModel& part) {
    const auto& model = part.getCollisionModel();
    const auto [found, isNew] = partOfModel_.emplace(model.get(), PartId{});
    if (isNew) {
      found->second = assembly_.addPart(model->sharedMesh());
      models_.push_back(model);
    }
    return found->second;
  }

  /// Returns the colour that overrides those of the surfaces. If these have none, the nearest material above
  /// counts too.
  [[nodiscard]] std::optional<Colour> instanceColour(const PartModel& part) const {
    using detail::materialColour, detail::MaterialStrength;
    const auto& path = getNodePath();
    if (const auto* node = dynamic_cast<const PartNode*>(path.back());
        node != nullptr && node->getNumChildren() > 0)
      if (const auto colour = materialColour(*node->getChild(0), MaterialStrength::overriding)) return colour;
    for (const osg::Node* node : path)
      if (const auto colour = materialColour(*node, MaterialStrength::overriding)) return colour;
    for (const fitup::Surface& surface : part.getCollisionModel()->mesh().surfaces())
      if (surface.colour) return std::nullopt;
    for (auto node = path.rbegin(); node != path.rend(); ++node)
      if (const auto colour = materialColour(**node)) return colour;
    return std::nullopt;
  }

  fitup::Assembly assembly_;
  fitup::CollisionModels models_;
  std::vector<Level> levels_;
  std::vector<Found> found_;
  std::map<const fitup::CollisionModel*, PartId> partOfModel_;
  int openParts_ = 0;
};

}  // namespace

const SceneInstance& SceneAssembly::at(NodeId node) const {
  const auto found =
      std::lower_bound(instances.begin(), instances.end(), node,
                       [](const SceneInstance& instance, NodeId id) { return instance.node < id; });
  if (found == instances.end() || found->node != node)
    throw fitup::InputError("scene", "node " + std::to_string(index(node)), "is not an instance");
  return *found;
}

std::vector<NodeId> SceneAssembly::instancesBelow(const osg::Node& node) const {
  std::vector<NodeId> found;
  for (const SceneInstance& instance : instances)
    if (std::any_of(instance.path.begin(), instance.path.end(), [&](const auto& n) { return n == &node; }))
      found.push_back(instance.node);
  return found;
}

SceneAssembly createAssembly(osg::Node& root, const osg::NodeVisitor* masks) {
  AssemblyMaker maker(root, masks);
  root.accept(maker);
  maker.finish(root);
  return std::move(maker.result);
}

}  // namespace osgFitup
