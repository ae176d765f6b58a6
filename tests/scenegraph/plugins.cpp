// Tests osgDB's plugins: in this process by osgDB, and in OSG's own programs as users run them.
#include <cstdlib>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/Material>
#include <osg/Notify>
#include <osg/TriangleFunctor>
#include <osgDB/FileUtils>
#include <osgDB/ReadFile>
#include <osgDB/Registry>
#include <osgDB/WriteFile>

#include <fitup/io/model_cache.h>
#include <fitup/io/read_assembly.h>
#include <fitup/motion/replay.h>
#include <models/process_plant.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/scene_assembly.h>
#include <support/import_checks.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "scene_checks.h"
#include "scene_state.h"

namespace plugins_tests {

using namespace osgFitup;
using fitup::Model;
using fitup::test::ProgramResult;
using fitup::test::readText;
using fitup::test::runProgram;
using fitup::test::TemporaryFolder;
using fitup::test::writeText;
using osgFitup::test::osgDbOfThisBuild;

namespace {

using ReadResult = osgDB::ReaderWriter::ReadResult;

ReadResult readByOsgDb(const std::filesystem::path& file, const std::string& options = "noCache") {
  const osg::ref_ptr<osgDB::Options> with = new osgDB::Options(options);
  return osgDbOfThisBuild().readNode(file.string(), with.get());
}

std::string messageOf(const ReadResult& result) { return const_cast<ReadResult&>(result).message(); }

#if defined(FITUP_WRITE_TEST_STEP)
std::filesystem::path writeStep(const TemporaryFolder& folder) {
  const auto file = folder / "plate.step";
  REQUIRE(std::system((std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " >/dev/null").c_str()) ==
          0);
  return file;
}

/// Returns the diffuse colour of a node's own material; transparent black if it has none.
osg::Vec4 diffuseOf(const osg::Node& node) {
  const osg::StateSet* state = node.getStateSet();
  const auto* material =
      state != nullptr
          ? dynamic_cast<const osg::Material*>(state->getAttribute(osg::StateAttribute::MATERIAL))
          : nullptr;
  return material != nullptr ? material->getDiffuse(osg::Material::FRONT) : osg::Vec4();
}
#endif

/// Runs a program of OSG with the plugins of this build, in a display in memory if it draws.
ProgramResult runOsg(const std::string& program, std::vector<std::string> arguments,
                     const TemporaryFolder& folder, bool draws = false) {
  fitup::test::RunOptions options;
  options.folder = folder.path();
  options.environment = {{"OSG_LIBRARY_PATH", FITUP_OSG_LIBRARY_PATH}, {"OSG_RUN_FRAME_COUNT", "3"}};
  if (!draws) return runProgram(program, arguments, options);
  arguments.insert(arguments.begin(), {"-a", "-s", "-screen 0 640x480x24", program});
  return runProgram(FITUP_XVFB_RUN, arguments, options);
}

/// Programs that are not instrumented cannot load instrumented plugins.
bool canRun(std::string_view program) {
#if defined(FITUP_SANITIZED)
  program = {};
#endif
  if (program.empty()) WARN("skipped: OSG's programs or a display in memory do not exist");
  return !program.empty();
}

/// A class that does not override cloning, which OSG forbids but applications do.
class OwnDrawable : public osg::Drawable {
 public:
  explicit OwnDrawable(osg::Geometry* from) : from_(from) {}
  bool supports(const osg::PrimitiveFunctor&) const override { return true; }
  void accept(osg::PrimitiveFunctor& functor) const override { from_->accept(functor); }
  using osg::Drawable::accept, osg::Drawable::supports;

