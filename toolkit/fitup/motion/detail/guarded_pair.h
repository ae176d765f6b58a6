#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/motion/detail/advancement.h>
#include <fitup/motion/detail/look_ahead.h>
#include <fitup/motion/detail/pair_limit.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/drag_guard.h>
#include <fitup/scene/broad_phase.h>

namespace fitup::detail {

/// A way to the next pose of the hand.
struct DragWay {
  RigidMotion to;
  RigidPath path;
  double examined = 0;                             ///< up to here
  bool isBegun = false;                            ///< not only for the pair that blocked the way before
  std::optional<std::size_t> clear{}, blocking{};  ///< pair that keeps its limit all the way; that does not
};

/// A pair of a dragged part and a resting one, and what is known of it along the way.
///
/// The margins of pairs of closed parts are those of PairLimit. A pair that must not intersect has its
/// distance as margin, less the clearance that it keeps.
///
/// A pose is fine if every margin is at least the pair's resolution r. From a fine pose with margin m a pair
/// first advances by m + r / 2. If it is fine there too, its margin was at least r / 4 on the whole way: half
/// of the amount by which the margins at both ends exceed the way. If not, it advances by
/// max(m - 1.3 r, r / 2) instead, where a margin of at least r / 2 is guaranteed; so a pair that slides at
/// its limit still advances. Before that, a pair in contact is asked for a stretch of the way on which it
/// keeps 1.3 r (`keepsDepthAlong`). Only fine poses are accepted.
struct GuardedPair {
  /// The limit of a pair.
  enum class Limit {
    depth,     ///< `GuardedPair::kept`
    distance,  ///< nearer than `GuardedPair::clearance`: by default, no intersection
    none,      ///< has intersected since the start, and its depth is not known
  };

  std::uint32_t moved, rest;  ///< positions in the lists of instances
  bool isClosed = false;      ///< both parts are
  double tolerance = 0;
  /// The limit is set. Before, the boxes of the two are farther apart than any way.
  bool isBegun = false;
  Limit limit = Limit::depth;
  PairLimit kept{};      ///< for `Limit::depth`
  double clearance = 0;  ///< for `Limit::distance`
  double resolution = 0;
  bool touching = false;  ///< has intersected since the start, although new pairs must not intersect
  double known = 0;       ///< lower bound of the margin at the accepted pose
  double speed = 0;       ///< on this way
  bool careful = false;   ///< on this way: the longer step was not fine
  double apartAt = Advancement::never;  ///< on this way: where `Limit::none` was found separated
  double clearTo = 0;                   ///< on this way: up to here the pair certainly keeps its limit
  /// On this way: places where the pair was fine, its margin there, and how fast that shrinks at most;
  /// ascending.
  struct Fine {
    double at, margin, speed;
    double to = at;  ///< fine all the way up to here
  };
  std::vector<Fine> fine{};
  Stride contacts{}, distances{};  ///< of searches ahead, over the whole drag
  DepthAlong depths{};             ///< what these found

  /// What the pair of these instances keeps.
  [[nodiscard]] DragLimit limitOf(NodeId a, NodeId b) const {
    DragLimit result{a, b};
    if (limit == Limit::depth) result.depth = kept.depth;
    result.distance = clearance;
    result.isFree = limit == Limit::none;
    result.tolerance = tolerance;
    result.resolution = resolution;
    return result;
  }
  /// Forgets what is known of the way before.
  void beginWay() {
    fine.clear();
    apartAt = Advancement::never;
    careful = false;
    clearTo = 0;
  }
  [[nodiscard]] bool isKnownFine(double s) const {
    if (s <= 0 || (limit == Limit::none && s <= apartAt)) return true;
    return std::ranges::any_of(fine, [&](const Fine& f) {
      return (f.at <= s && s <= f.to) || f.margin - f.speed * std::abs(s - f.at) >= resolution;
    });
  }
  /// The last place before `before` that is certainly fine.
  [[nodiscard]] double lastFine(double before) const {
    // A pair that has just separated was unlimited up to there.
    double s = limit == Limit::none && apartAt < before ? apartAt : 0;
    for (const auto& [at, margin, speed, to] : fine) {
      if (at >= before) continue;
      const double sure = std::max(to, at + std::max(0.0, margin - aLittleMore * resolution) / speed);
      s = std::max(s, sure < before ? sure : at);
    }
    return s;
  }
};

/// The pairs of moved and resting instances that rules let a drag guard, with their tolerances. Throws as
/// `DragGuard` for a tolerance that is neither given nor known.
std::vector<GuardedPair> guardedPairs(const Scene& scene, const DragOptions& options,
                                      std::span<const PlacedInstance> moved,
                                      std::span<const PlacedInstance> rest, double fineResolution);

}  // namespace fitup::detail
