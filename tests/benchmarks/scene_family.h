#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scene_list.h"

namespace fitup::bench {

using IsWanted = std::function<bool(const std::string& name)>;

/// Scenes that are made at once, because they share their parts; unwanted ones may be left out.
struct Family {
  std::vector<SceneName> scenes;
  std::function<std::vector<Scene>(SceneSize, const IsWanted&)> make;
};

/// A family of one scene.
inline Family one(const std::string& name, const std::string& description,
                  std::function<Scene(SceneSize)> make) {
  return {{{name, description}},
          [make](SceneSize size, const IsWanted&) { return std::vector<Scene>{make(size)}; }};
}

inline Parts single(TriangleMesh mesh) { return {std::make_shared<const TriangleMesh>(std::move(mesh))}; }

/// The scenes of a run in which none are named.
std::vector<Family> usualFamilies();
/// The scenes in which other libraries are or were quicker than Fitup.
std::vector<Family> hardFamilies();

}  // namespace fitup::bench
