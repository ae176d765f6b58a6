#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include <fitup/base/bounded_text.h>
#include <fitup/base/text.h>

namespace bounded_text_tests {

using namespace fitup;

TEST_CASE("numbers have digits down to their bound", "[base][bounded-text]") {
  CHECK(boundedNumber(12.3456789, 0.012, 6) == "12.346");
  CHECK(boundedNumber(12.3456789, 0.9, 6) == "12.35");
  CHECK(boundedNumber(12.3456789, 1, 6) == "12.3");
  CHECK(boundedNumber(12.3456789, 0, 6) == "12.3457");
  CHECK(boundedNumber(12.3456789, 1e-12, 4) == "12.35");
  CHECK(boundedNumber(0.05, 0.00012, 6) == "0.05");
  CHECK(boundedNumber(-0.0512345, 0.00012, 6) == "-0.05123");
  CHECK(boundedNumber(9.99, 9.96, 6) == "10");  // one digit is left
  CHECK(boundedNumber(12345.678, 1500, 6) == "12300");
  CHECK(boundedNumber(1234567.8, 0, 4) == "1235000");
  CHECK(boundedNumber(1e20, 0, 6) == "1e+20");
  CHECK(boundedText(12345.678, 1500, 6).bound == "1600");
  CHECK(boundedNumber(0, 0, 6) == "0");
}

TEST_CASE("what lies within its bound of zero is zero", "[base][bounded-text]") {
  CHECK(boundedNumber(1.304e-12, 1e-9, 6) == "0");
  CHECK(boundedNumber(-1.304e-12, 1e-9, 6) == "0");
  CHECK(boundedNumber(1.304e-12, 0, 6) == "1.304e-12");
  // The bound is that of the zero, not of the value.
  const BoundedText zero = boundedText(0.15, 0.2, 6);
  CHECK(zero.number == "0");
  CHECK(zero.bound == "0.35");
  // A lower bound is none that could be 0.
  const BoundedText deep = boundedText(0.0123, 1e-9, 4, 0.1);
  CHECK(deep.number == "0.01");
  CHECK(deep.bound == "0.11");
}

TEST_CASE("the printed bound holds for the printed number", "[base][bounded-text]") {
  CHECK(boundedText(2.5, 0, 6).bound.empty());
  CHECK(boundedText(1.0 / 3, 0, 3).bound == "0.00034");
  CHECK(boundedText(std::numeric_limits<double>::infinity(), 0, 6).number == "inf");
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12, 6), share(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double value = share(random) * std::pow(10, exponent(random)),
                 bound = std::pow(10, exponent(random)),
                 above = i % 2 == 0 ? 0 : std::pow(10, exponent(random));
    const BoundedText text = boundedText(value, bound, 1 + i % 17, above);
    CAPTURE(value, bound, above, text.number, text.bound);
    const double number = numberFromText(text.number).value(), most = numberFromText(text.bound).value();
    CHECK(number - most <= value - bound);
    CHECK(number + most >= value + bound + above);
    CHECK(most <= 1.11 * (bound + above + std::abs(value - number)));
    CHECK((number == 0) == (std::abs(value) <= bound));
  }
}

}  // namespace bounded_text_tests
