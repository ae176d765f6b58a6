#include <viewer/gui/scene_view.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <fitup/base/error.h>
#include <viewer/core/section_planes.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/nearness_text.h>
#include <viewer/gui/overlay_label.h>
#include <viewer/gui/picture_content.h>
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

SceneView::SceneView(Document& document, DragController& drag, MateOffer& mates, MateTool& mate,
                     MeasureTool& measure, QWidget* parent)
    : QOpenGLWidget(parent),
      document_(document),
      drag_(drag),
      mates_(mates),
      mate_(mate),
      measure_(measure),
      findings_(document, drag, presenter_, *this),
      interaction_(document, drag, measure, mate, presenter_, camera_),
      moves_([this](PicturePoint to, Qt::KeyboardModifiers modifiers) { interaction_.move(to, modifiers); }),
      renderer_(presenter_),
      measured_(document, measure, *this),
      legend_(new ContactLegend(this)),
      cube_(new ViewCubeWidget(this)),
      band_(new QRubberBand(QRubberBand::Rectangle, this)),
      explode_(new ExplodePanel(this)),
      matePanel_(new MatePanel(mate, this)),
      note_(makeOverlayLabel(*this)),
      displacement_(makeOverlayLabel(*this)) {
  presenter_.overlay()->addChild(measured_.node());
  connect(&mates_, &MateOffer::changed, this, &SceneView::showMate);
  connect(&mate_, &MateTool::changed, this, &SceneView::showMateTool);
  connect(matePanel_, &MatePanel::resized, this, &SceneView::placeOverlays);
  connect(&measure_, &MeasureTool::changed, this, &SceneView::showMeasured);
  connect(&measure_, &MeasureTool::activeChanged, this, &SceneView::showMeasured);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(240, 180);
  setAccessibleName(tr("View of the model"));
  connect(&document_, &Document::opened, this, &SceneView::openScene);
  connect(&document_, &Document::aboutToClose, this, [this] {
    findings_.clear();
    turn_.reset();
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
  connect(&findings_, &ShownFindings::found, this, &SceneView::refresh);
  connect(&findings_, &ShownFindings::noted, this, &SceneView::hovered);
  connect(&document_, &Document::stateChanged, this, &SceneView::refresh);
  connect(&document_, &Document::lengthUnitChanged, this, [this] {
    showMeasured();
    refresh();
  });
  connect(&document_, &Document::selectionChanged, this, &SceneView::refresh);
  connect(&document_.check(), &LiveCheck::answered, this, &SceneView::refresh);
  connect(&document_.check(), &LiveCheck::answered, this, [this] {
    if (!displaced_.isEmpty()) showDisplacement(displaced_, displacedAt_);
  });
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
  if (!renderer_.hasBegun()) return;
  makeCurrent();
  renderer_.end();
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
  renderer_.begin(width(), height());
  showTheme();
}

void SceneView::resizeGL(int width, int height) {
  const double ratio = devicePixelRatioF();
  setSize(QSize(std::max(1, static_cast<int>(std::lround(width * ratio))),
                std::max(1, static_cast<int>(std::lround(height * ratio)))),
          ratio);
}

/// The device pixels of the picture, and how many of them are one pixel of the widget.
void SceneView::setSize(const QSize& pixels, double ratio) {
  camera_.setPicture(pixels.width(), pixels.height());
  interaction_.setPixelRatio(ratio);
  presenter_.setPixelRatio(ratio);
  renderer_.resize(pixels.width(), pixels.height());
  updateHandles();
  measured_.place(camera_);
  findings_.depth().place(camera_, ratio);
}

QImage SceneView::picture(const ViewPicture& wish) {
  const QSize size = wish.size.isEmpty() ? pictureSize() : wish.size;
  if (size.width() > ViewPicture::longest || size.height() > ViewPicture::longest ||
      qint64{size.width()} * size.height() > ViewPicture::mostPixels)
    throw InputError("a picture of " + std::to_string(size.width()) + " x " + std::to_string(size.height()) +
                     " pixels is too large");
  if (!isValid()) throw InputError("the view has not been drawn yet");
  const QSize shown = pictureSize();
  const double ratio = devicePixelRatioF(), scale = ratio * size.height() / shown.height();
  makeCurrent();
  setSize(size, scale);
  QImage image = renderer_.image(camera_, wish.transparent);
  if (wish.labels && !image.isNull()) {
    QPainter painter(&image);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.scale(scale, scale);
    for (QWidget* label : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
      if (label->isVisible())
        if (const auto place = placeInPicture(label, size.height() / scale, scale))
          label->render(&painter, *place);
  }
  setSize(shown, ratio);
  doneCurrent();
  if (image.isNull()) throw InputError("OpenGL cannot draw a picture of this size here");
  return image;
}

/// The place of a label that belongs into a picture with so many device pixels for one of the widget's;
/// empty for any other one.
std::optional<QPoint> SceneView::placeInPicture(const QWidget* label, double height, double scale) const {
  if (label == legend_) return QPoint(8, qRound(height) - legend_->height() - 8);
  if (measured_.owns(label)) return measured_.placeOf(label, camera_, scale);
  if (findings_.depth().owns(label)) return findings_.depth().placeOfLabel(camera_, scale);
  return std::nullopt;
}

void SceneView::paintGL() { renderer_.draw(camera_, restTimer_.isActive(), defaultFramebufferObject()); }

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
  hidden_ = document_.session()->state().hidden;
  cameraMoved();
  refresh();
}

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
  placeLabels();
  update();
  emit cameraChanged();
}

/// Moves what is written in the picture to where it belongs.
void SceneView::placeLabels() {
  measured_.place(camera_);
  findings_.depth().place(camera_, devicePixelRatioF());
}

/// Fits what is visible into the picture if parts were hidden or shown, and nothing of the rest is in it.
void SceneView::keepInPicture() {
  const std::set<NodeId>& hidden = document_.session()->state().hidden;
  if (hidden == hidden_) return;
  hidden_ = hidden;
  if (!drag_.isActive() && !showsAnything(presenter_, *document_.session(), camera_)) frameAll();
}

void SceneView::setViewpoint(const Viewpoint& view) {
  camera_.setViewpoint(view);
  cameraMoved();
}

void SceneView::setProjection(Projection projection) {
  if (projection == camera_.projection()) return;
  const Box bounds = visibleBounds();
  const bool showedAll = camera_.contains(bounds);
  camera_.setProjection(projection);
  // An orthographic picture is the same from anywhere along the line of sight, also from within the model.
  if (showedAll && !camera_.contains(bounds)) camera_.frame(bounds);
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
  interaction_.setPlace(std::nullopt);
  camera_.look(view, visibleBounds());
  cameraMoved();
}

void SceneView::frameAll() {
  interaction_.setPlace(std::nullopt);
  camera_.frame(visibleBounds());
  cameraMoved();
}

void SceneView::frameSelection() {
  if (document_.session() == nullptr) return;
  const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  if (selected.empty()) return frameAll();
  interaction_.setPlace(std::nullopt);
  camera_.frame(drawnBounds(selected));
  cameraMoved();
}

void SceneView::keepInView(const Box& box) {
  if (box.empty() || camera_.contains(box)) return;
  Box all = visibleBounds();
  all.extend(box);
  interaction_.setPlace(std::nullopt);
  camera_.frame(all);
  cameraMoved();
}

void SceneView::choose(const std::optional<Finding>& finding) {
  findings_.choose(finding);
  refresh();
}

/// Undoably. Parts that are shown one after the other are one change.
void SceneView::showParts(const Finding& finding) {
  Session& session = *document_.session();
  const std::set<NodeId> parts = finding.instances();
  const auto isHidden = [&](NodeId node) { return session.state().hidden.contains(node); };
  if (std::ranges::none_of(parts, isHidden)) return;
  session.edit(
      "Show",
      [&](SessionState& state) {
        for (const NodeId node : parts) state.hidden.erase(node);
      },
      "show the parts of a finding");
}

void SceneView::lookAt(const Finding& finding) {
  showParts(finding);
  const Session& session = *document_.session();
  if (presenter_.isExploded()) {
    const std::set<NodeId> parts = finding.instances();
    camera_.frame(drawnBounds(std::vector(parts.begin(), parts.end())));
    return cameraMoved();
  }
  Poses poses = session.poses();
  poses.set(drag_.poses());
  const InterferenceReport* report = document_.check().answer().report.get();
  const bool isTurned = turn_ && turn_->after.isTurnedAs(camera_);
  const Camera before = isTurned ? turn_->before : camera_;
  camera_.turnAs(before);
  FindingPlace place;
  place.around = drawnBounds(std::array{finding.a, finding.b});
  place.point = place.around.centre();
  try {
    place = placeOf(session.scene(), poses, finding, report == nullptr ? nullptr : pairOf(*report, finding));
    camera_.lookAlong(
        clearSight(session.scene(), poses, finding.a, finding.b, place.seen, camera_.forward()));
  } catch (const Error&) {
    // The parts are too far away for exact tests, and the direction stays.
  }
  camera_.frame(place.around);
  turn_ = Turn{before, camera_};
  interaction_.setPlace(place.point);
  cameraMoved();
}

void SceneView::setPaintsFaces(bool on) {
  if (on == findings_.paintsFaces()) return;
  findings_.setPaintsFaces(on);
  refresh();
  emit settingsChanged();
}

// ---- display ----

void SceneView::setUpdateRate(UpdateRate rate) {
  moves_.setRate(rate);
  emit settingsChanged();
}

void SceneView::setDimOthers(bool on) {
  findings_.setDimsOthers(on);
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
    findings_.show();
    placeLabels();
    legend_->show(document_.motion().map(), document_.lengthUnit());
    placeOverlays();
    const SessionState& state = session->state();
    presenter_.setSections(presenter_.isExploded() ? std::span<const SectionPlane>() : state.sections);
    presenter_.showCaps(state.tolerance);
    presenter_.showHolding(drag_.holding());
    keepInPicture();
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
    if (presenter_.isExploded()) {
      measure_.setActive(false);
      mate_.setActive(false);
    }
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
  moves_.finish();
  interaction_.press(picturePoint(event->position()), event->button(), event->modifiers());
}

void SceneView::mouseMoveEvent(QMouseEvent* event) {
  moves_.move(picturePoint(event->position()), event->modifiers());
}

void SceneView::mouseReleaseEvent(QMouseEvent* event) {
  moves_.finish();
  interaction_.release(picturePoint(event->position()), event->button(), event->modifiers());
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || document_.session() == nullptr || drag_.isActive() ||
      measure_.isActive() || mate_.isActive())
    return mousePressEvent(event);
  const auto pick = presenter_.pick(camera_.ray(picturePoint(event->position())));
  if (!pick) return frameAll();
  interaction_.setPlace(std::nullopt);
  camera_.frame(drawnBounds(std::span(&pick->instance, 1)));
  cameraMoved();
}

