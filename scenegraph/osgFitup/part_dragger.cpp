#include <osgFitup/part_dragger.h>

#include <algorithm>
#include <utility>

#include <osg/PositionAttitudeTransform>
#include <osgManipulator/Command>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <osgFitup/detail/checked_scene.h>
#include <osgFitup/detail/given.h>
#include <osgFitup/detail/scene_motion.h>

namespace osgFitup {

using fitup::InputError;
using fitup::NodeId;
using fitup::Transform;
using osgManipulator::MotionCommand;

namespace {

DragMove::Pose poseOf(const osg::Transform& transform) {
  if (const auto* placed = transform.asPositionAttitudeTransform())
    return {detail::matrixOf(transform), placed->getPosition(), placed->getAttitude()};
  return {detail::matrixOf(transform), {}, {}};
}

void setPose(osg::Transform& transform, const DragMove::Pose& pose) {
  auto* placed = transform.asPositionAttitudeTransform();
  if (placed == nullptr) return detail::setMatrix(transform, pose.matrix);
  placed->setPosition(pose.position);
  placed->setAttitude(pose.attitude);
}

}  // namespace

void DragMove::undo() const {
  for (const Node& moved : nodes)
    setPose(detail::given(moved.node.get(), "DragMove::undo", "node"), moved.before);
}

void DragMove::redo() const {
  for (const Node& moved : nodes)
    setPose(detail::given(moved.node.get(), "DragMove::redo", "node"), moved.after);
}

namespace {

/// Uses the first of several places of the root.
osg::Matrixd topFromWorldOf(const osg::Node& root) {
  osg::NodePathList paths = root.getParentalNodePaths();
  if (paths.empty()) return {};
  paths.front().pop_back();
  return osg::computeLocalToWorld(paths.front());
}

/// Moves parts on that are behind the hand.
class EachFrame : public osg::NodeCallback {
 public:
  explicit EachFrame(PartDragger& parts) : parts_(&parts) {}
  void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
    // The parts may arrive, which removes this callback.
    const osg::ref_ptr<EachFrame> keep = this;
    traverse(node, visitor);
    osg::ref_ptr<PartDragger> parts;
    if (parts_.lock(parts)) parts->proceed();
  }

 private:
  osg::observer_ptr<PartDragger> parts_;
};

}  // namespace

PartDragger::PartDragger(osgManipulator::Dragger* dragger, osg::Node* root,
                         const std::vector<osg::Node*>& dragged)
    : dragger_(dragger), root_(root), masks_(new osg::NodeVisitor) {
  if (dragged.empty()) throw InputError("dragger", "nodes", "there are none");
  (void)detail::given(root, "PartDragger", "root");
  for (osg::Node* node : dragged)
    dragged_.emplace_back(&detail::movable(detail::given(node, "PartDragger", "dragged")));
}

bool PartDragger::receive(const MotionCommand& command) {
  try {
    switch (command.getStage()) {
      case MotionCommand::START:
        start();
        return true;
      case MotionCommand::MOVE:
        return move(command);
      case MotionCommand::FINISH:
        finish();
        return true;
      default:
        return false;
    }
  } catch (const fitup::Error& error) {
    error_ = error.what();
    return false;
  }
}

void PartDragger::start() {
  end();
  error_.clear();
  osg::ref_ptr<osg::Node> root;
  if (!root_.lock(root)) throw InputError("dragger", "root", "is gone");
  std::vector<osg::ref_ptr<osg::Transform>> dragged(dragged_.size());
  for (std::size_t i = 0; i < dragged.size(); ++i)
    if (!dragged_[i].lock(dragged[i])) throw InputError("dragger", "a dragged node", "is gone");
  scene_ = detail::checkedScene(*root, {.masks = masks_}).scene;
  std::vector<NodeId> nodes;
  for (const auto& node : dragged) nodes.push_back(detail::nodeOf(scene_, *node));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const bool goesWithAnother = std::any_of(nodes.begin(), nodes.end(), [&](NodeId other) {
      return other != nodes[i] && scene_.assembly().isAtOrBelow(nodes[i], other);
    });
    if (!goesWithAnother) begun_.nodes.push_back({dragged[i], poseOf(*dragged[i]), poseOf(*dragged[i])});
  }
  topFromWorld_ = topFromWorldOf(*root);
  osg::ref_ptr<osgManipulator::Dragger> dragger;
  if (dragger_.lock(dragger)) {
    draggerBefore_ = dragger->getMatrix();
    const osg::MatrixList tops = dragger->getWorldMatrices();
    const osg::Matrixd top = tops.empty() ? draggerBefore_ : tops.front();
    topFromDraggersParent_ = osg::Matrixd::inverse(draggerBefore_) * top;
  }
  modeNow_ = mode_;
  if (fitup::isGuarded(modeNow_)) {
    std::vector<NodeId> instances;
    for (const auto& node : dragged)
      for (const NodeId instance : scene_.instancesBelow(*node))
        if (std::find(instances.begin(), instances.end(), instance) == instances.end())
          instances.push_back(instance);
    fitup::DragOptions options = options_;
    if (!options.limits.timeBudget) options.limits.timeBudget = fitup::defaultDragBudget;
    const fitup::RigidMotion start;
    if (modeNow_ == DragMode::slide)
      slide_ = std::make_unique<fitup::SlideGuard>(scene_.scene, scene_.poses, instances, start,
                                                   fitup::SlideOptions{freedom_, options});
    else
      guard_ = std::make_unique<fitup::DragGuard>(scene_.scene, scene_.poses, instances, start, options);
  }
  record();
  isDragging_ = true;
}

