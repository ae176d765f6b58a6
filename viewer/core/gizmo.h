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

/// From rays under the cursor to motions, from where the drag began.
class GizmoDrag {
 public:
  /// By a handle of a gizmo at `centre`, taken hold of where `start` passes it.
  GizmoDrag(GizmoHandle handle, const Vec3& centre, const Ray& start);
  /// In the plane across `normal` through the point that was grabbed.
  static GizmoDrag inPlane(const Vec3& grabbed, const Vec3& normal);

  /// The motion that takes what was grabbed to the ray. Where the ray says nothing (along the axis, in the
  /// plane of the ring, away from the plane) the last motion stays.
  [[nodiscard]] const RigidMotion& moveTo(const Ray& ray);

 private:
  GizmoDrag() = default;
  [[nodiscard]] std::optional<double> alongAxis(const Ray& ray) const;
  [[nodiscard]] std::optional<double> angle(const Ray& ray) const;

  std::optional<GizmoHandle> handle_;
  Vec3 centre_, axis_;  ///< a plane's normal where there is no handle
  double start_ = 0;    ///< along the axis, or the angle
  double turned_ = 0;   ///< so far, beyond a full turn too
  RigidMotion motion_;
};

}  // namespace fitup::viewer
