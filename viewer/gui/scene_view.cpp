#include <viewer/gui/scene_view.h>

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <fitup/base/error.h>
#include <osgFitup/conversions.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/drawn_elements.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/overlay_label.h>
#include <viewer/gui/picture_begin.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {
/// The distance between the lines of a cut face's hatching, in the widget's pixels.
constexpr double hatchingPixels = 10;
}  // namespace

void SceneView::prepareApplication() {
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(2, 1);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  QSurfaceFormat::setDefaultFormat(format);
}

SceneView::SceneView(Document& document, DragController& drag, MateOffer& mates, MeasureTool& measure,
                     QWidget* parent)
    : QOpenGLWidget(parent),
      document_(document),
      drag_(drag),
      mates_(mates),
      measure_(measure),
      interaction_(document, drag, measure, presenter_, camera_),
      measured_(document, measure, *this),
      legend_(new ContactLegend(this)),
      cube_(new ViewCubeWidget(this)),
      band_(new QRubberBand(QRubberBand::Rectangle, this)),
      explode_(new ExplodePanel(this)),
      note_(makeOverlayLabel(*this)),
      displacement_(makeOverlayLabel(*this)) {
  presenter_.overlay()->addChild(measured_.node());
  connect(&mates_, &MateOffer::changed, this, &SceneView::showMate);
  connect(&measure_, &MeasureTool::changed, this, &SceneView::showMeasured);
  connect(&measure_, &MeasureTool::activeChanged, this, &SceneView::showMeasured);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 180);
  setAccessibleName(tr("View of the model"));
  connect(&document_, &Document::opened, this, &SceneView::openScene);
  connect(&document_, &Document::aboutToClose, this, [this] {
    chosen_.reset();
    ofChosen_.clear();
    ofAll_.clear();
    presenter_.clear();
    explode_->setFraction(0);
    legend_->hide();
  });
  restTimer_.setSingleShot(true);
  restTimer_.setInterval(200);
  connect(&restTimer_, &QTimer::timeout, this, qOverload<>(&SceneView::update));
  connect(&interaction_, &ViewInteraction::cameraMoved, this, &SceneView::hasten);
  connect(&drag_, &DragController::moved, this, &SceneView::hasten);
  connect(&interaction_, &ViewInteraction::cameraMoved, this, &SceneView::cameraMoved);
  connect(&interaction_, &ViewInteraction::bandChanged, this,
          [this](const std::optional<PictureRectangle>& band) {
            band_->setVisible(band.has_value());
            if (!band) return;
            const double ratio = devicePixelRatioF();
            band_->setGeometry(
                QRectF(QPointF(band->low.x, band->low.y) / ratio, QPointF(band->high.x, band->high.y) / ratio)
                    .toRect());
          });
  connect(&interaction_, &ViewInteraction::escaped, this, &SceneView::escaped);
  connect(&interaction_, &ViewInteraction::displaced, this, &SceneView::showDisplacement);
  connect(&interaction_, &ViewInteraction::placingPivotChanged, this, [this] {
    showNote();
    updateHandles();
  });
  connect(cube_, &ViewCubeWidget::chosen, this, [this](const Vec3& sight) {
    camera_.lookAlong(sight);
    cameraMoved();
  });
  connect(&interaction_, &ViewInteraction::changed, this, qOverload<>(&SceneView::update));
  connect(&interaction_, &ViewInteraction::hovered, this, &SceneView::hovered);
  connect(&interaction_, &ViewInteraction::refused, this, &SceneView::refused);
  connect(explode_, &ExplodePanel::changed, this, &SceneView::showExploded);
  for (const MarkFinder* marks : {&ofChosen_, &ofAll_})
    connect(marks, &MarkFinder::found, this, &SceneView::refresh);
  connect(&ofChosen_, &MarkFinder::found, this, [this] {
    const auto marks = chosen_ ? ofChosen_.of({chosen_->a, chosen_->b}) : nullptr;
    if (marks && marks->isCut()) emit hovered(tr("Only a part of where the two intersect is red"));
  });
  connect(&document_, &Document::stateChanged, this, &SceneView::refresh);
  connect(&document_, &Document::selectionChanged, this, &SceneView::refresh);
  connect(&document_.check(), &LiveCheck::answered, this, &SceneView::refresh);
  connect(&document_.check(), &LiveCheck::depthsFound, this, &SceneView::refresh);
  connect(&document_.motion(), &ShownMotion::mapChanged, this, &SceneView::refresh);
  connect(&presenter_.caps(), &ShownSection::changed, this, [this] {
    updateHandles();
    update();
  });
  connect(&drag_, &DragController::moved, this, &SceneView::followDrag);
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
  smooth_.reset();
  doneCurrent();
}

