// Files of OpenSceneGraph by way of the importer process, as the command line reads them.
#include <algorithm>
#include <map>

#include <catch2/catch.hpp>
#include <osg/AutoTransform>
#include <osg/Camera>
#include <osg/Geode>
#include <osg/LOD>
#include <osg/PagedLOD>
#include <osg/ProxyNode>
#include <osg/Sequence>
#include <osg/Switch>
#include <osgDB/ObjectWrapper>
#include <osgDB/Registry>
#include <osgDB/WriteFile>
#include <osgText/Text3D>
#include <osgText/Text>

#include <fitup/base/error.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/scene_assembly.h>
#include <support/import_checks.h>
#include <support/random_assembly.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>
#include <support/test_data.h>

#include "scene_checks.h"

namespace import_osg_tests {

#if defined(FITUP_OSG_IMPORTER)
using namespace osgFitup;
using fitup::Model;
using fitup::test::TemporaryFolder;
using osgFitup::test::osgDbOfThisBuild;

namespace {

Model import(const std::filesystem::path& file, fitup::ReadOptions options = {}) {
  options.useCache = false;
  options.importerFolder = std::filesystem::path(FITUP_OSG_IMPORTER).parent_path();
  return readAssembly(file, options);
}

void write(const osg::Node& scene, const std::filesystem::path& file) {
  auto written = osgDbOfThisBuild().writeNode(scene, file.string(), nullptr);
  INFO(written.message());
  REQUIRE(written.success());
}

/// Two boxes that intersect, placed by named transforms.
osg::ref_ptr<osg::Group> twoBoxes() {
  osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;  // .ive knows no drawables without
  box->addDrawable(osgFitup::test::boxGeometry({}, 2));
  root->addChild(osgFitup::test::placed("a", {}, box));
  root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({0.3, 1.1, 0}), box));
  return root;
}

using ProxyMode = osg::ProxyNode::LoadingExternalReferenceMode;

osg::ref_ptr<osg::ProxyNode> proxyOf(const std::vector<std::string>& files, ProxyMode mode) {
  osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
  proxy->setLoadingExternalReferenceMode(mode);
  for (const std::string& file : files) proxy->setFileName(proxy->getNumFileNames(), file);
  return proxy;
}

/// A file with one box, below a transform of that name.
void writeBox(const std::filesystem::path& file, const std::string& name, const osg::Vec3& centre) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry(centre, 2));
  root->addChild(osgFitup::test::placed(name, {}, box));
  write(*root, file);
}

/// A file of a box "b" at the origin beside another node.
void writeBeside(const std::filesystem::path& file, osg::Node* node) {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry({}, 2));
  root->addChild(osgFitup::test::placed("b", {}, box));
  root->addChild(node);
  write(*root, file);
}

