#include <fitup/hierarchy/detail/orthogonal_query.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/orthogonal_query.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include <fitup/geometry/four_doubles-inl.h>
#include <fitup/geometry/vectors-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if FITUP_FOUR_DOUBLES

/// `floatAbove` of numbers that are positive and not beyond the floats.
HWY_INLINE Float4 above(Double4 v) {
  const __m128 f = _mm256_cvtpd_ps(v);
  const auto below = __builtin_bit_cast(Long4, Double4(_mm256_cvtps_pd(f)) < v);
  return __builtin_bit_cast(Float4, __builtin_bit_cast(Int4, f) - __builtin_convertvector(below, Int4));
}

// Nothing is fused, and sums are in the order of plain code (wide_task.cpp).
bool boundOrthogonally(const Aabb& boundsOfA, const Aabb& boundsOfB, const PairPlacement& placement,
                       WideQuery& query) {
  Double4 a, b;
  if (!largestMagnitudes(boundsOfA, a) || !largestMagnitudes(boundsOfB, b)) return false;
  const Double4 t = firstThree(Rows(placement.aFromB).translation());
  const TwoSums squares = sumsOf(a * a, b * b), ofShift = sumsOf(t * t, t);
  const Double4 lengths = _mm256_sqrt_pd(Double4{squares.ofFirst, squares.ofSecond, ofShift.ofFirst, 0});
  const double reachA = lengths[0], reachB = lengths[1], distance = lengths[2];
  const double size = rootOf3 * reachB + distance + reachA;
  const double sizeInB = rootOf3 * reachA + distance * (1 + 1e-8) + reachB;
  const Vec3& inflation = placement.inflationInB;
  const double carriedBack = 2 * std::max({inflation.x, inflation.y, inflation.z});
  if (!(size < largestForVectors && sizeInB < largestForVectors && carriedBack < largestForVectors))
    return false;
  const Double4 bounds = Double4{size, sizeInB, size, size} * Double4{0x1p-18, 0x1p-18, 0x1p-16, 0x1p-21};
  const Float4 slack = above((bounds + Double4{0, carriedBack, 0, 0}) + 0x1p-140);
  query.reachA = reachA;
  query.reachB = reachB;
  query.slackInA = slack[0];
  query.slackInB = slack[1];
  query.cylinderSlack = slack[2];
  query.cornerError = slack[3];
  query.leastExtent = leastTriangleExtent(size);
  return true;
}

#else

bool boundOrthogonally(const Aabb&, const Aabb&, const PairPlacement&, WideQuery&) { return false; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(boundOrthogonally);
}  // namespace

bool boundOrthogonally(const Aabb& boundsOfA, const Aabb& boundsOfB, const PairPlacement& placement,
                       WideQuery& query) noexcept {
  return HWY_DYNAMIC_DISPATCH(boundOrthogonally)(boundsOfA, boundsOfB, placement, query);
}

}  // namespace fitup::detail
#endif
