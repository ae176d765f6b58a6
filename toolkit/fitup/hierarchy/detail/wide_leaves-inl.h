// Leaves of two wide trees, and filters for pairs of their triangles. See lanes-inl.h on inclusion.

#if defined(FITUP_WIDE_LEAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_LEAVES_INL
#undef FITUP_WIDE_LEAVES_INL
#else
#define FITUP_WIDE_LEAVES_INL
#endif

#include <cmath>

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_frames-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

HWY_INLINE Vec8 lower(const Vec8& a, const Vec8& b) {
  return {smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)};
}
HWY_INLINE Vec8 upper(const Vec8& a, const Vec8& b) {
  return {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)};
}
HWY_INLINE Float8 largestEdge(const Vec8& min, const Vec8& max) {
  const Vec8 e = max - min;
  return larger(larger(e.x, e.y), e.z);
}

/// A leaf of A in its own axes.
struct LeafA {
  Packet packet;
  Vec8 v[3];
  Vec8 min, max;  ///< of each triangle

  explicit HWY_INLINE LeafA(const Packet& p)
      : packet(p),
        v{cornerOf(p, 0), cornerOf(p, 1), cornerOf(p, 2)},
        min(lower(lower(v[0], v[1]), v[2])),
        max(upper(upper(v[0], v[1]), v[2])) {}
  [[nodiscard]] std::uint32_t lanes() const { return (1U << packet.count) - 1; }
};

/// The planes of the triangles of a leaf of A.
struct PlanesA {
  alignas(64) float normal[3][8], offset[8];
  alignas(64) float normalSize[8];  ///< sum of the magnitudes of the normal's components
  alignas(64) float extent[8];      ///< largest edge of the triangle's box
  alignas(64) float corner[3][3][8];

  HWY_INLINE void set(const LeafA& a) {
    for (std::size_t c = 0; c < 3; ++c) storeVec(a.v[c], corner[c]);
    const Vec8 n = cross(a.v[1] - a.v[0], a.v[2] - a.v[0]);
    storeVec(n, normal);
    dot(n, a.v[0]).store(offset);
    (magnitude(n.x) + magnitude(n.y) + magnitude(n.z)).store(normalSize);
    largestEdge(a.min, a.max).store(extent);
  }
};

/// A leaf of B, placed in A's own axes.
struct PlacedLeaf {
  Vec8 v[3];
  Vec8 min, max;  ///< of each triangle, grown by the error of the corners
  Vec8 normal;
  Float8 offset;                     ///< normal . v[0]
  Float8 normalSize;                 ///< sum of the magnitudes of the normal's components
  Float8 extent;                     ///< largest edge of the box
  float whole[6];                    ///< box of all
  float slab[3], slabLow, slabHigh;  ///< all corners lie between two planes with this normal
  std::uint32_t count;

  HWY_INLINE void place(const Packet& p, const WideQuery& query) {
    count = p.count;
    for (std::uint32_t c = 0; c < 3; ++c) v[c] = carriedPoint(query.untilted.aFromB, cornerOf(p, c));
    const Float8 error = Float8::all(query.cornerError);
    const Vec8 grow{error, error, error};
    min = lower(lower(v[0], v[1]), v[2]) - grow;
    const Vec8 highest = upper(upper(v[0], v[1]), v[2]);
    max = highest + grow;
    extent = largestEdge(min, max);
    normal = cross(v[1] - v[0], v[2] - v[0]);
    offset = dot(normal, v[0]);
    normalSize = magnitude(normal.x) + magnitude(normal.y) + magnitude(normal.z);
    whole[0] = smallestLane(min.x);
    whole[1] = smallestLane(min.y);
    whole[2] = smallestLane(min.z);
    whole[3] = largestLane(max.x);
    whole[4] = largestLane(max.y);
    whole[5] = largestLane(max.z);
    placeSlab();
  }

 private:
  /// Two parallel planes around a leaf, across the sum of its normals: they part smooth surfaces close to
  /// each other long before boxes do.
  HWY_INLINE void placeSlab() {
    slab[0] = sumOfLanes(normal.x);
    slab[1] = sumOfLanes(normal.y);
    slab[2] = sumOfLanes(normal.z);
    const Vec8 n = allVec(slab);
    const Float8 d0 = dot(n, v[0]), d1 = dot(n, v[1]), d2 = dot(n, v[2]);
    slabLow = smallestLane(smaller(smaller(d0, d1), d2));
    slabHigh = largestLane(larger(larger(d0, d1), d2));
  }
};

