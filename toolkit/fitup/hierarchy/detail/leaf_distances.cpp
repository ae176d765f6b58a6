#include <fitup/hierarchy/detail/leaf_distances.h>

#include <cmath>
#include <cstddef>

#define FITUP_WITHOUT_AVX3_DL
#include <fitup/hierarchy/detail/kernel_targets.h>
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fitup/hierarchy/detail/leaf_distances.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, 8>;
using Row = hn::Vec<Lanes>;

struct Rows {
  Row x, y, z;
};
HWY_INLINE Rows minus(const Rows& a, const Rows& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Row dot(const Rows& a, const Rows& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
HWY_INLINE Rows cross(const Rows& a, const Rows& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}
/// Sum of the absolute values, which is at least the length.
HWY_INLINE Row size(const Rows& a) { return hn::Add(hn::Abs(a.x), hn::Add(hn::Abs(a.y), hn::Abs(a.z))); }

void boundBoxes(const float* centre, const float* half, const float* point, float error, float* bounds) {
  const Lanes d;
  for (std::size_t lane = 0; lane < 8; lane += hn::Lanes(d)) {
    Row square = hn::Zero(d);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Row off = hn::Abs(hn::Sub(hn::Set(d, point[axis]), hn::LoadU(d, centre + 8 * axis + lane)));
      const Row gap = hn::Max(hn::Zero(d), hn::Sub(off, hn::LoadU(d, half + 8 * axis + lane)));
      square = hn::MulAdd(gap, gap, square);
    }
    hn::StoreU(hn::Sub(hn::Sqrt(square), hn::Set(d, error)), d, bounds + lane);
  }
}

void boundLeaf(const float* rows, std::uint32_t count, const float* point, float scale, float error,
               float* bounds) {
  const Lanes d;
  const Row zero = hn::Zero(d), unit = hn::Set(d, scale);
  const Rows p{hn::Set(d, point[0]), hn::Set(d, point[1]), hn::Set(d, point[2])};
  // A few more than the roundings of any sum below.
  const Row roundings = hn::Set(d, 32 * 0x1p-24F), tiny = hn::Set(d, 1e-32F);
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(d)) {
    const auto load = [&](std::size_t corner) HWY_ATTR {
      const float* at = rows + 3 * corner * count + lane;
      return Rows{hn::Mul(hn::LoadU(d, at), unit), hn::Mul(hn::LoadU(d, at + count), unit),
                  hn::Mul(hn::LoadU(d, at + std::size_t{2} * count), unit)};
    };
    const Rows a = load(0), b = load(1), c = load(2);
    const auto gap = [&](Row u, Row v, Row w, Row q) HWY_ATTR {
      const Row low = hn::Min(u, hn::Min(v, w)), high = hn::Max(u, hn::Max(v, w));
      return hn::Max(zero, hn::Max(hn::Sub(low, q), hn::Sub(q, high)));
    };
    const Rows gaps{gap(a.x, b.x, c.x, p.x), gap(a.y, b.y, c.y, p.y), gap(a.z, b.z, c.z, p.z)};
    const Row box = dot(gaps, gaps);

    const Rows e = minus(b, a), f = minus(c, a), g = minus(c, b), w = minus(p, a), n = cross(e, f);
    const Row nn = dot(n, n), products = hn::Mul(hn::Mul(size(e), size(f)), roundings);
    const auto beyond = [&](Row distance, Row uncertain, Row square) HWY_ATTR {
      const Row sure = hn::Max(zero, hn::Sub(distance, uncertain));
      const Row quotient = hn::Div(hn::Mul(sure, sure), square);
      return hn::IfThenElse(hn::Gt(square, tiny), quotient, zero);
    };
    const Row plane = beyond(hn::Abs(dot(n, w)), hn::Mul(products, size(w)), nn);
    // The way along n x edge leads inward.
    const auto beside = [&](const Rows& edge, const Rows& from) HWY_ATTR {
      const Row away = hn::Neg(dot(cross(n, edge), from));
      return beyond(away, hn::Mul(products, hn::Mul(size(edge), size(from))), hn::Mul(nn, dot(edge, edge)));
    };
    const Rows back{hn::Neg(f.x), hn::Neg(f.y), hn::Neg(f.z)};
    const Row side = hn::Max(beside(e, w), hn::Max(beside(g, minus(p, b)), beside(back, w)));
    const Row square = hn::Mul(hn::Max(box, hn::Add(plane, side)), hn::Set(d, 1 - 0x1p-18F));
    hn::StoreU(hn::Max(zero, hn::Sub(hn::Sqrt(square), hn::Set(d, error))), d, bounds + lane);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fitup::detail {

HWY_EXPORT(boundBoxes);
HWY_EXPORT(boundLeaf);

void boundBoxDistances(const std::array<std::array<float, 8>, 3>& centre,
                       const std::array<std::array<float, 8>, 3>& half, const Vec3& p, double magnitude,
                       EightDistances& bounds) {
  if (!(magnitude < 1e18)) {  // squares are not in single precision
    bounds.fill(0);
    return;
  }
  const float point[3] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
  HWY_DYNAMIC_DISPATCH(boundBoxes)
  (centre[0].data(), half[0].data(), point, static_cast<float>(magnitude * 0x1p-22), bounds.data());
}

void boundLeafDistances(const float* rows, std::uint32_t count, const Vec3& p, double magnitude,
                        EightDistances& bounds) {
  if (!(magnitude > 1e-30 && magnitude < 1e30)) {  // not in single precision
    bounds.fill(0);
    return;
  }
  // A power of two, so that scaling the corners is exact.
  const float scale = std::ldexp(1.0F, -std::ilogb(magnitude) - 1);
  const float point[3] = {static_cast<float>(p.x) * scale, static_cast<float>(p.y) * scale,
                          static_cast<float>(p.z) * scale};
  // The point was rounded by up to 2^-24 of each coordinate.
  HWY_DYNAMIC_DISPATCH(boundLeaf)(rows, count, point, scale, 0x1p-22F, bounds.data());
  for (std::uint32_t k = 0; k < count; ++k) bounds[k] /= scale;
}

}  // namespace fitup::detail
#endif
