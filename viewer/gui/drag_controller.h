#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include <QObject>

#include <fitup/motion/track_recording.h>
#include <viewer/core/gizmo.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// Moves instances as one rigid group, by mouse or by numbers. It asks for interference while they move,
/// stops them at contact if the mode says so, and makes one undoable change of each drag. It can record the
/// poses. Use it in the GUI thread.
class DragController : public QObject {
  Q_OBJECT

 public:
  explicit DragController(Document& document);

  [[nodiscard]] DragMode mode() const noexcept { return mode_; }
  /// Sets the mode of the next drag, and of the present one if both stop or slide.
  void setMode(DragMode mode);
  /// What parts may do to follow the hand while they slide. Also holds for the present drag.
  [[nodiscard]] SlideFreedom slideFreedom() const noexcept { return freedom_; }
  void setSlideFreedom(SlideFreedom freedom);

  /// The steps of nudges by keys, and of drags if `snaps`.
  [[nodiscard]] const GizmoSteps& steps() const noexcept { return steps_; }
  [[nodiscard]] bool snaps() const noexcept { return snaps_; }
  void setSteps(const GizmoSteps& steps, bool snaps);

  /// Returns false if nothing can be dragged now. While a part is still arriving from the drag before
  /// (`isArriving`), the new drag waits: it begins when the part has arrived, with what `moveTo` and `finish`
  /// have asked of it until then.
  bool begin(std::vector<NodeId> instances);
  /// Takes a motion in world coordinates, from the beginning of the drag. If it is a turn, `turn` says by how
  /// much, so that a recording has turns by more than half a turn.
  void moveTo(const RigidMotion& wanted, const std::optional<AxisTurn>& turn = {});
  /// Ends the drag when the part has arrived at its last wanted pose or is stopped, as far as that is known.
  void finish();
  /// Ends the drag at this motion from its beginning, regardless of contact.
  void finishAt(const RigidMotion& motion, const std::string& label);
  /// Returns to the beginning of the drag, and drops drags that wait. Also called if something else moves
  /// parts meanwhile, because the drag is about the former scene.
  void cancel();
  [[nodiscard]] bool isActive() const noexcept { return active_; }
  /// True while the hand has let the part go, and it is not known yet where the drag ends.
  [[nodiscard]] bool isArriving() const noexcept { return active_ && finishing_; }
  /// True while a drag waits for the one before.
  [[nodiscard]] bool hasWaiting() const noexcept { return !waiting_.empty(); }
  /// True while the part is on its way to the hand, or to where the hand let it go.
  [[nodiscard]] bool isBehind() const noexcept;
  /// Where the hand is.
  [[nodiscard]] const RigidMotion& wanted() const noexcept { return wanted_; }
  /// The shown placements of the dragged instances.
  [[nodiscard]] Poses poses() const;
  /// The shown placement of any instance. Precondition: the document has a session.
  [[nodiscard]] Transform worldFromPart(NodeId instance) const;
  /// True while these instances are dragged, and no others.
  [[nodiscard]] bool isDragging(std::span<const NodeId> instances) const noexcept;
  /// The middle of instances as they are shown. Precondition: the document has a session.
  [[nodiscard]] Vec3 centreOf(std::span<const NodeId> instances) const;
  /// The motion from the beginning of the drag to the shown placements.
  [[nodiscard]] const RigidMotion& shown() const noexcept;
  /// By how much the middle of the dragged parts has moved. Precondition: a drag is active.
  [[nodiscard]] Vec3 shift() const;
  /// The obstacle that stopped the part in the last answer of this drag, or of the previous one if nothing
  /// else has changed since.
  [[nodiscard]] const std::optional<DragStop>& stop() const noexcept;

  /// The faces that hold the part while it slides, in the last answer of this drag.
  [[nodiscard]] std::span<const SlideHold> holding() const noexcept;

  // ---- recording ----

  /// Starts to record the poses of these instances, and of all others that are moved from now on.
  void startRecording(const std::vector<NodeId>& instances);
  /// Records the current placements, even if nothing has moved far.
  void addKeyPose();
  /// Adds the track to the session; drops one with fewer than two steps.
  void stopRecording();
  [[nodiscard]] bool isRecording() const noexcept { return recording_; }
  [[nodiscard]] std::size_t recordedSteps() const { return recorder_ ? recorder_->track().steps.size() : 0; }

 signals:
  void moved();
  void ended();
  void modeChanged();
  void stepsChanged();
  void recordingChanged();

 private:
  /// A drag that waits for the one before.
  struct Waiting {
    std::vector<NodeId> instances;
    Vec3 centre;  ///< of the instances as they were shown when the user grabbed them
    RigidMotion wanted{};
    std::optional<AxisTurn> turn{};
    bool isFinished = false;
  };
  void start(std::vector<NodeId> instances);
  void ask();
  void beginWaiting();
  /// Makes one drag of the last two that wait, if they are shifts of the same instances: repeated nudges then
  /// take no longer than one.
  void mergeWaiting();
  /// The drag that waits, if the user still holds it.
  [[nodiscard]] Waiting* heldWaiting() noexcept;
  void answered();
  /// The drag state in the last answer, which may stop at contact; null before the first answer. What is
  /// shown is taken from here, so the order of the listeners of an answer does not matter.
  [[nodiscard]] const DragState* stopping() const noexcept;
  void commit(const std::string& label = "Move");
  void show(const RigidMotion& motion);
  void record(bool always);
  /// Records also these instances; they have rested since the recording began.
  void alsoRecord(const std::vector<NodeId>& instances);
  /// Records what was moved otherwise than by a drag: by a mate, a number, undo.
  void recordMoved();
  /// The motion of an instance when the recording began.
  [[nodiscard]] RigidMotion motionBefore(NodeId instance) const;
  /// The angle by which the shown pose is turned since the beginning of the drag, if that is a turn.
  [[nodiscard]] std::optional<double> degreesShown();

  Document& document_;
  DragMode mode_ = DragMode::detect;
  SlideFreedom freedom_ = SlideFreedom::shiftAndTurn;
  GizmoSteps steps_{1, 15};
  bool snaps_ = false;
  bool active_ = false, finishing_ = false;
  bool isFinal_ = false;                 ///< stays where it was put, whatever answers say
  DragMode modeNow_ = DragMode::detect;  ///< mode of the current drag
  std::uint64_t drag_ = 0;
  std::uint64_t firstTicket_ = 0, ticket_ = 0;  ///< tickets of the drag's questions; 0: none was asked
  Poses begunAt_;                               ///< the session's
  std::vector<NodeId> dragged_;
  std::deque<Waiting> waiting_;
  /// By how much the dragged instances moved on between the grab and the beginning of the drag. Motions that
  /// are asked for are about the place of the grab.
  Vec3 grabbedBefore_;
  RigidMotion wanted_, shown_;                     ///< shown if no answer says more
  std::optional<AxisTurn> turn_;                   ///< that `wanted_` is
  double degreesShown_ = 0, degreesRecorded_ = 0;  ///< of the turn, when last shown and last recorded
  std::optional<DragStop> stop_;                   ///< stop of the previous drag
  bool recording_ = false;
  std::optional<TrackRecording> recorder_;  ///< unset until a part is recorded
  std::vector<NodeId> recorded_;
  std::map<NodeId, RigidMotion> recordedFrom_;  ///< the session's motions when the recording began
};

}  // namespace fitup::viewer
