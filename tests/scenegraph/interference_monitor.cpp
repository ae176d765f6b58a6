#include <osgFitup/interference_monitor.h>

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/MatrixTransform>
#include <osg/Switch>

#include <fitup/base/error.h>
#include <models/process_plant.h>
#include <models/random.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_visitor.h>
#include <support/effort.h>
#include <support/interference_checks.h>
#include <support/placements.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace interference_monitor_tests {

using namespace fitup;
using namespace osgFitup;
using namespace fitup::test;
using namespace osgFitup::test;
using Where = InterferenceMonitor::Where;

namespace {

/// A scene with random edits, and a monitor that has to follow them.
class EditedScene {
 public:
  EditedScene(std::uint64_t seed, Where where, bool withSets, bool withRules) : random_(seed) {
    Assembly assembly("stock");
    for (const MeshPtr& mesh : {sixSidedBox(1, 1, 1, 1), tetrahedron(1.4), box(2, 0.4, 0.6)})
      assembly.addNode("stock", {}, {}, assembly.addPart(mesh));
    const auto stock = createScene(fitup::Scene(assembly));
    for (PartNode* part : partNodesBelow(*stock)) stock_.emplace_back(part);
    box_ = boxGeometry({0.2F, 0, 0}, 0.9F);
    otherBox_ = boxGeometry({-0.2F, 0.3F, 0}, 0.4F);
    root_->setName("root");
    for (int i = 0; i < 3; ++i) addGroup(*root_);
    for (int i = 0; i < 7; ++i) addPart(*group());
    monitor_ = new InterferenceMonitor(root_);
    monitor_->setWhere(where);
    InterferenceOptions options;  // all pairs of triangles: witnesses of surface pairs may differ
    if (withRules) {
      options.rules.rules.push_back({.a = "part1*", .b = "part2*"});
      options.rules.rules.push_back({.a = "*/part3*", .b = "part4*", .action = RuleAction::allowContact});
    }
    options_ = options;
    monitor_->setOptions(options);
    monitor_->setTraversalMask(1);
    if (withSets) first_ = groups_.front();
    if (first_.valid()) monitor_->addFirst(first_);
  }

  void edit() {
    edited_ = nullptr;
    switch (random_.below(12)) {
      case 0:
        if (parts_.size() < 12) return addPart(*group());
        [[fallthrough]];
      case 1:
        if (parts_.size() > 4) return remove(random_.below(parts_.size()));
        return addPart(*group());
      case 2:
        return reparent();
      case 3: {
        osg::Node* node = random_.below(4) == 0 ? static_cast<osg::Node*>(group()) : part();
        const osg::Node::NodeMask masks[] = {0, 1, 2, 3, ~0U, ~0U};
        return node->setNodeMask(masks[random_.below(6)]);
      }
      case 4:
        if (auto* shown = dynamic_cast<osg::Switch*>(group());
            shown != nullptr && shown->getNumChildren() > 0)
          return shown->setValue(static_cast<unsigned>(random_.below(shown->getNumChildren())),
                                 random_.below(2) == 0);
        return;
      case 5:
        if (auto* moved = dynamic_cast<osg::MatrixTransform*>(group()))
          moved->setMatrix(toMatrix(placement()));
        return;
      case 6:
        if (auto* changed = dynamic_cast<PartNode*>(part()))
          changed->setPartModel(stock_[random_.below(stock_.size())]->getPartModel());
        return;
      case 7:
        return editWithin();
      default:
        if (auto* moved = dynamic_cast<osg::MatrixTransform*>(part()))
          moved->setMatrix(toMatrix(placement()));
    }
  }

