#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/query/distance.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// The behaviour of a dragged part where it touches others.
enum class DragMode {
  off,            ///< nothing is checked while it moves
  detect,         ///< it passes through, and what it hits is shown
  stopAtContact,  ///< it stops where it touches (`DragGuard`)
  slide,          ///< it goes on along what it touches (`SlideGuard`)
};

/// True if the part may be elsewhere than the hand: it goes only as far as contact lets it.
[[nodiscard]] constexpr bool isGuarded(DragMode mode) noexcept {
  return mode == DragMode::stopAtContact || mode == DragMode::slide;
}

/// Options for stopping a dragged part. Lengths in the world's unit.
struct DragOptions {
  /// t: clashes up to this depth do not stop the part. Unset: the `defaultTolerance` of each pair. Raised to
  /// `minimumTolerance` if it is less. Larger: deeper overlaps, fewer queries.
  std::optional<double> tolerance{};
  /// t of pairs whose chord errors are not known, if `tolerance` is unset. Unset too: they are refused.
  std::optional<double> unknownTolerance{};
  /// Poses at which the limits of pairs that clash are fixed. Unset: the design placements.
  std::optional<Poses> reference{};
  /// Accepts no pose with any intersection.
  bool strict = false;
  /// Pairs that are farther apart at the reference than this and their tolerance may not come as near as
  /// this. Other pairs keep their limits as without it. A pair that is nearer when the drag begins may not
  /// come nearer still.
  double clearance = 0;
  /// Largest distance from its limit at which a part may be stopped. Unset: t / 4, which is also the maximum;
  /// where t has no meaning (`strict`, parts that are not closed), 2^-20 of the diagonal of the scene.
  /// Smaller: stops nearer to the limit, more queries, in inverse proportion where parts slide along each
  /// other.
  std::optional<double> resolution{};
  /// Ignored pairs, and pairs outside the sets to check, do not stop the part.
  Rules rules{};
  /// Limits of one update; `maxPairs` is not used. They are looked at after every step (`DragUpdate::steps`),
  /// of which each update makes at least one.
  QueryLimits limits{};
  std::optional<std::size_t> maxSteps{};  ///< the same for the number of steps
  /// Keeps, for each pair, what was shown of its surfaces for the steps after (`DepthAlong`): quicker where a
  /// part goes on in contact in short steps, slower where it is stopped at once.
  bool keepsDepths = false;
};

/// What a pair keeps during a drag. Lengths in the world's unit.
struct DragLimit {
  NodeId a{}, b{};  ///< the dragged instance and the resting one
  /// L: the pair overlaps by at most this. Unset: it must not come as near as `distance`.
  std::optional<double> depth{};
  double distance = 0;
  bool isFree = false;    ///< no limit: it intersects since the start, and its depth is not known
  double tolerance = 0;   ///< t
  double resolution = 0;  ///< largest distance from the limit at which the pair may be stopped
};

/// The pair that stopped a dragged part.
struct DragStop {
  NodeId a{}, b{};  ///< the dragged instance and the resting one
  /// The nearest points at the accepted pose: surfaces, triangles, points in the world, distance (0: the two
  /// intersect).
  std::optional<NearestPair> nearest;
};

/// The result for one wanted pose.
struct DragUpdate {
  RigidMotion pose;              ///< motion from the placement in `poses` to where the part is
  double fraction = 0;           ///< share of the way to the wanted pose
  std::optional<DragStop> stop;  ///< unset if nothing stopped it, or if the status is not complete
  /// Otherwise the part is on its way: `proceed`, and the next update, go on from here.
  ReportStatus status = ReportStatus::complete;
  std::size_t looks = 0;  ///< at pairs that boxes did not decide
  /// Pieces of work of bounded length: a pair whose distance is measured, or at most 16 pieces of surface in
  /// searches for depth and for walls. Does not depend on the machine.
  std::size_t steps = 0;
  double milliseconds = 0;  ///< wall clock
};

/// Stop at contact: one drag of instances (a rigid group) through a scene whose other instances rest.
///
/// On the way between two poses (RigidPath) the group stops at the limit of the first pair that reaches one.
/// A pair of closed parts may overlap up to the depth L = max(t, q + e), where q is its depth at the
/// reference poses (`DragOptions::reference`), and e the sum of both chord errors, at least t / 2. Contacts
/// can therefore slide and separate, and clashing parts can be pulled apart, and no clash grows from drag to
/// drag. A pair that is already deeper when the drag begins may not get deeper by more than t / 8. Nor may a
/// pair come to pierce each other's walls (`PenetrationRegion::pierced`), however thin these are, unless it
/// is not certain at the start that they do not (they touch at a sharp edge of a thin wall). Neither happens
/// at a pose or between two poses: depths and distances change by no more than points move, so conservative
/// advancement applies.
///
/// A pair with a part that is not closed has no known depth and must not intersect. If it intersects at the
/// start, it stops nothing until it has separated, which is tested at the poses taken and at 16 evenly spaced
/// ones on the way. With `strict` no pair may intersect. Pairs that intersect at the start must not get
/// deeper than L (or stop nothing, if not closed), and until they have separated only the start is accepted.
///
/// An update that a limit ends leaves the part as far on the way as is certain, and what follows goes on from
/// there, in the middle of a search if need be: updates that have limits run on a thread of the guard, which
/// pauses between them. The limits of pairs too are found in updates, for each when it may first matter. The
/// part then visits the wanted poses one after the other, as it would without limits: ways and
/// stops depend only on the sequence of wanted poses, and limits only on how soon they are reached.
///
/// Shares the scene. Not thread-safe.
class DragGuard {
 public:
  /// Starts a drag of the instances `dragged`; `start` is their motion from the placements in `poses`. Throws
  /// InputError if there is no instance, if the tolerance is neither given nor known, or if a length is
  /// negative or not finite, PlacementError for a
  /// start that is not `isRigid`, otherwise as `penetration`.
  DragGuard(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
            const RigidMotion& start = {}, const DragOptions& options = {}, const Progress& progress = {});
  ~DragGuard();
  DragGuard(DragGuard&&) noexcept;
  DragGuard& operator=(DragGuard&&) noexcept;

  /// Where the part is.
  [[nodiscard]] const RigidMotion& pose() const noexcept;
  /// Moves towards the wanted pose up to the first limit; before, to those asked for earlier that have not
  /// been reached. The same pose again changes nothing but goes on. Throws PlacementError for a pose that is
  /// not `isRigid`, or that is so far away that the speed of the way is not finite; it then does not count.
  DragUpdate update(const RigidMotion& wanted, const Progress& progress = {});
  /// The same for several poses, which are wanted one after the other. If one is refused, none counts.
  DragUpdate update(std::span<const RigidMotion> wanted, const Progress& progress = {});
  /// Goes on to the poses that were asked for. Without any, returns the last update again.
  DragUpdate proceed(const Progress& progress = {});

  /// True if every pair keeps its limit at a pose, wherever the part is. Precondition: no way is in progress
  /// (the last update was complete), and the pose is rigid.
  [[nodiscard]] bool accepts(const RigidMotion& pose);
  /// Puts the part where it has been before, or where it is accepted. Precondition: as for `accepts`.
  void placeAt(const RigidMotion& pose);

  /// The dragged and the resting instance of each pair that is guarded.
  [[nodiscard]] std::vector<std::pair<NodeId, NodeId>> pairs() const;
  /// What a pair of that list keeps from now on. Finds the limit if that has not been needed before, without
  /// a limit of time. Precondition: no way is in progress (the last update was complete).
  [[nodiscard]] DragLimit limitOf(std::size_t pair);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
