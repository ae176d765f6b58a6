// Lower bounds on the distances of eight pairs of triangles at once. See lanes-inl.h for inclusion.

#if defined(FITUP_DISTANCE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_DISTANCE_LANES_INL
#undef FITUP_DISTANCE_LANES_INL
#else
#define FITUP_DISTANCE_LANES_INL
#endif

#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/triangle_lanes-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

HWY_INLINE Vec8 operator+(const Vec8& a, const Vec8& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE Vec8 scaled(const Vec8& a, const Float8& s) { return {a.x * s, a.y * s, a.z * s}; }
HWY_INLINE Float8 within01(const Float8& a) { return smaller(larger(a, Float8::all(0)), Float8::all(1)); }

/// Gaps between boxes along three axes.
struct Gaps8 {
  Float8 squared;  ///< squared length of the gaps above zero
  Float8 most;     ///< the largest of the three
  HWY_INLINE static Gaps8 of(const Float8& x, const Float8& y, const Float8& z) {
    const Float8 zero = Float8::all(0);
    const Float8 px = larger(x, zero), py = larger(y, zero), pz = larger(z, zero);
    return {mulAdd(px, px, mulAdd(py, py, pz * pz)), larger(larger(x, y), z)};
  }
};
HWY_INLINE Gaps8 gapsOfBoxes(const Vec8& centreA, const Vec8& halfA, const Vec8& centreB, const Vec8& halfB) {
  return Gaps8::of(magnitude(centreA.x - centreB.x) - (halfA.x + halfB.x),
                   magnitude(centreA.y - centreB.y) - (halfA.y + halfB.y),
                   magnitude(centreA.z - centreB.z) - (halfA.z + halfB.z));
}
HWY_INLINE Gaps8 gapsOfIntervals(const Vec8& minA, const Vec8& maxA, const Vec8& minB, const Vec8& maxB) {
  return Gaps8::of(larger(minA.x - maxB.x, minB.x - maxA.x), larger(minA.y - maxB.y, minB.y - maxA.y),
                   larger(minA.z - maxB.z, minB.z - maxA.z));
}

/// The shortest connection of two triangles found so far, for eight pairs.
struct Connection8 {
  Float8 squared;
  Vec8 across;  ///< from A to B
  HWY_INLINE void consider(const Float8& square, const Vec8& d) {
    const Mask8 nearer = squared > square;
    squared = select(nearer, square, squared);
    across = select(nearer, d, across);
  }
};

/// Considers corners of `of` and the face of `face`, if the foot of the perpendicular lies inside.
HWY_INLINE void considerFeet(Connection8& best, const Vec8 (&of)[3], const Vec8 (&face)[3], bool ofA) {
  const Vec8 n = cross(face[1] - face[0], face[2] - face[0]);
  const Float8 nn = dot(n, n), tiny = Float8::all(0x1p-100F);
  const Float8 zero = Float8::all(0);
  const Float8 inverse = Float8::all(1) / larger(nn, tiny);
  const Vec8 inward[3] = {cross(n, face[1] - face[0]), cross(n, face[2] - face[1]),
                          cross(n, face[0] - face[2])};
  const Float8 huge = Float8::all(0x1p126F);
  for (std::size_t c = 0; c < 3; ++c) {
    const Vec8 w0 = of[c] - face[0];
    const Float8 height = dot(n, w0);
    const Float8 outside = smaller(smaller(dot(inward[0], w0), dot(inward[1], of[c] - face[1])),
                                   dot(inward[2], of[c] - face[2]));
    const Float8 along = height * inverse;
    const Float8 square = select(outside > zero, along * height, huge);
    best.consider(square, scaled(n, ofA ? -along : along));
  }
}

/// Considers each edge of A with each of B, after Lumelsky, On fast computation of distance between line
/// segments (1985), with clamped parameters.
HWY_INLINE void considerEdges(Connection8& best, const Vec8 (&a)[3], const Vec8 (&b)[3]) {
  const Float8 tiny = Float8::all(0x1p-100F), one = Float8::all(1);
  Vec8 v[3];
  Float8 vv[3], inverseVv[3];
  for (std::size_t j = 0; j < 3; ++j) {
    v[j] = b[(j + 1) % 3] - b[j];
    vv[j] = dot(v[j], v[j]);
    inverseVv[j] = one / larger(vv[j], tiny);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec8 u = a[(i + 1) % 3] - a[i];
    const Float8 uu = dot(u, u), inverseUu = one / larger(uu, tiny);
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec8 w = b[j] - a[i];
      const Float8 uv = dot(u, v[j]), uw = dot(u, w), vw = dot(v[j], w);
      const Float8 denominator = larger(uu * vv[j] - uv * uv, tiny);
      Float8 s = within01((uw * vv[j] - vw * uv) / denominator);
      const Float8 t = within01((s * uv - vw) * inverseVv[j]);
      s = within01((t * uv + uw) * inverseUu);
      const Vec8 d = w + scaled(v[j], t) - scaled(u, s);
      best.consider(dot(d, d), d);
    }
  }
}

