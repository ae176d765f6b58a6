#include <fitup/query/detail/boxes_apart.h>

// More instruction sets would add nothing to four doubles at once.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/query/detail/apart_along.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#include <fitup/geometry/four_doubles-inl.h>
#include <fitup/query/detail/two_placed_boxes.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

#if FITUP_FOUR_DOUBLES

/// What most questions of a drag ask.
///
/// *Bound.* Sums of fewer than 32 products in double precision, fused or not, of terms that halves and
/// magnitudes bound (`PartBox::slack`), and placed coordinates as for `twoBoxes`.
bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  const PartBox &boxA = first.model->box(), &boxB = second.model->box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 x = all(d.x), y = all(d.y), z = all(d.z);
  const Double4 alongA = a.along(x, y, z), alongB = b.along(x, y, z);
  const Double4 shifts = chosen(magnitude(a.last) + magnitude(b.last), Long4{0, -1, -1, -1});
  const Double4 turned = alongB * lanes(boxB.centreLanes) - alongA * lanes(boxA.centreLanes);
  const Double4 between = mulAdd(Double4{0, d.x, d.y, d.z}, b.last - a.last, turned);
  const Double4 taken = mulAdd(magnitude(alongA), lanes(boxA.halfLanes),
                               mulAdd(magnitude(alongB), lanes(boxB.halfLanes), shifts * 0x1p-40));
  // Both sums at once.
  const Double4 sums = __builtin_shufflevector(between, taken, 0, 4, 2, 6) +
                       __builtin_shufflevector(between, taken, 1, 5, 3, 7);
  const double distance = std::abs(sums[0] + sums[2]),
               reach = (sums[1] + sums[3]) + (boxA.slack + boxB.slack);
  if (!(distance > reach)) return false;
  const Double4 off = chosen(a.offOrthonormal() + b.offOrthonormal(), Long4{-1, -1, -1, 0});
  return inAll((off < all(0x1p-20)) & (shifts < all(0x1p58))) && reach < 0x1p60;
}

/// A vector between the centres of both boxes, and what may be asked along it.
struct Connection {
  double x, y, z, square;
  double slack;
};

/// By itself, so that parts that are far from each other need no room for it.
[[gnu::noinline]] bool beyondAlong(const Connection& c, const PosedModel& first, const PosedModel& second) {
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 alongA = a.along(all(c.x), all(c.y), all(c.z)),
                alongB = b.along(all(c.x), all(c.y), all(c.z));
  const Double4 taken = mulAdd(magnitude(alongA), lanes(first.model->box().halfLanes),
                               magnitude(alongB) * lanes(second.model->box().halfLanes));
  const double length = (std::abs(c.x) + std::abs(c.y)) + std::abs(c.z);
  return c.square > sumsOf(taken, taken).ofFirst + length * c.slack;
}

/// What parts that are far from each other ask, and nothing else: whether spheres around their boxes are
/// apart, which is known soon after the centres are, and if not, the boxes along the connection of the
/// centres.
///
/// *Bound.* As above; along the connection of the centres with what these are off by, and all times its
/// length. A placement that passes for orthonormal lengthens nothing by more than 2^-19.
bool apartAlongCentres(const PosedModel& first, const PosedModel& second) {
  const PartBox &boxA = first.model->box(), &boxB = second.model->box();
  const Rows a(first.worldFromPart), b(second.worldFromPart);
  const Double4 centreA = lanes(boxA.centreLanes), centreB = lanes(boxB.centreLanes);
  const auto turned = [&](int i) HWY_ATTR __attribute__((always_inline)) {
    return mulAdd(b.row[i], centreB, -(a.row[i] * centreA));
  };
  const Double4 inX = turned(0), inY = turned(1), inZ = turned(2), moved = b.last - a.last;
  const Double4 halfA = lanes(boxA.halfLanes), halfB = lanes(boxB.halfLanes);
  const TwoSums inXAndY = sumsOf(inX, inY), inZAndRadii = sumsOf(inZ, mulAdd(halfA, halfA, halfB * halfB));
  Connection c{};
  c.x = inXAndY.ofFirst + moved[1];
  c.y = inXAndY.ofSecond + moved[2];
  c.z = inZAndRadii.ofFirst + moved[3];
  c.square = (c.x * c.x + c.y * c.y) + c.z * c.z;

  const Double4 shifts = chosen(magnitude(a.last) + magnitude(b.last), Long4{0, -1, -1, -1});
  const double shift = sumsOf(shifts, shifts).ofFirst;
  c.slack = (boxA.slack + boxB.slack) + 0x1p-40 * shift;
  const double taken = (2 + 0x1p-8) * inZAndRadii.ofSecond + (1 + 0x1p10) * (c.slack * c.slack);
  if (!(c.square > taken) && !beyondAlong(c, first, second)) return false;
  const Double4 off = chosen(a.offOrthonormal() + b.offOrthonormal(), Long4{-1, -1, -1, 0});
  return inAll(off < all(0x1p-20)) &&
         (boxA.magnitude + boxB.magnitude) + (boxA.halfSum + boxB.halfSum) + shift < 0x1p60;
}

#else

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& d) {
  return TwoPlacedBoxes(first, second).apartAlong(d);
}
bool apartAlongCentres(const PosedModel& first, const PosedModel& second) {
  return TwoPlacedBoxes(first, second).apartAlongCentres();
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {
namespace {
HWY_EXPORT(apartAlong);
HWY_EXPORT(apartAlongCentres);
}  // namespace

bool apartAlong(const PosedModel& first, const PosedModel& second, const Vec3& direction) noexcept {
  return HWY_DYNAMIC_DISPATCH(apartAlong)(first, second, direction);
}
bool apartAlongCentres(const PosedModel& first, const PosedModel& second) noexcept {
  return HWY_DYNAMIC_DISPATCH(apartAlongCentres)(first, second);
}

}  // namespace fitup::detail
#endif
