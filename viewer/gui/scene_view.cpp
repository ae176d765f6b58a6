#include <viewer/gui/scene_view.h>

#include <cmath>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <fitup/io/report_build.h>
#include <osgFitup/conversions.h>

namespace fitup::viewer {
namespace {

constexpr double gizmoPixels = 95, handleReach = 9;  // of the widget
constexpr int dragStart = 4;                         // a click moves less than this

QString nameOf(const Session& session, const Pick& pick) {
  const Assembly& assembly = session.assembly();
  const ReportedSurface surface =
      reportedSurface(assembly.part(*assembly.node(pick.instance).part), pick.surface);
  return QString::fromStdString(assembly.path(pick.instance) + "   " + faceText(surface));
}

}  // namespace

void SceneView::prepareApplication() {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(2, 1);
  format.setDepthBufferSize(24);
  format.setSamples(4);
  QSurfaceFormat::setDefaultFormat(format);
}

SceneView::SceneView(Document& document, DragController& drag, QWidget* parent)
    : QOpenGLWidget(parent), document_(document), drag_(drag), gizmoNode_(new GizmoNode) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 180);
  setAccessibleName(tr("View of the model"));
  presenter_.overlay()->addChild(gizmoNode_);
  connect(&document_, &Document::opened, this, &SceneView::openScene);
  connect(&document_, &Document::aboutToClose, this, [this] {
    presenter_.clear();
    action_ = Action::none;
    gizmoDrag_.reset();
  });
  connect(&document_, &Document::stateChanged, this, &SceneView::refresh);
  connect(&document_, &Document::selectionChanged, this, &SceneView::refresh);
  connect(&document_, &Document::answered, this, &SceneView::refresh);
  connect(&drag_, &DragController::moved, this, &SceneView::refresh);
  connect(&drag_, &DragController::ended, this, &SceneView::refresh);
}

SceneView::~SceneView() {
  if (!viewer_) return;
  makeCurrent();
  viewer_->setSceneData(nullptr);
  if (osg::State* state = window_->getState()) {
    presenter_.root()->releaseGLObjects(state);
    osg::flushAllDeletedGLObjects(state->getContextID());
    osg::discardAllGLObjects(state->getContextID());
  }
  viewer_ = nullptr;
  window_ = nullptr;
  doneCurrent();
}

void SceneView::initializeGL() {
  if (viewer_) {
    // Docked elsewhere: OSG's objects belong to a context that is gone.
    presenter_.root()->releaseGLObjects(window_->getState());
    window_->getState()->reset();
    return;
  }
  viewer_ = new osgViewer::Viewer;
  viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
  viewer_->setKeyEventSetsDone(0);
  viewer_->setQuitEventSetsDone(false);
  window_ = viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width(), height());
  osg::Camera* camera = viewer_->getCamera();
  camera->setClearColor({0.93F, 0.945F, 0.96F, 1});
  camera->setCullingMode(camera->getCullingMode() & ~osg::CullSettings::SMALL_FEATURE_CULLING);
  viewer_->getLight()->setAmbient({0.25F, 0.25F, 0.25F, 1});
  viewer_->getLight()->setDiffuse({0.75F, 0.75F, 0.75F, 1});
  viewer_->setSceneData(presenter_.root());
}

void SceneView::resizeGL(int width, int height) {
  const double ratio = devicePixelRatioF();
  const int w = std::max(1, static_cast<int>(std::lround(width * ratio))),
            h = std::max(1, static_cast<int>(std::lround(height * ratio)));
  camera_.setPicture(w, h);
  viewer_->getEventQueue()->windowResize(0, 0, w, h);
  window_->resized(0, 0, w, h);
  viewer_->getCamera()->setViewport(0, 0, w, h);
  updateGizmo();
}

void SceneView::paintGL() {
  const Viewpoint& view = camera_.viewpoint();
  osg::Camera* camera = viewer_->getCamera();
  camera->setViewMatrixAsLookAt(osgFitup::toVec3d(view.eye), osgFitup::toVec3d(view.target),
                                osgFitup::toVec3d(view.up));
  camera->setProjectionMatrixAsPerspective(Camera::fieldOfViewDegrees,
                                           static_cast<double>(camera_.width()) / camera_.height(), 1, 1000);
  window_->setDefaultFboId(defaultFramebufferObject());
  viewer_->frame();
}

