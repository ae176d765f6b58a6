#pragma once

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// The range in which the exact predicates are exact (no overflow, no underflow in any expansion term).
///
/// Local coordinates and matrix entries are zero or have a magnitude in [smallest, largest]. Translations are
/// zero or in [smallestTranslation, largestTranslation]. A placed coordinate is then a multiple of 2^-253 (an
/// entry and a coordinate have 53 bits below 2^-100 each) and at most 2^203. A difference of two is at most
/// 2^204. A product of three differences is at most 2^612 in magnitude and a multiple of 2^-759. Every term
/// of an orientation determinant is therefore a normal double. Values below the lower end are rounded to zero
/// on entry (mesh builder, `PairFrame`). Values above the upper end are a `RangeError`.
namespace limits {
inline constexpr double smallest = 0x1p-100;
inline constexpr double largest = 0x1p100;
inline constexpr double smallestTranslation = 0x1p-160;
inline constexpr double largestTranslation = 0x1p160;
}  // namespace limits

}  // namespace fitup
