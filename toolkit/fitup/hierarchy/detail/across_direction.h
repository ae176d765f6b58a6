#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/detail/wide_frame_matrix.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

/// A direction from A to B along which boxes and triangles are compared in double precision: parallel faces
/// are equally far everywhere, which the roundings of 32 bits hide. For a point p of B, d . (M p + t) = (M^T
/// d) . p
/// + d . t, so nothing is placed.
class AcrossDirection {
 public:
  /// Takes a unit vector of A's local frame.
  void set(const Vec3& d, const Transform& aFromB) {
    const Matrix3 m = matrixOf(aFromB);
    ofA_ = d;
    ofB_ = {dot(d, m.column(0)), dot(d, m.column(1)), dot(d, m.column(2))};
    shift_ = dot(d, aFromB.t);
    for (std::size_t k = 0; k < 3; ++k)
      weightOfB_ = std::max(k == 0 ? 0 : weightOfB_, sumOfMagnitudes(m.column(k)));
    rounding_ = 0x1p-46 * sumOfMagnitudes(aFromB.t);
  }
  /// Zero if none was set.
  [[nodiscard]] const Vec3& ofA() const noexcept { return ofA_; }

  /// A box in the axes of a frame; null: the model's.
  struct Box {
    Vec3 centre, half;
    const WideFrame* frame;
  };
  /// Returns true if every point of the box of B is farther along the direction than all of that of A by
  /// `distance` or, up to rounding, about that.
  ///
  /// *Bound.* A box reaches as far along d as along F^-T d in its frame. All values are sums of fewer than 16
  /// products in double precision.
  [[nodiscard]] bool areBeyond(const Box& a, const Box& b, double distance) const {
    const double high = endOf(a, ofA_, 1), low = endOf(b, ofB_, -1) + shift_;
    const double rounding =
        0x1p-46 * (sizeOf(a.centre, a.half) + weightOfB_ * sizeOf(b.centre, b.half)) + rounding_;
    return isFar(low - high, distance, rounding);
  }

  /// Returns true if triangles are as far apart along the direction as `distance`: at least, for certain, or
  /// with `isFound` up to rounding. Both are in A's local frame. Products of a unit vector round by less than
  /// 2^-50 of the coordinates' magnitudes; the test allows 2^-46 of them.
  [[nodiscard]] bool areBeyond(const Triangle& a, const Triangle& placedB, double distance,
                               bool isFound) const noexcept {
    double high = dot(ofA_, a.v[0]), low = dot(ofA_, placedB.v[0]), size = 0;
    for (int i = 1; i < 3; ++i) {
      high = std::max(high, dot(ofA_, a.v[i]));
      low = std::min(low, dot(ofA_, placedB.v[i]));
    }
    for (const Triangle* t : {&a, &placedB})
      for (const Vec3& v : t->v) size = std::max(size, sumOfMagnitudes(v));
    const double rounding = 0x1p-46 * size;
    return low - high > rounding && low - high > distance + (isFound ? -rounding : rounding);
  }

  /// How far up to eight triangles of each part reach along the direction: A's at most, B's at least.
  struct Ends {
    std::array<double, 8> high, low;
    double rounding;

    [[nodiscard]] bool areBeyond(std::size_t a, std::size_t b, double distance) const {
      return isFar(low[b] - high[a], distance, rounding);
    }
  };
  /// Leaves have a `count` and `corners(k)`.
  template <typename Leaf>
  [[nodiscard, gnu::noinline]] Ends endsOf(const Leaf& a, const Leaf& b) const {
    Ends ends;
    ends.rounding = rounding_;
    const auto along = [&](const Leaf& leaf, const Vec3& d, double side, double weight,
                           std::array<double, 8>& most) {
      double size = 0;
      for (std::uint32_t k = 0; k < leaf.count; ++k) {
        const Triangle t = leaf.corners(k);
        most[k] = side * dot(d, t.v[0]);
        for (const Vec3& v : t.v) {
          most[k] = std::max(most[k], side * dot(d, v));
          size = std::max(size, sumOfMagnitudes(v));
        }
        most[k] *= side;
      }
      ends.rounding += 0x1p-45 * weight * size;
    };
    along(a, ofA_, 1, 1, ends.high);
    along(b, ofB_, -1, weightOfB_, ends.low);
    for (double& low : ends.low) low += shift_;
    return ends;
  }

 private:
  static double sumOfMagnitudes(const Vec3& v) { return std::abs(v.x) + std::abs(v.y) + std::abs(v.z); }
  static double sizeOf(const Vec3& centre, const Vec3& half) {
    return sumOfMagnitudes(centre) + sumOfMagnitudes(half);
  }
  static bool isFar(double gap, double distance, double rounding) {
    return gap > rounding && gap > distance - rounding;
  }
  static double endOf(const Box& box, const Vec3& d, double side) {
    Vec3 w = d;
    if (box.frame != nullptr) {
      const Matrix3 inverse = inverseOf(*box.frame);
      w = {dot(inverse.column(0), d), dot(inverse.column(1), d), dot(inverse.column(2), d)};
    }
    const Vec3 reach{std::abs(w.x), std::abs(w.y), std::abs(w.z)};
    return dot(w, box.centre) + side * dot(reach, box.half);
  }

  Vec3 ofA_, ofB_;
  double shift_ = 0, weightOfB_ = 0, rounding_ = 0;
};

}  // namespace fitup::detail
