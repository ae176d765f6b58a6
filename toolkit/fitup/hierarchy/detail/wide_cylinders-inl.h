// Cylinders around the children of nodes, and their distances. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_CYLINDERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_CYLINDERS_INL
#undef FITUP_WIDE_CYLINDERS_INL
#else
#define FITUP_WIDE_CYLINDERS_INL
#endif

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Returns m d.
HWY_INLINE Vec8 carriedDirection(const Affine3f& way, const Vec8& d) {
  const auto row = [&](std::size_t i) {
    return mulAdd(Float8::all(way.m[i][0]), d.x,
                  mulAdd(Float8::all(way.m[i][1]), d.y, Float8::all(way.m[i][2]) * d.z));
  };
  return {row(0), row(1), row(2)};
}

/// Cylinders given by centres, unit axes, half heights and radii.
template <std::size_t N>
struct Cylinders {
  Vecs<N> centre, axis;
  Floats<N> half, radius;
};

/// Returns the cylinders around the children of a node whose boxes have these centres.
HWY_INLINE Cylinders<8> childCylinders(const Vec8& centre, const WideCylinders& c) {
  const Vec8 axis{Float8::load(c.axis[0].data()), Float8::load(c.axis[1].data()),
                  Float8::load(c.axis[2].data())};
  const Float8 shift = Float8::load(c.shift.data());
  return {{mulAdd(axis.x, shift, centre.x), mulAdd(axis.y, shift, centre.y), mulAdd(axis.z, shift, centre.z)},
          axis,
          Float8::load(c.half.data()),
          Float8::load(c.radius.data())};
}
HWY_INLINE Cylinders<8> carried(const Affine3f& way, const Cylinders<8>& c) {
  return {carriedPoint(way, c.centre), carriedDirection(way, c.axis), c.half, c.radius};
}
template <typename Rows>
HWY_INLINE auto inEachRow(const Cylinders<8>& c) {
  return Cylinders<8 * Rows::atOnce>{Rows::each(c.centre), Rows::each(c.axis), Rows::each(c.half),
                                     Rows::each(c.radius)};
}
HWY_INLINE void storeCylinders(const Cylinders<8>& c, float (*eight)[8]) {
  storeVec(c.centre, eight);
  storeVec(c.axis, eight + 3);
  c.half.store(eight[6]);
  c.radius.store(eight[7]);
}
/// Fills the lanes of each row with that row's cylinder of eight stored ones.
template <typename Rows>
HWY_INLINE auto ownCylinders(const float (*eight)[8], std::size_t group) {
  return Cylinders<8 * Rows::atOnce>{Rows::own(eight, group), Rows::own(eight + 3, group),
                                     Rows::own(eight[6], group), Rows::own(eight[7], group)};
}

/// Returns the larger of the distances of two cylinders along their two axes. It is not above zero if they
/// overlap along both.
///
/// A point of a cylinder with axis n, half height h and radius r is at most |d . n| h + |d x n| r from its
/// centre along a direction d.
template <std::size_t N>
HWY_INLINE Floats<N> distanceOf(const Cylinders<N>& a, const Cylinders<N>& b) {
  const Vecs<N> between = b.centre - a.centre;
  const Vecs<N> across = cross(a.axis, b.axis);
  const Floats<N> sine = root(dot(across, across)), cosine = magnitude(dot(a.axis, b.axis));
  const Floats<N> alongA =
      magnitude(dot(a.axis, between)) - mulAdd(cosine, b.half, mulAdd(sine, b.radius, a.half));
  const Floats<N> alongB =
      magnitude(dot(b.axis, between)) - mulAdd(cosine, a.half, mulAdd(sine, a.radius, b.half));
  return larger(alongA, alongB);
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
