#pragma once

#include <cstddef>

#include <fitup/geometry/detail/expansion.h>
#include <fitup/geometry/vec3.h>

namespace fitup::detail {

/// The plane through three points, exactly: its normal is computed once for several points.
///
/// Everything is relative to the first of the three. The differences of corners of one triangle most often
/// have few bits, and so have their products. Relative to the fourth point, a corner of another triangle that
/// was placed by rounding, terms would be twice as long.
class ExactPlane {
 public:
  ExactPlane(const Vec3& a, const Vec3& b, const Vec3& c) noexcept : a_(a) {
    const Expansion<2> ux = difference(b.x, a.x), uy = difference(b.y, a.y), uz = difference(b.z, a.z);
    const Expansion<2> vx = difference(c.x, a.x), vy = difference(c.y, a.y), vz = difference(c.z, a.z);
    x_ = minor(uy, uz, vy, vz);
    y_ = minor(uz, ux, vz, vx);
    z_ = minor(ux, uy, vx, vy);
  }

  /// Returns the sign of the determinant of `orient3d` of the three points and d: positive on the side from
  /// which they appear clockwise.
  [[nodiscard]] int sign(const Vec3& d) const noexcept {
    return isShort() ? shortDeterminant(d).sign() : determinant(d).sign();
  }
  /// Returns the determinant, rounded as `Expansion::estimate`.
  [[nodiscard]] double value(const Vec3& d) const noexcept { return determinant(d).estimate(); }

 private:
  /// Returns true if each component of the normal is a double, as for triangles whose coordinates have few
  /// bits.
  [[nodiscard]] bool isShort() const noexcept { return x_.size <= 1 && y_.size <= 1 && z_.size <= 1; }
  [[nodiscard]] Expansion<12> shortDeterminant(const Vec3& d) const noexcept {
    Expansion<12> r;
    const auto add = [&](const Expansion<16>& n, const Expansion<2>& w) {
      if (n.size == 0) return;
      for (std::size_t i = 0; i < w.size; ++i) {
        double low;
        const double high = twoProduct(n.term[0], w.term[i], low);
        if (low != 0) grow(r, low);
        grow(r, high);
      }
    };
    add(x_, difference(a_.x, d.x));
    add(y_, difference(a_.y, d.y));
    add(z_, difference(a_.z, d.z));
    return r;
  }
  [[nodiscard]] Expansion<192> determinant(const Vec3& d) const noexcept {
    return sum(sum(product(x_, difference(a_.x, d.x)), product(y_, difference(a_.y, d.y))),
               product(z_, difference(a_.z, d.z)));
  }
  static Expansion<16> minor(const Expansion<2>& px, const Expansion<2>& py, const Expansion<2>& qx,
                             const Expansion<2>& qy) noexcept {
    return sum(product(px, qy), product(qx, py), -1);
  }

  Vec3 a_;
  Expansion<16> x_, y_, z_;  ///< the normal
};

}  // namespace fitup::detail
