#pragma once

#include <fitup/query/detail/pair_preparation.h>

namespace fitup::test {

/// Whether the boxes of two parts are told apart in any of the ways that a query has.
inline bool boxesApart(const PosedModel& first, const PosedModel& second) {
  return detail::apartAlongCentres(first, second) || detail::boxesApartAlongAxes(first, second);
}

}  // namespace fitup::test
