#pragma once

#include <algorithm>

#include <fitup/geometry/vectors-inl.h>
#include <fitup_field/research_options.h>

namespace fitup::detail {

/// Tests a triangle against a box around the origin with half extents `half`; false only if they are
/// separated. Möller's test as OPCODE uses it: the box's axes, the triangle's plane (`lite`), the nine
/// products of edges (`full`); `aligned` uses only the axes. Corners are relative to the box's centre,
/// rounded to 32 bits from numbers of at least that precision; `slack` is their additional error. Fourth
/// lanes are 0.
///
/// Bound, with u = 2^-24 and V the largest |coordinate|: a corner has an error of u V and slack, by which the
/// box grows; after that, corners count as exact. Plane: the components of the normal have errors of 32 u
/// V^2, n.v0 of 200 u V^3, the reach of 32 u V^2 times the sum of half extents; 2^-16 V^2 (V + sum) covers
/// them. Edge axes are taken as computed: 16 u V^2 from the other end of the edge and the products, 3 u of
/// the reach; 2^-19 V (V + sum) covers them. For sizes at which products could overflow, only the box's axes
/// are tested.
template <BoxTest test>
bool triangleMayMeetBox(Float4 v0, Float4 v1, Float4 v2, Float4 half, Float4 slack) noexcept {
  const Float4 low = smaller(smaller(v0, v1), v2), high = larger(larger(v0, v1), v2);
  const Float4 largest = larger(magnitude(low), magnitude(high));
  const float v = std::max(std::max(largest[0], largest[1]), largest[2]);
  const Float4 h = half + slack + broadcast(v * 0x1p-22F);
  if (threeBits((low > h) | (high < -h)) != 0) return false;
  const float sum = h[0] + h[1] + h[2];
  if constexpr (test == BoxTest::aligned) return true;
  if (!(v < 0x1p38F && sum < 0x1p38F)) return true;

  const Float4 e0 = v1 - v0, e1 = v2 - v1;
  const Float4 n = yzx(e0) * zxy(e1) - zxy(e0) * yzx(e1);
  const Float4 along = n * v0, reach = magnitude(n) * h;
  const float d = along[0] + along[1] + along[2];
  const float margin = 0x1p-16F * v * v * (v + sum) + 0x1p-130F;
  if (__builtin_fabsf(d) > reach[0] + reach[1] + reach[2] + margin) return false;
  if constexpr (test == BoxTest::lite) return true;

  const float edgeMargin = 0x1p-19F * v * (v + sum) + 0x1p-130F;
  const Float4 h1 = yzx(h), h2 = zxy(h);
  // Arguments: an edge, a corner on it, and the opposite corner.
  const auto apart = [&](Float4 e, Float4 on, Float4 across) {
    const Float4 ey = yzx(e), ez = zxy(e);
    const Float4 p = ey * zxy(on) - ez * yzx(on), q = ey * zxy(across) - ez * yzx(across);
    const Float4 r = h1 * magnitude(ez) + h2 * magnitude(ey) + broadcast(edgeMargin);
    return threeBits((smaller(p, q) > r) | (larger(p, q) < -r)) != 0;
  };
  return !apart(e0, v0, v2) && !apart(e1, v1, v0) && !apart(v0 - v2, v2, v1);
}

}  // namespace fitup::detail
