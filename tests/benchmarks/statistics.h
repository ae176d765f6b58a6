#pragma once

#include <string>
#include <vector>

namespace fitup::bench {

/// Median of a sample with a distribution-free 95 % confidence interval from its order statistics (binomial).
struct MedianInterval {
  double low = 0, median = 0, high = 0;
};
MedianInterval medianInterval(std::vector<double> sample);

/// "1.23 [1.20, 1.27]": three significant digits of the median.
std::string text(const MedianInterval& m);

}  // namespace fitup::bench
