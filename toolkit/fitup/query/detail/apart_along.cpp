#include <fitup/query/detail/boxes_apart.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/apart_along.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include <fitup/query/detail/two_placed_boxes.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2

using Double2 = double __attribute__((vector_size(16)));
using Double4 = double __attribute__((vector_size(32)));
using Long4 = std::int64_t __attribute__((vector_size(32)));

HWY_INLINE Double4 joined(Double2 low, Double2 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}
HWY_INLINE Double4 magnitude(Double4 v) {
  return __builtin_bit_cast(Double4, __builtin_bit_cast(Long4, v) & 0x7fffffffffffffff);
}
HWY_INLINE double sum(Double4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }
HWY_INLINE Double4 lanes(const std::array<double, 4>& from) {
  Double4 r;
  std::memcpy(&r, from.data(), sizeof r);
  return r;
}

/// A placement by rows: those of the matrix with what follows them in the fourth lane, and its last entry
/// with the translation. Read in pairs, as it was likely written just before: to read other pieces than were
/// written waits until they are in the cache.
struct Rows {
  Double4 row[3], last;

  HWY_INLINE explicit Rows(const Transform& f) {
    static_assert(sizeof(Transform) == 6 * sizeof(Double2));
    Double2 pair[6];
    std::memcpy(pair, &f, sizeof pair);
    row[0] = joined(pair[0], pair[1]);
    row[1] = joined(__builtin_shufflevector(pair[1], pair[2], 1, 2),
                    __builtin_shufflevector(pair[2], pair[3], 1, 2));
    row[2] = joined(pair[3], pair[4]);
    last = joined(pair[4], pair[5]);
  }
  /// As far as `boxesApart` asks; the fourth lane does not count.
  [[nodiscard]] HWY_INLINE Long4 areOrthonormal() const {
    const auto next = [](Double4 v) HWY_ATTR { return __builtin_shufflevector(v, v, 1, 2, 0, 3); };
    const Double4 squares = row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
    const Double4 products = row[0] * next(row[0]) + row[1] * next(row[1]) + row[2] * next(row[2]);
    return (magnitude(squares - 1.0) < 0x1p-20) & (magnitude(products) < 0x1p-20);
  }
  [[nodiscard]] HWY_INLINE Double4 along(const Vec3& d) const {
    return d.x * row[0] + d.y * row[1] + d.z * row[2];
  }
};

/// What most questions of a drag ask. *Bound* as for `TwoPlacedBoxes::apartAlong`, with half extents in
/// double precision.
bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  const PartBox &boxA = first.model.box(), &boxB = second.model.box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 alongA = a.along(d), alongB = b.along(d);
  const Long4 translation{0, -1, -1, -1};
  const auto shifts = __builtin_bit_cast(
      Double4, __builtin_bit_cast(Long4, magnitude(a.last) + magnitude(b.last)) & translation);
  const Double4 between = alongB * lanes(boxB.centreLanes) - alongA * lanes(boxA.centreLanes) +
                          Double4{0, d.x, d.y, d.z} * (b.last - a.last);
  const Double4 taken = magnitude(alongA) * lanes(boxA.halfLanes) +
                        magnitude(alongB) * lanes(boxB.halfLanes) + 0x1p-40 * shifts;
  const double halves = boxA.halfSum + boxB.halfSum, most = boxA.magnitude + boxB.magnitude + halves;
  if (!(std::abs(sum(between)) > sum(taken) + (0x1p-20 * halves + 0x1p-40 * most))) return false;
  const Long4 fits = a.areOrthonormal() & b.areOrthonormal();
  return (fits[0] & fits[1] & fits[2]) != 0 && sum(shifts) + most < 0x1p60 && !boxA.empty && !boxB.empty;
}

#else

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  return TwoPlacedBoxes(first, second).apartAlong(d);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(apartAlong);
}  // namespace

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(apartAlong)(first, second, direction);
}

}  // namespace fitup::detail
#endif
