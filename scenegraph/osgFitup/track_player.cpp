#include <osgFitup/track_player.h>

#include <string>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

TrackPlayer::TrackPlayer(osg::Node& root, const fitup::Track& track, bool force)
    : design_(detail::designAssembly(root)),
      track_(track),
      moved_(resolve(track, design_.assembly(), force)) {
  for (const fitup::MovedGroup& group : moved_) (void)detail::transformOf(design_, group.node);
}

void TrackPlayer::setStep(std::size_t step) {
  if (step >= track_.steps.size())
    throw fitup::InputError("track '" + track_.name + "'", "step " + std::to_string(step), "does not exist");
  for (std::size_t i = 0; i < moved_.size(); ++i)
    detail::setMatrix(
        detail::transformOf(design_, moved_[i].node),
        toMatrix(detail::placementAfter(design_, moved_[i].node, track_.steps[step][i].transform())));
}

}  // namespace osgFitup
