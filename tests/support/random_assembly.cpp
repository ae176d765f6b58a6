#include "random_assembly.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "placements.h"
#include "tiny_meshes.h"

namespace fitup::test {
namespace {

constexpr std::array names{"bolt", "bolt", "plate", "a/b", "50 %", "no #1", "Flansch ä", ""};

std::string randomName(Random& random) { return names[random.below(names.size())]; }

Transform randomPlacementOfAnyKind(Random& random, double reach) {
  const auto kind = allPlacementClasses[random.below(allPlacementClasses.size())];
  return randomPlacement(kind, random, reach);
}

}  // namespace

Assembly randomAssembly(std::uint64_t seed, std::uint32_t instances) {
  Random random(seed);
  Assembly assembly("random " + std::to_string(seed));
  std::vector<PartId> parts;
  const MeshPtr cube = sixSidedBox(1, 1, 1, 2);
  for (const MeshPtr& mesh : {cube, cylinder(0.5, 2, 8), emptyMesh(), latticeSoup(30, seed, 2, 3),
                              soup(40, seed + 1, 0.8, 4), cube, lShape(1.5, 1), tetrahedron(1.5)})
    parts.push_back(assembly.addPart(mesh));

  // One statement for each random number, because the compiler decides the order of evaluation of arguments.
  std::vector<std::optional<NodeId>> parents{std::nullopt};
  const auto addNode = [&](std::optional<PartId> part, double reach) {
    const auto parent = parents[random.below(static_cast<std::uint32_t>(parents.size()))];
    std::string name = randomName(random);
    const Transform placement = randomPlacementOfAnyKind(random, reach);
    return assembly.addNode(std::move(name), placement, parent, part);
  };
  while (parents.size() < 1 + instances / 3) parents.emplace_back(addNode({}, 1));
  for (std::uint32_t i = 0; i < instances; ++i)
    addNode(parts[random.below(static_cast<std::uint32_t>(parts.size()))], 2);
  return assembly;
}

}  // namespace fitup::test
