// Mapping of boxes of wide trees between frames, and distances of boxes. See lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_BOXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_BOXES_INL
#undef FITUP_WIDE_BOXES_INL
#else
#define FITUP_WIDE_BOXES_INL
#endif

#include <algorithm>
#include <array>
#include <cstring>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

HWY_INLINE Vec8 loadVec(const float (*rows)[8]) {
  return {Float8::load(rows[0]), Float8::load(rows[1]), Float8::load(rows[2])};
}
HWY_INLINE Vec8 allVec(const float* v) { return {Float8::all(v[0]), Float8::all(v[1]), Float8::all(v[2])}; }
/// Repeats one lane of three rows in all lanes.
HWY_INLINE Vec8 allVec(const float (*rows)[8], std::uint32_t lane) {
  return {Float8::all(rows[0][lane]), Float8::all(rows[1][lane]), Float8::all(rows[2][lane])};
}
HWY_INLINE void storeVec(const Vec8& v, float (*rows)[8]) {
  v.x.store(rows[0]);
  v.y.store(rows[1]);
  v.z.store(rows[2]);
}
/// Returns m p + t.
HWY_INLINE Vec8 carriedPoint(const Affine3f& way, const Vec8& p) {
  const auto row = [&](std::size_t i) {
    return mulAdd(
        Float8::all(way.m[i][0]), p.x,
        mulAdd(Float8::all(way.m[i][1]), p.y, mulAdd(Float8::all(way.m[i][2]), p.z, Float8::all(way.t[i]))));
  };
  return {row(0), row(1), row(2)};
}
/// Returns |m| h + slack.
HWY_INLINE Vec8 carriedHalf(const Affine3f& way, const Vec8& h, float slack) {
  const auto row = [&](std::size_t i) {
    return mulAdd(Float8::all(way.absolute[i][0]), h.x,
                  mulAdd(Float8::all(way.absolute[i][1]), h.y,
                         mulAdd(Float8::all(way.absolute[i][2]), h.z, Float8::all(slack))));
  };
  return {row(0), row(1), row(2)};
}
HWY_INLINE Float4 three(const std::array<float, 3>& v) { return Float4{v[0], v[1], v[2], 0}; }
/// Returns the linear combination of three columns.
HWY_INLINE Float4 combined(const Float4 (&column)[3], Float4 by) {
  return (column[0] * by[0] + column[1] * by[1]) + column[2] * by[2];
}

HWY_INLINE Float4 framed(const WideFrame& f, Float4 v) {
  const Float4 column[3] = {load4(f.columns[0].data()), load4(f.columns[1].data()),
                            load4(f.columns[2].data())};
  return combined(column, v);
}

/// A matrix and a translation during composition: the rows, the columns and t.
struct Composed {
  Float4 row[3], column[3], t;

  static HWY_INLINE Composed of(const Affine3f& way) {
    Composed r;
    for (std::size_t i = 0; i < 3; ++i) r.row[i] = load4(way.m[i]);
    r.setColumns();
    r.t = load4(way.t);
    return r;
  }
  /// Computes the columns from the rows.
  HWY_INLINE void setColumns() {
    for (int i = 0; i < 3; ++i) column[i] = Float4{row[0][i], row[1][i], row[2][i], 0};
  }
  /// Returns the inverse map if m is orthogonal. `back` is the inverse map of the models, and f the frame to
  /// which it leads.
  HWY_INLINE Composed transposed(const Affine3f& back, const WideFrame& f) const {
    Composed r;
    for (int i = 0; i < 3; ++i) {
      r.row[i] = column[i];
      r.column[i] = row[i];
    }
    r.t = framed(f, load4(back.t));
    return r;
  }
  HWY_INLINE void storeTo(Affine3f& way) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const Float4 absolute = detail::magnitude(row[i]);
      std::memcpy(way.m[i], &row[i], sizeof row[i]);
      std::memcpy(way.absolute[i], &absolute, sizeof absolute);
    }
    std::memcpy(way.t, &t, sizeof t);
  }
};
/// Composes g m f^T and g t for the map (m, t).
HWY_INLINE Composed composed(const Affine3f& way, const WideFrame& g, const WideFrame& f) {
  Float4 m[3], columnF[3], columnG[3];
  for (std::size_t k = 0; k < 3; ++k) {
    m[k] = load4(way.m[k]);
    columnF[k] = load4(f.columns[k].data());
    columnG[k] = load4(g.columns[k].data());
  }
  Composed r;
  for (int i = 0; i < 3; ++i)
    r.row[i] = combined(columnF, combined(m, Float4{columnG[0][i], columnG[1][i], columnG[2][i], 0}));
  r.setColumns();
  r.t = combined(columnG, load4(way.t));
  return r;
}
/// Returns the distance of the box of `there` from that of `here` along the axis of `here` with the largest
/// gap.
HWY_INLINE float distanceAfter(const Composed& hereFromThere, const WideNodeHead& here,
                               const WideNodeHead& there, float slack) {
  const Float4 centre = combined(hereFromThere.column, three(there.centre)) + hereFromThere.t;
  const Float4 absolute[3] = {detail::magnitude(hereFromThere.column[0]),
                              detail::magnitude(hereFromThere.column[1]),
                              detail::magnitude(hereFromThere.column[2])};
  const Float4 reach = combined(absolute, three(there.half)) + three(here.half) + slack;
  const Float4 distance = detail::magnitude(centre - three(here.centre)) - reach;
  return std::max(std::max(distance[0], distance[1]), distance[2]);
}