 private:
  osg::ref_ptr<osg::Geometry> from_;
};

}  // namespace

#if defined(FITUP_WRITE_TEST_STEP)
TEST_CASE("osgDB reads a STEP assembly: tree, placements and colours") {
  const TemporaryFolder folder;
  const auto file = writeStep(folder);
  const ReadResult result = readByOsgDb(file);
  INFO(messageOf(result));
  const osg::ref_ptr<osg::Node> scene = const_cast<ReadResult&>(result).getNode();
  REQUIRE(scene);
  const Model expected = fitup::test::import(file);
  CHECK(createAssembly(*scene).assembly().contentHash() == expected.assembly.contentHash());
  CHECK(folder.entryCount() == 1);  // noCache

  PartNode* left = findPartNode(*scene, "plate-and-pins/left");
  PartNode* right = findPartNode(*scene, "plate-and-pins/right");
  REQUIRE(left);
  REQUIRE(right);
  CHECK(left->getPartModel() == right->getPartModel());
  CHECK(diffuseOf(*left->getSurfaceDrawable({})) == osg::Vec4(1, 0, 0, 1));
  CHECK(diffuseOf(*right->getChild(0)) == osg::Vec4(0, 0, 1, 1));
}

TEST_CASE("osgDB's option root keeps files below a folder") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "project/parts");
  std::filesystem::create_directories(folder / "else where");
  const auto step = folder / "project/parts/plate.step", model = folder / "project/parts/plate.fitup";
  std::filesystem::rename(writeStep(folder), step);
  fitup::writeModelFile(model, fitup::test::import(step));
  const std::string inside = (folder / "project").string(), outside = (folder / "else where").string();
  for (const auto& file : {step, model}) {
    INFO(file);
    CHECK(readByOsgDb(file, "noCache root=" + inside).validNode());
    CHECK(readByOsgDb(file, "noCache").validNode());
    // Folders whose names have white space are given as plugin data.
    for (const bool isRight : {true, false}) {
      const osg::ref_ptr<osgDB::Options> with = new osgDB::Options("noCache");
      with->setPluginStringData("root", isRight ? inside : outside);
      ReadResult result = osgDbOfThisBuild().readNode(file.string(), with.get());
      CHECK(result.validNode() == isRight);
      if (!isRight) CHECK_THAT(messageOf(result), Catch::Contains("is outside the root folder " + outside));
    }
    CHECK_THAT(messageOf(readByOsgDb(file, "noCache root=" + (folder / "none").string())),
               Catch::Contains("none: cannot read"));
    CHECK(messageOf(readByOsgDb(file, "noCache root=")) == "option root: is not a folder");
  }
}

TEST_CASE("options of osgDB reach the importer") {
  const TemporaryFolder folder;
  const auto file = writeStep(folder);
  const auto triangles = [&](const std::string& options) {
    const ReadResult result = readByOsgDb(file, options);
    REQUIRE(const_cast<ReadResult&>(result).validNode());
    return osgFitup::test::trianglesByOsg(*const_cast<ReadResult&>(result).getNode()).size();
  };
  CHECK(triangles("noCache deflection=0.005 angle=0.1") > 2 * triangles("noCache otherPluginsWord"));
  const auto kept = [] { return fitup::ModelCache().entries().size(); };
  const std::size_t before = kept();
  (void)triangles("");
  CHECK(kept() == before + 1);
  CHECK(folder.entryCount() == 1);  // nothing beside it
  const ReadResult wrong = readByOsgDb(file, "deflection=-1");
  CHECK(wrong.status() == ReadResult::ERROR_IN_READING_FILE);
  CHECK(messageOf(wrong) == "option deflection: '-1': not a positive number");
}

TEST_CASE("osgDB learns why a file is not read") {
  const TemporaryFolder folder;
  const std::string text = readText(writeStep(folder));
  writeText(folder / "cut.stp", std::string_view(text).substr(0, text.size() / 2));
  const ReadResult cut = readByOsgDb(folder / "cut.stp");
  CHECK(cut.status() == ReadResult::ERROR_IN_READING_FILE);
  CHECK_THAT(messageOf(cut), Catch::Contains("cut.stp: refused: the file is cut off"));
  CHECK(readByOsgDb(folder / "absent.step").status() == ReadResult::FILE_NOT_FOUND);
  writeText(folder / "empty.igs", "");
  CHECK_THAT(messageOf(readByOsgDb(folder / "empty.igs")), Catch::Contains("refused: the file is empty"));
  writeText(folder / "bad.fitup", "FITUPMDL and nothing else");
  const ReadResult bad = readByOsgDb(folder / "bad.fitup");
  CHECK(bad.status() == ReadResult::ERROR_IN_READING_FILE);
  CHECK_THAT(messageOf(bad), Catch::Contains("bad.fitup"));
}

