#include <fitup/motion/live_session.h>

#include <utility>

#include <fitup/base/newest_task.h>
#include <fitup/scene/clash_depths.h>

namespace fitup {

struct LiveSession::State {
  void answer(const LiveQuestion& question, std::uint64_t ticket, const Progress& progress) {
    LiveAnswer answer;
    engine.answer(question, answer, progress);
    answer.ticket = ticket;
    // During a motion or a drag the part has moved on before a depth is known.
    answer.catchesUp = answer.pairsOfTriangles > 0 && answer.openPairs == 0;
    setDepthsFollow(question, answer);
    isAnswered = answer.error.empty();
    last = answer;
    deliver(std::move(answer));
  }

  /// During a motion or a drag the part has moved on before a depth is known.
  void setDepthsFollow(const LiveQuestion& question, LiveAnswer& answer) const {
    answer.depthsFollow = deliverDepths && !question.drag && answer.report && needsDepths(*answer.report);
  }

  void catchUp(const LiveQuestion& question, const Progress& progress) {
    while (last.catchesUp && !progress.cancelled()) {
      const std::size_t before = last.pairsOfTriangles;
      engine.catchUp(last, progress, deliveryPause);
      if (progress.cancelled()) return;
      // A cancel handle of the options ends it too.
      last.catchesUp = last.pairsOfTriangles > 0 && last.pairsOfTriangles < before;
      setDepthsFollow(question, last);
      deliver(last);
    }
  }

  void lookFurther(const LiveQuestion& question, std::uint64_t ticket, const Progress& progress) {
    if (question.mates && deliverMates && isAnswered) {
      try {
        std::vector<MateSuggestion> found = engine.mates(question, progress);
        if (!progress.cancelled()) deliverMates(ticket, std::move(found));
      } catch (const std::exception&) {
        // No suggestion: for example no planes or cylinders, or a placement that makes them oval.
      }
    }
    catchUp(question, progress);
    if (!last.depthsFollow || progress.cancelled()) return;
    InterferenceReport report = *last.report;
    auto delivered = std::chrono::steady_clock::now();
    const auto deliverNow = [&](bool ended) {
      deliverDepths({ticket, std::make_shared<const InterferenceReport>(report), ended});
    };
    try {
      engine.measureDepths(report, progress, [&] {
        if (std::chrono::steady_clock::now() - delivered < deliveryPause) return;
        deliverNow(false);
        delivered = std::chrono::steady_clock::now();
      });
    } catch (const std::exception&) {
      // The known depths stay lower bounds.
    }
    if (!progress.cancelled()) deliverNow(true);
  }

  const std::shared_ptr<const LiveScene> scene;
  const Deliver deliver;
  const DeliverMates deliverMates;
  const DeliverDepths deliverDepths;
  // State of the thread:
  LiveEngine engine;
  bool isAnswered = false;  ///< the last question was answered without an error
  LiveAnswer last;          ///< the last answer, as far as it has caught up
  NewestTask thread;        ///< last, so that it ends before the members that it uses
};

LiveSession::LiveSession(const Scene& scene, Deliver deliver, Progress::Callback progress,
                         DeliverMates deliverMates, DeliverDepths deliverDepths)
    : state_(new State{std::make_shared<const LiveScene>(LiveScene{scene}),
                       std::move(deliver),
                       std::move(deliverMates),
                       std::move(deliverDepths),
                       {},
                       false,
                       {},
                       NewestTask(std::move(progress))}) {}

LiveSession::~LiveSession() = default;

std::uint64_t LiveSession::ask(LiveQuestion question) {
  if (!question.scene) question.scene = state_->scene;
  const auto shared = std::make_shared<const LiveQuestion>(std::move(question));
  NewestTask::Task afterwards;
  const bool catchesUp = shared->options->verdict && shared->options->verdict->catchesUp();
  if (catchesUp || state_->deliverDepths || (state_->deliverMates && shared->mates))
    afterwards = [state = state_.get(), shared](std::uint64_t ticket, const Progress& progress) {
      state->lookFurther(*shared, ticket, progress);
    };
  return state_->thread.hand(
      [state = state_.get(), shared](std::uint64_t ticket, const Progress& progress) {
        state->answer(*shared, ticket, progress);
      },
      std::move(afterwards), pause);
}

void LiveSession::cancel() { state_->thread.cancel(); }

void LiveSession::stopCatchingUp() { state_->thread.cancelAfterwards(); }

bool LiveSession::busy() const { return state_->thread.busy(); }

void LiveSession::wait() const { state_->thread.wait(); }

}  // namespace fitup
