#include <fitup/mesh/weld.h>

#include <bit>
#include <cstddef>
#include <limits>

namespace fitup {
namespace {

/// Spreads the bits of a number over the whole word (the finalizer of MurmurHash3 by A. Appleby).
std::uint64_t mixed(std::uint64_t bits) noexcept {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdULL;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return bits ^ (bits >> 33);
}

template <typename Point>
std::uint64_t hashOf(const Point& p) noexcept {
  // The sum turns -0 into 0, which is equal to it.
  const auto bits = [](double coordinate) { return std::bit_cast<std::uint64_t>(coordinate + 0.0); };
  return mixed(mixed(mixed(bits(p.x)) + bits(p.y)) + bits(p.z));
}

/// Indices of distinct points in slots by hash, each in the first free slot (open addressing).
template <typename Point>
std::vector<std::uint32_t> weld(std::span<const Point> points, const WorkMeter& meter) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> slots(std::bit_ceil(points.size() + points.size() / 2 + 1), none);
  const std::size_t mask = slots.size() - 1;
  std::vector<std::uint32_t> representative(points.size());
  polledLoop(points.size(), meter, [&](std::size_t i) {
    const Point& p = points[i];
    representative[i] = static_cast<std::uint32_t>(i);
    if (!(p == p)) return;  // many NaN points would fill one row of slots
    std::size_t slot = hashOf(p) & mask;
    while (slots[slot] != none && !(points[slots[slot]] == p)) slot = (slot + 1) & mask;
    if (slots[slot] == none)
      slots[slot] = static_cast<std::uint32_t>(i);
    else
      representative[i] = slots[slot];
  });
  return representative;
}

}  // namespace

std::vector<std::uint32_t> weldByCoordinates(std::span<const Point3f> points, const WorkMeter& meter) {
  return weld(points, meter);
}
std::vector<std::uint32_t> weldByCoordinates(std::span<const Vec3> points, const WorkMeter& meter) {
  return weld(points, meter);
}

}  // namespace fitup
