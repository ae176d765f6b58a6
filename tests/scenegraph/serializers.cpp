// Tests scenes with parts that osgDB writes and reads.
#include <catch2/catch.hpp>
#include <osg/ValueObject>
#include <osgDB/ReadFile>
#include <osgDB/Registry>
#include <osgDB/WriteFile>

#include <models/process_plant.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <osgFitup/scene_assembly.h>
#include <support/report_checks.h>
#include <support/temporary_folder.h>
#include <support/tiny_meshes.h>

#include "scene_checks.h"

namespace serializers_tests {

using namespace osgFitup;
using fitup::test::readText;
using fitup::test::TemporaryFolder;
using fitup::test::writeText;
using osgFitup::test::osgDbOfThisBuild;

namespace {

osg::ref_ptr<osg::Node> writtenAndRead(const osg::Node& scene, const std::filesystem::path& file) {
  auto written = osgDbOfThisBuild().writeNode(scene, file.string(), nullptr);
  INFO(written.message());
  REQUIRE(written.success());
  auto read = osgDbOfThisBuild().readNode(file.string(), nullptr);
  INFO(read.message());
  REQUIRE(read.validNode());
  return read.getNode();
}

std::string messageOfReading(const std::filesystem::path& file) {
  auto read = osgDbOfThisBuild().readNode(file.string(), nullptr);
  REQUIRE_FALSE(read.validNode());
  return read.message();
}

double largestDifference(const fitup::Transform& a, const fitup::Transform& b) {
  double largest = 0;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 3; ++column)
      largest = std::max(largest, std::abs(a.m[row][column] - b.m[row][column]));
  for (int i = 0; i < 3; ++i) largest = std::max(largest, std::abs(a.t[i] - b.t[i]));
  return largest;
}

osg::ref_ptr<osg::Group> makePlant() {
  osg::ref_ptr<osg::Group> plant = createScene(fitup::Scene(fitup::models::makeProcessPlant()));
  PartNode* spool = findPartNode(*plant, fitup::models::spoolPath);
  // Moved away from its design placement, by numbers with long decimals.
  spool->setPlacement(spool->getPlacement() * fitup::Transform::rotation(fitup::Vec3{0, 0, 1}, 0.1) *
                      fitup::Transform::translation({1.0 / 3, 100.0 / 7, 0}));
  return plant;
}

}  // namespace

TEST_CASE("a plant comes back from .osgb bit by bit, of .osgt and .osgx models and placements do") {
  const TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> plant = makePlant();
  const SceneAssembly before = createAssembly(*plant);
  const std::vector<PartNode*> nodes = partNodesBelow(*plant);
  const fitup::InterferenceReport report = checkAllPairs(before.scene);
  REQUIRE(report.intersects());
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    INFO(extension);
    const bool isExact = extension == "osgb";
    const osg::ref_ptr<osg::Node> again = writtenAndRead(*plant, folder / ("plant." + extension));
    const SceneAssembly after = createAssembly(*again);
    if (isExact) CHECK(after.assembly().contentHash() == before.assembly().contentHash());
    CHECK(after.assembly().unit() == before.assembly().unit());
    const std::vector<PartNode*> nodesAgain = partNodesBelow(*again);
    REQUIRE(nodesAgain.size() == nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      PartNode &was = *nodes[i], &is = *nodesAgain[i];
      INFO(was.getInstancePath());
      CHECK(is.getInstancePath() == was.getInstancePath());
      CHECK(is.getDataVariance() == osg::Object::DYNAMIC);
      CHECK(largestDifference(is.getPlacement(), was.getPlacement()) <= 0);
      CHECK(largestDifference(is.getDesignPlacement(), was.getDesignPlacement()) <= 0);
      // Meshes and hierarchies are the same in each of the formats.
      const auto bytesOf = [](const PartNode& node) {
        fitup::Model model;
        model.assembly.addPart(node.getCollisionModel()->sharedMesh());
        model.collisionModels.push_back(node.getCollisionModel());
        return fitup::modelFileBytes(model);
      };
      CHECK(bytesOf(is) == bytesOf(was));
      CHECK(is.getPartModel()->getPrimitiveNumbering() == was.getPartModel()->getPrimitiveNumbering());
      CHECK(is.getPartModel()->getSurfacePaths() == was.getPartModel()->getSurfacePaths());
      for (std::uint32_t s = 0; s < was.getCollisionModel()->mesh().surfaces().size(); ++s) {
        auto* surface = dynamic_cast<SurfaceGeometry*>(is.getSurfaceDrawable(fitup::SurfaceId{s}));
        REQUIRE(surface);
        CHECK(surface->getSurface() == fitup::SurfaceId{s});
        CHECK(surface->getUserData() != nullptr);
      }
    }
    if (isExact)
      CHECK(osgFitup::test::differenceByPath(before.assembly(), report, after.assembly(),
                                             checkAllPairs(after.scene)) == "");
  }
}

