#pragma once

#include <functional>
#include <optional>

#include <QObject>
#include <QPointF>

#include <viewer/core/navigation.h>
#include <viewer/gui/gizmo_node.h>
#include <viewer/gui/scene_presenter.h>
#include <viewer/gui/section_tool.h>

namespace fitup::viewer {

class DragController;
class MeasureTool;

/// What mouse and keys do in the view: they select, move parts by the gizmo or freely, move the section
/// plane, turn, shift and zoom the camera. Points are those of the picture, in pixels of the device.
class ViewInteraction : public QObject {
  Q_OBJECT

 public:
  ViewInteraction(Document& document, DragController& drag, MeasureTool& measure, ScenePresenter& presenter,
                  Camera& camera);
  /// Pixels of the device for one of the widget.
  void setPixelRatio(double ratio) { ratio_ = ratio; }
  [[nodiscard]] NavigationPreset navigation() const noexcept { return navigation_; }
  /// Of the next drags.
  void setNavigation(NavigationPreset preset) { navigation_ = preset; }

  void press(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
  void move(PicturePoint point, Qt::KeyboardModifiers modifiers);
  void release(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
  /// Zooms to what is under the point; steps > 0: the wheel is turned away from the user.
  void zoom(PicturePoint point, double steps);
  /// False for a key that means nothing here.
  bool key(int key, Qt::KeyboardModifiers modifiers);
  void leave();

  /// Fits gizmo and section handle to the camera, the session and the drag.
  void updateHandles(const Box& visible);
  /// Where the gizmo is, if it is shown.
  [[nodiscard]] const std::optional<Gizmo>& gizmo() const noexcept { return gizmo_; }
  [[nodiscard]] const std::optional<SectionHandle>& sectionHandle() const noexcept {
    return section_.handle();
  }

 signals:
  void cameraMoved();
  void changed();  ///< what is lit
  /// Of what is under the cursor; empty: nothing.
  void hovered(const QString& text);

 private:
  enum class Action { none, pressed, idle, orbit, pan, zoom, drag, section };
  [[nodiscard]] Action cameraAction(Qt::KeyboardModifiers modifiers) const;
  void beginLeft(Qt::KeyboardModifiers modifiers);
  void click(PicturePoint point, Qt::KeyboardModifiers modifiers);
  void takeMeasured(const Pick& pick, Qt::KeyboardModifiers modifiers);
  void hover(PicturePoint point);
  bool nudge(int key, bool turn);
  /// What the camera turns or zooms about: what is under a point, else what is ahead at the target's depth.
  [[nodiscard]] bool selectionIsHidden() const;
  [[nodiscard]] Vec3 pivotAt(PicturePoint point) const;
  [[nodiscard]] std::optional<GizmoHandle> handleAt(PicturePoint point) const;
  [[nodiscard]] const SurfaceContact* contactAt(const Pick& pick) const;
  [[nodiscard]] QString textOf(const Pick& pick) const;

  Document& document_;
  DragController& drag_;
  MeasureTool& measure_;
  ScenePresenter& presenter_;
  Camera& camera_;
  double ratio_ = 1;
  NavigationPreset navigation_ = NavigationPreset::cad;
  osg::ref_ptr<GizmoNode> gizmoNode_;
  SectionTool section_;

  Action action_ = Action::none;
  Qt::MouseButton button_ = Qt::NoButton;
  PicturePoint pressedAt_, last_;
  Vec3 pivot_;
  std::optional<GizmoDrag> gizmoDrag_;
  std::optional<Gizmo> gizmo_;
  std::optional<GizmoHandle> litHandle_;
};

}  // namespace fitup::viewer
