#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QPointF>

#include <viewer/core/navigation.h>
#include <viewer/core/rubber_band.h>
#include <viewer/core/way_out.h>
#include <viewer/gui/gizmo_tool.h>
#include <viewer/gui/mate_tool.h>
#include <viewer/gui/scene_presenter.h>
#include <viewer/gui/section_tool.h>
#include <viewer/gui/snap_tool.h>

namespace fitup::viewer {

class DragController;
class MeasureTool;
class WayOut;

/// The effect of mouse and keys in the view: they select, move parts or guide points by the gizmo or freely,
/// move the section plane, and turn, pan and zoom the camera. Points are in device pixels of the picture.
class ViewInteraction : public QObject {
  Q_OBJECT

 public:
  ViewInteraction(Document& document, DragController& drag, MeasureTool& measure, MateTool& mate,
                  ScenePresenter& presenter, Camera& camera);
  /// The owner of guide points, which are then chosen and moved; observed.
  void setWayOut(WayOut& wayOut);
  /// Sets the device pixels per widget pixel.
  void setPixelRatio(double ratio) { ratio_ = ratio; }
  [[nodiscard]] NavigationPreset navigation() const noexcept { return navigation_; }
  /// Sets the navigation of the next drags.
  void setNavigation(NavigationPreset preset) { navigation_ = preset; }

