#pragma once

#include <string>

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// A number for people that is known to within a bound, and that bound, in the C locale.
struct BoundedText {
  std::string number;  ///< "12.346"; "0" if zero lies within the bound
  /// "0.013": by how much the exact value may differ from `number`, rounded up to two digits. Empty if the
  /// bound is 0 and `number` has all digits.
  std::string bound;
};

/// Writes a number with no digits that its bound makes meaningless: the last digit is at most the second one
/// of the bound, and there are at most `mostDigits`. Zeros at the end are left out. A value that differs from
/// zero by no more than `bound` is "0".
///
/// The exact value lies between `value - bound` and `value + bound + above`; `above` is for lower bounds,
/// such as depths, which lose digits to it but do not become 0. The bound of the result covers both, and the
/// digits that were left out. Preconditions: `bound` and `above` are finite and not negative, `mostDigits` is
/// from 1 to 17.
BoundedText boundedText(double value, double bound, int mostDigits, double above = 0);

/// Only the number, for texts that do not show the bound.
std::string boundedNumber(double value, double bound, int mostDigits);

}  // namespace fitup
