#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fitup/io/file_version.h>
#include <fitup/io/read_assembly.h>
#include <fitup/io/report_document.h>
#include <fitup/motion/track.h>
#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// How somebody looks at an assembly; points in the world, in its unit.
struct Viewpoint {
  Vec3 eye{0, -1, 0}, target, up{0, 0, 1};
  friend bool operator==(const Viewpoint&, const Viewpoint&) = default;
};

/// What lies on the positive side, normal . x > offset, is cut away. World frame.
struct SectionPlane {
  Vec3 normal{1, 0, 0};  ///< unit
  double offset = 0;
  bool enabled = false;
  friend bool operator==(const SectionPlane&, const SectionPlane&) = default;
};

/// An instance that does not stand where the model has it.
struct MovedInstance {
  std::string path;
  RigidMotion motion;  ///< worldFromPart = motion * design placement
  friend bool operator==(const MovedInstance&, const MovedInstance&) = default;
};

/// What people made of a model: where parts stand, what is checked, recorded motions, reviews, how they look
/// at it. The model itself stays in its file, or files.
struct Project {
  /// One, or several that are read into one assembly as `readAssemblies` does. Absolute, or relative to the
  /// working folder. A project file names each relative to its own folder where it lies below that, so that
  /// all can be moved together.
  std::vector<std::filesystem::path> models;
  /// `Assembly::contentHash` when the project was saved; another one means that paths and faces may have
  /// changed.
  std::optional<std::uint64_t> modelHash;
  /// How the models' files are read.
  ImportSettings importSettings;

  std::vector<MovedInstance> moved;
  Rules rules;
  std::optional<double> tolerance;  ///< of verdicts; unset: from the tessellation
  std::vector<Track> tracks;
  std::map<std::string, Review> reviews;  ///< by `findingId` and `pairId`
  std::set<std::string> hidden, ghosted;  ///< instance paths
  std::optional<Viewpoint> viewpoint;
  std::map<std::string, Viewpoint> namedViews;
  SectionPlane section;
};

/// True for NAME.fitup-project, in capitals too.
bool isProjectFile(const std::filesystem::path& file);
/// Reads a project, docs/reference/project.md. `models` are then absolute. Throws FileError, or InputError
/// that names the file and the field.
Project readProject(const std::filesystem::path& file);
/// A project and which contents of its file it is, for those that save it again.
struct StoredProject {
  Project project;
  FileVersion version;
};
StoredProject readStoredProject(const std::filesystem::path& file);
/// Writes atomically: the old file or the new one is there, whole. Throws FileError; InputError for a project
/// without a model and, named as `readProject` does, for one that it would refuse. Then nothing is written.
/// Returns what the file is now.
FileVersion writeProject(const std::filesystem::path& file, const Project& project);
/// The same, but only over what is known of the file: throws FileChangedError, and writes nothing, where
/// somebody else has changed, made or removed it (`replaceFileAtomically`). With no version: no file.
FileVersion writeProject(const std::filesystem::path& file, const Project& project,
                         const FileVersion& expected);

}  // namespace fitup
