#include <models/pins.h>

#include <models/angle.h>

namespace fitup::models {
namespace {

SurfaceDescription described(SurfaceKind kind) {
  SurfaceDescription description;
  description.kind = kind;
  return description;
}

/// Adds `count` points on a circle about the vertical through (x, y); returns the first.
std::uint32_t addCircle(TriangleMeshBuilder& builder, double x, double y, double z, double radius,
                        int count) {
  std::uint32_t first = 0;
  for (int k = 0; k < count; ++k) {
    const double turns = static_cast<double>(k) / count;
    const std::uint32_t p = builder.addPoint({x + radius * cosTurns(turns), y + radius * sinTurns(turns), z});
    if (k == 0) first = p;
  }
  return first;
}

/// Between two circles of the same number of points; `outer` is below or outside.
void addRing(TriangleMeshBuilder& builder, std::uint32_t inner, std::uint32_t outer, std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    builder.addTriangle(inner + k, outer + k, outer + next);
    builder.addTriangle(inner + k, outer + next, inner + next);
  }
}

/// From a point to a circle; seen from outside counterclockwise, or clockwise.
void addFan(TriangleMeshBuilder& builder, std::uint32_t apex, std::uint32_t circle, std::uint32_t count,
            bool counterclockwise) {
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t a = circle + k, b = circle + (k + 1) % count;
    builder.addTriangle(apex, counterclockwise ? a : b, counterclockwise ? b : a);
  }
}

void addBox(TriangleMeshBuilder& builder, const Vec3& low, const Vec3& high) {
  std::uint32_t first = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const std::uint32_t p = builder.addPoint(
        {(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y, (i & 4U) != 0 ? high.z : low.z});
    if (i == 0) first = p;
  }
  constexpr std::uint32_t sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& side : sides) {
    builder.addTriangle(first + side[0], first + side[1], first + side[2]);
    builder.addTriangle(first + side[0], first + side[2], first + side[3]);
  }
}

}  // namespace

TriangleMesh makePins(const PinsOptions& o) {
  TriangleMeshBuilder builder("pins");
  const auto sides = static_cast<std::uint32_t>(o.sides);
  const double top = o.tip + o.shaft, half = o.size() / 2;
  builder.beginSurface("base");
  addBox(builder, {-half, -half, top}, {half, half, top + o.pitch / 2});
  for (int i = 0; i < o.perRow; ++i)
    for (int j = 0; j < o.perRow; ++j) {
      const double x = (i - (o.perRow - 1) / 2.0) * o.pitch, y = (j - (o.perRow - 1) / 2.0) * o.pitch;
      const std::uint32_t apex = builder.addPoint({x, y, 0});
      const std::uint32_t low = addCircle(builder, x, y, o.tip, o.radius, o.sides),
                          high = addCircle(builder, x, y, top, o.radius, o.sides);
      builder.beginSurface("tip", {}, described(SurfaceKind::cone));
      addFan(builder, apex, low, sides, false);
      builder.beginSurface("side", {}, described(SurfaceKind::cylinder));
      addRing(builder, high, low, sides);
      builder.beginSurface("foot", {}, described(SurfaceKind::plane));
      for (std::uint32_t k = 1; k + 1 < sides; ++k) builder.addTriangle(high, high + k, high + k + 1);
    }
  return builder.build();
}

int GradedPlateOptions::rings() const {
  // The factor at which a quad is as long as it is wide, about.
  const double factor = 1 + 6.283185307179586 / sectors;
  int count = 0;
  for (double r = innerRadius; r * factor < radius; r *= factor) ++count;
  return count + 1;
}

TriangleMesh makeGradedPlate(const GradedPlateOptions& o) {
  TriangleMeshBuilder builder("graded-plate");
  const auto sectors = static_cast<std::uint32_t>(o.sectors);
  const double factor = 1 + 6.283185307179586 / o.sectors;
  const std::uint32_t centre = builder.addPoint({0, 0, 0}), below = builder.addPoint({0, 0, -o.thickness});
  std::vector<std::uint32_t> circles;
  double r = o.innerRadius;
  for (int ring = 0; ring <= o.rings(); ++ring, r *= factor) {
    const double radius = ring == o.rings() ? o.radius : r;
    for (int k = 0; k < o.sectors; ++k) {
      const double turns = static_cast<double>(k) / o.sectors;
      const double z = o.wave * radius * sinTurns(12 * turns) * sinTurns(ring / 8.0);
      const std::uint32_t p = builder.addPoint({radius * cosTurns(turns), radius * sinTurns(turns), z});
      if (k == 0) circles.push_back(p);
    }
  }
  const std::uint32_t bottom = addCircle(builder, 0, 0, -o.thickness, o.radius, o.sectors);
  builder.beginSurface("upper", {}, described(o.wave == 0 ? SurfaceKind::plane : SurfaceKind::freeform));
  addFan(builder, centre, circles.front(), sectors, true);
  for (std::size_t i = 0; i + 1 < circles.size(); ++i) addRing(builder, circles[i], circles[i + 1], sectors);
  builder.beginSurface("side", {}, described(SurfaceKind::cylinder));
  addRing(builder, circles.back(), bottom, sectors);
  builder.beginSurface("lower", {}, described(SurfaceKind::plane));
  addFan(builder, below, bottom, sectors, false);
  return builder.build();
}

}  // namespace fitup::models