std::vector<std::string> pathsOf(const Model& model) {
  std::vector<std::string> paths;
  for (const fitup::NodeId node : model.assembly.instances()) paths.push_back(model.assembly.path(node));
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> companionsOf(const Model& model) {
  std::vector<std::string> paths;
  for (const fitup::CompanionFile& companion : model.source.referencedFiles)
    if (companion.digest.isKnown()) paths.push_back(companion.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

using Names = std::vector<std::string>;

/// What the command line says of a file.
fitup::test::ProgramResult checkedIn(const TemporaryFolder& folder, const std::string& file) {
  fitup::test::RunOptions options;
  options.folder = folder.path();
  return fitup::test::runProgram(FITUP_PROGRAM, {"check", file, "--no-cache", "-q"}, options);
}

}  // namespace

TEST_CASE("an assembly that went through .osgb is the same for the command line") {
  const TemporaryFolder folder;
  const fitup::Assembly assembly = fitup::test::randomAssembly(7, 12);
  const osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
  write(*scene, folder / "crowd.osgb");
  const Model model = import(folder / "crowd.osgb");
  CHECK(model.assembly.contentHash() == createAssembly(*scene).assembly().contentHash());
  CHECK(model.assembly.unit() == assembly.unit());
  CHECK(model.collisionModels.size() == model.assembly.partCount());
}

TEST_CASE("a model that is stored with a part is used only if it is of what is drawn") {
  const TemporaryFolder folder;
  const fitup::Assembly assembly = fitup::test::randomAssembly(7, 12);
  for (const std::string extension : {"osgb", "osgt", "osgx"}) {
    const auto file = folder / ("scene." + extension);
    const auto forged = [&](const std::string& how, const auto& change) {
      INFO(extension << ", " << how);
      const osg::ref_ptr<osg::Group> scene = createScene(fitup::Scene(assembly));
      PartNode* const part = partNodesBelow(*scene).front();
      change(*part, *partModelOf(*part));
      const auto drawn = osgFitup::test::trianglesByOsg(*scene).size();
      write(*scene, file);
      const Model model = import(file);
      CHECK(fitup::test::countsOf(model).triangles == drawn);
      const bool isSaid = std::any_of(model.warnings.begin(), model.warnings.end(), [](const auto& w) {
        return w.message.find("model stored with it is not used") != std::string::npos;
      });
      CHECK(isSaid == (how != "honest"));
      CHECK_FALSE(fitup::test::isIncomplete(model));
      if (how == "honest") CHECK(model.assembly.partCount() == createAssembly(*scene).assembly().partCount());
    };
    // Its first point shifted, its last triangles left out.
    const auto changed = [](const PartModel& model, double shift, std::uint32_t left) {
      const fitup::TriangleMesh& mesh = model.getCollisionModel()->mesh();
      fitup::TriangleMeshBuilder builder("forged");
      for (std::uint32_t p = 0; p < mesh.points().size(); ++p)
        builder.addPoint(mesh.pointInPart(p) + fitup::Vec3{p == 0 ? shift : 0, 0, 0});
      for (const fitup::Surface& surface : mesh.surfaces()) {
        builder.beginSurface(surface.name);
        for (std::uint32_t t = 0; t + left < surface.triangleCount; ++t) {
          const auto corners = mesh.triangles()[surface.firstTriangle + t];
          builder.addTriangle(corners[0], corners[1], corners[2], surface.firstTriangle + t);
        }
      }
      return fitup::CollisionModel::build(std::make_shared<const fitup::TriangleMesh>(builder.build()));
    };
    const auto give = [](PartNode& part, const PartModel& old,
                         const std::shared_ptr<const fitup::CollisionModel>& model) {
      setPartModel(part, new PartModel(model, old.getSurfacePaths(), old.getPrimitiveNumbering()));
    };
    forged("honest", [](PartNode&, PartModel&) {});
    forged("a point moved by a thousandth of the part", [&](PartNode& part, PartModel& model) {
      const fitup::Box box = model.getCollisionModel()->mesh().boundsInPart();
      give(part, model, changed(model, norm(box.max - box.min) / 1000, 0));
    });
    forged("a triangle left out",
           [&](PartNode& part, PartModel& model) { give(part, model, changed(model, 0, 1)); });
    forged("a surface left out", [&](PartNode& part, PartModel& model) {
      part.addChild(osgFitup::test::boxGeometry({}, 1));
      (void)model;
    });
    forged("drawn elsewhere", [&](PartNode& part, PartModel&) {
      const osg::ref_ptr<osg::MatrixTransform> shift =
          new osg::MatrixTransform(osg::Matrix::translate(0, 0, 1));
      shift->addChild(part.getChild(0));
      part.setChild(0, shift);
    });
  }
}

TEST_CASE("scenes without parts are cut into parts, in the unit that is given") {
  const TemporaryFolder folder;
  for (const std::string extension : {"osgb", "osgt", "osgx", "osg", "ive"}) {
    INFO(extension);
    const auto file = folder / ("boxes." + extension);
    write(*twoBoxes(), file);
    fitup::ReadOptions options;
    options.unit = "m";
    const Model model = import(file, options);
    CHECK(model.assembly.name() == "boxes");
    CHECK(model.assembly.unit() == "m");
    CHECK(model.assembly.instances().size() == 2);
    CHECK(model.assembly.partCount() == 1);
    CHECK(norm(model.assembly.worldFromNode(model.assembly.at("b")).t - fitup::Vec3{0.3, 1.1, 0}) < 1e-6);
    CHECK(checkAllPairs(sceneOf(model)).intersects());
  }
}

TEST_CASE("files that a scene refers to are read with it, or said to be missing") {
  const TemporaryFolder folder;
  write(*twoBoxes(), folder / "inner.osgb");
  const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
  proxy->setFileName(0, "inner.osgb");
  const osg::ref_ptr<osg::Group> outer = new osg::Group;
  outer->addChild(osgFitup::test::placed("c", {}, osgFitup::test::boxGeometry({9, 9, 9}, 1)));
  outer->addChild(proxy);
  write(*outer, folder / "outer.osgt");
  const Model whole = import(folder / "outer.osgt");
  CHECK(whole.assembly.instances().size() == 3);
  REQUIRE(whole.source.referencedFiles.size() == 1);
  CHECK(whole.source.referencedFiles[0].path == "inner.osgb");
  CHECK_FALSE(fitup::test::isIncomplete(whole));

  std::filesystem::remove(folder / "inner.osgb");
  const Model part = import(folder / "outer.osgt");
  CHECK(part.assembly.instances().size() == 1);
  REQUIRE(fitup::test::isIncomplete(part));
  CHECK(part.warnings[0].element == "external file inner.osgb");
}

TEST_CASE("what a model file lacks is missing from the scene that refers to it") {
  const TemporaryFolder folder;
  writeBox(folder / "near.osgb", "near", {0.3F, 1.1F, 0});
  fitup::Model model = import(folder / "near.osgb");
  for (const bool lacks : {false, true}) {
    if (lacks) model.warnings.push_back({"near", "lost a face", true});
    writeModelFile(folder / "near.fitup", model);
    writeBeside(folder / "outer.osgb", proxyOf({"near.fitup"}, osg::ProxyNode::LOAD_IMMEDIATELY));
    const Model whole = import(folder / "outer.osgb");
    CHECK(whole.assembly.instances().size() == 2);
    CHECK(fitup::test::isIncomplete(whole) == lacks);
  }
}

TEST_CASE("files that a proxy leaves to a viewer's pager are read with the scene") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER,
               osg::ProxyNode::NO_AUTOMATIC_LOADING);
  for (const std::string extension : {"osgb", "osgt", "osg", "ive"}) {
    INFO(extension << ", mode " << mode);
    const auto file = folder / ("outer." + extension);
    // .ive calls the files that it refers to so.
    const std::string kind = extension == "ive" ? ".ive" : ".osgb", near = "near" + kind, far = "far" + kind;
    writeBox(folder / near, "near", {0.3F, 1.1F, 0});
    writeBox(folder / far, "far", {9, 9, 9});
    writeBeside(file, proxyOf({near, far}, mode));
    const Model whole = import(file);
    CHECK(pathsOf(whole) == Names{"b", "far", "near"});
    CHECK(companionsOf(whole) == Names{far, near});
    CHECK_FALSE(fitup::test::isIncomplete(whole));
    CHECK(checkAllPairs(sceneOf(whole)).pairs.size() == 1);

    // The other one is there once, in whatever place the reader has put it.
    std::filesystem::remove(folder / near);
    const Model part = import(file);
    CHECK(pathsOf(part) == Names{"b", "far"});
    REQUIRE(part.warnings.size() == 1);
    CHECK(part.warnings[0].incomplete);
    CHECK_THAT(part.warnings[0].element, Catch::StartsWith("external file ") && Catch::EndsWith(near));
    REQUIRE(part.source.referencedFiles.size() == 2);
    CHECK(part.source.referencedFiles[0].path == near);
    CHECK_FALSE(part.source.referencedFiles[0].digest.isKnown());
  }
}

