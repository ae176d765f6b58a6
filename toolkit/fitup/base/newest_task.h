#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// Runs tasks on a thread of its own, the newest first. A task that has begun runs to its end; a task that
/// still waits when the next one comes is dropped.
///
/// The thread sleeps between tasks and does not run before threads that wake it (`stayBehindOtherThreads`).
/// All members may be called from any thread. Tasks may call all of them but `wait` and the destructor.
class NewestTask {
 public:
  /// Must not throw. Cancelled, it ends soon.
  using Task = std::function<void(std::uint64_t ticket, const Progress& progress)>;

  explicit NewestTask(Progress::Callback progress = {});
  /// Cancels what runs and waits for it.
  ~NewestTask();
  NewestTask(const NewestTask&) = delete;
  NewestTask& operator=(const NewestTask&) = delete;

  /// Returns the task's ticket; tickets grow. `afterwards`, if given, runs after the task, unless another
  /// task comes within `pause`. The next task cancels it.
  std::uint64_t hand(Task task, Task afterwards = {}, std::chrono::milliseconds pause = {});
  /// Cancels the task that runs, but not what runs afterwards.
  void cancel();
  /// True while a task runs or waits. What runs afterwards does not count.
  [[nodiscard]] bool busy() const;
  /// Blocks while `busy`.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
