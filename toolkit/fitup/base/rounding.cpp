#include <fitup/base/rounding.h>

#include <cmath>

namespace fitup {
namespace {

/// Returns digits * 10^exponent. A division by a power of ten gives the double nearest to the decimal number,
/// so it is written with two digits; a product with 0.01 would not be.
double decimal(double digits, int exponent) noexcept {
  return exponent < 0 ? digits / std::pow(10, -exponent) : digits * std::pow(10, exponent);
}

double twoDigits(double value, double step) noexcept {
  if (!(value > 0) || !std::isfinite(value)) return value;
  const int exponent = static_cast<int>(std::floor(std::log10(value))) - 1;
  const double nearest = std::round(value / decimal(1, exponent)), result = decimal(nearest, exponent);
  const bool isBeyond = step > 0 ? result >= value : result <= value;
  return isBeyond ? result : decimal(nearest + step, exponent);
}

}  // namespace

double roundedUp(double value) noexcept { return twoDigits(value, 1); }
double roundedDown(double value) noexcept { return twoDigits(value, -1); }

}  // namespace fitup
