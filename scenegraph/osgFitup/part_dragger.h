#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <osg/Quat>
#include <osg/Transform>
#include <osg/observer_ptr>
#include <osg/ref_ptr>
#include <osgManipulator/Dragger>

#include <fitup/motion/drag_guard.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/track_recorder.h>

namespace FITUP_EXPORT osgFitup {

/// With `detect` and `stopAtContact` the monitor is asked at every motion.
using fitup::DragMode;

/// One drag, from START to FINISH: what an undo stack keeps.
struct DragMove {
  /// What a transform is set to, so that undo brings back the very numbers.
  struct Pose {
    osg::Matrixd matrix;
    osg::Vec3d position;  ///< this and attitude of a PositionAttitudeTransform
    osg::Quat attitude;
  };
  struct Node {
    osg::ref_ptr<osg::Transform> node;
    Pose before, after;
  };
  std::vector<Node> nodes;

  /// To be called in the update phase. Throw fitup::InputError for a node that is null.
  void undo() const;
  void redo() const;
};

/// Lets an osgManipulator dragger move parts and groups, as one rigid body:
///
///     dragger->addDraggerCallback(new osgFitup::PartDragger(dragger, scene, {partNode}));
///
/// in place of `addTransformUpdating`. World coordinates are those that `root` hangs in (of several parents
/// the first counts). The dragger may hang elsewhere, under other transforms; where it hangs within `root` it
/// has to be hidden from the drag by its node mask (`setTraversalMask`). When contact stops the parts the
/// dragger stops with them. Parts that are not dragged rest during a drag: they are read at its START. Nodes
/// below others that are dragged go with these.
///
/// Between drags it holds no reference to the scene, the parts, the monitor or the recorder, as a dragger
/// within the scene would keep all of them alive: who made them keeps them.
///
/// For the event or update phase. Errors (a part that is gone, a tolerance that is not known, a pose that
/// cannot be recorded) do not pass through the viewer: the parts stay where they are, and `getError` says
/// why.
class PartDragger : public osgManipulator::DraggerCallback {
 public:
  /// Observes all of them; `dragger` may be null. Throws fitup::InputError for no root, no nodes,
  /// and a node that is neither a MatrixTransform nor a PositionAttitudeTransform.
  PartDragger(osgManipulator::Dragger* dragger, osg::Node* root, const std::vector<osg::Node*>& dragged);

  /// Takes effect with the next START.
  void setMode(DragMode mode) noexcept { mode_ = mode; }
  [[nodiscard]] DragMode getMode() const noexcept { return mode_; }
  /// Nodes that it hides are no obstacles; as that of a visitor. Takes effect with the next START.
  void setTraversalMask(osg::Node::NodeMask mask) { masks_->setTraversalMask(mask); }
  /// Tolerance, resolution and rules of `DragMode::stopAtContact`.
  void setOptions(const fitup::DragOptions& options) { options_ = options; }
  /// Asked after every motion but in `DragMode::off`; its callbacks are called then. Observed; null: none.
  void setMonitor(InterferenceMonitor* monitor) { monitor_ = monitor; }
  /// Records every pose that is taken, from the START on. Observed; null: none.
  void setRecorder(TrackRecorder* recorder) { recorder_ = recorder; }
  /// Called with each FINISH, if something has moved; what the drag knows is still there.
  void setFinished(std::function<void(const DragMove&)> finished) { finished_ = std::move(finished); }

  /// What stopped the parts at the last motion of the drag that goes on; ids are those of `getSceneAssembly`.
  [[nodiscard]] const std::optional<fitup::DragStop>& getStop() const noexcept { return stop_; }
  /// The scene as it was at the START of the drag that goes on; empty between drags.
  [[nodiscard]] const SceneAssembly& getSceneAssembly() const noexcept { return scene_; }
  /// Empty, or why the last drag did not move anything.
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
  void place(const fitup::Transform& d);
  void record() const;

  osg::observer_ptr<osgManipulator::Dragger> dragger_;
  osg::observer_ptr<osg::Node> root_;
  osg::ref_ptr<osg::NodeVisitor> masks_;
  std::vector<osg::observer_ptr<osg::Transform>> dragged_;
  DragMode mode_ = DragMode::detect;
  fitup::DragOptions options_;
  osg::observer_ptr<InterferenceMonitor> monitor_;
  osg::observer_ptr<TrackRecorder> recorder_;
  std::function<void(const DragMove&)> finished_;

  // Of the drag that goes on:
  bool isDragging_ = false;
  DragMode modeNow_ = DragMode::off;
  SceneAssembly scene_;
  DragMove begun_;
  /// To be multiplied from the right, as OSG does: `topFrom...` leads to what the nodes at the top hang in.
  osg::Matrixd draggerBefore_, topFromWorld_, topFromDraggersParent_;
  std::unique_ptr<fitup::DragGuard> guard_;
  std::optional<fitup::DragStop> stop_;
  std::string error_;
};

}  // namespace osgFitup
