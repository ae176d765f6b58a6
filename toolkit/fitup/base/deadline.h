#pragma once

#include <chrono>
#include <optional>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The point in time at which a budget that starts now ends. Returns nothing if there is no budget (the clock
/// is then not read), or if the end lies beyond the range of the clock.
inline std::optional<std::chrono::steady_clock::time_point> deadlineOf(
    const std::optional<std::chrono::nanoseconds>& budget) {
  using Clock = std::chrono::steady_clock;
  if (!budget) return std::nullopt;
  const auto now = Clock::now();
  if (*budget >= Clock::time_point::max() - now) return std::nullopt;
  return now + *budget;
}

}  // namespace fitup
