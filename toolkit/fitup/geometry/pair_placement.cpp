#include <fitup/geometry/pair_placement.h>

#include <cmath>

#include <fitup/geometry/vectors-inl.h>

namespace fitup {
namespace {

/// Computes |m| v.
Vec3 absoluteTimes(const Transform& f, const Vec3& v) {
  Vec3 r;
  for (std::size_t i = 0; i < 3; ++i)
    r[static_cast<int>(i)] =
        std::abs(f.m[i][0]) * v.x + std::abs(f.m[i][1]) * v.y + std::abs(f.m[i][2]) * v.z;
  return r;
}

Vec3 absolute(const Vec3& v) { return {std::abs(v.x), std::abs(v.y), std::abs(v.z)}; }

Aabb outward(const Vec3& centre, const Vec3& half) {
  Aabb box;
  box.min = {floatBelow(centre.x - half.x), floatBelow(centre.y - half.y), floatBelow(centre.z - half.z)};
  box.max = {floatAbove(centre.x + half.x), floatAbove(centre.y + half.y), floatAbove(centre.z + half.z)};
  return box;
}

/// Maps a box. `slack` covers the errors that the caller knows of. The rounding of the mapping itself is
/// added here: centre, half extent, their products and sums take fewer than 16 roundings of terms that
/// |m|(|c| + h) + |t| bounds.
Aabb carried(const Transform& f, const Aabb& box, const Vec3& slack) {
  if (box.empty()) return {};
  const Vec3 c = box.centre(), h = box.halfExtent();
  const Vec3 magnitude = absoluteTimes(f, absolute(c) + h) + absolute(f.t);
  return outward(f.apply(c), absoluteTimes(f, h) + slack + magnitude * 0x1p-48);
}

Transform transposed(const Transform& f) {
  Transform r;
  for (std::size_t i = 0; i < 3; ++i) r.m[i] = {f.m[0][i], f.m[1][i], f.m[2][i]};
  r.t = -r.applyToVector(f.t);
  return r;
}

double sumOf(const Vec3& v) { return v.x + v.y + v.z; }

}  // namespace

PairPlacement PairPlacement::of(const Transform& aFromB, const Aabb& boundsInB) {
  PairPlacement placement;
  placement.aFromB = aFromB;
  Vec3 reachB;
  if (!boundsInB.empty()) {
    const detail::Float4 most = detail::largestMagnitudes(boundsInB);
    reachB = {most[0], most[1], most[2]};
  }
  // A placed coordinate takes at most four roundings of terms below |M||b| + |t|: 4.01 u < 2^-50.
  placement.placementError =
      (absoluteTimes(placement.aFromB, reachB) + absolute(placement.aFromB.t)) * 0x1p-50;

  const double off = aFromB.orthonormalError();
  placement.orthogonal = off <= orthonormalTolerance;
  // Let N, s be bFromA as computed, and let a = M b + t + e be a point of A with |e| <= placementError. Then
  //    N a + s - b = (N M - 1) b + (N t + s) + N e,
  // so a mapped box contains b once it grows by |N M - 1||b| + |N t + s| + |N| e. The residuals are computed
  // here, and their own rounding is bounded by 4 roundings of the magnitudes of their terms. A factor of 2 on
  // all of that is ample for the roundings of these sums.
  if (off < largestOffTransposed && isFinite(aFromB.t)) {
    // If N = M^T, the residual of N M is that of transpose(m) * m; columns have length 1.
    placement.bFromA = transposed(aFromB);
    const double growth = (off + 0x1p-50) * sumOf(reachB) + 0x1p-50 * sumOf(absolute(aFromB.t)) +
                          sumOf(placement.placementError);
    placement.inflationInB = Vec3{growth, growth, growth} * 2.0;
    return placement;
  }
  placement.bFromA = aFromB.inverse();
  const Transform& m = placement.aFromB;
  const Transform& n = placement.bFromA;
  for (std::size_t i = 0; i < 3; ++i) {
    double growth = 0;
    const double reach[3] = {reachB.x, reachB.y, reachB.z};
    for (std::size_t j = 0; j < 3; ++j) {
      double residual = i == j ? -1.0 : 0.0, magnitude = i == j ? 1.0 : 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        residual += n.m[i][k] * m.m[k][j];
        magnitude += std::abs(n.m[i][k] * m.m[k][j]);
      }
      growth += (std::abs(residual) + magnitude * 0x1p-50) * reach[j];
    }
    const int row = static_cast<int>(i);
    double shift = n.t[row], magnitude = std::abs(n.t[row]);
    for (std::size_t k = 0; k < 3; ++k) {
      shift += n.m[i][k] * m.t[static_cast<int>(k)];
      magnitude += std::abs(n.m[i][k] * m.t[static_cast<int>(k)]);
    }
    growth += std::abs(shift) + magnitude * 0x1p-50;
    placement.inflationInB[row] = growth;
  }
  placement.inflationInB = (placement.inflationInB + absoluteTimes(n, placement.placementError)) * 2.0;
  return placement;
}

Aabb PairPlacement::transformedToB(const Aabb& boxInA) const noexcept {
  return carried(bFromA, boxInA, inflationInB);
}

Aabb PairPlacement::carriedToA(const Aabb& boxInB) const noexcept {
  return carried(aFromB, boxInB, placementError);
}

}  // namespace fitup
