#pragma once

#include <array>
#include <optional>
#include <vector>

#include <fitup/motion/track.h>
#include <viewer/core/camera.h>

namespace fitup::viewer {

/// The handles that move parts along or turn them about an axis, move them in the plane across an axis, or in
/// the plane of the picture.
enum class GizmoHandle { moveX, moveY, moveZ, turnX, turnY, turnZ, acrossX, acrossY, acrossZ, centre };
inline constexpr std::array allGizmoHandles{
    GizmoHandle::centre,  GizmoHandle::moveX,   GizmoHandle::moveY, GizmoHandle::moveZ, GizmoHandle::acrossX,
    GizmoHandle::acrossY, GizmoHandle::acrossZ, GizmoHandle::turnX, GizmoHandle::turnY, GizmoHandle::turnZ};
constexpr bool turns(GizmoHandle handle) noexcept {
  return handle >= GizmoHandle::turnX && handle <= GizmoHandle::turnZ;
}
constexpr bool movesAcross(GizmoHandle handle) noexcept {
  return handle >= GizmoHandle::acrossX && handle <= GizmoHandle::acrossZ;
}

/// Right-handed, orthonormal.
using GizmoAxes = std::array<Vec3, 3>;
inline constexpr GizmoAxes worldAxes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
/// The axes of a part as it is placed; made orthonormal and right-handed if the placement scales or mirrors.
GizmoAxes axesOf(const Transform& worldFromPart) noexcept;
/// Axes whose third one is a unit vector; the first is as near as it can be to one of the world's.
GizmoAxes axesAbout(const Vec3& axis) noexcept;

/// A turn by angles in degrees about the axes of the world: x, then y, then z.
Quaternion turnAboutAxes(const Vec3& degrees);

/// Handles around a point: three arrows, three rings, a square between each two arrows, and the point itself.
/// In world coordinates.
struct Gizmo {
  Vec3 centre;
  double size = 1;  ///< from the centre to the tip of an arrow
  GizmoAxes axes = worldAxes;

  /// The axis of a handle. Precondition: it is not the centre.
  [[nodiscard]] const Vec3& axisOf(GizmoHandle handle) const noexcept;
  /// Returns an arrow's shaft, a closed ring or square, or the centre.
  [[nodiscard]] std::vector<Vec3> outline(GizmoHandle handle) const;
  /// Returns the handle at a point of the picture: the centre, otherwise the nearest arrow, the square that
  /// contains the point, or the nearest ring. Others than squares are at most `reach` pixels away.
  [[nodiscard]] std::optional<GizmoHandle> handleAt(const Camera& camera, PicturePoint point,
                                                    double reach) const;
};

/// Returns the distance in pixels of a point of the picture from a segment in the world; empty if an end of
/// the segment is behind the eye.
std::optional<double> pictureDistance(const Camera& camera, const Vec3& from, const Vec3& to,
                                      PicturePoint point);

/// Steps that a drag snaps to, from its beginning. 0: no snapping.
struct GizmoSteps {
  double distance = 0;  ///< in the world; for free drags, of each coordinate
  double degrees = 0;

  /// The range of the user's choice.
  static constexpr double leastDistance = 1e-8, mostDistance = 1e6, leastDegrees = 0.01, mostDegrees = 180;
  [[nodiscard]] constexpr bool isChoosable() const noexcept {
    return distance >= leastDistance && distance <= mostDistance && degrees >= leastDegrees &&
           degrees <= mostDegrees;
  }
  friend bool operator==(const GizmoSteps&, const GizmoSteps&) = default;
};

/// Converts rays under the cursor to motions from the beginning of a drag.
class GizmoDrag {
 public:
  /// Drags a handle, grabbed where the ray `start` passes it.
  GizmoDrag(GizmoHandle handle, const Gizmo& gizmo, const Camera& camera, const Ray& start);
  /// Drags along any unit axis through `centre`.
  static GizmoDrag along(const Vec3& centre, const Vec3& axis, const Ray& start);
  /// Drags in the plane perpendicular to `normal` through the grabbed point.
  static GizmoDrag inPlane(const Vec3& grabbed, const Vec3& normal);

  /// Returns the motion that takes the grabbed point to the ray, or to the nearest step. If the ray
  /// determines no motion (along the axis, in the plane of the ring, away from the plane), the last motion
  /// stays.
  const RigidMotion& moveTo(const Ray& ray, const GizmoSteps& steps = {});
  /// Returns the motion along the axis by a distance, or about it by an angle in degrees. Precondition:
  /// `hasAxis`.
  const RigidMotion& moveBy(double value);
  [[nodiscard]] bool hasAxis() const noexcept { return way_ != Way::plane; }
  /// True if a ring is dragged.
  [[nodiscard]] bool isTurn() const noexcept { return way_ == Way::ring; }
  /// How far another motion of the part, such as one that was stopped, goes along the axis, or about it in
  /// degrees: of turns that look alike, the one nearest to the last motion. Precondition: `hasAxis`.
  [[nodiscard]] double valueOf(const RigidMotion& motion) const;
  /// The turn that the last motion is, which may exceed a full turn; empty unless a ring is dragged.
  [[nodiscard]] const std::optional<AxisTurn>& turn() const noexcept { return turn_; }

 private:
  enum class Way { axis, ring, plane };
  GizmoDrag(Way way, const Vec3& centre, const Vec3& axis) : way_(way), centre_(centre), axis_(axis) {}
  [[nodiscard]] std::optional<double> alongAxis(const Ray& ray) const;
  [[nodiscard]] std::optional<double> angle(const Ray& ray) const;

  Way way_;
  Vec3 centre_, axis_;           ///< for a drag in a plane, a point of it and its normal
  GizmoAxes steps_ = worldAxes;  ///< the directions of steps in a plane
  double start_ = 0;             ///< along the axis, or the angle
  double turned_ = 0;            ///< so far; may exceed a full turn
  RigidMotion motion_;
  std::optional<AxisTurn> turn_;
};

}  // namespace fitup::viewer
