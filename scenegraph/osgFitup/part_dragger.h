#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <osg/NodeCallback>
#include <osg/Quat>
#include <osg/Transform>
#include <osg/observer_ptr>
#include <osg/ref_ptr>
#include <osgManipulator/Dragger>

#include <fitup/motion/live_engine.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/track_recorder.h>

namespace FITUP_EXPORT osgFitup {

/// The drag mode. With all but `off`, every motion asks the monitor.
using fitup::DragMode;

/// One drag, from START to FINISH, for an undo stack.
struct DragMove {
  /// The full state of a transform, so that undo restores exactly the same numbers.
  struct Pose {
    osg::Matrixd matrix;
    osg::Vec3d position;  ///< for a PositionAttitudeTransform
    osg::Quat attitude;   ///< for a PositionAttitudeTransform
  };
  /// A dragged transform with its state at START and at FINISH.
  struct Node {
    osg::ref_ptr<osg::Transform> node;
    Pose before, after;
  };
  std::vector<Node> nodes;

  /// Restores the state at START. Call it in the update phase. Throws fitup::InputError for a null node.
  void undo() const;
  /// Restores the state at FINISH, under the same conditions as `undo`.
  void redo() const;
};

/// Lets an osgManipulator dragger move parts and groups as one rigid body. Add it to the dragger in place of
/// `addTransformUpdating`:
///
///     dragger->addDraggerCallback(new osgFitup::PartDragger(dragger, scene, {partNode}));
///
/// World coordinates are those of the parent of `root` (the first of several). The dragger may be elsewhere
/// in the graph, below other transforms; if it is below `root`, hide it from the drag with its node mask
/// (`setTraversalMask`). When contact stops the parts, or they slide along it, the dragger is where they are.
/// Parts that are not dragged must rest during a drag: their placements are read at its START. Nodes below
/// other dragged nodes move with these.
///
/// Between drags the object holds no reference to the scene, the parts, the monitor or the recorder, because
/// a dragger within the scene would otherwise keep all of them alive. The caller owns them.
///
/// Call it in the event or update phase. Errors (a deleted part, an unknown tolerance, a pose that cannot be
/// recorded) are not thrown into the viewer: the parts stay where they are, and `getError` returns the
/// reason.
class PartDragger : public osgManipulator::DraggerCallback {
 public:
  /// Observes all arguments; `dragger` may be null. Throws fitup::InputError if there is no root or no node,
  /// and for a node that is neither a MatrixTransform nor a PositionAttitudeTransform.
  PartDragger(osgManipulator::Dragger* dragger, osg::Node* root, const std::vector<osg::Node*>& dragged);

  /// Default: `DragMode::detect`. Takes effect with the next START.
  void setMode(DragMode mode) noexcept { mode_ = mode; }
  [[nodiscard]] DragMode getMode() const noexcept { return mode_; }
  /// Node mask, as of a visitor: nodes that it hides are no obstacles. Takes effect with the next START.
  void setTraversalMask(osg::Node::NodeMask mask) { masks_->setTraversalMask(mask); }
  /// What parts may do to follow the hand with `DragMode::slide`. Takes effect with the next START.
  void setSlideFreedom(fitup::SlideFreedom freedom) noexcept { freedom_ = freedom; }
  /// Tolerance, resolution, rules and limits of `DragMode::stopAtContact` and `slide`. Unless they have a
  /// time budget, one motion takes no longer than `fitup::defaultDragBudget`, apart from the last examination
  /// of a pair. Parts that are then behind the hand go on in the update traversals that follow (of the
  /// dragger, if there is one; otherwise call `proceed`), until they arrive, are stopped, or FINISH leaves
  /// them where they are.
  void setOptions(const fitup::DragOptions& options) { options_ = options; }
  /// The monitor to ask after every motion, except in `DragMode::off`; its callbacks run then. Observed; null
  /// for none.
  void setMonitor(InterferenceMonitor* monitor) { monitor_ = monitor; }
  /// The recorder of every pose of a drag, from its START. Observed; null for none.
  void setRecorder(TrackRecorder* recorder) { recorder_ = recorder; }
  /// Sets a function that is called at each FINISH if something has moved, while the data of the drag are
  /// still available.
  void setFinished(std::function<void(const DragMove&)> finished) { finished_ = std::move(finished); }

  /// The obstacle that stopped the parts at the last motion of the current drag; ids are those of
  /// `getSceneAssembly`.
  [[nodiscard]] const std::optional<fitup::DragStop>& getStop() const noexcept { return stop_; }
  /// With `DragMode::slide`: where faces hold the parts at the last motion of the current drag.
  [[nodiscard]] const std::vector<fitup::SlideHold>& getHolding() const noexcept { return holding_; }
  /// True while the parts are on their way to the hand.
  [[nodiscard]] bool isBehind() const noexcept { return isBehind_; }
  /// Moves parts that are behind the hand on. Returns false if there is nothing to do.
  bool proceed();
  /// The scene at the START of the current drag; empty between drags.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept { return scene_; }
  /// The reason why the last drag did not move anything; empty if it did.
  [[nodiscard]] const std::string& getError() const noexcept { return error_; }

  using osgManipulator::DraggerCallback::receive;
  bool receive(const osgManipulator::MotionCommand& command) override;

 protected:
  ~PartDragger() override = default;

 private:
  void start();
  bool move(const osgManipulator::MotionCommand& command);
  void finish();
  void end();
  void follow(const fitup::DragUpdate& update);
  void follow(const fitup::SlideUpdate& update);
  void follow(const fitup::RigidMotion& pose, fitup::ReportStatus status);
  void show(const fitup::Transform& d);
  void place(const fitup::Transform& d);
  void record() const;

  osg::observer_ptr<osgManipulator::Dragger> dragger_;
  osg::observer_ptr<osg::Node> root_;
  osg::ref_ptr<osg::NodeVisitor> masks_;
  std::vector<osg::observer_ptr<osg::Transform>> dragged_;
  DragMode mode_ = DragMode::detect;
  fitup::SlideFreedom freedom_ = fitup::SlideFreedom::shiftAndTurn;
  fitup::DragOptions options_;
  osg::observer_ptr<InterferenceMonitor> monitor_;
  osg::observer_ptr<TrackRecorder> recorder_;
  std::function<void(const DragMove&)> finished_;

  // State of the current drag:
  bool isDragging_ = false;
  DragMode modeNow_ = DragMode::off;
  SceneAssembly scene_;
  DragMove begun_;
  /// OSG multiplies them from the right. `topFrom...` leads to the coordinates above the top nodes.
  osg::Matrixd draggerBefore_, topFromWorld_, topFromDraggersParent_;
  std::unique_ptr<fitup::DragGuard> guard_;
  std::unique_ptr<fitup::SlideGuard> slide_;
  std::optional<fitup::DragStop> stop_;
  std::vector<fitup::SlideHold> holding_;
  bool isBehind_ = false;
  osg::ref_ptr<osg::NodeCallback> eachFrame_;  ///< of the dragger, while the parts are behind
  std::string error_;
};

}  // namespace osgFitup
