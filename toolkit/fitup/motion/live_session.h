#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <fitup/motion/live_engine.h>

namespace FITUP_EXPORT fitup {

/// Result of the search for depths that follows an answer.
struct LiveDepths {
  std::uint64_t ticket = 0;  ///< ticket of the answer
  /// The report of the answer, with depths where it says only that a clash is deeper than its tolerance
  /// (`needsDepth`).
  std::shared_ptr<const InterferenceReport> report;
  bool ended = false;  ///< no more depths will follow
};

/// Answers questions on a thread of its own, the newest first. A question that has not started is dropped
/// when the next one comes; one that has started is answered.
///
/// Shares the scene. `deliver` and `progress` are called on the session's thread. Thread-safe.
class LiveSession {
 public:
  using Deliver = std::function<void(LiveAnswer)>;
  /// Mates for an answered question, by its ticket; only those that would move something.
  using DeliverMates = std::function<void(std::uint64_t ticket, std::vector<MateSuggestion>)>;
  /// Depths for an answered question. Called several times as depths become known; in the last call they have
  /// `ended`, unless another question came in the meantime.
  using DeliverDepths = std::function<void(LiveDepths)>;
  /// Time without a question before mates and depths are searched for.
  static constexpr std::chrono::milliseconds matePause{150};
  /// Time for which known depths wait for more.
  static constexpr std::chrono::milliseconds depthPause{400};

  LiveSession(const Scene& scene, Deliver deliver, Progress::Callback progress = {},
              DeliverMates deliverMates = {}, DeliverDepths deliverDepths = {});
  /// Cancels the running question and waits for it.
  ~LiveSession();
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  /// Returns the question's ticket; tickets increase.
  std::uint64_t ask(LiveQuestion question);
  /// Cancels the running question. Its answer says so, and the next question completes the work.
  void cancel();
  /// True while a question is not answered; mates and depths do not count.
  [[nodiscard]] bool busy() const;
  /// Blocks until everything is answered.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
