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
/// During a drag that stops at contact, poses of dropped questions count as passed by the hand. While the
/// part is behind the hand (`DragState::isBehind`) and no other question waits, the session moves it on and
/// delivers further answers to the same question, with the same ticket.
///
/// If the options ask for exact shapes or for the tolerances of faces (`VerdictOptions::catchesUp`) and an
/// answer has the verdicts of triangles (`LiveAnswer::pairsOfTriangles`), the session judges these pairs as
/// the options say once no question has come for `pause`. It then delivers answers to the same question, with
/// the same ticket, that have caught up further. The next question ends that at once; pairs that were judged
/// and do not move are not judged again.
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
  /// Time without a question before mates are searched for, exact shapes judged, and depths measured.
  static constexpr std::chrono::milliseconds pause{150};
  /// Time for which known depths, and verdicts on exact shapes, wait for more.
  static constexpr std::chrono::milliseconds deliveryPause{400};

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
  /// Ends what follows the last answer: mates, verdicts on exact shapes, depths. An answer that catches up
  /// may still be delivered afterwards. The next question begins where it ended.
  void stopCatchingUp();
  /// True while a question is not answered; what follows an answer does not count.
  [[nodiscard]] bool busy() const;
  /// Blocks until everything is answered.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
