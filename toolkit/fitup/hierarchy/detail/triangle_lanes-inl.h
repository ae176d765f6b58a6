// Tests of four, eight or sixteen triangle pairs at once. Each pair is decided exactly or left to the exact
// test. See lanes-inl.h for inclusion.

#if defined(FITUP_TRIANGLE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_TRIANGLE_LANES_INL
#undef FITUP_TRIANGLE_LANES_INL
#else
#define FITUP_TRIANGLE_LANES_INL
#endif

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// A placement, prepared for N points at a time.
template <std::size_t N>
struct LanePlacement {
  Doubles<N> m[3][3], t[3];
  HWY_INLINE explicit LanePlacement(const Transform& f) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) m[i][j] = Doubles<N>::all(f.m[i][j]);
      t[i] = Doubles<N>::all(f.t[static_cast<int>(i)]);
    }
  }
  /// Has the bits of `Transform::apply`: unfused, in its order.
  HWY_INLINE Doubles<N> row(std::size_t i, const Doubles<N>& x, const Doubles<N>& y,
                            const Doubles<N>& z) const {
    return ((m[i][0] * x + m[i][1] * y) + m[i][2] * z) + t[i];
  }
  /// Maps a direction. Each sum is rounded once or twice, and finally to float.
  HWY_INLINE Vecs<N> turned(const Doubles<N>& x, const Doubles<N>& y, const Doubles<N>& z) const {
    const auto along = [&](std::size_t i) __attribute__((always_inline)) {
      return mulAdd(m[i][0], x, mulAdd(m[i][1], y, m[i][2] * z)).toFloats();
    };
    return {along(0), along(1), along(2)};
  }
  /// Maps a point in the same way, with another translation.
  HWY_INLINE Vecs<N> placed(const Doubles<N>& x, const Doubles<N>& y, const Doubles<N>& z,
                            const Doubles<N> (&by)[3]) const {
    const auto along = [&](std::size_t i) __attribute__((always_inline)) {
      return mulAdd(m[i][0], x, mulAdd(m[i][1], y, mulAdd(m[i][2], z, by[i]))).toFloats();
    };
    return {along(0), along(1), along(2)};
  }
};

/// N of the corners that wait in memory, from `begin` on.
template <std::size_t N, std::size_t size>
struct WaitingRows {
  const float (*rows)[size];
  std::size_t begin;
  [[nodiscard]] HWY_INLINE Floats<N> floats(std::size_t r) const { return Floats<N>::load(rows[r] + begin); }
  [[nodiscard]] HWY_INLINE Doubles<N> doubles(std::size_t r) const {
    return Doubles<N>::fromFloats(rows[r] + begin);
  }
};

/// N pairs of triangles relative to A's first corner: A's edges from that corner, B's first corner, and B's
/// edges from its first corner.
///
/// *Errors.* Let D be the largest magnitude along an axis of A's edges and of B's three corners, but at least
/// `leastExtent`, which is 2^-23 S (`leastTriangleExtent`). Let R be the magnitude of A's first corner
/// relative to the common reference point (`PlacedTriangles`), or 0. u = 2^-24.
/// - A's edges are differences of coordinates of the mesh, rounded once: off by u D.
/// - B's corner and edges are sums in double precision, fused or not, of terms that 2 S bounds, as S bounds
///   those of a placed corner (`WideQuery`). With the four roundings of each exactly placed corner they are
///   off by 2^-49 S, that is u D / 4; then they are rounded to float. So edges, at most 2 D long, are off by
///   2.25 u D.
/// - B's first corner is the difference of two points that are at most R + D from the reference point, each
///   rounded to float, and is rounded itself: off by 2 u R + 3.3 u D.
template <std::size_t N>
struct PairEdges {
  Vecs<N> a1, a2, b0, e1, e2;
};

