#include <fitup/base/bounded_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fitup/base/rounding.h>
#include <fitup/base/text.h>

namespace fitup {
namespace {

std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 40> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision);
  return {text.data(), end.ptr};
}

/// The position of the first digit: 0 for 3.5, -2 for 0.035.
int exponentOf(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

/// Up to `digits` significant digits, without zeros behind the point. Large numbers with few digits are
/// written as 12300, not as 1.23e+04.
std::string withDigits(double value, int digits) {
  const std::string text = written(value, std::chars_format::general, digits);
  constexpr double longest = 1e15;
  if (text.find('e') == std::string::npos || !(std::abs(value) >= 1) || !(std::abs(value) < longest))
    return text;
  return written(numberFromText(text).value_or(value), std::chars_format::fixed, 0);
}

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
