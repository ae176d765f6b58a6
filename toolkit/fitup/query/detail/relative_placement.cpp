#include <fitup/query/detail/relative_placement.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/relative_placement.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <fitup/geometry/four_doubles-inl.h>
#include <fitup/geometry/limits.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if FITUP_FOUR_DOUBLES

/// Each entry a difference of two products, as `Transform::inverse` has its minors.
HWY_INLINE Double4 cross(Double4 v, Double4 w) { return yzx(v) * zxy(w) - zxy(v) * yzx(w); }
/// What is smaller counts as zero.
HWY_INLINE Double4 withoutTiny(Double4 v, double smallest) {
  return chosen(v, magnitude(v) >= all(smallest));
}

/// B in the local coordinates of A: what points are multiplied by, and where its origin comes to lie.
struct Relative {
  Columns m;
  Double4 t;
};

/// Whether boxes are certainly apart along an axis of either, or along one across both: axes as in
/// Gottschalk, Lin and Manocha (1996), section 5. B is rigid or mirrored in A, up to rounding, or they are
/// not.
///
/// *Bound.* Along a direction d of A's frame, boxes with half extents g of A and h of B are apart if the
/// distance between their centres is more than sum |d_i| g_i + sum |(M^T d)_j| h_j, whatever M is. M^T M - 1
/// = E counts as zero. Let f be the most that an entry of M M^T is off one or zero. |E|_2, the same for M
/// M^T, is at most e = 3 f, and cof M = det M * M (1 + E)^-1 is off +-M by less than 3 e, so that h reaches
/// at most 9 f (h_x + h_y + h_z) further than assumed. All else, and placed coordinates, are sums of fewer
/// than 32 products in double precision, fused or not, of terms that the half extents, t and the centres in
/// local coordinates bound (and what local ones take from the centres and the origins): 2^-40 of these is
/// more.
HWY_INLINE bool areApart(const PosedModel& a, const PosedModel& b, const Relative& r) {
  const Columns& m = r.m;
  const Double4 off = firstThree(offOrthonormal(m.x, m.y, m.z));
  if (!inAll(off < all(0x1p-18))) return false;

  const PartBox &boxA = a.model->box(), &boxB = b.model->box();
  const Columns cosines{magnitude(m.x), magnitude(m.y), magnitude(m.z)};
  const auto vector = [](const Vec3& v) HWY_ATTR __attribute__((always_inline)) {
    return Double4{v.x, v.y, v.z, 0};
  };
  const Double4 originA = vector(a.model->mesh().origin()), originB = vector(b.model->mesh().origin()),
                inA = lanes(boxA.centreLanes), inB = lanes(boxB.centreLanes), centreA = inA - originA,
                centreB = inB - originB, halfA = lanes(boxA.halfLanes), halfB = lanes(boxB.halfLanes);
  const Double4 between = m.times(centreB[0], centreB[1], centreB[2]) + (r.t - centreA);
  const Double4 terms =
      ((magnitude(inA) + magnitude(originA)) + (magnitude(inB) + magnitude(originB))) + magnitude(r.t);
  const TwoSums sums = sumsOf(off, terms);
  const Double4 slack =
      all(((boxA.slack + boxB.slack) + 9 * sums.ofFirst * boxB.halfSum) + 0x1p-40 * sums.ofSecond);
  if (inAnyOfThree(magnitude(between) > (halfA + cosines.times(halfB[0], halfB[1], halfB[2])) + slack))
    return true;
  const auto alongColumns = [](const Columns& c, Double4 v) HWY_ATTR __attribute__((always_inline)) {
    const TwoSums xAndY = sumsOf(c.x * v, c.y * v), z = sumsOf(c.z * v, c.z * v);
    return Double4{xAndY.ofFirst, xAndY.ofSecond, z.ofFirst, 0};
  };
  if (inAnyOfThree(magnitude(alongColumns(m, between)) > (halfB + alongColumns(cosines, halfA)) + slack))
    return true;
  // Across a column and the axes of A, a lane each; `one` and `other` follow the column.
  const Double4 nextA = yzx(halfA), afterA = zxy(halfA), next = yzx(between), after = zxy(between);
  const auto across = [&](Double4 column, Double4 cosine, Double4 one, double halfOne, Double4 other,
                          double halfOther) HWY_ATTR __attribute__((always_inline)) {
    const Double4 distance = magnitude(yzx(column) * after - zxy(column) * next);
    const Double4 reach =
        mulAdd(zxy(cosine), nextA, yzx(cosine) * afterA) + mulAdd(one, all(halfOther), other * all(halfOne));
    return distance > reach + slack;
  };
  return inAnyOfThree(across(m.x, cosines.x, cosines.y, halfB[1], cosines.z, halfB[2]) |
                      across(m.y, cosines.y, cosines.z, halfB[2], cosines.x, halfB[0]) |
                      across(m.z, cosines.z, cosines.x, halfB[0], cosines.y, halfB[1]));
}

