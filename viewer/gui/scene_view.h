#pragma once

#include <optional>
#include <set>

#include <QLabel>
#include <QOpenGLWidget>
#include <QRubberBand>
#include <QTimer>

#include <viewer/core/camera.h>
#include <viewer/gui/contact_legend.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/explode_panel.h>
#include <viewer/gui/mate_offer.h>
#include <viewer/gui/mate_panel.h>
#include <viewer/gui/measure_overlay.h>
#include <viewer/gui/mouse_moves.h>
#include <viewer/gui/renderer.h>
#include <viewer/gui/scene_presenter.h>
#include <viewer/gui/shown_findings.h>
#include <viewer/gui/view_cube_widget.h>
#include <viewer/gui/view_interaction.h>
#include <viewer/gui/view_picture.h>

namespace fitup::viewer {

class WayOut;

/// The view of the model: redraws after changes, moves the camera, picks, and drags parts.
///
/// Left click: select (Ctrl: add to the selection), measure, or choose a face to mate. Double click: zoom to
/// a part, or to everything. Left drag on the gizmo, on a selected part or on the chosen guide point: move
/// it. Shift and left drag: select what the rectangle contains or, drawn to the left, crosses; Ctrl and left
/// drag: zoom to it. The navigation preset defines the effect of other drags and of the wheel on the camera.
/// Positions of mouse events are in the widget's pixels; everything below it uses device pixels.
class SceneView : public QOpenGLWidget {
  Q_OBJECT

 public:
  SceneView(Document& document, DragController& drag, MateOffer& mates, MateTool& mate, MeasureTool& measure,
            QWidget* parent = nullptr);
  ~SceneView() override;
  /// Sets what must be set before the QApplication: the version of OpenGL, and contexts that survive docking.
  static void prepareApplication();

  /// The owner of guide points, which are chosen and moved in the view; observed.
  void setWayOut(WayOut& wayOut);

  [[nodiscard]] ScenePresenter& presenter() noexcept { return presenter_; }
  [[nodiscard]] const Camera& camera() const noexcept { return camera_; }
  void setViewpoint(const Viewpoint& view);
  [[nodiscard]] NavigationPreset navigation() const noexcept { return interaction_.navigation(); }
  void setNavigation(NavigationPreset preset);
  void setProjection(Projection projection);
  void setDisplayMode(DisplayMode mode);
  void look(StandardView view);
  void frameAll();
  /// Frames the selected parts, or all.
  void frameSelection();
  /// Zooms out so that a box of the world is in view too, unless it is.
  void keepInView(const Box& box);
  /// Shows a finding as reports do: the parts in two colours, others ghosted, in red where they intersect.
  /// Empty: all parts as they are.
  void choose(const std::optional<Finding>& finding);
  /// True while it is being found out where parts intersect.
  [[nodiscard]] bool isMarking() const { return findings_.isMarking(); }
  /// Zooms to a finding and as much around it as is needed to recognise the place, and shows its parts if
  /// they are hidden. The direction of sight stays, or is the nearest one from which the two parts do not
  /// hide the place. It follows from the last direction that was not chosen here, so that a finding always
  /// looks the same. The view then turns about the place (`ViewInteraction::setPlace`).
  void lookAt(const Finding& finding);
  /// The number at the depth of the finding that is looked at; empty: there is none.
  [[nodiscard]] QString depthText() const { return findings_.depth().text(); }
  /// Whether faces that intersect are painted as a whole, also those of the finding that is looked at.
  /// Limits the pictures while the mouse moves something.
  void setUpdateRate(UpdateRate rate);
  [[nodiscard]] UpdateRate updateRate() const noexcept { return moves_.rate(); }
  void setPaintsFaces(bool on);
  [[nodiscard]] bool paintsFaces() const noexcept { return findings_.paintsFaces(); }
  /// The slider of the exploded view. It only changes what is drawn: parts are neither dragged nor measured
  /// nor cut while they are drawn elsewhere.
  [[nodiscard]] ExplodePanel& exploded() noexcept { return *explode_; }
  [[nodiscard]] ViewInteraction& interaction() noexcept { return interaction_; }
  /// What to click for a mate, and what the last one did.
  [[nodiscard]] MatePanel& matePanel() noexcept { return *matePanel_; }
  /// The place of the gizmo, if it is shown.
  [[nodiscard]] const std::optional<Gizmo>& gizmo() const noexcept { return interaction_.gizmo().gizmo(); }
  /// What is written beside the cursor while parts are dragged: how far they came, and below it what is next
  /// to them (`nearnessLabel`); empty: nothing.
  [[nodiscard]] QString displacementText() const {
    return displacement_->isVisible() ? displaced_ : QString();
  }
  [[nodiscard]] QString dragNote() const {
    return displacement_->isVisible() ? displacement_->text().section('\n', 1) : QString();
  }
  /// The handles of the section planes that are shown.
  [[nodiscard]] const std::vector<SectionHandle>& sectionHandles() const noexcept {
    return interaction_.sectionHandles();
  }
  /// In the widget's pixels; empty for a point behind the eye.
  [[nodiscard]] std::optional<QPointF> widgetPoint(const Vec3& world) const;
  /// Draws a picture of what the view shows, with lines and texts that grow with it. Throws InputError for a
  /// size that cannot be drawn.
  [[nodiscard]] QImage picture(const ViewPicture& wish);
  /// The size of the view in device pixels.
  [[nodiscard]] QSize pictureSize() const { return {camera_.width(), camera_.height()}; }
  /// The next pictures are replaced soon, and may be coarser to be quick.
  void hasten() { restTimer_.start(); }
  /// Processes events until the view has been drawn anew and is in the window. Does nothing if it is hidden.
  void finishDrawing();
  /// Shows everything again.
  void refresh();
  /// Shows the chosen face of the selected part.
  void showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face);
  /// The numbers of measurements as they are shown.
  [[nodiscard]] QStringList measuredNumbers() const { return measured_.numbers(); }
  /// The background; unset: light or dark, as the application.
  void setBackground(const std::optional<QColor>& colour);
  [[nodiscard]] const std::optional<QColor>& background() const noexcept { return background_; }
  /// Ghosts the parts without findings.
  void setDimOthers(bool on);
  [[nodiscard]] bool dimsOthers() const noexcept { return findings_.dimsOthers(); }

