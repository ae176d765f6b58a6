#include <fitup/io/project_model.h>

#include <utility>

#include <fitup/base/error.h>
#include <fitup/motion/track.h>

namespace fitup {

std::vector<NodeId> instancesAt(const Assembly& assembly, std::string_view path) {
  if (const std::optional<NodeId> node = assembly.find(path)) {
    if (assembly.node(*node).part) return {*node};
    return assembly.instancesBelow(*node);
  }
  constexpr std::string_view onlySolid = "/SOLID";
  if (!path.ends_with(onlySolid)) return {};
  path.remove_suffix(onlySolid.size());
  const std::optional<NodeId> product = assembly.find(path);
  return product && assembly.node(*product).part ? std::vector{*product} : std::vector<NodeId>();
}

MovesFound findMoves(std::span<const MovedInstance> moved, const Assembly& assembly) {
  MovesFound found;
  for (const MovedInstance& move : moved) {
    std::string problem = "the model has no instance '" + move.path + "'";
    try {
      const std::vector<NodeId> instances = instancesAt(assembly, move.path);
      for (const NodeId instance : instances) (void)movedPlacement(assembly, instance, move.motion);
      for (const NodeId instance : instances) found.motions[instance] = move.motion;
      if (!instances.empty()) continue;
    } catch (const InputError& error) {
      problem = error.what();
    }
    found.lacking.push_back(move);
    found.problems.push_back(std::move(problem));
  }
  return found;
}

Model ProjectModel::posed() const {
  Model posed = model;
  if (!moved.empty()) posed.assembly = sceneOf(model).posedAssembly(moved);
  return posed;
}

ProjectModel readProjectModel(const std::filesystem::path& file, ReadOptions options,
                              const Progress& progress) {
  ProjectModel read;
  read.project = readProject(file);
  static_cast<ImportSettings&>(options) = read.project.importSettings;
  try {
    read.model = readAssemblies(read.project.models, options, progress);
  } catch (const FileError& error) {
    throw FileError(file.string() + ": " + error.what());
  }
  const Assembly& assembly = read.model.assembly;
  if (read.project.modelHash && *read.project.modelHash != assembly.contentHash())
    read.problems.push_back(
        {file.string(),
         "the model has changed since the project was saved; what was placed or reviewed may not be there",
         false});
  const MovesFound found = findMoves(read.project.moved, assembly);
  for (const std::string& problem : found.problems) read.problems.push_back({file.string(), problem, true});
  for (const auto& [node, motion] : found.motions)
    read.moved.set(node, movedPlacement(assembly, node, motion));
  return read;
}

}  // namespace fitup
