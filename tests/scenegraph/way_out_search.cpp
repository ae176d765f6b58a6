#include <osgFitup/way_out_search.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include <catch2/catch.hpp>
#include <osg/AutoTransform>
#include <osg/ComputeBoundsVisitor>
#include <osg/Geode>
#include <osgUtil/UpdateVisitor>

#include <fitup/base/error.h>
#include <fitup/planning/tree_search.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/track_player.h>
#include <support/placements.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace way_out_search_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;
using fitup::test::boxBetween;
using fitup::test::shift;

namespace {

/// A cube with 0.1 of play in a case whose inside is 2 wide, with or without a lid. The scene's root is a
/// transform of the world, and the case stands in a group that is turned.
struct Case {
  explicit Case(bool isClosed, const Transform& cubeFromDesign = {}) {
    const Transform turned = Transform::rotation(Vec3{0, 0, 1}, 0.5) * Transform::translation({3, 4, 0});
    const NodeId group = assembly.addNode("group", turned);
    const auto add = [&](const char* name, const Vec3& low, const Vec3& high) {
      return assembly.addNode(name, {}, group, assembly.addPart(boxBetween(low, high)));
    };
    const NodeId cube = add("cube", {-0.9, -0.9, -0.9}, {0.9, 0.9, 0.9});
    assembly.setPlacement(cube, cubeFromDesign.inverse());  // the design is where it does not stand
    add("bottom", {-2, -2, -2}, {2, 2, -1});
    add("left", {-2, -2, -1}, {-1, 2, 1});
    add("right", {1, -2, -1}, {2, 2, 1});
    add("front", {-1, -2, -1}, {1, -1, 1});
    add("back", {-1, 1, -1}, {1, 2, 1});
    if (isClosed) add("lid", {-2, -2, 1}, {2, 2, 2});
    graph = createScene(Scene(assembly));
    part("cube")->setPlacement({});
    above->addChild(graph);
    search = new WayOutSearch(graph, {part("cube")});
    search->setFinished([this](const WayOutSearch&) { ++ends; });
  }
  [[nodiscard]] PartNode* part(const std::string& name) { return findPartNode(*graph, "group/" + name); }

  Assembly assembly{"case"};
  osg::ref_ptr<osg::Group> above = new osg::Group, graph;
  osg::ref_ptr<WayOutSearch> search;
  int ends = 0;
};

/// The box of what is drawn at or below a node, in the coordinates of the top of the graph; by OSG alone.
osg::BoundingBox worldBox(osg::Node& node) {
  osg::ComputeBoundsVisitor visitor;
  node.accept(visitor);
  osg::NodePath path = node.getParentalNodePaths().front();
  path.pop_back();
  const osg::Matrixd above = osg::computeLocalToWorld(path);
  osg::BoundingBox box;
  for (unsigned int corner = 0; corner < 8; ++corner)
    box.expandBy(osg::Vec3d(visitor.getBoundingBox().corner(corner)) * above);
  return box;
}

/// Options whose search stands still at its first sight until it is let go, or cancelled for so long that it
/// does not matter.
struct Halt {
  RemovalOptions options;
  std::mutex mutex;
  std::condition_variable changed;
  bool hasSeen = false, mayGo = false;
  std::atomic<int> calls = 0;

  Halt() {
    options.watch = [this](const RemovalSight&) {
      ++calls;
      std::unique_lock lock(mutex);
      hasSeen = true;
      changed.notify_all();
      changed.wait(lock, [this] { return mayGo; });
    };
  }
  void waitForSight() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return hasSeen; });
  }
  void letGo() {
    const std::lock_guard lock(mutex);
    mayGo = true;
    changed.notify_all();
  }
};

/// A search that goes on until it is cancelled.
RemovalOptions endless() {
  RemovalOptions options;
  options.search = treeSearch();
  options.maxWork = std::numeric_limits<std::size_t>::max();
  options.maxPieces = 1;
  return options;
}

}  // namespace

