#pragma once

#include <chrono>
#include <optional>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// When a time budget that begins now is used up; never without one, and for one beyond the clock's range.
/// Without a budget the clock is not read.
inline std::optional<std::chrono::steady_clock::time_point> deadlineOf(
    const std::optional<std::chrono::nanoseconds>& budget) {
  using Clock = std::chrono::steady_clock;
  if (!budget) return std::nullopt;
  const auto now = Clock::now();
  if (*budget >= Clock::time_point::max() - now) return std::nullopt;
  return now + *budget;
}

}  // namespace fitup
