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
#include <fitup/scene/interference.h>
#include <fitup/scene/mates.h>
#include <fitup/scene/nearest_other.h>

namespace FITUP_EXPORT fitup {

/// A scene that is asked about while it is edited.
struct LiveScene {
  Scene scene;
  /// In place of that of the options, unless it is that of all pairs.
  PairSelection selection{};
  /// By position, no two alike: by which an instance is recognised in the scene of another question, so that
  /// only pairs that an edit concerns are checked again. Empty: no scene of a question before is like it.
  std::vector<std::uint64_t> identities{};
};

/// A drag of instances as one rigid group, from where they stand when it begins.
struct DragGoal {
  std::uint64_t drag = 0;  ///< identifies the drag: another number begins a new one
  std::vector<NodeId> dragged;
  RigidMotion wanted;  ///< in the world, from where the drag began
  DragMode mode = DragMode::detect;
  /// As `DragOptions::tolerance`; unset: that of the verdicts, if any.
  std::optional<double> tolerance{};
};

/// A question about the whole assembly at one moment.
struct LiveQuestion {
  /// Rules, mode, hierarchy, verdicts, time budget; another object is another question, and everything is
  /// checked again. Not null.
  std::shared_ptr<const InterferenceOptions> options;
  Poses poses;  ///< with `drag`, those when it began
  std::optional<DragGoal> drag{};
  /// Besides, how far the dragged instances (or else `measured`) are from the nearest other one.
  bool measureDistance = false;
  std::vector<NodeId> measured{};
  /// Besides, what these instances would fit to where they are; looked for when nothing else has been asked
  /// for a while.
  std::optional<MateTolerances> mates{};
  std::shared_ptr<const LiveScene> scene{};  ///< null: that of the session
  /// When that was; unset: `LiveSession::ask` sets it.
  std::chrono::steady_clock::time_point asked{};
};

/// How far a drag has come.
struct DragState {
  std::uint64_t drag = 0;  ///< `DragGoal::drag`
  DragMode mode = DragMode::detect;
  RigidMotion pose;              ///< that the part may take, from where the drag began
  std::optional<DragStop> stop;  ///< what stopped it there
};

struct LiveAnswer {
  std::uint64_t ticket = 0;  ///< of the question to a session
  std::shared_ptr<const LiveScene> scene{};
  std::shared_ptr<const InterferenceReport> report{};
  std::shared_ptr<const InterferenceOptions> options{};  ///< that the report was made with
  /// Pairs that a time budget, or a cancel, has left: the same question goes on with them.
  std::size_t openPairs = 0;
  std::optional<DragState> drag{};  ///< of a question about a drag; the report is for its pose
  std::optional<InstanceDistance> nearest{};
  double milliseconds = 0;                        ///< wall clock, of everything
  std::chrono::steady_clock::time_point asked{};  ///< as in the question
  std::string error{};                            ///< why there is no report; else empty
  bool depthsFollow =
      false;  ///< clashes of the report are yet to be measured, unless something else is asked
};

/// Answers questions one after the other on the thread that calls it, and keeps what each leaves for the
/// next. `LiveSession` is one with a thread of its own. One call at a time.
class LiveEngine {
 public:
  LiveEngine();
  ~LiveEngine();
  LiveEngine(const LiveEngine&) = delete;
  LiveEngine& operator=(const LiveEngine&) = delete;

  /// Puts the answer in place of the one that is there, in whose memory it is made if nobody else shares its
  /// report. Throws nothing: see `LiveAnswer::error`. Cancelled, it says so in the report. Precondition:
  /// `question.scene` is set.
  void answer(const LiveQuestion& question, LiveAnswer& answer, const Progress& progress = {});
  /// Of the question answered last: what would fit to its group where it has it, of that what would move
  /// something. Empty where it was cancelled. Throws as `suggestMates`.
  std::vector<MateSuggestion> mates(const LiveQuestion& question, const Progress& progress = {});
  /// The report of the last answer with depths (`ClashDepths::measure`).
  void measureDepths(InterferenceReport& report, const Progress& progress,
                     const std::function<void()>& onDepth);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
