#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <fitup/motion/live_engine.h>

namespace FITUP_EXPORT fitup {

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
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
