#include <fitup/base/bounded_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fitup/base/rounding.h>
#include <fitup/base/text.h>

namespace fitup {
namespace {

/// Up to `digits` significant digits, without zeros at the end.
std::string withDigits(double value, int digits) {
  std::array<char, 40> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
  return {text.data(), end.ptr};
}

/// The position of the first digit: 0 for 3.5, -2 for 0.035.
int exponentOf(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

}  // namespace

BoundedText boundedText(double value, double bound, int mostDigits, double above) {
  if (!std::isfinite(value)) return {withDigits(value, mostDigits), {}};
  BoundedText text{"0", {}};
  if (std::abs(value) > bound) {
    int digits = mostDigits;
    if (const double both = roundedUp(bound + above); both > 0)
      digits = std::clamp(exponentOf(value) - exponentOf(both) + 2, 1, mostDigits);
    text.number = withDigits(value, digits);
  }
  const double error = bound + above + std::abs(value - numberFromText(text.number).value_or(value));
  if (error > 0) text.bound = withDigits(roundedUp(error), 2);
  return text;
}

std::string boundedNumber(double value, double bound, int mostDigits) {
  return boundedText(value, bound, mostDigits).number;
}

}  // namespace fitup