bool SceneView::event(QEvent* event) {
  // While a number is typed for a drag, digits are no shortcuts.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (interaction_.takes(key->key(), key->text())) event->accept();
  }
  return QOpenGLWidget::event(event);
}

void SceneView::initializeGL() {
  if (viewer_) {
    // After docking elsewhere, OSG's objects belong to a deleted context.
    presenter_.root()->releaseGLObjects(window_->getState());
    window_->getState()->reset();
    presenter_.remakeDrawings();
    smooth_.reset();
    return;
  }
  viewer_ = new osgViewer::Viewer;
  viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
  viewer_->setKeyEventSetsDone(0);
  viewer_->setQuitEventSetsDone(false);
  window_ = viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width(), height());
  osg::Camera* camera = viewer_->getCamera();
  camera->setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  camera->setCullingMode(camera->getCullingMode() & ~osg::CullSettings::SMALL_FEATURE_CULLING);
  viewer_->getLight()->setAmbient({0.28F, 0.28F, 0.28F, 1});
  viewer_->getLight()->setDiffuse({0.55F, 0.55F, 0.55F, 1});
  camera->setInitialDrawCallback(
      new PictureBegin([this](osg::RenderInfo& info) { presenter_.moveToOpenGl(info); }));
  viewer_->setSceneData(presenter_.root());
  showTheme();
}

void SceneView::resizeGL(int width, int height) {
  const double ratio = devicePixelRatioF();
  const int w = std::max(1, static_cast<int>(std::lround(width * ratio))),
            h = std::max(1, static_cast<int>(std::lround(height * ratio)));
  camera_.setPicture(w, h);
  interaction_.setPixelRatio(ratio);
  presenter_.setPixelRatio(ratio);
  viewer_->getEventQueue()->windowResize(0, 0, w, h);
  window_->resized(0, 0, w, h);
  viewer_->getCamera()->setViewport(0, 0, w, h);
  updateHandles();
  measured_.place(camera_);
}

void SceneView::paintGL() {
  const Viewpoint& view = camera_.viewpoint();
  osg::Camera* camera = viewer_->getCamera();
  camera->setViewMatrixAsLookAt(osgFitup::toVec3d(view.eye), osgFitup::toVec3d(view.target),
                                osgFitup::toVec3d(view.up));
  const double aspect = static_cast<double>(camera_.width()) / camera_.height();
  // OSG moves the near and the far plane to what there is.
  if (camera_.projection() == Projection::perspective) {
    camera->setProjectionMatrixAsPerspective(Camera::fieldOfViewDegrees, aspect, 1, 1000);
  } else {
    const double y = camera_.halfHeight(), x = aspect * y;
    camera->setProjectionMatrixAsOrtho(-x, x, -y, y, -1000, 1000);
  }
  const bool isMoving = restTimer_.isActive();
  isMoving ? presenter_.setHaste(camera_, mostTriangles_) : presenter_.setLeisure();
  // Several samples a pixel take three times as long where a processor draws.
  const QSize size(camera_.width(), camera_.height());
  if (!isMoving && (!smooth_ || smooth_->size() != size)) {
    QOpenGLFramebufferObjectFormat format;
    format.setAttachment(QOpenGLFramebufferObject::CombinedDepthStencil);
    format.setSamples(4);
    smooth_ = std::make_unique<QOpenGLFramebufferObject>(size, format);
  }
  const bool isSmooth = !isMoving && smooth_->isValid() && smooth_->format().samples() > 1;
  window_->setDefaultFboId(isSmooth ? smooth_->handle() : defaultFramebufferObject());
  if (isSmooth) smooth_->bind();
  QElapsedTimer time;
  time.start();
  viewer_->frame();
  finishPieces(*window_->getState());
  if (isMoving) {
    glFinish();
    adaptTo(static_cast<double>(time.nsecsElapsed()) * 1e-6);
  }
  if (!isSmooth) return;
  QOpenGLFramebufferObject::blitFramebuffer(nullptr, smooth_.get());
  QOpenGLFramebufferObject::bindDefault();
}

/// Chooses how many triangles the next picture may have while something moves.
void SceneView::adaptTo(double milliseconds) {
  constexpr double wanted = 40, least = 20'000, most = 4e6;
  const double factor = std::clamp(wanted / std::max(milliseconds, 1.0), 0.5, 1.25);
  mostTriangles_ =
      static_cast<std::size_t>(std::clamp(factor * static_cast<double>(mostTriangles_), least, most));
}

