#include <osgFitup/part_dragger.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <catch2/catch.hpp>
#include <osg/AutoTransform>
#include <osg/CoordinateSystemNode>
#include <osg/PositionAttitudeTransform>
#include <osgManipulator/Command>
#include <osgManipulator/TranslateAxisDragger>
#include <osgUtil/UpdateVisitor>

#include <fitup/base/error.h>
#include <models/process_plant.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/track_player.h>
#include <osgFitup/track_recorder.h>
#include <support/interference_checks.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace part_dragger_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using osgManipulator::MotionCommand;

namespace {

/// Moves a dragger as a user would, without a window, along an axis of its own.
class Hand {
 public:
  explicit Hand(osg::Group& parent, const Transform& worldFromDragger = {}) {
    dragger->setMatrix(toMatrix(worldFromDragger));
    parent.addChild(dragger);
  }
  void start() { send(MotionCommand::START, {}); }
  void move(const osg::Vec3d& by) { send(MotionCommand::MOVE, by); }
  void finish() { send(MotionCommand::FINISH, {}); }

  osg::ref_ptr<osgManipulator::TranslateAxisDragger> dragger = new osgManipulator::TranslateAxisDragger;

 private:
  void send(MotionCommand::Stage stage, const osg::Vec3d& by) {
    if (stage == MotionCommand::START) world_ = dragger->getWorldMatrices().front();
    osg::ref_ptr<osgManipulator::TranslateInLineCommand> command =
        new osgManipulator::TranslateInLineCommand({0, 0, 0}, {1, 0, 0});
    command->setStage(stage);
    command->setTranslation(by);
    command->setLocalToWorldAndWorldToLocal(world_, osg::Matrixd::inverse(world_));
    dragger->dispatch(*command);
  }
  osg::Matrixd world_;
};

/// A block at x = 0 in a turned group, and a wall from x = 5 to 6.
struct Hall {
  Assembly assembly{"hall"};
  osg::ref_ptr<osg::Group> root = new osg::Group, scene;
  PartNode* block;
  osg::MatrixTransform* group;

  Hall() {
    const NodeId turned =
        assembly.addNode("group", Transform::rotation(Vec3{0, 0, 1}, 1) * Transform::translation({0, 3, 0}));
    assembly.addNode("block", assembly.worldFromNode(turned).inverse(), turned,
                     assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 2)));
    assembly.addNode("rider", assembly.worldFromNode(turned).inverse() * Transform::translation({0, 2, 0}),
                     turned, assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1)));
    assembly.addNode("wall", Transform::translation({5.5, 0, 0}), {},
                     assembly.addPart(fitup::test::sixSidedBox(1, 1.5, 4, 3)));
    scene = createScene(fitup::Scene(assembly));
    root->addChild(scene);
    block = findPartNode(*scene, "group/block");
    group = block->getParent(0)->asTransform()->asMatrixTransform();
  }
  [[nodiscard]] double blockAt() const {
    return osg::computeLocalToWorld(osg::NodePath{scene, group, block}).getTrans().x();
  }
};

/// Binds the hall's nodes to the hand's dragger.
osg::ref_ptr<PartDragger> dragged(const Hand& hand, const Hall& hall, const std::vector<osg::Node*>& nodes) {
  osg::ref_ptr<PartDragger> drag = new PartDragger(hand.dragger, hall.scene, nodes);
  hand.dragger->addDraggerCallback(drag);
  return drag;
}

/// Limits that no slow machine reaches.
DragOptions unhurried() {
  DragOptions options;
  options.tolerance = 0.01;
  options.limits.timeBudget = std::chrono::hours(1);
  return options;
}

}  // namespace