PicturePoint SceneView::picturePoint(const QPointF& widget) const {
  const double ratio = devicePixelRatioF();
  return {widget.x() * ratio, widget.y() * ratio};
}

std::optional<QPointF> SceneView::widgetPoint(const Vec3& world) const {
  const auto point = camera_.project(world);
  if (!point) return std::nullopt;
  const double ratio = devicePixelRatioF();
  return QPointF(point->x / ratio, point->y / ratio);
}

// ---- camera ----

void SceneView::openScene(const osg::ref_ptr<osg::Group>& scene, const std::optional<Project>& project) {
  presenter_.show(*document_.session(), scene);
  camera_.setUpAxis(document_.session()->assembly().upAxis());
  if (project && project->viewpoint)
    camera_.setViewpoint(*project->viewpoint);
  else
    camera_.look(StandardView::isometric, visibleBounds());
  cameraMoved();
  refresh();
}

Box SceneView::visibleBounds() const {
  if (document_.session() == nullptr) return {};
  const Session& session = *document_.session();
  std::vector<NodeId> shown;
  for (const NodeId node : session.assembly().instances())
    if (!session.state().hidden.contains(node)) shown.push_back(node);
  return session.worldBounds(shown);
}

void SceneView::cameraMoved() {
  document_.setViewpoint(camera_.viewpoint());
  updateGizmo();
  update();
  emit viewChanged();
}

void SceneView::setViewpoint(const Viewpoint& view) {
  camera_.setViewpoint(view);
  cameraMoved();
}

void SceneView::look(StandardView view) {
  camera_.look(view, visibleBounds());
  cameraMoved();
}

void SceneView::frameAll() {
  camera_.frame(visibleBounds());
  cameraMoved();
}

void SceneView::frameSelection() {
  if (document_.session() == nullptr) return;
  const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  if (selected.empty()) return frameAll();
  camera_.frame(document_.session()->worldBounds(selected));
  cameraMoved();
}

void SceneView::zoomTo(const Box& world) {
  if (world.empty()) return;
  const double least = 0.03 * norm(visibleBounds().halfExtent());
  Box box;
  for (int i = 0; i < 3; ++i) {
    const double half = std::max(2 * world.halfExtent()[i], least);
    box.min[i] = world.centre()[i] - half;
    box.max[i] = world.centre()[i] + half;
  }
  camera_.frame(box);
  cameraMoved();
}

Vec3 SceneView::pivotAt(PicturePoint point) const {
  const Ray ray = camera_.ray(point);
  if (const auto pick = presenter_.pick(ray)) return pick->point;
  const double depth = dot(camera_.viewpoint().target - ray.from, camera_.forward());
  return ray.at(depth / dot(ray.direction, camera_.forward()));
}

// ---- what is shown ----

void SceneView::setDimOthers(bool on) {
  dimOthers_ = on;
  refresh();
}

void SceneView::refresh() {
  const Session* session = document_.session();
  if (session != nullptr) {
    const SessionState& state = session->state();
    InstanceLooks looks{state.hidden, state.ghosted, document_.selection()};
    const InterferenceReport* report = document_.answer().report.get();
    if (dimOthers_ && report != nullptr && !report->pairs.empty()) {
      std::set<NodeId> involved = document_.selection();
      for (const PairInterference& pair : report->pairs) involved.insert({pair.a, pair.b});
      for (const NodeId node : session->assembly().instances())
        if (!involved.contains(node)) looks.ghosted.insert(node);
    }
    presenter_.setLooks(looks);
    presenter_.place(drag_.placements());
    presenter_.showInterference(report, document_.selection());
    presenter_.setSection(state.section);
  }
  updateGizmo();
  update();
}

void SceneView::updateGizmo() {
  gizmo_.reset();
  const Session* session = document_.session();
  if (session != nullptr && !document_.selection().empty()) {
    const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
    Vec3 centre = session->worldBounds(selected).centre();
    if (drag_.isActive()) centre = drag_.shown().transform().apply(centre);
    gizmo_ = Gizmo{centre, gizmoPixels * devicePixelRatioF() * camera_.worldPerPixel(centre)};
  }
  gizmoNode_->show(gizmo_, litHandle_);
}

// ---- mouse ----

