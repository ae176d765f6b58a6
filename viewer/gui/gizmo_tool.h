#pragma once

#include <optional>
#include <set>

#include <QString>

#include <viewer/core/gizmo.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/gizmo_node.h>
#include <viewer/gui/scene_presenter.h>

namespace fitup::viewer {

class WayOut;

/// The directions of the gizmo's arrows, unless a pivot has an axis.
enum class GizmoFrame { world, part };

/// A place of an instance that the gizmo is put to, such as the axis of a bore.
struct GizmoPivot {
  NodeId instance{};
  Vec3 pointInPart;
  std::optional<Vec3> axisInPart{};  ///< the third axis of the gizmo
};

/// The gizmo of the selected parts, or of the chosen guide point of a way out, and drags by its handles or by
/// a part itself: by the mouse, or by a number that is typed. Use it in the GUI thread.
class GizmoTool {
 public:
  /// What the gizmo, or a drag, moves.
  enum class Moves { parts, guide };

  GizmoTool(Document& document, DragController& drag);
  /// The owner of guide points; observed.
  void setWayOut(WayOut& wayOut) { wayOut_ = &wayOut; }
  [[nodiscard]] osg::Group* node() noexcept { return node_.get(); }

  void setShown(bool shown) { isShown_ = shown; }
  [[nodiscard]] bool isShown() const noexcept { return isShown_; }
  void setFrame(GizmoFrame frame) { frame_ = frame; }
  [[nodiscard]] GizmoFrame frame() const noexcept { return frame_; }
  /// Empty: the middle of the selected parts. It stays as long as they are selected.
  void setPivot(const std::optional<GizmoPivot>& pivot);
  [[nodiscard]] const std::optional<GizmoPivot>& pivot() const noexcept { return pivot_; }

  /// Fits the gizmo to what it moves, `pixels` large in the picture. `isAllowed` false: there is none.
  void update(const Camera& camera, double pixels, Moves moves, bool isAllowed);
  /// What the gizmo that is shown moves.
  [[nodiscard]] Moves moves() const noexcept { return moves_; }
  /// The place of the gizmo, if it is shown.
  [[nodiscard]] const std::optional<Gizmo>& gizmo() const noexcept { return gizmo_; }
  /// Returns true if that is a change.
  bool setLit(std::optional<GizmoHandle> handle);

  // ---- drags, after `DragController::begin` or `WayOut::beginDrag` ----

  void begin(Moves moves, GizmoHandle handle, const Gizmo& gizmo, const Camera& camera, const Ray& ray);
  /// Drags the grabbed point in the plane of the picture.
  void begin(Moves moves, const Vec3& grabbed, const Camera& camera);
  /// Ends what `begin` began; the drag itself goes on.
  void end();
  [[nodiscard]] bool isDragging() const noexcept { return dragged_.has_value(); }
  /// What the drag that was begun last moves.
  [[nodiscard]] Moves drags() const noexcept { return drags_; }
  /// Moves the parts to the ray; not while a number is typed.
  void moveTo(const Ray& ray, bool snaps);
  /// True if a number can be typed for the drag.
  [[nodiscard]] bool takesNumbers() const noexcept { return dragged_ && dragged_->hasAxis(); }
  /// Takes what a key types: part of a number, which is then where the parts go. Returns false for others.
  bool type(const QString& text);
  /// Takes away the last character. Returns false if there is none.
  bool eraseTyped();
  [[nodiscard]] bool hasTyped() const noexcept { return !typed_.isEmpty(); }
  /// What is to be seen beside the cursor: the number that is typed, otherwise how far the parts have come.
  [[nodiscard]] QString displacement() const;

 private:
  void moveByTyped();
  void drive(const RigidMotion& wanted);
  [[nodiscard]] Gizmo gizmoOfParts();
  [[nodiscard]] RigidMotion shownMotion() const;

  Document& document_;
  DragController& drag_;
  WayOut* wayOut_ = nullptr;
  Moves moves_ = Moves::parts, drags_ = Moves::parts;
  osg::ref_ptr<GizmoNode> node_;
  bool isShown_ = true;
  GizmoFrame frame_ = GizmoFrame::world;
  std::optional<GizmoPivot> pivot_;
  std::set<NodeId> ofPivot_;  ///< selected when it was set
  std::optional<Gizmo> gizmo_;
  std::optional<GizmoHandle> lit_;
  std::optional<Vec3> hand_;
  std::optional<GizmoDrag> dragged_;
  QString typed_;
};

/// The pivot on the axis of a picked round face, in the middle of a sphere, otherwise at the picked point
/// with the normal of a plane.
GizmoPivot pivotOf(const Pick& pick, const Assembly& assembly, const Transform& worldFromPart);

}  // namespace fitup::viewer
