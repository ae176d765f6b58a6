#pragma once

#include <vector>

#include <fitup/motion/replay.h>

namespace fitup::detail {

/// Placements of instances at a step of a track. Instances that the track does not move, and all without a
/// track, are at `poses`. Refers to all arguments.
class FITUP_EXPORT StepPlacements {
 public:
  StepPlacements(const Assembly& assembly, const Poses& poses, const Track* track);
  /// worldFromPart.
  [[nodiscard]] Transform atRest(NodeId instance) const;
  [[nodiscard]] Transform at(NodeId instance, std::size_t step) const;

 private:
  const Assembly& assembly_;
  const Poses& poses_;
  const Track* track_;
  std::vector<NodeId> moved_;
};

}  // namespace fitup::detail