TEST_CASE("copies of a scene that was read from a file are no parts that are out of date") {
  const TemporaryFolder folder;
  fitup::Assembly assembly("three");
  // With numbers that a text file rounds.
  const fitup::PartId part = assembly.addPart(fitup::test::sixSidedBox(1.0 / 3, 1 / 0.7, 1 / 0.9, 2));
  for (int i = 0; i < 3; ++i)
    assembly.addNode("box" + std::to_string(i), fitup::Transform::translation({0.2 * i, 0, 0}), {}, part);
  const bool isReadAskedFirst = GENERATE(false, true);
  for (const std::string extension : {"osgb", "osgt"}) {
    INFO(extension);
    const auto read = writtenAndRead(*createScene(fitup::Scene(assembly)), folder / ("three." + extension));
    osg::ref_ptr<osg::Node> copy = osg::clone(read.get(), osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
    const auto warningsOf = [](osg::Node& node) {
      const osg::ref_ptr<InterferenceVisitor> visitor = new InterferenceVisitor;
      node.accept(*visitor);
      CHECK(visitor->getReport().pairs.size() == 2);
      return visitor->getWarnings();
    };
    if (isReadAskedFirst) CHECK(warningsOf(*read).empty());
    CHECK(warningsOf(*copy).empty());
    CHECK(warningsOf(*read).empty());
    CHECK(warningsOf(*copy).empty());
    const osg::ref_ptr<osg::Node> again = osg::clone(copy.get(), osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
    CHECK(warningsOf(*again).empty());
    // A copy of an edited part is saved.
    PartNode& box = *findPartNode(dynamic_cast<osg::Group&>(*copy), "box1");
    auto& vertices =
        dynamic_cast<osg::Vec3Array&>(*box.getSurfaceDrawable({})->asGeometry()->getVertexArray());
    vertices[0].x() += 0.25F;
    vertices.dirty();
    const osg::ref_ptr<osg::Node> edited = osg::clone(copy.get(), osg::CopyOp(osg::CopyOp::DEEP_COPY_ALL));
    CHECK(warningsOf(*edited).size() == 1);
  }
}

TEST_CASE("models of other nodes and what they share come back") {
  const TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geometry> box = osgFitup::test::boxGeometry({}, 2);
  root->addChild(osgFitup::test::placed("a", {}, box));
  root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({0.3, 1.1, 0}), box));
  osgFitup::test::visit(*root, true);
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    INFO(extension);
    const osg::ref_ptr<osg::Node> again = writtenAndRead(*root, folder / ("boxes." + extension));
    const auto visitor = osgFitup::test::visit(*again);
    CHECK(visitor->getBuiltModels() == 0);
    const auto& parts = visitor->getParts();
    REQUIRE(parts.size() == 2);
    REQUIRE(partModelOf(*parts[0]));
    CHECK(partModelOf(*parts[0]) == partModelOf(*parts[1]));
    const osg::ref_ptr<InterferenceVisitor> asked = new InterferenceVisitor;
    again->accept(*asked);
    CHECK(osgFitup::test::problemOfHits(*asked, 1e-5) == "");
    CHECK(asked->containsInterferences());
  }
}

