#include <osgFitup/collision_model_visitor.h>

#include <atomic>

#include <catch2/catch.hpp>
#include <osg/AutoTransform>
#include <osg/Billboard>
#include <osg/Camera>
#include <osg/Geode>
#include <osg/LOD>
#include <osg/Material>
#include <osg/PagedLOD>
#include <osg/Projection>
#include <osg/ProxyNode>
#include <osg/Sequence>
#include <osg/Switch>
#include <osgDB/ObjectWrapper>
#include <osgDB/ReadFile>
#include <osgDB/Registry>
#include <osgDB/WriteFile>
#include <osgText/Text3D>
#include <osgText/Text>

#include <osgFitup/build_on_load.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/scene_assembly.h>
#include <support/temporary_folder.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace collision_model_visitor_tests {

using namespace fitup;
using namespace osgFitup;
using namespace osgFitup::test;

namespace {

using Names = std::vector<std::string>;

bool warns(const CollisionModelVisitor& visitor, const std::string& element, const std::string& message,
           bool incomplete = true) {
  for (const ImportWarning& warning : visitor.getWarnings())
    if (warning.element == element && warning.message.find(message) != std::string::npos &&
        warning.incomplete == incomplete)
      return true;
  return false;
}

}  // namespace

TEST_CASE("double vertices far from the origin keep their digits (OSG#1214 crashed)") {
  osg::ref_ptr<osg::Vec3dArray> points = new osg::Vec3dArray;
  const osg::Vec3d far(4.5e6, -1.25e6, 3e5);
  points->push_back(far);
  points->push_back(far + osg::Vec3d(0.001, 0, 0));
  points->push_back(far + osg::Vec3d(0, 0.001, 0));
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(points);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
  visit(*geometry);
  const TriangleMesh& mesh = meshOf(*geometry);
  REQUIRE(mesh.triangleCount() == 1);
  CHECK(mesh.validation().degenerateTriangles == 0);
  CHECK(mesh.validation().largestRounding < 1e-9);
  for (std::uint32_t i = 0; i < 3; ++i)
    CHECK(norm(mesh.pointInPart(mesh.triangles()[0][i]) - toVec3((*points)[i])) < 2e-9);
}

TEST_CASE("what is active counts: masks, switches, the finest level of detail, pages as loaded") {
  osg::ref_ptr<osg::Switch> one = new osg::Switch;
  one->addChild(boxGeometry({}, 1), false);
  one->addChild(boxGeometry({}, 2), true);
  osg::ref_ptr<osg::LOD> lod = new osg::LOD;
  lod->addChild(boxGeometry({}, 3), 100, 1000);
  lod->addChild(boxGeometry({}, 4), 0, 100);
  osg::ref_ptr<osg::PagedLOD> paged = new osg::PagedLOD;
  paged->addChild(boxGeometry({}, 5), 100, 1000);
  paged->setFileName(1, "never.loaded");
  paged->setRange(1, 0, 100);
  osg::ref_ptr<osg::Group> hidden = new osg::Group;
  hidden->setNodeMask(2);
  hidden->addChild(boxGeometry({}, 6));
  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (osg::Node* node : std::initializer_list<osg::Node*>{one, lod, paged, hidden}) root->addChild(node);
  osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
  visitor->setTraversalMask(1);
  root->accept(*visitor);
  REQUIRE(visitor->getParts().size() == 3);
  CHECK(meshOf(*one).boundsInPart().max.x == 1);
  CHECK(meshOf(*lod).boundsInPart().max.x == 2);
  CHECK(meshOf(*paged).boundsInPart().max.x == 2.5);
  CHECK(partModelOf(*hidden) == nullptr);
  CHECK(visit(*root)->getParts().size() == 4);
  paged->setName("paged");
  const auto whole = visit(*root);
  CHECK(whole->getWarnings().size() == 1);
  CHECK(warns(*whole, "Group/paged", "the finest level of detail is not loaded: never.loaded", true));

  lod->setName("far only");
  lod->setRange(1, 50, 100);
  const auto without = visit(*root);
  CHECK(without->getWarnings().size() == 2);
  CHECK(warns(*without, "Group/far only", "no level of detail", true));
}

