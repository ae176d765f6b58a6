#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <osg/Group>

#include <viewer/core/autosave.h>
#include <viewer/core/overall_progress.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// The files to open: models as one assembly, or one project.
struct OpenRequest {
  std::vector<std::filesystem::path> files;  ///< not empty; a project must be the only file
  std::optional<Leftover> leftover = {};     ///< `files` then holds only its file
  /// The locations of a project's models, if they differ from those in the project.
  std::vector<std::filesystem::path> located = {};
  ImportSettings importSettings = {};    ///< settings for models; a project has its own
  std::optional<double> tolerance = {};  ///< in mm, for models; a project has its own
};

/// A model or project that has been read and prepared for work.
struct OpenedModel {
  std::unique_ptr<Session> session;
  osg::ref_ptr<osg::Group> scene;  ///< of the session's assembly, with `addDrawings`
  std::optional<Project> project;
  std::filesystem::path projectFile;  ///< empty for a model
  FileVersion projectVersion;         ///< version of the project's file when it was read
  std::vector<std::string> problems;  ///< parts of the project that could not be applied
  bool unsaved = false;               ///< the project's file differs, or there is none
};

/// `root` as in `ReadOptions`; projects do not contain it. Any thread may call it. Throws like `readProject`
/// and `readAssemblies`; InputError for a model without parts; CancelledError.
OpenedModel openModel(const OpenRequest& request, const std::optional<std::filesystem::path>& root,
                      const Progress& progress);

/// The progress of `openModel` for this number of files.
std::shared_ptr<OverallProgress> progressOfOpening(std::size_t files);

/// A motion that has been read and adapted.
struct OpenedMotion {
  std::shared_ptr<const Track> track;
  bool isOfAnotherModel = false;  ///< it was recorded on another model
};
/// Reads a motion of the assembly; one without a name is named after its file. Any thread may call it. Throws
/// like `readTrack` and `adopt`; InputError for one without steps.
OpenedMotion openMotion(const std::filesystem::path& file, const Assembly& assembly);

}  // namespace fitup::viewer
