#pragma once

#include <bit>

#include <fitup/geometry/pair_placement.h>
#include <fitup/geometry/vec3.h>
#include <fitup/geometry/vectors-inl.h>
#include <fitup/mesh/triangle_mesh.h>
#include <fitup_field/research_options.h>

namespace fitup::detail {

/// Two boxes of any orientation and shear, prepared for separating axis tests in 32 bits: A = {y : |y| <= a},
/// B = {t + R z : |z| <= b}, for every t, a and b. Fourth lanes are undefined.
///
/// Gottschalk, Lin and Manocha (1996), section 5, for affine R: the normals of B's faces are the columns of
/// the cofactor matrix C, and |e_i . (R_j x R_k)| = |C_il|. For a rotation or reflection C is R or -R.
///
/// Bound. u = 2^-24, v bounds the entries of R (1 where it is orthogonal), e = 2^-18 v. Any direction n that
/// separates the exact boxes is valid, so n is taken as computed, and only |n.t|, |n_i| a_i and |n.R_j| b_j
/// have errors. Entries of R have errors of at most 24 u v (two products of frames that are orthonormal to
/// 2^-21), those of C of 48 u v^2. Offsets t were scaled by 1 - 16 u, which covers all roundings relative to
/// |t_i| or to a right-hand side (at most 12). The remaining errors are relative to |t|, which is at most the
/// sum of |a| + v |b| if the axes of A do not separate: at most 16 u |n| of it. `epsilon` on every entry of
/// |R| and |C| exceeds that; if an axis has no term for some b_j, `rest` takes its place. RAPID uses the same
/// margin. Absolute errors (of t itself, in double precision) are in the slacks.
struct BoxRelation {
  Float4 row[3];                  ///< of R
  Float4 absoluteColumn[3];       ///< of |R| + epsilon
  Float4 absoluteRow[3];          ///< of |R| + epsilon
  Float4 cofactorRow[3];          ///< of C
  Float4 absoluteCofactorRow[3];  ///< of |C| + epsilon
  float determinant;              ///< its absolute value, rounded up
  float restOfFace, restOfEdge;
  float slackA, slackB, slackEdge;
};

/// Data that all relations of two trees share.
struct RelationBounds {
  bool orthogonal = true;
  float epsilonR = 0, epsilonC = 0, restOfFace = 0, restOfEdge = 0, determinant = 1;
  float slackA = 0, slackB = 0, slackEdge = 0;

