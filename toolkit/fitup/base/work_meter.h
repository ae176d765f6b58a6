#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <fitup/base/progress.h>

namespace FITUP_EXPORT fitup {

/// Counts the units of one piece of long work, which several threads may share, reports to a `Progress` how
/// far it is, and ends it when that is cancelled: code that is deep below carries this instead of a status.
///
/// A default-constructed meter counts nothing and never ends anything. Const means thread-safe.
class WorkMeter {
 public:
  WorkMeter() = default;
  /// Refers to `progress`. Counts nothing, but ends the work.
  explicit WorkMeter(const Progress& progress) : progress_(&progress) {}
  /// Refers to `progress`. Fractions of `units` are reported as `phase`, at most `steps` times.
  WorkMeter(const Progress& progress, std::string phase, std::uint64_t units);

  /// So much more is done. Costs an atomic addition; meant for every few hundred triangles. Throws
  /// CancelledError.
  void advance(std::uint64_t units) const;
  /// Throws CancelledError. Costs a read of the stop token.
  void poll() const;
  /// All is done: reports 1, whatever was counted.
  void finish() const;

  static constexpr std::uint64_t steps = 200;

 private:
  const Progress* progress_ = nullptr;
  std::string phase_;
  std::uint64_t units_ = 0;                                   ///< 0: nothing is counted
  mutable std::atomic<std::uint64_t> done_{0}, reported_{0};  ///< units, steps
};

/// Calls `task(i)` for all i in [0, count), in order, polling every `pollInterval` of them.
template <typename Task>
void polledLoop(std::size_t count, const WorkMeter& meter, const Task& task) {
  constexpr std::size_t pollInterval = 4096;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % pollInterval == 0) meter.poll();
    task(i);
  }
}

/// A comparison or predicate for a sort or partition that may take long, handed to it by std::ref, for they
/// copy: every so many calls `meter` is polled, and the sort then ends with CancelledError and the values in
/// any order.
template <typename Function>
auto polled(const WorkMeter& meter, Function function) {
  return [&meter, function = std::move(function), calls = 0U](const auto&... values) mutable {
    constexpr unsigned pollInterval = 1U << 16;
    if (++calls % pollInterval == 0) meter.poll();
    return function(values...);
  };
}

}  // namespace fitup
