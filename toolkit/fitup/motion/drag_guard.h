#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <fitup/motion/track.h>
#include <fitup/query/distance.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// What a dragged part does where it meets others.
enum class DragMode {
  off,            ///< nothing is asked while it moves
  detect,         ///< it goes through, what it hits is shown
  stopAtContact,  ///< it stops where it touches
};

/// How a dragged part is stopped. Lengths in the world's unit.
struct DragOptions {
  /// t: clashes at most so deep do not stop the part. Unset: each pair's `defaultTolerance`; raised to
  /// `leastTolerance` where it is less. Larger: parts go deeper into each other, fewer queries.
  std::optional<double> tolerance{};
  /// No pose that is accepted has any intersection.
  bool strict = false;
  /// How far before its limit a part may be stopped. Unset: t / 4, which is also the most; 2^-20 of the
  /// diagonal of everything where t has no meaning (`strict`, parts that are not closed). Smaller: nearer to
  /// the limit, more queries, in inverse proportion where parts slide along each other.
  std::optional<double> resolution{};
  /// Pairs that are ignored, or outside the sets to check, do not stop anything.
  Rules rules{};
  /// Looks at pairs in one update; then the part stays where it is safe, and the update is truncated.
  std::size_t maxLooks = 20'000;
  /// Of one update; `maxPairs` is not used.
  QueryLimits limits{};
};

/// What stopped a dragged part.
struct DragStop {
  NodeId a{}, b{};  ///< the dragged instance and the one at rest
  /// At the pose that was accepted: surfaces, triangles, points in the world, distance (0: they intersect).
  /// Nothing if one of the two lies inside the other, out of reach.
  std::optional<NearestPair> nearest;
};

/// The answer to one wanted pose.
struct DragUpdate {
  RigidMotion pose;              ///< that the part may take, from where `poses` had it
  double fraction = 0;           ///< of the way from the pose accepted before to the wanted one
  std::optional<DragStop> stop;  ///< unset where nothing stopped it, or the status is not complete
  ReportStatus status = ReportStatus::complete;  ///< else the way was not looked at to its end
  std::size_t looks = 0;                         ///< at pairs whose boxes did not answer
  double milliseconds = 0;                       ///< wall clock
};

/// Stop at contact: one drag of instances (a rigid group) through a scene whose other instances rest.
///
/// On the way between two poses (RigidPath) the group goes as far as it may. For a pair of closed parts the
/// limit is a depth: t, or what the pair had at the start of the drag plus t where it was in a deeper clash
/// then. So contacts slide and separate, clashes may be pulled out, and no clash deeper than t that was not
/// there at the start comes up, neither at a pose nor anywhere between two of them: depth changes by no more
/// than points move (see drag_guard.cpp), so the way is gone by conservative advancement, and thin walls are
/// not passed. A pair of which one part is not closed has no known depth: it may not intersect at all, unless
/// it did at the start; then it does not stop anything until it has come apart (looked for at the poses taken
/// and at 16 evenly spaced ones on the way). With `strict` no pair may intersect; those that do at the start
/// may not get deeper by more than t (or are let go, if not closed), and until they are apart nothing but the
/// start is accepted.
///
/// Shares the scene. One call at a time. The answers depend on the poses asked for and on nothing else.
class DragGuard {
 public:
  /// `dragged` are instances; `start` is their motion from where `poses` have them. Throws InputError for no
  /// instance and for a tolerance that is not given and not known, PlacementError for a start that is not
  /// `isRigid`, else as `penetration`.
  DragGuard(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
            const RigidMotion& start = {}, const DragOptions& options = {}, const Progress& progress = {});
  ~DragGuard();
  DragGuard(DragGuard&&) noexcept;
  DragGuard& operator=(DragGuard&&) noexcept;

  /// The pose accepted last.
  [[nodiscard]] const RigidMotion& pose() const noexcept;
  /// Goes towards the wanted pose as far as it may, and keeps what it reaches. Throws PlacementError for a
  /// pose that is not `isRigid`, or so far away that the way there is not finite; the pose accepted last then
  /// stays.
  DragUpdate update(const RigidMotion& wanted, const Progress& progress = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