void SceneView::mousePressEvent(QMouseEvent* event) {
  if (action_ != Action::none) return;
  button_ = event->button();
  pressedAt_ = last_ = event->position();
  const PicturePoint point = picturePoint(event->position());
  pivot_ = pivotAt(point);
  const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
  if (button_ == Qt::LeftButton)
    action_ = Action::pressed;
  else
    action_ = button_ == Qt::RightButton || shift ? Action::pan : Action::orbit;
  presenter_.showPreselected(std::nullopt);
  update();
}

void SceneView::beginLeft(PicturePoint point) {
  action_ = Action::orbit;
  if (document_.session() == nullptr || drag_.isActive()) return;
  std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  const Ray ray = camera_.ray(point);
  const auto handle =
      gizmo_ ? gizmo_->handleAt(camera_, point, handleReach * devicePixelRatioF()) : std::nullopt;
  if (handle) {
    gizmoDrag_ = GizmoDrag(*handle, gizmo_->centre, ray);
  } else {
    const auto pick = presenter_.pick(ray);
    if (!pick || !document_.selection().contains(pick->instance)) return;
    gizmoDrag_ = GizmoDrag::inPlane(pick->point, camera_.forward());
  }
  litHandle_ = handle;
  if (drag_.begin(std::move(selected))) action_ = Action::drag;
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  const PicturePoint point = picturePoint(position);
  const double ratio = devicePixelRatioF(), dx = (position.x() - last_.x()) * ratio,
               dy = (position.y() - last_.y()) * ratio;
  last_ = position;
  if (action_ == Action::pressed) {
    if ((position - pressedAt_).manhattanLength() < dragStart) return;
    beginLeft(picturePoint(pressedAt_));
  }
  switch (action_) {
    case Action::none:
      hover(point);
      break;
    case Action::pressed:
      break;
    case Action::orbit:
      camera_.orbit(dx, dy, pivot_);
      cameraMoved();
      break;
    case Action::pan:
      camera_.pan(dx, dy, pivot_);
      cameraMoved();
      break;
    case Action::drag:
      drag_.moveTo(gizmoDrag_->moveTo(camera_.ray(point)));
      break;
  }
}

void SceneView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != button_) return;
  const Action ended = action_;
  action_ = Action::none;
  button_ = Qt::NoButton;
  if (ended == Action::pressed)
    click(picturePoint(event->position()), event->modifiers().testFlag(Qt::ControlModifier));
  if (ended == Action::drag) {
    gizmoDrag_.reset();
    drag_.finish();
  }
}

void SceneView::click(PicturePoint point, bool more) {
  if (document_.session() == nullptr || drag_.isActive()) return;
  const auto pick = presenter_.pick(camera_.ray(point));
  std::set<NodeId> selection = more ? document_.selection() : std::set<NodeId>{};
  if (pick && !selection.insert(pick->instance).second) selection.erase(pick->instance);
  document_.select(std::move(selection));
}

void SceneView::hover(PicturePoint point) {
  if (document_.session() == nullptr) return;
  const auto handle =
      gizmo_ ? gizmo_->handleAt(camera_, point, handleReach * devicePixelRatioF()) : std::nullopt;
  const auto pick = handle ? std::nullopt : presenter_.pick(camera_.ray(point));
  presenter_.showPreselected(pick);
  if (handle != litHandle_) {
    litHandle_ = handle;
    updateGizmo();
  }
  if (handle)
    emit hovered(turns(*handle) ? tr("Drag: turn about this axis") : tr("Drag: move along this axis"));
  else
    emit hovered(pick ? nameOf(*document_.session(), *pick) : QString());
  update();
}

void SceneView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0) {
    camera_.zoom(std::pow(0.85, steps), pivotAt(picturePoint(event->position())));
    cameraMoved();
  }
  event->accept();
}

void SceneView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    if (drag_.isActive()) {
      drag_.cancel();
      gizmoDrag_.reset();
      action_ = Action::none;
    } else {
      document_.select({});
    }
    return;
  }
  QOpenGLWidget::keyPressEvent(event);
}

void SceneView::leaveEvent(QEvent* event) {
  presenter_.showPreselected(std::nullopt);
  emit hovered({});
  update();
  QOpenGLWidget::leaveEvent(event);
}

}  // namespace fitup::viewer
