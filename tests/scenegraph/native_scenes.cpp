// Tests files of OpenSceneGraph's own formats that are cut off, damaged, or hold what no class reads:
// whatever is left out is reported.
#include <algorithm>
#include <functional>
#include <optional>
#include <random>

#include <catch2/catch.hpp>
#include <osg/Geode>
#include <osg/Material>
#include <osg/ProxyNode>
#include <osgDB/WriteFile>

#include <fitup/base/error.h>
#include <support/import_checks.h>
#include <support/run_program.h>
#include <support/temporary_folder.h>

#include "native/native_scene.h"
#include "scene_checks.h"

namespace native_scenes_tests {

#if defined(FITUP_OSG_IMPORTER)
using fitup::importers::NativeScene;
using fitup::importers::readNativeScene;
using fitup::test::readText;
using fitup::test::TemporaryFolder;
using fitup::test::writeText;
using osgFitup::test::boxGeometry;
using osgFitup::test::osgDbOfThisBuild;
using osgFitup::test::placed;

namespace {

struct Format {
  std::string extension, options;
};
const std::vector<Format> formats{{"osgt", ""}, {"osgx", ""}, {"osgb", ""}, {"osgb", "Compressor=zlib"}};

/// Makes two placed boxes, one of them with a material.
osg::ref_ptr<osg::Group> scene() {
  const osg::ref_ptr<osg::Group> root = new osg::Group;
  root->addChild(placed("a", {}, boxGeometry({}, 2)));
  root->addChild(placed("b", fitup::Transform::translation({0.5, 0, 0}), boxGeometry({0, 1, 0}, 1)));
  root->getChild(0)->getOrCreateStateSet()->setAttribute(new osg::Material);
  return root;
}

std::string written(const TemporaryFolder& folder, const Format& format, const osg::Node& node) {
  const auto file = folder / ("whole." + format.extension);
  const osg::ref_ptr<osgDB::Options> options = new osgDB::Options(format.options);
  REQUIRE(osgDbOfThisBuild().writeNode(node, file.string(), options.get()).success());
  return readText(file);
}

std::vector<fitup::Triangle> trianglesOf(osg::Node* node) {
  return node == nullptr ? std::vector<fitup::Triangle>() : osgFitup::test::trianglesByOsg(*node);
}

bool areSame(const std::vector<fitup::Triangle>& a, const std::vector<fitup::Triangle>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const fitup::Triangle& s, const fitup::Triangle& t) { return std::equal(s.v, s.v + 3, t.v); });
}

/// Empty if it is refused.
std::optional<NativeScene> readOf(const std::filesystem::path& file) {
  try {
    return readNativeScene(file, nullptr);
  } catch (const fitup::InputError&) {
    return std::nullopt;
  }
}

bool isIncomplete(const NativeScene& scene) {
  return std::any_of(scene.warnings.begin(), scene.warnings.end(),
                     [](const auto& w) { return w.incomplete; });
}

/// Returns "element: message" of each warning; those about geometry begin with an exclamation mark.
std::string saidOf(const NativeScene& scene) {
  std::string text;
  for (const auto& w : scene.warnings)
    text += (w.incomplete ? "! " : "") + w.element + ": " + w.message + "\n";
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

NativeScene readText(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  writeText(folder / name, text);
  return readNativeScene(folder / name, nullptr);
}

/// Read by osgDB's own plugin.
std::vector<fitup::Triangle> trianglesByPlugin(const std::filesystem::path& file) {
  auto result = osgDbOfThisBuild().readNode(file.string(), nullptr);
  return trianglesOf(result.getNode());
}

const std::string asciiHead = "#Ascii Scene\n#Version 161\n#Generator OpenSceneGraph 3.6.5\n\n";

}  // namespace

TEST_CASE("native scenes are read as osgDB reads them, without a warning") {
  const TemporaryFolder folder;
  for (const Format& format : formats) {
    INFO(format.extension << " " << format.options);
    const auto file = folder / ("whole." + format.extension);
    (void)written(folder, format, *scene());
    const NativeScene read = readNativeScene(file, nullptr);
    CHECK(saidOf(read) == "");
    CHECK(trianglesOf(read.node).size() == 24);
    CHECK(areSame(trianglesOf(read.node), trianglesByPlugin(file)));
  }
}

