#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include <fitup/motion/detail/rigid_path.h>
#include <fitup/query/depth_along.h>
#include <fitup/query/distance.h>
#include <fitup/query/posed_solid.h>

namespace fitup::detail {

/// Two closed parts at one pose of a motion.
struct MovingPair {
  PosedSolid first, second;
  double boxDistance = 0;  ///< of their boxes, in the world
  double rounding = 0;     ///< bound on the change of a distance or depth by the rounding of the pose
};

/// What a pair of closed parts that is in contact at the reference pose keeps along a motion (verdicts,
/// *Along a motion*): they get no deeper than L, and do not come to pierce each other.
///
/// The depth q of a pair is the largest distance from the surface of one body of those points of the other
/// body that lie inside it. If the points of A move by at most e, q grows by at most e: a point p' of A
/// inside B came from p with |p' - p| <= e. If p was inside B, dist(p', B) <= dist(p, B) + e <= q + e.
/// Otherwise the way from p to p' crosses the surface of B, which is then at most e from p'. For points of B
/// in A, take the point of body A that comes to lie there. Along the way, points of the surfaces suffice: a
/// set of points deeper than L in one body that the other one encloses (`PenetrationRequest::enclosedCores`)
/// was not enclosed at the start, so a surface of the other body gets as deep first. While the surfaces are
/// at distance d and neither body is inside the other, nothing overlaps before points have moved by d. Two
/// bodies pierce each other if each reaches the middle of a wall of the other; nothing reaches a middle
/// before points have moved by its distance. So the
///   margin = min(L - q, max(dist(A, middle of B), dist(B, middle of A))), or L + d and d if separated,
/// shrinks by at most the motion of the points. Lengths in world units.
struct PairLimit {
  double tolerance = 0;     ///< t
  double depth = 0;         ///< L
  double overlap = 0;       ///< q at the start, if above t / 4
  Vec3 deepest;             ///< a point that shows it, in the world
  double resolution = 0;    ///< r: largest distance from the limit at which the pair may be stopped
  bool keepsApart = false;  ///< may not come to pierce: false if it does at the start, or is too thick for it
  /// Not `keepsApart`, because it is not certain at the start that the two do not pierce each other.
  bool mayPierceUnseen = false;

  /// The limit of a pair at the reference pose: L = max(t, q + e), where e is the sum of the chord errors, so
  /// that a tessellated shaft can turn in its bore, and at least t / 2, so that it can move at all.
  /// `resolution` is raised and lowered to between 2^-20 and 1/4 of t.
  static PairLimit atReference(const MovingPair& pair, double tolerance, std::optional<double> resolution,
                               QueryContext& context, const QueryLimits& limits = {});
  /// Makes the limit one that holds at this pose, at which a motion starts: where the pair already is beyond
  /// it, it may not go farther, up to t / 8. `isReference`: the pose is that of `atReference`.
  void admit(const MovingPair& pair, bool isReference, QueryContext& context, const QueryLimits& limits = {});

  /// Returns a lower bound of the margin; any value above `enough` will do. Counts the pairs that boxes do
  /// not decide in `looks`. What is not decided within `limits` has the margin 0.
  [[nodiscard]] double margin(const MovingPair& pair, double enough, QueryContext& context,
                              std::size_t& looks, const QueryLimits& limits = {}) const {
    const Apart apart = marginApart(pair, enough, context, looks, limits);
    return apart.margin ? *apart.margin : marginInContact(pair, apart.distance, context, limits);
  }
  /// The same in two parts: by the distance of the parts, if that decides, and by their depth, which takes
  /// longer.
  struct Apart {
    std::optional<double> margin;
    double distance = 0;  ///< lower bound, without a margin
  };
  [[nodiscard]] Apart marginApart(const MovingPair& pair, double enough, QueryContext& context,
                                  std::size_t& looks, const QueryLimits& limits = {}) const;
  [[nodiscard]] double marginInContact(const MovingPair& pair, double distance, QueryContext& context,
                                       const QueryLimits& limits = {}) const;
  /// True if it is certain that the pair keeps this margin while the first part moves along `way` to
  /// `firstAtEnd`, by no more than `length` at any point. False if that is not known after `maxPieces` pieces
  /// of surface. `kept` is of this pair, for short motions one after another.
  [[nodiscard]] bool keepsAlong(const MovingPair& pair, const Transform& firstAtEnd,
                                const RigidPath::Stretch& way, double length, double margin,
                                std::size_t maxPieces, DepthAlong* kept = nullptr,
                                const QueryLimits& limits = {}) const;
  /// True if the pair is deeper than L - r, false if it has less margin for another reason; nothing if a
  /// limit ended the search.
  [[nodiscard]] std::optional<bool> isTooDeep(const MovingPair& pair, QueryContext& context,
                                              const QueryLimits& limits = {}) const {
    return isDeeper(pair, depth - resolution, resolution / 4, false, context, limits);
  }

 private:
  /// Without `cores`, only points on the surfaces are considered.
  [[nodiscard]] static std::optional<bool> isDeeper(const MovingPair& pair, double than, double accuracy,
                                                    bool cores, QueryContext& context,
                                                    const QueryLimits& limits);
  /// Which body keeps off the other's middle, as far as is known. Not thread-safe.
  mutable bool asksSecondFirst_ = false;
  [[nodiscard]] bool keepsOffMiddles(const MovingPair& pair, double clearance,
                                     const QueryLimits& limits) const;
};

/// The overlap h of two parts along a direction, from their boxes. If along a unit direction n all of A lies
/// below max(n . A) and all of B above min(n . B), no point of either is deeper in the other than
/// h = max(n . A) - min(n . B), because every way along n leaves the other within h. So parts that a plane
/// separates except for a contact, such as flanges, need no search for depth. h changes only with the speed
/// along n, so sliding along such a plane needs no queries.
struct Slab {
  double overlap = 0;
  Vec3 direction;
};
/// The slab of least overlap over the axes of both placements. `ofA` and `ofB` are the corners of the boxes
/// of the parts, in the world.
Slab thinnestSlab(const Transform& a, const std::array<Vec3, 8>& ofA, const Transform& b,
                  const std::array<Vec3, 8>& ofB);

}  // namespace fitup::detail
