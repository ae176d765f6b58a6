#include <models/fan.h>

#include <models/angle.h>

namespace fitup::models {

TriangleMesh makeFan(const FanOptions& o) {
  TriangleMeshBuilder builder("fan");
  const auto count = static_cast<std::uint32_t>(o.slivers);
  const std::uint32_t apex = builder.addPoint({0, 0, 0}), centre = builder.addPoint({0, 0, -o.height});
  for (std::uint32_t k = 0; k < count; ++k) {
    const double turns = static_cast<double>(k) / o.slivers;
    builder.addPoint({o.radius * cosTurns(turns), o.radius * sinTurns(turns), -o.height});
  }
  const auto rim = [&](std::uint32_t k) { return centre + 1 + k % count; };
  SurfaceDescription round, flat;
  round.kind = SurfaceKind::cone;
  flat.kind = SurfaceKind::plane;
  builder.beginSurface("cone", {}, round);
  for (std::uint32_t k = 0; k < count; ++k) builder.addTriangle(apex, rim(k), rim(k + 1));
  builder.beginSurface("base", {}, flat);
  for (std::uint32_t k = 0; k < count; ++k) builder.addTriangle(centre, rim(k + 1), rim(k));
  return builder.build();
}

}  // namespace fitup::models