bool PartDragger::move(const MotionCommand& command) {
  if (!isDragging_) return false;
  // v * matrix in OSG's order: to the dragger's coordinates, the motion, and back. The command knows the way
  // from the dragger to the top.
  const osg::Matrixd atTop =
      command.getWorldToLocal() * command.getMotionMatrix() * command.getLocalToWorld();
  const Transform d = toTransform(topFromWorld_ * atTop * osg::Matrixd::inverse(topFromWorld_));
  stop_.reset();
  holding_.clear();
  if (guard_)
    follow(guard_->update(detail::rigidMotion(d)));
  else if (slide_)
    follow(slide_->update(detail::rigidMotion(d)));
  else
    show(d);
  return true;
}

bool PartDragger::proceed() {
  if (!isDragging_ || !isBehind_) return false;
  try {
    if (guard_)
      follow(guard_->proceed());
    else
      follow(slide_->proceed());
  } catch (const fitup::Error& error) {
    error_ = error.what();
    isBehind_ = false;
  }
  return isBehind_;
}

void PartDragger::follow(const fitup::DragUpdate& update) {
  stop_ = update.stop;
  follow(update.pose, update.status);
}

void PartDragger::follow(const fitup::SlideUpdate& update) {
  holding_ = update.holding;
  follow(update.pose, update.status);
}

/// Shows where the guard has let the parts go, and sees to it that they go on.
void PartDragger::follow(const fitup::RigidMotion& pose, fitup::ReportStatus status) {
  isBehind_ = status == fitup::ReportStatus::truncated;
  show(pose.transform());
  osg::ref_ptr<osgManipulator::Dragger> dragger;
  if (!dragger_.lock(dragger)) return;
  dragger->setMatrix(draggerBefore_ * topFromDraggersParent_ * osg::Matrixd::inverse(topFromWorld_) *
                     toMatrix(pose.transform()) * topFromWorld_ *
                     osg::Matrixd::inverse(topFromDraggersParent_));
  if (isBehind_ == eachFrame_.valid()) return;
  if (isBehind_) {
    eachFrame_ = new EachFrame(*this);
    dragger->addUpdateCallback(eachFrame_);
  } else {
    dragger->removeUpdateCallback(eachFrame_);
    eachFrame_ = nullptr;
  }
}

void PartDragger::show(const Transform& d) {
  place(d);
  osg::ref_ptr<InterferenceMonitor> monitor;
  if (modeNow_ != DragMode::off && monitor_.lock(monitor)) monitor->update();
}

void PartDragger::record() const {
  osg::ref_ptr<TrackRecorder> recorder;
  if (recorder_.lock(recorder)) recorder->record();
}

void PartDragger::place(const Transform& d) {
  std::vector<DragMove::Pose> before;
  for (const DragMove::Node& moved : begun_.nodes) before.push_back(poseOf(*moved.node));
  try {
    for (const DragMove::Node& moved : begun_.nodes)
      detail::setMatrix(*moved.node,
                        toMatrix(detail::placementAfter(scene_, detail::nodeOf(scene_, *moved.node), d)));
    record();
  } catch (const fitup::Error&) {
    for (std::size_t i = 0; i < before.size(); ++i) setPose(*begun_.nodes[i].node, before[i]);
    throw;
  }
}

void PartDragger::finish() {
  if (!std::exchange(isDragging_, false)) return;
  bool hasMoved = false;
  for (DragMove::Node& moved : begun_.nodes) {
    moved.after = poseOf(*moved.node);
    hasMoved = hasMoved || moved.after.matrix != moved.before.matrix;
  }
  if (hasMoved && finished_) finished_(begun_);
  end();
}

void PartDragger::end() {
  isDragging_ = isBehind_ = false;
  osg::ref_ptr<osgManipulator::Dragger> dragger;
  if (eachFrame_ && dragger_.lock(dragger)) dragger->removeUpdateCallback(eachFrame_);
  eachFrame_ = nullptr;
  guard_.reset();
  slide_.reset();
  stop_.reset();
  holding_.clear();
  begun_.nodes.clear();
  scene_ = SceneAssembly();
}

}  // namespace osgFitup
