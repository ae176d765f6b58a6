#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// Runs tasks on a thread of its own and keeps only the newest waiting task. A task that has started runs to
/// its end. A task that is still waiting when the next one arrives is dropped.
///
/// The thread sleeps between tasks and does not preempt threads that wake it (`stayBehindOtherThreads`). All
/// members may be called from any thread. Tasks may call all members except `wait` and the destructor.
class NewestTask {
 public:
  /// A task. It must not throw, and should return soon after it is cancelled.
  using Task = std::function<void(std::uint64_t ticket, const Progress& progress)>;

  explicit NewestTask(Progress::Callback progress = {});
  /// Cancels the running task and waits for it.
  ~NewestTask();
  NewestTask(const NewestTask&) = delete;
  NewestTask& operator=(const NewestTask&) = delete;

  /// Replaces the waiting task and returns the ticket of the new one. Tickets increase. If `afterwards` is
  /// given, it runs after the task unless another task arrives within `pause`. The next call cancels it.
  std::uint64_t hand(Task task, Task afterwards = {}, std::chrono::milliseconds pause = {});
  /// Cancels the running task, but not what runs `afterwards`.
  void cancel();
  /// Cancels what runs `afterwards`, also if it has not begun. Has no effect on the task itself.
  void cancelAfterwards();
  /// Returns true while a task waits. A task that could go on for long may ask this, and return.
  [[nodiscard]] bool isWaiting() const;
  /// Returns true while a task runs or waits. What runs `afterwards` does not count.
  [[nodiscard]] bool busy() const;
  /// Blocks while `busy()` is true.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
