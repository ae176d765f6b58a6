#pragma once

#include <vector>

#include <fitup/motion/replay.h>

namespace fitup::detail {

/// Where instances are at a step of a track, or in the design without one. Refers to both arguments.
class FITUP_EXPORT StepPlacements {
 public:
  StepPlacements(const Assembly& assembly, const Track* track);
  /// worldFromPart.
  [[nodiscard]] Transform at(NodeId instance, std::size_t step) const;

 private:
  const Assembly& assembly_;
  const Track* track_;
  std::vector<NodeId> moved_;
};

}  // namespace fitup::detail
