#pragma once

#include <string>
#include <vector>

#include "scene.h"

namespace fitup::bench {

/// How large the scenes are.
enum class SceneSize {
  full,
  quick,  ///< small meshes and few poses: shows that everything runs, says nothing about times
};

struct SceneName {
  std::string name, description;
};

/// Scenes of generated models, in the order in which they run. Those that share their parts stand together.
std::vector<SceneName> sceneNames();

/// Freezes the named scenes, in the order of `sceneNames`; each is the same in every run on every machine.
/// Throws InputError for an unknown name, listing the known ones.
std::vector<Scene> makeScenes(const std::vector<std::string>& names, SceneSize size);

}  // namespace fitup::bench
