#pragma once

#include <string>
#include <vector>

#include "scene.h"

namespace fitup::bench {

/// The size of the scenes.
enum class SceneSize {
  full,
  quick,  ///< small meshes and few poses: shows that everything runs; times mean nothing
};

struct SceneName {
  std::string name, description;
};

/// Returns the scenes of generated models, in the order in which they run. Scenes that share their parts are
/// consecutive.
std::vector<SceneName> sceneNames();

/// Those of a run in which none are named.
std::vector<std::string> usualSceneNames();

/// Freezes the named scenes, or those of the groups `usual` and `hard`, in the order of `sceneNames`; each is
/// the same in every run on every machine. Throws InputError for an unknown name, listing the known ones.
std::vector<Scene> makeScenes(const std::vector<std::string>& names, SceneSize size);

}  // namespace fitup::bench
