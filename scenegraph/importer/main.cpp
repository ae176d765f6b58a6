#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include <osg/NodeVisitor>
#include <osg/Notify>
#include <osg/ValueObject>
#include <osgDB/Registry>

#include <fitup/base/error.h>
#include <fitup/io/formats.h>
#include <fitup/io/read_assembly.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/part_contents.h>
#include <osgFitup/detail/scene_walk.h>

#include "collada_unit.h"
#include "external_files.h"
#include "gate.h"
#include "graph_limits.h"
#include "importer_main.h"
#include "readers.h"

using namespace fitup;

namespace {

/// Makes the root the working folder while it lives, because libraries and files are searched for in the
/// working folder, and that of the user may hold matching names.
class RootAsWorkingFolder {
 public:
  RootAsWorkingFolder() : before_(std::filesystem::current_path()) { std::filesystem::current_path("/"); }
  ~RootAsWorkingFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  RootAsWorkingFolder(const RootAsWorkingFolder&) = delete;
  RootAsWorkingFolder& operator=(const RootAsWorkingFolder&) = delete;

 private:
  std::filesystem::path before_;
};

/// Makes names valid UTF-8, because reports hold them.
class NameCleaner : public osg::NodeVisitor {
 public:
  NameCleaner() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) override {
    if (!seen_.insert(&node).second) return;  // a graph of few nodes may have very many paths
    node.setName(importers::validUtf8(node.getName()));
    traverse(node);
  }

 private:
  std::set<const osg::Node*> seen_;
};

/// Finds active nodes whose shape in a viewer differs from that in the file.
class LateShapes : public osg::NodeVisitor {
 public:
  LateShapes() : osg::NodeVisitor(TRAVERSE_ACTIVE_CHILDREN) {}
  std::vector<ImportWarning> warnings;

  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) override {
    if (!seen_.insert(&node).second) return;
    if (osgFitup::detail::isShapedWhileShown(node))
      warnings.push_back({osgFitup::detail::pathText(getNodePath()),
                          std::string("a ") + node.className() +
                              " gets its shape while it is displayed; only what the file holds is checked",
                          true});
    traverse(node);
  }

 private:
  std::set<const osg::Node*> seen_;
};

/// Returns the first few of the warnings that explain why parts are missing.
std::string firstReasons(const std::vector<ImportWarning>& warnings) {
  constexpr std::size_t few = 3;
  std::size_t listed = 0;
  std::string text;
  for (const ImportWarning& warning : warnings)
    if (warning.incomplete && listed++ < few) text += "; " + warning.element + ": " + warning.message;
  if (listed > few) text += "; and " + std::to_string(listed - few) + " more";
  return text;
}

/// Returns how far the numbers of a scene are rounded, relative to each number: text has six digits, and
/// vertices are numbers of 32 bits.
double roundingOf(const importers::Arguments& arguments) {
  constexpr double text = 1e-5, binary = 1e-6;
  const auto isText = [](const std::filesystem::path& file) {
    const std::string extension = lowerExtension(file);
    return extension == ".osgt" || extension == ".osgx";
  };
  const auto& others = arguments.source.referencedFiles();
  return isText(arguments.source.bytes()) ||
                 std::any_of(others.begin(), others.end(),
                             [&](const auto& other) { return isText(other.path); })
             ? text
             : binary;
}

/// Passes the messages of OSG to standard error and, while files are read, to `files`.
class Listener : public osg::NotifyHandler {
 public:
  void notify(osg::NotifySeverity, const char* message) override {
    std::fputs(message, stderr);
    if (files != nullptr) files->hear(message);
  }

  importers::ExternalFiles* files = nullptr;
};

/// Reads the source by the rules of the files. Throws InputError.
osg::ref_ptr<osg::Node> readScene(importers::ExternalFiles& files, const osgDB::Options* options) {
  const osg::ref_ptr<Listener> listener = new Listener;
  osg::setNotifyLevel(osg::WARN);  // lower levels go to the output, which has the protocol's lines
  osg::setNotifyHandler(listener);
  listener->files = &files;
  auto read = files.readSource(options);
  listener->files = nullptr;  // OSG keeps the listener until the program ends
  if (read.validNode()) return read.getNode();
  throw InputError(
      (read.message().empty() ? "not readable by OpenSceneGraph" : importers::validUtf8(read.message())) +
      firstReasons(files.warnings));
}

