#pragma once

#include <cstddef>
#include <cstdint>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <fitup/base/work_meter.h>

namespace fitup::detail {

/// Calls `task(i)` for all i in [0, count) in the calling thread's TBB arena. Advances `meter` by `units` in
/// total. Throws CancelledError.
template <typename Task>
void forAll(std::size_t count, const WorkMeter& meter, std::uint64_t units, const Task& task) {
  const auto unitsUpTo = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<double>(units) * static_cast<double>(i) /
                                      static_cast<double>(count));
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 64), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      meter.poll();
      task(i);
    }
    meter.advance(unitsUpTo(range.end()) - unitsUpTo(range.begin()));
  });
}

}  // namespace fitup::detail
