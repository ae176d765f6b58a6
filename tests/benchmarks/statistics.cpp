#include "statistics.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fitup::bench {

MedianInterval medianInterval(std::vector<double> sample) {
  if (sample.empty()) return {};
  std::sort(sample.begin(), sample.end());
  const std::size_t n = sample.size();
  const double median = n % 2 == 1 ? sample[n / 2] : 0.5 * (sample[n / 2 - 1] + sample[n / 2]);
  // The median lies between the order statistics k and n-1-k unless at most k of n fair coins show one side:
  // the largest k for which both tails together stay below 5 %. A sample below six has no such k, so its
  // range is given.
  std::size_t k = 0;
  double term = std::pow(0.5, static_cast<double>(n));
  double tail = term;
  for (std::size_t i = 1; i < n / 2; ++i) {
    term *= static_cast<double>(n - i + 1) / static_cast<double>(i);
    if (2 * (tail + term) > 0.05) break;
    tail += term;
    k = i;
  }
  return {sample[k], median, sample[n - 1 - k], static_cast<int>(n)};
}

std::string text(const MedianInterval& m) {
  const int magnitude = m.median > 0 ? static_cast<int>(std::floor(std::log10(m.median))) : 0;
  const int digits = std::clamp(2 - magnitude, 0, 7);
  const auto number = [&](double value) { return fmt::format("{:.{}f}", value, digits); };
  if (m.isRange())
    return fmt::format("{} ({} to {} in {})", number(m.median), number(m.low), number(m.high), m.values);
  return fmt::format("{} [{}, {}]", number(m.median), number(m.low), number(m.high));
}

}  // namespace fitup::bench
