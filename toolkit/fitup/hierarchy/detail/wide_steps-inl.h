// The number of steps, like those made before, for which separated parts stay separated, for one target. See
// lanes-inl.h for inclusion.

#if defined(FITUP_WIDE_STEPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FITUP_WIDE_STEPS_INL
#undef FITUP_WIDE_STEPS_INL
#else
#define FITUP_WIDE_STEPS_INL
#endif

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fitup/hierarchy/detail/lane_rows-inl.h>
#include <fitup/hierarchy/detail/lanes-inl.h>
#include <fitup/hierarchy/detail/wide_boxes-inl.h>
#include <fitup/hierarchy/detail/wide_leaves-inl.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/hierarchy/wide_memory-inl.h>

HWY_BEFORE_NAMESPACE();
namespace fitup::detail {
namespace FITUP_LANES {

/// Sides of boxes, each multiplied by the steps for a unit gap on that side. The sums of those of A's and B's
/// boxes are the steps for which the boxes are separated on each side. Scaling rounds twice and the sum once,
/// together by 3 u S, which is part of the query's slack.
template <std::size_t N, std::size_t sides>
struct ScaledSides {
  Vecs<N> at[sides];

  [[nodiscard]] HWY_INLINE Floats<N> stepsTo(const ScaledSides& b) const {
    Floats<N> most = larger(at[0].x + b.at[0].x, larger(at[0].y + b.at[0].y, at[0].z + b.at[0].z));
    for (std::size_t s = 1; s < sides; ++s)
      most = larger(most, larger(at[s].x + b.at[s].x, larger(at[s].y + b.at[s].y, at[s].z + b.at[s].z)));
    return most;
  }
};
HWY_INLINE Vec8 scaled(const Vec8& v, const std::array<float, 3>& by) {
  return {v.x * Float8::all(by[0]), v.y * Float8::all(by[1]), v.z * Float8::all(by[2])};
}
HWY_INLINE Vec8 minus(const Vec8& v) {
  const Float8 zero = Float8::all(0);
  return {zero - v.x, zero - v.y, zero - v.z};
}
HWY_INLINE ScaledSides<8, 4> sidesOfA(const TwoFrames<8>& a, const BySide<float>& pace) {
  return {{scaled(minus(a.max), pace[beyondInA]), scaled(a.min, pace[shortInA]),
           scaled(minus(a.maxInB), pace[beyondInB]), scaled(a.minInB, pace[shortInB])}};
}
HWY_INLINE ScaledSides<8, 4> sidesOfB(const TwoFrames<8>& b, const BySide<float>& pace) {
  return {{scaled(b.min, pace[beyondInA]), scaled(minus(b.max), pace[shortInA]),
           scaled(b.minInB, pace[beyondInB]), scaled(minus(b.maxInB), pace[shortInB])}};
}
/// Compares rows of `b` with all of `a`, grouped as in `LaneRows`, and calls `work` with the steps of each
/// group.
template <std::size_t N, std::size_t sides, typename Work>
HWY_INLINE void forSteps(const ScaledSides<8, sides>& a, const ScaledSides<8, sides>& b, std::uint64_t asked,
                         Work&& work) {
  using Rows = LaneRows<N>;
  alignas(64) float ofB[3 * sides][8];
  ScaledSides<N, sides> each;
  for (std::size_t s = 0; s < sides; ++s) {
    storeVec(b.at[s], ofB + 3 * s);
    each.at[s] = Rows::each(a.at[s]);
  }
  Rows::forGroups(asked, [&](std::size_t g) {
    ScaledSides<N, sides> own;
    for (std::size_t s = 0; s < sides; ++s) own.at[s] = Rows::own(ofB + 3 * s, g);
    work(each.stepsTo(own), g);
  });
}

/// Returns in lane i the number of steps for which boxes i of A and B are separated, in the axes of one
/// frame.
HWY_INLINE Float8 stepsBetween(const EightBoxes& a, const EightBoxes& b, const std::array<float, 3>& beyond,
                               const std::array<float, 3>& below) {
  const auto along = [&](const Float8& shift, const Float8& halves, std::size_t axis) {
    return larger((shift - halves) * Float8::all(beyond[axis]),
                  (Float8::all(0) - shift - halves) * Float8::all(below[axis]));
  };
  const Vec8 shift = b.centre - a.centre, halves = a.half + b.half;
  return larger(along(shift.x, halves.x, 0),
                larger(along(shift.y, halves.y, 1), along(shift.z, halves.z, 2)));
}
HWY_INLINE Float8 stepsInA(const EightBoxes& a, const EightBoxes& b, const BySide<float>& pace) {
  return stepsBetween(a, b, pace[beyondInA], pace[shortInA]);
}
HWY_INLINE Float8 stepsInB(const EightBoxes& a, const EightBoxes& b, const BySide<float>& pace) {
  return stepsBetween(a, b, pace[beyondInB], pace[shortInB]);
}

/// Returns the number of steps for which boxes of triangles of two leaves stay separated. Precondition: none
/// meet.
template <std::size_t N>
HWY_INLINE float leastSteps(const LeafBoxes& a, const LeafBoxes& b, float cornerError,
                            const BySide<float>& pace) {
  const LeafBoxes grown = b.grown(cornerError);  // covers the rounding of the scaling
  const ScaledSides<8, 2> ofA{{scaled(minus(a.max), pace[beyondInA]), scaled(a.min, pace[shortInA])}};
  const ScaledSides<8, 2> ofB{{scaled(grown.min, pace[beyondInA]), scaled(minus(grown.max), pace[shortInA])}};
  const std::uint64_t asked = allPairs(a, b);
  const Floats<N> most = Floats<N>::all(std::numeric_limits<float>::infinity());
  Floats<N> least = most;
  // As in `meetingBoxes`: a lane for each triangle of B, a row for each of A.
  forSteps<N>(ofB, ofA, asked, [&](const Floats<N>& steps, std::size_t g) {
    least = smaller(least, select(Masks<N>::of(LaneRows<N>::at(asked, g)), steps, most));
  });
  return smallestLane(least);
}

/// Returns the smallest of some lanes.
HWY_INLINE float leastOf(const Float8& steps, std::uint32_t chosen) {
  return smallestLane(select(Mask8::of(chosen), steps, Float8::all(std::numeric_limits<float>::infinity())));
}

/// Directions along which a gap is known: along the axes of `MotionRate::along`, or unknown.
enum class GapDirection { along, anyWay };

/// The result of a query that finds nothing, for later queries: the least number of steps for which rejected
/// pairs stay separated. Without `mayCount` it never counts, and costs nothing.
template <bool mayCount>
class StepsLeft {
 public:
  void begin(const MotionRate& pace) {
    pace_ = &pace;
    least_ = {infinity, infinity};
  }
  /// True while steps are counted.
  [[nodiscard]] bool on() const noexcept { return mayCount && pace_ != nullptr; }
  void giveUp() { pace_ = nullptr; }
  /// Precondition here and below: `on()`.
  [[nodiscard]] const MotionRate& pace() const noexcept { return *pace_; }
  [[nodiscard]] const SafeSteps& least() const noexcept { return least_; }
  HWY_INLINE void rejected(float steps, GapDirection direction) {
    float& least = direction == GapDirection::along ? least_.along : least_.anyWay;
    least = std::min(least, steps);
    if (!(least > pace_->minUsefulSteps)) giveUp();
  }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  const MotionRate* pace_ = nullptr;
  SafeSteps least_;
};

}  // namespace FITUP_LANES
}  // namespace fitup::detail
HWY_AFTER_NAMESPACE();

#endif
