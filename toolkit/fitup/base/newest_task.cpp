#include <fitup/base/newest_task.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include <fitup/base/parallel.h>

namespace fitup {

struct NewestTask::State {
  struct Waiting {
    Task task, afterwards;
    std::chrono::milliseconds pause;
  };

  explicit State(Progress::Callback callback)
      : progress(std::move(callback)), thread([this](const std::stop_token& stop) { run(stop); }) {}

  void run(const std::stop_token& stop) {
    stayBehindOtherThreads();
    std::unique_lock lock(mutex);
    const auto isNeeded = [&] { return waiting || stop.stop_requested(); };
    const auto begin = [&](const Task& task, std::uint64_t ticket, const Progress::Callback& callback) {
      cancel = std::stop_source();
      const Progress handle(cancel.get_token(), callback);
      lock.unlock();
      task(ticket, handle);
      lock.lock();
    };
    for (;;) {
      isRunning = false;
      isEnded.notify_all();
      isHanded.wait(lock, isNeeded);
      if (stop.stop_requested()) return;
      Waiting now = std::move(*waiting);
      waiting.reset();
      isAfterwardsUnwanted = false;
      const std::uint64_t ticket = tickets;
      isRunning = true;
      begin(now.task, ticket, progress);
      if (!now.afterwards) continue;
      now.task = {};  // Releases what the task holds.
      isRunning = false;
      isEnded.notify_all();
      if (isHanded.wait_for(lock, now.pause, [&] { return isNeeded() || isAfterwardsUnwanted; })) continue;
      isAfterwards = true;
      begin(now.afterwards, ticket, {});
      isAfterwards = false;
    }
  }

  const Progress::Callback progress;
  mutable std::mutex mutex;
  std::condition_variable isHanded, isEnded;
  std::optional<Waiting> waiting;
  std::uint64_t tickets = 0;
  bool isRunning = false, isAfterwards = false;
  bool isAfterwardsUnwanted = false;  ///< of the task that runs or ran last
  std::stop_source cancel;            ///< cancels what runs
  std::jthread thread;                ///< last, so that the thread ends before the members that it uses
};

NewestTask::NewestTask(Progress::Callback progress) : state_(std::make_unique<State>(std::move(progress))) {}

NewestTask::~NewestTask() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->thread.request_stop();
    state_->cancel.request_stop();
  }
  state_->isHanded.notify_all();
}

std::uint64_t NewestTask::hand(Task task, Task afterwards, std::chrono::milliseconds pause) {
  State::Waiting next{std::move(task), std::move(afterwards), pause};
  std::optional<State::Waiting> forgotten;
  std::unique_lock lock(state_->mutex);
  forgotten = std::exchange(state_->waiting, std::move(next));
  if (state_->isAfterwards) state_->cancel.request_stop();
  const std::uint64_t ticket = ++state_->tickets;
  lock.unlock();  // so that the woken thread does not wait for the lock
  state_->isHanded.notify_all();
  return ticket;
}

void NewestTask::cancel() {
  const std::lock_guard lock(state_->mutex);
  if (!state_->isAfterwards) state_->cancel.request_stop();
}

void NewestTask::cancelAfterwards() {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->waiting)
      state_->waiting->afterwards = {};
    else
      state_->isAfterwardsUnwanted = true;
    if (state_->isAfterwards) state_->cancel.request_stop();
  }
  state_->isHanded.notify_all();
}

bool NewestTask::isWaiting() const {
  const std::lock_guard lock(state_->mutex);
  return state_->waiting.has_value();
}

bool NewestTask::busy() const {
  const std::lock_guard lock(state_->mutex);
  return state_->isRunning || state_->waiting;
}

void NewestTask::wait() const {
  std::unique_lock lock(state_->mutex);
  state_->isEnded.wait(lock, [&] { return !state_->isRunning && !state_->waiting; });
}

}  // namespace fitup
