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

/// A model or project that has been read and made ready to be worked on.
struct OpenedModel {
  std::unique_ptr<Session> session;  ///< null if it was cancelled
  osg::ref_ptr<osg::Group> scene;    ///< `osgFitup::createScene` of the session's assembly
  std::optional<Project> project;
  std::filesystem::path projectFile;  ///< empty for a model
  std::vector<std::string> problems;  ///< of the project: what could not be taken over
  bool restored = false;              ///< from a leftover
};

/// True for NAME.fitup-project, in capitals too.
bool isProjectFile(const std::filesystem::path& file);
/// True for files that hold a motion: JSON and CSV, as no model does.
bool isMotionFile(const std::filesystem::path& file);

/// Reads a model, several into one assembly, or a project; for a leftover, `files` is its file alone. Any
/// thread. Throws as `readProject` and `readAssemblies`; InputError for a model without parts.
/// Precondition: files; a project is the only one.
OpenedModel openModel(std::vector<std::filesystem::path> files, const std::optional<Leftover>& leftover,
                      const Progress& progress);

/// Reads a motion of the assembly, named after its file if it has no name. Any thread. Throws as `readTrack`
/// and `resolve`; InputError for one without steps.
std::shared_ptr<const Track> openMotion(const std::filesystem::path& file, const Assembly& assembly);

}  // namespace fitup::viewer
