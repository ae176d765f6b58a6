#include <models/torus.h>

#include <models/angle.h>

namespace fitup::models {
namespace {

Vec3 torusPoint(const TorusOptions& o, int i, int j) {
  const double u = static_cast<double>(i) / o.around, v = static_cast<double>(j) / o.across;
  const double r =
      o.tubeRadius * (1 + o.wrinkleDepth * sinTurns(u * o.wavesAround) * sinTurns(v * o.wavesAcross));
  const double ring = o.ringRadius + r * cosTurns(v);
  return {ring * cosTurns(u), ring * sinTurns(u), r * sinTurns(v)};
}

}  // namespace

TriangleMesh makeTorus(const TorusOptions& o) {
  const bool wrinkled = o.wrinkleDepth != 0;
  TriangleMeshBuilder builder(wrinkled ? "wrinkled-torus" : "torus");
  for (int i = 0; i < o.around; ++i)
    for (int j = 0; j < o.across; ++j) builder.addPoint(torusPoint(o, i, j));
  const auto point = [&](int i, int j) {
    return static_cast<std::uint32_t>((i % o.around) * o.across + j % o.across);
  };
  SurfaceDescription description;
  description.kind = wrinkled ? SurfaceKind::freeform : SurfaceKind::torus;
  if (!wrinkled) {
    description.radius = o.ringRadius;
    description.secondRadius = o.tubeRadius;
  }
  for (int p = 0; p < o.patchesAround; ++p)
    for (int q = 0; q < o.patchesAcross; ++q) {
      builder.beginSurface({}, {}, description);
      for (int i = p * o.around / o.patchesAround; i < (p + 1) * o.around / o.patchesAround; ++i)
        for (int j = q * o.across / o.patchesAcross; j < (q + 1) * o.across / o.patchesAcross; ++j) {
          builder.addTriangle(point(i, j), point(i + 1, j), point(i + 1, j + 1));
          builder.addTriangle(point(i, j), point(i + 1, j + 1), point(i, j + 1));
        }
    }
  return builder.build();
}

}  // namespace fitup::models
