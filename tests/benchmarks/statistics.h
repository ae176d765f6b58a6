#pragma once

#include <string>
#include <vector>

namespace fitup::bench {

/// The median of a sample with a distribution-free 95 % confidence interval from its order statistics
/// (binomial). A sample of fewer than six has no such interval: the ends are its range, which covers the
/// median with probability 1 - 2^(1 - values).
struct MedianInterval {
  double low = 0, median = 0, high = 0;
  int values = 0;  ///< size of the sample; 0: unknown

  static constexpr int fewest = 6;  ///< values for a 95 % interval
  [[nodiscard]] bool isRange() const { return values > 0 && values < fewest; }
};
MedianInterval medianInterval(std::vector<double> sample);

/// Returns "1.23 [1.20, 1.27]" with three significant digits of the median; a range is "1.23 (1.20 to 1.27 in
/// 4)".
std::string text(const MedianInterval& m);

}  // namespace fitup::bench
