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

/// Guigue and Devillers 2003, section 3, in lanes, for N pairs of triangles by rows as `TriangleRows` has
/// them. Decides a pair only if every sign that counts is certain; then no corner lies in the other's plane
/// and the segments in the common line overlap in more than a point or not at all, so that both settings of
/// `Touching` agree.
///
/// *Bound.* All corners are taken relative to A's first one. A's are differences rounded to float once. B's
/// are summed in double precision, fused or not, from t less that corner: seven roundings at most, and four
/// of the placed coordinate that is meant, of terms that S bounds (`WideQuery`), below 2^-49 S; then they are
/// rounded to float. Let X, Y, Z be the largest magnitudes of these coordinates over the pair, but
/// `leastExtent` at least, which is 2^-23 S (`leastTriangleExtent`): so 2^-49 S is at most u X / 4, and all
/// coordinates are off by 1.26 u X at most. Differences of two corners are at most 2 X and carry an absolute
/// error of 1.26 u X for each corner and 1.01 u 2 X for the subtraction: 2.3 u of the bound 2 X. An
/// orientation is a sum of six products of three such differences, each at most 8 X Y Z and off by a factor
/// of (1 + 2.3 u)^3 (1 + u)^5, as at most two products and three sums round: 6 * 8 * 11.95 u X Y Z < 574 u X
/// Y Z. 576 u leaves room for the bound's own products. Coordinates are below 2^39
/// (`WideQuery::vectorTriangles`), so nothing overflows. X, Y and Z count as at least 2^-40, too. That covers
/// underflow, which adds to a coordinate below 2^-150 (u 2^-126: nothing beside u 2^-40), to a component of a
/// cross product below 2^-148, so below 2^-145 max(X, Y, Z) to an orientation, and 2^-147 in the last sum;
/// while the bound is above 2^-95 max(X, Y, Z), and above 2^-135.
template <std::size_t N, typename RowsA, typename RowsB>
HWY_INLINE WideDecided decideTriangles(const RowsA& rowsA, const RowsB& rowsB, const LanePlacement<N>& aFromB,
                                       float leastExtent) {
  using Lanes = Floats<N>;
  using Vec = Vecs<N>;
  Vec a[3], b[3];
  const Vec origin{rowsA.floats(0), rowsA.floats(1), rowsA.floats(2)};
  for (std::size_t c = 1; c < 3; ++c)
    a[c] = Vec{rowsA.floats(3 * c), rowsA.floats(3 * c + 1), rowsA.floats(3 * c + 2)} - origin;
  const Lanes zero = Lanes::all(0);
  a[0] = {zero, zero, zero};
  Doubles<N> shift[3];
  for (std::size_t i = 0; i < 3; ++i) shift[i] = aFromB.t[i] - rowsA.doubles(i);
  for (std::size_t c = 0; c < 3; ++c) {
    const Doubles<N> x = rowsB.doubles(3 * c), y = rowsB.doubles(3 * c + 1), z = rowsB.doubles(3 * c + 2);
    const auto along = [&](std::size_t i) __attribute__((always_inline)) {
      const auto& m = aFromB.m[i];
      return mulAdd(m[0], x, mulAdd(m[1], y, mulAdd(m[2], z, shift[i]))).toFloats();
    };
    b[c] = {along(0), along(1), along(2)};
  }

  // Functions of a few instructions, which compilers call several times and then by way of memory, unless
  // told to put them in place: 4 % of a query.
  const Lanes least = Lanes::all(leastExtent);
  const auto largest = [&](Lanes Vec::*axis) __attribute__((always_inline)) {
    return larger(larger(larger(magnitude(a[1].*axis), magnitude(a[2].*axis)), magnitude(b[0].*axis)),
                  larger(larger(magnitude(b[1].*axis), magnitude(b[2].*axis)), least));
  };
  const Lanes bound = largest(&Vec::x) * largest(&Vec::y) * largest(&Vec::z) * Lanes::all(576 * 0x1p-24F);
  const Lanes below = -bound;

  // Sides of B's corners of A's plane, and of A's corners of B's.
  const Vec normalA = cross(a[1], a[2]);
  const Vec normalB = cross(b[1] - b[0], b[2] - b[0]);
  Lanes sideB[3], sideA[3];
  for (std::size_t c = 0; c < 3; ++c) {
    sideB[c] = dot(normalA, b[c]);
    sideA[c] = dot(normalB, a[c] - b[0]);
  }
  const auto allBeyond = [&](const Lanes(&side)[3]) __attribute__((always_inline)) {
    return (smaller(smaller(side[0], side[1]), side[2]) > bound) |
           (below > larger(larger(side[0], side[1]), side[2]));
  };
  const std::uint32_t apart = (allBeyond(sideA) | allBeyond(sideB)).bits();
  const Lanes closest =
      smaller(smaller(smaller(magnitude(sideA[0]), magnitude(sideA[1])), magnitude(sideA[2])),
              smaller(smaller(magnitude(sideB[0]), magnitude(sideB[1])), magnitude(sideB[2])));
  const Masks<N> certain = closest > bound;
  if ((certain.bits() & ~apart) == 0) return {0, apart};

  // The corner that is alone on its side comes first, by rotation.
  const auto rotate = [&](Vec(&v)[3], const Lanes(&side)[3]) __attribute__((always_inline)) {
    const Masks<N> s0 = side[0] > zero, s1 = side[1] > zero, s2 = side[2] > zero;
    const Masks<N> secondAlone = same(s0, s2), thirdAlone = same(s0, s1);
    const Vec v0 = v[0], v1 = v[1], v2 = v[2];
    v[0] = select(secondAlone, v1, select(thirdAlone, v2, v0));
    v[1] = select(secondAlone, v2, select(thirdAlone, v0, v1));
    v[2] = select(secondAlone, v0, select(thirdAlone, v1, v2));
    return select(secondAlone, side[1], select(thirdAlone, side[2], side[0])) > zero;
  };
  const Masks<N> aAbove = rotate(a, sideA), bAbove = rotate(b, sideB);
  // Where it lies on the negative side, the other's plane is turned round by exchanging two corners.
  const auto exchangeUnless = [&](const Masks<N>& above, Vec(&v)[3]) __attribute__((always_inline)) {
    const Vec v1 = v[1];
    v[1] = select(above, v1, v[2]);
    v[2] = select(above, v[2], v1);
  };
  exchangeUnless(aAbove, b);
  exchangeUnless(bAbove, a);
  const auto orientation = [&](const Vec& p, const Vec& q, const Vec& r, const Vec& s)
      __attribute__((always_inline)) {
    return dot(cross(q - p, r - p), s - p);
  };
  const Lanes first = orientation(a[0], a[1], b[0], b[1]);
  const Lanes second = orientation(a[0], a[2], b[2], b[0]);
  const std::uint32_t hits = (certain & (below > first) & (below > second)).bits();
  const std::uint32_t passing = (certain & ((first > bound) | (second > bound))).bits();
  return {hits & ~apart, passing | apart};
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
