#include <fitup/scene/detail/least_turn.h>

#include <cmath>

namespace fitup::detail {
namespace {

Vec3 perpendicularTo(const Vec3& unit) noexcept {
  const double x = std::abs(unit.x), y = std::abs(unit.y), z = std::abs(unit.z);
  const Vec3 least = y <= x && y <= z ? Vec3{0, 1, 0} : x <= z ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  return normalized(least - dot(least, unit) * unit);
}

}  // namespace

double angleBetween(const Vec3& a, const Vec3& b) noexcept {
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

Quaternion leastTurn(const Vec3& from, const Vec3& to) noexcept {
  const Vec3 across = cross(from, to);
  // Below the rounding of the vectors, their product has no direction.
  constexpr double rounding = 1e-15;
  if (norm(across) <= rounding) {
    if (dot(from, to) > 0) return {};
    const Vec3 axis = perpendicularTo(from);
    return {axis.x, axis.y, axis.z, 0};
  }
  // The product of nearly parallel vectors is not quite perpendicular to them. Made perpendicular to the
  // first one, its error is smaller than the vectors' by the sine of their angle.
  const Vec3 raw = normalized(across);
  return axisAngle(normalized(raw - dot(raw, from) * from), angleBetween(from, to));
}

Transform turnedAbout(const Vec3& pivot, const Quaternion& rotation) {
  if (rotation == Quaternion{}) return {};
  return Transform::translation(pivot) * Transform::rotation(rotation) * Transform::translation(-pivot);
}

}  // namespace fitup::detail
