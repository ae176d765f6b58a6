// Tests that null nodes, paths and models passed to the node kit are errors that name the argument, or have
// the meaning in the headers, and never end the program. It calls every public function that takes a pointer,
// a path of nodes, or a structure that holds some.
#include <catch2/catch.hpp>

#include <osg/Geode>

#include <fitup/base/error.h>
#include <osgFitup/build_on_load.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/part_dragger.h>
#include <osgFitup/refit_parts.h>
#include <osgFitup/track_player.h>
#include <osgFitup/way_out_search.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace null_arguments_tests {

using namespace osgFitup;
using fitup::InputError;
using fitup::NodeId;
using fitup::SurfaceId;
using fitup::TriangleId;

namespace {

osg::ref_ptr<osg::Group> twoBoxes() {
  fitup::Assembly assembly("two");
  const fitup::PartId part = assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1));
  assembly.addNode("a", {}, {}, part);
  assembly.addNode("b", fitup::Transform::translation({0.5, 0, 0}), {}, part);
  return createScene(fitup::Scene(assembly));
}

/// Checks that what `call` throws names the function and the argument.
template <typename Call>
void checkNamed(const std::string& function, const std::string& argument, Call call) {
  CAPTURE(function, argument);
  try {
    call();
    FAIL_CHECK("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find(function + ": " + argument) == 0);
  }
}

}  // namespace

TEST_CASE("null nodes and empty functions are errors that name function and argument") {
  const osg::ref_ptr<osg::Group> scene = twoBoxes();
  PartNode& part = *partNodesBelow(*scene).front();
  osg::Node* const null = nullptr;

  checkNamed("InterferenceMonitor", "root", [&] { (void)new InterferenceMonitor(nullptr); });
  const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  checkNamed("InterferenceMonitor::addCallback", "callback", [&] { monitor->addCallback({}); });

  checkNamed("PartDragger", "root", [&] { (void)new PartDragger(nullptr, nullptr, {&part}); });
  checkNamed("PartDragger", "dragged", [&] { (void)new PartDragger(nullptr, scene, {&part, null}); });
  checkNamed("WayOutSearch", "root", [&] { (void)new WayOutSearch(nullptr, {&part}); });
  checkNamed("WayOutSearch", "moved", [&] { (void)new WayOutSearch(scene, {&part, null}); });
  DragMove move;
  move.nodes.emplace_back();
  checkNamed("DragMove::undo", "node", [&] { move.undo(); });
  checkNamed("DragMove::redo", "node", [&] { move.redo(); });
  checkNamed("TrackRecorder", "moved", [&] { (void)new TrackRecorder(*scene, {&part, null}); });

  const osg::ref_ptr<Highlight> highlight = new Highlight;
  const std::vector<TriangleId> triangles{TriangleId{0}};
  const std::vector<fitup::LevelBox> boxes;
  for (const osg::NodePath& path :
       {osg::NodePath{null}, osg::NodePath{scene, null}, osg::NodePath{null, &part}}) {
    checkNamed("Highlight::showSurface", "toPart", [&] { highlight->showSurface(path, SurfaceId{0}); });
    checkNamed("Highlight::showTriangles", "toPart", [&] { highlight->showTriangles(path, triangles); });
    checkNamed("Highlight::showBoxes", "toPart", [&] { highlight->showBoxes(path, boxes); });
    checkNamed("Highlight::showBoxes", "toPart",
               [&] { highlight->showBoxes(path, fitup::HierarchyKind::wide, 0); });
    checkNamed("PartModel::surfaceAt", "fromPartToDrawable",
               [&] { (void)part.getPartModel()->surfaceAt(path); });
    checkNamed("PartModel::surfaceAt", "fromPartToDrawable",
               [&] { (void)part.getPartModel()->surfaceAt(path, 0); });
  }
  CHECK_THROWS_AS(highlight->showSurface({}, SurfaceId{0}), InputError);
  CHECK(highlight->getNumShown() == 0);

  // Public structures with default values.
  const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  scene->accept(*visitor);
  REQUIRE(visitor->containsInterferences());
  const auto damaged = [&](auto change) {
    SceneAssembly copy = visitor->getSceneAssembly();
    change(copy.instances.front());
    return copy;
  };
  for (const SceneAssembly& bad : {damaged([](SceneInstance& instance) { instance.path.clear(); }),
                                   damaged([](SceneInstance& instance) { instance.path.back() = nullptr; }),
                                   damaged([](SceneInstance& instance) { instance.part = nullptr; })}) {
    checkNamed("Highlight::showInterference", "scene",
               [&] { highlight->showInterference(bad, visitor->getReport()); });
    checkNamed("Highlight::showRegions", "scene", [&] { highlight->showRegions(bad, visitor->getReport()); });
    checkNamed("refitParts", "scene", [&] { refitParts(bad); });
  }
  const Interference nobodys;
  checkNamed("Interference::Side", "where", [&] { (void)nobodys.sides[0].getNodePath(); });
  checkNamed("Interference::Side", "where", [&] { (void)nobodys.sides[1].getDrawable(); });
  checkNamed("Interference::Side", "where", [&] { (void)nobodys.sides[1].getMatrix(); });
  checkNamed("Interference::Side", "where", [&] { (void)nobodys.getLocalIntersectPoint(0, 0); });

  const osg::ref_ptr<PartModel> empty = new PartModel;
  checkNamed("PartModel::primitiveIndexOf", "collision model",
             [&] { (void)empty->primitiveIndexOf(TriangleId{0}); });
  CHECK_THROWS_AS(new PartModel(nullptr, {}, PrimitiveNumbering::consecutive), InputError);
  CHECK_THROWS_AS(empty->fill(nullptr, {}, PrimitiveNumbering::consecutive, {}), InputError);
  CHECK_THROWS_AS(createScene(fitup::Scene(visitor->getSceneAssembly().assembly(), {nullptr})), InputError);
}