/// `isApart` may end it once the place of B is known.
template <typename IsApart>
HWY_INLINE Relation place(const PosedModel& a, const PosedModel& b, Transform& aFromB, IsApart&& isApart) {
  const Transform &fa = a.worldFromPart, &fb = b.worldFromPart;
  const Rows rows(fa), others(fb);
  const Double4 &p = rows.row[0], &q = rows.row[1], &r = rows.row[2];
  const Double4 qr = cross(q, r), rp = cross(r, p), pq = cross(p, q);
  const Double4 terms = p * qr;
  const double determinant = (terms[0] + terms[1]) + terms[2];
  const Double4 det = all(determinant);
  const Columns inverse{qr / det, rp / det, pq / det};
  const Double4 back = -inverse.times(fa.t);
  const auto& m = fb.m;
  const Columns product{inverse.times(m[0][0], m[1][0], m[2][0]), inverse.times(m[0][1], m[1][1], m[2][1]),
                        inverse.times(m[0][2], m[1][2], m[2][2])};
  Double4 t = inverse.times(fb.t) + back;
  const Vec3 &originA = a.model->mesh().origin(), &originB = b.model->mesh().origin();
  t = (product.times(originB) + t) - Double4{originA.x, originA.y, originA.z, 0};
  const Double4 largest = all(limits::largest);
  const Long4 fits = (rows.offOrthonormal() < all(0x1p-20)) & (magnitude(product.x) <= largest) &
                     (magnitude(product.y) <= largest) & (magnitude(product.z) <= largest) &
                     (magnitude(t) <= all(limits::largestTranslation));
  if (!inAll(fits | Long4{0, 0, 0, -1})) return Relation::unknown;
  if (inAll((rows.row[0] == others.row[0]) & (rows.row[1] == others.row[1]) &
            ((rows.row[2] == others.row[2]) & (rows.last == others.last))))
    return Relation::unknown;
  const Relative relative{{withoutTiny(product.x, limits::smallest), withoutTiny(product.y, limits::smallest),
                           withoutTiny(product.z, limits::smallest)},
                          withoutTiny(t, limits::smallestTranslation)};
  if (isApart(relative)) return Relation::apart;
  storeColumns(relative.m, relative.t, aFromB);
  return Relation::placed;
}

Relation placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) {
  return place(a, b, aFromB, [](const Relative&) { return false; });
}
Relation placeUnlessApart(const PosedModel& a, const PosedModel& b, Transform& aFromB) {
  return place(a, b, aFromB, [&](const Relative& r) HWY_ATTR { return areApart(a, b, r); });
}

#else

Relation placeRelatively(const PosedModel&, const PosedModel&, Transform&) { return Relation::unknown; }
Relation placeUnlessApart(const PosedModel&, const PosedModel&, Transform&) { return Relation::unknown; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(placeRelatively);
HWY_EXPORT(placeUnlessApart);
}  // namespace

Relation placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept {
  return HWY_DYNAMIC_DISPATCH(placeRelatively)(a, b, aFromB);
}
Relation placeUnlessApart(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept {
  return HWY_DYNAMIC_DISPATCH(placeUnlessApart)(a, b, aFromB);
}

}  // namespace fitup::detail
#endif
