#pragma once

#include <fitup/query/detail/pair_preparation.h>

namespace fitup::test {

/// Whether the boxes of two parts are separated in any of the ways that a query has.
inline bool boxesApart(const PosedModel& first, const PosedModel& second) {
  return detail::areSeparatedAlongCentres(first, second) || detail::boxesApartAlongAxes(first, second);
}

}  // namespace fitup::test