TEST_CASE("a native scene that is cut off anywhere is refused, reported, or whole") {
  const TemporaryFolder folder;
  for (const Format& format : formats) {
    INFO(format.extension << " " << format.options);
    const std::string whole = written(folder, format, *scene());
    const std::vector<fitup::Triangle> all =
        trianglesOf(readNativeScene(folder / ("whole." + format.extension), nullptr).node);
    const auto file = folder / ("cut." + format.extension);
    std::size_t wrong = 0, firstWrong = 0, complete = 0;
    for (std::size_t size = 0; size < whole.size(); ++size) {
      writeText(file, whole.substr(0, size));
      const auto read = readOf(file);
      if (!read || isIncomplete(*read)) continue;
      ++complete;
      if (areSame(trianglesOf(read->node), all)) continue;
      if (wrong++ == 0) firstWrong = size;
    }
    INFO("first at byte " << firstWrong);
    CHECK(wrong == 0);
    CHECK(complete <= 1);  // without its last line end
  }
}

TEST_CASE("bytes of a native scene that are changed end in an answer or a refusal") {
  const TemporaryFolder folder;
  std::mt19937 random(7);
  for (const Format& format : formats) {
    INFO(format.extension << " " << format.options);
    const std::string whole = written(folder, format, *scene());
    const auto file = folder / ("changed." + format.extension);
    std::size_t refused = 0;
    for (int round = 0; round < 400; ++round) {
      std::string text = whole;
      text[random() % text.size()] = static_cast<char>(random() & 0xffU);
      writeText(file, text);
      try {
        refused += readOf(file) ? 0 : 1;
      } catch (const std::bad_alloc&) {  // because of a count
        ++refused;
      } catch (const std::length_error&) {
        ++refused;
      }
    }
    CHECK(refused > 50);
  }
}

TEST_CASE("classes that osgDB has not are named, with a count") {
  const TemporaryFolder folder;
  const osg::ref_ptr<osg::Group> root = scene();
  root->addChild(placed("c", {}, boxGeometry({}, 3)));
  for (const std::string extension : {"osgt", "osgx", "osgb"}) {
    INFO(extension);
    std::string text = written(folder, {extension, ""}, *root);
    const std::string from = extension == "osgx" ? "osg--MatrixTransform" : "osg::MatrixTransform";
    const std::string to = extension == "osgx" ? "osg--MatrixTransfoom" : "osg::MatrixTransfoom";
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
      text.replace(at, to.size(), to);
    const NativeScene read = readText(folder, "unknown." + extension, text);
    REQUIRE(read.warnings.size() == 1);
    CHECK(isIncomplete(read));
    CHECK(read.warnings[0].element == "osg::MatrixTransfoom");
    CHECK_THAT(read.warnings[0].message, Catch::Contains("no such class, 3 times, first in "));
    CHECK(trianglesOf(read.node).empty());
  }
}

TEST_CASE("properties that their class does not read are named, and so is what they keep from being read") {
  const TemporaryFolder folder;
  const std::string text = written(folder, {"osgt", ""}, *scene());
  const NativeScene strange =
      readText(folder, "strange.osgt", replaced(text, "Matrix {", "Wheel 7\n      Matrix {"));
  CHECK_THAT(saidOf(strange), Catch::Contains("! osg::MatrixTransform: its property Wheel is not read"));
  CHECK_THAT(saidOf(strange), Catch::Contains("its property Matrix is not read"));

  const std::string xml = written(folder, {"osgx", ""}, *scene());
  const NativeScene strangeXml =
      readText(folder, "strange.osgx", replaced(xml, "<Matrix ", "<Wheel attribute=\"7\" /><Matrix "));
  CHECK_THAT(saidOf(strangeXml), Catch::Contains("! osg::MatrixTransform: its property Wheel is not read"));

  // Known, but in the wrong place: after those that follow it.
  const NativeScene misplaced = readText(
      folder, "misplaced.osgt",
      asciiHead +
          "osg::Group {\n  UniqueID 1\n  Children 1 {\n    osg::Group {\n      UniqueID 2\n    }\n  }\n"
          "  Name \"x\"\n}\n");
  CHECK(isIncomplete(misplaced));
  CHECK_THAT(saidOf(misplaced), Catch::Contains("osg::Group: its property Name"));

  // Colours are not geometry.
  const NativeScene coloured =
      readText(folder, "coloured.osgt", replaced(text, "      osg::Material {", "      osg::Materiaal {"));
  CHECK(saidOf(coloured).empty());
}

