#include <fitup/base/rounding.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace rounding_tests {

using namespace fitup;

TEST_CASE("numbers are rounded to two digits", "[base][rounding]") {
  CHECK(roundedUp(0.682) == 0.69);
  CHECK(roundedDown(0.682) == 0.68);
  CHECK(roundedUp(123.4) == 130);
  CHECK(roundedDown(123.4) == 120);
  CHECK(roundedUp(0.0996) == 0.1);
  CHECK(roundedUp(9.91) == 10);
  // Numbers of two digits stay.
  for (const double value : {0.7, 0.07, 0.00068, 12.0, 1.1, 0.3, 5200.0}) {
    CHECK(roundedUp(value) == value);
    CHECK(roundedDown(value) == value);
  }
  for (const double value : {0.0, -1.234, std::numeric_limits<double>::infinity()}) {
    CHECK(roundedUp(value) == value);
    CHECK(roundedDown(value) == value);
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-8, 8);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::pow(10, exponent(random));
    CAPTURE(value);
    CHECK(roundedUp(value) >= value);
    CHECK(roundedUp(value) <= 1.1001 * value);
    CHECK(roundedDown(value) <= value);
    CHECK(roundedDown(value) >= 0.909 * value);
  }
}

}  // namespace rounding_tests
