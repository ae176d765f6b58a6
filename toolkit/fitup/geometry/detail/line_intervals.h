#pragma once

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// Sides of the other triangle's plane on which the corners of a triangle lie: +1 above (where its normal
/// points), 0, -1.
struct Sides {
  int s[3];
  [[nodiscard]] bool allStrictlyOnOneSide() const noexcept {
    return s[0] == s[1] && s[1] == s[2] && (s[0] == 1 || s[0] == -1);
  }
  [[nodiscard]] bool allZero() const noexcept { return s[0] == 0 && s[1] == 0 && s[2] == 0; }
  [[nodiscard]] bool strictlyMixed() const noexcept {
    return (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0);
  }
};

/// Order of the two intervals in which two triangles cut the common line of their planes. The intervals
/// overlap if both numbers are not negative. They share more than an end if both are positive (and neither
/// interval is a point).
struct IntervalOrder {
  int first, second;
};

/// Compares the intervals by two orientations (Guigue and Devillers 2003, section 3). Precondition: the
/// planes differ, and neither triangle lies strictly on one side of the other's plane.
IntervalOrder compareIntervals(const Triangle& a, const Sides& aSides, const Triangle& b,
                               const Sides& bSides) noexcept;

}  // namespace fitup::detail
