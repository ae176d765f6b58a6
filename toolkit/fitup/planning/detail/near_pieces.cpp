#include <fitup/planning/detail/near_pieces.h>

#include <cmath>

#include <fitup/geometry/distance_point_triangle.h>

namespace fitup::detail {
namespace {

/// The sag of all points of a cube.
double largestSagIn(const SweptPiece& piece, const WorldCube& cube) noexcept {
  return piece.sagOf(cube.centre) + piece.sagSlope() * cube.radius() * (1 + 0x1p-20);
}

/// The gradient of n . T(x) in x.
Vec3 pulledBack(const Transform& t, const Vec3& n) noexcept {
  return {t.m[0][0] * n.x + t.m[1][0] * n.y + t.m[2][0] * n.z,
          t.m[0][1] * n.x + t.m[1][1] * n.y + t.m[2][1] * n.z,
          t.m[0][2] * n.x + t.m[1][2] * n.y + t.m[2][2] * n.z};
}

double largestAlong(const Vec3& n, const Triangle& t) noexcept {
  return std::max({dot(n, t.v[0]), dot(n, t.v[1]), dot(n, t.v[2])});
}

}  // namespace

void boundTriangle(NearPiece& one, const SweptPiece& piece, const Triangle& triangle, const Vec3& a,
                   const Vec3& b, const Vec3& outward, const WorldCube& cube) {
  one.atFrom = one.atTo = {};
  const double length = norm(outward);
  // Nothing is known of a triangle that is touched: a distance is not negative.
  if (!(length > 0x1p-20 * cube.half)) return;
  // Placements keep lengths up to `orthonormalTolerance`.
  const Vec3 n = outward * ((1 - 0x1p-28) / length);
  const double sag = largestSagIn(piece, cube), beyond = largestAlong(n, triangle);
  const auto bound = [&](const Transform& bodyFromWorld, const Vec3& centre) {
    const Vec3 gradient = pulledBack(bodyFromWorld, n);
    const double value = dot(n, centre) - beyond - sag;
    // Covers the rounding to single precision of the value and of the gradient, and its products.
    const double rounded = value - 0x1p-20 * (std::abs(value) + cube.radius());
    return AffineBound{
        {static_cast<float>(gradient.x), static_cast<float>(gradient.y), static_cast<float>(gradient.z)},
        static_cast<float>(rounded)};
  };
  one.atFrom = bound(piece.localFromWorldAtFrom, a);
  one.atTo = bound(piece.localFromWorldAtTo, b);
}

CornerDistances::CornerDistances(const SweptPiece& piece, const Triangle& triangle, double share,
                                 const WorldCube& cube)
    : cube_(cube) {
  const double sag = largestSagIn(piece, cube);
  for (std::size_t k = 0; k < 8; ++k) {
    const Vec3 x = cube.corner(k);
    const Vec3 from = piece.localFromWorldAtFrom.apply(x), to = piece.localFromWorldAtTo.apply(x);
    high_[k] = distancePointTriangle(from + (to - from) * share, triangle).distance + sag;
  }
}

bool CornerDistances::excludes(const NearPiece& one, double tolerance) const noexcept {
  const auto along = [&](const AffineBound& bound, std::size_t axis) {
    return double{bound.gradient[axis]} * cube_.half;
  };
  for (std::size_t k = 0; k < 8; ++k) {
    const auto at = [&](const AffineBound& bound) {
      return double{bound.atCentre} + ((k & 1U) != 0 ? along(bound, 0) : -along(bound, 0)) +
             ((k & 2U) != 0 ? along(bound, 1) : -along(bound, 1)) +
             ((k & 4U) != 0 ? along(bound, 2) : -along(bound, 2));
    };
    if (std::min(at(one.atFrom), at(one.atTo)) < high_[k] - tolerance) return false;
  }
  return true;
}

double CornerDistances::excludedBelow(const SweptPiece& piece, const Vec3& outward,
                                      double tolerance) const noexcept {
  const double sag = largestSagIn(piece, cube_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 8; ++k) {
    const Vec3 x = cube_.corner(k);
    const double along = std::min(dot(outward, piece.localFromWorldAtFrom.apply(x)),
                                  dot(outward, piece.localFromWorldAtTo.apply(x)));
    least = std::min(least, along - high_[k]);
  }
  return least + tolerance - sag - 0x1p-20 * cube_.radius();
}

}  // namespace fitup::detail