TEST_CASE("a search finds the track that takes the part out of the scene") {
  // In its design placement, and moved and turned away from it.
  for (const Transform& fromDesign :
       {Transform{}, Transform::rotation(Vec3{0, 0, 1}, 1) * Transform::translation({0, 7, 1})}) {
    Case open(false, fromDesign);
    const Transform before = open.part("cube")->getPlacement();
    REQUIRE(open.search->start());
    CHECK(open.search->getReport() == nullptr);
    REQUIRE(open.search->finish());
    CHECK(open.ends == 1);
    CHECK_FALSE(open.search->isSearching());
    CHECK_FALSE(open.search->update());
    CHECK_FALSE(open.search->finish());
    CHECK(open.ends == 1);
    CHECK(open.search->getError().empty());
    REQUIRE(open.search->getReport() != nullptr);
    CHECK(open.search->getReport()->answer == RemovalAnswer::certain);
    REQUIRE(open.search->getTrack() != nullptr);
    CHECK(open.search->getTrack()->moved == std::vector<std::string>{"group/cube"});
    CHECK(open.part("cube")->getPlacement() == before);  // nothing has moved yet

    // Without `force`: the track is one of this scene.
    const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*open.graph, *open.search->getTrack());
    player->setStep(0);
    const Transform first = open.part("cube")->getPlacement();
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      CHECK(norm(first.apply(p) - before.apply(p)) < 1e-9);
    player->setStep(player->getNumSteps() - 1);
    const osg::BoundingBox cube = worldBox(*open.part("cube"));
    for (const char* name : {"bottom", "left", "right", "front", "back"})
      CHECK_FALSE(cube.intersects(worldBox(*open.part(name))));
    // On the way, it stays free of the walls.
    for (int i = 0; i <= 20; ++i) {
      player->setTime(0.05 * i * static_cast<double>(player->getNumSteps() - 1));
      const SceneAssembly now = createAssembly(*open.graph);
      for (const PairInterference& pair : fresh(*open.graph).pairs)
        for (const NodeId node : {pair.a, pair.b}) CHECK(now.assembly().path(node) != "group/cube");
    }
  }
}

TEST_CASE("the answer is that of the toolkit") {
  for (const bool isClosed : {false, true}) {
    Case box(isClosed);
    RemovalOptions options;
    options.clearance = 0.05;
    box.search->setOptions(options);
    REQUIRE(box.search->start());
    REQUIRE(box.search->finish());
    const NodeId cube = *box.assembly.find("group/cube");
    const RemovalReport expected = findRemoval(Scene(box.assembly), {}, std::array{cube}, options);
    const RemovalReport& report = *box.search->getReport();
    CHECK(report.answer == (isClosed ? RemovalAnswer::notFound : RemovalAnswer::certain));
    CHECK(report.answer == expected.answer);
    CHECK(report.tried == expected.tried);
    CHECK(report.queries == expected.queries);
    CHECK((box.search->getTrack() != nullptr) == expected.way.has_value());
    if (expected.way) CHECK(box.search->getTrack()->steps == expected.way->certificate.track.steps);
    REQUIRE(report.witnesses.size() == expected.witnesses.size());
    if (!isClosed) continue;
    // Ids are those of the search's assembly.
    REQUIRE(report.witnesses.size() > 0);
    CHECK(box.search->getSceneAssembly().assembly().path(report.witnesses[0].without.at(0)) == "group/lid");
  }
}