TEST_CASE("drag modes: anywhere, with the monitor asked, as far as contact lets") {
  for (const DragMode mode : {DragMode::off, DragMode::detect, DragMode::stopAtContact}) {
    Hall hall;
    // The dragger's axis points along the world's y, and its unit is 2.
    Hand hand(*hall.root, Transform::rotation(Vec3{0, 0, 1}, std::acos(0.0)) * Transform::scaling(2, 2, 2));
    const auto drag = dragged(hand, hall, {hall.block});
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(hall.scene);
    std::size_t asked = 0;
    monitor->addCallback([&](const InterferenceMonitor&) { ++asked; });
    drag->setMode(mode);
    drag->setMonitor(monitor);
    drag->setOptions(unhurried());
    std::vector<DragMove> stack;
    drag->setFinished([&](const DragMove& move) { stack.push_back(move); });
    const osg::Matrixd before = hall.block->getMatrix(), draggerBefore = hand.dragger->getMatrix();

    hand.start();
    for (int i = 1; i <= 20; ++i) {
      // World (x, y) is the dragger's (-y, x) / 2.
      hand.move({0, -0.5 * 0.5 * i, 0});
      CHECK(drag->getError().empty());
      const double wanted = 0.5 * i;
      if (mode != DragMode::stopAtContact)
        CHECK(hall.blockAt() == Approx(wanted));
      else if (wanted < 4.49)
        CHECK(hall.blockAt() == Approx(wanted));
      else {
        CHECK(hall.blockAt() > 4.49);
        CHECK(hall.blockAt() < 4.52);
      }
      CHECK(drag->getStop().has_value() == (mode == DragMode::stopAtContact && wanted > 4.51));
    }
    if (mode == DragMode::stopAtContact) {
      CHECK(drag->getSceneAssembly().assembly().path(drag->getStop()->b) == "wall");
      // The dragger has stopped as well.
      CHECK((hand.dragger->getMatrix().getTrans() - draggerBefore.getTrans()).length() < 4.52);
    }
    CHECK(stack.empty());
    hand.finish();
    REQUIRE(stack.size() == 1);
    CHECK((asked == 0) == (mode == DragMode::off));
    const osg::Matrixd after = hall.block->getMatrix();
    CHECK(after != before);
    stack[0].undo();
    CHECK(hall.block->getMatrix() == before);
    stack[0].redo();
    CHECK(hall.block->getMatrix() == after);
    // A click without motion is not a move.
    hand.start();
    hand.finish();
    CHECK(stack.size() == 1);
  }
}

TEST_CASE("parts that are behind the hand go on in every frame") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.block});
  osg::ref_ptr<TrackRecorder> recorder =
      new TrackRecorder(*hall.scene, std::vector<osg::Node*>{hall.block}, "by hand");
  drag->setMode(DragMode::stopAtContact);
  DragOptions options = unhurried();
  options.maxSteps = 1;
  drag->setOptions(options);
  drag->setRecorder(recorder);
  osgUtil::UpdateVisitor update;
  osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
  update.setFrameStamp(stamp);
  hand.start();
  hand.move({9, 0, 0});
  int frames = 0;
  double before = hall.blockAt();
  CHECK(drag->isBehind());
  for (; drag->isBehind() && frames < 10'000; ++frames) {
    CHECK_FALSE(drag->getStop());
    stamp->setFrameNumber(static_cast<unsigned>(frames));
    hall.root->accept(update);
    CHECK(drag->getError().empty());
    CHECK(hall.blockAt() >= before - 0.01);
    before = hall.blockAt();
  }
  CHECK(frames > 1);
  CHECK(hall.blockAt() == Approx(4.5).margin(0.02));
  REQUIRE(drag->getStop());
  CHECK(hand.dragger->getMatrix().getTrans().x() == Approx(hall.blockAt()).margin(1e-6));
  CHECK(recorder->getTrack().steps.size() > 2);
  // Nothing is left to do, and nothing asks for it.
  CHECK_FALSE(drag->proceed());
  CHECK(hand.dragger->getUpdateCallback() == nullptr);
  // A hand that lets go leaves them where they are.
  hand.move({-9, 0, 0});
  REQUIRE(drag->isBehind());
  const double left = hall.blockAt();
  hand.finish();
  CHECK_FALSE(drag->isBehind());
  CHECK(hand.dragger->getUpdateCallback() == nullptr);
  hall.root->accept(update);
  CHECK(hall.blockAt() == left);
}