/// Returns lower bounds on the distances, in A's local frame, of the pairs of a batch. A bound that is not
/// above zero or is NaN says nothing.
///
/// The direction d is the shortest connection, computed in 32 bits without regard to its error. For any d the
/// triangles are at least (min d . b - max d . a) / |d| apart, and exactly that if d is right.
///
/// *Bound.* Corners are taken relative to A's first one, as differences of placed doubles rounded to float
/// once (twice with the rounding of the double): relative error below 1.01 u of each coordinate. X, Y, Z are
/// the largest magnitudes. With |d_k| <= 1 and D =
/// d_x| X + |d_y| Y + |d_z| Z a product d . p is off by (1.01 + 3.01) u D, and the difference of two, each at
/// most D, by another 2 u D: 10.1 u D. 12 u D also covers the rounding of D. The quotient and the norm round
/// by less than 6 u: a factor of 1 - 2^-20 = 1 - 16 u. X, Y and Z count as at least 2^-60, which covers
/// underflow: of a coordinate (2^-150), a product and a sum (2^-149 each). Coordinates are below 2^39
/// (`WideQuery::vectorTriangles`), and d is divided by its largest component, so nothing overflows in the
/// bound. In the search for d, an overflow yields a worse direction or none.
HWY_INLINE Float8 lowerBounds(const TriangleBatch& batch, const LanePlacement<8>& aFromB) {
  Vec8 a[3], b[3];
  Double8 origin[3];
  for (std::size_t i = 0; i < 3; ++i) origin[i] = Double8::fromFloats(batch.a[i]);
  const Float8 zero = Float8::all(0);
  a[0] = {zero, zero, zero};
  for (std::size_t c = 1; c < 3; ++c)
    a[c] = {(Double8::fromFloats(batch.a[3 * c]) - origin[0]).toFloats(),
            (Double8::fromFloats(batch.a[3 * c + 1]) - origin[1]).toFloats(),
            (Double8::fromFloats(batch.a[3 * c + 2]) - origin[2]).toFloats()};
  for (std::size_t c = 0; c < 3; ++c) {
    const Double8 x = Double8::fromFloats(batch.b[3 * c]), y = Double8::fromFloats(batch.b[3 * c + 1]),
                  z = Double8::fromFloats(batch.b[3 * c + 2]);
    b[c] = {(aFromB.row(0, x, y, z) - origin[0]).toFloats(), (aFromB.row(1, x, y, z) - origin[1]).toFloats(),
            (aFromB.row(2, x, y, z) - origin[2]).toFloats()};
  }
  Connection8 best{Float8::all(0x1p127F), {zero, zero, zero}};
  considerEdges(best, a, b);
  considerFeet(best, a, b, true);
  considerFeet(best, b, a, false);

  const Float8 largest =
      larger(larger(magnitude(best.across.x), magnitude(best.across.y)), magnitude(best.across.z));
  const Vec8 d{best.across.x / largest, best.across.y / largest, best.across.z / largest};
  const auto extent = [&](Float8 Vec8::*axis) {
    return larger(larger(larger(magnitude(a[1].*axis), magnitude(a[2].*axis)), magnitude(b[0].*axis)),
                  larger(larger(magnitude(b[1].*axis), magnitude(b[2].*axis)), Float8::all(0x1p-60F)));
  };
  const Float8 bound = (magnitude(d.x) * extent(&Vec8::x) + magnitude(d.y) * extent(&Vec8::y) +
                        magnitude(d.z) * extent(&Vec8::z)) *
                       Float8::all(12 * 0x1p-24F);
  const Float8 high = larger(larger(zero, dot(d, a[1])), dot(d, a[2]));
  const Float8 low = smaller(smaller(dot(d, b[0]), dot(d, b[1])), dot(d, b[2]));
  return (low - high - bound) / root(dot(d, d)) * Float8::all(1 - 0x1p-20F);
}

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
