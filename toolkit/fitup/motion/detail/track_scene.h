#pragma once

#include <cstdint>
#include <vector>

#include <fitup/motion/replay.h>

namespace fitup::detail {

/// A track against its scene: which instances move, with which group, and which pairs that makes.
struct TrackScene {
  static constexpr std::uint32_t resting = ~0U;

  std::vector<MovedGroup> groups;
  std::vector<PlacedInstance> design;  ///< by position: moved ones as designed, others where poses have them
  std::vector<std::uint32_t> groupOf;  ///< by position in `design`, or `resting`
  std::vector<std::uint32_t> moved, rest;
  /// Moved instances of different groups, but for groups that move alike in every step: their distance never
  /// changes, they are one rigid group.
  std::vector<CandidatePair> movedPairs;
  /// By group: the middle of the box of what moves with it, in the world, in the design placement.
  std::vector<Vec3> centres;

  /// Throws as `resolve` and `PairList`.
  TrackScene(const Scene& scene, const Poses& poses, const Track& track, bool force,
             const WorkMeter& meter = {});
};

}  // namespace fitup::detail
