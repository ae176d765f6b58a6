#include <viewer/gui/opening.h>

#include <fitup/base/error.h>
#include <fitup/base/parallel.h>
#include <fitup/io/track_file.h>
#include <osgFitup/create_scene.h>
#include <viewer/gui/part_drawing.h>

namespace fitup::viewer {

OpenedModel openModel(const OpenRequest& request, const std::optional<std::filesystem::path>& root,
                      const Progress& progress) {
  OpenedModel opened;
  const auto absolute = [](std::vector<std::filesystem::path> files) {
    for (std::filesystem::path& file : files) file = std::filesystem::absolute(file);
    return files;
  };
  std::vector<std::filesystem::path> files = absolute(request.files);
  ReadOptions options;
  options.useCache = true;
  options.root = root;
  static_cast<ImportSettings&>(options) = request.importSettings;
  if (isProjectFile(files.front())) {
    StoredProject stored = readStoredProject(files.front());
    opened.project = std::move(stored.project);
    opened.projectFile = request.leftover ? request.leftover->original : files.front();
    opened.projectVersion = request.leftover ? request.leftover->version : stored.version;
    opened.unsaved = request.leftover || !request.located.empty();
    files = request.located.empty() ? opened.project->models : absolute(request.located);
    static_cast<ImportSettings&>(options) = opened.project->importSettings;
  }
  Model read = readAssemblies(files, options, progress);
  if (read.assembly.instances().empty()) throw InputError(joinedNames(files), "", "has no parts");
  opened.session = std::make_unique<Session>(std::move(read), std::move(files), options, progress);
  if (progress.cancelled()) throw CancelledError();
  if (opened.project)
    opened.problems = opened.session->apply(*opened.project);
  else if (request.tolerance)
    opened.session->startWithTolerance(*request.tolerance / opened.session->millimetresPerUnit());
  opened.scene =
      osgFitup::createScene(opened.session->scene(), {.threads = allCores, .drawables = false}, progress);
  addDrawings(*opened.scene, opened.session->scene(), progress);
  return opened;
}

std::shared_ptr<OverallProgress> progressOfOpening(std::size_t files) {
  // The shares are guesses; importers leave phases out.
  const std::vector<JobPhase> ofFile{{"reading", 2},      {"transferring", 3},
                                     {"tessellating", 3}, {"finding surfaces", 1},
                                     {"writing", 0.5},    {"building hierarchies", 2}};
  std::vector<JobPhase> phases = ofFile;
  phases.push_back({"making drawables", 1});
  return std::make_shared<OverallProgress>(std::move(phases), ofFile.size(), files);
}

OpenedMotion openMotion(const std::filesystem::path& file, const Assembly& assembly) {
  Track track = readTrack(file);
  const bool isOfAnotherModel = adopt(track, assembly);
  if (track.name.empty()) track.name = file.stem().string();
  return {std::make_shared<const Track>(std::move(track)), isOfAnotherModel};
}

}  // namespace fitup::viewer
