#pragma once

#include <cstdint>
#include <vector>

#include <fitup/motion/replay.h>

namespace fitup::detail {

/// A track resolved in its scene: the moving instances, their groups, and the resulting pairs.
struct TrackScene {
  static constexpr std::uint32_t resting = ~0U;

  std::vector<MovedGroup> groups;
  std::vector<PlacedInstance> design;  ///< by position: moved ones at design placements, others at `poses`
  std::vector<std::uint32_t> groupOf;  ///< by position in `design`, or `resting`
  std::vector<std::uint32_t> moved, rest;
  /// Pairs of moved instances of different groups. Groups that move alike in every step count as one rigid
  /// group, because their distances never change.
  std::vector<CandidatePair> movedPairs;
  /// By group: the centre of the box of everything that moves with it, in the world, in the design placement.
  std::vector<Vec3> centres;

  /// Throws as `resolve` and `PairList`.
  TrackScene(const Scene& scene, const Poses& poses, const Track& track, bool force,
             const WorkMeter& meter = {});
};

}  // namespace fitup::detail