void SceneView::finishDrawing() {
  bool isShown = false;
  const auto connection = connect(this, &QOpenGLWidget::frameSwapped, this, [&isShown] { isShown = true; });
  update();
  while (!isShown && isVisible()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  disconnect(connection);
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
  presenter_.setUpAxis(document_.session()->assembly().upAxis());
  if (project && project->viewpoint)
    camera_.setViewpoint(*project->viewpoint);
  else
    camera_.look(StandardView::isometric, visibleBounds());
  cameraMoved();
  refresh();
}

/// The next pictures are replaced soon, and may be drawn more quickly.
void SceneView::hasten() { restTimer_.start(); }

Box SceneView::visibleBounds() const {
  const Session* session = document_.session();
  if (session == nullptr) return {};
  if (!presenter_.isExploded()) return session->visibleBounds();
  std::vector<NodeId> visible = session->assembly().instances();
  std::erase_if(visible, [&](NodeId node) { return session->state().hidden.contains(node); });
  return drawnBounds(visible);
}

Box SceneView::drawnBounds(std::span<const NodeId> instances) const {
  const Session& session = *document_.session();
  if (!presenter_.isExploded()) return session.worldBounds(instances);
  Box box;
  for (const NodeId node : instances) box.extend(session.scene().worldBounds(node, presenter_.drawnPoses()));
  return box;
}

void SceneView::cameraMoved() {
  document_.setViewpoint(camera_.viewpoint());
  cube_->show(camera_);
  updateHandles();
  measured_.place(camera_);
  update();
  emit cameraChanged();
}

void SceneView::setViewpoint(const Viewpoint& view) {
  camera_.setViewpoint(view);
  cameraMoved();
}

void SceneView::setProjection(Projection projection) {
  if (projection == camera_.projection()) return;
  camera_.setProjection(projection);
  cameraMoved();
  emit settingsChanged();
}

void SceneView::setDisplayMode(DisplayMode mode) {
  if (mode == presenter_.displayMode()) return;
  presenter_.setDisplayMode(mode);
  update();
  emit settingsChanged();
}

void SceneView::setNavigation(NavigationPreset preset) {
  if (preset == interaction_.navigation()) return;
  interaction_.setNavigation(preset);
  emit settingsChanged();
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
  camera_.frame(drawnBounds(selected));
  cameraMoved();
}

void SceneView::zoomTo(const Box& world, double partSize) {
  if (world.empty()) return;
  // A fixed share of the whole scene would be too far from a bolt in a hall, and inside a nut of a small
  // assembly.
  const double seen = norm(visibleBounds().halfExtent());
  const double least = partSize <= 0.25 * seen ? partSize : 0.03 * seen;
  Box box;
  for (int i = 0; i < 3; ++i) {
    const double half = std::max(2 * world.halfExtent()[i], least);
    box.min[i] = world.centre()[i] - half;
    box.max[i] = world.centre()[i] + half;
  }
  camera_.frame(box);
  cameraMoved();
}

void SceneView::choose(const std::optional<Finding>& finding) {
  chosen_ = finding;
  refresh();
}

void SceneView::lookAt(const Finding& finding) {
  const Session& session = *document_.session();
  if (presenter_.isExploded()) {
    const std::set<NodeId> parts = finding.instances();
    camera_.frame(drawnBounds(std::vector(parts.begin(), parts.end())));
    return cameraMoved();
  }
  const Box box = boundsOf(session, finding, drag_.poses());
  const auto sizeOf = [&](NodeId node) {
    return 2 * norm(session.worldBounds(std::span(&node, 1)).halfExtent());
  };
  Poses poses = session.poses();
  poses.set(drag_.poses());
  if (!box.empty() && finding.copies.empty()) try {
      camera_.lookAlong(
          clearestSight(session.scene(), poses, finding.a, finding.b, box.centre(), camera_.forward()));
    } catch (const Error&) {
      // The parts are too far away for exact tests, and the direction stays.
    }
  zoomTo(box, std::min(sizeOf(finding.a), sizeOf(finding.b)));
}

void SceneView::setPaintsFaces(bool on) {
  if (on == paintsFaces_) return;
  paintsFaces_ = on;
  refresh();
  emit settingsChanged();
}

bool SceneView::marksFinding() const {
  return chosen_ && !paintsFaces_ && !drag_.isActive() && !presenter_.isExploded() && chosen_->copies.empty();
}

/// Empty until it is known where the parts of the finding intersect.
std::vector<MarkedPair> SceneView::marksOfChosen() {
  if (!marksFinding()) {
    ofChosen_.clear();
    return {};
  }
  const Session& session = *document_.session();
  const InstancePair pair(chosen_->a, chosen_->b);
  ofChosen_.ask(session.scene(), session.poses(), std::span(&pair, 1));
  const auto marks = ofChosen_.of(pair);
  if (!marks) return {};
  return {{pair, marks}};
}

/// Those that are known of the pairs that need action, while nothing moves. Whole faces show a pair without
/// regions, such as one with open parts, and one with too many pieces.
std::vector<MarkedPair> SceneView::marksOfAll(const InterferenceReport* report) {
  const Session& session = *document_.session();
  std::vector<InstancePair> pairs;
  if (report != nullptr && !paintsFaces_ && !drag_.isActive() && !presenter_.isExploded())
    pairs = pairsToMark(*report, session.state().hidden);
  ofAll_.ask(session.scene(), session.poses(), pairs);
  std::vector<MarkedPair> marked;
  for (const InstancePair& pair : pairs)
    if (auto marks = ofAll_.of(pair); marks && marks->hasRegions() && !marks->isCut())
      marked.push_back({pair, std::move(marks)});
  return marked;
}

// ---- display ----

void SceneView::setDimOthers(bool on) {
  dimOthers_ = on;
  refresh();
  emit settingsChanged();
}

void SceneView::showFace(const std::optional<std::pair<NodeId, SurfaceId>>& face) {
  presenter_.showFace(face);
  update();
}

void SceneView::refresh() {
  const Session* session = document_.session();
  if (session != nullptr && !presenter_.isClear()) {
    const SessionState& state = session->state();
    InstanceLooks looks{state.hidden, state.ghosted, document_.selection(), state.looks};
    const InterferenceReport* report = document_.check().answer().report.get();
    if (report != nullptr)  // a part inside another one is visible only through it
      for (const PairInterference& pair : report->pairs)
        if (const auto contained = containedPart(session->assembly(), pair);
            contained && !state.hidden.contains(contained->inner))
          looks.ghosted.insert(contained->outer);
    if (dimOthers_ && report != nullptr && report->needsAction()) {
      // Mated parts touch everywhere, so parts that are only in contact are no findings to look for.
      std::set<NodeId> involved = document_.selection();
      for (const PairInterference& pair : report->pairs)
        if (pair.needsAction()) involved.insert({pair.a, pair.b});
      for (const NodeId node : session->assembly().instances())
        if (!involved.contains(node)) looks.ghosted.insert(node);
    }
    const ContactMap* map = document_.motion().map();
    looks.plain = map != nullptr;
    const bool isMarked = marksFinding();
    if (isMarked) looks.finding = {chosen_->a, chosen_->b};
    presenter_.setLooks(looks);
    presenter_.place(drag_.poses());
    // Two colours on one face would hide each other.
    const InterferenceReport* painted = map != nullptr || isMarked ? nullptr : report;
    const std::vector<MarkedPair> ofChosen = marksOfChosen(), ofAll = marksOfAll(painted);
    presenter_.showMarks(isMarked ? ofChosen : ofAll);
    presenter_.showInterference(painted, document_.selection());
    // Until it is known where the parts intersect, while they move, and in an exploded view, in which they
    // intersect nowhere, a finding is shown by its faces.
    presenter_.showChosen(ofChosen.empty() ? chosen_ : std::nullopt);
    presenter_.showContactMap(map);
    legend_->show(map, shown(session->assembly().unit()));
    placeOverlays();
    presenter_.setSections(presenter_.isExploded() ? std::span<const SectionPlane>() : state.sections);
    presenter_.showCaps(state.tolerance);
  }
  updateHandles();
  update();
}

void SceneView::followDrag() {
  // The answer brings the new intersections.
  presenter_.place(drag_.poses());
  if (document_.session() != nullptr) presenter_.showCaps(document_.session()->state().tolerance);
  updateHandles();
  update();
}

void SceneView::showExploded() {
  if (document_.session() != nullptr) {
    const bool wasExploded = presenter_.isExploded();
    presenter_.explode(explode_->fraction());
    hasten();
    if (presenter_.isExploded() && measure_.isActive()) measure_.setActive(false);
    measured_.setHidden(presenter_.isExploded());
    if (wasExploded == presenter_.isExploded()) {
      update();
    } else {
      showMeasured();
      refresh();
    }
  }
  placeOverlays();
  emit settingsChanged();
}

void SceneView::updateHandles() {
  const Session* session = document_.session();
  const bool cuts = session != nullptr && !presenter_.isExploded() && anyEnabled(session->state().sections);
  interaction_.updateHandles(cuts ? visibleBounds() : Box{});
  if (cuts) presenter_.caps().setHatching(camera_, hatchingPixels * devicePixelRatioF());
}

// ---- mouse and keys ----

void SceneView::mousePressEvent(QMouseEvent* event) {
  interaction_.press(picturePoint(event->position()), event->button(), event->modifiers());
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
  interaction_.move(picturePoint(event->position()), event->modifiers());
}

void SceneView::mouseReleaseEvent(QMouseEvent* event) {
  interaction_.release(picturePoint(event->position()), event->button(), event->modifiers());
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || document_.session() == nullptr || drag_.isActive() ||
      measure_.isActive())
    return mousePressEvent(event);
  const auto pick = presenter_.pick(camera_.ray(picturePoint(event->position())));
  if (!pick) return frameAll();
  camera_.frame(drawnBounds(std::span(&pick->instance, 1)));
  cameraMoved();
}

