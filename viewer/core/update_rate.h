#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string_view>

namespace fitup::viewer {

/// How many pictures a second the view draws at most while the mouse moves something or a motion plays. Fewer
/// spare a battery and the line to a remote desktop.
enum class UpdateRate { most, thirty, fifteen };
inline constexpr std::array allUpdateRates{UpdateRate::most, UpdateRate::thirty, UpdateRate::fifteen};
/// "most", "30", "15", and back.
std::string_view name(UpdateRate rate) noexcept;
std::optional<UpdateRate> updateRateFromName(std::string_view text) noexcept;
/// The least time between two pictures; 0 for `most`.
std::chrono::milliseconds intervalOf(UpdateRate rate) noexcept;

/// Spaces events by a least time.
class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  void setInterval(std::chrono::milliseconds interval) noexcept { interval_ = interval; }
  /// Returns 0 if an event may be handled now, and then counts it; otherwise how long it has to wait.
  [[nodiscard]] std::chrono::milliseconds next(Clock::time_point now) noexcept;

 private:
  std::chrono::milliseconds interval_{0};
  std::optional<Clock::time_point> last_;
};

}  // namespace fitup::viewer