TEST_CASE("what follows the view or cannot be placed is left out and named") {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->setName("root");
  const auto named = [&](osg::Group* node, const std::string& name) {
    node->setName(name);
    node->addChild(boxGeometry({}, 1));
    root->addChild(node);
    return node;
  };
  named(new osg::AutoTransform, "auto");
  named(new osg::Camera, "camera");
  auto* absolute = new osg::MatrixTransform;
  named(absolute, "absolute");
  absolute->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  named(new osg::MatrixTransform(osg::Matrixd::scale(1, 0, 1)), "flat");
  named(new osg::MatrixTransform(osg::Matrixd::perspective(40, 1, 1, 10)), "perspective");
  named(new osg::MatrixTransform(osg::Matrixd::translate(NAN, 0, 0)), "nan");
  named(new osg::Billboard, "billboard");
  named(new osg::MatrixTransform, "good");
  osg::ref_ptr<osgText::Text> text = new osgText::Text;
  text->setName("label");
  root->addChild(text);
  const auto visitor = visit(*root);
  CHECK(namesOfParts(*visitor) == Names{"good"});
  for (const auto& [name, message] :
       {std::pair("auto", "follows the view"), std::pair("camera", "camera"),
        std::pair("absolute", "does not follow"), std::pair("flat", "singular"),
        std::pair("perspective", "projective"), std::pair("nan", "finite"),
        std::pair("billboard", "turns with the view"), std::pair("label", "text")}) {
    INFO(name);
    const std::string text = name;
    CHECK(warns(*visitor, "root/" + text, message, text != "label"));
  }
  CHECK(visitor->getWarnings().size() == 8);
}

TEST_CASE("what follows the view and draws nothing with an area is no part that is missing") {
  const osg::ref_ptr<osg::Geometry> line = new osg::Geometry;
  const osg::ref_ptr<osg::Vec3Array> ends = new osg::Vec3Array(2);
  line->setVertexArray(ends);
  line->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 2));
  const osg::ref_ptr<osgText::Text> text = new osgText::Text;
  const osg::ref_ptr<osg::Switch> off = new osg::Switch;
  off->addChild(boxGeometry({}, 1), false);
  const osg::ref_ptr<osg::Group> root = new osg::Group, hidden = new osg::Group;
  root->addChild(placed("good", {}, boxGeometry({}, 1)));
  hidden->setNodeMask(2);
  hidden->addChild(boxGeometry({}, 1));
  std::vector<osg::ref_ptr<osg::Group>> views{new osg::AutoTransform, new osg::Camera, new osg::Projection,
                                              new osg::Billboard};
  for (const auto& view : views) {
    view->setName(view->className());
    for (osg::Node* node : std::initializer_list<osg::Node*>{line, text, off, hidden}) view->addChild(node);
    root->addChild(view);
  }
  const auto visited = [&] {
    osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
    visitor->setTraversalMask(1);
    root->accept(*visitor);
    return visitor;
  };
  const auto without = visited();
  for (const auto& view : views) CHECK(warns(*without, "Group/" + view->getName(), "left out", false));
  off->setValue(0, true);
  const auto with = visited();
  for (const auto& view : views) CHECK(warns(*with, "Group/" + view->getName(), "left out", true));
}

TEST_CASE("triangles that are drawn later, elsewhere or more than once are reported as missing") {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("good", {}, boxGeometry({}, 1)));
  const auto under = [&](osg::Node* node, const std::string& name) {
    node->setName(name);
    root->addChild(node);
  };
  const osg::ref_ptr<osg::Sequence> waiting = new osg::Sequence, begun = new osg::Sequence;
  for (const auto& sequence : {waiting, begun}) sequence->addChild(boxGeometry({}, 2), 1);
  begun->setValue(0);
  under(waiting, "waiting");
  under(begun, "begun");
  const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
  proxy->setFileName(0, "part.osgb");
  under(proxy, "proxy");
  const osg::ref_ptr<osg::Geometry> copies = boxGeometry({}, 3);
  copies->getPrimitiveSet(0)->setNumInstances(5);
  under(copies, "copies");
  const osg::ref_ptr<osgText::Text3D> solid = new osgText::Text3D;
  solid->setText("letters");
  under(solid, "solid");
  osgDB::ObjectWrapper* rig =
      osgFitup::test::osgDbOfThisBuild().getObjectWrapperManager()->findWrapper("osgAnimation::RigGeometry");
  REQUIRE(rig != nullptr);
  const osg::ref_ptr<osg::Object> deformed = rig->createInstance();
  under(deformed->asNode(), "deformed");
  const auto visitor = visit(*root);
  for (const auto& [name, message] : {std::pair("waiting", "a sequence that has not started"),
                                      std::pair("proxy", "is not loaded: part.osgb"),
                                      std::pair("copies", "5 copies are placed by a shader"),
                                      std::pair("solid", "the font of this solid text"),
                                      std::pair("deformed", "an animation that has not started")}) {
    INFO(name);
    CHECK(warns(*visitor, std::string("Group/") + name, message, true));
  }
  CHECK(visitor->getWarnings().size() == 5);
  proxy->addChild(boxGeometry({}, 1));
  waiting->setValue(0);
  CHECK(visit(*root)->getWarnings().size() == 3);
}

