#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include <fitup/scene/clearance.h>
#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// The distance of moving groups from what does not move with them: from an instance of a group to the
/// nearest one outside the group, over the pairs that the rules select. Thread-safe after construction.
class NearestOther {
 public:
  NearestOther(const Scene& scene, std::span<const std::vector<NodeId>> groups, const Rules& rules);

  /// Instances that any of the groups is measured against, ascending.
  [[nodiscard]] std::vector<NodeId> others() const;
  /// The nearest pair at these poses; empty if there is no pair. Throws as `minimumDistance`.
  [[nodiscard]] std::optional<InstanceDistance> at(const Poses& poses, const Progress& progress = {}) const;

 private:
  Scene scene_;
  /// Moving instances by the instances that each of them is measured against: one query for each key.
  std::map<std::vector<NodeId>, std::vector<NodeId>> moversByOthers_;
};

}  // namespace fitup
