#include <string>
#include <string_view>

#include <osg/NodeVisitor>
#include <osg/Notify>
#include <osg/ValueObject>
#include <osgDB/ReadFile>
#include <osgDB/Registry>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_extension.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/scene_walk.h>

#include "collada_unit.h"
#include "external_files.h"
#include "importer_main.h"

using namespace fitup;

namespace {

/// So that osgDB finds the plugins of this build (bin) or installation (libexec/fitup), serializers of the
/// node kit among them.
void addPluginFolders() {
  std::error_code error;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return;
  const auto folder = here.filename() == "bin" ? here.parent_path() / "lib"
                                               : here.parent_path().parent_path() / FITUP_LIBRARY_FOLDER;
  if (std::filesystem::is_directory(folder, error))
    osgDB::Registry::instance()->getLibraryFilePathList().push_front(folder.string());
}

/// Reports carry names, in UTF-8.
class NameCleaner : public osg::NodeVisitor {
 public:
  NameCleaner() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
  using osg::NodeVisitor::apply;
  void apply(osg::Node& node) override {
    node.setName(importers::validUtf8(node.getName()));
    traverse(node);
  }
};

/// Of those that say why parts are missing, the first few.
std::string firstReasons(const std::vector<ImportWarning>& warnings) {
  constexpr std::size_t few = 3;
  std::size_t listed = 0;
  std::string text;
  for (const ImportWarning& warning : warnings)
    if (warning.incomplete && listed++ < few) text += "; " + warning.element + ": " + warning.message;
  if (listed > few) text += "; and " + std::to_string(listed - few) + " more";
  return text;
}

Model import(const importers::Arguments& arguments, importers::ProgressLines& progress) {
  std::string unit = arguments.unit();
  UpAxis upAxis = arguments.upAxis();
  if (detail::lowerExtension(arguments.input) == ".dae") {  // says its unit, and is turned by its plugin
    unit = importers::colladaUnit(arguments.input);
    upAxis = UpAxis::z;
  }
  osg::setNotifyLevel(osg::WARN);  // anything less goes to the output, where the protocol's lines are
  addPluginFolders();
  progress.report("reading", -1);
  const osg::ref_ptr<importers::ExternalFiles> files = new importers::ExternalFiles(arguments.input);
  osgDB::Registry::instance()->setReadFileCallback(files);
  auto read = osgDB::Registry::instance()->readNode(arguments.input.string(), nullptr);
  if (!read.validNode())
    throw InputError(read.message().empty() ? "not readable by OpenSceneGraph"
                                            : importers::validUtf8(read.message()));
  const osg::ref_ptr<osg::Node> scene = read.getNode();
  NameCleaner cleaner;
  scene->accept(cleaner);
  if (scene->getName().empty()) scene->setName(importers::validUtf8(arguments.input.stem().string()));
  std::string ownUnit;
  if (!scene->getUserValue("osgFitup.unit", ownUnit)) scene->setUserValue("osgFitup.unit", unit);
  unsigned int ownUpAxis = 0;
  if (!scene->getUserValue("osgFitup.upAxis", ownUpAxis))
    scene->setUserValue("osgFitup.upAxis", static_cast<unsigned int>(upAxis));

  // Hierarchies are built by the caller, with its options.
  osgFitup::detail::SceneRequest request;
  request.refit = false;
  request.build.triangleTrees = false;
  request.build.wide.reset();
  request.progress =
      Progress({}, [&](std::string_view phase, double fraction) { progress.report(phase, fraction); });
  osgFitup::detail::CheckedScene made = osgFitup::detail::checkedScene(*scene, request);
  Model model;
  osgFitup::detail::addWarnings(files->warnings, model.warnings);
  osgFitup::detail::addWarnings(made.warnings, model.warnings);
  if (made.scene.instances.empty()) throw InputError("holds no triangles" + firstReasons(model.warnings));

  model.assembly = std::move(made.scene.assembly);
  model.source.path = arguments.input.string();
  model.source.companions = std::move(files->companions);
  if (made.pointsAndLines > 0)
    model.warnings.push_back(
        {"file", std::to_string(made.pointsAndLines) + " points and lines are left out", false});
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  return importers::runMain(
      argc, argv, "Reads a file by OpenSceneGraph's plugins and writes a Fitup model file.",
      {{"unit", "mm", "unit of the file's numbers, for files that do not say: mm, cm, m, in, ft"},
       {"up", "z", "axis of the file that points up, for files that do not say: x, y, z"}},
      import);
}