TEST_CASE("parts slide along what they touch, and the dragger with them") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.block});
  drag->setMode(DragMode::slide);
  drag->setSlideFreedom(fitup::SlideFreedom::shift);
  drag->setOptions(unhurried());
  hand.start();
  hand.move({9, 0, 1.5});
  CHECK(drag->getError().empty());
  CHECK(hall.blockAt() == Approx(4.5).margin(0.02));
  CHECK(hall.block->getMatrix().getTrans().z() == Approx(1.5).margin(0.03));
  REQUIRE_FALSE(drag->getHolding().empty());
  CHECK_FALSE(drag->getStop());
  CHECK(hand.dragger->getMatrix().getTrans().x() == Approx(hall.blockAt()).margin(1e-6));
  hand.move({-9, 0, -1.5});
  CHECK(drag->getHolding().empty());
  hand.finish();
}

TEST_CASE("a group is dragged as one, its parts do not stop each other") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.group});
  drag->setMode(DragMode::stopAtContact);
  drag->setOptions(unhurried());
  const Transform apart = toTransform(hall.block->getMatrix());
  osg::Matrixd before = hall.group->getMatrix();
  hand.start();
  hand.move({2, 0, 0});
  hand.move({9, 0, 0});
  CHECK(hall.blockAt() == Approx(4.5).margin(0.02));
  CHECK(drag->getStop().has_value());
  CHECK(toTransform(hall.block->getMatrix()) == apart);
  hand.finish();
  before = hall.group->getMatrix();
  // Moves back out of contact in a second drag.
  hand.start();
  hand.move({-3, 0, 0});
  CHECK(!drag->getStop().has_value());
  CHECK(hall.group->getMatrix().getTrans().x() == Approx(before.getTrans().x() - 3));
  hand.finish();
}

TEST_CASE("a drag is recorded as a track that the toolkit replays on the assembly") {
  Hall hall;
  Hand hand(*hall.root);
  osg::ref_ptr<TrackRecorder> recorder =
      new TrackRecorder(*hall.scene, std::vector<osg::Node*>{hall.block}, "by hand");
  const auto drag = dragged(hand, hall, {hall.block});
  drag->setRecorder(recorder);
  std::vector<Transform> placements{hall.assembly.worldFromNode(hall.assembly.at("group/block"))};
  hand.start();
  for (int i = 1; i <= 10; ++i) {
    hand.move({0.6 * i, 0.1 * i, 0});
    hand.move({0.6 * i, 0.1 * i, 0});  // the same pose again is not a step
    placements.push_back(createAssembly(*hall.scene)
                             .assembly()
                             .worldFromNode(createAssembly(*hall.scene).assembly().at("group/block")));
  }
  hand.finish();
  const Track& track = recorder->getTrack();
  REQUIRE(track.steps.size() == 11);
  CHECK(track.modelHash == hall.assembly.contentHash());
  CHECK(track.moved == std::vector<std::string>{"group/block"});
  const Transform design = hall.assembly.worldFromNode(hall.assembly.at("group/block"));
  for (std::size_t i = 0; i < 11; ++i) {
    const Transform placed = track.steps[i][0].transform() * design;
    CHECK(norm(placed.t - placements[i].t) < 1e-12);
  }
  // The interference is the same when the toolkit replays the track, and in the scene.
  ReplayOptions options;
  const CollisionModels models = buildCollisionModels(hall.assembly);
  const ReplayReport replayed = replay(fitup::Scene(hall.assembly, models), {}, track, options);
  osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*hall.scene, track);
  REQUIRE(player->getNumSteps() == 11);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    player->setStep(i);
    CHECK(norm(createAssembly(*hall.scene).assembly().worldFromNode(hall.assembly.at("group/block")).t -
               placements[i].t) < 1e-12);
    hits += replayed.steps[i].interference.pairs.size();
  }
  CHECK(hits > 0);
  CHECK_THROWS_AS(player->setStep(11), InputError);
}

