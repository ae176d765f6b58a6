#pragma once

#include <fitup/query/detail/pair_preparation.h>

namespace fitup::test {

/// Whether a query finds the boxes of two parts separated, by any of its methods.
inline bool boxesApart(const PosedModel& first, const PosedModel& second) {
  return detail::areSeparatedAlongCentres(first, second) || detail::boxesApartAlongAxes(first, second);
}

}  // namespace fitup::test
