#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// Runs tasks on a thread of its own, the newest first: a task that was not begun when the next one comes is
/// forgotten, one that was begun runs to its end.
///
/// The thread sleeps between tasks and stays behind others (`stayBehindOtherThreads`). All members may be
/// called from any thread, from tasks too, but for `wait` and the destructor.
class NewestTask {
 public:
  /// Must not throw. Cancelled, it ends soon.
  using Task = std::function<void(std::uint64_t ticket, const Progress& progress)>;

  explicit NewestTask(Progress::Callback progress = {});
  /// Cancels what runs and waits for it.
  ~NewestTask();
  NewestTask(const NewestTask&) = delete;
  NewestTask& operator=(const NewestTask&) = delete;

  /// Returns the task's ticket; tickets grow. `afterwards`, if given, runs behind the task unless something
  /// else comes within `pause`, and is cancelled by whatever comes next.
  std::uint64_t hand(Task task, Task afterwards = {}, std::chrono::milliseconds pause = {});
  /// Cancels what runs.
  void cancel();
  /// True while a task runs or waits; what runs afterwards does not count.
  [[nodiscard]] bool busy() const;
  /// Blocks while `busy`.
  void wait() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fitup
