#include <fitup/motion/live_session.h>

#include <deque>
#include <mutex>
#include <utility>

#include <fitup/base/newest_task.h>
#include <fitup/scene/clash_depths.h>

namespace fitup {

struct LiveSession::State {
  void answer(LiveQuestion question, std::uint64_t number, std::uint64_t ticket, const Progress& progress) {
    if (question.drag) takePassed(*question.drag, number);
    for (bool isBehind = true; isBehind;) {
      LiveAnswer answer;
      engine.answer(question, answer, progress);
      answer.ticket = ticket;
      answer.catchesUp = answer.pairsOfTriangles > 0 && answer.openPairs == 0;
      setDepthsFollow(question, answer);
      isAnswered = answer.error.empty();
      isBehind = answer.drag && answer.drag->isBehind && !progress.cancelled() && !thread.isWaiting();
      last = answer;
      deliver(std::move(answer));
      if (question.drag) question.drag->passed.clear();
    }
  }

  /// Remembers the pose of a question about a drag, in case it is dropped. Returns its number.
  std::uint64_t remember(const LiveQuestion& question) {
    const std::lock_guard lock(passedMutex);
    if (question.drag && question.drag->mode == DragMode::stopAtContact) {
      if (question.drag->drag != passedDrag) passed.clear();
      passedDrag = question.drag->drag;
      for (const RigidMotion& pose : question.drag->passed) passed.emplace_back(questions, pose);
      passed.emplace_back(questions, question.drag->wanted);
    }
    return questions++;
  }

  /// Adds the poses of questions before this one that were dropped.
  void takePassed(DragGoal& goal, std::uint64_t number) {
    const std::lock_guard lock(passedMutex);
    if (goal.drag != passedDrag) return;
    std::vector<RigidMotion> before;
    while (!passed.empty() && passed.front().first < number) {
      before.push_back(passed.front().second);
      passed.pop_front();
    }
    while (!passed.empty() && passed.front().first == number) passed.pop_front();
    goal.passed.insert(goal.passed.begin(), before.begin(), before.end());
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
  std::mutex passedMutex{};  ///< for these:
  std::uint64_t questions = 0, passedDrag = 0;
  std::deque<std::pair<std::uint64_t, RigidMotion>> passed{};  ///< with the numbers of their questions
  // State of the thread:
  LiveEngine engine{};
  bool isAnswered = false;  ///< the last question was answered without an error
  LiveAnswer last{};        ///< the last answer, as far as it has caught up
  NewestTask thread;        ///< last, so that it ends before the members that it uses
};

LiveSession::LiveSession(const Scene& scene, Deliver deliver, Progress::Callback progress,
                         DeliverMates deliverMates, DeliverDepths deliverDepths)
    : state_(new State{.scene = std::make_shared<const LiveScene>(LiveScene{scene}),
                       .deliver = std::move(deliver),
                       .deliverMates = std::move(deliverMates),
                       .deliverDepths = std::move(deliverDepths),
                       .thread = NewestTask(std::move(progress))}) {}

LiveSession::~LiveSession() = default;

std::uint64_t LiveSession::ask(LiveQuestion question) {
  if (!question.scene) question.scene = state_->scene;
  const std::uint64_t number = state_->remember(question);
  const auto shared = std::make_shared<const LiveQuestion>(std::move(question));
  NewestTask::Task afterwards;
  const bool catchesUp = shared->options->verdict && shared->options->verdict->catchesUp();
  if (catchesUp || state_->deliverDepths || (state_->deliverMates && shared->mates))
    afterwards = [state = state_.get(), shared](std::uint64_t ticket, const Progress& progress) {
      state->lookFurther(*shared, ticket, progress);
    };
  return state_->thread.hand(
      [state = state_.get(), shared, number](std::uint64_t ticket, const Progress& progress) {
        state->answer(*shared, number, ticket, progress);
      },
      std::move(afterwards), pause);
}

void LiveSession::cancel() { state_->thread.cancel(); }

void LiveSession::stopCatchingUp() { state_->thread.cancelAfterwards(); }

bool LiveSession::busy() const { return state_->thread.busy(); }

void LiveSession::wait() const { state_->thread.wait(); }

}  // namespace fitup