TEST_CASE("damaged geometry is left out primitive by primitive and named, lines are only counted") {
  const auto box = boxGeometry({}, 1);
  box->setName("box");
  auto& points = dynamic_cast<osg::Vec3Array&>(*box->getVertexArray());
  points[0].x() = NAN;
  osg::ref_ptr<osg::DrawElementsUShort> beyond = new osg::DrawElementsUShort(GL_TRIANGLES);
  for (const GLushort i : {5, 6, 60000}) beyond->push_back(i);
  box->addPrimitiveSet(beyond);
  box->addPrimitiveSet(new osg::DrawArrays(GL_LINES, 0, 6));
  osg::ref_ptr<osg::Geometry> bytes = new osg::Geometry;
  bytes->setName("bytes");
  bytes->setVertexArray(new osg::Vec3bArray(3));
  bytes->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
  osg::ref_ptr<osg::Drawable> opaque = new osg::Drawable;
  opaque->setName("opaque");
  const auto part = placed("part", {}, box);
  part->addChild(bytes);
  osg::ref_ptr<osg::Geometry> attribute = new osg::Geometry;
  attribute->setName("attribute");
  attribute->setVertexAttribArray(0, bytes->getVertexArray());
  attribute->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
  part->addChild(attribute);
  part->addChild(opaque);
  part->addChild(placed("huge", Transform::scaling(1e30, 1e30, 1e30), boxGeometry({}, 1e6F)));
  const auto visitor = visit(*part);
  // A named transform is a part of its own, whose points are in its own frame.
  CHECK(namesOfParts(*visitor) == Names{"part", "huge"});
  CHECK(meshOf(*part).triangleCount() == 11);
  CHECK(visitor->getPointsAndLines() == 3);
  CHECK(warns(*visitor, "part/box", "1 primitive left out: vertices that do not exist"));
  CHECK(warns(*visitor, "part/box", "1 primitive left out: vertices that are not finite"));
  CHECK(warns(*visitor, "part/bytes", "neither floats nor doubles"));
  CHECK(warns(*visitor, "part/attribute", "neither floats nor doubles"));
  CHECK(warns(*visitor, "part/opaque", "does not report its triangles"));
  // What a model lacks is reported whenever it is used.
  const auto again = visit(*part);
  CHECK(again->getBuiltModels() == 0);
  CHECK(again->getWarnings() == visitor->getWarnings());
  CHECK(createAssembly(*part).warnings == visitor->getWarnings());

  osg::ref_ptr<osg::MatrixTransform> unnamed =
      new osg::MatrixTransform(osg::Matrixd::scale(1e30, 1e30, 1e30));
  unnamed->addChild(boxGeometry({}, 1e6F));
  const auto tooLarge = placed("too large", {}, unnamed);
  const auto none = visit(*tooLarge);
  CHECK(none->getParts().empty());
  REQUIRE(none->getWarnings().size() == 1);
  CHECK(none->getWarnings()[0].message ==
        "12 primitives left out: vertices that are not finite, or above 2^100");
}

TEST_CASE("models are kept unless asked otherwise, part nodes keep theirs, user data stay") {
  const auto part = placed("part", {}, boxGeometry({}, 1));
  part->setUserValue("mine", 7);
  visit(*part);
  const osg::ref_ptr<PartModel> first = partModelOf(*part);
  CHECK(visit(*part)->getBuiltModels() == 0);
  CHECK(partModelOf(*part) == first);
  osg::ref_ptr<CollisionModelVisitor> again = new CollisionModelVisitor;
  again->setRebuild(true);
  BuildOptions more;
  more.add(HierarchyKind::scd);
  again->setBuildOptions(more);
  part->accept(*again);
  CHECK(partModelOf(*part) != first);
  CHECK_FALSE(first->getCollisionModel()->has(HierarchyKind::scd));
  CHECK(partModelOf(*part)->getCollisionModel()->has(HierarchyKind::scd));
  int mine = 0;
  CHECK((part->getUserValue("mine", mine) && mine == 7));

  // A shallow copy shares the container of user data.
  const osg::ref_ptr<osg::MatrixTransform> copy = new osg::MatrixTransform(*part);
  REQUIRE(copy->getUserDataContainer() == part->getUserDataContainer());
  const osg::ref_ptr<PartModel> kept = partModelOf(*part);
  copy->setChild(0, boxGeometry({}, 5));
  copy->accept(*again);
  CHECK(meshOf(*copy).boundsInPart().max.x == 2.5);
  CHECK(partModelOf(*part) == kept);
  CHECK((copy->getUserValue("mine", mine) && mine == 7));

  Assembly assembly("one");
  assembly.addNode("box", {}, {}, assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 1)));
  const auto root = createScene(fitup::Scene(assembly));
  CHECK(visit(*root)->getBuiltModels() == 0);
  CHECK(visit(*root)->getParts().size() == 1);
  PartNode* node = partNodesBelow(*root).at(0);
  const auto model = node->getCollisionModel();
  node->setPartModel(nullptr);
  CHECK(visit(*root)->getBuiltModels() == 1);
  CHECK(node->getCollisionModel()->mesh().surfaces().size() == 6);
  CHECK(node->getCollisionModel()->mesh().boundsInPart().max == model->mesh().boundsInPart().max);
}

