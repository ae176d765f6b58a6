#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include <fitup/scene/clearance.h>
#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// How far groups that move are from what does not move with them: an instance of a group from the nearest
/// one outside of the group, of the pairs that the rules ask for. Thread-safe once made.
class NearestOther {
 public:
  NearestOther(const Scene& scene, std::span<const std::vector<NodeId>> groups, const Rules& rules);

  /// What any of the groups is measured against, ascending.
  [[nodiscard]] std::vector<NodeId> others() const;
  /// With instances where `poses` have them; nothing where there is no such pair. Throws as `leastDistance`.
  [[nodiscard]] std::optional<InstanceDistance> at(const Poses& poses, const Progress& progress = {}) const;

 private:
  Scene scene_;
  /// Instances that move, by those that each of them is measured against: one question for all of them.
  std::map<std::vector<NodeId>, std::vector<NodeId>> moversByOthers_;
};

}  // namespace fitup
