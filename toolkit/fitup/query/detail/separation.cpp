#include <fitup/query/detail/separation.h>

#include <cmath>
#include <cstring>

namespace fitup::detail {
namespace {

/// Vector extension of GCC and Clang, in a register of the baseline instruction set.
using Double2 = double __attribute__((vector_size(16)));

Double2 twoAt(const void* from) {
  Double2 v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
double magnitudeOf(const PosedModel& posed) {
  const PartBox& box = posed.model.box();
  const Vec3& t = posed.worldFromPart.t;
  return box.magnitude + box.halfSum + std::abs(t.x) + std::abs(t.y) + std::abs(t.z);
}

}  // namespace

Separation::Side Separation::sideOf(const PosedModel& posed) noexcept {
  static_assert(sizeof(Transform) == sizeof(Numbers));
  const PartBox& box = posed.model.box();
  const Vec3& c = box.centre;
  Side side{posed.model.mesh().contentHash(),
            {},
            {c.x, c.y, c.z, c.x, c.y, c.z, c.x, c.y, c.z, 1, 1, 1},
            (double{box.half[0]} * box.half[0] + double{box.half[1]} * box.half[1] +
             double{box.half[2]} * box.half[2]) *
                (1 + 0x1p-20)};
  std::memcpy(side.then.data(), &posed.worldFromPart, sizeof side.then);
  return side;
}

Separation::Motion Separation::Side::motionTo(const Transform& now) const noexcept {
  const auto* numbers = reinterpret_cast<const unsigned char*>(&now);
  Double2 d[6], p[6];
  for (std::size_t i = 0; i < 6; ++i) {
    d[i] = twoAt(numbers + 2 * i * sizeof(double)) - twoAt(&then[2 * i]);
    p[i] = d[i] * twoAt(&centre[2 * i]);
  }
  const Double2 squares = (d[0] * d[0] + d[1] * d[1]) + (d[2] * d[2] + d[3] * d[3]);
  const double x = (p[0][0] + p[0][1]) + (p[1][0] + p[4][1]), y = (p[1][1] + p[2][0]) + (p[2][1] + p[5][0]),
               z = (p[3][0] + p[3][1]) + (p[4][0] + p[5][1]);
  return {squares[0] + squares[1] + d[4][0] * d[4][0], x * x + y * y + z * z};
}
double Separation::Side::distance(const Motion& m) const noexcept {
  return std::sqrt(m.turnSquared * radiusSquared) + std::sqrt(m.shiftSquared);
}

void Separation::keep(const PosedModel& first, const PosedModel& second, double gap) noexcept {
  gap_ = gap * (1 - 0x1p-16) - 0x1p-38 * (magnitudeOf(first) + magnitudeOf(second));
  moved_ = 0;
  questions_ = 0;
  // So that squares neither vanish nor overflow.
  if (!(gap_ > 0x1p-400 && gap_ < 0x1p60)) return forget();
  first_ = sideOf(first);
  second_ = sideOf(second);
}

bool Separation::holds(const PosedModel& first, const PosedModel& second) noexcept {
  if (!(gap_ > 0)) return false;
  const std::uint64_t a = first.model.mesh().contentHash(), b = second.model.mesh().contentHash();
  const bool swapped = a != first_.contentHash || b != second_.contentHash;
  if (swapped && (a != second_.contentHash || b != first_.contentHash)) return false;
  ++questions_;
  const Motion m = first_.motionTo((swapped ? second : first).worldFromPart),
               n = second_.motionTo((swapped ? first : second).worldFromPart);
  if (!(m.turnSquared < 0.01 && n.turnSquared < 0.01)) return false;
  // (p + q + r + s)^2 <= 4 (p^2 + q^2 + r^2 + s^2): most need no roots.
  if (4.001 * (first_.squareSum(m) + second_.squareSum(n)) < gap_ * gap_) return true;
  moved_ = first_.distance(m) + second_.distance(n);
  return moved_ < gap_;
}

}  // namespace fitup::detail
