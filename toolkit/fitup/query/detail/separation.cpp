#include <fitup/query/detail/separation.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fitup/base/tuning-inl.h>
#include <fitup/query/detail/pair_preparation.h>

namespace fitup::detail {

void Separation::Part::set(const PosedModel& posed) noexcept {
  const PartBox& box = posed.model->box();
  const Transform& f = posed.worldFromPart;
  if (known && contentHash == posed.model->mesh().contentHash() && std::memcmp(&f, &then, sizeof f) == 0)
    return;
  known = true;
  contentHash = posed.model->mesh().contentHash();
  then = f;
  axes = {rowOf(f, 0), rowOf(f, 1), rowOf(f, 2)};
  centre = box.centre;
  const Float4 half = __builtin_bit_cast(Float4, box.half) * (1 + 0x1p-20F);
  halfSquare = sumOf(half * half);
  reach = half * (1 + 0x1p-18F);
  magnitude = magnitudeOf(posed);
  rigid = f.orthonormalError() < orthonormalTolerance;
}

// *Roundings.* Differences of placements and the motion d of the centre are rounded from double precision, u
// each. Along an axis, which is rounded itself, they are summed with less than 8 u |d|_1 and 8 u of the turn.
// The rounding of d in double precision is part of `offPlace_`.
[[gnu::always_inline]] inline void Separation::Motion::add(std::size_t part, const Part& then,
                                                           const Transform& now,
                                                           const std::array<const Rows*, 2>& axes) noexcept {
  // In pairs, as placements are written (four_doubles-inl.h).
  static_assert(sizeof(Transform) == 6 * sizeof(Double2));
  const auto by = [&](std::size_t i) {
    Double2 before, after;
    std::memcpy(&before, reinterpret_cast<const unsigned char*>(&then.then) + i * sizeof before,
                sizeof before);
    std::memcpy(&after, reinterpret_cast<const unsigned char*>(&now) + i * sizeof after, sizeof after);
    return after - before;
  };
  const Double2 m0 = by(0), m1 = by(1), m2 = by(2), m3 = by(3), m4 = by(4), m5 = by(5);
  const auto bits = [](Double2 v) { return __builtin_bit_cast(Long2, v); };
  const Long2 differs = (bits(m0) | bits(m1)) | (bits(m2) | bits(m3)) | (bits(m4) | bits(m5));
  if ((differs[0] | differs[1]) == 0) return;
  const Vec3& c = then.centre;
  const Double2 xy{c.x, c.y}, zx{c.z, c.x}, yz{c.y, c.z};
  const Double2 first = m0 * xy, firstAndNext = m1 * zx, next = m2 * yz, last = m3 * xy;
  const float moved[3] = {static_cast<float>(first[0] + first[1] + firstAndNext[0] + m4[1]),
                          static_cast<float>(firstAndNext[1] + next[0] + next[1] + m5[0]),
                          static_cast<float>(last[0] + last[1] + m4[0] * c.z + m5[1])};
  const auto floats = [](Double2 a, Double2 b) {
    return __builtin_shufflevector(__builtin_convertvector(a, Float2), __builtin_convertvector(b, Float2), 0,
                                   1, 2, 3);
  };
  // Fourth lanes hold the number that follows a row.
  const Float4 middle = floats(m1, m2);
  const Float4 turned[3] = {floats(m0, m1), __builtin_shufflevector(middle, middle, 1, 2, 3, 0),
                            floats(m3, m4)};
  Squares& square = squares[part];
  square.shift = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
  square.turn = sumOf(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2]);
  square.half = then.halfSquare;
  const float sign = part == 0 ? -1 : 1;
  for (std::size_t of = 0; of < 2; ++of) {
    const Rows& rows = *axes[of];
    shift[of] += (rows[0] * moved[0] + rows[1] * moved[1] + rows[2] * moved[2]) * sign;
    for (int j = 0; j < 3; ++j)
      turn[of] +=
          magnitude(rows[0] * turned[0][j] + rows[1] * turned[1][j] + rows[2] * turned[2][j]) * then.reach[j];
  }
  error += 0x1p-20F * (std::abs(moved[0]) + std::abs(moved[1]) + std::abs(moved[2]));
}

float Separation::Motion::anyWay() const noexcept {
  float sum = 2 * error;
  for (const Squares& s : squares) sum += std::sqrt(s.turn * s.half) + std::sqrt(s.shift);
  return sum * (1 + 0x1p-18F);
}

