#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include <fitup/geometry/vec3.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/planning/detail/swept_motion.h>

namespace fitup::detail {

/// A cube in the world.
struct WorldCube {
  Vec3 centre;
  double half = 0;  ///< of an edge

  [[nodiscard]] double radius() const noexcept { return half * (1.7320508075688772 * (1 + 0x1p-40)); }
  [[nodiscard]] Vec3 corner(std::size_t k) const noexcept {
    return {centre.x + ((k & 1U) != 0 ? half : -half), centre.y + ((k & 2U) != 0 ? half : -half),
            centre.z + ((k & 4U) != 0 ? half : -half)};
  }
};

/// A function that is affine in the place: its gradient, and its value at the centre of a cube.
struct AffineBound {
  std::array<float, 3> gradient{};
  float atCentre = 0;

  [[nodiscard]] double at(const Vec3& fromCentre) const noexcept {
    return gradient[0] * fromCentre.x + gradient[1] * fromCentre.y + gradient[2] * fromCentre.z +
           double{atCentre};
  }
};

/// A piece of a motion that may come nearest to a point of a cube, or one of its triangles.
struct NearPiece {
  std::uint32_t piece = 0;
  TriangleId triangle{};  ///< the nearest one to the centre of the cube
  enum class Triangles : std::uint8_t {
    any,   ///< any triangle of the part may be nearest
    many,  ///< any, and too many are near to list them
    one    ///< no other one
  } triangles = Triangles::any;
  double low = 0;  ///< lower bound on the distance from the centre of the cube
  /// Of one triangle: in the cube, the distance is at least the lesser of these.
  AffineBound atFrom{}, atTo{};
};

/// A piece of a motion that may come nearest to a point of a cube, without what is known of its distance.
struct NearName {
  std::uint32_t piece = 0;
  TriangleId triangle{};
  NearPiece::Triangles triangles{};
};

/// The pieces that may come nearest to a point of a cube, by `low`, and the centre of the cube in the world.
struct NearList {
  std::span<const NearPiece> pieces;
  Vec3 centre;

  /// A lower bound on the distance of a piece from a point at `fromCentre` in the cube.
  [[nodiscard]] static double lowAt(const NearPiece& piece, const Vec3& fromCentre, double away) noexcept {
    if (piece.triangles != NearPiece::Triangles::one) return piece.low - away;
    return std::min(piece.atFrom.at(fromCentre), piece.atTo.at(fromCentre));
  }
};

/// Gives `one` its bounds in a cube. `a` and `b` are the centre of the cube in the body when the piece begins
/// and ends; `outward` is a vector in the body, best that from the triangle to the segment from a to b.
///
/// Let n be a unit vector and m the largest n . v of the corners v of the triangle. Then n . y - m is a lower
/// bound on the distance of y from the triangle. The points of a segment have a value between those of its
/// ends, and the ends are affine functions of the place in the world. What moves along a curve is off by the
/// sag.
void boundTriangle(NearPiece& one, const SweptPiece& piece, const Triangle& triangle, const Vec3& a,
                   const Vec3& b, const Vec3& outward, const WorldCube& cube);

/// Upper bounds on the distance from a motion at the corners of a cube, all by one triangle at one time.
class CornerDistances {
 public:
  /// By this triangle of a piece when this share of the segment is over.
  CornerDistances(const SweptPiece& piece, const Triangle& triangle, double share, const WorldCube& cube);

  /// True if the triangle is nowhere in the cube nearer than the one of this object, less `tolerance`.
  ///
  /// The lesser of two affine functions is concave, and the distance from a convex body is convex in the
  /// place. So their difference is least at a corner of the cube.
  [[nodiscard]] bool excludes(const NearPiece& one, double tolerance) const noexcept;

  /// For a unit vector `outward` in the body, a value such that a triangle of this piece is excluded if n . v
  /// is at most that for its corners v.
  [[nodiscard]] double excludedBelow(const SweptPiece& piece, const Vec3& outward,
                                     double tolerance) const noexcept;

 private:
  WorldCube cube_;
  std::array<double, 8> high_{};
};

}  // namespace fitup::detail
