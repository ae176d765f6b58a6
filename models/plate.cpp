#include <models/plate.h>

#include <cmath>

#include <models/random.h>

namespace fitup::models {
namespace {

double onGrid(double x) { return std::floor(x / 5 * 64 + 0.5) * 5 / 64; }

}  // namespace

Vec3 inclinedPoint(const Vec3& p) { return {p.x, (4 * p.y - 3 * p.z) / 5, (3 * p.y + 4 * p.z) / 5}; }

TriangleMesh makePlate(const PlateOptions& o) {
  TriangleMeshBuilder builder("plate");
  Random random(o.seed);
  const int faceSize = (o.along + 1) * (o.across + 1);
  for (int level = 0; level < (o.sheet ? 1 : 2); ++level)
    for (int i = 0; i <= o.along; ++i)
      for (int j = 0; j <= o.across; ++j) {
        double u = i, v = j;
        const bool isInner = i > 0 && i < o.along && j > 0 && j < o.across;
        if (isInner && o.jitter > 0) {
          u += random.between(-o.jitter, o.jitter);
          v += random.between(-o.jitter, o.jitter);
        }
        const Vec3 p{onGrid((u / o.along - 0.5) * o.size.x), onGrid((v / o.across - 0.5) * o.size.y),
                     onGrid(level * o.size.z)};
        builder.addPoint(o.inclined ? inclinedPoint(p) : p);
      }
  const auto point = [&](int level, int i, int j) {
    return static_cast<std::uint32_t>(level * faceSize + i * (o.across + 1) + j);
  };
  SurfaceDescription description;
  description.kind = SurfaceKind::plane;
  for (int level = 0; level < (o.sheet ? 1 : 2); ++level) {
    builder.beginSurface(level == 0 ? "lower" : "upper", {}, description);
    // Seen from outside, the lower face is the mirror image of the upper one.
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      if (level == 0)
        builder.addTriangle(a, c, b);
      else
        builder.addTriangle(a, b, c);
    };
    for (int i = 0; i < o.along; ++i)
      for (int j = 0; j < o.across; ++j) {
        const std::uint32_t a = point(level, i, j), b = point(level, i + 1, j),
                            c = point(level, i + 1, j + 1), d = point(level, i, j + 1);
        if ((i + j) % 2 == 0) {
          add(a, b, c);
          add(a, c, d);
        } else {
          add(a, b, d);
          add(b, c, d);
        }
      }
  }
  if (o.sheet) return builder.build();
  // Each side from p to q, with the outside on the right.
  const auto addSide = [&](int quads, auto&& at) {
    builder.beginSurface("side", {}, description);
    for (int k = 0; k < quads; ++k) {
      const std::uint32_t a = at(0, k), b = at(0, k + 1), c = at(1, k + 1), d = at(1, k);
      builder.addTriangle(a, b, c);
      builder.addTriangle(a, c, d);
    }
  };
  addSide(o.along, [&](int level, int k) { return point(level, k, 0); });
  addSide(o.across, [&](int level, int k) { return point(level, o.along, k); });
  addSide(o.along, [&](int level, int k) { return point(level, o.along - k, o.across); });
  addSide(o.across, [&](int level, int k) { return point(level, 0, o.across - k); });
  return builder.build();
}

}  // namespace fitup::models