TEST_CASE(
    "models are the same on any number of threads, progress is reported, a cancelled build leaves no node "
    "with one") {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  for (int i = 0; i < 20; ++i)
    root->addChild(placed("part " + std::to_string(i), {}, boxGeometry({}, 1.0F + static_cast<float>(i))));
  std::atomic<int> reported{0};
  std::vector<std::uint64_t> hashes;
  for (const unsigned threads : {1U, 4U}) {
    osg::ref_ptr<CollisionModelVisitor> visitor = new CollisionModelVisitor;
    visitor->setThreads(threads);
    visitor->setRebuild(true);
    visitor->setProgress(Progress({}, [&](std::string_view, double) { ++reported; }));
    root->accept(*visitor);
    for (unsigned i = 0; i < 20; ++i) hashes.push_back(meshOf(*root->getChild(i)).contentHash());
  }
  CHECK(reported == 40);
  CHECK(std::equal(hashes.begin(), hashes.begin() + 20, hashes.begin() + 20));
  std::stop_source stop;
  osg::ref_ptr<osg::Group> fresh = new osg::Group;
  fresh->addChild(placed("one", {}, boxGeometry({}, 1)));
  fresh->addChild(placed("two", {}, boxGeometry({}, 2)));
  osg::ref_ptr<CollisionModelVisitor> cancelled = new CollisionModelVisitor;
  cancelled->setThreads(1);
  cancelled->setProgress(Progress(stop.get_token(), [&](std::string_view, double) { stop.request_stop(); }));
  fresh->accept(*cancelled);
  CHECK(cancelled->isCancelled());
  CHECK(cancelled->getParts().empty());
  CHECK(partModelOf(*fresh->getChild(0)) == nullptr);
}

TEST_CASE("colours and names of surfaces and instances come from materials, colour arrays and holders") {
  const auto coloured = [](osg::Node& node, const osg::Vec4& colour) {
    osg::ref_ptr<osg::Material> material = new osg::Material;
    material->setDiffuse(osg::Material::FRONT_AND_BACK, colour);
    node.getOrCreateStateSet()->setAttribute(material);
  };
  const auto red = boxGeometry({}, 1), blue = boxGeometry({}, 2), plain = boxGeometry({}, 3);
  coloured(*red, {1, 0, 0, 1});
  red->setName("red");
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(1);
  (*colours)[0] = {0, 0, 1, 1};
  blue->setColorArray(colours, osg::Array::BIND_OVERALL);
  osg::ref_ptr<osg::Geode> holder = new osg::Geode;
  holder->setName("holder");
  holder->addChild(blue);
  const auto part = placed("part", {}, red);
  part->addChild(holder);
  const auto green = placed("green", {}, plain);
  coloured(*green, {0, 1, 0, 1});
  osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(part);
  root->addChild(green);
  visit(*root);
  const auto surfaces = meshOf(*part).surfaces();
  REQUIRE(surfaces.size() == 2);
  CHECK(surfaces[0].name == "red");
  CHECK(surfaces[0].colour == Colour{1, 0, 0, 1});
  CHECK(surfaces[1].name == "holder");
  CHECK(surfaces[1].colour == Colour{0, 0, 1, 1});
  const SceneAssembly scene = createAssembly(*root);
  CHECK(scene.assembly().node(scene.instances[0].node).colour == std::nullopt);
  CHECK(scene.assembly().node(scene.instances[1].node).colour == Colour{0, 1, 0, 1});
}

TEST_CASE("models are built on load, through the callback that was there") {
  struct Counting : osgDB::ReadFileCallback {
    osgDB::ReaderWriter::ReadResult readNode(const std::string& file,
                                             const osgDB::Options* options) override {
      ++calls;
      return osgDB::ReadFileCallback::readNode(file, options);
    }
    int calls = 0;
  };
  const fitup::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "box.osgt").string();
  REQUIRE(osgDB::writeNodeFile(*placed("part", {}, boxGeometry({}, 1)), file));
  osg::ref_ptr<Counting> counting = new Counting;
  osgDB::Registry::instance()->setReadFileCallback(new BuildOnLoad({}, counting));
  const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(file);
  osgDB::Registry::instance()->setReadFileCallback(nullptr);
  REQUIRE(read);
  CHECK(counting->calls == 1);
  REQUIRE(partModelOf(*read) != nullptr);
  CHECK(meshOf(*read).triangleCount() == 12);
  CHECK(osgDB::readRefNodeFile(file)->getUserDataContainer() == nullptr);
}

}  // namespace collision_model_visitor_tests