TEST_CASE("files of a proxy are read once, whatever children of its own it has beside them") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER);
  INFO("mode " << mode);
  writeBox(folder / "far.osgb", "far", {9, 9, 9});
  const osg::ref_ptr<osg::Geode> box = new osg::Geode;
  box->addDrawable(osgFitup::test::boxGeometry({0.3F, 1.1F, 0}, 2));

  // Read, the child without a file name stands where the one of the first name belongs.
  const osg::ref_ptr<osg::ProxyNode> mixed = proxyOf({"far.osgb", ""}, mode);
  mixed->addChild(new osg::Group);
  mixed->addChild(osgFitup::test::placed("own", {}, box));
  writeBeside(folder / "mixed.osgb", mixed);
  CHECK(pathsOf(import(folder / "mixed.osgb")) == Names{"b", "far", "own"});

  // Children may be written along with the names of their files.
  const osg::ref_ptr<osg::ProxyNode> whole = proxyOf({"far.osgb"}, mode);
  whole->addChild(osgFitup::test::placed("copy of far", {}, box));
  const osg::ref_ptr<osgDB::Options> inlined = new osgDB::Options("includeExternalReferences");
  REQUIRE(osgDB::Registry::instance()
              ->writeNode(*whole, (folder / "whole.osg").string(), inlined.get())
              .success());
  CHECK(pathsOf(import(folder / "whole.osg")) == Names{"copy of far"});
}