TEST_CASE("where null means none, it does") {
  const osg::ref_ptr<osg::Group> scene = twoBoxes();
  PartNode& part = *partNodesBelow(*scene).front();
  const osg::ref_ptr<PartModel> model = part.getPartModel();
  // A set with only null nodes counts as no set.
  const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
  visitor->addFirst(nullptr);
  visitor->addSecond(nullptr);
  scene->accept(*visitor);
  CHECK(visitor->getReport().pairs.size() == 1);
  const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(scene);
  monitor->addFirst(nullptr);
  monitor->addSecond(nullptr);
  CHECK(monitor->update());
  CHECK(monitor->getReport().pairs.size() == 1);
  CHECK(createAssembly(*scene, nullptr).instances.size() == 2);
  const osg::ref_ptr<PartDragger> drag = new PartDragger(nullptr, scene, {&part});
  drag->setMonitor(nullptr);
  drag->setRecorder(nullptr);
  drag->setFinished({});
  const osg::ref_ptr<BuildOnLoad> reader = new BuildOnLoad({}, nullptr);
  CHECK_FALSE(reader->readNode("absent.osgt", nullptr).validNode());
  CHECK(refitParts(createAssembly(*scene), {}, {nullptr}).renewedParts == 0);

  // A part without a model.
  const osg::ref_ptr<PartNode> bare = new PartNode(nullptr, {});
  CHECK(bare->getCollisionModel() == nullptr);
  CHECK(bare->getSurfaceDrawable(SurfaceId{0}) == nullptr);
  CHECK_FALSE(needsRefit(*bare));
  const osg::ref_ptr<PartModel> empty = new PartModel;
  CHECK(empty->pathTo(*bare, SurfaceId{0}).empty());
  CHECK(empty->drawableOf(*bare, SurfaceId{0}) == nullptr);
  CHECK_FALSE(empty->surfaceAt({bare}).has_value());
  CHECK_FALSE(empty->surfaceAt({}, 0).has_value());
  CHECK(empty->trianglesOf(SurfaceId{0}, 0).count == 0);
  CHECK(vertexVersionsOf(*bare, *empty).empty());
  empty->setContents(nullptr);
  part.setPartModel(empty);
  CHECK(createAssembly(*scene).instances.size() == 1);
  setPartModel(part, nullptr);
  setPartModel(*scene, nullptr);
  CHECK(partModelOf(part) == nullptr);
  // Everything still works: the part is rebuilt.
  scene->accept(*visitor);
  CHECK(visitor->getReport().pairs.size() == 1);
}

TEST_CASE("drawables without vertices, and nodes without children, are no parts") {
  const osg::ref_ptr<osg::Group> scene = twoBoxes();
  const osg::ref_ptr<osg::Geode> geode = new osg::Geode;
  geode->addDrawable(new osg::Geometry);
  const osg::ref_ptr<osg::Geometry> bare = new osg::Geometry;
  bare->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
  bare->setVertexArray(nullptr);
  geode->addDrawable(bare);
  scene->addChild(geode);
  scene->addChild(new osg::MatrixTransform);
  CHECK(test::visit(*scene)->getParts().size() == 2);
  CHECK(versionOf(*bare) == VertexVersion{});
}

}  // namespace null_arguments_tests
