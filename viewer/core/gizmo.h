#pragma once

#include <array>
#include <optional>
#include <vector>

#include <fitup/motion/track.h>
#include <viewer/core/camera.h>

namespace fitup::viewer {

/// The handles that move parts along, or turn them about, an axis of the world.
enum class GizmoHandle { moveX, moveY, moveZ, turnX, turnY, turnZ };
inline constexpr std::array allGizmoHandles{GizmoHandle::moveX, GizmoHandle::moveY, GizmoHandle::moveZ,
                                            GizmoHandle::turnX, GizmoHandle::turnY, GizmoHandle::turnZ};
constexpr bool turns(GizmoHandle handle) noexcept { return handle >= GizmoHandle::turnX; }
/// Returns the unit axis in world coordinates.
Vec3 axisOf(GizmoHandle handle) noexcept;

/// Three arrows and three rings around a point; centre and size are in world coordinates.
struct Gizmo {
  Vec3 centre;
  double size = 1;  ///< from the centre to the tip of an arrow

  /// Returns an arrow's shaft or a closed ring, as points in world coordinates.
  [[nodiscard]] std::vector<Vec3> outline(GizmoHandle handle) const;
  /// Returns the handle nearest to a point of the picture and at most `reach` pixels from it; arrows take
  /// precedence.
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
  /// Drags a handle of a gizmo at `centre`, grabbed where the ray `start` passes it.
  GizmoDrag(GizmoHandle handle, const Vec3& centre, const Ray& start);
  /// Drags along any unit axis through `centre`.
  static GizmoDrag along(const Vec3& centre, const Vec3& axis, const Ray& start);
  /// Drags in the plane perpendicular to `normal` through the grabbed point.
  static GizmoDrag inPlane(const Vec3& grabbed, const Vec3& normal);

  /// Returns the motion that takes the grabbed point to the ray, or to the nearest step. If the ray
  /// determines no motion (along the axis, in the plane of the ring, away from the plane), the last motion
  /// stays.
  [[nodiscard]] const RigidMotion& moveTo(const Ray& ray, const GizmoSteps& steps = {});
  /// The turn that the last motion is, which may exceed a full turn; empty unless a ring is dragged.
  [[nodiscard]] const std::optional<AxisTurn>& turn() const noexcept { return turn_; }

 private:
  enum class Way { axis, ring, plane };
  GizmoDrag(Way way, const Vec3& centre, const Vec3& axis) : way_(way), centre_(centre), axis_(axis) {}
  [[nodiscard]] std::optional<double> alongAxis(const Ray& ray) const;
  [[nodiscard]] std::optional<double> angle(const Ray& ray) const;

  Way way_;
  Vec3 centre_, axis_;  ///< for a drag in a plane, the plane's normal
  double start_ = 0;    ///< along the axis, or the angle
  double turned_ = 0;   ///< so far; may exceed a full turn
  RigidMotion motion_;
  std::optional<AxisTurn> turn_;
};

}  // namespace fitup::viewer
