#pragma once

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/query/verdict.h>

namespace fitup::test {

/// Checks sign and value of the verdict on two parts that are `clearance` apart or, if that is negative, as
/// deep in each other. Near the tolerance, it may be undecided or go either way.
inline void checkFit(const VerdictReport& found, double clearance) {
  const double t = found.tolerance;
  INFO("tolerance " << t << ", clearance " << clearance << ": " << name(found.verdict) << " "
                    << found.undecidedBecause << ", depth " << found.depth.value_or(-1) << ", distance "
                    << found.distance.value_or(-1) << ", chord error " << found.chordError);
  const double limit = std::max(t / 64, 1e-4) + t / 64;  // of the refinement, and of the search for depth
  const bool isNearLimit = std::abs(std::abs(clearance) - t) <= limit;
  if (found.verdict == Verdict::undecided) {
    CHECK(isNearLimit);
    return;
  }
  if (!isNearLimit)
    CHECK(found.verdict == (clearance > t    ? Verdict::clear
                            : clearance < -t ? Verdict::clash
                                             : Verdict::contact));
  constexpr double rounding = 1e-5;
  if (found.verdict == Verdict::clash) {
    REQUIRE(found.depth);
    CHECK(*found.depth >= -clearance - found.depthErrorBound - found.chordError - rounding);
    CHECK(*found.depth <= -clearance + found.chordError + rounding);
  }
  if (found.verdict == Verdict::clear && found.distance)
    CHECK(std::abs(*found.distance - clearance) <= found.chordError + rounding);
}

}  // namespace fitup::test
