#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/closedness.h>

namespace FITUP_EXPORT fitup {

/// The point of a mesh nearest to another one.
struct ClosestPoint {
  TriangleId triangle{};
  Vec3 point;           ///< in the mesh's local coordinates
  double distance = 0;  ///< in the part's unit
};

/// Where a point lies with respect to the material of a part.
enum class PointSide : std::uint8_t {
  outside,
  inside,
  boundary,  ///< on a triangle, exactly
};

/// Questions of points against one model, answered by its `WideBvh` (either layout). Points are given in the
/// mesh's *local* coordinates; a placed part is asked by carrying the point there. A mirrored placement needs
/// nothing more: sides and distances do not change under reflection.
///
/// Holds scratch memory: one a thread. Refers to the model, which must outlive it.
class PointQuery {
 public:
  /// Throws NotBuiltError if the model has no wide tree.
  explicit PointQuery(const CollisionModel& model);

  /// The nearest point at a distance below `within`, nothing if there is none. `hint`: a triangle likely to
  /// be near (of the question before), which only saves time. The distance is that to the returned point,
  /// whose error is that of `distancePointTriangle`; of triangles that tie, any.
  std::optional<ClosestPoint> closest(const Vec3& p, double within = std::numeric_limits<double>::infinity(),
                                      std::optional<TriangleId> hint = {});

  /// Against the part's closed components (`closedness` as of this mesh), exactly: the whole number of times
  /// that their surface winds round the point, counted by the crossings of a segment that leaves the part;
  /// inside where it is not 0. Normals that point in are put right by `closedness`. Open components have no
  /// inside and are passed over; `windingNumber` says how far they enclose a point.
  PointSide side(const Vec3& p, const Closedness& closedness);

  /// Whether a triangle in local coordinates meets any of the mesh: exact for these coordinates.
  bool meets(const Triangle& t);

  /// Puts into `found` all triangles that lie nearer than `within` to `t`, a triangle in local coordinates;
  /// and some that lie farther, as only boxes are asked.
  void near(const Triangle& t, double within, std::vector<TriangleId>& found);

  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }

 private:
  struct Visit {
    double bound;
    WideChild child;
  };

  /// Asks triangles that may lie nearer than `within` to `t`, until one `ends` it; whether one did.
  template <class Ends>
  bool anyNear(const Triangle& t, double within, const Ends& ends);

  const TriangleMesh* mesh_;
  const WideBvh* tree_;
  double reach_;  ///< no corner lies farther from the local origin
  std::vector<Visit> stack_;
};

/// Generalised winding number of the mesh's triangles, turned outward as `closedness` says, round a point in
/// local coordinates: 1 inside a closed part, 0 outside, in between near the holes of an open one (Jacobson,
/// Kavan, Sorkine-Hornung, Robust inside-outside segmentation using generalized winding numbers, 2013). Sum
/// of solid angles (Van Oosterom, Strackee 1983), O(n); off by at most about 2^-48 n, a point on the surface
/// itself has no meaningful value.
double windingNumber(const TriangleMesh& mesh, const Closedness& closedness, const Vec3& p) noexcept;

}  // namespace fitup
