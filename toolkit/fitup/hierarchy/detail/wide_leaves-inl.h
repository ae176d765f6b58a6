// Triangles in leaves of two wide trees, and their boxes. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_LEAVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_LEAVES_INL
#undef FITUP_WIDE_LEAVES_INL
#else
#define FITUP_WIDE_LEAVES_INL
#endif

#include <cstdint>

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
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
/// The corners of a leaf's triangles, in A's own axes.
template <Beyond beyond>
struct LeafCorners {
  Vec8 v[3];

  static HWY_INLINE LeafCorners ofA(const Packet& p) {
    return {{cornerOf<beyond>(p, 0), cornerOf<beyond>(p, 1), cornerOf<beyond>(p, 2)}};
  }
  /// Places the corners. They are off by `WideQuery::cornerError`.
  static HWY_INLINE LeafCorners ofB(const Packet& p, const WideQuery& query) {
    const LeafCorners own = ofA(p);
    const Affine3f& way = query.untilted.aFromB;
    return {{carriedPoint(way, own.v[0]), carriedPoint(way, own.v[1]), carriedPoint(way, own.v[2])}};
  }
};

/// The boxes of a leaf's triangles, in A's own axes.
struct LeafBoxes {
  Vec8 min, max;
  std::uint32_t count;

  template <Beyond beyond>
  static HWY_INLINE LeafBoxes around(const LeafCorners<beyond>& c, const Packet& p) {
    return {lower(lower(c.v[0], c.v[1]), c.v[2]), upper(upper(c.v[0], c.v[1]), c.v[2]), p.count};
  }
  [[nodiscard]] HWY_INLINE LeafBoxes grown(float by) const {
    const Float8 all = Float8::all(by);
    return grown(Vec8{all, all, all});
  }
  [[nodiscard]] HWY_INLINE LeafBoxes grown(const Vec8& by) const { return {min - by, max + by, count}; }
  /// Returns the boxes relative to a point.
  [[nodiscard]] HWY_INLINE LeafBoxes from(const float (&origin)[3]) const {
    const Vec8 all = allVec(origin);
    return {min - all, max - all, count};
  }
  [[nodiscard]] std::uint32_t lanes() const { return (1U << count) - 1; }
};

/// Returns all pairs of two leaves: a mask of B's triangles for each of A's.
HWY_INLINE std::uint64_t allPairs(const LeafBoxes& a, const LeafBoxes& b) {
  return inEach(b.lanes()) & wholeOfEach(a.lanes());
}
/// Returns the pairs whose boxes meet.
template <std::size_t N>
HWY_INLINE std::uint64_t meetingBoxes(const LeafBoxes& a, const LeafBoxes& b) {
  using Rows = LaneRows<N>;
  alignas(64) float boxA[6][8];
  storeVec(a.min, boxA);
  storeVec(a.max, boxA + 3);
  const Vecs<N> minB = Rows::each(b.min), maxB = Rows::each(b.max);
  const std::uint64_t asked = allPairs(a, b);
  std::uint64_t meet = 0;
  Rows::forGroups(asked, [&](std::size_t g) {
    meet |= Rows::in(meeting(Rows::own(boxA, g), Rows::own(boxA + 3, g), minB, maxB), g);
  });
  return asked & meet;
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
