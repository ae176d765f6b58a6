#include <viewer/core/selection_facts.h>

#include <algorithm>
#include <map>

namespace fitup::viewer {
namespace {

/// Returns the lowest node above all of them, if nothing else is below it.
std::optional<NodeId> subassemblyOf(const Assembly& assembly, const std::set<NodeId>& instances) {
  std::optional<NodeId> common = *instances.begin();
  for (const NodeId node : instances)
    while (common && !assembly.isAtOrBelow(node, *common)) common = assembly.node(*common).parent;
  if (!common || assembly.instancesBelow(*common).size() != instances.size()) return std::nullopt;
  return common;
}

}  // namespace

SelectionFacts factsOf(const Scene& scene, const std::set<NodeId>& selection) {
  const Assembly& assembly = scene.assembly();
  SelectionFacts facts;
  facts.instances = selection.size();
  if (selection.empty()) return facts;
  facts.node = subassemblyOf(assembly, selection);
  // Parts that share a mesh share its model too.
  std::map<const CollisionModel*, std::size_t> untessellated;
  for (const NodeId node : selection) {
    const PartId part = assembly.partOf(node);
    const TriangleMesh& mesh = assembly.part(part);
    const CollisionModel& model = *scene.collisionModel(part);
    const auto [at, fresh] = untessellated.try_emplace(&model);
    if (fresh) {
      at->second = static_cast<std::size_t>(
          std::ranges::count(mesh.surfaces(), std::uint32_t{0}, &Surface::triangleCount));
      facts.hierarchyBytes += model.hierarchyBytes();
    }
    facts.surfaces += mesh.surfaces().size();
    facts.untessellated += at->second;
    facts.triangles += mesh.triangleCount();
    facts.degenerate += mesh.validation().degenerateTriangles;
  }
  facts.distinctParts = untessellated.size();
  return facts;
}

}  // namespace fitup::viewer