  void press(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
  void move(PicturePoint point, Qt::KeyboardModifiers modifiers);
  void release(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
  /// Zooms to what is under the point; steps > 0: the wheel is turned away from the user.
  void zoom(PicturePoint point, double steps);
  /// Returns false for a key without a meaning here.
  bool key(int key, Qt::KeyboardModifiers modifiers, const QString& text);
  void leave();

  /// Sets the place that the view turns about, as long as it is in the picture, unless the drag begins on a
  /// part that is not ghosted. Empty: it turns about the point ahead.
  void setPlace(const std::optional<Vec3>& place) { place_ = place; }
  /// Fits gizmo and section handles to the camera, the session and the drag.
  void updateHandles(const Box& visible);
  [[nodiscard]] GizmoTool& gizmo() noexcept { return gizmo_; }
  [[nodiscard]] const GizmoTool& gizmo() const noexcept { return gizmo_; }
  /// The next click puts the gizmo to a corner, an edge, a circle or a face.
  void setPlacingPivot(bool on);
  [[nodiscard]] bool isPlacingPivot() const noexcept { return isPlacingPivot_; }
  /// The place of a part at which the last context menu was opened; empty if it was not on a part, or if
  /// parts are drawn elsewhere.
  [[nodiscard]] const std::optional<GizmoPivot>& menuPlace() const noexcept { return menuPlace_; }
  /// The face at which the last context menu was opened, while its part is selected.
  [[nodiscard]] std::optional<PickedFace> menuFace() const;
  /// Ends a drag that goes on without a button: at the number that was typed, or where it began if there is
  /// none.
  void endTyping();
  /// True for a key whose text goes to the number that is typed for a drag.
  [[nodiscard]] bool takes(int key, const QString& text) const;
  [[nodiscard]] const std::vector<SectionHandle>& sectionHandles() const noexcept {
    return section_.handles();
  }

 signals:
  void escaped();
  /// The rectangle that is drawn; empty: none.
  void bandChanged(const std::optional<PictureRectangle>& band);
  void cameraMoved();
  void changed();  ///< the highlighting
  void placingPivotChanged();
  /// A right click: on a part, which is then selected, or on a handle of the selection; otherwise beside
  /// them.
  void menuRequested(bool onParts, const PicturePoint& at);
  /// How far parts are dragged, the number that is typed for that, or why a face cannot be mated; empty:
  /// nothing.
  void displaced(const QString& text, const PicturePoint& at);
  /// what is under the cursor; empty for nothing
  void hovered(const QString& text);
  /// why a part does not move
  void refused(const QString& why);

 private:
  enum class Action { none, pressed, idle, orbit, pan, zoom, drag, section, band };
  [[nodiscard]] Action cameraAction(Qt::KeyboardModifiers modifiers) const;
  void beginLeft(Qt::KeyboardModifiers modifiers);
  void beginRight(Qt::KeyboardModifiers modifiers);
  void openMenu(PicturePoint point);
  void click(PicturePoint point, Qt::KeyboardModifiers modifiers);
  void finishBand(PicturePoint to, Qt::KeyboardModifiers modifiers);
  void takeMeasured(const Pick& pick, Qt::KeyboardModifiers modifiers);
  void takeMated(const std::optional<Pick>& pick);
  /// Lights a face that can be mated; otherwise says at the cursor why not.
  void hoverMated(const std::optional<Pick>& pick);
  [[nodiscard]] QString whyNotMated(const Pick& pick) const;
  /// While clicks choose faces and points, parts are not selected and have no gizmo.
  [[nodiscard]] bool choosesFaces() const;
  void startChoosing();
  void hover(PicturePoint point, Qt::KeyboardModifiers modifiers);
  /// What a click would measure instead of the face, if anything.
  [[nodiscard]] std::optional<SnapPoint> snapAtPoint(PicturePoint point, Qt::KeyboardModifiers modifiers);
  bool nudge(int key, bool turn);
  void placePivot(PicturePoint point);
  void beginTyping();
  void endDrag();
  bool typeKey(int key, const QString& text);
  void tellDisplacement();
  /// Whether no selected instance is visible: hidden parts can be selected in the tree.
  [[nodiscard]] bool selectionIsHidden() const;
  /// Begins to drag the chosen guide point, or the selected parts. Refused in an exploded view, because parts
  /// are not where they are drawn.
  bool beginDrag(GizmoTool::Moves moves);
  void finishDrag();
  void cancelDrag();
  /// Something that was dragged is dropped or back.
  void dragEnded();
  [[nodiscard]] bool isMoving() const;
  /// Whether guide points are seen and may be clicked.
  [[nodiscard]] bool seesGuides() const;
  [[nodiscard]] bool canMoveGuide() const;
  /// What a drag from the pressed point would move.
  [[nodiscard]] std::optional<GizmoTool::Moves> movedFromPressed() const;
  [[nodiscard]] QString guideText(std::size_t guide) const;
  /// The point to zoom about: what is under `point`, without ghosted parts, otherwise the point ahead at the
  /// target's depth.
  [[nodiscard]] Vec3 pivotAt(PicturePoint point) const;
  /// The point to turn about.
  [[nodiscard]] Vec3 turnPivotAt(PicturePoint point) const;
  [[nodiscard]] std::optional<GizmoHandle> handleAt(PicturePoint point) const;
  [[nodiscard]] const SurfaceContact* contactAt(const Pick& pick) const;
  [[nodiscard]] QString textOf(const Pick& pick) const;

  Document& document_;
  DragController& drag_;
  MeasureTool& measure_;
  MateTool& mate_;
  ScenePresenter& presenter_;
  Camera& camera_;
  WayOut* wayOut_ = nullptr;
  double ratio_ = 1;
  NavigationPreset navigation_ = NavigationPreset::cad;
  GizmoTool gizmo_;
  SectionTool section_;
  SnapTool snap_;

  /// What is at a point: at most one of the fields is set.
  struct Target {
    std::optional<GizmoHandle> handle;
    std::optional<SectionHandle> section;
    std::optional<CopyHit> guide;
    std::optional<Pick> pick;
  };
  [[nodiscard]] Target targetAt(PicturePoint point) const;

  Action action_ = Action::none;
  Qt::MouseButton button_ = Qt::NoButton;
  PicturePoint pressedAt_, last_;
  /// When the button was pressed; the parts may have moved on since.
  Target pressedOn_;
  std::optional<Gizmo> pressedGizmo_;
  std::optional<GizmoPivot> menuPlace_;
  std::optional<PickedFace> menuFace_;
  std::optional<Pick> hoveredFace_;  ///< while faces are mated
  std::optional<std::size_t> hoveredGuide_;
  QString whyNotMated_;  ///< of the hovered face; empty if it can be mated
  Vec3 pivot_, turnPivot_;
  std::optional<Vec3> place_;
  bool isPlacingPivot_ = false;
  bool isTyping_ = false;  ///< a handle was clicked, and its drag goes on without a button
};

}  // namespace fitup::viewer
