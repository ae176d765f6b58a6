#include <osgFitup/track_recorder.h>

#include <fitup/base/error.h>
#include <fitup/motion/replay.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

TrackRecorder::TrackRecorder(osg::Node& root, const std::vector<osg::Node*>& moved, std::string name)
    : root_(&root), design_(detail::designAssembly(root)) {
  fitup::Track begun{.name = std::move(name),
                     .unit = design_.assembly().unit(),
                     .modelHash = design_.assembly().contentHash()};
  for (const osg::Node* node : moved) {
    moved_.push_back(detail::nodeOf(design_, detail::given(node, "TrackRecorder", "moved")));
    (void)detail::transformOf(design_, moved_.back());
    begun.moved.push_back(design_.assembly().path(moved_.back()));
  }
  fitup::Box box;
  for (const fitup::MovedGroup& group :
       fitup::resolve(begun, design_.assembly(), true))  // throws if one lies below another
    for (const fitup::NodeId instance : group.instances) box.extend(design_.assembly().worldBounds(instance));
  recorder_.emplace(std::move(begun), box.empty() ? fitup::Vec3{} : box.centre());
}

void TrackRecorder::record() {
  // Parents may have been moved as well.
  fitup::Assembly now = design_.assembly();
  for (std::uint32_t i = 0; i < design_.nodes.size(); ++i)
    if (const osg::Transform* transform = design_.nodes[i]->asTransform())
      now.setPlacement(fitup::NodeId{i}, parentFromNode(*transform));
  std::vector<fitup::RigidMotion> step;
  for (const fitup::NodeId node : moved_)
    step.push_back(
        detail::rigidMotion(now.worldFromNode(node) * design_.assembly().worldFromNode(node).inverse()));
  recorder_->add(step, true);
}

}  // namespace osgFitup
