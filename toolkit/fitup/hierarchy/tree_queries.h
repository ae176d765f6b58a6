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

/// The points from + at * direction, 0 <= at <= reach. The direction is finite, of any length but 0.
struct Ray {
  Vec3 from, direction;
  double reach = std::numeric_limits<double>::infinity();
  [[nodiscard]] Vec3 at(double t) const noexcept { return from + direction * t; }
};

/// Which side of a triangle a ray meets. The part's normals point to the front, also if it is mirrored. A ray
/// in the plane of a triangle meets its `edge`, and so does every ray that meets a degenerate triangle.
enum class HitSide : std::uint8_t { front, back, edge };

/// Where a ray meets a triangle.
struct RayHit {
  TriangleId triangle{};
  /// Where the ray enters it, in lengths of the direction. The error is at most 2^-46 of the value; for
  /// `edge`, a step of 2^-44 of the largest coordinate.
  double at = 0;
  HitSide side = HitSide::edge;
};

/// A box of a tree, in the frame of the question. Each point of the triangles below it is centre + sum of s_i
/// axes[i] + e, for some |s_i| <= half[i] and |e| <= grown; `grown` covers all rounding. Under rigid and
/// mirrored placements the axes are of unit length and at right angles.
struct NodeBox {
  Vec3 centre;
  std::array<Vec3, 3> axes{};
  Vec3 half{};
  double grown = 0;

  /// How far it extends from its centre along a direction, times the length of that.
  [[nodiscard]] double reach(const Vec3& direction) const noexcept;
  /// The box around it along the axes of the frame.
  [[nodiscard]] Box around() const noexcept;
};

/// A lower bound of the distance of what lies in the two boxes, by the axes of both and the line of their
/// centres; may be negative. A point is the box `{.centre = point}`.
double leastDistance(const NodeBox& a, const NodeBox& b) noexcept;

/// A model's triangles in a frame of your choice, in which all questions and answers are given. The corners
/// are the local ones of the mesh, placed by `placement().aFromB` in double precision, unfused; answers are
/// exact for these. Immutable; shares the model.
class PlacedTree {
 public:
  /// The local frame of the mesh placed by any affine map that can be inverted. Throws InputError for no
  /// model, NotBuiltError for one without the wide tree, PlacementError and RangeError (limits.h).
  explicit PlacedTree(std::shared_ptr<const CollisionModel> model, const Transform& frameFromLocal = {});
  /// In the world or, without a placement, in the part's frame. Throws as the constructor.
  static PlacedTree inWorld(std::shared_ptr<const CollisionModel> model, const Transform& worldFromPart = {});

  [[nodiscard]] const CollisionModel& model() const noexcept { return *model_; }
  [[nodiscard]] const PairPlacement& placement() const noexcept { return placement_; }
  [[nodiscard]] Triangle triangle(TriangleId id) const noexcept {
    return placement_.placed(model_->mesh().triangle(id));
  }

  /// The triangle that the ray meets first; any one, if it meets several at one place. Triangles are closed:
  /// a ray through an edge or a corner meets all triangles there, so that no ray slips through a closed part.
  /// Exact for the segment from `ray.from` to the end of the ray, which is cut off behind the part, in double
  /// precision. Throws InputError for a direction that is 0 and a reach that is negative or not a number, and
  /// RangeError for numbers outside limits.h.
  [[nodiscard]] std::optional<RayHit> castRay(const Ray& ray) const;
  /// Every triangle that the ray meets, in the order of `at`, then of ids.
  [[nodiscard]] std::vector<RayHit> allHits(const Ray& ray) const;
  /// Exactly the triangles that meet the closed box, by ids. Its sides may be infinite; one that is empty or
  /// no number meets none.
  [[nodiscard]] std::vector<TriangleId> inBox(const Box& box) const;
  /// Exactly the triangles whose `distanceTriangleTriangle` to `of` is at most `distance`, by ids. A segment
  /// is a triangle with two equal corners, a point one with three. Throws InputError for a negative distance,
  /// RangeError.
  [[nodiscard]] std::vector<TriangleId> within(double distance, const Triangle& of) const;

 private:
  std::shared_ptr<const CollisionModel> model_;
  PairPlacement placement_;  ///< of the local frame (B)
};

/// Your own question to one tree. `visitTree` calls it with the boxes of the tree from the root down, and
/// with the triangles of the boxes that it does not leave out.
class TreeVisitor {
 public:
  virtual ~TreeVisitor() = default;
  /// Children of a node are visited in the order of this number. A search for the nearest returns a lower
  /// bound of the distance.
  virtual double bound(const NodeBox& box) = 0;
  /// Up to eight triangles that share a box.
  virtual void visit(std::span<const TriangleId> triangles) = 0;

  /// Boxes whose bound is not less than this are left out. It may be lowered on the way, and holds for boxes
  /// seen before too; minus infinity ends the search.
  double limit = std::numeric_limits<double>::infinity();
};
void visitTree(const PlacedTree& tree, TreeVisitor& visitor);

/// The same for two trees that are placed in one frame: each pair of triangles is visited once, unless a pair
/// of boxes above it is left out.
class PairVisitor {
 public:
  virtual ~PairVisitor() = default;
  virtual double bound(const NodeBox& a, const NodeBox& b) = 0;
  virtual void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) = 0;

  double limit = std::numeric_limits<double>::infinity();
};
void visitPairs(const PlacedTree& a, const PlacedTree& b, PairVisitor& visitor);

}  // namespace fitup