/// The test of Guigue and Devillers 2003, section 3, in lanes, for N pairs of triangles. Each triangle has a
/// corner that is alone on its side; two orientations of these corners decide whether the segments in the
/// common line overlap. Instead of rotating the triangles until these corners come first, all nine
/// orientations of two edges are computed and two of them are selected. A pair is decided only if every sign
/// that matters is certain. Then no corner lies in the other's plane, and the segments overlap in more than a
/// point or not at all, so that both settings of `Touching` agree. `afar` holds A's first corners relative to
/// the reference point.
///
/// *Bound.* Everything below is linear in the position of B's first corner, so its error counts as a
/// translation of B: by t = 2 u R + 3.3 u D along each axis. The other errors are those of edges (above), of
/// B's further corners (3.25 u D: that of the edge, and a sum), and of roundings here, fused or not. In units
/// of u D_x D_y D_z, with T = R_x D_y D_z + D_x R_y D_z + D_x D_y R_z:
/// - A's normal has components of at most 2 and is off by 8: 4 from the edges, 4 by rounding. A corner of B
///   is at a distance of 6 from its plane, off by 24 for the normal, 20 for the corner, 16 by rounding and 20
///   + 4 T for the translation: 80 + 4 T.
/// - B's normal: 8, off by 34. Corners of A: off by 204 + 24 + 208, and 79 + 16 T: 515 + 16 T.
/// - Two edges that leave first corners: 6, off by 54 apart from the translation (6 and 20 for edges, 28 by
///   rounding). A pair of edges of which one does not leave a first corner is the difference of two sides,
///   less two others, and errors add up: for B's second edge 294 + 2 * 54 + 18 = 420, for A's 112 + 2 * 54 +
///   42 = 262, for both 131 + 2 * 420 + 42 = 1013. The translation adds 79 + 16 T: 1092 + 16 T.
///
/// (D_x + R_x / 32) (D_y + R_y / 32) (D_z + R_z / 32), 132, 528 and 1104 times, exceeds each of these by
/// enough for the rounding of the bound itself. Coordinates are below 2^39 (`WideQuery::vectorTriangles`), so
/// nothing overflows. D also counts as at least 2^-40. That covers underflow, which adds to a coordinate
/// below 2^-150 (u 2^-126: negligible beside u 2^-40), to a component of a normal below 2^-148, so below
/// 2^-143 max(D) to all of these, and 2^-146 in the last sums; the bounds are above 2^-97 max(D) and above
/// 2^-137.
template <std::size_t N>
HWY_INLINE WideDecided decideTriangles(const PairEdges<N>& pair, const Vecs<N>& afar, float leastExtent) {
  using Lanes = Floats<N>;
  using Vec = Vecs<N>;
  const Vec &a1 = pair.a1, &a2 = pair.a2;
  const Vec b[3] = {pair.b0, pair.b0 + pair.e1, pair.b0 + pair.e2};

  // Compilers call functions of a few instructions several times, with arguments in memory, unless they are
  // forced to inline them: 4 % of a query.
  const auto extent = [&](Lanes Vec::*axis) __attribute__((always_inline)) {
    const Lanes largest =
        larger(largerMagnitude(largerMagnitude(a1.*axis, a2.*axis),
                               largerMagnitude(largerMagnitude(b[0].*axis, b[1].*axis), b[2].*axis)),
               Lanes::all(leastExtent));
    return mulAdd(magnitude(afar.*axis), Lanes::all(0x1p-5F), largest);
  };
  const Lanes unit = extent(&Vec::x) * extent(&Vec::y) * extent(&Vec::z);
  const auto bound = [&](float ofUnits) __attribute__((always_inline)) {
    return unit * Lanes::all(ofUnits * 0x1p-24F);
  };

  // Sides of A's plane on which B's corners lie, and of B's plane for A's corners.
  const Vec normalA = cross(a1, a2), normalB = cross(pair.e1, pair.e2);
  const Lanes planeB = dot(normalB, b[0]);
  const Lanes sideB[3] = {dot(normalA, b[0]), dot(normalA, b[1]), dot(normalA, b[2])};
  const auto sideOfA = [&](const Vec& p) __attribute__((always_inline)) {
    return mulAdd(normalB.x, p.x, mulAdd(normalB.y, p.y, mulSub(normalB.z, p.z, planeB)));
  };
  const Lanes sideA[3] = {-planeB, sideOfA(a1), sideOfA(a2)};
  const auto closest = [&](const Lanes(&side)[3]) __attribute__((always_inline)) {
    return smallerMagnitude(smallerMagnitude(side[0], side[1]), side[2]);
  };
  const std::uint32_t certainA = (closest(sideA) > bound(528)).bits(),
                      certainB = (closest(sideB) > bound(132)).bits();

  // Edge k leads from corner k to the next one. On which side of each other do edge k of A and edge l of B
  // pass? The values of the edges of a triangle add up to the difference of two sides.
  Lanes passing[3][3];
  const Vec normalTo1 = cross(b[0], b[1]), normalTo2 = cross(b[2], b[0]);
  passing[0][0] = dot(a1, normalTo1);
  passing[0][2] = dot(a1, normalTo2);
  passing[2][0] = -dot(a2, normalTo1);
  passing[2][2] = -dot(a2, normalTo2);
  passing[0][1] = (sideA[1] - sideA[0]) - passing[0][0] - passing[0][2];
  passing[2][1] = (sideA[0] - sideA[2]) - passing[2][0] - passing[2][2];
  for (std::size_t l = 0; l < 3; ++l)
    passing[1][l] = (sideB[(l + 1) % 3] - sideB[l]) - passing[0][l] - passing[2][l];

  // Each triangle has one corner alone on its side: the third one if the first two agree, otherwise the
  // second one if the first and the third agree, otherwise the first. The edges that leave and reach this
  // corner meet the other's plane.
  const Lanes unlikeA1 = signOfProduct(sideA[0], sideA[1]), unlikeA2 = signOfProduct(sideA[0], sideA[2]);
  const Lanes unlikeB1 = signOfProduct(sideB[0], sideB[1]), unlikeB2 = signOfProduct(sideB[0], sideB[2]);
  const Lanes unlikeB12 = signOfProduct(sideB[1], sideB[2]);
  Lanes leaving[3], reaching[3];
  for (std::size_t l = 0; l < 3; ++l) {
    leaving[l] = selectBySign(unlikeA1, selectBySign(unlikeA2, passing[0][l], passing[1][l]), passing[2][l]);
    reaching[l] = selectBySign(unlikeA1, selectBySign(unlikeA2, passing[2][l], passing[0][l]), passing[1][l]);
  }
  // Two of the four pairs of such edges decide: leaving with leaving and reaching with reaching or, if the
  // two corners are on opposite sides, crosswise.
  const Lanes opposite = signOfProduct(signOfProduct(sideA[0], sideA[1], sideA[2]), sideB[0], unlikeB12);
  const Lanes turned = negativeInBoth(opposite, unlikeB2);
  const Lanes notLast = signOfProduct(unlikeB1, turned), notLastBefore = signOfProduct(unlikeB12, turned);
  const Lanes firstOrNot = signOfProduct(unlikeB2, opposite);
  const Lanes first = selectBySign(notLast, selectBySign(firstOrNot, leaving[0], leaving[1]), leaving[2]);
  const Lanes second =
      selectBySign(notLastBefore, selectBySign(firstOrNot, reaching[1], reaching[0]), reaching[2]);

  const std::uint32_t apart = (certainA & ~negativeBits(negativeInEither(unlikeA1, unlikeA2))) |
                              (certainB & ~negativeBits(negativeInEither(unlikeB1, unlikeB2)));
  const std::uint32_t certain =
      certainA & certainB & (smallerMagnitude(first, second) > bound(1104)).bits() & ~apart;
  const std::uint32_t overlap = negativeBits(signOfProduct(first, second));
  return {certain & overlap, apart | (certain & ~overlap)};
}