TEST_CASE("a track is played along its ways, between the steps too") {
  Hall hall;
  const Transform design = hall.assembly.worldFromNode(hall.assembly.at("group/block"));
  const fitup::AxisTurn turn{{3, 1, 0}, {0, 0, 1}, 270, 0.5};
  const Track track{.unit = hall.assembly.unit(),
                    .moved = {"group/block"},
                    .steps = {{{}}, {turn.at(1)}},
                    .ways = {{{}}, {{turn, {}}}}};
  const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*hall.scene, track);
  for (const double time : {0.0, 0.25, 0.5, 1.0, 0.75}) {
    player->setTime(time);
    const Transform placed =
        createAssembly(*hall.scene).assembly().worldFromNode(hall.assembly.at("group/block"));
    CHECK(norm(placed.t - (turn.at(time).transform() * design).t) < 1e-12);
  }
  CHECK_THROWS_AS(player->setTime(1.01), InputError);
  CHECK_THROWS_AS(player->setTime(-0.1), InputError);
}

TEST_CASE("the plant's track played in its scene is the toolkit's replay") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  const auto scene = createScene(fitup::Scene(plant, models));
  const Track track = models::makeSpoolTrack(plant);
  osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*scene, track);
  osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  InterferenceOptions options;
  monitor->setOptions(options);
  monitor->addFirst(findPartNode(*scene, models::spoolPath));
  const ReplayReport replayed = replay(fitup::Scene(plant, models), {}, track, {});
  Track other = track;
  *other.modelHash ^= 1;
  CHECK_THROWS_AS(osg::ref_ptr(new TrackPlayer(*scene, other)), InputError);
  // The recorded track belongs to the same model.
  osg::ref_ptr<TrackRecorder> recorder =
      new TrackRecorder(*scene, std::vector<osg::Node*>{findPartNode(*scene, models::spoolPath)});
  CHECK(recorder->getTrack().modelHash == plant.contentHash());
  std::size_t pairs = 0;
  for (std::size_t step = 0; step < track.steps.size(); step += 10) {
    player->setStep(step);
    monitor->update();
    std::vector<std::pair<std::string, std::size_t>> found, expected;
    const Assembly& assembly = monitor->getSceneAssembly().assembly();
    for (const auto& pair : monitor->getReport().pairs)
      found.emplace_back(assembly.path(pair.a) + assembly.path(pair.b), pair.report.trianglePairs.size());
    const NodeId spool = plant.at(models::spoolPath);
    for (const auto& pair : replayed.steps[step].interference.pairs) {
      // The scene may have the two in the other order.
      const bool isFirst = assembly.at(plant.path(pair.a)) < assembly.at(plant.path(pair.b));
      CHECK((pair.a == spool || pair.b == spool));
      expected.emplace_back(
          isFirst ? plant.path(pair.a) + plant.path(pair.b) : plant.path(pair.b) + plant.path(pair.a),
          pair.report.trianglePairs.size());
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    CHECK(found == expected);
    pairs += found.size();
  }
  CHECK(pairs > 20);
}

