#include <fitup/motion/live_session.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include <fitup/scene/clash_depths.h>
#include <fitup/scene/nearest_other.h>

namespace fitup {

/// What is kept between questions; lives on the session's thread.
class LiveSession::Worker {
 public:
  explicit Worker(const Scene& scene) : scene_(scene) {}

  LiveAnswer answer(const LiveQuestion& question, const Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    LiveAnswer answer;
    try {
      if (question.drag)
        follow(question, progress, answer);
      else
        rest(question);
      if (!question.drag || question.drag->mode != DragMode::off) check(question, progress, answer);
    } catch (const std::exception& error) {
      // Whatever was kept may be half done.
      live_.reset();
      guard_.reset();
      drag_ = 0;
      answer = {};
      answer.error = error.what();
    }
    answer.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return answer;
  }

  /// What would fit to the group where the last question had it.
  std::vector<MateSuggestion> mates(const LiveQuestion& question, const Progress& progress) {
    const std::vector<NodeId>& group = groupOf(question);
    if (group.empty()) return {};
    Box near;
    for (const NodeId node : group) near.extend(scene_.worldBounds(node, now_));
    for (int i = 0; i < 3; ++i) {
      near.min[i] -= question.mates->reach;
      near.max[i] += question.mates->reach;
    }
    std::vector<NodeId> others = nearestOther(question).others();
    std::erase_if(others, [&](NodeId node) { return !near.overlaps(scene_.worldBounds(node, now_)); });
    if (others.empty()) return {};
    MateReport found = suggestMates(scene_, now_, group, others, *question.mates, progress);
    if (found.status != ReportStatus::complete) return {};
    const double least = 1e-6 * norm(near.halfExtent());
    std::erase_if(found.suggestions,
                  [&](const MateSuggestion& s) { return s.deviation < least && s.angle < 1e-6; });
    return std::move(found.suggestions);
  }

  /// The report of the last answer with depths; `onDepth` is called while they become known.
  void measureDepths(InterferenceReport& report, const Progress& progress,
                     const std::function<void()>& onDepth) {
    depths_.measure(scene_, now_, report, progress, onDepth);
  }

 private:
  static const std::vector<NodeId>& groupOf(const LiveQuestion& question) {
    return question.drag ? question.drag->dragged : question.measured;
  }

  /// Of the group; made once for a drag, as rules are matched against the paths of all pairs.
  const NearestOther& nearestOther(const LiveQuestion& question) {
    const std::vector<NodeId>& group = groupOf(question);
    if (!nearest_ || group != nearestOf_ || question.options != nearestBy_) {
      nearest_.emplace(scene_, std::span(&group, 1), question.options->rules);
      nearestOf_ = group;
      nearestBy_ = question.options;
    }
    return *nearest_;
  }

  void rest(const LiveQuestion& question) {
    guard_.reset();
    drag_ = 0;
    now_ = question.poses;
  }

  void follow(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    const DragGoal& goal = *question.drag;
    if (goal.drag != drag_ || drag_ == 0) {
      guard_.reset();
      dragStart_ = now_ = question.poses;
      drag_ = goal.drag;
      if (goal.mode == DragMode::stopAtContact) {
        DragOptions options;
        options.rules = question.options->rules;
        options.tolerance = goal.tolerance;
        if (!options.tolerance && question.options->verdict)
          options.tolerance = question.options->verdict->tolerance;
        guard_.emplace(scene_, dragStart_, goal.dragged, RigidMotion{}, options, progress);
      }
    }
    RigidMotion pose = goal.wanted;
    std::optional<DragStop> stop;
    if (guard_) {
      DragUpdate update = guard_->update(goal.wanted, progress);
      pose = update.pose;
      stop = std::move(update.stop);
      // What was half built then would hold the part for good.
      if (progress.cancelled()) {
        guard_.reset();
        drag_ = 0;
      }
    }
    answer.drag = DragState{goal.drag, goal.mode, pose, std::move(stop)};
    for (const NodeId node : goal.dragged)
      now_.set(node, pose.transform() * scene_.worldFromPart(node, dragStart_));
  }

  void check(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    const bool anew = !live_ || question.options != options_;
    if (anew) {
      options_ = question.options;
      live_.emplace(scene_, now_, *options_, progress);
      depths_.clear();
    }
    InterferenceReport report = anew ? live_->report() : live_->moveTo(now_, progress);
    depths_.recall(scene_, now_, report);
    answer.options = options_;
    answer.report = std::make_shared<const InterferenceReport>(std::move(report));
    if (question.measureDistance) measure(question, progress, answer);
  }

