#include <osgFitup/detail/monitor_worker.h>

#include <algorithm>
#include <utility>

#include <fitup/base/parallel.h>

namespace osgFitup::detail {
namespace {

/// Jobs that come more seldom are no frames: the worker sleeps until it is woken.
constexpr std::chrono::milliseconds slowestFrame(50);
constexpr std::chrono::microseconds lookEvery(100);
/// A worker that looks for a job by then is not woken. Systems let threads sleep some longer than they ask
/// for.
constexpr std::chrono::microseconds soon = 2 * lookEvery;

/// What was asked for later wins.
void merge(MonitorJob&& later, MonitorJob& into) {
  if (later.scene) {
    into.scene = std::move(later.scene);
    into.moved.clear();
  }
  if (later.options) into.options = std::move(later.options);
  into.moved.set(later.moved);
  into.generation = later.generation;
}

}  // namespace

MonitorWorker::MonitorWorker() : thread_([this](const std::stop_token& stop) { work(stop); }) {}

MonitorWorker::~MonitorWorker() {
  {
    const std::lock_guard lock(mutex_);
    thread_.request_stop();
  }
  changed_.notify_all();
}

void MonitorWorker::hand(MonitorJob job) {
  bool mustWake = false;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_)
      merge(std::move(job), *waiting_);
    else
      waiting_ = std::move(job);
    const Clock::time_point now = Clock::now();
    gapBefore_ = std::exchange(gap_, now - handed_);
    handed_ = now;
    mustWake = looksAt_ > now + soon;
  }
  if (mustWake) changed_.notify_all();
}

bool MonitorWorker::fetch(MonitorAnswer& answer) {
  const std::lock_guard lock(mutex_);
  if (!hasAnswer_) return false;
  std::swap(answer, answer_);
  hasAnswer_ = false;
  return true;
}

void MonitorWorker::waitUntilIdle() {
  std::unique_lock lock(mutex_);
  if (waiting_ && !isBusy_) changed_.notify_all();  // it would look by itself, but later
  changed_.wait(lock, [&] { return !isBusy_ && !waiting_; });
}

bool MonitorWorker::mayAnswer(std::uint64_t generation) {
  const std::lock_guard lock(mutex_);
  return (waiting_ && waiting_->generation == generation) || (isBusy_ && busyWith_ == generation) ||
         (hasAnswer_ && answer_.generation == generation);
}

/// While jobs come frame by frame the worker looks for the next one by itself, beginning a little before it
/// is due: for the thread of the application, waking another one takes longer than handing over a job.
void MonitorWorker::awaitJob(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  const auto isNeeded = [&] { return waiting_.has_value() || stop.stop_requested(); };
  const Clock::duration gap = std::min(gap_, gapBefore_);
  if (gap < slowestFrame) {
    const Clock::time_point overdue = handed_ + 4 * gap;
    for (looksAt_ = handed_ + 7 * gap / 8; looksAt_ < overdue; looksAt_ = Clock::now() + lookEvery)
      if (changed_.wait_until(lock, looksAt_, isNeeded)) {
        looksAt_ = {};
        return;
      }
  }
  looksAt_ = Clock::time_point::max();
  changed_.wait(lock, isNeeded);
  looksAt_ = {};
}

void MonitorWorker::work(const std::stop_token& stop) {
  fitup::stayBehindOtherThreads();
  MonitorEngine engine;
  MonitorAnswer answer;
  std::unique_lock lock(mutex_);
  while (true) {
    awaitJob(lock, stop);
    if (stop.stop_requested()) return;
    MonitorJob job = std::move(*waiting_);
    waiting_.reset();
    isBusy_ = true;
    busyWith_ = job.generation;
    lock.unlock();
    const bool isNew = engine.run(std::move(job), answer, fitup::Progress(stop));
    lock.lock();
    if (isNew) std::swap(answer, answer_);
    hasAnswer_ |= isNew;
    isBusy_ = false;
    changed_.notify_all();
  }
}

}  // namespace osgFitup::detail
