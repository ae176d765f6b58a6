#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/project_file.h>
#include <fitup/scene/poses.h>

namespace FITUP_EXPORT fitup {

/// The instances that a path in a project refers to: usually the instance of that path. In projects from
/// versions in which a product of several solids was one part, its bodies. In projects from versions in which
/// Open CASCADE divided a product into a solid and an empty compound, the instance of the product. Empty if
/// the model has changed.
std::vector<NodeId> instancesAt(const Assembly& assembly, std::string_view path);

/// The moves of a project that an assembly allows.
struct MovesFound {
  std::map<NodeId, RigidMotion> motions;  ///< worldFromPart = motion * design placement
  std::vector<MovedInstance> lacking;     ///< no such instance, or it would be too far away
  std::vector<std::string> problems;      ///< one message for users for each of `lacking`
};
MovesFound findMoves(std::span<const MovedInstance> moved, const Assembly& assembly);

/// A project with its model.
struct ProjectModel {
  Project project;
  Model model;  ///< as its files have it
  Poses moved;  ///< instances that the project has moved
  /// Warnings that the model has changed since, and about moves of `Project::moved` that are lacking, which
  /// make the result incomplete.
  std::vector<ImportWarning> problems;

  /// The model with its instances placed as in the project.
  [[nodiscard]] Model posed() const;
};

/// Reads a project and its models, with its import settings instead of those of `options`. Throws as
/// `readProject` and `readAssemblies`; the FileError for a model names the project too.
ProjectModel readProjectModel(const std::filesystem::path& file, ReadOptions options = {},
                              const Progress& progress = {});

}  // namespace fitup
