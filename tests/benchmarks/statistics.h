#pragma once

#include <string>
#include <vector>

namespace fitup::bench {

/// Median of a sample with a distribution-free 95 % confidence interval from its order statistics (binomial).
/// A sample of fewer than six has none: the ends are its range, which covers the median in 1 - 2^(1 - values)
/// of all cases.
struct MedianInterval {
  double low = 0, median = 0, high = 0;
  int values = 0;  ///< of the sample; 0: not known

  static constexpr int fewest = 6;  ///< values of a 95 % interval
  [[nodiscard]] bool isRange() const { return values > 0 && values < fewest; }
};
MedianInterval medianInterval(std::vector<double> sample);

/// "1.23 [1.20, 1.27]": three significant digits of the median; a range is "1.23 (1.20 to 1.27 in 4)".
std::string text(const MedianInterval& m);

}  // namespace fitup::bench
