#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include <fitup/geometry/transform.h>

namespace fitup::test {

/// Splitmix64: the same numbers on every machine and standard library, so that the seed in a failure message
/// is enough.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double low, double high) noexcept { return low + (high - low) * unit(); }
  std::uint32_t below(std::uint32_t n) noexcept { return static_cast<std::uint32_t>(next() % n); }
  /// In [low, high].
  int integer(int low, int high) noexcept {
    return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low + 1)));
  }
  Vec3 inCube(double half) noexcept {
    const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
    return {x, y, z};
  }

 private:
  std::uint64_t state_;
};

inline Transform shift(double x, double y, double z) { return Transform::translation({x, y, z}); }

/// Returns uniformly distributed rotations (Shoemake, Uniform Random Rotations, 1992).
inline Quaternion randomRotation(Random& random) {
  const double u = random.unit();
  const double a = 2 * std::numbers::pi * random.unit(), b = 2 * std::numbers::pi * random.unit();
  const double r = std::sqrt(1 - u), s = std::sqrt(u);
  return {r * std::sin(a), r * std::cos(a), s * std::sin(b), s * std::cos(b)};
}

/// Kinds of placement that the contract treats differently, or that make exact contact likely.
enum class PlacementClass {
  identity,
  translated,   ///< by whole numbers: lattices keep touching exactly
  quarterTurn,  ///< rotations that permute the axes, whole translations: exact contact under rotation
  rigid,
  mirrored,
  scaled,  ///< a different factor for each axis
  sheared,
};
inline constexpr std::array allPlacementClasses{
    PlacementClass::identity, PlacementClass::translated, PlacementClass::quarterTurn, PlacementClass::rigid,
    PlacementClass::mirrored, PlacementClass::scaled,     PlacementClass::sheared};

/// Returns a seeded placement of the class; translations stay within `reach` on each axis.
inline Transform randomPlacement(PlacementClass kind, Random& random, double reach) {
  const Vec3 shift = random.inCube(reach);
  const Vec3 whole{std::nearbyint(shift.x), std::nearbyint(shift.y), std::nearbyint(shift.z)};
  switch (kind) {
    case PlacementClass::identity:
      return {};
    case PlacementClass::translated:
      return Transform::translation(whole);
    case PlacementClass::quarterTurn: {
      std::array<std::size_t, 3> axis{0, 1, 2};
      for (std::size_t i = 2; i > 0; --i)
        std::swap(axis[i], axis[random.below(static_cast<std::uint32_t>(i + 1))]);
      Transform r;
      r.m = {};
      for (std::size_t i = 0; i < 3; ++i) r.m[i][axis[i]] = random.below(2) == 0 ? 1.0 : -1.0;
      if (r.determinant() < 0)
        for (double& v : r.m[0]) v = -v;
      r.t = whole;
      return r;
    }
    case PlacementClass::rigid:
      return Transform::rigid(randomRotation(random), shift);
    case PlacementClass::mirrored:
      return Transform::rigid(randomRotation(random), shift) * Transform::scaling(-1, 1, 1);
    case PlacementClass::scaled: {
      const double x = random.between(0.5, 2), y = random.between(0.5, 2), z = random.between(0.5, 2);
      return Transform::rigid(randomRotation(random), shift) * Transform::scaling(x, y, z);
    }
    case PlacementClass::sheared: {
      Transform shear;
      shear.m[0][1] = random.between(-1, 1);
      shear.m[0][2] = random.between(-1, 1);
      shear.m[1][2] = random.between(-1, 1);
      return Transform::rigid(randomRotation(random), shift) * shear;
    }
  }
  return {};
}

}  // namespace fitup::test
