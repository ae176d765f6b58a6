#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/geometry/pair_placement.h>
#include <fitup/hierarchy/collision_model.h>

namespace FITUP_EXPORT fitup {

/// The points from + at * direction with 0 <= at <= reach. The direction is finite and not 0, of any length.
struct Ray {
  Vec3 from, direction;
  double reach = std::numeric_limits<double>::infinity();
  [[nodiscard]] Vec3 at(double t) const noexcept { return from + direction * t; }
};

/// Side of a triangle that a ray hits. The part's normals point to the front, even if it is mirrored. A ray
/// in the plane of a triangle hits its `edge`, and so does every ray that hits a degenerate triangle.
enum class HitSide : std::uint8_t { front, back, edge };

/// A point at which a ray hits a triangle.
struct RayHit {
  TriangleId triangle{};
  /// Parameter at which the ray enters the triangle, in lengths of the direction. The error is at most 2^-46
  /// of the value; for `edge`, a step of 2^-44 of the largest coordinate.
  double at = 0;
  HitSide side = HitSide::edge;
};

/// A box of a tree, in the frame of the query. Each point of the triangles below it is centre + sum of s_i
/// axes[i] + e for some |s_i| <= half[i] and |e| <= grown, where `grown` covers all rounding. Under rigid and
/// mirrored placements the axes are orthonormal.
struct NodeBox {
  Vec3 centre;
  std::array<Vec3, 3> axes{};
  Vec3 half{};
  double grown = 0;

  /// Extent of the box from its centre along a direction, times the length of the direction.
  [[nodiscard]] double reach(const Vec3& direction) const noexcept;
  /// Axis-aligned bounding box in the frame of the query.
  [[nodiscard]] Box around() const noexcept;
};

/// Returns a lower bound on the distance between the contents of two boxes in one frame, from the axes of
/// both and the line of their centres. It may be negative. A point is the box `{.centre = point}`.
double minimumDistance(const NodeBox& a, const NodeBox& b) noexcept;

/// The triangles of a model in a frame of your choice, in which all queries and answers are given. The
/// corners are the local ones of the mesh, placed by `placement().aFromB` in double precision, unfused;
/// answers are exact for these. Immutable and thread-safe; shares ownership of the model.
class PlacedTree {
 public:
  /// Places the local frame of the mesh by any affine map that can be inverted. Throws InputError for a null
  /// model, NotBuiltError for a model without the wide tree, PlacementError for a map that is singular or not
  /// finite, and RangeError for numbers outside limits.h.
  explicit PlacedTree(std::shared_ptr<const CollisionModel> model, const Transform& frameFromLocal = {});
  /// Places the part in the world or, without a placement, in its part frame. Throws as the constructor.
  static PlacedTree inWorld(std::shared_ptr<const CollisionModel> model, const Transform& worldFromPart = {});

  [[nodiscard]] const CollisionModel& model() const noexcept { return *model_; }
  [[nodiscard]] const PairPlacement& placement() const noexcept { return placement_; }
  /// Corners of a triangle in the chosen frame.
  [[nodiscard]] Triangle triangle(TriangleId id) const noexcept {
    return placement_.placed(model_->mesh().triangle(id));
  }

  /// Returns the triangle that the ray hits first; any one of several at the same point. Triangles are
  /// closed: a ray through an edge or a corner hits all triangles there, so no ray slips through a closed
  /// part. Exact for the segment from `ray.from` to the end of the ray in double precision; the ray is cut
  /// off behind the part. Throws InputError for a direction that is 0 and a reach that is negative or NaN,
  /// and RangeError for numbers outside limits.h.
  [[nodiscard]] std::optional<RayHit> castRay(const Ray& ray) const;
  /// Returns every triangle that the ray hits, ordered by `at` and then by id. Throws as `castRay`.
  [[nodiscard]] std::vector<RayHit> allHits(const Ray& ray) const;
  /// Returns exactly the triangles that intersect the closed box, ordered by id. The sides of the box may be
  /// infinite. A box that is empty or has a NaN intersects none.
  [[nodiscard]] std::vector<TriangleId> inBox(const Box& box) const;
  /// Returns exactly the triangles whose `distanceTriangleTriangle` to `of` is at most `distance`, ordered by
  /// id. A segment is a triangle with two equal corners, a point one with three. Throws InputError for a
  /// negative distance, and RangeError for numbers outside limits.h.
  [[nodiscard]] std::vector<TriangleId> within(double distance, const Triangle& of) const;

 private:
  std::shared_ptr<const CollisionModel> model_;
  PairPlacement placement_;  ///< placement of the local frame (B)
};

/// Your own query to one tree. `visitTree` calls it with the boxes of the tree from the root down, and with
/// the triangles of the boxes that it does not exclude.
class TreeVisitor {
 public:
  virtual ~TreeVisitor() = default;
  /// Returns a number for a box. The children of a node are visited in increasing order of it. A search for
  /// the nearest triangle returns a lower bound on the distance.
  virtual double bound(const NodeBox& box) = 0;
  /// Receives up to eight triangles that share a box.
  virtual void visit(std::span<const TriangleId> triangles) = 0;

  /// Boxes whose bound is not less than this are excluded. You may lower it during the search; this also
  /// affects boxes seen earlier. Minus infinity ends the search.
  double limit = std::numeric_limits<double>::infinity();
};
/// Runs a visitor over a tree.
void visitTree(const PlacedTree& tree, TreeVisitor& visitor);

/// Your own query to two trees that are placed in one frame. Each pair of triangles is visited once, unless a
/// pair of boxes above it is excluded.
class PairVisitor {
 public:
  virtual ~PairVisitor() = default;
  virtual double bound(const NodeBox& a, const NodeBox& b) = 0;
  virtual void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) = 0;

  double limit = std::numeric_limits<double>::infinity();
};
/// Runs a visitor over two trees in one frame.
void visitPairs(const PlacedTree& a, const PlacedTree& b, PairVisitor& visitor);

}  // namespace fitup
