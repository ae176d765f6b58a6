#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/motion/drag_guard.h>

namespace FITUP_EXPORT fitup {

/// What a sliding part may do to follow the hand.
enum class SlideFreedom {
  shift,         ///< keeps its orientation
  shiftAndTurn,  ///< gives way by turning too
};

/// Options of a sliding drag. Lengths in the world's unit.
struct SlideOptions {
  SlideFreedom freedom = SlideFreedom::shiftAndTurn;
  /// As those of `DragGuard`, whose limits the part keeps: `limits`, `maxSteps` are those of one update.
  DragOptions drag{};
};

/// A place where a face holds a sliding part.
struct SlideHold {
  NodeId a{}, b{};  ///< the dragged instance and the resting one
  SurfacePair surfaces;
  TrianglePair triangles;
  Vec3 point, normal;    ///< in the world; the normal is a unit vector out of the resting part
  double gap = 0;        ///< below 0: the overlap there
  bool isExact = false;  ///< `gap` and `normal` are those of the exact faces
  /// How strongly the hand pulls against this place: the way that it costs, in the metric of the slide. The
  /// weighted sum of the holding normals and their moments leads from the hand's pose to the part's.
  double multiplier = 0;
};

/// The result for one wanted pose.
struct SlideUpdate {
  RigidMotion pose;      ///< motion from the placement in `poses` to where the part is
  bool isThere = false;  ///< it is where the hand wants it
  /// Root of the mean squared distance of the part's points from where the hand wants them. A part that does
  /// not turn is compared with the hand's pose without its turn.
  double distance = 0;
  /// The places that hold the part, at most six; those of its last step while it is on its way. Empty if it
  /// is where the hand is.
  std::vector<SlideHold> holding;
  /// The poses that the part has passed in this update, in their order; the last one is `pose`. Empty if it
  /// has not moved. Each way to the next one, and from the last pose of the update before to the first one,
  /// is straight about the centre of the box of the dragged instances (`interpolate`), up to rounding.
  std::vector<RigidMotion> way;
  /// Otherwise the part is on its way: `proceed`, and the next update, go on from here.
  ReportStatus status = ReportStatus::complete;
  std::size_t moves = 0;  ///< motions that were certified, each of up to four steps
  std::size_t rows = 0;   ///< limits of the last step
  double milliseconds = 0;
};

/// Slide: one drag of instances (a rigid group) through a scene whose other instances rest, in which the
/// group goes on along what it touches.
///
/// Among all small motions that keep the contacts, a step takes the one that brings the points of the part
/// nearest to where the hand wants them, in the mean of squares (`detail::leastMotion`, which is strictly
/// convex: the answer is unique). The contacts are all places within the length of the step at which the
/// group and another part may meet (`detail::contactRows`). Up to four steps are then certified by a
/// `DragGuard`, as one motion, and one by one where it stops that motion. The group keeps the guard's limits
/// at every pose and between them: parts overlap by no more than the guard lets them, whatever the contacts
/// say. A step that would go beyond its contacts by more than they have in reserve is halved. Depth beyond the aim is reduced first, and moves that reduce depth are always allowed.
/// Steps end when no motion brings the part nearer, to first order.
///
/// The hand's pose is absolute. What the hand did meanwhile does not count, so nothing drifts: when the hand
/// is where the part may be, and the way there is free, the part is exactly there. The result depends on the
/// sequence of wanted poses, and on limits of time where these end an update.
///
/// On exact faces (`AnalyticSurface`), a part keeps the tolerance of the faces, which the triangles cannot
/// tell: a shaft with a play of a few micrometres turns and slides in its bore. The certificate is that of
/// the triangles.
///
/// Shares the scene. Not thread-safe.
class SlideGuard {
 public:
  /// Throws as `DragGuard`.
  SlideGuard(const Scene& scene, const Poses& poses, std::span<const NodeId> dragged,
             const RigidMotion& start = {}, const SlideOptions& options = {}, const Progress& progress = {});
  ~SlideGuard();
  SlideGuard(SlideGuard&&) noexcept;
  SlideGuard& operator=(SlideGuard&&) noexcept;

  /// Where the part is.
  [[nodiscard]] const RigidMotion& pose() const noexcept;
  /// Moves as near to the wanted pose as the contacts allow. What an earlier update has not reached is
  /// dropped. Throws PlacementError as `DragGuard`.
  SlideUpdate update(const RigidMotion& wanted, const Progress& progress = {});
  /// Goes on to the pose that was asked for last.
  SlideUpdate proceed(const Progress& progress = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fitup