TEST_CASE("osgconv makes a model file of a STEP assembly, and says what is wrong with a damaged one") {
  if (!canRun(FITUP_OSGCONV)) return;
  const TemporaryFolder folder;
  const auto file = writeStep(folder);
  const ProgramResult good = runOsg(FITUP_OSGCONV, {"plate.step", "plate.fitup"}, folder);
  INFO(good.text());
  REQUIRE(good.exitCode == 0);
  const Model written = fitup::readModelFile(folder / "plate.fitup");
  CHECK(written.assembly.contentHash() == fitup::test::import(file).assembly.contentHash());
  CHECK(written.collisionModels.size() == written.assembly.partCount());

  const std::string text = readText(file);
  writeText(folder / "cut.stp", std::string_view(text).substr(0, text.size() / 2));
  const ProgramResult bad = runOsg(FITUP_OSGCONV, {"cut.stp", "cut.fitup"}, folder);
  CHECK(bad.exitCode == 1);
  CHECK_THAT(bad.out + bad.err, Catch::Contains("cut.stp: refused: the file is cut off"));
  CHECK_FALSE(std::filesystem::exists(folder / "cut.fitup"));
}

TEST_CASE("osgviewer opens a STEP assembly, and says what is wrong with a damaged one") {
  if (!canRun(FITUP_OSGVIEWER) || !canRun(FITUP_XVFB_RUN)) return;
  const TemporaryFolder folder;
  const std::string text = readText(writeStep(folder));
  const ProgramResult good =
      runOsg(FITUP_OSGVIEWER, {"plate.step", "--window", "0", "0", "320", "240"}, folder, true);
  INFO(good.text());
  CHECK(good.exitCode == 0);
  CHECK_FALSE(good.timedOut);
  writeText(folder / "cut.stp", std::string_view(text).substr(0, text.size() / 2));
  const ProgramResult bad = runOsg(FITUP_OSGVIEWER, {"cut.stp"}, folder, true);
  CHECK(bad.exitCode == 1);
  CHECK_THAT(bad.out + bad.err, Catch::Contains("cut.stp: refused: the file is cut off"));
}
#endif

TEST_CASE("osgDB writes any scene as a model file and leaves it as it is") {
  const TemporaryFolder folder;
  readByOsgDb(folder / "absent.fitup");
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geometry> box = osgFitup::test::boxGeometry({}, 2);
  root->addChild(osgFitup::test::placed("a", {}, box));
  root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({0.3, 5, 0}), box));
  const std::string file = (folder / "boxes.fitup").string();
  const auto result = osgDB::Registry::instance()->writeNode(*root, file, nullptr);
  REQUIRE(result.success());
  CHECK(partModelOf(*root->getChild(0)) == nullptr);
  const Model model = fitup::readModelFile(file);
  CHECK(model.assembly.partCount() == 1);
  CHECK(model.assembly.worldFromNode(model.assembly.at("b")).t == fitup::Vec3{0.3, 5, 0});
  CHECK(model.collisionModels.size() == 1);

  const osg::ref_ptr<osg::Node> again = const_cast<osg::Node*>(readByOsgDb(file).getNode());
  REQUIRE(again);
  CHECK(createAssembly(*again).assembly().contentHash() == model.assembly.contentHash());
  const osg::ref_ptr<osg::Group> empty = new osg::Group;
  auto refused = osgDB::Registry::instance()->writeNode(*empty, (folder / "empty.fitup").string(), nullptr);
  CHECK_FALSE(refused.success());
  CHECK_THAT(refused.message(), Catch::Contains("empty.fitup: the scene holds no triangles"));
}

TEST_CASE("a model file that osgDB writes says which parts are missing from it") {
  const TemporaryFolder folder;
  readByOsgDb(folder / "absent.fitup");
  const std::string file = (folder / "scene.fitup").string();
  const osg::NotifySeverity level = osg::getNotifyLevel();
  osg::setNotifyLevel(osg::FATAL);  // the plugin reports them as well
  for (const auto& [problem, geometry] : osgFitup::test::unusableGeometries()) {
    INFO(problem);
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(osgFitup::test::placed("good", {}, osgFitup::test::boxGeometry({}, 2)));
    root->addChild(osgFitup::test::placed("bad", {}, geometry));
    REQUIRE(osgDB::Registry::instance()->writeNode(*root, file, nullptr).success());
    const Model model = fitup::readModelFile(file);
    CHECK(model.assembly.instances().size() == 1);
    REQUIRE(model.warnings.size() == 1);
    CHECK(model.warnings[0].incomplete);
    CHECK(model.warnings[0].element == "Group/bad/Geometry");
  }
  osg::setNotifyLevel(level);
}

