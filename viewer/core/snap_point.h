#pragma once

#include <functional>
#include <optional>
#include <span>

#include <fitup/scene/assembly.h>
#include <viewer/core/camera.h>
#include <viewer/core/snap_shapes.h>

namespace fitup::viewer {

/// What a cursor snaps to, the first of these that is near.
enum class SnapKind { corner, centre, edge };

/// An instance whose corners and edges may be snapped to.
struct SnapInstance {
  NodeId instance{};
  const TriangleMesh* mesh = nullptr;
  const SnapShapes* shapes = nullptr;
  Transform worldFromPart;
};

struct SnapPoint {
  SnapKind kind = SnapKind::corner;
  NodeId instance{};
  SurfaceId face{};  ///< a face at the corner or edge
  Vec3 point;        ///< in world coordinates; of an edge, the point under the cursor
  Vec3 pointInPart;
  std::size_t edge = 0;              ///< index in the shapes; of the circle or edge
  std::optional<EdgeCircle> circle;  ///< of the edge, if it is one in the world too
  [[nodiscard]] bool isSameShape(const SnapPoint& other) const {
    return kind == other.kind && instance == other.instance &&
           (kind == SnapKind::edge ? edge == other.edge : point == other.point);
  }
};

struct SnapRequest {
  PicturePoint at;
  double reach = 10;  ///< pixels of the picture; edges are reached from half as far, as faces are beside them
  std::span<const SnapInstance> instances;
  /// Returns the distance from the ray's beginning to the nearest visible surface on it, or infinity.
  /// Corners, centres and points of edges that are farther by more than a pixel are hidden, and not snapped
  /// to.
  std::function<double(const Ray&)> firstHit;
  std::function<bool(const Vec3&)> isCutAway;  ///< unset: nothing is
};

/// Returns the nearest corner in reach, otherwise the nearest centre of a circle, otherwise the nearest edge.
/// Of those that are equally near in the picture, to within a pixel, the one nearest to the eye. Looks at the
/// `mostTried` nearest ones of each kind. Linear in the edges of instances in reach.
std::optional<SnapPoint> snapAt(const Camera& camera, const SnapRequest& request);

/// Most corners, centres or edges that are tried; the others are hidden behind these, or too crowded.
inline constexpr std::size_t mostTried = 64;

/// Returns true if the box of an instance comes within reach of the cursor.
bool isInReach(const Camera& camera, PicturePoint at, double reach, const Box& world);

}  // namespace fitup::viewer
