#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include <fitup/base/progress.h>

namespace fitup::viewer {

/// A long task (opening a file, a replay, a report) on a thread of its own.
class BackgroundJob {
 public:
  using Work = std::function<void(const Progress&)>;
  /// Called from the job's thread at its end with the error text, empty after success.
  using Finished = std::function<void(std::string error)>;

  BackgroundJob(Work work, Finished finished, Progress::Callback progress = {})
      : thread_([this, work = std::move(work), finished = std::move(finished),
                 progress = std::move(progress)](const std::stop_token& stop) {
          std::string error;
          try {
            work(Progress(stop, progress));
          } catch (const std::exception& problem) {
            error = problem.what();
          } catch (...) {
            error = "unknown error";
          }
          done_ = true;
          finished(std::move(error));
        }) {}
  /// Cancels and waits.
  ~BackgroundJob() = default;
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  void cancel() { thread_.request_stop(); }
  [[nodiscard]] bool cancelled() const { return thread_.get_stop_token().stop_requested(); }
  [[nodiscard]] bool done() const noexcept { return done_; }

 private:
  std::atomic<bool> done_{false};
  std::jthread thread_;
};

}  // namespace fitup::viewer