TEST_CASE("a scene that was asked is written as before, its models go into the file on request") {
  const TemporaryFolder folder;
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    INFO(extension);
    const auto bytesOf = [&](const osg::Node& scene, const std::string& name) {
      const std::filesystem::path file = folder / (name + "." + extension);
      REQUIRE(osgDbOfThisBuild().writeNode(scene, file.string(), nullptr).success());
      return readText(file);
    };
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    const osg::ref_ptr<osg::Geometry> box = osgFitup::test::boxGeometry({}, 2);
    root->addChild(osgFitup::test::placed("a", {}, box));
    root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({0.3, 1.1, 0}), box));
    const osg::ref_ptr<PartNode> bare = new PartNode(nullptr, fitup::Transform::translation({0, 0, 1}));
    bare->setName("c");
    bare->addChild(box);
    root->addChild(bare);
    root->getChild(0)->setUserValue("ours", 7);
    const std::string before = bytesOf(*root, "before");

    const osg::ref_ptr<InterferenceVisitor> asked = new InterferenceVisitor;
    root->accept(*asked);
    REQUIRE(asked->getReport().pairs.size() == 3);
    const osg::ref_ptr<InterferenceMonitor> monitor = new InterferenceMonitor(root);
    REQUIRE(monitor->update());
    const PartModel* const model = partModelOf(*root->getChild(1));
    REQUIRE(model != nullptr);
    CHECK(bytesOf(*root, "asked") == before);
    // Also after a refit, and for a part that was given another model.
    box->setDataVariance(osg::Object::DYNAMIC);
    box->getVertexArray()->dirty();
    root->accept(*asked);
    box->setDataVariance(osg::Object::UNSPECIFIED);
    CHECK(bytesOf(*root, "refitted") == before);

    const auto collision = partModelOf(*root->getChild(0))->getCollisionModel();
    osgFitup::test::visit(*root, true);
    CHECK(partModelOf(*root->getChild(0))->getCollisionModel() == collision);  // it was not rebuilt for this
    CHECK(bytesOf(*root, "saved").size() > before.size() + 1000);
    const osg::ref_ptr<osg::Node> again = writtenAndRead(*root, folder / ("again." + extension));
    const auto visitor = osgFitup::test::visit(*again);
    CHECK(visitor->getBuiltModels() == 0);
    CHECK(visitor->getParts().size() == 3);
    again->accept(*asked);
    CHECK(asked->getReport().pairs.size() == 3);
    // Models that came from a file are saved again.
    const osg::ref_ptr<osg::Node> third = writtenAndRead(*again, folder / ("third." + extension));
    CHECK(osgFitup::test::visit(*third)->getBuiltModels() == 0);
  }
}

TEST_CASE("a damaged scene file is refused or read, and never crashes") {
  const TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(osgFitup::test::placed("a", {}, osgFitup::test::boxGeometry({}, 2)));
  osgFitup::test::visit(*root, true);
  writtenAndRead(*root, folder / "box.osgb");
  const std::string text = readText(folder / "box.osgb");
  const std::size_t model = text.find("FITUPMDL");
  REQUIRE(model != std::string::npos);
  const osg::NotifySeverity level = osg::getNotifyLevel();
  osg::setNotifyLevel(osg::ALWAYS);

  std::string flipped = text;
  flipped[model + 200] = static_cast<char>(flipped[model + 200] ^ 0x10);
  writeText(folder / "flipped.osgb", flipped);
  CHECK_THAT(messageOfReading(folder / "flipped.osgb"), Catch::Contains("osgFitup::PartModel: model"));
  std::string longer = text;  // the model's length precedes it
  longer[model - 1] = '\x7f';
  writeText(folder / "longer.osgb", longer);
  CHECK_THAT(messageOfReading(folder / "longer.osgb"), Catch::Contains("osgFitup::PartModel"));
  writeText(folder / "cut.osgb", text.substr(0, model + 300));
  CHECK_THAT(messageOfReading(folder / "cut.osgb"), Catch::Contains("osgFitup::PartModel"));

  writtenAndRead(*root, folder / "box.osgt");
  std::string readable = readText(folder / "box.osgt");
  const std::size_t base64 = readable.find("Model \"RklUVVBN");
  REQUIRE(base64 != std::string::npos);
  readable[base64 + 40] = '?';
  writeText(folder / "letter.osgt", readable);
  CHECK_THAT(messageOfReading(folder / "letter.osgt"), Catch::Contains("the model is damaged"));

  fitup::Assembly assembly("one");
  assembly.addNode("box", {}, {}, assembly.addPart(fitup::test::sixSidedBox(1, 1, 1, 2)));
  writtenAndRead(*createScene(fitup::Scene(assembly)), folder / "part.osgt");
  const std::string part = readText(folder / "part.osgt"), placement = "DesignPlacement \"";
  const std::size_t number = part.find(placement);
  REQUIRE(number != std::string::npos);
  for (const std::string wrong : {"nan", "inf", "one"}) {
    writeText(folder / "number.osgt", std::string(part).replace(number + placement.size(), 1, wrong));
    CHECK_THAT(messageOfReading(folder / "number.osgt"), Catch::Contains("the design placement is damaged"));
  }
  osg::setNotifyLevel(level);
}

}  // namespace serializers_tests
