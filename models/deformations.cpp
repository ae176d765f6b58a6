#include <models/deformations.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <models/random.h>

namespace fitup::models {

Deformation twist(const Box& box, double radians) {
  const Vec3 centre = box.centre(), half = box.halfExtent();
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (half[i] > half[axis]) axis = i;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double perLength = half[axis] > 0 ? radians / (2 * half[axis]) : 0;
  return [=](const Vec3& p) {
    const double angle = perLength * (p[axis] - centre[axis]), c = std::cos(angle), s = std::sin(angle);
    Vec3 q = p;
    q[u] = centre[u] + c * (p[u] - centre[u]) - s * (p[v] - centre[v]);
    q[v] = centre[v] + s * (p[u] - centre[u]) + c * (p[v] - centre[v]);
    return q;
  };
}

Deformation wave(const Box& box, double amplitude, double waves, double phase) {
  const double from = box.min.x, length = box.max.x - box.min.x;
  const double perLength = length > 0 ? 2 * std::numbers::pi * waves / length : 0;
  return [=](const Vec3& p) {
    return Vec3{p.x, p.y, p.z + amplitude * std::sin(perLength * (p.x - from) + phase)};
  };
}

Deformation blowUp(const Vec3& centre, double radius, double factor) {
  return [=](const Vec3& p) {
    const Vec3 offset = p - centre;
    const double t = std::min(1.0, norm(offset) / radius), fade = (1 - t * t) * (1 - t * t);
    return centre + offset * (1 + (factor - 1) * fade);
  };
}

Deformation foldThrough(const Box& box) {
  const double middle = box.centre().z, shear = 0.01 * (box.max.x - box.min.x);
  return [=](const Vec3& p) {
    if (p.z <= middle) return p;
    return Vec3{p.x + shear, p.y, 2 * middle - p.z};
  };
}

Deformation randomDeformation(const Box& box, std::uint64_t seed) {
  Random random(seed);
  const Vec3 half = box.halfExtent();
  const double size = norm(half);
  const auto one = [&]() -> Deformation {
    switch (random.bits() % 4) {
      case 0:
        return twist(box, random.between(-6, 6));
      case 1:
        return wave(box, random.between(0.05, 0.5) * size, random.between(0.5, 4), random.between(0, 6));
      case 2: {
        const Vec3 to = random.direction();
        const Vec3 at = box.centre() + Vec3{to.x * half.x, to.y * half.y, to.z * half.z};
        return blowUp(at, random.between(0.3, 1) * size, random.between(-2, 5));
      }
      default:
        return foldThrough(box);
    }
  };
  const Deformation first = one();
  if (random.unit() < 0.5) return first;
  return [first, second = one()](const Vec3& p) { return second(first(p)); };
}

std::vector<Vec3> deformedPoints(const TriangleMesh& mesh, const Deformation& deformation) {
  std::vector<Vec3> points;
  points.reserve(mesh.points().size());
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i) points.push_back(deformation(mesh.pointInPart(i)));
  return points;
}

}  // namespace fitup::models
