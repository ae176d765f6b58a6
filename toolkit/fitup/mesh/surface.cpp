#include <fitup/mesh/surface.h>

#include <array>
#include <charconv>
#include <cmath>

namespace fitup {
namespace {

std::string digits(double value) {
  std::array<char, 32> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
  return {buffer.data(), end.ptr};
}

/// Largest relative difference of scales under which a circle still counts as round.
constexpr double roundWithin = 1e-6;

/// The factor by which a placement scales lengths across an axis. Empty if circles about the axis become oval
/// or their plane is no longer perpendicular to it.
std::optional<double> scaleAcross(const Vec3& unitAxis, const Transform& worldFromPart) {
  const auto [p, q] = orthonormalBasis(unitAxis);
  const Vec3 axis = worldFromPart.applyToVector(unitAxis), u = worldFromPart.applyToVector(p),
             v = worldFromPart.applyToVector(q);
  const double scale = norm(u);
  if (std::abs(norm(v) - scale) > roundWithin * scale || std::abs(dot(u, v)) > roundWithin * scale * scale ||
      std::abs(dot(u, axis)) > roundWithin * scale * norm(axis) ||
      std::abs(dot(v, axis)) > roundWithin * scale * norm(axis))
    return std::nullopt;
  return scale;
}

}  // namespace

std::string_view name(SurfaceKind kind) noexcept {
  switch (kind) {
    case SurfaceKind::plane:
      return "plane";
    case SurfaceKind::cylinder:
      return "cylinder";
    case SurfaceKind::cone:
      return "cone";
    case SurfaceKind::sphere:
      return "sphere";
    case SurfaceKind::torus:
      return "torus";
    case SurfaceKind::revolution:
      return "revolution";
    case SurfaceKind::extrusion:
      return "extrusion";
    case SurfaceKind::freeform:
      return "freeform";
    case SurfaceKind::unknown:
      break;
  }
  return "unknown";
}

bool isFinite(const SurfaceDescription& d) noexcept {
  return isFinite(d.point) && isFinite(d.axis) && std::isfinite(d.radius) && std::isfinite(d.secondRadius) &&
         std::isfinite(d.halfAngle);
}

std::string text(const SurfaceDescription& d) {
  std::string result(name(d.kind));
  if (d.kind == SurfaceKind::cylinder || d.kind == SurfaceKind::sphere || d.kind == SurfaceKind::torus)
    result += " d " + digits(2 * d.radius);
  if (d.kind == SurfaceKind::torus) result += " / d " + digits(2 * d.secondRadius);
  if (d.kind == SurfaceKind::cone)
    result += " half angle " + digits(d.halfAngle * 57.29577951308232) + " deg";
  return result;
}

std::optional<SurfaceDescription> placed(const SurfaceDescription& inPart, const Transform& worldFromPart) {
  SurfaceDescription world = inPart;
  world.point = worldFromPart.apply(inPart.point);
  if (inPart.kind == SurfaceKind::plane) {
    // Normals transform by the inverse transpose.
    const auto& m = worldFromPart.inverse().m;
    const Vec3& n = inPart.axis;
    world.axis = normalized(Vec3{m[0][0] * n.x + m[1][0] * n.y + m[2][0] * n.z,
                                 m[0][1] * n.x + m[1][1] * n.y + m[2][1] * n.z,
                                 m[0][2] * n.x + m[1][2] * n.y + m[2][2] * n.z});
    return world;
  }
  if (inPart.kind != SurfaceKind::cylinder && inPart.kind != SurfaceKind::cone &&
      inPart.kind != SurfaceKind::sphere && inPart.kind != SurfaceKind::torus)
    return std::nullopt;
  const auto scale = scaleAcross(inPart.axis, worldFromPart);
  if (!scale) return std::nullopt;
  const Vec3 axis = worldFromPart.applyToVector(inPart.axis);
  if (inPart.kind != SurfaceKind::cylinder && std::abs(norm(axis) - *scale) > roundWithin * *scale)
    return std::nullopt;
  world.axis = normalized(axis);
  world.radius = inPart.radius * *scale;
  world.secondRadius = inPart.secondRadius * *scale;
  return world;
}

}  // namespace fitup
