#include <fitup/query/detail/relative_placement.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/relative_placement.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <fitup/geometry/limits.h>
#include <fitup/hierarchy/detail/four_doubles-inl.h>

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

bool placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) {
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
  const Vec3 &originA = a.model.mesh().origin(), &originB = b.model.mesh().origin();
  t = (product.times(originB) + t) - Double4{originA.x, originA.y, originA.z, 0};
  const Double4 largest = all(limits::largest);
  const Long4 fits = (rows.offOrthonormal() < all(0x1p-20)) & (magnitude(product.x) <= largest) &
                     (magnitude(product.y) <= largest) & (magnitude(product.z) <= largest) &
                     (magnitude(t) <= all(limits::largestTranslation));
  if (!inAll(fits | Long4{0, 0, 0, -1})) return false;
  if (inAll((rows.row[0] == others.row[0]) & (rows.row[1] == others.row[1]) &
            ((rows.row[2] == others.row[2]) & (rows.last == others.last))))
    return false;
  storeColumns({withoutTiny(product.x, limits::smallest), withoutTiny(product.y, limits::smallest),
                withoutTiny(product.z, limits::smallest)},
               withoutTiny(t, limits::smallestTranslation), aFromB);
  return true;
}

#else

bool placeRelatively(const PosedModel&, const PosedModel&, Transform&) { return false; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(placeRelatively);
}  // namespace

bool placeRelatively(const PosedModel& a, const PosedModel& b, Transform& aFromB) noexcept {
  return HWY_DYNAMIC_DISPATCH(placeRelatively)(a, b, aFromB);
}

}  // namespace fitup::detail
#endif