TEST_CASE("a deferred file that was missing and turns up makes the cache out of date") {
  const TemporaryFolder folder;
  writeBeside(folder / "outer.osgb",
              proxyOf({"tiles/near.osgb"}, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER));
  fitup::ReadOptions options;
  options.importerFolder = std::filesystem::path(FITUP_OSG_IMPORTER).parent_path();
  options.useCache = true;
  CHECK(pathsOf(readAssembly(folder / "outer.osgb", options)) == Names{"b"});
  CHECK_FALSE(readAssembly(folder / "outer.osgb", options).fromCache.empty());
  std::filesystem::create_directories(folder / "tiles");
  writeBox(folder / "tiles/near.osgb", "near", {0.3F, 1.1F, 0});
  CHECK(pathsOf(readAssembly(folder / "outer.osgb", options)) == Names{"b", "near"});
}

TEST_CASE("of a paged level of detail the finest is read, and no other") {
  const TemporaryFolder folder;
  writeBox(folder / "middle.osgb", "middle", {});
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const bool byPixels = GENERATE(false, true);
  for (const std::string extension : {"osgb", "osgt", "osg", "ive"}) {
    if (byPixels && extension == "ive") continue;  // knows distances only
    INFO(extension << (byPixels ? " by pixels" : " by distance"));
    const osg::ref_ptr<osg::PagedLOD> levels = new osg::PagedLOD;
    const osg::ref_ptr<osg::Geode> coarse = new osg::Geode;
    coarse->addDrawable(osgFitup::test::boxGeometry({9, 9, 9}, 2));
    coarse->setName("coarse");
    levels->setName("levels");
    const float farthest = 1e9F;
    if (byPixels) levels->setRangeMode(osg::LOD::PIXEL_SIZE_ON_SCREEN);
    levels->addChild(coarse, byPixels ? 0 : 100, byPixels ? 10 : farthest);
    levels->setFileName(1, "middle.osgb");
    levels->setRange(1, 10, 100);
    levels->setFileName(2, "fine.osgb");
    levels->setRange(2, byPixels ? 100 : 0, byPixels ? farthest : 10);
    const auto file = folder / ("outer." + extension);
    writeBeside(file, levels);
    const Model model = import(file);
    CHECK(pathsOf(model) == Names{"b", "levels/fine"});
    CHECK(companionsOf(model) == Names{"fine.osgb"});
    CHECK_FALSE(fitup::test::isIncomplete(model));
    CHECK(checkAllPairs(sceneOf(model)).pairs.size() == 1);
  }

  std::filesystem::remove(folder / "fine.osgb");
  const Model part = import(folder / "outer.osgb");
  CHECK(pathsOf(part) == Names{"b", "levels"});
  REQUIRE(part.warnings.size() == 1);
  CHECK(part.warnings[0].incomplete);
  CHECK(part.warnings[0].element == "external file fine.osgb");
}

TEST_CASE("a level whose place another one takes in the file is reported as missing") {
  const TemporaryFolder folder;
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const osg::ref_ptr<osg::PagedLOD> levels = new osg::PagedLOD;
  const osg::ref_ptr<osg::Geode> coarse = new osg::Geode;
  coarse->addDrawable(osgFitup::test::boxGeometry({9, 9, 9}, 2));
  levels->addChild(new osg::Group, 0, 100, "fine.osgb");  // the name is written, not the group
  levels->addChild(coarse, 100, 1e9F);
  writeBeside(folder / "outer.osgb", levels);
  const Model model = import(folder / "outer.osgb");
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].incomplete);
  CHECK(model.warnings[0].element == "external file fine.osgb");
}