TEST_CASE("what stands where it has no place, and what stands behind the scene, is reported") {
  const TemporaryFolder folder;
  const NativeScene dropped =
      readText(folder, "dropped.osgt",
               asciiHead +
                   "osg::Group {\n  UniqueID 1\n  StateSet TRUE {\n    osg::Group {\n      UniqueID 2\n"
                   "      Name \"lost\"\n    }\n  }\n}\n");
  CHECK_THAT(saidOf(dropped), Catch::Contains("! osg::Group: left out") && Catch::Contains("lost"));
  const std::string one = asciiHead + "osg::Group {\n  UniqueID 1\n}\n",
                    two = "osg::Group {\n  UniqueID 2\n}\n";
  CHECK(saidOf(readText(folder, "one.osgt", one)) == "");
  CHECK_THAT(saidOf(readText(folder, "two.osgt", one + two)), Catch::Contains("! file: contents after"));
  // One number for two objects: the second is taken for the first.
  const NativeScene twice =
      readText(folder, "twice.osgt",
               asciiHead +
                   "osg::Group {\n  UniqueID 1\n  Children 2 {\n    osg::Group {\n      UniqueID 2\n    }\n"
                   "    osg::Group {\n      UniqueID 2\n      Name \"other\"\n    }\n  }\n}\n");
  CHECK(isIncomplete(twice));
}

TEST_CASE("numbers, names and blocks of a native scene that are none are refused with their line") {
  const TemporaryFolder folder;
  const std::string text = written(folder, {"osgt", ""}, *scene());
  const auto problem = [&](const std::string& changed) {
    writeText(folder / "wrong.osgt", changed);
    return fitup::test::messageOf<fitup::InputError>(
        [&] { (void)readNativeScene(folder / "wrong.osgt", nullptr); });
  };
  CHECK_THAT(problem(replaced(text, "Children 2", "Children two")),
             Catch::Contains("line ") && Catch::Contains("'two' is not a whole number"));
  CHECK_THAT(problem(replaced(text, "TRIANGLES", "TRIANGLE")), Catch::Contains("'TRIANGLE'"));
  CHECK_THAT(problem(replaced(text, "Matrix {", "Matrix [")),
             Catch::Contains("'[' found where { is expected"));
  CHECK_THAT(problem(replaced(text, "UniqueID", "UniqueId")), Catch::Contains("UniqueID is expected"));
  std::string deep = asciiHead;
  for (int i = 1; i < 4000; ++i) deep += "osg::Group { UniqueID " + std::to_string(i) + " Children 1 { ";
  CHECK_THAT(problem(deep), Catch::Contains("nested too deeply"));
}

TEST_CASE("the command line reports what a native scene, or one that it refers to, leaves unread") {
  const TemporaryFolder folder;
  std::string text = written(folder, {"osgt", ""}, *scene());
  const std::size_t second = text.rfind("osg::MatrixTransform");
  text.replace(second, 20, "osg::MatrixTransfoom");
  writeText(folder / "unknown.osgt", text);
  writeText(folder / "cut.osgt", text.substr(0, text.size() / 2));
  const auto run = [&](const std::string& file) {
    fitup::test::RunOptions options;
    options.folder = folder.path();
    return fitup::test::runProgram(FITUP_PROGRAM, {"check", file, "--no-cache", "-q"}, options);
  };
  const auto own = run("unknown.osgt");
  INFO(own.text());
  CHECK(own.exitCode == 3);
  CHECK_THAT(own.text(), Catch::Contains("osg::MatrixTransfoom"));
  for (const std::string name : {"unknown.osgt", "cut.osgt"}) {
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(placed("own", fitup::Transform::translation({9, 9, 9}), boxGeometry({}, 2)));
    const osg::ref_ptr<osg::ProxyNode> proxy = new osg::ProxyNode;
    proxy->setFileName(0, name);
    root->addChild(proxy);
    REQUIRE(osgDbOfThisBuild().writeNode(*root, (folder / "outer.osgt").string(), nullptr).success());
    const auto referred = run("outer.osgt");
    INFO(referred.text());
    CHECK(referred.exitCode == 3);
    CHECK_THAT(referred.text(), Catch::Contains("external file " + name));
  }
}
#endif

}  // namespace native_scenes_tests
