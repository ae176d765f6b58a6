#pragma once

#include <limits>
#include <optional>

#include <QLabel>
#include <QOpenGLWidget>

#include <osgViewer/Viewer>

#include <viewer/core/camera.h>
#include <viewer/gui/contact_legend.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/mate_offer.h>
#include <viewer/gui/measure_overlay.h>
#include <viewer/gui/scene_presenter.h>
#include <viewer/gui/view_interaction.h>

namespace fitup::viewer {

/// The view of the model: draws when something has changed, moves the camera, picks, and lets parts be
/// dragged.
///
/// Left click: select (Ctrl: more), or measure. Left drag on the gizmo or on a selected part: move it. What
/// other drags and the wheel do to the camera says the navigation preset. Positions of mouse events are in
/// the widget's pixels, everything below it in those of the device.
class SceneView : public QOpenGLWidget {
  Q_OBJECT

 public:
  SceneView(Document& document, DragController& drag, MateOffer& mates, MeasureTool& measure,
            QWidget* parent = nullptr);
  ~SceneView() override;
  /// What has to be set before there is a QApplication: the version of OpenGL, and contexts that survive
  /// docking.
  static void prepareApplication();

  [[nodiscard]] ScenePresenter& presenter() noexcept { return presenter_; }
  [[nodiscard]] const Camera& camera() const noexcept { return camera_; }
  void setViewpoint(const Viewpoint& view);
  [[nodiscard]] NavigationPreset navigation() const noexcept { return interaction_.navigation(); }
  void setNavigation(NavigationPreset preset);
  void look(StandardView view);
  void frameAll();
  /// The selected parts, or all.
  void frameSelection();
  /// Goes near to something small, with what is around it in the picture; nearer where the parts that it is
  /// about are small themselves.
  void zoomTo(const Box& world, double partSize = std::numeric_limits<double>::infinity());
  /// Where the gizmo is, if it is shown.
  [[nodiscard]] const std::optional<Gizmo>& gizmo() const noexcept { return interaction_.gizmo(); }
  /// The section's, if it is shown.
  [[nodiscard]] const std::optional<SectionHandle>& sectionHandle() const noexcept {
    return interaction_.sectionHandle();
  }
  /// In the widget's pixels; nothing for a point behind the eye.
  [[nodiscard]] std::optional<QPointF> widgetPoint(const Vec3& world) const;
  /// Everything is shown anew.
  void refresh();
  /// The chosen face of the selected part.
  void showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face);
  /// The numbers of measurements as they are shown.
  [[nodiscard]] QStringList measuredNumbers() const { return measured_.numbers(); }
  /// Parts that no finding is about are ghosted.
  void setDimOthers(bool on);
  [[nodiscard]] bool dimsOthers() const noexcept { return dimOthers_; }

 signals:
  void hovered(const QString& text);
  void settingsChanged();  ///< of navigation and dimming

 protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] PicturePoint picturePoint(const QPointF& widget) const;
  [[nodiscard]] Box visibleBounds() const;
  void cameraMoved();
  void followDrag();
  void updateHandles();
  void placeOverlays();
  void showMate();
  void showMeasured();
  void showNote();
  void openScene(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project);

  Document& document_;
  DragController& drag_;
  MateOffer& mates_;
  MeasureTool& measure_;
  ScenePresenter presenter_;
  Camera camera_;
  ViewInteraction interaction_;
  osg::ref_ptr<osgViewer::Viewer> viewer_;
  osg::ref_ptr<osgViewer::GraphicsWindowEmbedded> window_;
  MeasureOverlay measured_;
  ContactLegend* legend_;
  QLabel* note_;  ///< over the view: what is offered
  bool dimOthers_ = false;
};

}  // namespace fitup::viewer
