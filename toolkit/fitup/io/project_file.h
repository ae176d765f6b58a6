#pragma once

#include <compare>
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

/// A view of an assembly; points in the world, in its unit.
struct Viewpoint {
  Vec3 eye{0, -1, 0}, target, up{0, 0, 1};
  friend bool operator==(const Viewpoint&, const Viewpoint&) = default;
};

/// A section plane: everything on the positive side, normal . x > offset, is cut away. World frame.
struct SectionPlane {
  Vec3 normal{1, 0, 0};  ///< unit
  double offset = 0;
  bool enabled = false;
  friend bool operator==(const SectionPlane&, const SectionPlane&) = default;
};

/// The most section planes of a project: every OpenGL has this many clip planes, and a box has six sides.
inline constexpr std::size_t mostSections = 6;

/// An instance that is not at its design placement.
struct MovedInstance {
  std::string path;
  RigidMotion motion;  ///< worldFromPart = motion * design placement
  friend bool operator==(const MovedInstance&, const MovedInstance&) = default;
};

/// How a part looks instead of as in its file. It is for display alone.
struct PartLook {
  std::optional<std::uint32_t> colour;  ///< 0xRRGGBB; unset: the colours of the file
  unsigned transparency = 0;            ///< percent; 0 is opaque, 100 shows edges only
  friend auto operator<=>(const PartLook&, const PartLook&) = default;
};

/// The work of users on a model: placements, rules, recorded motions, reviews and views. The model stays in
/// its own file or files.
struct Project {
  /// One model file, or several that are read into one assembly as `readAssemblies` does. Paths are absolute
  /// or relative to the working folder. A project file stores paths below its own folder relative to it, so
  /// that all files can be moved together.
  std::vector<std::filesystem::path> models;
  /// `Assembly::contentHash` when the project was saved. If it differs, paths and faces may have changed.
  std::optional<std::uint64_t> modelHash;
  /// Import settings for the model files.
  ImportSettings importSettings;

  std::vector<MovedInstance> moved;
  Rules rules;
  std::optional<double> tolerance;  ///< tolerance of verdicts; unset: from the tessellation
  std::vector<Track> tracks;
  std::map<std::string, Review> reviews;  ///< by `findingId` and `pairId`
  std::set<std::string> hidden, ghosted;  ///< instance paths
  std::map<std::string, PartLook> looks;  ///< by instance path
  std::optional<Viewpoint> viewpoint;
  std::map<std::string, Viewpoint> namedViews;
  /// At most `mostSections`. What any enabled plane cuts away is cut away.
  std::vector<SectionPlane> sections;
};

/// True for the extension .fitup-project, in any case.
bool isProjectFile(const std::filesystem::path& file);
/// Reads a project (docs/reference/project.md). Its `models` are then absolute. Throws FileError, or
/// InputError that names the file and the field.
Project readProject(const std::filesystem::path& file);
/// A project and the version of its file, for saving it again.
struct StoredProject {
  Project project;
  FileVersion version;
};
StoredProject readStoredProject(const std::filesystem::path& file);
/// Writes a project atomically and returns the version of the file. Throws FileError. Throws InputError for a
/// project without a model and, with the message of `readProject`, for one that could not be read again;
/// nothing is then written.
FileVersion writeProject(const std::filesystem::path& file, const Project& project);
/// The same, but only if the file has the version `expected`; an unset version: no file. Throws
/// FileChangedError, and writes nothing, if somebody else has changed, made or removed it
/// (`replaceFileAtomically`).
FileVersion writeProject(const std::filesystem::path& file, const Project& project,
                         const FileVersion& expected);

}  // namespace fitup