TEST_CASE("while it searches, the scene can be drawn and edited, and a ghost is where the search is") {
  Case open(false);
  Halt halt;
  open.search->setOptions(halt.options);
  PartGhost& ghost = *open.search->getGhost();
  CHECK_FALSE(ghost.isShown());
  REQUIRE(open.search->start());
  CHECK(open.search->isSearching());
  CHECK(ghost.isShown());
  CHECK(ghost.getMotion() == RigidMotion{});
  halt.waitForSight();
  // By the update callback, of a node that is traversed.
  open.above->addUpdateCallback(open.search->getUpdateCallback());
  osgUtil::UpdateVisitor visitor;
  open.above->accept(visitor);
  REQUIRE(open.search->isSearching());
  REQUIRE(open.search->getSight());
  CHECK(ghost.getMotion() == open.search->getSight()->pose);
  CHECK(open.ends == 0);
  // An edit does not matter to what runs: the search is about the scene at its start.
  const Transform before = open.part("cube")->getPlacement();
  open.part("cube")->setPlacement(Transform::translation({0, 0, 0.05}));
  open.part("left")->getParent(0)->removeChild(open.part("left"));
  halt.letGo();
  REQUIRE(open.search->finish());
  CHECK(open.ends == 1);
  CHECK_FALSE(ghost.isShown());
  CHECK_FALSE(open.search->getSight());
  REQUIRE(open.search->getTrack() != nullptr);
  CHECK(open.search->getTrack()->steps.front().front() == RigidMotion{});
  CHECK(before == Transform{});
}

TEST_CASE("a ghost begins where the part is, also far from its design") {
  Case open(false, Transform::translation({5, 6, 7}));
  Halt halt;
  open.search->setOptions(halt.options);
  REQUIRE(open.search->start());
  PartGhost& ghost = *open.search->getGhost();
  REQUIRE(ghost.getNumChildren() == 1);
  osg::ComputeBoundsVisitor ofCopy;
  ghost.getChild(0)->accept(ofCopy);
  const osg::BoundingBox cube = worldBox(*open.part("cube"));
  CHECK((ofCopy.getBoundingBox().center() - cube.center()).length() < 1e-5F);
  halt.letGo();
  open.search->finish();
}

