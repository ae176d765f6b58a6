#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/watertightness.h>

namespace FITUP_EXPORT fitup {

/// The point of a mesh nearest to a given point.
struct ClosestPoint {
  TriangleId triangle{};
  Vec3 point;           ///< in the local coordinates of the mesh
  double distance = 0;  ///< in the unit of the part
};

/// The points of a segment and a mesh that are nearest to each other.
struct ClosestToSegment {
  TriangleId triangle{};
  Vec3 onSegment, onMesh;  ///< in the local coordinates of the mesh
  double distance = 0;     ///< in the unit of the part
};

/// Side of a point with respect to the material of a part.
enum class PointSide : std::uint8_t {
  outside,
  inside,
  boundary,  ///< on a triangle, exactly
  unknown,   ///< the part is open, and the point is neither clearly enclosed nor clearly free
};

/// Answers queries for points against one model by its `WideBvh` (either layout). Points are in the *local*
/// coordinates of the mesh; for a placed part, map the point there first. Mirrored placements need no special
/// treatment, because sides and distances do not change under reflection.
///
/// Holds scratch memory, so each thread needs its own. Keeps a reference to the model, which must outlive it.
class PointQuery {
 public:
  /// Throws NotBuiltError if the model has no wide tree.
  explicit PointQuery(const CollisionModel& model);

  /// Returns the nearest point at a distance below `within`, or nothing if there is none. `hint` is a
  /// triangle that is probably near, such as that of the previous query; it only saves time. The distance is
  /// that to the returned point, with the error of `distancePointTriangle`. If several triangles are equally
  /// near, any of them is returned.
  std::optional<ClosestPoint> closest(const Vec3& p, double within = std::numeric_limits<double>::infinity(),
                                      std::optional<TriangleId> hint = {});

  /// The same for the points of a closed segment, which may have length zero. The distance is that of
  /// `distanceSegmentTriangle`. Others may be nearer by less than `tolerance`, which saves much time where
  /// many triangles are equally near, as along a segment that is parallel to a face.
  std::optional<ClosestToSegment> closestToSegment(const Vec3& from, const Vec3& to,
                                                   double within = std::numeric_limits<double>::infinity(),
                                                   std::optional<TriangleId> hint = {}, double tolerance = 0);

  /// The same for one triangle of the mesh only.
  [[nodiscard]] std::optional<ClosestToSegment> triangleToSegment(const Vec3& from, const Vec3& to,
                                                                  double within, TriangleId triangle) const;

  /// Writes to `found` all triangles that are nearer than `within` to the segment, with their distances, in
  /// any order. Returns false, and leaves some out, if there are more than `most`.
  bool nearSegment(const Vec3& from, const Vec3& to, double within, std::size_t most,
                   std::vector<ClosestToSegment>& found);

  /// Classifies a point by the generalised winding number w of the part's surface. `watertightness` must be
  /// that of this mesh; it corrects normals that point inward. For a closed part, w is the signed number of
  /// crossings of a segment that leaves the part, which is exact, and the point is inside if w > 1/2. An open
  /// part adds a boundary integral over its open edges: inside for w >= 3/4, outside for w <= 1/4, otherwise
  /// unknown, as everywhere in a mesh with more than 20,000 open edges. Points outside the mesh's box are
  /// outside. O(log n) and one term for each open edge.
  PointSide side(const Vec3& p, const Watertightness& watertightness);

  /// Returns true if a triangle in local coordinates intersects any triangle of the mesh. Exact for these
  /// coordinates.
  bool meets(const Triangle& t);

  /// Writes to `found` all triangles that are nearer than `within` to `t`, a triangle in local coordinates.
  /// It may include some that are farther away, because only boxes are tested.
  void near(const Triangle& t, double within, std::vector<TriangleId>& found);

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }

 private:
  struct Visit {
    double bound;
    WideChild child;
  };

  /// Calls `look` with all triangles that may be nearer to the segment than `least`, which `look` may lower.
  template <class Look>
  void descendToSegment(const Vec3& from, const Vec3& to, double& least, const Look& look);

  /// Calls `ends` with triangles that may be nearer than `within` to `t` until one call returns true. Returns
  /// whether one did.
  template <class Ends>
  bool anyNear(const Triangle& t, double within, const Ends& ends);

  const TriangleMesh* mesh_;
  const WideBvh* tree_;
  double reach_;  ///< upper bound on the distance of corners from the local origin
  std::vector<Visit> stack_;
};

/// Returns the generalised winding number of the mesh around a point in local coordinates, with triangles
/// oriented outward as `watertightness` says. It is 1 inside a closed part, 0 outside, and in between near
/// the holes of an open part (Jacobson, Kavan, Sorkine-Hornung, Robust inside-outside segmentation using
/// generalized winding numbers, 2013). It is a sum of solid angles (Van Oosterom, Strackee 1983), takes O(n),
/// and is off by at most about 2^-48 n. A point on the surface itself has no meaningful value. Thread-safe.
double windingNumber(const TriangleMesh& mesh, const Watertightness& watertightness, const Vec3& p) noexcept;

}  // namespace fitup
