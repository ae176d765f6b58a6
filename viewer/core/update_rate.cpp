#include <viewer/core/update_rate.h>

#include <viewer/core/named.h>

namespace fitup::viewer {

std::string_view name(UpdateRate rate) noexcept {
  switch (rate) {
    case UpdateRate::most:
      return "most";
    case UpdateRate::thirty:
      return "30";
    case UpdateRate::fifteen:
      return "15";
  }
  return {};
}

std::optional<UpdateRate> updateRateFromName(std::string_view text) noexcept {
  return named(allUpdateRates, text);
}

std::chrono::milliseconds intervalOf(UpdateRate rate) noexcept {
  using std::chrono::milliseconds;
  return rate == UpdateRate::fifteen  ? milliseconds(67)
         : rate == UpdateRate::thirty ? milliseconds(34)
                                      : milliseconds(0);
}

std::chrono::milliseconds Pace::next(Clock::time_point now) noexcept {
  if (last_ && now < *last_ + interval_)
    return std::chrono::ceil<std::chrono::milliseconds>(*last_ + interval_ - now);
  last_ = now;
  return std::chrono::milliseconds(0);
}

}  // namespace fitup::viewer
