#include <fitup/io/project_model.h>

#include <utility>

#include <fitup/scene/posed_assembly.h>

namespace fitup {

Model ProjectModel::placed(std::span<const NodeId> asDesigned) const {
  Model placed = model;
  if (moved.empty()) return placed;
  PosedAssembly::Placements placements = PosedAssembly::placementsOf(moved);
  for (const NodeId instance : asDesigned) placements.erase(instance);
  PosedAssembly posed(model.assembly);
  posed.place(std::move(placements));
  placed.assembly = posed.assembly();
  return placed;
}

ProjectModel readProjectModel(Project project, ReadOptions options, const Progress& progress) {
  static_cast<ImportSettings&>(options) = project.importSettings;
  ProjectModel read;
  read.model = readAssemblies(project.models, options, progress);
  const Assembly& assembly = read.model.assembly;
  if (project.modelHash && *project.modelHash != assembly.contentHash())
    read.problems.emplace_back("the model has changed since the project was saved");
  for (const MovedInstance& moved : project.moved) {
    const std::optional<NodeId> node = assembly.find(moved.path);
    if (node && assembly.node(*node).part)
      read.moved.push_back({*node, moved.motion.transform() * assembly.worldFromNode(*node)});
    else
      read.problems.push_back("the model has no instance '" + moved.path + "', which the project moves");
  }
  read.project = std::move(project);
  return read;
}

}  // namespace fitup
