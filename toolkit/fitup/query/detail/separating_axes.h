#pragma once

#include <array>

#include <fitup/geometry/vectors-inl.h>

namespace fitup::detail {

/// Result of the preparation of two parts.
enum class BoxTestResult {
  unknown,  ///< plain code is needed
  placed,   ///< B is placed in A
  close,    ///< B is placed in A; the boxes are separated if rounding is in favour of that
  apart,    ///< the boxes are certainly separated; nothing is set
};

/// The axes of a box, as columns or as rows.
using Axes = std::array<Float4, 3>;
/// Linear combination of the axes.
[[gnu::always_inline]] inline Float4 combined(const Axes& of, Float4 by) {
  return of[0] * by[0] + of[1] * by[1] + of[2] * by[2];
}

/// The boxes of two parts in the axes of the first, A, and the test of their fifteen axes (Gottschalk, Lin
/// and Manocha 1996, section 5): the axes of both boxes, and the cross products of one of each. It uses 32
/// bits, so that one test serves every instruction set; code of all instruction sets inlines it. (Four
/// doubles at once would take a few instructions less where they exist, and find smaller gaps.)
///
/// *Bound.* u = 2^-24. Let h be the sum of all half extents and d the sum of the magnitudes of the distance
/// between the centres. The axes are those of both placements in the world, or those of B in A alone. They
/// are orthonormal up to f in each square and product: E = M^T M - 1 has |E|_2 <= 3 f, and cof M = det M * M
/// (1 + E)^-1 differs from +-M by at most 9 f. A box therefore reaches at most 9 f h further along a
/// direction as computed than assumed, and distances that are transformed into the axes of A or B, or
/// multiplied there, are off by 9 f d. Cosines are rounded by at most 6 u, and products and sums of them with
/// half extents or distances by fewer than 26 u: 2^-19. The sum of both, (9 f + 2^-19)(h + d), is below 2^-16
/// (h + d) if f < 2^-20, and below 2^-18 (h + d) if f < 2^-24: `slackOf`.
///
/// The centres and the placed coordinates, which come from an inverse and a
/// product, take fewer than 64 roundings in double precision of terms that `magnitude` bounds, with
/// orthonormal axes: below 2^-46; 2^-40 is more. Components beyond 2^60 could overflow in products, so
/// nothing is decided for them. A direction that is not of unit length has errors larger by its length.
struct SeparatingAxes {
  Float4 halfA, halfB;  ///< half extents; fourth lanes are zero
  Axes axesOfB;         ///< in the axes of A
  Float4 distance;      ///< between the centres, in the axes of A
  float slack;          ///< for each unit of length of a direction: `slackOf`

  /// `sizes` is h + d. Precondition: f < 2^-20, or 2^-24 if `precise`.
  static float slackOf(double sizes, double magnitude, bool precise) noexcept {
    return static_cast<float>((precise ? 0x1p-18 : 0x1p-16) * sizes + 0x1p-40 * magnitude) * (1 + 0x1p-20F);
  }

  /// Calls `isEnough(distances, reaches, group)` for five groups of three axes until it returns true: group 0
  /// has the axes of A, 1 those of B, and 2 + j the cross products of each axis of A with axis j of B.
  template <typename IsEnough>
  [[gnu::always_inline]] bool untilEnough(IsEnough&& isEnough) const {
    const Axes& b = axesOfB;
    const Axes cosines{magnitude(b[0]), magnitude(b[1]), magnitude(b[2])};
    const Float4 granted = broadcast(slack);
    if (isEnough(magnitude(distance), halfA + combined(cosines, halfB) + granted, 0)) return true;
    const Axes rows = transposed(b),
               rowsOfCosines{magnitude(rows[0]), magnitude(rows[1]), magnitude(rows[2])};
    if (isEnough(magnitude(combined(rows, distance)), halfB + combined(rowsOfCosines, halfA) + granted, 1))
      return true;
    const Float4 nextA = yzx(halfA), afterA = zxy(halfA), next = yzx(distance), after = zxy(distance);
    const auto across = [&](std::size_t j, std::size_t k, std::size_t l) __attribute__((always_inline)) {
      const Float4 ofA = zxy(cosines[j]) * nextA + yzx(cosines[j]) * afterA,
                   ofB = cosines[k] * halfB[static_cast<int>(l)] + cosines[l] * halfB[static_cast<int>(k)];
      return isEnough(magnitude(yzx(b[j]) * after - zxy(b[j]) * next), ofA + ofB + granted,
                      2 + static_cast<int>(j));
    };
    return across(0, 1, 2) || across(1, 2, 0) || across(2, 0, 1);
  }
  /// Returns an axis in the axes of A. It is no longer than 1 up to rounding.
  [[nodiscard]] Float4 axis(int group, int lane) const {
    Float4 ofA{};
    ofA[lane] = 1;
    if (group == 0) return ofA;
    if (group == 1) return axesOfB[static_cast<std::size_t>(lane)];
    const Float4 ofB = axesOfB[static_cast<std::size_t>(group - 2)];
    return yzx(ofA) * zxy(ofB) - zxy(ofA) * yzx(ofB);
  }
  /// Gap between the boxes along the connection of their centres, times the length of the connection.
  [[nodiscard]] float beyondAlongCentres() const {
    const Float4 alongB = combined(transposed(axesOfB), distance);
    const Float4 along = magnitude(distance);
    return sumOf(distance * distance - along * slack - along * halfA - magnitude(alongB) * halfB);
  }
  /// Returns `apart`, `close` or `placed`. Cross products do not count as close, because they vanish for
  /// parallel axes.
  [[nodiscard, gnu::always_inline]] BoxTestResult test() const {
    Float4 most = broadcast(-2 * slack);
    const bool apart =
        untilEnough([&](Float4 distances, Float4 reaches, int group) __attribute__((always_inline)) {
          const Float4 beyond = distances - reaches;
          if (group < 2) most = beyond > most ? beyond : most;
          return threeBits(beyond > broadcast(0)) != 0;
        });
    if (apart) return BoxTestResult::apart;
    return threeBits(most > broadcast(-2 * slack)) != 0 ? BoxTestResult::close : BoxTestResult::placed;
  }
  [[nodiscard, gnu::always_inline]] bool areApart() const {
    return untilEnough([](Float4 distances, Float4 reaches, int)
                           __attribute__((always_inline)) { return threeBits(distances > reaches) != 0; });
  }
};

}  // namespace fitup::detail
