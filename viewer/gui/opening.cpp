#include <viewer/gui/opening.h>

#include <osg/KdTree>

#include <fitup/base/error.h>
#include <fitup/io/detail/file_extension.h>
#include <fitup/io/track_file.h>
#include <osgFitup/create_scene.h>

namespace fitup::viewer {
namespace {

/// Trees for picking in faces that are large; of smaller ones all triangles are looked at as quickly.
class PickTrees : public osg::KdTreeBuilder {
 public:
  static constexpr unsigned int leastVertices = 500;
  using osg::KdTreeBuilder::apply;
  void apply(osg::Geometry& geometry) override {
    const osg::Array* points = geometry.getVertexArray();
    if (points != nullptr && points->getNumElements() >= leastVertices) osg::KdTreeBuilder::apply(geometry);
  }
};

}  // namespace

bool isProjectFile(const std::filesystem::path& file) {
  return detail::lowerExtension(file) == ".fitup-project";
}

bool isMotionFile(const std::filesystem::path& file) {
  const std::string extension = detail::lowerExtension(file);
  return extension == ".json" || extension == ".csv";
}

OpenedModel openModel(const OpenRequest& request, const Progress& progress) {
  OpenedModel opened;
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& file : request.files) files.push_back(std::filesystem::absolute(file));
  ReadOptions options;
  if (request.project) {
    opened.project = request.project;
    opened.projectFile = request.projectFile;
    opened.unsaved = true;
  } else if (isProjectFile(files.front())) {
    opened.project = readProject(files.front());
    opened.projectFile = request.leftover ? request.leftover->original : files.front();
    opened.unsaved = request.leftover || !request.located.empty();
    files = request.located.empty() ? opened.project->models : request.located;
  }
  if (opened.project) static_cast<ImportSettings&>(options) = opened.project->importSettings;
  Model read = readAssemblies(files, options, progress);
  // What the model's numbers mean may be another unit now; the numbers are the same.
  if (request.project)
    for (Track& track : opened.project->tracks) track.unit = read.assembly.unit();
  if (read.assembly.instances().empty()) throw InputError(joinedNames(files), "", "has no parts");
  opened.session = std::make_unique<Session>(std::move(read), std::move(files), options, progress);
  if (progress.cancelled()) return opened;
  if (opened.project) opened.problems = opened.session->apply(*opened.project);
  opened.scene =
      osgFitup::createScene(opened.session->assembly(), opened.session->collisionModels(), {}, progress);
  if (opened.scene && !progress.cancelled()) {
    osg::ref_ptr<PickTrees> trees = new PickTrees;
    opened.scene->accept(*trees);
  }
  return opened;
}

OpenedMotion openMotion(const std::filesystem::path& file, const Assembly& assembly) {
  Track track = readTrack(file);
  const bool isOfAnotherModel = adopt(track, assembly);
  if (track.name.empty()) track.name = file.stem().string();
  return {std::make_shared<const Track>(std::move(track)), isOfAnotherModel};
}

}  // namespace fitup::viewer
