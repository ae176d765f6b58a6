#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include <fitup/geometry/vec3.h>

namespace FITUP_EXPORT fitup {

/// The largest float not above `d`. Beyond the range of float, the end of the range or infinity.
inline float floatBelow(double d) noexcept {
  constexpr float largest = std::numeric_limits<float>::max();
  const float f = static_cast<float>(d);
  // No branches, because the direction of rounding is unpredictable. The bit pattern of the next float below
  // is one lower if the sign is + and one higher if it is -. A zero that lies above `d` has the sign -.
  const auto bits = std::bit_cast<std::int32_t>(f);
  const std::int32_t below = static_cast<double>(f) > d ? -1 : 0, sign = bits >> 31;
  const auto r = std::bit_cast<float>(bits + ((below ^ sign) - sign));
  return r > largest ? largest : r;
}
/// The smallest float not below `d`. Beyond the range of float, the end of the range or infinity.
inline float floatAbove(double d) noexcept { return -floatBelow(-d); }

/// An axis-aligned bounding box in 32-bit coordinates. It is closed, so boxes that touch overlap. It is empty
/// if min > max on an axis. Its name says in which frame it is (`overlapInB`).
struct Aabb {
  Point3f min{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
              std::numeric_limits<float>::infinity()};
  Point3f max{-std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
              -std::numeric_limits<float>::infinity()};

  [[nodiscard]] bool empty() const noexcept { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }

  void extend(const Point3f& p) noexcept {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
  void extend(const Aabb& b) noexcept {
    if (b.empty()) return;
    extend(b.min);
    extend(b.max);
  }
  [[nodiscard]] bool overlaps(const Aabb& b) const noexcept {
    return min.x <= b.max.x && b.min.x <= max.x && min.y <= b.max.y && b.min.y <= max.y && min.z <= b.max.z &&
           b.min.z <= max.z;
  }
  [[nodiscard]] bool contains(const Aabb& b) const noexcept {
    return min.x <= b.min.x && b.max.x <= max.x && min.y <= b.min.y && b.max.y <= max.y && min.z <= b.min.z &&
           b.max.z <= max.z;
  }
  /// Returns the common part of two boxes given in one frame (the overlap box, OAABB). It is empty if they
  /// are disjoint.
  [[nodiscard]] Aabb intersection(const Aabb& b) const noexcept {
    Aabb r;
    r.min = {std::max(min.x, b.min.x), std::max(min.y, b.min.y), std::max(min.z, b.min.z)};
    r.max = {std::min(max.x, b.max.x), std::min(max.y, b.max.y), std::min(max.z, b.max.z)};
    return r;
  }
  [[nodiscard]] Vec3 centre() const noexcept {
    return {0.5 * (double(min.x) + max.x), 0.5 * (double(min.y) + max.y), 0.5 * (double(min.z) + max.z)};
  }
  [[nodiscard]] Vec3 halfExtent() const noexcept {
    return {0.5 * (double(max.x) - min.x), 0.5 * (double(max.y) - min.y), 0.5 * (double(max.z) - min.z)};
  }
  friend bool operator==(const Aabb&, const Aabb&) = default;
};

/// An axis-aligned bounding box in double precision, for world frames and for part frames far from the
/// origin. It is closed.
struct Box {
  Vec3 min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
           std::numeric_limits<double>::infinity()};
  Vec3 max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
           -std::numeric_limits<double>::infinity()};

  static Box around(std::span<const Vec3> points) noexcept {
    Box box;
    for (const Vec3& p : points) box.extend(p);
    return box;
  }
  [[nodiscard]] bool empty() const noexcept { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
  void extend(const Vec3& p) noexcept {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
  void extend(const Box& b) noexcept {
    if (b.empty()) return;
    extend(b.min);
    extend(b.max);
  }
  [[nodiscard]] bool overlaps(const Box& b) const noexcept {
    return min.x <= b.max.x && b.min.x <= max.x && min.y <= b.max.y && b.min.y <= max.y && min.z <= b.max.z &&
           b.min.z <= max.z;
  }
  [[nodiscard]] Vec3 centre() const noexcept { return 0.5 * (min + max); }
  [[nodiscard]] Vec3 halfExtent() const noexcept { return 0.5 * (max - min); }
};

}  // namespace fitup
