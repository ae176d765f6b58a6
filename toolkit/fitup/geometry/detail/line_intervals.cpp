#include <fitup/geometry/detail/line_intervals.h>

#include <utility>

#include <fitup/geometry/predicates.h>

namespace fitup::detail {
namespace {

/// A triangle with its corner p alone on one closed side of the other's plane, `flip` if that is the negative
/// side.
struct Canonical {
  const Vec3 *p, *q, *r;
  bool flip;
};

/// Rotates the corners (keeping the winding). Precondition: not all zero, not all strictly on one side.
Canonical canonical(const Triangle& t, const Sides& sides) noexcept {
  const int* s = sides.s;
  int alone = 0;
  bool flip = false;
  const auto isAlone = [&](int i, int sign) {
    // Strictly on its side with the others on or beyond the plane; or on the plane with both others strictly
    // beyond.
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
  // A triangle is turned over (q and r exchanged) where needed to have the other's p on its positive side.
  Canonical ca = canonical(a, aSides), cb = canonical(b, bSides);
  if (ca.flip) std::swap(cb.q, cb.r);
  if (cb.flip) std::swap(ca.q, ca.r);
  return {orient3d(*ca.p, *ca.q, *cb.p, *cb.q), orient3d(*ca.p, *ca.r, *cb.r, *cb.p)};
}

}  // namespace fitup::detail