void SceneView::wheelEvent(QWheelEvent* event) {
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0) interaction_.zoom(picturePoint(event->position()), steps);
  event->accept();
}

void SceneView::keyPressEvent(QKeyEvent* event) {
  if (!interaction_.key(event->key(), event->modifiers(), event->text())) QOpenGLWidget::keyPressEvent(event);
}

void SceneView::leaveEvent(QEvent* event) {
  interaction_.leave();
  QOpenGLWidget::leaveEvent(event);
}

void SceneView::changeEvent(QEvent* event) {
  QOpenGLWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showTheme();
}

void SceneView::setBackground(const std::optional<QColor>& colour) {
  if (colour == background_) return;
  background_ = colour;
  showTheme();
  emit settingsChanged();
}

void SceneView::showTheme() {
  if (!viewer_) return;
  const bool isDark = background_.value_or(palette().color(QPalette::Window)).lightness() < 128;
  osg::Vec4 colour = isDark ? osg::Vec4(0.15F, 0.16F, 0.18F, 1) : osg::Vec4(0.93F, 0.945F, 0.96F, 1);
  if (background_) colour.set(background_->redF(), background_->greenF(), background_->blueF(), 1);
  viewer_->getCamera()->setClearColor(colour);
  presenter_.setDark(isDark);
  update();
}

