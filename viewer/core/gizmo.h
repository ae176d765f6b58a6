#pragma once

#include <array>
#include <optional>
#include <vector>

#include <fitup/motion/track.h>
#include <viewer/core/camera.h>

namespace fitup::viewer {

/// What a user takes hold of to move parts along, or turn them about, an axis of the world.
enum class GizmoHandle { moveX, moveY, moveZ, turnX, turnY, turnZ };
inline constexpr std::array allGizmoHandles{GizmoHandle::moveX, GizmoHandle::moveY, GizmoHandle::moveZ,
                                            GizmoHandle::turnX, GizmoHandle::turnY, GizmoHandle::turnZ};
constexpr bool turns(GizmoHandle handle) noexcept { return handle >= GizmoHandle::turnX; }
/// Unit axis of the world.
Vec3 axisOf(GizmoHandle handle) noexcept;

/// Three arrows and three rings around a point of the world, of a size given in the world.
struct Gizmo {
  Vec3 centre;
  double size = 1;  ///< from the centre to the tip of an arrow

  /// An arrow's shaft or a closed ring, as points of the world.
  [[nodiscard]] std::vector<Vec3> outline(GizmoHandle handle) const;
  /// The handle nearest to a point of the picture and at most `reach` pixels from it; arrows go first.
  [[nodiscard]] std::optional<GizmoHandle> handleAt(const Camera& camera, PicturePoint point,
                                                    double reach) const;
};

/// Distance in pixels of a point of the picture from a segment of the world; nothing where an end of it is
/// behind the eye.
std::optional<double> pictureDistance(const Camera& camera, const Vec3& from, const Vec3& to,
                                      PicturePoint point);

/// Steps that a drag snaps to, from where it began. 0: none.
struct GizmoSteps {
  double distance = 0;  ///< in the world; of free drags each coordinate
  double degrees = 0;

  /// What a user may choose.
  static constexpr double leastDistance = 1e-8, mostDistance = 1e6, leastDegrees = 0.01, mostDegrees = 180;
  [[nodiscard]] constexpr bool isChoosable() const noexcept {
    return distance >= leastDistance && distance <= mostDistance && degrees >= leastDegrees &&
           degrees <= mostDegrees;
  }
  friend bool operator==(const GizmoSteps&, const GizmoSteps&) = default;
};

/// From rays under the cursor to motions, from where the drag began.
class GizmoDrag {
 public:
  /// By a handle of a gizmo at `centre`, taken hold of where `start` passes it.
  GizmoDrag(GizmoHandle handle, const Vec3& centre, const Ray& start);
  /// Along any unit axis through `centre`.
  static GizmoDrag along(const Vec3& centre, const Vec3& axis, const Ray& start);
  /// In the plane across `normal` through the point that was grabbed.
  static GizmoDrag inPlane(const Vec3& grabbed, const Vec3& normal);

  /// The motion that takes what was grabbed to the ray, or to the nearest step. Where the ray says nothing
  /// (along the axis, in the plane of the ring, away from the plane) the last motion stays.
  [[nodiscard]] const RigidMotion& moveTo(const Ray& ray, const GizmoSteps& steps = {});

 private:
  enum class Way { axis, ring, plane };
  GizmoDrag(Way way, const Vec3& centre, const Vec3& axis) : way_(way), centre_(centre), axis_(axis) {}
  [[nodiscard]] std::optional<double> alongAxis(const Ray& ray) const;
  [[nodiscard]] std::optional<double> angle(const Ray& ray) const;

  Way way_;
  Vec3 centre_, axis_;  ///< the plane's normal for a drag in a plane
  double start_ = 0;    ///< along the axis, or the angle
  double turned_ = 0;   ///< so far, beyond a full turn too
  RigidMotion motion_;
};

}  // namespace fitup::viewer
