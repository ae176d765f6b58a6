#pragma once

#include <cstdint>

#include <fitup/geometry/transform.h>

namespace fitup::models {

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers on every machine, unlike the standard
/// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform over all rotations (Shoemake, Uniform random rotations, Graphics Gems III, 1992).
  Quaternion rotation();
  /// Uniform on the unit sphere.
  Vec3 direction();

 private:
  std::uint64_t state_;
};

}  // namespace fitup::models
