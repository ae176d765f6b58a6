#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// Counts the units of a long piece of work, reports progress to a `Progress`, and ends the work with an
/// exception when it is cancelled. Deeply nested code carries a meter instead of a status. Several threads
/// may share it.
///
/// A default-constructed meter counts nothing and never ends the work. Const means thread-safe.
class WorkMeter {
 public:
  WorkMeter() = default;
  /// Keeps a reference to `progress`. Reports nothing, but ends the work when it is cancelled.
  explicit WorkMeter(const Progress& progress) : progress_(&progress) {}
  /// Keeps a reference to `progress`. Reports fractions of `units` as `phase`, at most `steps` times.
  WorkMeter(const Progress& progress, std::string phase, std::uint64_t units);

  /// Adds `units` to the work done. Costs an atomic addition; meant to be called once for every few hundred
  /// triangles. Throws CancelledError.
  void advance(std::uint64_t units) const;
  /// Throws CancelledError if the work is cancelled. Costs a read of the stop token.
  void poll() const;
  /// Reports that all work is done (1), whatever was counted.
  void finish() const;

  static constexpr std::uint64_t steps = 200;

 private:
  const Progress* progress_ = nullptr;
  std::string phase_;
  std::uint64_t units_ = 0;                                   ///< 0: the meter does not count
  mutable std::atomic<std::uint64_t> done_{0}, reported_{0};  ///< in units; in steps
};

/// Calls `task(i)` for all i in [0, count), in order, and polls the meter before every `pollInterval`-th
/// call.
template <typename Task>
void polledLoop(std::size_t count, const WorkMeter& meter, const Task& task) {
  constexpr std::size_t pollInterval = 4096;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % pollInterval == 0) meter.poll();
    task(i);
  }
}

/// Wraps a comparison or predicate for a long sort or partition, so that it polls `meter` at regular
/// intervals of calls. If the work is cancelled, the sort ends with CancelledError and leaves the values in
/// any order. Pass the wrapper by `std::ref`, because algorithms copy their function.
template <typename Function>
auto polled(const WorkMeter& meter, Function function) {
  return [&meter, function = std::move(function), calls = 0U](const auto&... values) mutable {
    constexpr unsigned pollInterval = 1U << 16;
    if (++calls % pollInterval == 0) meter.poll();
    return function(values...);
  };
}

}  // namespace fitup
