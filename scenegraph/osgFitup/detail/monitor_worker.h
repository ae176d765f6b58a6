#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include <osgFitup/detail/monitor_engine.h>

namespace osgFitup::detail {

/// A `MonitorEngine` in a thread of its own. A job that is handed over while another one waits is merged into
/// it; an answer that was not fetched gives way to the next one. All members are for one thread to call.
class MonitorWorker {
 public:
  MonitorWorker();
  /// Cancels what is being checked and waits for the thread.
  ~MonitorWorker();

  void hand(MonitorJob job);
  /// The last answer in exchange for one that is no longer needed, so that none of its memory changes hands
  /// between the allocators of two threads. False if there is none that was not fetched.
  bool fetch(MonitorAnswer& answer);
  /// Waits until all that was handed over is answered.
  void waitUntilIdle();
  /// Whether an answer of that generation may still be fetched.
  [[nodiscard]] bool mayAnswer(std::uint64_t generation);

 private:
  using Clock = std::chrono::steady_clock;

  void work(const std::stop_token& stop);
  void awaitJob(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<MonitorJob> waiting_;
  MonitorAnswer answer_;
  bool hasAnswer_ = false;  ///< that was not fetched
  bool isBusy_ = false;
  std::uint64_t busyWith_ = 0;  ///< the generation
  Clock::time_point handed_;    ///< when the last job was
  Clock::duration gap_ = Clock::duration::max(), gapBefore_ = Clock::duration::max();  ///< between jobs
  Clock::time_point looksAt_;  ///< when the worker looks for a job unless it is woken before; past: at work
  std::jthread thread_;        ///< last, so that it ends before what it uses
};

}  // namespace osgFitup::detail
