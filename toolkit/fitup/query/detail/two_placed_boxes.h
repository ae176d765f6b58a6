#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/query/posed_model.h>

namespace fitup::detail {

inline double sumOfMagnitudes(const Vec3& v) noexcept {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

/// The boxes of two placed parts in double precision, with a lane for each part.
class TwoPlacedBoxes {
 public:
  TwoPlacedBoxes(const PosedModel& first, const PosedModel& second)
      : a_(first.model->box()),
        b_(second.model->box()),
        fa_(first.worldFromPart),
        fb_(second.worldFromPart) {}

  /// *Bound.* Half extents are rounded to 32 bits: 2^-24 of their sum. All other values are sums of fewer
  /// than 32 products in double precision of terms that the magnitude bounds, and placed coordinates as for
  /// `SeparatingAxes`. Along the connection of the centres, the error of the centres is added, and everything
  /// is multiplied by the length of the connection.
  [[nodiscard]] bool isSeparatingAxis(const Vec3& d) const {
    const Coordinates along = inAxes(d);
    return isBeyond(std::abs(betweenCentres(d, along)), halfAlong(along), 1);
  }
  /// Tests the connection of the centres, which separates most parts that are far apart.
  [[nodiscard, gnu::always_inline]] bool areSeparatedAlongCentres() const {
    const Double2 x{a_.centre.x, b_.centre.x}, y{a_.centre.y, b_.centre.y}, z{a_.centre.z, b_.centre.z};
    const auto between = [&](std::size_t i, Double2 shift) {
      const Double2 centre = (m(i, 0) * x + m(i, 1) * y) + (m(i, 2) * z + shift);
      return centre[1] - centre[0];
    };
    const Vec3 d{between(0, t().x), between(1, t().y), between(2, t().z)};
    return isBeyond(dot(d, d), halfAlong(inAxes(d)), sumOfMagnitudes(d));
  }

  /// A direction in the world and in the axes of each part, and the distance along it from the centre of the
  /// first box to that of the second.
  struct Direction {
    Vec3 inFirst, inSecond;
    double between;
  };
  [[nodiscard, gnu::always_inline]] Direction along(const Vec3& d) const {
    const Coordinates c = inAxes(d);
    return {{c.x[0], c.y[0], c.z[0]}, {c.x[1], c.y[1], c.z[1]}, betweenCentres(d, c)};
  }
  /// Returns true if bodies that extend at most this far from the centres are certainly separated along a
  /// direction of unit length or less. Reaches may be those of points of the parts along the direction,
  /// rounded to 32 bits: they are off by 2^-24 of the sum of the half extents.
  [[nodiscard, gnu::always_inline]] bool areApart(const Direction& d, double reachOfFirst,
                                                  double reachOfSecond) const {
    return isBeyond(d.between, Double2{reachOfFirst, reachOfSecond}, 1);
  }

 private:
  /// Coordinates of both parts.
  struct Coordinates {
    Double2 x, y, z;
  };
  /// Returns a direction in the axes of each part.
  [[nodiscard]] Coordinates inAxes(const Vec3& d) const {
    return {d.x * m(0, 0) + d.y * m(1, 0) + d.z * m(2, 0), d.x * m(0, 1) + d.y * m(1, 1) + d.z * m(2, 1),
            d.x * m(0, 2) + d.y * m(1, 2) + d.z * m(2, 2)};
  }
  [[nodiscard]] double betweenCentres(const Vec3& d, const Coordinates& along) const {
    const Double2 centre =
        (along.x * Double2{a_.centre.x, b_.centre.x} + along.y * Double2{a_.centre.y, b_.centre.y}) +
        (along.z * Double2{a_.centre.z, b_.centre.z} + (d.x * t().x + d.y * t().y + d.z * t().z));
    return centre[1] - centre[0];
  }
  [[nodiscard]] Double2 halfAlong(const Coordinates& along) const {
    return magnitude(along.x) * halves(0) + magnitude(along.y) * halves(1) + magnitude(along.z) * halves(2);
  }
  /// Returns true if `distance` between the centres exceeds the reaches of the parts along a direction no
  /// longer than `length`.
  [[nodiscard, gnu::always_inline]] bool isBeyond(double distance, Double2 reach, double length) const {
    const Coordinates shift = t();
    const Double2 halfSum{a_.halfSum, b_.halfSum};
    const Double2 most = Double2{a_.magnitude, b_.magnitude} + magnitude(shift.x) + magnitude(shift.y) +
                         magnitude(shift.z) + halfSum;
    const Double2 taken = reach + length * (0x1p-20 * halfSum + 0x1p-40 * most);
    return distance > taken[0] + taken[1] && most[0] + most[1] < 0x1p60 && areOrthonormal() && !a_.empty &&
           !b_.empty;
  }
  [[nodiscard]] Double2 m(std::size_t i, std::size_t j) const { return Double2{fa_.m[i][j], fb_.m[i][j]}; }
  [[nodiscard]] Coordinates t() const {
    return {Double2{fa_.t.x, fb_.t.x}, Double2{fa_.t.y, fb_.t.y}, Double2{fa_.t.z, fb_.t.z}};
  }
  [[nodiscard]] Double2 halves(std::size_t i) const { return Double2{a_.half[i], b_.half[i]}; }
  /// Returns true if both matrices are as orthonormal as `SeparatingAxes` requires. (Two calls of
  /// `Transform::orthonormalError` take a quarter longer.)
  [[nodiscard]] bool areOrthonormal() const {
    const auto product = [&](std::size_t i, std::size_t j) {
      return m(0, i) * m(0, j) + m(1, i) * m(1, j) + m(2, i) * m(2, j);
    };
    const Double2 most{0x1p-20, 0x1p-20};
    const Long2 within = (magnitude(product(0, 0) - 1) < most) & (magnitude(product(1, 1) - 1) < most) &
                         (magnitude(product(2, 2) - 1) < most) & (magnitude(product(0, 1)) < most) &
                         (magnitude(product(1, 2)) < most) & (magnitude(product(2, 0)) < most);
    return (within[0] & within[1]) != 0;
  }

  const PartBox& a_;
  const PartBox& b_;
  const Transform& fa_;
  const Transform& fb_;
};

}  // namespace fitup::detail