// Comparisons of boxes test for separation, so that NaN lanes (after overflow) count as meeting.

/// Returns in lane i the distance of boxes i of `a` and `b` along the axis with the largest gap. It is not
/// above zero if they overlap.
HWY_INLINE Float8 distanceOf(const Vec8& centreA, const Vec8& halfA, const Vec8& centreB, const Vec8& halfB) {
  return larger(larger(magnitude(centreA.x - centreB.x) - (halfA.x + halfB.x),
                       magnitude(centreA.y - centreB.y) - (halfA.y + halfB.y)),
                magnitude(centreA.z - centreB.z) - (halfA.z + halfB.z));
}
/// Boxes given by their centres and half extents.
struct EightBoxes {
  Vec8 centre, half;
};
HWY_INLINE EightBoxes carried(const Affine3f& way, const EightBoxes& boxes, float slack) {
  return {carriedPoint(way, boxes.centre), carriedHalf(way, boxes.half, slack)};
}
HWY_INLINE Float8 distanceOf(const EightBoxes& a, const EightBoxes& b) {
  return distanceOf(a.centre, a.half, b.centre, b.half);
}
/// Boxes in A's axes and in B's.
struct InBothFrames {
  EightBoxes inA, inB;
};
/// Returns the largest gap between the boxes [min, max] along an axis. It is not above zero if they overlap.
template <std::size_t N>
HWY_INLINE Floats<N> gap(const Vecs<N>& minA, const Vecs<N>& maxA, const Vecs<N>& minB, const Vecs<N>& maxB) {
  const Vecs<N> d = minA - maxB, e = minB - maxA;
  return larger(larger(larger(d.x, e.x), larger(d.y, e.y)), larger(d.z, e.z));
}
/// Boxes given by their sides, in A's axes and in B's.
template <std::size_t N>
struct TwoFrames {
  Vecs<N> min, max, minInB, maxInB;
};
HWY_INLINE TwoFrames<8> sidesOf(const InBothFrames& boxes) {
  const EightBoxes &a = boxes.inA, &b = boxes.inB;
  return {a.centre - a.half, a.centre + a.half, b.centre - b.half, b.centre + b.half};
}
template <std::size_t N>
HWY_INLINE Floats<N> gap(const TwoFrames<N>& a, const TwoFrames<N>& b) {
  return larger(gap(a.min, a.max, b.min, b.max), gap(a.minInB, a.maxInB, b.minInB, b.maxInB));
}
template <std::size_t N>
HWY_INLINE std::uint32_t meeting(const Floats<N>& gap) {
  return ~(gap > Floats<N>::all(0)).bits() & ((1U << N) - 1);
}

/// Same as `meeting(gap(...))`, for callers that do not need the distances.
template <std::size_t N>
HWY_INLINE std::uint32_t meeting(const Vecs<N>& minA, const Vecs<N>& maxA, const Vecs<N>& minB,
                                 const Vecs<N>& maxB) {
#if FITUP_AVX512
  // Takes half the instructions, because x - y > 0 and x > y are the same. Three masks are used, because a
  // comparison waits for the one whose mask it takes; GCC's code for one axis after the other makes a query 1
  // % slower.
  if constexpr (N == 16) {
    const auto raw = [](const Floats<16>& f) __attribute__((always_inline)) { return f.v[0].raw; };
    __mmask16 k = _mm512_cmp_ps_mask(raw(minA.x), raw(maxB.x), _CMP_NGT_UQ);
    __mmask16 l = _mm512_cmp_ps_mask(raw(minB.x), raw(maxA.x), _CMP_NGT_UQ);
    __mmask16 m = _mm512_cmp_ps_mask(raw(minA.y), raw(maxB.y), _CMP_NGT_UQ);
    k = _mm512_mask_cmp_ps_mask(k, raw(minB.y), raw(maxA.y), _CMP_NGT_UQ);
    l = _mm512_mask_cmp_ps_mask(l, raw(minA.z), raw(maxB.z), _CMP_NGT_UQ);
    m = _mm512_mask_cmp_ps_mask(m, raw(minB.z), raw(maxA.z), _CMP_NGT_UQ);
    return _kand_mask16(_kand_mask16(k, l), m);
  } else
#endif
    return meeting(gap(minA, maxA, minB, maxB));
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
