#pragma once

#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// On which side of the other triangle's plane the corners of a triangle lie: +1 above (where its normal
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

/// How the intervals in which two triangles cut the line common to their planes lie: they overlap where both
/// numbers are not negative, and overlap in more than an end where both are positive (and neither interval is
/// a point).
struct IntervalOrder {
  int first, second;
};

/// Guigue and Devillers 2003, section 3: two orientations compare the intervals. Precondition: different
/// planes, and neither triangle strictly on one side of the other's plane.
IntervalOrder compareIntervals(const Triangle& a, const Sides& aSides, const Triangle& b,
                               const Sides& bSides) noexcept;

}  // namespace fitup::detail
