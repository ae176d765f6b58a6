#include <models/solids/solid.h>

#include <cmath>

#include <models/angle.h>

namespace fitup::models {

Vec3 CurvedFace::at(double u, double v) const {
  const Vec3 radial = frame.x * cosTurns(u) + frame.y * sinTurns(u);
  switch (kind) {
    case SurfaceKind::torus:
      return frame.origin + radial * (radius + secondRadius * cosTurns(v)) +
             frame.z * (secondRadius * sinTurns(v));
    case SurfaceKind::sphere:
      return frame.origin + radial * (radius * cosTurns(v)) + frame.z * (radius * sinTurns(v));
    default: {
      const double s = (v - v0) / (v1 - v0);
      return frame.origin + frame.z * v + radial * (radius * (1 - s) + secondRadius * s);
    }
  }
}

std::size_t PartDescription::faceCount() const {
  std::size_t count = 0;
  for (const Solid& solid : solids) count += solid.faces.size();
  return count;
}

Loop circleLoop(const Frame& frame, double radius, int steps, int pieces) {
  Loop loop;
  for (int i = 0; i < pieces; ++i) {
    LoopEdge edge;
    edge.frame = frame;
    edge.radius = radius;
    edge.a0 = static_cast<double>(i) / pieces;
    edge.a1 = static_cast<double>(i + 1) / pieces;
    edge.steps = steps / pieces;
    edge.start = frame.at(radius * cosTurns(edge.a0), radius * sinTurns(edge.a0), 0);
    edge.end = frame.at(radius * cosTurns(edge.a1), radius * sinTurns(edge.a1), 0);
    loop.push_back(edge);
  }
  return loop;
}

Loop polygonLoop(const std::vector<Vec3>& corners) {
  Loop loop;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    LoopEdge edge;
    edge.start = corners[i];
    edge.end = corners[(i + 1) % corners.size()];
    loop.push_back(edge);
  }
  return loop;
}

SurfaceDescription describe(const Face& face) {
  SurfaceDescription description;
  if (const auto* plane = std::get_if<PlaneFace>(&face)) {
    description.kind = SurfaceKind::plane;
    description.point = plane->frame.origin;
    description.axis = plane->frame.z;
    return description;
  }
  const auto& curved = std::get<CurvedFace>(face);
  description.kind = curved.kind;
  description.point = curved.frame.origin;
  description.axis = curved.frame.z;
  description.radius = curved.radius;
  if (curved.kind == SurfaceKind::torus) description.secondRadius = curved.secondRadius;
  if (curved.kind == SurfaceKind::cylinder || curved.kind == SurfaceKind::cone)
    description.point = curved.frame.at(0, 0, curved.v0);
  if (curved.kind == SurfaceKind::cone) {
    const double halfAngle = std::atan2(curved.secondRadius - curved.radius, curved.v1 - curved.v0);
    // Radii that are equal but for the rounding of how they were computed.
    if (std::abs(halfAngle) < 1e-9)
      description.kind = SurfaceKind::cylinder;
    else
      description.halfAngle = halfAngle;
  }
  return description;
}

}  // namespace fitup::models
