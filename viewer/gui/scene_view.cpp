#include <viewer/gui/scene_view.h>

#include <algorithm>
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
#include <viewer/gui/overlay_label.h>
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
      renderer_(presenter_),
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
      if (label->isVisible() && (label == legend_ || measured_.owns(label)))
        label->render(&painter, label == legend_
                                    ? QPoint(8, qRound(size.height() / scale) - legend_->height() - 8)
                                    : measured_.placeOf(label, camera_, scale));
  }
  setSize(shown, ratio);
  doneCurrent();
  if (image.isNull()) throw InputError("OpenGL cannot draw a picture of this size here");
  return image;
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
  if (drag_.isActive()) return {};  // those of parts that stay are kept
  const Session& session = *document_.session();
  std::vector<InstancePair> pairs;
  if (report != nullptr && !paintsFaces_ && !presenter_.isExploded())
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
    // intersect nowhere, a finding is shown by its faces. Those of a whole pair are red anyway, and would be
    // hidden by all others of its parts.
    const bool isPair = chosen_ && !chosen_->surfaces && chosen_->intersects && chosen_->copies.empty();
    const bool isRed = isPair && !presenter_.isExploded();
    presenter_.showChosen(ofChosen.empty() && !isRed ? chosen_ : std::nullopt);
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