TEST_CASE("drawables that are parts themselves are written and stay as they are") {
  const TemporaryFolder folder;
  readByOsgDb(folder / "absent.fitup");
  const std::string file = (folder / "scene.fitup").string();
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  const osg::ref_ptr<osg::Geometry> first = osgFitup::test::boxGeometry({}, 2);
  const osg::ref_ptr<osg::Geometry> second = osgFitup::test::boxGeometry({0.3F, 1.1F, 0}, 2);
  const osg::ref_ptr<OwnDrawable> third = new OwnDrawable(osgFitup::test::boxGeometry({9, 9, 9}, 2));
  first->setName("first");
  second->setName("second");
  third->setName("third");
  // Existing user data are shared by the copy, and must not get the model either.
  second->getOrCreateUserDataContainer()->addDescription("of the caller");
  for (osg::Drawable* drawable : {first->asDrawable(), second->asDrawable(), third->asDrawable()})
    root->addChild(drawable);
  const auto before = osgFitup::test::sceneStateOf(*root);
  REQUIRE(osgDB::Registry::instance()->writeNode(*root, file, nullptr).success());
  CHECK(osgFitup::test::sceneStateOf(*root) == before);
  for (unsigned int i = 0; i < 3; ++i) CHECK(partModelOf(*root->getChild(i)) == nullptr);
  const Model model = fitup::readModelFile(file);
  CHECK(model.warnings.empty());
  std::vector<std::string> paths;
  for (const fitup::NodeId node : model.assembly.instances()) paths.push_back(model.assembly.path(node));
  CHECK(paths == std::vector<std::string>{"first", "second", "third"});
}

TEST_CASE("what a scene shares is shared in the model file that osgDB writes") {
  const TemporaryFolder folder;
  readByOsgDb(folder / "absent.fitup");
  const std::string file = (folder / "scene.fitup").string();
  const osg::ref_ptr<osg::Geometry> box = osgFitup::test::boxGeometry({}, 2);
  const osg::ref_ptr<osg::Geode> holder = new osg::Geode;
  holder->addDrawable(box);
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(osgFitup::test::placed("a", {}, box));
  root->addChild(osgFitup::test::placed("b", fitup::Transform::translation({5, 0, 0}), holder));
  // A part where it is at the top, and therefore below the named transform too.
  const osg::ref_ptr<osg::Group> part = new osg::Group;
  part->setName("part");
  part->addChild(box);
  root->addChild(part);
  root->addChild(osgFitup::test::placed("c", fitup::Transform::translation({0, 5, 0}), part));
  const auto before = osgFitup::test::sceneStateOf(*root);
  REQUIRE(osgDB::Registry::instance()->writeNode(*root, file, nullptr).success());
  CHECK(osgFitup::test::sceneStateOf(*root) == before);
  const Model model = fitup::readModelFile(file);
  CHECK(model.assembly.partCount() == 1);
  CHECK(model.assembly.instances().size() == 4);
  (void)osgFitup::test::visit(*root);
  CHECK(model.assembly.contentHash() == createAssembly(*root).assembly().contentHash());
}

TEST_CASE("a model file that osgDB writes of a scene is the model: tracks of the one fit the other") {
  const TemporaryFolder folder;
  const fitup::Assembly plant = fitup::models::makeProcessPlant();
  REQUIRE(
      osgDbOfThisBuild()
          .writeNode(*osgFitup::createScene(fitup::Scene(plant)), (folder / "plant.fitup").string(), nullptr)
          .success());
  const fitup::Assembly written = fitup::readModelFile(folder / "plant.fitup").assembly;
  CHECK(written.contentHash() == plant.contentHash());
  CHECK(resolve(fitup::models::makeSpoolTrack(plant), written, false).front().node ==
        plant.at(fitup::models::spoolPath));
}

}  // namespace plugins_tests
