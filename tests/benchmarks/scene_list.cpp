#include "scene_list.h"

#include <algorithm>

#include <fitup/base/error.h>

#include "scene_family.h"

namespace fitup::bench {
namespace {

constexpr const char *usualGroup = "usual", *hardGroup = "hard";

std::vector<Family> families() {
  std::vector<Family> all = usualFamilies();
  for (Family& family : hardFamilies()) all.push_back(std::move(family));
  return all;
}

std::vector<std::string> namesOf(const std::vector<Family>& families) {
  std::vector<std::string> names;
  for (const Family& family : families)
    for (const SceneName& scene : family.scenes) names.push_back(scene.name);
  return names;
}

}  // namespace

std::vector<SceneName> sceneNames() {
  std::vector<SceneName> names;
  for (const Family& family : families())
    names.insert(names.end(), family.scenes.begin(), family.scenes.end());
  return names;
}

std::vector<std::string> usualSceneNames() { return namesOf(usualFamilies()); }

namespace {
std::vector<std::string> resolveGroups(const std::vector<std::string>& names) {
  std::vector<std::string> resolved;
  for (const std::string& name : names) {
    const std::vector<std::string> scenes = name == hardGroup    ? namesOf(hardFamilies())
                                            : name == usualGroup ? namesOf(usualFamilies())
                                                                 : std::vector<std::string>{name};
    resolved.insert(resolved.end(), scenes.begin(), scenes.end());
  }
  return resolved;
}
}  // namespace

std::vector<Scene> makeScenes(const std::vector<std::string>& wantedNames, SceneSize size) {
  const std::vector<std::string> names = resolveGroups(wantedNames);
  const std::vector<SceneName> known = sceneNames();
  for (const std::string& wanted : names)
    if (std::none_of(known.begin(), known.end(), [&](const SceneName& k) { return k.name == wanted; })) {
      std::string list;
      for (const SceneName& k : known) list += (list.empty() ? "" : ", ") + k.name;
      throw InputError("scene", wanted, "is not there; there are: " + list);
    }
  const auto isWanted = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::vector<Scene> scenes;
  for (const Family& family : families()) {
    if (std::none_of(family.scenes.begin(), family.scenes.end(),
                     [&](const SceneName& s) { return isWanted(s.name); }))
      continue;
    for (Scene& scene : family.make(size, isWanted)) {
      if (!isWanted(scene.name)) continue;
      const auto listed = std::find_if(family.scenes.begin(), family.scenes.end(),
                                       [&](const SceneName& s) { return s.name == scene.name; });
      scene.description = listed->description;
      scenes.push_back(std::move(scene));
    }
  }
  return scenes;
}

}  // namespace fitup::bench