void SceneView::wheelEvent(QWheelEvent* event) {
  moves_.finish();
  const double steps = event->angleDelta().y() / 120.0;
  if (steps != 0) interaction_.zoom(picturePoint(event->position()), steps);
  event->accept();
}

void SceneView::keyPressEvent(QKeyEvent* event) {
  moves_.finish();
  if (!interaction_.key(event->key(), event->modifiers(), event->text())) QOpenGLWidget::keyPressEvent(event);
}

void SceneView::leaveEvent(QEvent* event) {
  moves_.finish();
  interaction_.leave();
  QOpenGLWidget::leaveEvent(event);
}

void SceneView::focusOutEvent(QFocusEvent* event) {
  interaction_.endTyping();  // keys go elsewhere now
  QOpenGLWidget::focusOutEvent(event);
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
  if (!renderer_.hasBegun()) return;
  const bool isDark = background_.value_or(palette().color(QPalette::Window)).lightness() < 128;
  osg::Vec4 colour = isDark ? osg::Vec4(0.15F, 0.16F, 0.18F, 1) : osg::Vec4(0.93F, 0.945F, 0.96F, 1);
  if (background_) colour.set(background_->redF(), background_->greenF(), background_->blueF(), 1);
  renderer_.setBackground(colour);
  presenter_.setDark(isDark);
  update();
}

}  // namespace fitup::viewer
