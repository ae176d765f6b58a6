#include <osgFitup/track_player.h>

#include <vector>

#include <osgFitup/conversions.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

TrackPlayer::TrackPlayer(osg::Node& root, const fitup::Track& track, bool force)
    : design_(detail::designAssembly(root)), poses_(track, design_.assembly(), force) {
  for (const fitup::MovedGroup& group : poses_.groups()) (void)detail::transformOf(design_, group.node);
}

void TrackPlayer::setTime(double time) {
  const std::vector<fitup::RigidMotion> poses = poses_.at(time);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const fitup::NodeId node = poses_.groups()[i].node;
    detail::setMatrix(detail::transformOf(design_, node),
                      toMatrix(detail::placementAfter(design_, node, poses[i].transform())));
  }
}

}  // namespace osgFitup
