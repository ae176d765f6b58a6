#include <fitup/io/detail/step_placements.h>

namespace fitup::detail {

StepPlacements::StepPlacements(const Assembly& assembly, const Poses& poses, const Track* track)
    : assembly_(assembly), poses_(poses), track_(track) {
  if (track == nullptr) return;
  for (const std::string& path : track->moved) moved_.push_back(assembly.at(path));
}

Transform StepPlacements::at(NodeId instance, std::size_t step) const {
  for (std::size_t i = 0; i < moved_.size(); ++i)
    if (assembly_.isAtOrBelow(instance, moved_[i]))
      return track_->steps.at(step).at(i).transform() * assembly_.worldFromNode(instance);
  return atRest(instance);
}

Transform StepPlacements::atRest(NodeId instance) const {
  const Transform* placed = poses_.find(instance);
  return placed != nullptr ? *placed : assembly_.worldFromNode(instance);
}

}  // namespace fitup::detail
