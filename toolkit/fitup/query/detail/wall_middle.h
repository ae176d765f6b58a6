#pragma once

#include <optional>
#include <vector>

#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>

namespace fitup::detail {

/// Cosine of the angle under which the nearest boundary points of the middle of a wall are seen.
constexpr double oppositeWays = -0.5;

/// A point in the middle of a wall, in the local frame of its body.
struct MiddlePoint {
  Vec3 point, nearest;
  double depth = 0;  ///< distance of the two
};

/// Recognises points of the middle M_t of a body (verdicts, *Thin walls*): points at depth at most t whose
/// nearest boundary points are seen under at least 120 degrees. Boundary points count as equally near up to
/// `equallyNear`. Lengths and points in the local frame of the body. Holds scratch memory.
class WallMiddle {
 public:
  /// Points nearer to the boundary than `least` do not count.
  WallMiddle(const SolidModel& body, double t, double least, bool unknownIsInside)
      : body_(body),
        inside_(body.model()),
        boundary_(body.outer()),
        t_(t),
        least_(least),
        unknownIsInside_(unknownIsInside) {}

  /// The nearest boundary point, if it is not farther away than `t` and the accuracy of the depth search.
  std::optional<ClosestPoint> closest(const Vec3& p);
  bool isInside(const Vec3& p);
  /// `nearest` is that of `p`.
  std::optional<MiddlePoint> at(const Vec3& p, const ClosestPoint& nearest);
  /// Triangles of the boundary that are nearer to `p` than `within`, and some others. Valid until the next
  /// call.
  const std::vector<TriangleId>& near(const Vec3& p, double within);
  [[nodiscard]] const TriangleMesh& boundary() const noexcept { return boundary_.mesh(); }
  [[nodiscard]] double least() const noexcept { return least_; }
  [[nodiscard]] double t() const noexcept { return t_; }
  [[nodiscard]] bool unknownIsInside() const noexcept { return unknownIsInside_; }

 private:
  const SolidModel& body_;
  PointQuery inside_;    ///< sides
  PointQuery boundary_;  ///< distances
  double t_, least_;
  bool unknownIsInside_;
  std::vector<TriangleId> near_;
  std::optional<TriangleId> hint_;
};

}  // namespace fitup::detail