TEST_CASE("deferred files are looked for beside the file that names them, and read where they are active") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "tiles/deep");
  const auto deferred = osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER;
  writeBox(folder / "tiles/deep/inner.osgb", "inner", {0.3F, 1.1F, 0});
  writeBox(folder / "inner.osgb", "wrong", {});
  writeBeside(folder / "tiles/middle.osgb", proxyOf({"deep/inner.osgb"}, deferred));
  for (const ProxyMode mode : {deferred, osg::ProxyNode::LOAD_IMMEDIATELY}) {
    writeBeside(folder / "outer.osgb", proxyOf({"tiles/middle.osgb"}, mode));
    const Model model = import(folder / "outer.osgb");
    CHECK(pathsOf(model) == Names{"b#1", "b#2", "inner"});
    CHECK(companionsOf(model) == Names{"tiles/deep/inner.osgb", "tiles/middle.osgb"});
    CHECK_FALSE(fitup::test::isIncomplete(model));
  }

  const osg::ref_ptr<osg::Switch> off = new osg::Switch;
  off->addChild(proxyOf({"absent.osgb"}, deferred), false);
  writeBeside(folder / "outer.osgb", off);
  const Model model = import(folder / "outer.osgb");
  CHECK(pathsOf(model) == Names{"b"});
  CHECK_FALSE(fitup::test::isIncomplete(model));
}

TEST_CASE("files that refer to each other are read once and said to be incomplete") {
  const TemporaryFolder folder;
  const ProxyMode mode =
      GENERATE(osg::ProxyNode::LOAD_IMMEDIATELY, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER);
  writeBeside(folder / "first.osgb", new osg::Group);
  writeBeside(folder / "second.osgb", proxyOf({"first.osgb"}, osg::ProxyNode::NO_AUTOMATIC_LOADING));
  writeBeside(folder / "first.osgb", proxyOf({"second.osgb"}, mode));
  const Model model = import(folder / "first.osgb");
  CHECK(pathsOf(model) == Names{"b#1", "b#2"});
  REQUIRE(model.warnings.size() == 1);
  CHECK(model.warnings[0].incomplete);
  CHECK_THAT(model.warnings[0].message, Catch::Contains("refers to itself"));
}

TEST_CASE("the command line finds what lies in paged and deferred files") {
  const TemporaryFolder folder;
  writeBox(folder / "fine.osgb", "fine", {0.3F, 1.1F, 0});
  const osg::ref_ptr<osg::PagedLOD> paged = new osg::PagedLOD;
  paged->setFileName(0, "fine.osgb");
  paged->setRange(0, 0, 100);
  writeBeside(folder / "paged.osgb", paged);
  writeBeside(folder / "deferred.osgb",
              proxyOf({"fine.osgb"}, osg::ProxyNode::DEFER_LOADING_TO_DATABASE_PAGER));
  const auto exitCodeOf = [&](const std::string& file) { return checkedIn(folder, file).exitCode; };
  CHECK(exitCodeOf("paged.osgb") == 1);
  CHECK(exitCodeOf("deferred.osgb") == 1);
  std::filesystem::remove(folder / "fine.osgb");
  CHECK(exitCodeOf("paged.osgb") == 3);
  CHECK(exitCodeOf("deferred.osgb") == 3);
}

TEST_CASE("a part that cannot be built makes the answer on a file incomplete") {
  const TemporaryFolder folder;
  for (const auto& [problem, geometry] : osgFitup::test::unusableGeometries()) {
    INFO(problem);
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(osgFitup::test::placed("good", {}, osgFitup::test::boxGeometry({}, 2)));
    scene->addChild(osgFitup::test::placed("apart", {}, osgFitup::test::boxGeometry({50, 0, 0}, 2)));
    scene->addChild(osgFitup::test::placed("bad", {}, geometry));
    write(*scene, folder / "scene.osgb");
    const Model model = import(folder / "scene.osgb");
    CHECK(model.assembly.instances().size() == 2);
    REQUIRE(model.warnings.size() == 1);
    CHECK(model.warnings[0].incomplete);
    CHECK(model.warnings[0].element == "scene/bad/Geometry");
    const auto check = checkedIn(folder, "scene.osgb");
    INFO(check.text());
    CHECK(check.exitCode == 3);
  }
}