/// Keeps libraries that read files by themselves from looking in places of the user's account.
void keepLibrariesSimple() {
  ::setenv("COIN_NO_SOTYPE_DYNLOAD", "1", 1);  // unknown node types would be names of libraries
  ::setenv("XML_CATALOG_FILES", "", 1);        // libxml2
  // Files may refer to each other endlessly, and Coin opens one within another. This limit is lower than what
  // its stack can hold.
  const rlimit openFiles{256, 256};
  ::setrlimit(RLIMIT_NOFILE, &openFiles);
}

Model import(importers::Arguments& arguments, importers::ProgressLines& progress) {
  std::string unit = arguments.unit();
  UpAxis upAxis = arguments.upAxis();
  const std::filesystem::path input = arguments.source.bytes();
  const std::string extension = lowerExtension(input);
  const RootAsWorkingFolder elsewhere;
  progress.report("reading", -1);
  const osg::ref_ptr<importers::ExternalFiles> files = new importers::ExternalFiles(arguments.source);
  keepLibrariesSimple();
  osgDB::Registry& registry = *osgDB::Registry::instance();
  registry.setReadFileCallback(files);
  registry.setFindFileCallback(files);
  const importers::Gate gate(*files);
  importers::loadReaders(extension.substr(std::min<std::size_t>(1, extension.size())));
  float meters = 1;
  const osg::ref_ptr<osgDB::Options> options = new osgDB::Options;
  options->setPluginData("DAE-AssetUnitMeter", &meters);
  const osg::ref_ptr<osg::Node> scene = readScene(*files, options);
  if (extension == ".dae") {  // the file gives its unit, and its plugin turns the scene but keeps the numbers
    unit = importers::colladaUnit(input, meters);
    upAxis = UpAxis::z;
  }
  importers::checkGraphLimits(*scene);
  NameCleaner cleaner;
  scene->accept(cleaner);
  if (scene->getName().empty()) scene->setName(importers::validUtf8(arguments.source.name().stem().string()));
  std::string ownUnit;
  if (!scene->getUserValue("osgFitup.unit", ownUnit)) scene->setUserValue("osgFitup.unit", unit);
  unsigned int ownUpAxis = 0;
  if (!scene->getUserValue("osgFitup.upAxis", ownUpAxis))
    scene->setUserValue("osgFitup.upAxis", static_cast<unsigned int>(upAxis));

  // The caller builds hierarchies, with its options.
  osgFitup::detail::SceneRequest request;
  request.refit = false;
  if (const std::string& word = arguments.text("segment"); word != "none") {
    ImportSettings settings;
    setSegmentation(settings, "option --segment", word);
    request.division = {settings.sceneSurfaces, *settings.segmentationAngle};
  }
  request.drawnRounding = roundingOf(arguments);
  request.build.wide.reset();
  request.progress =
      Progress({}, [&](std::string_view phase, double fraction) { progress.report(phase, fraction); });
  osgFitup::detail::CheckedScene made = osgFitup::detail::checkedScene(*scene, request);
  Model model;
  LateShapes lateShapes;
  scene->accept(lateShapes);
  osgFitup::detail::addWarnings(files->warnings, model.warnings);
  osgFitup::detail::addWarnings(lateShapes.warnings, model.warnings);
  osgFitup::detail::addWarnings(made.warnings, model.warnings);
  // The reason why solid text has no letters.
  if (std::any_of(made.warnings.begin(), made.warnings.end(), [](const ImportWarning& warning) {
        return warning.message == osgFitup::detail::noSolidLetters;
      }))
    osgFitup::detail::addWarnings(files->fontWarnings, model.warnings);
  if (made.scene.instances.empty()) throw InputError("holds no triangles" + firstReasons(model.warnings));

  model.assembly = made.scene.assembly();
  model.source.path = arguments.source.name().string();
  model.source.referencedFiles = arguments.source.referencedFiles();
  if (made.pointsAndLines > 0)
    model.warnings.push_back(
        {"file",
         std::to_string(made.pointsAndLines) + " points and lines are left out: only faces are checked",
         false});
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  return importers::runMain(argc, argv,
                            "Reads a file by OpenSceneGraph's plugins and writes a Fitup model file.",
                            {{"unit", "mm", "unit of files that do not declare one: mm, cm, m, in, ft"},
                             {"up", "z", "axis that points up in files that do not declare one: x, y, z"},
                             {"segment", "none",
                              "surfaces: none, one for each drawable; primitives, one for each primitive "
                              "set; a number, smooth patches up to that angle in degrees"}},
                            import);
}
