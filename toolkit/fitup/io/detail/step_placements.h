#pragma once

#include <vector>

#include <fitup/motion/replay.h>

namespace fitup::detail {

/// Where instances are at a step of a track; what it does not move, and all without one, where poses have
/// them. Refers to all arguments.
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