TEST_CASE("drags that cannot be: nothing moves, and the reason is reported") {
  Hall hall;
  Hand hand(*hall.root);
  osg::ref_ptr<osg::Group> plain = new osg::Group;
  using Nodes = std::vector<osg::Node*>;
  CHECK_THROWS_AS(osg::ref_ptr(new PartDragger(nullptr, hall.scene, Nodes{})), InputError);
  CHECK_THROWS_AS(osg::ref_ptr(new PartDragger(nullptr, hall.scene, Nodes{plain.get()})), InputError);
  CHECK_THROWS_AS(osg::ref_ptr(new TrackRecorder(*hall.scene, Nodes{plain.get()})), InputError);
  CHECK_THROWS_AS(osg::ref_ptr(new TrackRecorder(*hall.scene, Nodes{hall.block, hall.group})), InputError);
  const auto drag = dragged(hand, hall, {hall.block});
  drag->setMode(DragMode::stopAtContact);  // without a tolerance, which meshes need
  const osg::Matrixd before = hall.block->getMatrix();
  hand.start();
  CHECK(drag->getError().find("tolerance") != std::string::npos);
  hand.move({1, 0, 0});
  CHECK(hall.block->getMatrix() == before);
  hand.finish();
  // The part has been taken out of the scene.
  drag->setMode(DragMode::detect);
  osg::ref_ptr<osg::Node> kept = hall.block;
  hall.group->removeChild(hall.block);
  hand.start();
  CHECK(drag->getError().find("block") != std::string::npos);
  hand.move({1, 0, 0});
  CHECK(hall.block->getMatrix() == before);
  hall.group->addChild(kept);
  hand.start();
  CHECK(drag->getError().empty());
}

TEST_CASE("a node below another one that is dragged goes with it, once") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.block, hall.group});
  DragMove move;
  drag->setFinished([&](const DragMove& m) { move = m; });
  hand.start();
  hand.move({1, 0, 0});
  CHECK(drag->getError().empty());
  CHECK(hall.blockAt() == Approx(1));
  hand.finish();
  CHECK(move.nodes.size() == 1);
}

TEST_CASE("what node masks hide is no obstacle to a drag, the dragger itself neither") {
  Hall hall;
  Hand hand(*hall.scene, Transform::translation({1.2, 0, 0}));  // within the scene, in the way
  hand.dragger->addChild(placed("handle", {}, boxGeometry({}, 0.1F)));
  const auto drag = dragged(hand, hall, {hall.block});
  drag->setMode(DragMode::stopAtContact);
  drag->setOptions(unhurried());
  hand.dragger->setNodeMask(2);
  drag->setTraversalMask(~2U);
  hand.start();
  CHECK(drag->getSceneAssembly().instances.size() == 3);
  hand.move({8, 0, 0});
  CHECK(hall.blockAt() == Approx(4.5).margin(0.02));  // at the wall
  hand.finish();
  findPartNode(*hall.scene, "wall")->setNodeMask(0);
  hand.start();
  hand.move({8, 0, 0});
  CHECK(hall.blockAt() > 8);
  hand.finish();
}

TEST_CASE("where a pose cannot be recorded nothing moves") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.block});
  osg::ref_ptr<TrackRecorder> recorder = new TrackRecorder(*hall.scene, std::vector<osg::Node*>{hall.block});
  drag->setRecorder(recorder);
  hand.start();
  hand.move({1, 0, 0});
  CHECK(drag->getError().empty());
  hand.finish();
  hall.block->setMatrix(osg::Matrixd::scale(1, 1, -1) * hall.block->getMatrix());
  const osg::Matrixd before = hall.block->getMatrix();
  hand.start();
  CHECK(drag->getError().find("rigid") != std::string::npos);
  hand.move({2, 0, 0});
  CHECK(hall.block->getMatrix() == before);
  hand.finish();
}