  /// `margin` is added to the epsilon of the bound, relative to the entries of a rotation.
  static RelationBounds of(const TriangleMesh& a, const TriangleMesh& b, const PairPlacement& placement,
                           double margin = 0);
};

/// Makes the relation from the rows of R.
inline BoxRelation relationOf(const RelationBounds& bounds, Float4 r0, Float4 r1, Float4 r2) noexcept {
  BoxRelation q;
  q.row[0] = r0;
  q.row[1] = r1;
  q.row[2] = r2;
  const Float4 e = broadcast(bounds.epsilonR);
  for (int i = 0; i < 3; ++i) q.absoluteRow[i] = magnitude(q.row[i]) + e;
  for (int j = 0; j < 3; ++j)
    q.absoluteColumn[j] = Float4{q.absoluteRow[0][j], q.absoluteRow[1][j], q.absoluteRow[2][j], 0};
  if (bounds.orthogonal) {
    for (int i = 0; i < 3; ++i) {
      q.cofactorRow[i] = q.row[i];
      q.absoluteCofactorRow[i] = q.absoluteRow[i];
    }
  } else {
    const Float4 c = broadcast(bounds.epsilonC);
    for (int i = 0; i < 3; ++i) {
      const Float4 f = q.row[(i + 1) % 3], g = q.row[(i + 2) % 3];
      q.cofactorRow[i] = yzx(f) * zxy(g) - zxy(f) * yzx(g);
      q.absoluteCofactorRow[i] = magnitude(q.cofactorRow[i]) + c;
    }
  }
  q.determinant = bounds.determinant;
  q.restOfFace = bounds.restOfFace;
  q.restOfEdge = bounds.restOfEdge;
  q.slackA = bounds.slackA;
  q.slackB = bounds.slackB;
  q.slackEdge = bounds.slackEdge;
  return q;
}

/// Returns 0 if the boxes may overlap, otherwise 1 plus the axis that separates them: 0 to 2 are A's axes, 3
/// to 5 B's face normals, 6 to 14 products of edges. `full` is the SAT, `lite` its six face normals (van den
/// Bergen 1998), `aligned` only A's three. If numbers overflow, nothing is rejected, because the comparisons
/// involve NaN or infinity.
template <BoxTest test>
inline unsigned separatingAxis(const BoxRelation& q, Float4 t, Float4 a, Float4 b) noexcept {
  const Float4 reach = a + q.absoluteColumn[0] * b[0] + q.absoluteColumn[1] * b[1] +
                       q.absoluteColumn[2] * b[2] + broadcast(q.slackA);
  if (const unsigned bits = threeBits(magnitude(t) > reach); bits != 0)
    return 1U + static_cast<unsigned>(std::countr_zero(bits));
  if constexpr (test == BoxTest::aligned) return 0;

  const Float4 alongB = q.cofactorRow[0] * t[0] + q.cofactorRow[1] * t[1] + q.cofactorRow[2] * t[2];
  const Float4 reachB = q.absoluteCofactorRow[0] * a[0] + q.absoluteCofactorRow[1] * a[1] +
                        q.absoluteCofactorRow[2] * a[2] + b * broadcast(q.determinant) +
                        broadcast((b[0] + b[1] + b[2]) * q.restOfFace + q.slackB);
  if (const unsigned bits = threeBits(magnitude(alongB) > reachB); bits != 0)
    return 4U + static_cast<unsigned>(std::countr_zero(bits));
  if constexpr (test == BoxTest::lite) return 0;

  const Float4 b1 = yzx(b), b2 = zxy(b), own = b * broadcast(q.restOfEdge) + broadcast(q.slackEdge);
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const Float4 along = q.row[i1] * t[i2] - q.row[i2] * t[i1];
    const Float4 reachE = q.absoluteRow[i2] * a[i1] + q.absoluteRow[i1] * a[i2] +
                          b1 * zxy(q.absoluteCofactorRow[i]) + b2 * yzx(q.absoluteCofactorRow[i]) + own;
    if (const unsigned bits = threeBits(magnitude(along) > reachE); bits != 0)
      return 7U + static_cast<unsigned>(3 * i + std::countr_zero(bits));
  }
  return 0;
}

/// A point placed in A, in double precision.
struct PlacedCentre {
  Double2 xy;
  double z;
};

/// Places centres of B's boxes in A's local frame and computes offsets between boxes.
class CentrePlacing {
 public:
  explicit CentrePlacing(const Transform& aFromB) noexcept {
    for (std::size_t j = 0; j < 3; ++j) {
      xy_[j] = Double2{aFromB.m[0][j], aFromB.m[1][j]};
      z_[j] = aFromB.m[2][j];
    }
    xy_[3] = Double2{aFromB.t.x, aFromB.t.y};
    z_[3] = aFromB.t.z;
  }
  [[nodiscard]] PlacedCentre operator()(Float4 centreInB) const noexcept {
    const double x = centreInB[0], y = centreInB[1], z = centreInB[2];
    return {xy_[0] * x + xy_[1] * y + xy_[2] * z + xy_[3], z_[0] * x + z_[1] * y + z_[2] * z + z_[3]};
  }
  /// Offset from a box of A to one of B, in A's axes, scaled as `BoxRelation` requires.
  [[nodiscard]] static Float4 offset(const PlacedCentre& b, Float4 centreA) noexcept {
    constexpr double scale = 1 - 0x1p-20;
    const Double2 a{centreA[0], centreA[1]};
    const Double2 xy = (b.xy - a) * scale;
    return Float4{static_cast<float>(xy[0]), static_cast<float>(xy[1]),
                  static_cast<float>((b.z - centreA[2]) * scale), 0};
  }

 private:
  Double2 xy_[4];
  double z_[4];
};

}  // namespace fitup::detail
