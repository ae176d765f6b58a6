#include <models/crossed_rods.h>

#include <array>
#include <memory>

#include <models/random.h>

namespace fitup::models {
namespace {

/// A box with a surface for each side.
void addRod(TriangleMeshBuilder& builder, const Vec3& centre, const Vec3& half) {
  std::array<std::uint32_t, 8> corner{};
  for (std::size_t i = 0; i < 8; ++i)
    corner[i] = builder.addPoint({centre.x + ((i & 1) != 0 ? half.x : -half.x),
                                  centre.y + ((i & 2) != 0 ? half.y : -half.y),
                                  centre.z + ((i & 4) != 0 ? half.z : -half.z)});
  constexpr std::size_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& side : sides) {
    builder.beginSurface();
    builder.addTriangle(corner[side[0]], corner[side[1]], corner[side[2]]);
    builder.addTriangle(corner[side[0]], corner[side[2]], corner[side[3]]);
  }
}

PartId addRack(Assembly& assembly, const char* name, int along, Random& random,
               const CrossedRodsOptions& options) {
  TriangleMeshBuilder builder(name);
  const double length = options.rods * options.pitch, half = options.thickness / 2;
  for (int i = 0; i < options.rods; ++i) {
    Vec3 centre, extent{half, half, half};
    centre[1 - along] = (i + 0.5) * options.pitch - length / 2;
    centre.z = random.between(-options.jitter, options.jitter) / 2;
    extent[along] = length / 2;
    addRod(builder, centre, extent);
  }
  return assembly.addPart(std::make_shared<const TriangleMesh>(builder.build()));
}

}  // namespace

Assembly makeCrossedRods(const CrossedRodsOptions& options) {
  Assembly assembly("crossed-rods");
  const NodeId root = assembly.addNode("crossed-rods", {});
  Random random(options.seed);
  const PartId lower = addRack(assembly, "lower", 0, random, options),
               upper = addRack(assembly, "upper", 1, random, options);
  assembly.addNode("lower", {}, root, lower, Colour{0.45F, 0.55F, 0.65F, 1});
  assembly.addNode("upper", Transform::translation({0, 0, options.thickness / 2}), root, upper,
                   Colour{0.7F, 0.62F, 0.45F, 1});
  return assembly;
}

}  // namespace fitup::models
