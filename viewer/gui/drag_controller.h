#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include <fitup/motion/track_recording.h>
#include <viewer/core/gizmo.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// Moves instances as one rigid group, by mouse or by numbers: asks while they move, lets them go only as far
/// as they may, and makes one undoable change of each drag. Records the poses if asked to. GUI thread.
class DragController : public QObject {
  Q_OBJECT

 public:
  explicit DragController(Document& document);

  [[nodiscard]] DragMode mode() const noexcept { return mode_; }
  /// Of the next drag.
  void setMode(DragMode mode);

  /// Steps of nudges by keys, and of drags while `snaps`.
  [[nodiscard]] const GizmoSteps& steps() const noexcept { return steps_; }
  [[nodiscard]] bool snaps() const noexcept { return snaps_; }
  void setSteps(const GizmoSteps& steps, bool snaps);

  /// False if nothing can be dragged now.
  bool begin(std::vector<NodeId> instances);
  /// A motion in the world, from where the drag began.
  void moveTo(const RigidMotion& wanted);
  /// The drag ends where its last wanted pose leads to, as soon as that is known.
  void finish();
  /// The drag ends at this motion from where it began, whatever is there.
  void finishAt(const RigidMotion& motion, const std::string& label);
  /// Back to where it began. Also where something else moves parts meanwhile: the drag is about a scene that
  /// is no more.
  void cancel();
  [[nodiscard]] bool isActive() const noexcept { return active_; }
  /// Where the dragged instances are shown.
  [[nodiscard]] Poses poses() const;
  /// Where any instance is shown. Precondition: the document has a session.
  [[nodiscard]] Transform worldFromPart(NodeId instance) const;
  /// The motion from where the drag began to what is shown.
  [[nodiscard]] const RigidMotion& shown() const noexcept;
  /// What stopped the part, in the last answer of this drag, or of the last one as long as
  /// nothing else has changed.
  [[nodiscard]] const std::optional<DragStop>& stop() const noexcept;

  // ---- recording ----

  /// From now on poses of these instances are recorded while they are dragged.
  void startRecording(std::vector<NodeId> instances);
  /// Records where they are now, though nothing has moved far.
  void addKeyPose();
  /// The track goes to the session; one of fewer than two steps is dropped.
  void stopRecording();
  [[nodiscard]] bool isRecording() const noexcept { return recorder_.has_value(); }
  [[nodiscard]] std::size_t recordedSteps() const { return recorder_ ? recorder_->track().steps.size() : 0; }

 signals:
  void moved();
  void ended();
  void modeChanged();
  void stepsChanged();
  void recordingChanged();

 private:
  void answered();
  /// Where the last answer has this drag, which may stop at contact; null before there is one. What is shown
  /// comes from here, whichever listener of an answer is the first.
  [[nodiscard]] const DragState* stopping() const noexcept;
  void commit(const std::string& label = "Move");
  void show(const RigidMotion& motion);
  void record(bool always);

  Document& document_;
  DragMode mode_ = DragMode::detect;
  GizmoSteps steps_{1, 15};
  bool snaps_ = false;
  bool active_ = false, finishing_ = false;
  bool isFinal_ = false;                 ///< goes where it was put, whatever answers say
  DragMode modeNow_ = DragMode::detect;  ///< of the drag that goes on
  std::uint64_t drag_ = 0;
  std::uint64_t firstTicket_ = 0, ticket_ = 0;  ///< of the drag's questions; 0: none was asked
  Poses begunAt_;                               ///< the session's
  std::vector<NodeId> dragged_;
  RigidMotion wanted_, shown_;    ///< shown where no answer says more
  std::optional<DragStop> stop_;  ///< of the drag before
  std::optional<TrackRecording> recorder_;
  std::vector<NodeId> recorded_;
};

}  // namespace fitup::viewer
