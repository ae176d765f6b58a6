// Four, eight or sixteen triangle pairs at once, each exactly decided or left to the exact test. See
// lanes-inl.h on inclusion.

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
  /// The bits of `Transform::apply`: unfused, in its order.
  HWY_INLINE Doubles<N> row(std::size_t i, const Doubles<N>& x, const Doubles<N>& y,
                            const Doubles<N>& z) const {
    return ((m[i][0] * x + m[i][1] * y) + m[i][2] * z) + t[i];
  }
  /// A direction, each sum rounded once or twice, to floats in the end.
  HWY_INLINE Vecs<N> turned(const Doubles<N>& x, const Doubles<N>& y, const Doubles<N>& z) const {
    const auto along = [&](std::size_t i) __attribute__((always_inline)) {
      return mulAdd(m[i][0], x, mulAdd(m[i][1], y, m[i][2] * z)).toFloats();
    };
    return {along(0), along(1), along(2)};
  }
  /// Likewise, a point, with another translation.
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

/// N pairs of triangles as seen from A's first corner: A's edges from there, B's first corner, and B's edges
/// from that.
///
/// *Errors.* Let D be the largest magnitude along an axis of A's edges and of B's three corners, but
/// `leastExtent` at least, which is 2^-23 S (`leastTriangleExtent`), and R the magnitude of A's first corner
/// as seen from the point that both were relative to (`PlacedTriangles`), or 0. u = 2^-24.
/// - A's edges are differences of what the mesh holds, rounded once: off by u D.
/// - B's corner and edges are sums in double precision, fused or not, of terms that 2 S bounds, as S does
/// those
///   of a placed corner (`WideQuery`). With the four roundings of each corner as it is meant they are off by
///   2^-49 S, that is u D / 4; then they are rounded to float. So edges, at most 2 D long, are off by 2.25 u
///   D.
/// - B's first corner is the difference of two points that are at most R + D from the common one, each
/// rounded
///   to float, and is rounded itself: off by 2 u R + 3.3 u D.
template <std::size_t N>
struct PairEdges {
  Vecs<N> a1, a2, b0, e1, e2;
};

/// Guigue and Devillers 2003, section 3, in lanes, for N pairs of triangles: of the corners that are alone on
/// their sides two orientations tell whether the segments in the common line overlap. Instead of turning the
/// triangles until such corners come first, all nine orientations of an edge with an edge are summed up and
/// two are picked. Decides a pair only if every sign that counts is certain; then no corner lies in the
/// other's plane and the segments overlap in more than a point or not at all, so that both settings of
/// `Touching` agree. `afar`: A's first corners, as seen from the point that all was relative to.
///
/// *Bound.* Everything below is linear in where B's first corner is, so its error counts as a translation of
/// B: by t = 2 u R + 3.3 u D along each axis. The others are those of edges (above), of B's further corners
/// (3.25 u D: the edge's, and a sum), and of what is rounded here, fused or not. In units of u D_x D_y D_z,
/// with T = R_x D_y D_z + D_x R_y D_z + D_x D_y R_z:
/// - A's normal has components of 2 at most and is off by 8: 4 from the edges, 4 by rounding. A corner of B
/// is
///   at a distance of 6 from its plane, off by 24 for the normal, 20 for the corner, 16 by rounding and 20 +
///   4 T for the translation: 80 + 4 T.
/// - B's normal: 8, off by 34. Corners of A: off by 204 + 24 + 208, and 79 + 16 T: 515 + 16 T.
/// - Two edges that leave first corners: 6, off by 54 but for the translation (6 and 20 for edges, 28 by
///   rounding). A pair of edges of which one does not is the difference of two sides, less two others, and
///   errors add up: for B's second edge 294 + 2 * 54 + 18 = 420, for A's 112 + 2 * 54 + 42 = 262, for both
///   131
///   + 2 * 420 + 42 = 1013. The translation adds 79 + 16 T: 1092 + 16 T.
/// (D_x + R_x / 32) (D_y + R_y / 32) (D_z + R_z / 32), 132, 528 and 1104 times, is more than each of these,
/// by enough for what the bound itself rounds. Coordinates are below 2^39 (`WideQuery::vectorTriangles`), so
/// nothing overflows. D counts as at least 2^-40, too. That covers underflow, which adds to a coordinate
/// below 2^-150 (u 2^-126: nothing beside u 2^-40), to a component of a normal below 2^-148, so below 2^-143
/// max(D) to all of these, and 2^-146 in the last sums; while the bounds are above 2^-97 max(D), and above
/// 2^-137.
template <std::size_t N>
HWY_INLINE WideDecided decideTriangles(const PairEdges<N>& pair, const Vecs<N>& afar, float leastExtent) {
  using Lanes = Floats<N>;
  using Vec = Vecs<N>;
  const Vec &a1 = pair.a1, &a2 = pair.a2;
  const Vec b[3] = {pair.b0, pair.b0 + pair.e1, pair.b0 + pair.e2};

  // Functions of a few instructions, which compilers call several times and then by way of memory, unless
  // made to put them in place: 4 % of a query.
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

  // Sides of B's corners of A's plane, and of A's corners of B's.
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

  // Edge k leads from corner k to the next one; on which side of each other pass edge k of A and edge l of B?
  // Those of a triangle add up to the difference of two sides.
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

  // Of each triangle one corner is alone on its side: the third one where the first two agree, else the
  // second one where the first and the third agree, else the first. The edges that leave and reach it meet
  // the other's plane.
  const Lanes unlikeA1 = signOfProduct(sideA[0], sideA[1]), unlikeA2 = signOfProduct(sideA[0], sideA[2]);
  const Lanes unlikeB1 = signOfProduct(sideB[0], sideB[1]), unlikeB2 = signOfProduct(sideB[0], sideB[2]);
  const Lanes unlikeB12 = signOfProduct(sideB[1], sideB[2]);
  Lanes leaving[3], reaching[3];
  for (std::size_t l = 0; l < 3; ++l) {
    leaving[l] = selectBySign(unlikeA1, selectBySign(unlikeA2, passing[0][l], passing[1][l]), passing[2][l]);
    reaching[l] = selectBySign(unlikeA1, selectBySign(unlikeA2, passing[2][l], passing[0][l]), passing[1][l]);
  }
  // Two of the four pairs of such edges decide: leaving with leaving and reaching with reaching, or, where
  // the two corners are on opposite sides, crosswise.
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

/// By rows as `TriangleRows` has them, of corners of A and of B in the local coordinates of the meshes.
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

/// By rows of first corners, all as seen from one point, and edges from there; of both in A's own axes.
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

/// What vectors leave open. The corners are in the local coordinates of the meshes.
inline bool meetExactly(const TraversalTask& task, const Triangle& a, const Triangle& b) {
  TriangleTester tester(task.placement.placed(b), task.touching);
  const bool meet = tester.intersects(a);
  task.stats.exactTests += tester.exactTests();
  return meet;
}
/// Pairs of a batch from `begin` on.
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
