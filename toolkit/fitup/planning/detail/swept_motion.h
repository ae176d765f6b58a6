#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/motion/instance_ways.h>
#include <fitup/scene/scene.h>

namespace fitup::detail {

/// An instance that moves. With a frame that moves, the *world* here and in all that follows is that of the
/// frame: places as seen from the frame, in its design placement.
struct SweptBody {
  NodeId instance{};
  std::shared_ptr<const CollisionModel> model;
  /// Null if the part is not closed.
  std::shared_ptr<const SolidModel> solid;
  /// Distances in the local frame of the mesh are those in the world.
  Transform partFromLocal;
  std::vector<InstanceWay> ways;  ///< by step, as seen from outside of the frame
  /// By step: the motion of the frame from its design placement. Null: the frame rests.
  std::shared_ptr<const std::vector<UniformWay>> frame{};
  /// How far the stored triangles may be from those of the part, and the boundary of the solid from them.
  double besides = 0;

  /// worldFromLocal at s of the way from a step to the next one.
  [[nodiscard]] Transform worldFromLocal(std::uint32_t step, double s) const {
    const Transform outside = ways[step].way.worldFromPart(s) * partFromLocal;
    return frame ? (*frame)[step].worldFromPart(s).inverse() * outside : outside;
  }
};

/// The curve of a point that rests in a frame, as seen from a body, where both move, over an interval of s.
///
/// Outside of both, with turns a and b of the body and the frame for each unit of s, and centres that move
/// along lines, the point x of the frame is at p = c_b + d, where d turns by b. Let y = p - c_a. Seen from
/// the body, x is at exp(-s A) y + constant, where A is the cross product with a. Its second derivative is as
/// long as
///
///     A A y - 2 A y' + y'' = (B B - 2 A B + A A) d + A A (c_b - c_a) - 2 A (c_b' - c_a').
///
/// Let L be the first bracket: (B - A)^2 plus the cross product with b x a. The second part is linear in s.
/// The first one deviates from its chord over a width w by at most w^2/8 |L| |b| |b x d|. So the length is at
/// most that at one of the ends, and this more. It vanishes if both move alike.
struct RelativeCurve {
  Vec3 centre, turn;                   ///< of the frame, seen from itself, where both rest
  std::array<Vec3, 2> turnOfBody;      ///< at both ends, seen from the frame
  std::array<Vec3, 2> ofCentres;       ///< the second part at both ends, seen from the frame
  double matrix = 0, between = 0;      ///< bounds on |L|, and on w^2/8 |L| |b|
  double rounding = 0, ofOffsets = 0;  ///< covers cancellation: for each unit of d, and besides
  double speed = 0;  ///< of the body, seen from the frame, for each unit of s; an upper bound

  /// `local` is the box of the body.
  RelativeCurve(const SweptBody& body, std::uint32_t step, double from, double to, const Box& local);
  /// Bound on the second derivative. Convex in x.
  [[nodiscard]] double acceleration(const Vec3& x) const noexcept;
  /// By how much it grows at most for each unit of distance.
  [[nodiscard]] double slope() const noexcept { return matrix + between * norm(turn) + rounding; }
};

/// An interval of time of one body: s from `from` to `to` on the way from `step` to the next one, or several
/// ways together.
///
/// Seen from the body, a point x that rests in the world moves along a curve. The distance of x to what the
/// body sweeps in the interval is the distance of this curve to the mesh of the body. The curve is replaced
/// by the segment between its ends, from which it deviates by at most `sagOf(x)`.
struct SweptPiece {
  static constexpr std::uint32_t none = ~0U;

  std::uint32_t body = 0, step = 0;
  double from = 0, to = 0;
  Transform localFromWorldAtFrom, localFromWorldAtTo;
  /// The body turns by `turn` (axis times radians per unit of s) about a centre that moves from
  /// `centreAtFrom` to `centreAtTo`; world.
  Vec3 turn, centreAtFrom, centreAtTo;
  std::optional<RelativeCurve> relative{};  ///< in place of these, if the frame moves
  /// Several ways together: the intervals of the two halves meet at this share of the segment.
  std::optional<double> joint{};
  Vec3 middle;                                ///< in the world
  double sagAtMiddle = 0, sagFromMiddle = 0;  ///< the sag at `middle`, and for each unit of distance from it
  double sagOfShift = 0;                      ///< the part of the sag that does not depend on x
  Box box;                                    ///< of what the body sweeps, in the world
  std::uint32_t firstHalf = none;  ///< the two halves of the interval are here and at the next index

  /// Of one way: with y = x - c(s), where c is the centre, x has in the body the position exp(-s T) y(s) +
  /// constant, where T is the cross product with `turn` and y' = -shift. Its second derivative is at most |T
  /// T y| + 2 |T shift|, since exp is a rotation. Over an interval of length w, a curve deviates from its
  /// chord by at most w^2/8 times that. |T T y| = |turn| |turn x y|, which is convex in s, so that an end of
  /// the interval has the largest value. If the frame moves, `RelativeCurve` has the bound.
  ///
  /// Of several ways: the curve of each half deviates from its segment by its own sag. The segments of the
  /// halves deviate from the common one by at most as much as their common point from the point at `joint`,
  /// because a linear function is largest at an end. The vector between the two is an affine function of x:
  /// its length is that at `middle`, and at most the norm of its matrix times the distance from there more.
  ///
  /// All these bounds are between points of equal parameters: that of a segment is linear on each half.
  [[nodiscard]] double sagOf(const Vec3& x) const noexcept;
  /// By how much the sag grows at most for each unit of distance.
  [[nodiscard]] double sagSlope() const noexcept;
};

/// A track as pieces of time.
struct SweptMotion {
  std::vector<SweptBody> bodies;
  /// The first ones are the whole motions of the bodies, in their order; the others are halves of others.
  std::vector<SweptPiece> pieces;
  std::size_t unhalved = 0;  ///< pieces that `makeSweptMotion` makes
  Box box;                   ///< of the swept set
  double size = 0;           ///< diagonal of the box of what moves, in the design placement
  double rounding = 0;  ///< bound on all errors of a distance that do not depend on the size of the cells
};

/// Resolves a track. Its ways are not halved yet. Throws as `instanceWays`.
SweptMotion makeSweptMotion(const Scene& scene, const Track& track, const InstanceWaysRequest& request,
                            const Progress& progress);

/// Halves ways until the sag of every point within `reach` of a piece's box is at most `sag`. Throws
/// InputError if that takes too many.
void halvePieces(SweptMotion& motion, double reach, double sag);

}  // namespace fitup::detail