  /// Empty if the monitor's answer equals that of a new visitor and that of brute force.
  std::string problem(bool bruteForced) {
    monitor_->finish();
    osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
    visitor->setTraversalMask(1);
    visitor->setOptions(options_);
    if (first_.valid()) visitor->addFirst(first_);
    root_->accept(*visitor);
    const InterferenceReport &kept = monitor_->getReport(), &fresh = visitor->getReport();
    if (!monitor_->getError().empty()) return monitor_->getError();
    if (const std::string found = difference(kept, fresh); !found.empty()) return found;
    if (kept.consideredPairs != fresh.consideredPairs) return "considered pairs";
    if (kept.narrowPairs != fresh.narrowPairs || kept.excludedPairs != fresh.excludedPairs)
      return "pairs whose boxes meet";
    for (std::size_t i = 0; i < kept.pairs.size(); ++i)
      if (kept.pairs[i].rule != fresh.pairs[i].rule) return "rule";
    const SceneAssembly &scene = monitor_->getSceneAssembly(), &other = visitor->getSceneAssembly();
    if (scene.instances.size() != other.instances.size()) return "instances";
    for (std::size_t i = 0; i < scene.instances.size(); ++i) {
      if (scene.instances[i].path != other.instances[i].path) return "paths";
      if (scene.worldFromPart(scene.instances[i].node) != other.worldFromPart(other.instances[i].node))
        return "placements";
    }
    if (!isEditedPartUpToDate(scene)) return "a model is out of date";
    hits_ += kept.pairs.size();
    if (!bruteForced || first_.valid() || !options_.rules.empty()) return {};
    std::vector<fitup::Transform> placements;
    for (const SceneInstance& instance : scene.instances)
      placements.push_back(scene.worldFromPart(instance.node));
    return difference(kept, loopOverPairs(scene.assembly(), scene.scene.collisionModels(), placements,
                                          [](std::size_t, std::size_t) { return true; }));
  }
  [[nodiscard]] std::size_t hits() const { return hits_; }
  [[nodiscard]] std::size_t editedParts() const { return editedParts_; }
  [[nodiscard]] std::size_t rescans() const { return monitor_->getRescans(); }

 private:
  Transform placement() {
    const Transform place = Transform::rigid(randomRotation(random_), random_.inCube(1.6));
    switch (random_.below(12)) {
      case 0:
        return place * Transform::scaling(-1, 1, 1);
      case 1:
        return place * Transform::scaling(0.5, 2, 1);
      case 2:
        return random_.below(8) == 0 ? Transform::scaling(1, 0, 1) : place;  // singular: left out
      default:
        return place;
    }
  }
  osg::Group* group() { return groups_[random_.below(groups_.size())].get(); }
  osg::Node* part() { return parts_[random_.below(parts_.size())].get(); }

