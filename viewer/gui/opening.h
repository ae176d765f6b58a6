#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <osg/Group>

#include <viewer/core/autosave.h>
#include <viewer/core/session.h>

namespace fitup::viewer {

/// What to open: models as one assembly, or one project.
struct OpenRequest {
  std::vector<std::filesystem::path> files;  ///< not empty; a project is the only one
  std::optional<Leftover> leftover = {};     ///< `files` is its file alone
  /// A project's models, where they are elsewhere than it says.
  std::vector<std::filesystem::path> located = {};
  ImportSettings importSettings = {};  ///< of models; a project has its own
};

/// A model or project that has been read and made ready to be worked on.
struct OpenedModel {
  std::unique_ptr<Session> session;
  osg::ref_ptr<osg::Group> scene;  ///< `osgFitup::createScene` of the session's assembly
  std::optional<Project> project;
  std::filesystem::path projectFile;  ///< empty for a model
  FileVersion projectVersion;         ///< of the project's file when it was read
  std::vector<std::string> problems;  ///< of the project: what could not be taken over
  bool unsaved = false;               ///< the project's file says something else, or there is none
};

/// `root` as in `ReadOptions`; no project says it. Any thread. Throws as `readProject` and `readAssemblies`;
/// InputError for a model without parts; CancelledError.
OpenedModel openModel(const OpenRequest& request, const std::optional<std::filesystem::path>& root,
                      const Progress& progress);

/// A motion that has been read, and adopted.
struct OpenedMotion {
  std::shared_ptr<const Track> track;
  bool isOfAnotherModel = false;  ///< it was recorded on one
};
/// Reads a motion of the assembly, named after its file if it has no name. Any thread. Throws as `readTrack`
/// and `adopt`; InputError for one without steps.
OpenedMotion openMotion(const std::filesystem::path& file, const Assembly& assembly);

}  // namespace fitup::viewer
