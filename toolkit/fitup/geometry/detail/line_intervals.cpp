#include <fitup/geometry/detail/line_intervals.h>

#include <utility>

#include <fitup/geometry/predicates.h>

namespace fitup::detail {
namespace {

/// A triangle rotated so that its corner p is alone on one closed side of the other's plane. `flip` says that
/// this is the negative side.
struct Canonical {
  const Vec3 *p, *q, *r;
  bool flip;
};

/// Rotates the corners and keeps the winding. Precondition: the signs are not all zero, and not all corners
/// lie strictly on one side.
Canonical canonical(const Triangle& t, const Sides& sides) noexcept {
  const int* s = sides.s;
  int alone = 0;
  bool flip = false;
  const auto isAlone = [&](int i, int sign) {
    // The corner is strictly on its side and the others are on or beyond the plane; or it is on the plane and
    // both others are strictly beyond.
    const int a = sign * s[i], b = sign * s[(i + 1) % 3], c = sign * s[(i + 2) % 3];
    return (a > 0 && b <= 0 && c <= 0) || (a == 0 && b < 0 && c < 0);
  };
  for (int i = 0; i < 3; ++i) {
    if (isAlone(i, 1)) {
      alone = i;
      flip = false;
      break;
    }
    if (isAlone(i, -1)) {
      alone = i;
      flip = true;
    }
  }
  return {&t.v[alone], &t.v[(alone + 1) % 3], &t.v[(alone + 2) % 3], flip};
}

}  // namespace

IntervalOrder compareIntervals(const Triangle& a, const Sides& aSides, const Triangle& b,
                               const Sides& bSides) noexcept {
  // A triangle is flipped (q and r exchanged) if necessary, so that the other's p lies on its positive side.
  Canonical ca = canonical(a, aSides), cb = canonical(b, bSides);
  if (ca.flip) std::swap(cb.q, cb.r);
  if (cb.flip) std::swap(ca.q, ca.r);
  return {orient3d(*ca.p, *ca.q, *cb.p, *cb.q), orient3d(*ca.p, *ca.r, *cb.r, *cb.p)};
}

}  // namespace fitup::detail
