// A second, sharper comparison of boxes of two nodes, for one target. See lanes-inl.h for inclusion.

#if defined(FITUP_CLOSER_BOXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_CLOSER_BOXES_INL
#undef FITUP_CLOSER_BOXES_INL
#else
#define FITUP_CLOSER_BOXES_INL
#endif

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/pair_set.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_frame_matrix.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/detail/wide_trees-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Up to eight boxes as stored, in the axes of one frame.
struct StoredBoxes {
  NodeBoxes boxes;
  const WideFrame& frame;
  bool isTurned;                             ///< the frame is not that of the model
  const WideCylinders* cylinders = nullptr;  ///< in both sets, or in none
};

/// Compares boxes in double precision, where the traversal allows for roundings in 32 bits of the parts' size
/// (`WideQuery`); on demand also along the cross products of the boxes' edges, so along all fifteen axes of
/// Gottschalk, Lin and Manocha (1996). For placements that are rigid or mirrored.
///
/// *Bound.* A point p of B in a box of frame F has q = F p, and in frame G of A the coordinates G (M p + t),
/// so the box is mapped by K = G M F^-1. F^-1 and K^-1 are those of the stored numbers, to double precision
/// (wide_frame_matrix.h): K need not be orthogonal, but is nearly so, and no entry is much above 1. Along a
/// direction d, a box of A reaches |d| . h, and one of B the sum of |d . k| h over the columns k of K. All
/// values are sums of fewer than 64 products in double precision of terms that S bounds, in the frame of B
/// S'. 2^-40 S and 2^-40 S', the slacks of `WideQuery` times 2^-22, are more than what they round by.
///
/// *Cylinders.* A point of one is c + s n + w, where |s| <= h, |w| <= r and |w . n| <= 2^-21 h, and K is
/// orthogonal up to 2^-20: 2^-19 (h + r) of both covers that, and the slack of boxes the rest.
class CloserBoxes {
 public:
  CloserBoxes(const Transform& aFromB, const WideQuery& query, const StoredBoxes& a, const StoredBoxes& b)
      : a_(a),
        b_(b),
        slackInA_(double{query.slackInA} * 0x1p-22),
        slackInB_(double{query.slackInB} * 0x1p-22),
        hasCylinders_(a.cylinders != nullptr && b.cylinders != nullptr) {
    k_ = matrixOf(aFromB);
    t_ = aFromB.t;
    if (b.isTurned) k_ = k_ * inverseOf(b.frame);
    if (a.isTurned) {
      const Matrix3 g = matrixOf(a.frame);
      k_ = g * k_;
      t_ = g * t_;
    }
    cofactors_ = cofactorsOf(k_);
    inverse_ = inverseOf(k_, cofactors_);
    for (std::size_t i = 0; i < 3; ++i) {
      centreA_[i] = Double8::fromFloats(a.boxes.centre[i]);
      halfA_[i] = Double8::fromFloats(a.boxes.half[i]);
    }
    for (std::size_t i = 0; i < 3; ++i) halfAInB_[i] = along(inverse_.row(i), halfA_, true);
  }

  /// Returns those of `asked`, pairs of a box of A, by lane, and one of B, by row, that may meet. `least`
  /// becomes at most the distance of any other.
  [[nodiscard]] std::uint64_t meeting(std::uint64_t asked, bool withEdges, float& least) const {
    std::uint64_t meet = 0;
    Float8 nearest = Float8::all(std::numeric_limits<float>::infinity());
    for (std::uint32_t rows = anyOfEach(asked); rows != 0; rows &= rows - 1) {
      const auto row = static_cast<std::uint32_t>(std::countr_zero(rows));
      const Float8 distance = distanceTo(row, withEdges).toFloats();
      const std::uint32_t there = maskAt(asked, row), found = FITUP_LANES::meeting(distance) & there;
      if (found != there) nearest = smaller(nearest, select(Mask8::of(there & ~found), distance, nearest));
      meet |= inOne(found, row);
    }
    least = smallestLane(nearest);
    return meet;
  }

 private:
  using Lanes3 = std::array<Double8, 3>;

  [[nodiscard]] Vec3 ofB(const float (*rows)[8], std::uint32_t row) const {
    return {rows[0][row], rows[1][row], rows[2][row]};
  }
  /// Returns d . v, or |d| . v.
  static HWY_INLINE Double8 along(const Vec3& d, const Lanes3& v, bool absolute) {
    const auto all = [&](double x) { return Double8::all(absolute ? std::abs(x) : x); };
    return mulAdd(all(d.x), v[0], mulAdd(all(d.y), v[1], all(d.z) * v[2]));
  }
  static double absoluteDot(const Vec3& d, const Vec3& h) {
    return std::abs(d.x) * h.x + std::abs(d.y) * h.y + std::abs(d.z) * h.z;
  }