TEST_CASE("a cancelled search finishes with what it has found") {
  if (!hasTreeSearch()) return;
  Case closed(true);
  closed.search->setOptions(endless());
  REQUIRE(closed.search->start());
  while (!closed.search->getSight() || closed.search->getSight()->poses == 0) {
    REQUIRE_FALSE(closed.search->update());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  closed.search->cancel();
  while (!closed.search->update()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(closed.ends == 1);
  REQUIRE(closed.search->getReport() != nullptr);
  CHECK(closed.search->getReport()->status == ReportStatus::cancelled);
  CHECK(closed.search->getReport()->answer == RemovalAnswer::undecided);
  CHECK(closed.search->getReport()->tried > 0);
  CHECK(closed.search->getTrack() == nullptr);
  CHECK_FALSE(closed.search->getGhost()->isShown());
  closed.search->cancel();  // nothing is left to cancel
  CHECK_FALSE(closed.search->update());
}

TEST_CASE("a search that is released while it runs ends, and calls nothing afterwards") {
  if (!hasTreeSearch()) return;
  Case closed(true);
  std::atomic<int> seen = 0;
  RemovalOptions options = endless();
  options.watch = [&](const RemovalSight&) { ++seen; };
  closed.search->setOptions(options);
  REQUIRE(closed.search->start());
  const osg::ref_ptr<osg::Callback> callback = closed.search->getUpdateCallback();
  closed.above->addUpdateCallback(callback);
  const osg::ref_ptr<PartGhost> ghost = closed.search->getGhost();
  closed.above->addChild(ghost);
  while (seen == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  closed.search = nullptr;
  const int after = seen;
  osgUtil::UpdateVisitor visitor;
  closed.above->accept(visitor);  // the callback outlives the search
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(seen == after);
  CHECK(closed.ends == 0);
}

TEST_CASE("the callback may begin the next search, or release the last reference") {
  Case open(false);
  int searches = 0;
  WayOutSearch* const search = open.search;
  search->setFinished([&](const WayOutSearch&) {
    if (++searches == 1) search->start();
  });
  REQUIRE(search->start());
  REQUIRE(search->finish());
  CHECK(search->isSearching());
  CHECK(search->getReport() == nullptr);
  REQUIRE(search->finish());
  CHECK(searches == 2);
  CHECK(search->getTrack() != nullptr);
  osg::observer_ptr<WayOutSearch> observed(search);
  search->setFinished([&](const WayOutSearch&) { open.search = nullptr; });
  REQUIRE(search->start());
  REQUIRE(search->finish());
  CHECK_FALSE(observed.valid());
}

TEST_CASE("a second start replaces the search that runs") {
  if (!hasTreeSearch()) return;
  Case closed(true);
  closed.search->setOptions(endless());
  REQUIRE(closed.search->start());
  RemovalOptions quick;
  quick.maxPieces = 1;
  closed.search->setOptions(quick);
  REQUIRE(closed.search->start());
  REQUIRE(closed.search->finish());
  CHECK(closed.ends == 1);
  CHECK(closed.search->getReport()->answer == RemovalAnswer::notFound);
  CHECK(closed.search->getReport()->status == ReportStatus::complete);
}

TEST_CASE("nodes that the traversal mask hides are no obstacles, and the track still fits the scene") {
  Case closed(true);
  closed.part("lid")->setNodeMask(2);
  closed.search->setTraversalMask(1);
  REQUIRE(closed.search->start());
  REQUIRE(closed.search->finish());
  REQUIRE(closed.search->getTrack() != nullptr);
  CHECK(closed.search->getSceneAssembly().instances.size() == 6);
  const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*closed.graph, *closed.search->getTrack());
  player->setStep(player->getNumSteps() - 1);
  CHECK(worldBox(*closed.part("cube")).zMin() > 1);
}

TEST_CASE("a moved group of a plain scene is one entry of the track") {
  // Two boxes that hang below one transform, in a hole that is open above; no model has been built.
  osg::ref_ptr<osg::Group> scene = new osg::Group;
  osg::ref_ptr<osg::MatrixTransform> group = placed("group", Transform::translation({0, 0, 0.5}), nullptr);
  group->addChild(placed("a", Transform::translation({-1, 0, 0}), boxGeometry({0, 0, 0}, 1)));
  group->addChild(placed("b", Transform::translation({1, 0, 0}), boxGeometry({0, 0, 0}, 1)));
  scene->addChild(group);
  scene->addChild(placed("floor", Transform::translation({0, 0, -10.5}), boxGeometry({0, 0, 0}, 20)));
  for (const double side : {-12.0, 12.0}) {
    const std::string name = side < 0 ? "low" : "high";
    scene->addChild(placed(name + " x", Transform::translation({side, 0, 0}), boxGeometry({0, 0, 0}, 20)));
    scene->addChild(placed(name + " y", Transform::translation({0, side, 0}), boxGeometry({0, 0, 0}, 20)));
  }
  osg::ref_ptr<WayOutSearch> search = new WayOutSearch(scene, {group});
  REQUIRE(search->start());
  CHECK(search->getGhost()->getNumChildren() == 2);
  REQUIRE(search->finish());
  REQUIRE(search->getTrack() != nullptr);
  CHECK(search->getTrack()->moved == std::vector<std::string>{"group"});
  const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*scene, *search->getTrack());
  player->setStep(player->getNumSteps() - 1);
  CHECK(worldBox(*group).zMin() > 10);
  // Named twice, and with a node below it, it is still one.
  search = new WayOutSearch(scene, {group, group->getChild(0), group});
  REQUIRE(search->start());
  REQUIRE(search->finish());
  REQUIRE(search->getTrack() != nullptr);
  CHECK(search->getTrack()->moved == std::vector<std::string>{"group"});
}

TEST_CASE("parts of a group that were moved against each other are played as they are") {
  Assembly assembly("pair");
  const NodeId group = assembly.addNode("group", Transform::translation({0, 0, 1}));
  const PartId box = assembly.addPart(fitup::test::sixSidedBox(1, 1, 1));
  assembly.addNode("a", {}, group, box);
  assembly.addNode("b", Transform::translation({2, 0, 0}), group, box);
  assembly.addNode("floor", Transform::translation({0, 0, -1}), {},
                   assembly.addPart(fitup::test::sixSidedBox(20, 20, 2)));
  const osg::ref_ptr<osg::Group> scene = createScene(Scene(assembly));
  PartNode* const b = findPartNode(*scene, "group/b");
  b->setPlacement(Transform::translation({2, 0, 3}));
  osg::ref_ptr<WayOutSearch> search = new WayOutSearch(scene, {b->getParent(0)});
  REQUIRE(search->start());
  REQUIRE(search->finish());
  REQUIRE(search->getTrack() != nullptr);
  CHECK(search->getTrack()->moved == std::vector<std::string>{"group/a", "group/b"});
  const osg::ref_ptr<TrackPlayer> player = new TrackPlayer(*scene, *search->getTrack());
  player->setStep(0);
  CHECK(b->getPlacement() == Transform::translation({2, 0, 3}));
  player->setStep(player->getNumSteps() - 1);
  const osg::BoundingBox floor = worldBox(*findPartNode(*scene, "floor"));
  CHECK_FALSE(worldBox(*b).intersects(floor));
  CHECK_FALSE(worldBox(*findPartNode(*scene, "group/a")).intersects(floor));
}

TEST_CASE("a search among poses passes guide points") {
  if (!hasTreeSearch()) return;
  Case open(false);
  RemovalOptions options;
  options.search = treeSearch();
  options.guides = {{{}, {0, 0, 5}}, {{}, {0, 6, 5}}};
  open.search->setOptions(options);
  REQUIRE(open.search->start());
  REQUIRE(open.search->finish());
  REQUIRE(open.search->getTrack() != nullptr);
  const Track& track = *open.search->getTrack();
  std::size_t from = 0;
  for (const RigidMotion& guide : options.guides) {
    const auto at = std::find_if(track.steps.begin() + static_cast<std::ptrdiff_t>(from), track.steps.end(),
                                 [&](const auto& step) {
                                   return norm(step[0].translation - guide.translation) < 1e-9 &&
                                          degreesBetween(step[0].rotation, guide.rotation) < 1e-6;
                                 });
    REQUIRE(at != track.steps.end());
    from = static_cast<std::size_t>(at - track.steps.begin());
  }
}

TEST_CASE("errors of a search are reported, not thrown into the viewer") {
  Case open(false);
  // On the thread: guide points need a search.
  RemovalOptions options;
  options.guides = {{{}, {0, 0, 5}}};
  open.search->setOptions(options);
  REQUIRE(open.search->start());
  REQUIRE(open.search->finish());
  CHECK(open.ends == 1);
  CHECK(open.search->getReport() == nullptr);
  CHECK(open.search->getTrack() == nullptr);
  CHECK_FALSE(open.search->getError().empty());
  // What the watcher throws, too.
  options.guides.clear();
  options.watch = [](const RemovalSight&) { throw std::runtime_error("the watcher fell asleep"); };
  open.search->setOptions(options);
  REQUIRE(open.search->start());
  CHECK(open.search->getError().empty());
  REQUIRE(open.search->finish());
  CHECK(open.search->getError() == "the watcher fell asleep");
  // At the start: a node that has no parts, and one that is gone.
  open.search->setOptions({});
  osg::ref_ptr<osg::MatrixTransform> bare = placed("bare", {}, nullptr);
  open.graph->addChild(bare);
  osg::ref_ptr<WayOutSearch> search = new WayOutSearch(open.graph, {bare});
  CHECK_FALSE(search->start());
  CHECK_THAT(search->getError(), Catch::Contains("node 'bare': has no parts"));
  CHECK_FALSE(search->isSearching());
  open.graph->removeChild(bare);
  bare = nullptr;
  CHECK_FALSE(search->start());
  CHECK_THAT(search->getError(), Catch::Contains("a moved node: is gone"));
  open.search = nullptr;  // its last scene has references to the nodes
  open.above->removeChild(open.graph);
  open.graph = nullptr;
  CHECK_FALSE(search->start());
  CHECK_THAT(search->getError(), Catch::Contains("root: is gone"));
  CHECK_FALSE(search->getGhost()->isShown());
  CHECK_THROWS_WITH(new WayOutSearch(bare, {}), Catch::Contains("moved: there are none"));
  osg::ref_ptr<osg::Group> group = new osg::Group;
  CHECK_THROWS_WITH(new WayOutSearch(group, {group}), Catch::Contains("cannot be moved"));
}

}  // namespace way_out_search_tests
