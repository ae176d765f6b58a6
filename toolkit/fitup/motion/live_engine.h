#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fitup/motion/drag_guard.h>
#include <fitup/motion/slide.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/mates.h>
#include <fitup/scene/nearest_other.h>

namespace FITUP_EXPORT fitup {

/// A scene that may be edited between two questions. The edited scene is another `LiveScene`.
struct LiveScene {
  Scene scene;
  /// Which pairs are checked. If it selects all pairs, the selection of the options applies.
  PairSelection selection{};
  /// A number for each instance, by position. An instance that has the same number in the scene of the next
  /// question is the same one, so that only pairs that the edit concerns are checked again. If several have
  /// one number, it stands for one of them, and the others are new. Empty: all instances are new.
  std::vector<std::uint64_t> identities{};
};

/// Less than a frame, so that a part follows the hand as far as it comes, and nothing waits for it.
inline constexpr std::chrono::milliseconds defaultDragBudget{6};

/// A drag of instances as one rigid group, from their placements when it begins.
struct DragGoal {
  std::uint64_t drag = 0;  ///< identifies the drag, from 1: a different number begins a new one
  std::vector<NodeId> dragged;
  RigidMotion wanted;  ///< in the world, from the start of the drag
  DragMode mode = DragMode::detect;
  /// As `DragOptions::tolerance`. Unset: the tolerance of the verdicts, if any.
  std::optional<double> tolerance{};
  /// With `DragMode::stopAtContact`: poses that the hand passed on its way here, since the last question. The
  /// part goes the same way (`DragGuard`).
  std::vector<RigidMotion> passed{};
  /// With `DragMode::stopAtContact` and `slide`: the time for which one answer moves the part on. Unset:
  /// until it arrives or is stopped.
  std::optional<std::chrono::nanoseconds> budget = defaultDragBudget;
  SlideFreedom freedom = SlideFreedom::shiftAndTurn;  ///< with `DragMode::slide`
};

/// A question about the whole assembly at one moment.
struct LiveQuestion {
  /// Rules, mode, hierarchy, verdicts, time budget. If it is a different object, even an equal one,
  /// everything is checked again. Not null.
  ///
  /// With `VerdictOptions::exactShapes` or `tolerancesOfFaces`, an answer has the verdicts of the triangles
  /// at the tolerances of whole parts for the pairs that have moved, so that it takes no longer than without.
  /// `LiveEngine::catchUp` judges them as the options say.
  std::shared_ptr<const InterferenceOptions> options;
  Poses poses;  ///< during a drag, those at its start
  std::optional<DragGoal> drag{};
  /// Also measure the distance to the nearest other instance: of the dragged instances or, without a drag, of
  /// `measured`.
  bool measureDistance = false;
  std::vector<NodeId> measured{};
  /// Also look for mates of these instances, once no other question has come for a while.
  std::optional<MateTolerances> mates{};
  std::shared_ptr<const LiveScene> scene{};  ///< null: the scene of the session
};

/// The state of a drag.
struct DragState {
  std::uint64_t drag = 0;  ///< `DragGoal::drag`
  DragMode mode = DragMode::detect;
  RigidMotion pose;              ///< accepted motion, from the start of the drag
  std::optional<DragStop> stop;  ///< what stopped it at that pose
  bool isBehind = false;         ///< it is on its way to the hand; the same question again moves it on
  std::vector<SlideHold> holding{};  ///< with `DragMode::slide`: the places that hold it
};

/// The answer to a `LiveQuestion`. `report` is null after an error and during a drag with `DragMode::off`.
struct LiveAnswer {
  std::uint64_t ticket = 0;  ///< of the question in a session
  std::shared_ptr<const LiveScene> scene{};
  std::shared_ptr<const InterferenceReport> report{};
  std::shared_ptr<const InterferenceOptions> options{};  ///< the options of the report
  /// Pairs that were not checked because of a time budget or a cancel. The same question, asked again,
  /// continues with them.
  std::size_t openPairs = 0;
  /// Pairs whose verdicts are those of the triangles, although the options ask for exact shapes. 0: the
  /// report has caught up, and is that of `checkAllPairs` with these options.
  std::size_t pairsOfTriangles = 0;
  std::optional<DragState> drag{};  ///< set for a question about a drag; the report is for its pose
  std::optional<InstanceDistance> nearest{};
  double milliseconds = 0;    ///< wall clock, of the whole answer, without what caught up later
  std::string error{};        ///< message of an error; otherwise empty
  bool depthsFollow = false;  ///< depths of clashes in the report follow, unless another question comes
  /// An answer to the same question follows that has caught up further, unless another question comes.
  bool catchesUp = false;
};

/// Answers questions on the calling thread, and keeps the results that the next question can use.
/// `LiveSession` is an engine with a thread of its own. Not thread-safe.
class LiveEngine {
 public:
  LiveEngine();
  ~LiveEngine();
  LiveEngine(const LiveEngine&) = delete;
  LiveEngine& operator=(const LiveEngine&) = delete;

  /// Replaces `answer`. Reuses the memory of its report if nobody else shares it. Does not throw:
  /// `LiveAnswer::error` has the message. If it is cancelled, the report says so. Precondition:
  /// `question.scene` is set.
  void answer(const LiveQuestion& question, LiveAnswer& answer, const Progress& progress = {});
  /// Returns mates for the group of the last answered question, at its current placement, with the hundred
  /// instances that are nearest, without mates that would move nothing. Empty if it is cancelled. Throws as `suggestMates`.
  std::vector<MateSuggestion> mates(const LiveQuestion& question, const Progress& progress = {});
  /// Judges the exact shapes of pairs that `pairsOfTriangles` counts, and updates report, number and error of
  /// `answer`, which is that of the last question. Ends early as `LiveInterference::catchUp` does; what is
  /// done then stays done. Does not throw, as `answer`.
  void catchUp(LiveAnswer& answer, const Progress& progress = {},
               const std::optional<std::chrono::nanoseconds>& within = {});
  /// Adds depths to the report of the last answer (`ClashDepths::measure`).
  void measureDepths(InterferenceReport& report, const Progress& progress,
                     const std::function<void()>& onDepth);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
