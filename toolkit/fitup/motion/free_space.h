#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/motion/drag_guard.h>

namespace FITUP_EXPORT fitup {

/// Options of a `FreeSpace`. Lengths in the world's unit.
struct FreeSpaceOptions {
  /// Parts that are not in contact at the start keep more than this.
  double clearance = 0;
  /// As in `CertifyOptions`, as the rules are.
  std::optional<double> tolerance{};
  bool exactShapes = false;
  /// Ways begin and end where parts that keep a distance have this much more, or half of what they have at an
  /// admitted pose if that is less; in between, they have a quarter of it, or half of what they have where
  /// the way begins. Smaller: leads through narrower places, and takes longer. Unset: 1/600 of the size of
  /// the group.
  std::optional<double> room{};
  Rules rules{};
};

/// What ends a way.
struct FreeStop {
  NodeId moved{}, rest{};
  std::optional<SurfacePair> surfaces{};  ///< that are nearest there, if that is known
};

/// How far a way is free.
struct FreeStep {
  RigidMotion pose;                ///< at the end of what is free
  double share = 0;                ///< of the way, up to there
  std::optional<FreeStop> stop{};  ///< set unless `share` is 1
};

/// The poses that a rigid group may have among parts that rest, and ways between them: what a search for a
/// way asks, thousands of times a second.
///
/// Poses are motions of the group from where it is at the start. A way between two poses is straight: the
/// centre of the box about the group goes along a line, and the group turns about it through the shorter arc.
/// It is free if, at every time of it, parts in contact at the start keep their limit, as in a drag that
/// stops at contact (`DragGuard`), and all others keep the clearance. Nothing is sampled: ways are followed
/// by conservative advancement (Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems, 1996).
///
/// Shares the scene. Not thread-safe; several threads use one each.
class FreeSpace {
 public:
  /// Throws as `DragGuard`.
  FreeSpace(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
            const FreeSpaceOptions& options = {}, const Progress& progress = {});
  ~FreeSpace();
  FreeSpace(FreeSpace&&) noexcept;
  FreeSpace& operator=(FreeSpace&&) noexcept;

  /// The centre of the box about the group at the start, in the world, and the diagonal of the box.
  [[nodiscard]] const Vec3& centre() const noexcept;
  [[nodiscard]] double size() const noexcept;
  /// The root of the mean squared distance of the group's surface from its centre: a turn by an angle moves
  /// its points by about that times this.
  [[nodiscard]] double gyration() const noexcept;
  /// `FreeSpaceOptions::room`.
  [[nodiscard]] double room() const noexcept;
  /// The largest tolerance t of the pairs that may be in contact at the start; 0 if there are none.
  [[nodiscard]] double tolerance();
  /// The box about everything that rests. Empty if nothing does.
  [[nodiscard]] const Box& rest() const noexcept;

  /// True if no pair is nearer than its limit at a pose. Ways may then pass as near as half of what is kept
  /// there. Precondition: the pose is rigid.
  bool admit(const RigidMotion& pose);
  /// True if every pair has its room at a pose. Unlike `admit`, this never makes rooms smaller. Precondition:
  /// the pose is rigid.
  bool hasRoom(const RigidMotion& pose);
  /// The straight way from one pose to another. Precondition: `from` was admitted, has room, or is where a
  /// way ended.
  FreeStep go(const RigidMotion& from, const RigidMotion& to);
  /// True if all of it is free, as by `go`. Takes less time for ways that are not: looks at the end and the
  /// middle first.
  bool isFree(const RigidMotion& from, const RigidMotion& to);
  /// Goes along what the group touches, or is about to, towards a pose, in steps of which no point goes
  /// farther than `length`: each is the motion nearest to the wanted one that keeps the contacts found so far
  /// to first order. Returns where these lead, without `from`; nothing if the group is held. The steps are
  /// probed. Precondition: `from` is free.
  std::vector<RigidMotion> slide(const RigidMotion& from, const RigidMotion& to, double length,
                                 std::size_t mostSteps);
  /// By how much the nearest pair is farther apart at a pose than its clearance; `most` if it is more. Pairs
  /// in contact at the start do not count. 0 or less: not free.
  double roomAt(const RigidMotion& pose, double most);
  /// A pose near to a free one at which the least room is larger, up to `most`, found by small motions away
  /// from what is nearest; the same pose if there is none. No point goes farther than `most`. Whether the way
  /// there is free is not examined.
  RigidMotion withdrawn(const RigidMotion& pose, double most);
  /// The pose if it has room (`hasRoom`), or one near to it that does: found by small motions out of what is
  /// too near or too deep. No point goes farther than `most`. Nothing if that leads nowhere, as for parts
  /// that intersect and are not in contact at the start.
  std::optional<RigidMotion> retracted(const RigidMotion& pose, double most);
  /// Distance of two poses: the root of the mean squared distance of the group's points at the two, to first
  /// order.
  [[nodiscard]] double distance(const RigidMotion& a, const RigidMotion& b) const;

  /// Ways that were examined.
  [[nodiscard]] std::size_t checks() const noexcept;
  /// Pieces of work of bounded length, as in `DragUpdate::steps`: a budget of them does not depend on the
  /// machine.
  [[nodiscard]] std::size_t work() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