/// Tests rows as in `TriangleRows`, with corners of A and of B in the local coordinates of the meshes.
template <std::size_t N, typename RowsA, typename RowsB>
HWY_INLINE WideDecided decideTriangles(const RowsA& rowsA, const RowsB& rowsB, const LanePlacement<N>& aFromB,
                                       float leastExtent) {
  const Vecs<N> origin{rowsA.floats(0), rowsA.floats(1), rowsA.floats(2)};
  const auto edgeOfA = [&](std::size_t c) __attribute__((always_inline)) {
    return Vecs<N>{rowsA.floats(3 * c), rowsA.floats(3 * c + 1), rowsA.floats(3 * c + 2)} - origin;
  };
  const Doubles<N> from[3] = {rowsB.doubles(0), rowsB.doubles(1), rowsB.doubles(2)};
  const auto edgeOfB = [&](std::size_t c) __attribute__((always_inline)) {
    return aFromB.turned(rowsB.doubles(3 * c) - from[0], rowsB.doubles(3 * c + 1) - from[1],
                         rowsB.doubles(3 * c + 2) - from[2]);
  };
  const Doubles<N> shift[3] = {aFromB.t[0] - rowsA.doubles(0), aFromB.t[1] - rowsA.doubles(1),
                               aFromB.t[2] - rowsA.doubles(2)};
  const Floats<N> zero = Floats<N>::all(0);
  return decideTriangles<N>(
      {edgeOfA(1), edgeOfA(2), aFromB.placed(from[0], from[1], from[2], shift), edgeOfB(1), edgeOfB(2)},
      {zero, zero, zero}, leastExtent);
}

/// Tests rows of first corners, all relative to one point, and edges from there, both in A's own axes.
template <std::size_t N, typename RowsA, typename RowsB>
HWY_INLINE WideDecided decideEdges(const RowsA& rowsA, const RowsB& rowsB, float leastExtent) {
  const auto vec = [](const auto& rows, std::size_t c) __attribute__((always_inline)) {
    return Vecs<N>{rows.floats(3 * c), rows.floats(3 * c + 1), rows.floats(3 * c + 2)};
  };
  const Vecs<N> origin = vec(rowsA, 0);
  return decideTriangles<N>(
      {vec(rowsA, 1), vec(rowsA, 2), vec(rowsB, 0) - origin, vec(rowsB, 1), vec(rowsB, 2)}, origin,
      leastExtent);
}

/// Tests exactly a pair that vectors leave open. The corners are in the local coordinates of the meshes.
inline bool meetExactly(const TraversalTask& task, const Triangle& a, const Triangle& b) {
  TriangleTester tester(task.placement.placed(b), task.touching);
  const bool meet = tester.intersects(a);
  task.stats.exactTests += tester.exactTests();
  return meet;
}
/// Tests pairs of a batch from `begin` on.
template <std::size_t N, std::size_t size>
HWY_INLINE WideDecided decideWaiting(const TriangleRows<size>& batch, std::size_t begin,
                                     const LanePlacement<N>& aFromB, float leastExtent) {
  return decideTriangles(WaitingRows<N, size>{batch.a, begin}, WaitingRows<N, size>{batch.b, begin}, aFromB,
                         leastExtent);
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
