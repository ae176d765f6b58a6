#include <fitup/query/detail/boxes_apart.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fitup/geometry/vectors-inl.h>
#include <fitup/query/detail/two_placed_boxes.h>

namespace fitup::detail {
namespace {

/// In the first three lanes.
bool any(Int4 lanes) { return threeBits(lanes) != 0; }

/// A matrix by rows.
using Rows = std::array<Float4, 3>;

/// a^T b.
Rows transposedTimes(const Rows& a, const Rows& b) {
  Rows r;
  for (int i = 0; i < 3; ++i)
    r[static_cast<std::size_t>(i)] = b[0] * a[0][i] + b[1] * a[1][i] + b[2] * a[2][i];
  return r;
}
Float4 cross(Float4 a, Float4 b) { return yzx(a) * zxy(b) - zxy(a) * yzx(b); }
/// a^T v.
Float4 transposedTimes(const Rows& a, Float4 v) { return a[0] * v[0] + a[1] * v[1] + a[2] * v[2]; }

/// How far columns are from orthonormal: the larger of what squares are off one and products of neighbours
/// off zero.
Float4 offOrthonormal(const Rows& a) {
  const Float4 squares = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
  const Float4 products = a[0] * yzx(a[0]) + a[1] * yzx(a[1]) + a[2] * yzx(a[2]);
  const Float4 one{1, 1, 1, 1};
  return larger(magnitude(squares - one), magnitude(products));
}

/// What both boxes are to each other, in the world.
struct TwoBoxes {
  Float4 halfA, halfB;
  Rows axesA, axesB;                ///< as columns
  Float4 distance, alongA, alongB;  ///< between the centres, and along the axes of each
  float slack;                      ///< per unit of length of a direction

  /// Not along the axes, but along the connection of the centres as long as it is.
  [[nodiscard]] float beyondAlongCentres() const {
    return sumOf(distance * distance - magnitude(distance) * slack - magnitude(alongA) * halfA -
                 magnitude(alongB) * halfB);
  }
  /// Tells `enough` of each three axes by how much the boxes are apart along them, with a function that gives
  /// the axis of a lane in the world; ends where that says so.
  template <typename Enough>
  bool alongAxes(Enough&& enough) const;
};

template <typename Enough>
[[gnu::noinline]] bool TwoBoxes::alongAxes(Enough&& enough) const {
  const Float4 allSlack = broadcast(slack);
  const Rows aFromB = transposedTimes(axesA, axesB);
  const Rows cosines{magnitude(aFromB[0]), magnitude(aFromB[1]), magnitude(aFromB[2])};
  const auto columnOf = [](const Rows& rows) {
    return [&rows](int lane) { return Float4{rows[0][lane], rows[1][lane], rows[2][lane], 0}; };
  };
  if (enough(magnitude(alongB) - (halfB + transposedTimes(cosines, halfA) + allSlack), columnOf(axesB)))
    return true;
  const Rows turned = transposed(cosines);
  if (enough(magnitude(alongA) - (halfA + transposedTimes(turned, halfB) + allSlack), columnOf(axesA)))
    return true;

  const Float4 halfNext = yzx(halfB), halfAfter = zxy(halfB);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const auto row = [](const Rows& rows, int at) { return rows[static_cast<std::size_t>(at)]; };
    const Float4 apart = magnitude(row(aFromB, j) * alongA[k] - row(aFromB, k) * alongA[j]);
    const Float4 ofA = row(cosines, k) * halfA[j] + row(cosines, j) * halfA[k];
    const Float4 ofB = zxy(row(cosines, i)) * halfNext + yzx(row(cosines, i)) * halfAfter;
    const auto across = [&](int lane) { return cross(columnOf(axesA)(i), columnOf(axesB)(lane)); };
    if (enough(apart - (ofA + ofB + allSlack), across)) return true;
  }
  return false;
}

// Axes as in Gottschalk, Lin and Manocha (1996), section 5: those of both boxes, and the directions across
// one of each.
//
// *Bound.* u = 2^-24. Let h be the sum of all half extents and d that of the magnitudes of the distance
// between the centres. Axes are orthonormal up to 2^-20 an entry and rounded (u), so a box reaches along a
// direction as computed at most 2^-17 h further than assumed; cosines carry errors of at most 6 u, and
// products and sums of them with half extents or distances fewer than 16 u: together below (2^-17 + 2^-19)(h
// + d) < 2^-16 (h + d). The centres, and placed coordinates (architecture, section 4.2), which come from an
// inverse and a product, take fewer than 64 roundings in double precision of terms that `magnitude` bounds,
// with axes that are orthonormal: below 2^-46; 2^-40 is more. Components beyond 2^60 could overflow in
// products; nothing is judged there. A direction that is not of unit length has errors by so much larger.
std::optional<TwoBoxes> twoBoxes(const PosedModel& first, const PosedModel& second) noexcept {
  const PartBox &a = first.model->box(), &b = second.model->box();
  if (a.empty || b.empty) return std::nullopt;
  const Transform &fa = first.worldFromPart, &fb = second.worldFromPart;
  const Vec3 between = fb.apply(b.centre) - fa.apply(a.centre);
  const double magnitude = magnitudeOf(first) + magnitudeOf(second);
  if (!(magnitude < 0x1p60)) return std::nullopt;
  const Rows axesA{rowOf(fa, 0), rowOf(fa, 1), rowOf(fa, 2)}, axesB{rowOf(fb, 0), rowOf(fb, 1), rowOf(fb, 2)};
  const Float4 most{0x1p-20F, 0x1p-20F, 0x1p-20F, 0x1p-20F};
  // So that no number is no answer.
  if (any(~(offOrthonormal(axesA) < most) | ~(offOrthonormal(axesB) < most))) return std::nullopt;
  const Float4 distance = floats(between);
  const double slack = 0x1p-16 * (a.halfSum + b.halfSum + sumOfMagnitudes(between)) + 0x1p-40 * magnitude;
  return TwoBoxes{__builtin_bit_cast(Float4, a.half),
                  __builtin_bit_cast(Float4, b.half),
                  axesA,
                  axesB,
                  distance,
                  transposedTimes(axesA, distance),
                  transposedTimes(axesB, distance),
                  static_cast<float>(slack) * (1 + 0x1p-20F)};
}

}  // namespace

double magnitudeOf(const PosedModel& posed) noexcept {
  const PartBox& box = posed.model->box();
  return box.magnitude + sumOfMagnitudes(posed.worldFromPart.t) + box.halfSum;
}

bool boxesApartAlongAxes(const PosedModel& first, const PosedModel& second) noexcept {
  const std::optional<TwoBoxes> boxes = twoBoxes(first, second);
  return boxes && boxes->alongAxes([](Float4 apart, auto&&) { return any(apart > Float4{}); });
}

std::optional<Vec3> directionApart(const PosedModel& first, const PosedModel& second) noexcept {
  const std::optional<TwoBoxes> boxes = twoBoxes(first, second);
  if (!boxes) return std::nullopt;
  const float length = std::sqrt(sumOf(boxes->distance * boxes->distance));
  float most = boxes->beyondAlongCentres() / length;
  Float4 best = boxes->distance / length;
  if (!(most > 0)) most = 0;
  boxes->alongAxes([&](Float4 apart, auto&& axis) {
    for (int lane = 0; lane < 3; ++lane)
      if (apart[lane] > most) {
        most = apart[lane];
        best = axis(lane);
      }
    return false;
  });
  if (!(most > 0)) return std::nullopt;
  return Vec3{double{best[0]}, double{best[1]}, double{best[2]}};
}

}  // namespace fitup::detail
