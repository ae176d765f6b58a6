#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>

#include "statistics.h"

namespace test_statistics {

using namespace fitup::bench;

namespace {

/// 1, 2, ..., n in a scrambled order: the k-th smallest value is k.
std::vector<double> ranks(int n) {
  std::vector<double> sample(static_cast<std::size_t>(n));
  std::iota(sample.begin(), sample.end(), 1.0);
  std::reverse(sample.begin() + n / 3, sample.end());
  return sample;
}

}  // namespace

TEST_CASE("the median's interval lies at the ranks of the binomial table", "[benchmarks]") {
  struct Case {
    int n;
    double low, median, high;
  };
  // Ranks for 95 % from the sign test's critical values; below six values no interval reaches 95 %, so the
  // range is used.
  for (const Case& c : {Case{1, 1, 1, 1},
                        {2, 1, 1.5, 2},
                        {5, 1, 3, 5},
                        {6, 1, 3.5, 6},
                        {8, 1, 4.5, 8},
                        {9, 2, 5, 8},
                        {11, 2, 6, 10},
                        {15, 4, 8, 12},
                        {20, 6, 10.5, 15},
                        {25, 8, 13, 18}}) {
    INFO(c.n);
    const MedianInterval m = medianInterval(ranks(c.n));
    CHECK(m.low == c.low);
    CHECK(m.median == c.median);
    CHECK(m.high == c.high);
    CHECK(m.values == c.n);
    CHECK(m.isRange() == (c.n < 6));
  }
}

TEST_CASE("an empty sample has no interval to speak of", "[benchmarks]") {
  const MedianInterval m = medianInterval({});
  CHECK(m.low == 0);
  CHECK(m.median == 0);
  CHECK(m.high == 0);
}

TEST_CASE("intervals are written with three significant digits of the median", "[benchmarks]") {
  CHECK(text({0.98, 1.0, 1.02}) == "1.00 [0.98, 1.02]");
  CHECK(text({0.01231, 0.01234, 0.01239}) == "0.0123 [0.0123, 0.0124]");
  CHECK(text({1640.2, 1647.4, 1650}) == "1647 [1640, 1650]");
  CHECK(text({}) == "0.00 [0.00, 0.00]");
  CHECK(text(medianInterval({1, 2, 3, 4, 5, 6})) == "3.50 [1.00, 6.00]");
  // Five values have no 95 % interval, and the text does not claim one.
  CHECK(text(medianInterval({1, 2, 3, 4, 5})) == "3.00 (1.00 to 5.00 in 5)");
}

}  // namespace test_statistics