  [[nodiscard]] Double8 distanceTo(std::uint32_t row, bool withEdges) const {
    const Vec3 halfB = ofB(b_.boxes.half, row), centreB = k_ * ofB(b_.boxes.centre, row) + t_;
    Lanes3 d;
    for (int i = 0; i < 3; ++i)
      d[static_cast<std::size_t>(i)] = centreA_[static_cast<std::size_t>(i)] - Double8::all(centreB[i]);
    Double8 most = Double8::all(-std::numeric_limits<double>::infinity());
    const auto consider = [&](const Double8& distance, const Double8& reach) {
      most = larger(most, magnitude(distance) - reach);
    };
    for (std::size_t i = 0; i < 3; ++i) {
      consider(d[i], halfA_[i] + Double8::all(absoluteDot(k_.row(i), halfB) + slackInA_));
      consider(along(inverse_.row(i), d, false),
               halfAInB_[i] + Double8::all(halfB[static_cast<int>(i)] + slackInB_));
    }
    if (withEdges) considerEdges(d, halfB, consider);
    if (hasCylinders_) most = larger(most, beyondCylinders(row));
    return most;
  }
  /// The cross product of axis i of A and column l of K is perpendicular to both. The other columns reach
  /// along it as far as the cofactors say.
  template <typename Consider>
  HWY_INLINE void considerEdges(const Lanes3& d, const Vec3& halfB, Consider&& consider) const {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, m = (i + 2) % 3;
      for (std::size_t l = 0; l < 3; ++l) {
        const std::size_t next = (l + 1) % 3, after = (l + 2) % 3;
        const double kj = k_.m[j][l], km = k_.m[m][l];
        const double ofB = std::abs(cofactors_.m[i][after]) * halfB[static_cast<int>(next)] +
                           std::abs(cofactors_.m[i][next]) * halfB[static_cast<int>(after)];
        consider(d[m] * Double8::all(kj) - d[j] * Double8::all(km),
                 mulAdd(halfA_[j], Double8::all(std::abs(km)),
                        mulAdd(halfA_[m], Double8::all(std::abs(kj)), Double8::all(ofB + 2 * slackInA_))));
      }
    }
  }
  /// As `distanceOf` of two cylinders.
  [[nodiscard]] HWY_INLINE Double8 beyondCylinders(std::uint32_t row) const {
    const auto lanes = [](const std::array<float, 8>& from) { return Double8::fromFloats(from.data()); };
    const WideCylinders &a = *a_.cylinders, &b = *b_.cylinders;
    const Vec3 axis{b.axis[0][row], b.axis[1][row], b.axis[2][row]};
    const double heightB = b.half[row], radiusB = b.radius[row], shiftB = b.shift[row];
    const Vec3 n = k_ * axis, centreB = k_ * (ofB(b_.boxes.centre, row) + shiftB * axis) + t_;
    const Lanes3 axisA{lanes(a.axis[0]), lanes(a.axis[1]), lanes(a.axis[2])};
    const Double8 shift = lanes(a.shift), heightA = lanes(a.half), radiusA = lanes(a.radius);
    Lanes3 d;
    for (std::size_t i = 0; i < 3; ++i)
      d[i] = mulAdd(axisA[i], shift, centreA_[i]) - Double8::all(centreB[static_cast<int>(i)]);
    const Double8 cosine = magnitude(along(n, axisA, false));
    const auto crossAlong = [&](std::size_t i, std::size_t j) {
      return axisA[i] * Double8::all(n[static_cast<int>(j)]) -
             axisA[j] * Double8::all(n[static_cast<int>(i)]);
    };
    const Lanes3 across{crossAlong(1, 2), crossAlong(2, 0), crossAlong(0, 1)};
    const Double8 sine =
        root(mulAdd(across[0], across[0], mulAdd(across[1], across[1], across[2] * across[2])));
    const Double8 slack = mulAdd(heightA + radiusA + Double8::all(heightB + radiusB), Double8::all(0x1p-19),
                                 Double8::all(4 * slackInA_));
    const Double8 alongA = magnitude(mulAdd(axisA[0], d[0], mulAdd(axisA[1], d[1], axisA[2] * d[2])));
    const Double8 alongB = magnitude(along(n, d, false));
    const Double8 ofB = Double8::all(heightB), ofRadiusB = Double8::all(radiusB);
    return larger(alongA - mulAdd(cosine, ofB, mulAdd(sine, ofRadiusB, heightA)),
                  alongB - mulAdd(cosine, heightA, mulAdd(sine, radiusA, ofB))) -
           slack;
  }

  StoredBoxes a_, b_;
  double slackInA_, slackInB_;
  bool hasCylinders_;
  Matrix3 k_, cofactors_, inverse_;
  Vec3 t_;
  Lanes3 centreA_, halfA_, halfAInB_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
