// Eight triangle pairs at once, each exactly decided or left to the exact test. See lanes-inl.h on inclusion.

#if defined(FITUP_TRIANGLE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_TRIANGLE_LANES_INL
#undef FITUP_TRIANGLE_LANES_INL
#else
#define FITUP_TRIANGLE_LANES_INL
#endif

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// A placement, prepared for eight points at a time.
struct Placement8 {
  Double8 m[3][3], t[3];
  HWY_INLINE explicit Placement8(const Transform& f) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) m[i][j] = Double8::all(f.m[i][j]);
      t[i] = Double8::all(f.t[static_cast<int>(i)]);
    }
  }
  /// The bits of `Transform::apply`: unfused, in its order.
  HWY_INLINE Double8 row(std::size_t i, const Double8& x, const Double8& y, const Double8& z) const {
    return ((m[i][0] * x + m[i][1] * y) + m[i][2] * z) + t[i];
  }
};

struct Decided8 {
  std::uint32_t hits, misses;  ///< bit i: pair i; neither: left open
};

/// Guigue and Devillers 2003, section 3, in lanes. Decides a pair only if every sign that counts is certain;
/// then no corner lies in the other's plane and the segments in the common line overlap in more than a point
/// or not at all, so that both settings of `Touching` agree.
///
/// *Bound.* All corners are taken relative to A's first one, as differences of placed doubles rounded to
/// float once (twice with the double's rounding): relative error below 1.01 u. Let X, Y, Z be the largest
/// magnitudes of these coordinates over the pair. Differences of two corners are at most 2 X and carry an
/// absolute error of 1.01 u X for each corner and 1.01 u 2 X for the subtraction: 2.1 u of the bound 2 X. An
/// orientation is a sum of six products of three such differences, each at most 8 X Y Z and off by a factor
/// of (1 + 2.1 u)^3 (1 + u)^5, as at most two products and three sums round: 6 * 8 * 11.5 u X Y Z = 552 u X Y
/// Z. 576 u leaves room for the bound's own products. Coordinates are below 2^39
/// (`WideQuery::vectorTriangles`), so nothing overflows. X, Y and Z count as at least 2^-40. That covers
/// underflow, which adds to a coordinate below 2^-150 (u 2^-126: nothing beside u 2^-40), to a component of a
/// cross product below 2^-148, so below 2^-145 max(X, Y, Z) to an orientation, and 2^-147 in the last sum;
/// while the bound is above 2^-95 max(X, Y, Z), and above 2^-135.
HWY_INLINE Decided8 decideTriangles(const TriangleBatch& batch, const Placement8& aFromB) {
  Vec8 a[3], b[3];
  Double8 origin[3];
  for (std::size_t i = 0; i < 3; ++i) origin[i] = Double8::fromFloats(batch.a[i]);
  for (std::size_t c = 1; c < 3; ++c)
    a[c] = {(Double8::fromFloats(batch.a[3 * c]) - origin[0]).toFloats(),
            (Double8::fromFloats(batch.a[3 * c + 1]) - origin[1]).toFloats(),
            (Double8::fromFloats(batch.a[3 * c + 2]) - origin[2]).toFloats()};
  const Float8 zero = Float8::all(0);
  a[0] = {zero, zero, zero};
  for (std::size_t c = 0; c < 3; ++c) {
    const Double8 x = Double8::fromFloats(batch.b[3 * c]), y = Double8::fromFloats(batch.b[3 * c + 1]),
                  z = Double8::fromFloats(batch.b[3 * c + 2]);
    b[c] = {(aFromB.row(0, x, y, z) - origin[0]).toFloats(), (aFromB.row(1, x, y, z) - origin[1]).toFloats(),
            (aFromB.row(2, x, y, z) - origin[2]).toFloats()};
  }

  const Float8 least = Float8::all(0x1p-40F);
  const auto largest = [&](Float8 Vec8::*axis) {
    return larger(larger(larger(magnitude(a[1].*axis), magnitude(a[2].*axis)), magnitude(b[0].*axis)),
                  larger(larger(magnitude(b[1].*axis), magnitude(b[2].*axis)), least));
  };
  const Float8 bound =
      largest(&Vec8::x) * largest(&Vec8::y) * largest(&Vec8::z) * Float8::all(576 * 0x1p-24F);
  const Float8 below = -bound;

  // Sides of B's corners of A's plane, and of A's corners of B's.
  const Vec8 normalA = cross(a[1], a[2]);
  const Vec8 normalB = cross(b[1] - b[0], b[2] - b[0]);
  Float8 sideB[3], sideA[3];
  for (std::size_t c = 0; c < 3; ++c) {
    sideB[c] = dot(normalA, b[c]);
    sideA[c] = dot(normalB, a[c] - b[0]);
  }
  const auto allBeyond = [&](const Float8(&side)[3]) {
    return (smaller(smaller(side[0], side[1]), side[2]) > bound) |
           (below > larger(larger(side[0], side[1]), side[2]));
  };
  const std::uint32_t apart = (allBeyond(sideA) | allBeyond(sideB)).bits();
  const Float8 closest =
      smaller(smaller(smaller(magnitude(sideA[0]), magnitude(sideA[1])), magnitude(sideA[2])),
              smaller(smaller(magnitude(sideB[0]), magnitude(sideB[1])), magnitude(sideB[2])));
  const Mask8 certain = closest > bound;
  if ((certain.bits() & ~apart) == 0) return {0, apart};

  // The corner that is alone on its side comes first, by rotation.
  const auto rotate = [&](Vec8(&v)[3], const Float8(&side)[3]) {
    const Mask8 s0 = side[0] > zero, s1 = side[1] > zero, s2 = side[2] > zero;
    const Mask8 secondAlone = same(s0, s2), thirdAlone = same(s0, s1);
    const Vec8 v0 = v[0], v1 = v[1], v2 = v[2];
    v[0] = select(secondAlone, v1, select(thirdAlone, v2, v0));
    v[1] = select(secondAlone, v2, select(thirdAlone, v0, v1));
    v[2] = select(secondAlone, v0, select(thirdAlone, v1, v2));
    return select(secondAlone, side[1], select(thirdAlone, side[2], side[0])) > zero;
  };
  const Mask8 aAbove = rotate(a, sideA), bAbove = rotate(b, sideB);
  // Where it lies on the negative side, the other's plane is turned round by exchanging two corners.
  const auto exchangeUnless = [&](const Mask8& above, Vec8(&v)[3]) {
    const Vec8 v1 = v[1];
    v[1] = select(above, v1, v[2]);
    v[2] = select(above, v[2], v1);
  };
  exchangeUnless(aAbove, b);
  exchangeUnless(bAbove, a);
  const auto orientation = [&](const Vec8& p, const Vec8& q, const Vec8& r, const Vec8& s) {
    return dot(cross(q - p, r - p), s - p);
  };
  const Float8 first = orientation(a[0], a[1], b[0], b[1]);
  const Float8 second = orientation(a[0], a[2], b[2], b[0]);
  const std::uint32_t hits = (certain & (below > first) & (below > second)).bits();
  const std::uint32_t passing = (certain & ((first > bound) | (second > bound))).bits();
  return {hits & ~apart, passing | apart};
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
