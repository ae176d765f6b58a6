#pragma once

#include <fitup/base/export.h>

namespace FITUP_EXPORT fitup {

/// Returns the least number of two significant digits that is not below the value: 0.69 for 0.682. Zero,
/// negative and infinite values are returned as they are.
double roundedUp(double value) noexcept;
/// Returns the greatest number of two significant digits that is not above the value: 0.68 for 0.682.
double roundedDown(double value) noexcept;

}  // namespace fitup
