#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/replay.h>

namespace fitup::detail {

/// A track resolved in its scene: the moving instances, their groups, and the resulting pairs.
struct TrackScene {
  static constexpr std::uint32_t resting = ~0U;

  std::vector<MovedGroup> groups;
  std::vector<PlacedInstance> design;  ///< by position: moved ones at design placements, others at `poses`
  std::vector<std::uint32_t> groupOf;  ///< by position in `design`, or `resting`
  std::vector<std::uint32_t> moved, rest;
  /// Pairs of moved instances of different groups. Groups that move together at every step and all the way
  /// between count as one rigid group, because their distances never change. Equal poses do not suffice: two
  /// groups that turn alike, each about its own centre, move against each other.
  std::vector<CandidatePair> movedPairs;
  /// By group: the centre of its box, in the world, in the design placement.
  std::vector<Vec3> centres;

  /// Throws as `resolve` and `PairList`.
  TrackScene(const Scene& scene, const Poses& poses, const Track& track, bool force,
             const WorkMeter& meter = {});

  /// By group: the path from a step of the track to the next one; at the last step it stays there.
  [[nodiscard]] std::vector<RigidPath> pathsFrom(const Track& track, std::size_t step) const;
};

/// How exact distances along a track can be. Lengths in the world's unit.
struct MotionAccuracy {
  double size = 0;  ///< diagonal of the scene
  double rounding =
      0;  ///< largest error of a distance by the rounding of placements and of poses between steps
  double least =
      0;  ///< resolution that is reachable: four times the rounding, and 2^-39 of the way of a step
};
/// `corners`: of each instance in its design placement, by position in `TrackScene::design`. Throws
/// InputError for a step so far away that rounding would hide contact (by 1/64 of the diagonal of the scene).
MotionAccuracy motionAccuracy(const Assembly& assembly, const TrackScene& scene, const Track& track,
                              const std::vector<std::array<Vec3, 8>>& corners);

}  // namespace fitup::detail
