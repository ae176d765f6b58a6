#include <fitup/query/detail/orthogonal_placement.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/orthogonal_placement.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <fitup/geometry/four_doubles-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if FITUP_FOUR_DOUBLES

/// Sets what follows from `placement.aFromB`. False, and nothing is set, where that takes plain code. Nothing
/// is fused, and sums are in the order of that (pair_placement.cpp, which gives the reasons).
bool placeOrthogonally(const Aabb& boundsInB, PairPlacement& placement) {
  const Rows rows(placement.aFromB);
  const Double4 &p = rows.row[0], &q = rows.row[1], &r = rows.row[2];
  const Double4 t = firstThree(rows.translation());
  const Double4 squares = magnitude(((p * p + q * q) + r * r) - 1),
                products = magnitude((p * yzx(p) + q * yzx(q)) + r * yzx(r));
  const Long4 fits = (squares < all(largestOffTransposed)) & (products < all(largestOffTransposed)) &
                     (magnitude(t) < all(0x1p1000));
  Double4 reach;
  if (!inAll(fits | Long4{0, 0, 0, -1}) || !largestMagnitudes(boundsInB, reach)) return false;
  const Double4 larger = squares > products ? squares : products;
  const double off = std::max(std::max(larger[0], larger[1]), larger[2]);

  const Double4 firstAndThird = __builtin_shufflevector(p, q, 0, 4, 2, 6),
                second = __builtin_shufflevector(p, q, 1, 5, 3, 7);
  const Columns columns{magnitude(__builtin_shufflevector(firstAndThird, r, 0, 1, 4, 5)),
                        magnitude(__builtin_shufflevector(second, r, 0, 1, 5, 4)),
                        magnitude(__builtin_shufflevector(firstAndThird, r, 2, 3, 6, 7))};
  const Double4 error = firstThree((columns.times(reach[0], reach[1], reach[2]) + magnitude(t)) * 0x1p-50);
  const TwoSums ofReachAndShift = sumsOf(reach, magnitude(t)), ofErrors = sumsOf(error, error);
  const double growth =
      (off + 0x1p-50) * ofReachAndShift.ofFirst + 0x1p-50 * ofReachAndShift.ofSecond + ofErrors.ofFirst;
  placement.orthogonal = true;
  placement.placementError = {error[0], error[1], error[2]};
  placement.inflationInB = Vec3{growth, growth, growth} * 2.0;
  storeColumns({p, q, r}, -Columns{p, q, r}.times(t[0], t[1], t[2]), placement.bFromA);
  return true;
}

#else

bool placeOrthogonally(const Aabb&, PairPlacement&) { return false; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(placeOrthogonally);
}  // namespace

PairPlacement placementOf(const Transform& aFromB, const Aabb& boundsInB) {
  PairPlacement placement;
  placement.aFromB = aFromB;
  if (HWY_DYNAMIC_DISPATCH(placeOrthogonally)(boundsInB, placement)) return placement;
  return PairPlacement::of(aFromB, boundsInB);
}

}  // namespace fitup::detail
#endif