 signals:
  void hovered(const QString& text);
  void refused(const QString& why);  ///< why a part does not move
  void cameraChanged();
  void escaped();          ///< by a key, while nothing else could be ended by it
  void settingsChanged();  ///< navigation, projection, display mode, dimming, painting, exploding, background

 protected:
  bool event(QEvent* event) override;
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] PicturePoint picturePoint(const QPointF& widget) const;
  [[nodiscard]] Box visibleBounds() const;
  void cameraMoved();
  void followDrag();
  void updateHandles();
  void placeOverlays();
  void showParts(const Finding& finding);
  void placeLabels();
  [[nodiscard]] std::optional<QPoint> placeInPicture(const QWidget* label, double height, double scale) const;
  void keepInPicture();
  void showExploded();
  /// Follows the light or dark colours of the application.
  void showTheme();
  /// The box of instances as they are drawn.
  [[nodiscard]] Box drawnBounds(std::span<const NodeId> instances) const;
  void showMate();
  void showMeasured();
  void showMateTool();
  void showTaken();
  void showNote();
  void showDisplacement(const QString& text, const PicturePoint& at);
  void setSize(const QSize& pixels, double ratio);
  void openScene(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project);

  Document& document_;
  DragController& drag_;
  MateOffer& mates_;
  MateTool& mate_;
  MeasureTool& measure_;
  ScenePresenter presenter_;
  ShownFindings findings_;
  Camera camera_;
  ViewInteraction interaction_;
  MouseMoves moves_;
  Renderer renderer_;
  QTimer restTimer_;  ///< runs while something moves
  MeasureOverlay measured_;
  ContactLegend* legend_;
  ViewCubeWidget* cube_;
  QRubberBand* band_;
  ExplodePanel* explode_;
  MatePanel* matePanel_;
  QLabel* note_;  ///< what the user may do next
  QLabel* displacement_;
  QString displaced_;
  PicturePoint displacedAt_;
  std::optional<QColor> background_;
  /// The directions before and after the view last turned to a finding.
  struct Turn {
    Camera before, after;
  };
  std::optional<Turn> turn_;
  std::set<NodeId> hidden_;  ///< when the picture was last shown
};

}  // namespace fitup::viewer