/// Of a placed leaf what its planes are compared by, in each row.
template <std::size_t N>
struct PlacedRows {
  using Rows = LaneRows<N>;
  Vecs<N> v[3], normal;
  Floats<N> offset, normalSize, extent;

  explicit HWY_INLINE PlacedRows(const PlacedLeaf& leaf)
      : v{Rows::each(leaf.v[0]), Rows::each(leaf.v[1]), Rows::each(leaf.v[2])},
        normal(Rows::each(leaf.normal)),
        offset(Rows::each(leaf.offset)),
        normalSize(Rows::each(leaf.normalSize)),
        extent(Rows::each(leaf.extent)) {}
};

/// Lanes of A that reach between the planes of B's slab.
///
/// *Bound.* The normal n is a direction like any other. A corner of B is off by `cornerError`, 8 u S, and
/// the products round by at most 3 u |n|_1 S on each side: 16 u |n|_1 S.
HWY_INLINE std::uint32_t withinSlab(const LeafA& a, const PlacedLeaf& b, const WideQuery& query) {
  const Vec8 n = allVec(b.slab);
  const Float8 d0 = dot(n, a.v[0]), d1 = dot(n, a.v[1]), d2 = dot(n, a.v[2]);
  const float size = std::abs(b.slab[0]) + std::abs(b.slab[1]) + std::abs(b.slab[2]);
  const float margin = 2 * query.cornerError * size + 0x1p-120F;
  return ((smaller(smaller(d0, d1), d2) <= Float8::all(b.slabHigh + margin)) &
          (Float8::all(b.slabLow - margin) <= larger(larger(d0, d1), d2)))
      .bits();
}

/// Triangles of B that lie beyond the planes of those of A in a group of rows, or whose plane has these on
/// one side.
///
/// *Bound.* A normal n, as computed, is a direction like any other; but the triangle that it comes from
/// does not lie quite across it. With edges at most L long of corners off by at most e (0 for A,
/// `cornerError` for B) a component of n is off by 8 e L + 9 u L^2, so that the triangle leaves the plane
/// through its corner v by at most 3 L times that. To this come the errors of v and of the other triangle's
/// corners, and the roundings of their two products: |n|_1 (2 e + 7 u S). So |n|_1 k + L^2 (6 k + 64 u L)
/// is a bound with k = 4 cornerError = 32 u S, and without 6 k for A's planes. Underflow in n counts only
/// where L is below 2^-60; 2^-120 is far above it then.
template <std::size_t N>
HWY_INLINE std::uint32_t apartByPlanes(const PlanesA& a, std::size_t group, const PlacedRows<N>& b,
                                       const WideQuery& query) {
  using Rows = LaneRows<N>;
  using Lanes = Floats<N>;
  const float k = 4 * query.cornerError;
  const Lanes margin = Lanes::all(k);
  const Lanes extentA = Rows::own(a.extent, group);
  const Lanes tiny = Lanes::all(0x1p-120F);
  const Lanes u64 = Lanes::all(0x1p-18F);
  // A's plane.
  const Vecs<N> n = Rows::own(a.normal, group);
  const Lanes offset = Rows::own(a.offset, group);
  const Lanes s0 = dot(n, b.v[0]) - offset, s1 = dot(n, b.v[1]) - offset, s2 = dot(n, b.v[2]) - offset;
  const Lanes boundA =
      mulAdd(Rows::own(a.normalSize, group), margin, mulAdd(extentA * extentA, extentA * u64, tiny));
  Masks<N> apart = (smaller(smaller(s0, s1), s2) > boundA) | (-boundA > larger(larger(s0, s1), s2));
  // B's planes.
  const auto side = [&](std::size_t c) { return dot(b.normal, Rows::own(a.corner[c], group)) - b.offset; };
  const Lanes t0 = side(0), t1 = side(1), t2 = side(2);
  const Lanes boundB = mulAdd(b.normalSize, margin,
                              mulAdd(b.extent * b.extent, mulAdd(b.extent, u64, Lanes::all(6 * k)), tiny));
  apart = apart | (smaller(smaller(t0, t1), t2) > boundB) | (-boundB > larger(larger(t0, t1), t2));
  return apart.bits();
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
