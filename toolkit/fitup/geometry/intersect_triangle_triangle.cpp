#include <fitup/geometry/intersect_triangle_triangle.h>

#include <optional>

#include <fitup/geometry/aabb.h>
#include <fitup/geometry/detail/exact_plane.h>
#include <fitup/geometry/detail/filters.h>
#include <fitup/geometry/detail/line_intervals.h>
#include <fitup/geometry/detail/simplex.h>
#include <fitup/geometry/predicates.h>

namespace fitup {
namespace {

using detail::Sides;

Sides filteredSides(const FilterPlane& plane, const Triangle& t) noexcept {
  return {{plane.side(t.v[0]), plane.side(t.v[1]), plane.side(t.v[2])}};
}

/// Computes exactly the signs that the filter left open. Returns true if there were any.
bool settle(Sides& sides, const Triangle& plane, const Triangle& t) noexcept {
  bool isOpen = false;
  std::optional<detail::ExactPlane> exact;
  for (int i = 0; i < 3; ++i) {
    if (sides.s[i] != uncertain) continue;
    isOpen = true;
    // `orient3d` is positive below the plane, sides are positive above it.
    int sign = detail::quickOrient3d(plane.v[0], plane.v[1], plane.v[2], t.v[i]);
    if (sign == uncertain) {
      if (!exact) exact.emplace(plane.v[0], plane.v[1], plane.v[2]);
      sign = exact->sign(t.v[i]);
    }
    sides.s[i] = -sign;
  }
  return isOpen;
}

}  // namespace

bool TriangleTester::intersects(const Triangle& other) noexcept {
  Sides otherSides = filteredSides(plane_, other);
  if (otherSides.allStrictlyOnOneSide()) return false;
  Sides fixedSides = filteredSides(FilterPlane(other), fixed_);
  if (fixedSides.allStrictlyOnOneSide()) return false;

  // Where the fixed triangle lies in the plane of the other one, that plane alone decides. It comes first,
  // because its corners are most often as stored, with fewer bits than placed ones.
  bool exact = settle(fixedSides, other, fixed_);
  if (!fixedSides.allZero()) exact |= settle(otherSides, fixed_, other);
  exactTests_ += exact;
  if (fixedSides.allZero())
    return detail::intersectSpecial(detail::Simplex(fixed_), detail::Simplex(other), touching_);
  if (otherSides.allStrictlyOnOneSide() || fixedSides.allStrictlyOnOneSide()) return false;
  if (otherSides.allZero())
    return detail::intersectSpecial(detail::Simplex(fixed_), detail::Simplex(other), touching_);
  // A triangle that only touches the other's plane from one side has no interior point in it.
  if (touching_ == Touching::exclude && !(otherSides.strictlyMixed() && fixedSides.strictlyMixed()))
    return false;
  const detail::IntervalOrder order = detail::compareIntervals(fixed_, fixedSides, other, otherSides);
  const int least = touching_ == Touching::include ? 0 : 1;
  return order.first >= least && order.second >= least;
}

bool intersectTriangleTriangle(const Triangle& a, const Triangle& b, Touching touching) noexcept {
  return Box::around(a.v).overlaps(Box::around(b.v)) && TriangleTester(a, touching).intersects(b);
}

}  // namespace fitup