  void addGroup(osg::Group& parent) {
    osg::ref_ptr<osg::Group> added;
    if (groups_.size() % 3 == 1)
      added = new osg::Switch;
    else
      added = new osg::MatrixTransform(toMatrix(Transform::translation(random_.inCube(0.5))));
    added->setName("group" + std::to_string(groups_.size()));
    if (groups_.size() % 3 == 0) added->setName("");
    parent.addChild(added);
    groups_.push_back(added);
  }
  void addPart(osg::Group& parent) {
    osg::ref_ptr<osg::MatrixTransform> added;
    if (random_.below(3) == 0) {
      added = new osg::MatrixTransform;
      osg::ref_ptr<osg::MatrixTransform> inner = new osg::MatrixTransform;
      inner->addChild(box_);
      osg::ref_ptr<osg::Switch> shown = new osg::Switch;
      shown->addChild(box_, false);
      shown->addChild(otherBox_, true);
      added->addChild(inner);
      added->addChild(shown);
    } else {
      added = static_cast<PartNode*>(stock_[random_.below(stock_.size())]->clone(osg::CopyOp::SHALLOW_COPY));
    }
    added->setMatrix(toMatrix(placement()));
    added->setName("part" + std::to_string(random_.below(6)));
    parent.addChild(added);
    parts_.push_back(added);
  }
  /// Only parts with models built from drawables follow edits.
  void editWithin() {
    osg::Group* edited = part()->asGroup();
    if (dynamic_cast<PartNode*>(edited) != nullptr) return;
    edited_ = edited;
    switch (random_.below(4)) {
      case 0:
        dynamic_cast<osg::MatrixTransform&>(*edited->getChild(0)).setMatrix(toMatrix(placement()));
        return monitor_->dirty();
      case 1:
        return dynamic_cast<osg::Switch&>(*edited->getChild(1))
            .setValue(static_cast<unsigned>(random_.below(2)), random_.below(2) == 0);
      case 2:
        return edited->getChild(random_.below(2))->setNodeMask(random_.below(2) == 0 ? 2 : ~0U);
      default:
        if (edited->getNumChildren() > 2)
          edited->removeChild(2, 1);
        else
          edited->addChild(otherBox_);
    }
  }
  /// Whether the part that was edited inside has the model that it would be given at present, if it is
  /// visible.
  bool isEditedPartUpToDate(const SceneAssembly& scene) {
    if (!edited_.valid() || scene.instancesBelow(*edited_).empty()) return true;
    const osg::ref_ptr<osg::Node> copy = osg::clone(edited_.get(), osg::CopyOp(osg::CopyOp::DEEP_COPY_NODES));
    const osg::ref_ptr<CollisionModelVisitor> builder = new CollisionModelVisitor;
    builder->setTraversalMask(1);
    builder->setThreads(1);
    builder->setRebuild(true);
    copy->accept(*builder);
    ++editedParts_;
    return builder->getBuiltModels() == 1 && meshOf(*copy).contentHash() == meshOf(*edited_).contentHash();
  }
  void remove(std::size_t which) {
    osg::ref_ptr<osg::Node> node = parts_[which];
    while (node->getNumParents() > 0) node->getParent(0)->removeChild(node);
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  void reparent() {
    osg::ref_ptr<osg::Node> node = part();
    // Every third time it gets a second parent instead.
    if (random_.below(3) != 0)
      while (node->getNumParents() > 0) node->getParent(0)->removeChild(node);
    osg::Group* to = group();
    if (!to->containsNode(node)) to->addChild(node);
  }

  Random random_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  osg::ref_ptr<osg::Group> first_;
  osg::ref_ptr<osg::Geometry> box_, otherBox_;
  std::vector<osg::ref_ptr<PartNode>> stock_;
  std::vector<osg::ref_ptr<osg::Group>> groups_;
  std::vector<osg::ref_ptr<osg::Node>> parts_;
  osg::ref_ptr<InterferenceMonitor> monitor_;
  InterferenceOptions options_;
  osg::ref_ptr<osg::Group> edited_;  ///< inside, by the last edit
  std::size_t hits_ = 0, editedParts_ = 0;
};

void runSequences(std::uint64_t first, std::uint64_t count, int edits) {
  std::size_t hits = 0, updates = 0, rescans = 0, editedParts = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    EditedScene scene(seed, seed % 8 == 3 ? Where::onWorker : Where::inUpdate, seed % 3 == 1, seed % 4 == 2);
    REQUIRE(scene.problem(true) == "");
    for (int i = 0; i < edits; ++i) {
      scene.edit();
      if (i % 3 == 1) scene.edit();
      INFO("seed " << seed << ", edit " << i);
      REQUIRE(scene.problem(i % 10 == 9) == "");
      ++updates;
    }
    hits += scene.hits();
    rescans += scene.rescans();
    editedParts += scene.editedParts();
  }
  CHECK(hits > updates);
  CHECK(editedParts > updates / 100);
  // Moves need no rescan.
  CHECK(rescans < updates * 4 / 5);
}

}  // namespace

TEST_CASE("whatever is edited, a monitor says what a fresh visitor does") {
  runSequences(1, fitup::test::effort(400, 12'000), 8);
}

}  // namespace interference_monitor_tests
