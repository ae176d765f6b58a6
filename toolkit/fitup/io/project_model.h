#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fitup/io/project_file.h>
#include <fitup/scene/poses.h>

namespace FITUP_EXPORT fitup {

/// The instances that a path of a project stands for: the instance of that path. Of projects that were made
/// when a product of several solids was one part: its bodies; and when Open CASCADE divided a product into a
/// solid and an empty compound: the instance of the product. None: the model has changed.
std::vector<NodeId> instancesAt(const Assembly& assembly, std::string_view path);

/// What of a project's moves can be made with an assembly.
struct MovesFound {
  std::map<NodeId, RigidMotion> motions;  ///< worldFromPart = motion * design placement
  std::vector<MovedInstance> lacking;     ///< no instance of it, or it would be too far away
  std::vector<std::string> problems;      ///< one for each of those, for users to read
};
MovesFound findMoves(std::span<const MovedInstance> moved, const Assembly& assembly);

/// A project with its model.
struct ProjectModel {
  Project project;
  Model model;  ///< as its files have it
  Poses moved;  ///< instances that the project has elsewhere
  /// That the model has changed since, and what of `Project::moved` is lacking, which leaves the answer
  /// incomplete.
  std::vector<ImportWarning> problems;

  /// The model with instances where the project has them, for whoever needs it as a whole.
  [[nodiscard]] Model posed() const;
};

/// Reads a project, and its models with its import settings in place of those of `options`. Throws as
/// `readProject` and `readAssemblies`; the FileError for a model names the project too.
ProjectModel readProjectModel(const std::filesystem::path& file, ReadOptions options = {},
                              const Progress& progress = {});

}  // namespace fitup