TEST_CASE("what is drawn later, elsewhere or more than once makes the answer on a file incomplete") {
  const TemporaryFolder folder;
  const auto exitCodeWith = [&](osg::Node* node) {
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(osgFitup::test::placed("good", {}, osgFitup::test::boxGeometry({}, 2)));
    scene->addChild(osgFitup::test::placed("apart", {}, osgFitup::test::boxGeometry({50, 0, 0}, 2)));
    scene->addChild(node);
    write(*scene, folder / "scene.osgb");
    return checkedIn(folder, "scene.osgb").exitCode;
  };
  const osg::Vec3 away(9, 9, 9);
  const osg::ref_ptr<osg::Geometry> copies = osgFitup::test::boxGeometry(away, 1),
                                    box = osgFitup::test::boxGeometry(away, 1);
  CHECK(exitCodeWith(box) == 0);
  copies->getPrimitiveSet(0)->setNumInstances(2);
  CHECK(exitCodeWith(copies) == 3);
  const osg::ref_ptr<osg::Camera> view = new osg::Camera;
  CHECK(exitCodeWith(view) == 0);
  view->addChild(box);
  CHECK(exitCodeWith(view) == 3);
  const osg::ref_ptr<osg::Sequence> sequence = new osg::Sequence;
  sequence->addChild(box, 1);
  CHECK(exitCodeWith(sequence) == 3);
  osgDB::ObjectWrapper* const morph =
      osgDbOfThisBuild().getObjectWrapperManager()->findWrapper("osgAnimation::MorphGeometry");
  REQUIRE(morph != nullptr);
  const osg::ref_ptr<osg::Object> deformed = morph->createInstance();
  deformed->asNode()->asDrawable()->asGeometry()->setVertexArray(box->getVertexArray());
  deformed->asNode()->asDrawable()->asGeometry()->addPrimitiveSet(box->getPrimitiveSet(0));
  CHECK(exitCodeWith(deformed->asNode()) == 3);
  // A rig before its first update, which OSG cannot write without bones.
  const osg::ref_ptr<osg::Geometry> rig = osgFitup::test::boxGeometry(away, 1);
  const osg::ref_ptr<osg::Group> rigged = twoBoxes();
  rigged->addChild(rig);
  rigged->removeChild(1);
  write(*rigged, folder / "rig.osgt");
  std::string text = fitup::test::readText(folder / "rig.osgt");
  const std::size_t last = text.rfind("osg::Geometry {");
  REQUIRE(last != std::string::npos);
  fitup::test::writeText(folder / "rig.osgt", text.replace(last, std::string("osg::Geometry").size(),
                                                           "osgAnimation::RigGeometry"));
  const auto rigChecked = checkedIn(folder, "rig.osgt");
  INFO(rigChecked.text());
  CHECK(rigChecked.exitCode == 3);
  CHECK(rigChecked.err.find("RigGeometry") != std::string::npos);
  // Whether it has a mode or not.
  const osg::ref_ptr<osg::AutoTransform> automatic = new osg::AutoTransform;
  CHECK(exitCodeWith(automatic) == 0);
  automatic->addChild(box);
  CHECK(exitCodeWith(automatic) == 3);
  automatic->setAutoRotateMode(osg::AutoTransform::ROTATE_TO_SCREEN);
  CHECK(exitCodeWith(automatic) == 3);
  const osg::ref_ptr<osgText::Text> label = new osgText::Text;
  label->setText("label");
  CHECK(exitCodeWith(label) == 0);
  const osg::ref_ptr<osgText::Text3D> solid = new osgText::Text3D;
  CHECK(exitCodeWith(solid) == 0);
  solid->setText("label");
  CHECK(exitCodeWith(solid) == 3);
}

TEST_CASE("a COLLADA file is in its own unit, and z is up as its plugin turns it") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& asset) {
    fitup::test::writeText(folder / "a.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)" +
                                                 asset + R"(<up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f" count="9">0 0 0 1 0 0 0 2 0</float_array>
<technique_common><accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION"
source="#p"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node id="n" name="n">
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>)");
    fitup::ReadOptions options;
    options.unit = "ft";
    options.upAxis = fitup::UpAxis::y;
    return import(folder / "a.dae", options);
  };
  if (osgDB::Registry::instance()->getReaderWriterForExtension("dae") == nullptr) {
    WARN("skipped: OpenSceneGraph has no plugin for COLLADA");
    return;
  }
  for (const auto& [asset, unit] : {std::pair{R"(<unit name="meter" meter="1"/>)", "m"},
                                    {R"(<unit meter='0.0254' name='inch'/>)", "in"},
                                    {R"(<unit meter="1.0e-3"/>)", "mm"},
                                    {R"(<!-- <unit meter="0.001"/> --><unit meter="1"/>)", "m"},
                                    {"", "m"}}) {
    const Model model = read(asset);
    CHECK(model.assembly.unit() == unit);
    CHECK(model.assembly.upAxis() == fitup::UpAxis::z);
    REQUIRE(model.assembly.instances().size() == 1);
    const fitup::Box box = model.assembly.worldBounds(model.assembly.instances().front());
    CHECK(box.max.x == Approx(1));
    CHECK(box.max.z == Approx(2));
  }
  for (const char* asset : {R"(<unit meter="2.5"/>)", R"(<unit meter="one"/>)"})
    CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)read(asset); }),
               Catch::Contains("is none of mm, cm, m, in, ft"));
}

