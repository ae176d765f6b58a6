#pragma once

#include <optional>

#include <fitup/geometry/closest_points.h>
#include <fitup/mesh/surface.h>

namespace FITUP_EXPORT fitup {

/// A plane, cylinder, cone, sphere or torus in closed form, without borders. In the frame and unit of its
/// description, the part's. Immutable, so thread-safe.
class AnalyticSurface {
 public:
  /// Empty for descriptions of other kinds, and for those whose numbers do not define a surface: radii that
  /// are not above zero, a torus that reaches its axis, a cone of 90 degrees.
  static std::optional<AnalyticSurface> of(const SurfaceDescription& description);

  [[nodiscard]] SurfaceKind kind() const noexcept { return kind_; }
  /// The signed distance of a point: negative inside round surfaces, and on the side of a plane from which
  /// its axis points away. For a cone, points must lie near the half that its description means.
  [[nodiscard]] double distance(const Vec3& point) const noexcept;
  /// The unit gradient of `distance`. On an axis or at a centre, some direction.
  [[nodiscard]] Vec3 normal(const Vec3& point) const noexcept;
  /// Upper bound on the distance of any point of the triangle from the surface, apart from rounding. For
  /// triangles with their corners on the surface it is close to the largest distance: twice it at most for
  /// long ones, and nearer the smaller they are. Infinity if a corner lies beyond the apex of a cone.
  [[nodiscard]] double deviation(const Triangle& triangle) const noexcept;

 private:
  AnalyticSurface() = default;
  [[nodiscard]] Vec3 radial(const Vec3& point) const noexcept;

  SurfaceKind kind_ = SurfaceKind::unknown;
  Vec3 point_, axis_;
  double radius_ = 0, minor_ = 0;
  double slope_ = 0, cosine_ = 1;  ///< of a cone: the tangent and the cosine of its half angle
};

}  // namespace fitup