void SceneView::resizeEvent(QResizeEvent* event) {
  QOpenGLWidget::resizeEvent(event);
  placeOverlays();
}

void SceneView::placeOverlays() {
  legend_->move(8, height() - legend_->height() - 8);
  cube_->move(width() - cube_->width() - 8, 8);
  explode_->move(width() - explode_->width() - 8, height() - explode_->height() - 8);
  note_->move(std::max(0, (width() - note_->width()) / 2), 8);
}

void SceneView::showMate() {
  presenter_.showMate(mates_.current());
  showNote();
}

void SceneView::showMeasured() {
  std::vector<SurfaceId> surfaces;
  const auto& from = measure_.pending();
  if (from && from->surface && !from->pointInPart) surfaces.push_back(*from->surface);
  if (from && !from->surface && !from->edge && document_.session() != nullptr) {
    const Assembly& assembly = document_.session()->assembly();
    for (std::uint32_t s = 0; s < assembly.meshOf(from->instance).surfaces().size(); ++s)
      surfaces.push_back(SurfaceId{s});
  }
  presenter_.showMeasured(from ? from->instance : NodeId{}, surfaces);
  measured_.show(camera_);
  updateHandles();
  showNote();
}

void SceneView::showNote() {
  const QString text =
      interaction_.isPlacingPivot()
          ? tr("Pivot: click a corner, an edge, the centre of a circle or a round face. Esc ends it.")
      : mates_.current() != nullptr ? mates_.text()
                                    : measureHint(document_, measure_);
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
  note_->adjustSize();
  placeOverlays();
  update();
}

void SceneView::showDisplacement(const QString& text, const PicturePoint& at) {
  displacement_->setText(text);
  displacement_->setVisible(!text.isEmpty());
  displacement_->adjustSize();
  constexpr int beside = 18;
  const double ratio = devicePixelRatioF();
  const int x = static_cast<int>(at.x / ratio) + beside, y = static_cast<int>(at.y / ratio) + beside;
  displacement_->move(std::clamp(x, 0, std::max(0, width() - displacement_->width())),
                      std::clamp(y, 0, std::max(0, height() - displacement_->height())));
}

}  // namespace fitup::viewer