TEST_CASE("parts follow the hand where scene and dragger hang under transforms") {
  for (const DragMode mode : {DragMode::detect, DragMode::stopAtContact}) {
    Hall hall;
    // In metres, and turned; the dragger is below another transform.
    osg::ref_ptr<osg::MatrixTransform> top = new osg::MatrixTransform(
        toMatrix(Transform::rotation(Vec3{0, 0, 1}, std::acos(0.0)) * Transform::scaling(1e-3, 1e-3, 1e-3)));
    osg::ref_ptr<osg::MatrixTransform> desk =
        new osg::MatrixTransform(toMatrix(Transform::translation({0, 0, 7})));
    top->addChild(hall.root);
    top->addChild(desk);
    Hand hand(*desk);
    const auto drag = dragged(hand, hall, {hall.block});
    drag->setMode(mode);
    drag->setOptions(unhurried());
    hand.start();
    hand.move({2, 0, 0});
    CHECK(drag->getError().empty());
    CHECK(hall.blockAt() == Approx(2));
    hand.move({8, 0, 0});
    CHECK(drag->getStop().has_value() == (mode == DragMode::stopAtContact));
    if (mode == DragMode::stopAtContact) {
      CHECK(hall.blockAt() == Approx(4.5).margin(0.02));
      CHECK((hand.dragger->getMatrix().getTrans() - osg::Vec3d(4.5, 0, 0)).length() < 0.02);
    } else {
      CHECK(hall.blockAt() == Approx(8));
    }
    hand.finish();
  }
}

TEST_CASE("a dragger within the scene keeps nothing of it alive") {
  osg::observer_ptr<osg::Node> scene, block;
  {
    Hall hall;
    scene = hall.scene.get();
    block = hall.block;
    Hand hand(*hall.scene);
    hand.dragger->setNodeMask(2);
    osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(hall.scene);
    osg::ref_ptr<TrackRecorder> recorder =
        new TrackRecorder(*hall.scene, std::vector<osg::Node*>{hall.block});
    osg::ref_ptr<PartDragger> drag =
        new PartDragger(hand.dragger, hall.scene, std::vector<osg::Node*>{hall.block});
    drag->setTraversalMask(~2U);
    drag->setMonitor(monitor);
    drag->setRecorder(recorder);
    hand.dragger->addDraggerCallback(drag);
    hand.start();
    hand.move({1, 0, 0});
    CHECK(drag->getError().empty());
    CHECK(recorder->getTrack().steps.size() == 2);
    hand.finish();
    CHECK(drag->getSceneAssembly().instances.empty());
  }
  CHECK(!scene.valid());
  CHECK(!block.valid());
}

TEST_CASE("a drag of what is gone says so") {
  Hall hall;
  Hand hand(*hall.root);
  const auto drag = dragged(hand, hall, {hall.block});
  hall.group->removeChild(hall.block);
  hand.start();
  CHECK(drag->getError().find("gone") != std::string::npos);
  hand.move({1, 0, 0});
  hand.finish();
}