bool Separation::isOf(const PosedModel& first, const PosedModel& second) const noexcept {
  const std::uint64_t h = first.model->mesh().contentHash(), k = second.model->mesh().contentHash();
  return (h == a_.contentHash && k == b_.contentHash) || (h == b_.contentHash && k == a_.contentHash);
}
Separation::Motion Separation::motionTo(const PosedModel& first, const PosedModel& second) const noexcept {
  const bool swapped =
      a_.contentHash == b_.contentHash ? swapped_ : first.model->mesh().contentHash() != a_.contentHash;
  const std::array<const Rows*, 2> axes{&a_.axes, &b_.axes};
  Motion motion;
  motion.error = offPlace_;
  motion.add(0, a_, (swapped ? second : first).worldFromPart, axes);
  motion.add(1, b_, (swapped ? first : second).worldFromPart, axes);
  return motion;
}

void Separation::keep(const PosedModel& first, const PosedModel& second, bool swapped,
                      const std::optional<RatedSafeSteps>& found) noexcept {
  if (found) missStreak_ = std::min(missStreak_ + 1, tuning::longestMissStreak);
  ++traversals_;
  a_.set(swapped ? second : first);
  b_.set(swapped ? first : second);
  swapped_ = swapped;
  questions_ = 0;
  const double magnitude = a_.magnitude + b_.magnitude;
  offPlace_ = static_cast<float>(0x1p-38 * magnitude);
  apart_ = {};
  // Keeps squares from vanishing or overflowing.
  if (!found || !a_.rigid || !b_.rigid || !(magnitude > 0x1p-40 && magnitude < 0x1p50)) return;
  // Slightly less, for axes that are orthonormal only up to rounding, and for products here.
  constexpr float sure = 1 - 0x1p-16F;
  apart_ = {found->apart.along * sure, found->apart.anyWay * sure};
  for (std::size_t s = 0; s < sideCount; ++s) {
    const auto& steps = found->pace.along[s];
    along_[s] = Float4{steps[0], steps[1], steps[2], 0};
  }
  anyWay_ = found->pace.anyWay;
}

bool Separation::holds(const PosedModel& first, const PosedModel& second) noexcept {
  if (!(apart_.along > 0 && apart_.anyWay > 0) || !isOf(first, second)) return false;
  const Motion motion = motionTo(first, second);
  if (isWithin(motion)) {
    missStreak_ = 0;
    return true;
  }
  motion_ = motion;
  return false;
}
bool Separation::isWithin(const Motion& motion) const noexcept {
  if (motion.tooFar()) return false;
  if (apart_.anyWay < std::numeric_limits<float>::infinity() && !(motion.anyWay() * anyWay_ < apart_.anyWay))
    return false;
  const Float4 along = broadcast(apart_.along);
  Int4 within = threeLanes;
  for (int s = 0; s < sideCount; ++s)
    within &= motion.towards(s) * along_[static_cast<std::size_t>(s)] < along;
  return threeBits(within) == 7U;
}

MotionRate Separation::pace(const PosedModel& first, const PosedModel& second) const noexcept {
  MotionRate pace;
  if (questions_ > 0 && isOf(first, second)) {
    const Motion motion = motion_ ? *motion_ : motionTo(first, second);
    const float anyWay = motion.anyWay();
    // More than rounding, and so little that products with coordinates neither vanish nor overflow.
    if (anyWay > 16 * offPlace_ && anyWay < 0x1p50F) {
      // The next motion may be along an axis with hardly any motion so far, so a small part is assumed along
      // all axes.
      const auto steps = static_cast<float>(questions_);
      for (std::size_t s = 0; s < sideCount; ++s) {
        const Float4 perGap = broadcast(steps) / larger(motion.towards(static_cast<int>(s)),
                                                        broadcast(tuning::leastPartOfMotion * anyWay));
        pace.along[s] = {perGap[0], perGap[1], perGap[2]};
      }
      pace.anyWay = steps / anyWay;
      pace.minUsefulSteps = 1;  // gaps that last for less are lost by the next query
      return pace;
    }
  }
  const double size = first.model->box().halfSum + second.model->box().halfSum;
  if (!(size > 0x1p-60 && size < 0x1p60)) return pace;
  pace.anyWay = static_cast<float>(1 / size);
  for (auto& side : pace.along) side = {pace.anyWay, pace.anyWay, pace.anyWay};
  return pace;
}

}  // namespace fitup::detail