TEST_CASE("what OpenSceneGraph cannot read is refused with a reason") {
  const TemporaryFolder folder;
  const auto problem = [&](const std::string& name, std::string_view text) {
    fitup::test::writeText(folder / name, text);
    return fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / name); });
  };
  CHECK_THAT(problem("empty.osgb", ""), Catch::Contains("empty.osgb: refused: "));
  CHECK_THAT(problem("other.osgt", "solid cube"), Catch::Contains("other.osgt: refused: "));
  write(*twoBoxes(), folder / "good.osgb");
  const std::string good = fitup::test::readText(folder / "good.osgb");
  CHECK_THAT(problem("cut.osgb", std::string_view(good).substr(0, good.size() / 2)),
             Catch::Contains("cut.osgb: "));
  const osg::ref_ptr<osg::Group> nothing = new osg::Group;
  write(*nothing, folder / "nothing.osgt");
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / "nothing.osgt"); }),
             Catch::EndsWith("refused: holds no triangles"));
  const osg::ref_ptr<osg::LOD> far = new osg::LOD;
  far->addChild(osgFitup::test::boxGeometry({}, 2), 10, 100);
  write(*far, folder / "far.osgb");
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(folder / "far.osgb"); }),
             Catch::Contains("refused: holds no triangles; far: left out: no level of detail"));
  fitup::ReadOptions elsewhere;
  elsewhere.useCache = false;
  elsewhere.importerFolder = folder.path();
  CHECK_THAT(fitup::test::messageOf<fitup::ImportError>(
                 [&] { (void)readAssembly(folder / "good.osgb", elsewhere); }),
             Catch::Contains("fitup-import-osg is not installed in "));
}

TEST_CASE("the command line checks files of OpenSceneGraph") {
  const TemporaryFolder folder;
  write(*twoBoxes(), folder / "boxes.osgb");
  const auto check = checkedIn(folder, "boxes.osgb");
  INFO(check.text());
  CHECK(check.exitCode == 1);
  CHECK_THAT(check.out, Catch::Contains("1 pair of instances intersect") && Catch::Contains("a  x  b"));
}

TEST_CASE("each OSG file of the test data opens with the triangles that its origin lists, or is refused") {
  const auto folder = fitup::test::sharedData("osg");
  if (!folder) {
    WARN("skipped: OSG files are not there");
    return;
  }
  const std::map<std::string, std::size_t> triangles{
      {"box.osgt", 192},        {"block.osg", 12},   {"com.osg", 456},        {"compound.osg", 36},
      {"concave.osg", 32},      {"dice.osg", 524},   {"hand.osg", 8694},      {"offcube.osg", 12},
      {"tetra.osg", 4},         {"cube.osg", 12},    {"dectest20.ive", 8936}, {"dectest21.osg", 4456},
      {"pliers-big.osg", 4141}, {"slider.osg", 190}, {"testuniqifier.osg", 0}};
  std::size_t seen = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    const auto expected = triangles.find(entry.path().filename().string());
    if (expected == triangles.end()) continue;
    INFO(entry.path().string());
    ++seen;
    if (expected->second > 0)
      CHECK(fitup::test::countsOf(import(entry.path())).triangles == expected->second);
    else
      CHECK_THAT(fitup::test::messageOf<fitup::ImportError>([&] { (void)import(entry.path()); }),
                 Catch::Contains("refused: holds no triangles"));
  }
  CHECK(seen == triangles.size());
}
#endif

}  // namespace import_osg_tests
