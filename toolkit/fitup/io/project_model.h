#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <fitup/io/project_file.h>
#include <fitup/scene/live_interference.h>

namespace fitup {

/// A project with its model.
struct ProjectModel {
  Project project;
  Model model;                      ///< as its files have it
  std::vector<InstanceMove> moved;  ///< instances that the project has elsewhere
  /// What of the project the model does not have, and whether it has changed since; for users to read.
  std::vector<std::string> problems;

  /// The model with instances where the project has them, but for those `asDesigned`, which stand as in its
  /// files. An instance below another one does not follow it.
  [[nodiscard]] Model placed(std::span<const NodeId> asDesigned = {}) const;
};

/// Reads the models of a project with its import settings, in place of those of `options`, and finds its
/// instances. Throws as `readAssemblies`.
ProjectModel readProjectModel(Project project, ReadOptions options = {}, const Progress& progress = {});

}  // namespace fitup
