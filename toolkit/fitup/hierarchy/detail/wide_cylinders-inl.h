// Cylinders around the children of nodes, and how far they are apart. See lanes-inl.h on inclusion.

#if defined(FITUP_WIDE_CYLINDERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_CYLINDERS_INL
#undef FITUP_WIDE_CYLINDERS_INL
#else
#define FITUP_WIDE_CYLINDERS_INL
#endif

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// m d.
HWY_INLINE Vec8 carriedDirection(const WideWay& way, const Vec8& d) {
  const auto row = [&](std::size_t i) {
    return mulAdd(Float8::all(way.m[i][0]), d.x,
                  mulAdd(Float8::all(way.m[i][1]), d.y, Float8::all(way.m[i][2]) * d.z));
  };
  return {row(0), row(1), row(2)};
}

/// Cylinders around the children of a node: centres, unit axes, half heights and radii.
struct Cylinder8 {
  Vec8 centre, axis;
  Float8 half, radius;

  static HWY_INLINE Cylinder8 of(const NodeBoxes& boxes, const WideCylinders& c) {
    const Vec8 axis{Float8::load(c.axis[0].data()), Float8::load(c.axis[1].data()),
                    Float8::load(c.axis[2].data())};
    const Float8 shift = Float8::load(c.shift.data());
    const Vec8 centre = loadVec(boxes.centre);
    return {
        {mulAdd(axis.x, shift, centre.x), mulAdd(axis.y, shift, centre.y), mulAdd(axis.z, shift, centre.z)},
        axis,
        Float8::load(c.half.data()),
        Float8::load(c.radius.data())};
  }
  HWY_INLINE Cylinder8 carried(const WideWay& way) const {
    return {carriedPoint(way, centre), carriedDirection(way, axis), half, radius};
  }
  HWY_INLINE void storeTo(float (*rows)[8]) const {
    storeVec(centre, rows);
    storeVec(axis, rows + 3);
    half.store(rows[6]);
    radius.store(rows[7]);
  }
  static HWY_INLINE Cylinder8 all(const float (*rows)[8], std::uint32_t lane) {
    const auto one = [&](std::size_t row) { return Float8::all(rows[row][lane]); };
    return {{one(0), one(1), one(2)}, {one(3), one(4), one(5)}, one(6), one(7)};
  }
};

/// How far two cylinders are apart along the axis of either, whichever is more; not above zero where they
/// overlap there.
///
/// A point of a cylinder with axis n, half height h and radius r is at most |d . n| h + |d x n| r from its
/// centre along a direction d.
HWY_INLINE Float8 distanceOf(const Cylinder8& a, const Cylinder8& b) {
  const Vec8 between = b.centre - a.centre;
  const Vec8 across = cross(a.axis, b.axis);
  const Float8 sine = root(dot(across, across)), cosine = magnitude(dot(a.axis, b.axis));
  const Float8 alongA =
      magnitude(dot(a.axis, between)) - mulAdd(cosine, b.half, mulAdd(sine, b.radius, a.half));
  const Float8 alongB =
      magnitude(dot(b.axis, between)) - mulAdd(cosine, a.half, mulAdd(sine, a.radius, b.half));
  return larger(alongA, alongB);
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
