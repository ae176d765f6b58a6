#pragma once

#include <cstdint>

#include <fitup/scene/assembly.h>

namespace fitup::models {

/// Two racks of square rods that run through each other at a right angle: each crossing intersects in eight
/// pairs of faces. Rod axes lie about half a rod apart, jittered from a seed, so that what intersects changes
/// a little at a time as a rack moves.
struct CrossedRodsOptions {
  int rods = 40;      ///< of each rack, six faces each
  double pitch = 30;  ///< between rods
  double thickness = 10;
  double jitter = 2;  ///< rods stand up to so much higher or lower; below a quarter of the thickness
  std::uint64_t seed = 1;
};

/// Unit mm. "crossed-rods/lower" along x and "crossed-rods/upper" along y, one part each.
Assembly makeCrossedRods(const CrossedRodsOptions& options = {});

}  // namespace fitup::models