  void measure(const LiveQuestion& question, const Progress& progress, LiveAnswer& answer) {
    if (!groupOf(question).empty()) answer.nearest = nearestOther(question).at(now_, progress);
  }

  const Scene scene_;
  Poses dragStart_;  ///< what the guard looks at
  Poses now_;
  ClashDepths depths_;  ///< by these options
  std::uint64_t drag_ = 0;
  std::optional<DragGuard> guard_;
  std::optional<NearestOther> nearest_;  ///< of this group, by these options' rules
  std::vector<NodeId> nearestOf_;
  std::shared_ptr<const InterferenceOptions> nearestBy_;
  std::shared_ptr<const InterferenceOptions> options_;
  std::optional<LiveInterference> live_;
};

LiveSession::LiveSession(const Scene& scene, Deliver deliver, Progress::Callback progress,
                         DeliverMates deliverMates, DeliverDepths deliverDepths)
    : scene_(scene),
      deliver_(std::move(deliver)),
      progress_(std::move(progress)),
      deliverMates_(std::move(deliverMates)),
      deliverDepths_(std::move(deliverDepths)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

LiveSession::~LiveSession() {
  thread_.request_stop();  // first, so that nothing begins that is not cancelled
  cancel();
  {
    const std::lock_guard lock(mutex_);
    idleCancel_.request_stop();
  }
  changed_.notify_all();
}

std::uint64_t LiveSession::ask(LiveQuestion question) {
  std::unique_lock lock(mutex_);
  waiting_ = std::move(question);
  idleCancel_.request_stop();
  const std::uint64_t ticket = ++tickets_;
  lock.unlock();  // so that the session does not wake up to wait for it
  changed_.notify_all();
  return ticket;
}

void LiveSession::cancel() {
  const std::lock_guard lock(mutex_);
  cancel_.request_stop();
}

bool LiveSession::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

void LiveSession::wait() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running_ && !waiting_; });
}

void LiveSession::run(const std::stop_token& stop) {
  std::optional<Worker> worker;
  for (;;) {
    std::unique_lock lock(mutex_);
    running_ = false;
    changed_.notify_all();
    changed_.wait(lock, stop, [&] { return waiting_.has_value(); });
    if (stop.stop_requested()) return;
    const LiveQuestion question = std::move(*waiting_);
    waiting_.reset();
    const std::uint64_t ticket = tickets_;
    running_ = true;
    cancel_ = std::stop_source();
    const Progress progress(cancel_.get_token(), progress_);
    lock.unlock();

    LiveAnswer answer;
    try {
      if (!worker) worker.emplace(scene_);
      answer = worker->answer(question, progress);
    } catch (const std::exception& error) {
      answer.error = error.what();
    }
    answer.ticket = ticket;
    // A motion that plays, or a part that is dragged, is elsewhere before a depth is known.
    const bool depths =
        worker && deliverDepths_ && !question.drag && answer.report && needsDepths(*answer.report);
    answer.depthsFollow = depths;
    const bool mates = question.mates && deliverMates_ && answer.error.empty();
    std::shared_ptr<const InterferenceReport> report = answer.report;
    deliver_(std::move(answer));
    if (worker && (mates || depths))
      lookFurther(*worker, question, ticket, depths ? std::move(report) : nullptr, stop);
  }
}

void LiveSession::lookFurther(Worker& worker, const LiveQuestion& question, std::uint64_t ticket,
                              std::shared_ptr<const InterferenceReport> rough, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  running_ = false;
  changed_.notify_all();
  if (changed_.wait_for(lock, stop, matePause, [&] { return waiting_.has_value(); })) return;
  if (stop.stop_requested()) return;
  idleCancel_ = std::stop_source();
  const Progress progress(idleCancel_.get_token());
  lock.unlock();
  if (question.mates && deliverMates_) {
    try {
      std::vector<MateSuggestion> found = worker.mates(question, progress);
      if (!progress.cancelled()) deliverMates_(ticket, std::move(found));
    } catch (const std::exception&) {
      // No offer: a part that has no planes or cylinders, a placement that makes them oval.
    }
  }
  if (!rough || progress.cancelled()) return;
  InterferenceReport report = *rough;
  auto delivered = std::chrono::steady_clock::now();
  const auto deliver = [&](bool ended) {
    deliverDepths_({ticket, std::make_shared<const InterferenceReport>(report), ended});
  };
  try {
    worker.measureDepths(report, progress, [&] {
      if (std::chrono::steady_clock::now() - delivered < depthPause) return;
      deliver(false);
      delivered = std::chrono::steady_clock::now();
    });
  } catch (const std::exception&) {
    // What is told stays a lower bound.
  }
  if (!progress.cancelled()) deliver(true);
}

}  // namespace fitup