TEST_CASE("a part below a PositionAttitudeTransform is dragged, recorded and replayed as by a matrix") {
  for (const DragMode mode : {DragMode::detect, DragMode::stopAtContact}) {
    Hall hall;
    const osg::ref_ptr<osg::PositionAttitudeTransform> placed = new osg::PositionAttitudeTransform;
    placed->setName("placed");
    placed->setPosition({1, 20, 3});
    placed->setAttitude(osg::Quat(0.3, osg::Vec3d(1, 2, 2)));
    placed->setScale({2, 2, 2});
    placed->setPivotPoint({0.5, 0.25, 0});
    const osg::ref_ptr<osg::Geometry> box = boxGeometry({}, 1);
    placed->addChild(box);
    hall.scene->addChild(placed);
    hall.scene->addChild(
        osgFitup::test::placed("stop", Transform::translation({1, 32, 3}), boxGeometry({}, 4)));
    visit(*hall.scene);
    Hand hand(*hall.root);
    const auto drag = dragged(hand, hall, {placed});
    drag->setMode(mode);
    drag->setOptions({.tolerance = 0.01});
    const osg::ref_ptr<TrackRecorder> recorder = new TrackRecorder(*hall.scene, {placed}, "way");
    drag->setRecorder(recorder);
    std::vector<DragMove> stack;
    drag->setFinished([&](const DragMove& move) { stack.push_back(move); });
    const auto worldOf = [&] { return osg::computeLocalToWorld(osg::NodePath{hall.scene, placed}); };
    const osg::Matrixd before = worldOf();
    hand.start();
    hand.move({0, 3, 1});
    CHECK(drag->getError() == "");
    CHECK((worldOf().getTrans() - before.getTrans() - osg::Vec3d(0, 3, 1)).length() < 1e-9);
    hand.move({0, 12, 0});
    const double way = worldOf().getTrans().y() - before.getTrans().y();
    CHECK((mode == DragMode::detect ? way == Approx(12) : way < 11 && way > 5));
    CHECK(drag->getStop().has_value() == (mode == DragMode::stopAtContact));
    hand.finish();
    REQUIRE(stack.size() == 1);
    const osg::Matrixd after = worldOf();
    const auto isNear = [](const osg::Matrixd& a, const osg::Matrixd& b) {
      for (int i = 0; i < 16; ++i)
        if (std::abs(a.ptr()[i] - b.ptr()[i]) > 1e-9) return false;
      return true;
    };
    stack[0].undo();
    CHECK(isNear(worldOf(), before));
    stack[0].redo();
    CHECK(isNear(worldOf(), after));
    // Scale and pivot stay.
    CHECK(placed->getScale() == osg::Vec3d(2, 2, 2));
    CHECK(placed->getPivotPoint() == osg::Vec3d(0.5, 0.25, 0));
    REQUIRE(recorder->getTrack().steps.size() > 1);
    stack[0].undo();
    const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*hall.scene, recorder->getTrack());
    player->setStep(player->getNumSteps() - 1);
    CHECK(isNear(worldOf(), after));
  }
}

TEST_CASE("transforms that cannot be set are refused by their class, motions that one cannot have by name") {
  Hall hall;
  const auto refuses = [&](osg::Node* node, const std::string& why) {
    CHECK_THROWS_WITH(new PartDragger(nullptr, hall.scene, {node}), Catch::Contains(why));
  };
  const osg::ref_ptr<osg::AutoTransform> following = new osg::AutoTransform;
  refuses(following, "osg::AutoTransform");
  const osg::ref_ptr<osg::CoordinateSystemNode> globe = new osg::CoordinateSystemNode;
  refuses(globe, "osg::CoordinateSystemNode");
  refuses(hall.root, "osg::Group");
  // If it were turned below a group with uneven scale, it would have to shear.
  const osg::ref_ptr<osg::MatrixTransform> uneven = new osg::MatrixTransform(osg::Matrixd::scale(1, 3, 1));
  const osg::ref_ptr<osg::PositionAttitudeTransform> placed = new osg::PositionAttitudeTransform;
  placed->setName("placed");
  placed->addChild(boxGeometry({0, 20, 0}, 1));
  uneven->addChild(placed);
  hall.scene->addChild(uneven);
  visit(*hall.scene);
  const osg::ref_ptr<PartDragger> drag = new PartDragger(nullptr, hall.scene, {placed});
  const auto send = [&](MotionCommand::Stage stage, double angle) {
    const osg::ref_ptr<osgManipulator::Rotate3DCommand> command = new osgManipulator::Rotate3DCommand;
    command->setStage(stage);
    command->setRotation(osg::Quat(angle, osg::Vec3d(0, 0, 1)));
    command->setLocalToWorldAndWorldToLocal({}, {});
    return drag->receive(*command);
  };
  CHECK(send(MotionCommand::START, 0));
  const osg::Vec3d position = placed->getPosition();
  const osg::Quat attitude = placed->getAttitude();
  CHECK_FALSE(send(MotionCommand::MOVE, 0.5));
  CHECK_THAT(drag->getError(), Catch::Contains("'placed'") && Catch::Contains("cannot shear"));
  CHECK((placed->getPosition() - position).length() < 1e-12);
  CHECK((placed->getAttitude().asVec4() - attitude.asVec4()).length() < 1e-12);
}

}  // namespace part_dragger_tests
