#include <models/rod_bundle.h>

#include <models/angle.h>

namespace fitup::models {
namespace {

void addPrism(TriangleMeshBuilder& builder, double y, double z, const RodBundleOptions& o) {
  const auto sides = static_cast<std::uint32_t>(o.sides);
  std::uint32_t first = 0;
  for (int end = 0; end < 2; ++end)
    for (std::uint32_t k = 0; k < sides; ++k) {
      const double turns = (k + 0.5) / o.sides;
      const std::uint32_t p = builder.addPoint(
          {(end - 0.5) * o.length, y + o.radius * cosTurns(turns), z + o.radius * sinTurns(turns)});
      if (end == 0 && k == 0) first = p;
    }
  SurfaceDescription round, flat;
  round.kind = SurfaceKind::cylinder;
  round.radius = o.radius;
  flat.kind = SurfaceKind::plane;
  builder.beginSurface("rod", {}, round);
  for (std::uint32_t k = 0; k < sides; ++k) {
    const std::uint32_t next = (k + 1) % sides, a = first + k, b = first + next;
    builder.addTriangle(a, b, b + sides);
    builder.addTriangle(a, b + sides, a + sides);
  }
  for (const std::uint32_t end : {first, first + sides}) {
    builder.beginSurface("end", {}, flat);
    for (std::uint32_t k = 1; k + 1 < sides; ++k)
      if (end == first)
        builder.addTriangle(end, end + k + 1, end + k);
      else
        builder.addTriangle(end, end + k, end + k + 1);
  }
}

}  // namespace

TriangleMesh makeRodBundle(const RodBundleOptions& o) {
  TriangleMeshBuilder builder("rods");
  for (int layer = 0; layer < o.layers; ++layer)
    for (int i = 0; i < o.perLayer; ++i)
      addPrism(builder, (i - (o.perLayer - 1) / 2.0) * o.pitch, (layer - (o.layers - 1) / 2.0) * o.layerPitch,
               o);
  return builder.build();
}

}  // namespace fitup::models
