#pragma once

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The range in which the exact predicates are exact (no overflow, no underflow in any expansion term).
///
/// Local coordinates and matrix entries are zero or have a magnitude in [smallest, largest]; translations
/// likewise in [smallestTranslation, largestTranslation]. Then a placed coordinate is a multiple of 2^-253
/// (an entry and a coordinate have 53 bits below 2^-100 each) and at most 2^203, a difference of two is at
/// most 2^204, a product of three differences at most 2^612 in magnitude and a multiple of 2^-759: every term
/// of an orientation determinant is a normal double. Values below the lower end are rounded to zero where
/// they enter (mesh builder, `PairFrame`), values above the upper end are a `RangeError`.
namespace limits {
inline constexpr double smallest = 0x1p-100;
inline constexpr double largest = 0x1p100;
inline constexpr double smallestTranslation = 0x1p-160;
inline constexpr double largestTranslation = 0x1p160;
}  // namespace limits

}  // namespace fitup
