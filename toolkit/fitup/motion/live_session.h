#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <fitup/motion/drag_guard.h>
#include <fitup/scene/clearance.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/mates.h>

namespace FITUP_EXPORT fitup {

/// A drag of instances as one rigid group, from where they stand when it begins.
struct DragGoal {
  std::uint64_t drag = 0;  ///< tells drags apart: another number begins a new one
  std::vector<NodeId> dragged;
  RigidMotion wanted;  ///< in the world, from where the drag began
  DragMode mode = DragMode::detect;
  /// As `DragOptions::tolerance`; unset: that of the verdicts, if any.
  std::optional<double> tolerance{};
};

/// A question about the whole assembly at one moment.
struct LiveQuestion {
  /// Rules, mode, hierarchy, verdicts; another object is another question, and everything is checked again.
  std::shared_ptr<const InterferenceOptions> options;
  Poses poses;  ///< with `drag`, those when it began
  std::optional<DragGoal> drag;
  /// Besides, how far the dragged instances (or else `measured`) are from the nearest other one.
  bool measureDistance = false;
  std::vector<NodeId> measured;
  /// Besides, what these instances would fit to where they are; looked for when nothing else has been asked
  /// for a while.
  std::optional<MateTolerances> mates{};
};

/// How far a drag has come.
struct DragState {
  std::uint64_t drag = 0;  ///< `DragGoal::drag`
  DragMode mode = DragMode::detect;
  RigidMotion pose;              ///< that the part may take, from where the drag began
  std::optional<DragStop> stop;  ///< what stopped it there
};

struct LiveAnswer {
  std::uint64_t ticket = 0;  ///< of the question
  std::shared_ptr<const InterferenceReport> report;
  std::shared_ptr<const InterferenceOptions> options;  ///< that the report was made with
  std::optional<DragState> drag;  ///< of a question about a drag; the report is for its pose
  std::optional<InstanceDistance> nearest;
  double milliseconds = 0;  ///< wall clock, of everything
  std::string error;        ///< why there is no report; else empty
  bool depthsFollow =
      false;  ///< clashes of the report are yet to be measured, unless something else is asked
};

/// What a search for depths that follows an answer has found.
struct LiveDepths {
  std::uint64_t ticket = 0;  ///< the answer's
  /// Its report, with depths where the answer says only that a clash is deeper than its tolerance
  /// (`needsDepth`).
  std::shared_ptr<const InterferenceReport> report;
  bool ended = false;  ///< no more of them will become known
};

/// Answers questions on a thread of its own, the newest first: a question that was not begun when the next
/// one comes is forgotten, one that was begun is answered.
///
/// Shares the scene. `deliver` and `progress` are called from the session's thread. All members may be called
/// from any thread.
class LiveSession {
 public:
  using Deliver = std::function<void(LiveAnswer)>;
  /// Mates of a question that was answered before, by its ticket; only those that would move something.
  using DeliverMates = std::function<void(std::uint64_t ticket, std::vector<MateSuggestion>)>;
  /// Depths for a question that was answered before. Several times, while more of them become known; the last
  /// time they `ended`, unless something else was asked meanwhile.
  using DeliverDepths = std::function<void(LiveDepths)>;
  /// How long nothing else must be asked before mates, and depths, are looked for.
  static constexpr std::chrono::milliseconds matePause{150};
  /// How long known depths wait for more of them.
  static constexpr std::chrono::milliseconds depthPause{400};

  LiveSession(const Scene& scene, Deliver deliver, Progress::Callback progress = {},
              DeliverMates deliverMates = {}, DeliverDepths deliverDepths = {});
  /// Cancels what runs and waits for it.
  ~LiveSession();
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  /// Returns the question's ticket; tickets grow.
  std::uint64_t ask(LiveQuestion question);
  /// Ends what runs: its answer says cancelled, and the next question makes up for it.
  void cancel();
  /// True while something is asked and not answered; mates and depths do not count.
  [[nodiscard]] bool busy() const;
  /// Blocks until everything is answered.
  void wait() const;

 private:
  class Worker;
  void run(const std::stop_token& stop);
  /// For mates, and for depths of a report that has not all of them.
  void lookFurther(Worker& worker, const LiveQuestion& question, std::uint64_t ticket,
                   std::shared_ptr<const InterferenceReport> rough, const std::stop_token& stop);

  Scene scene_;
  Deliver deliver_;
  Progress::Callback progress_;
  DeliverMates deliverMates_;
  DeliverDepths deliverDepths_;
  mutable std::mutex mutex_;
  mutable std::condition_variable_any changed_;
  std::optional<LiveQuestion> waiting_;
  std::uint64_t tickets_ = 0;
  bool running_ = false;
  std::stop_source cancel_, idleCancel_;
  std::jthread thread_;
};

}  // namespace fitup
