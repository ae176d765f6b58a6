#include <viewer/gui/view_interaction.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fitup/io/report_build.h>
#include <viewer/core/nudge.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/measure_tool.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {
namespace {

constexpr double gizmoPixels = 95, handleReach = 6, snapReach = 10, mateReach = 25;  // of the widget
constexpr double dragStart = 4;        // a click moves less than this
constexpr double zoomOfPixel = 1.008;  // factor of the distance for a drag of one pixel downwards

QString faceName(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  return shown(assembly.path(instance)) + QStringLiteral("   ") +
         translated(faceText(reportedSurface(assembly.meshOf(instance), surface)));
}

QString handleText(GizmoHandle handle) {
  if (turns(handle)) return ViewInteraction::tr("Drag: turn about this axis. Click: type an angle");
  if (movesAcross(handle)) return ViewInteraction::tr("Drag: move in this plane");
  if (handle == GizmoHandle::centre) return ViewInteraction::tr("Drag: move in the plane of the picture");
  return ViewInteraction::tr("Drag: move along this axis. Click: type a distance");
}

}  // namespace

ViewInteraction::ViewInteraction(Document& document, DragController& drag, MeasureTool& measure,
                                 MateTool& mate, ScenePresenter& presenter, Camera& camera)
    : document_(document),
      drag_(drag),
      measure_(measure),
      mate_(mate),
      presenter_(presenter),
      camera_(camera),
      gizmo_(document, drag),
      section_(document),
      snap_(document, drag, presenter) {
  presenter_.overlay()->addChild(gizmo_.node());
  presenter_.overlay()->addChild(section_.node());
  presenter_.overlay()->addChild(snap_.node());
  connect(&document_, &Document::aboutToClose, this, [this] {
    action_ = Action::none;
    isTyping_ = false;
    gizmo_.end();
    gizmo_.setPivot(std::nullopt);
    menuPlace_.reset();
    place_.reset();
    menuFace_.reset();
    hoveredFace_.reset();
    setPlacingPivot(false);
    section_.finish();
    snap_.clear();
  });
  // A key may end a drag while the button is still held.
  connect(&drag_, &DragController::ended, this, [this] {
    if (!drag_.hasWaiting()) dragEnded();  // otherwise the button is held for the next drag
  });
  connect(&drag_, &DragController::moved, this, &ViewInteraction::tellDisplacement);
  // One tool at a time takes the clicks.
  connect(&mate_, &MateTool::activeChanged, this, [this] {
    if (mate_.isActive()) measure_.setActive(false);
    startChoosing();
  });
  // Other faces fit now, and parts may have moved from under the cursor.
  connect(&mate_, &MateTool::changed, this, [this] {
    hoveredFace_.reset();
    presenter_.showPreselected(std::nullopt);
  });
  connect(&measure_, &MeasureTool::activeChanged, this, [this] {
    if (measure_.isActive()) mate_.setActive(false);
    startChoosing();
  });
}

void ViewInteraction::updateHandles(const Box& visible) {
  const double size = gizmoPixels * ratio_;
  if (document_.session() != nullptr && !document_.selection().empty()) {
    const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
    document_.check().setMateReach(mateReach * ratio_ * camera_.worldPerPixel(drag_.centreOf(selected)));
  }
  // A user who measures clicks on what lies below the gizmo.
  const bool isGuide = canMoveGuide();
  gizmo_.update(camera_, size, isGuide ? GizmoTool::Moves::guide : GizmoTool::Moves::parts,
                document_.session() != nullptr && !choosesFaces() && !isPlacingPivot_ &&
                    (isGuide || !selectionIsHidden()) && !presenter_.isExploded());
  if (!measure_.isActive() && !isPlacingPivot_) snap_.show(std::nullopt);
  section_.update(camera_, visible, 0.8 * size);
}

/// Returns true if nothing of the selection is visible; hidden parts can be selected in the tree.
bool ViewInteraction::selectionIsHidden() const {
  const std::set<NodeId>& hidden = document_.session()->state().hidden;
  return std::ranges::all_of(document_.selection(), [&](NodeId node) { return hidden.contains(node); });
}

Vec3 ViewInteraction::pivotAt(PicturePoint point) const {
  const Ray ray = camera_.ray(point);
  if (const auto pick = presenter_.pick(ray, PickFrom::solidParts)) return pick->point;
  const double depth = dot(camera_.viewpoint().target - ray.from, camera_.forward());
  return ray.at(depth / dot(ray.direction, camera_.forward()));
}

Vec3 ViewInteraction::turnPivotAt(PicturePoint point) const {
  if (place_ && !presenter_.pick(camera_.ray(point), PickFrom::solidParts)) return *place_;
  return pivotAt(point);
}

ViewInteraction::Target ViewInteraction::targetAt(PicturePoint point) const {
  Target target;
  if (document_.session() == nullptr) return target;
  // The arrow of a section often stands in the middle of a selected part, as the handles do. Its head is
  // free.
  if (const SectionHandle* head = section_.headAt(camera_, point, handleReach * ratio_)) {
    target.section = *head;
    return target;
  }
  if (const auto& gizmo = gizmo_.gizmo())
    target.handle = gizmo->handleAt(camera_, point, handleReach * ratio_);
  if (target.handle) return target;
  if (const SectionHandle* arrow = section_.handleAt(camera_, point, handleReach * ratio_)) {
    target.section = *arrow;
    return target;
  }
  target.pick = presenter_.pick(camera_.ray(point));
  if (!seesGuides()) return target;
  target.guide = hitCopy(document_.session()->scene(), wayOut_->shownGuides(), camera_.ray(point),
                         wayOut_->chosenGuide());
  // A copy that has not been moved yet is where its part is.
  constexpr double same = 1e-9;
  if (target.guide && target.pick && target.guide->distance > (1 + same) * target.pick->distance)
    target.guide.reset();
  if (target.guide) target.pick.reset();
  return target;
}

// ---- mouse ----

void ViewInteraction::press(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (action_ != Action::none) return;
  endTyping();
  button_ = button;
  pressedAt_ = last_ = point;
  if (place_ && !camera_.contains(Box::around({&*place_, 1}))) place_.reset();  // the user went elsewhere
  pivot_ = pivotAt(point);
  turnPivot_ = turnPivotAt(point);
  pressedOn_ = targetAt(point);
  pressedGizmo_ = gizmo_.gizmo();
  // A click of these two does something else than a drag.
  const bool clicks = button_ == Qt::LeftButton || button_ == Qt::RightButton;
  action_ = clicks ? Action::pressed : cameraAction(modifiers);
  presenter_.showPreselected(std::nullopt);
  snap_.show(std::nullopt);
  emit changed();
}

ViewInteraction::Action ViewInteraction::cameraAction(Qt::KeyboardModifiers modifiers) const {
  const MouseButton button = button_ == Qt::LeftButton    ? MouseButton::left
                             : button_ == Qt::RightButton ? MouseButton::right
                                                          : MouseButton::middle;
  switch (cameraDrag(navigation_, button,
                     {modifiers.testFlag(Qt::ShiftModifier), modifiers.testFlag(Qt::ControlModifier)})) {
    case CameraDrag::orbit:
      return Action::orbit;
    case CameraDrag::pan:
      return Action::pan;
    case CameraDrag::zoom:
      return Action::zoom;
    case CameraDrag::none:
      break;
  }
  return Action::idle;
}

/// What was grabbed stays under the cursor, although the drag begins some pixels later.
void ViewInteraction::beginRight(Qt::KeyboardModifiers modifiers) {
  action_ = cameraAction(modifiers);
  last_ = pressedAt_;
}

void ViewInteraction::beginLeft(Qt::KeyboardModifiers modifiers) {
  action_ = cameraAction(modifiers);
  if (document_.session() == nullptr) return;
  const Ray ray = camera_.ray(pressedAt_);
  const auto& [handle, arrow, guide, pick] = pressedOn_;
  if (arrow) {
    section_.begin(*arrow, ray);
    action_ = Action::section;
    return;
  }
  const std::optional<GizmoTool::Moves> moves = movedFromPressed();
  if (!moves) {
    // Where a drag turns nothing, it selects; elsewhere a key says so.
    const bool isBand = action_ == Action::idle || modifiers.testFlag(Qt::ShiftModifier) ||
                        modifiers.testFlag(Qt::ControlModifier);
    if (isBand && !choosesFaces() && !isMoving()) action_ = Action::band;
    return;
  }
  if (handle)
    gizmo_.begin(*moves, *handle, *pressedGizmo_, camera_, ray);
  else
    gizmo_.begin(*moves, guide ? guide->point : pick->point, camera_);
  gizmo_.setLit(handle);
  // A drag of a part that cannot begin does not turn the camera instead.
  action_ = beginDrag(*moves) ? Action::drag : Action::idle;
  if (action_ == Action::idle) gizmo_.end();
}

std::optional<GizmoTool::Moves> ViewInteraction::movedFromPressed() const {
  const auto& [handle, arrow, guide, pick] = pressedOn_;
  if (handle) return gizmo_.moves();
  if (choosesFaces()) return std::nullopt;
  if (guide && canMoveGuide() && wayOut_->chosenGuide() == guide->copy) return GizmoTool::Moves::guide;
  if (pick && document_.selection().contains(pick->instance)) return GizmoTool::Moves::parts;
  return std::nullopt;
}

bool ViewInteraction::beginDrag(GizmoTool::Moves moves) {
  if (presenter_.isExploded()) {
    emit refused(tr("Parts cannot be dragged in an exploded view. Set its slider to 0 first."));
    return false;
  }
  if (moves == GizmoTool::Moves::parts)
    return drag_.begin({document_.selection().begin(), document_.selection().end()});
  if (canMoveGuide()) wayOut_->beginDrag();
  return wayOut_->isDragging();
}

void ViewInteraction::move(PicturePoint point, Qt::KeyboardModifiers modifiers) {
  if (action_ == Action::pressed) {
    if (std::abs(point.x - pressedAt_.x) + std::abs(point.y - pressedAt_.y) < dragStart * ratio_) return;
    button_ == Qt::LeftButton ? beginLeft(modifiers) : beginRight(modifiers);
  }
  const double dx = point.x - last_.x, dy = point.y - last_.y;
  last_ = point;
  const Ray ray = camera_.ray(point);
  switch (action_) {
    case Action::none:
      hover(point, modifiers);
      break;
    case Action::pressed:
    case Action::idle:
      break;
    case Action::orbit:
      camera_.orbit(dx, dy, turnPivot_);
      emit cameraMoved();
      break;
    case Action::pan:
      camera_.pan(dx, dy, pivot_);
      emit cameraMoved();
      break;
    case Action::zoom:
      camera_.zoom(std::pow(zoomOfPixel, dy / ratio_), pivot_);
      emit cameraMoved();
      break;
    case Action::drag:
      gizmo_.moveTo(ray, drag_.snaps() != modifiers.testFlag(Qt::ShiftModifier));
      tellDisplacement();
      break;
    case Action::section:
      section_.moveTo(ray);
      emit displaced(section_.displacement(), point);
      break;
    case Action::band:
      emit bandChanged(PictureRectangle::between(pressedAt_, point));
      break;
  }
}

void ViewInteraction::release(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (button != button_) return;
  const Action ended = action_;
  action_ = Action::none;
  button_ = Qt::NoButton;
  if (ended == Action::pressed) button == Qt::LeftButton ? click(point, modifiers) : openMenu(point);
  if (ended == Action::section) {
    section_.finish();
    emit displaced({}, point);
  }
  if (ended == Action::band) finishBand(point, modifiers);
  if (ended == Action::drag) endDrag();
}

void ViewInteraction::endDrag() {
  gizmo_.end();
  tellDisplacement();
  finishDrag();
}

void ViewInteraction::takeMeasured(const Pick& pick, Qt::KeyboardModifiers modifiers) {
  MeasureTarget target{pick.instance};
  if (!modifiers.testFlag(Qt::ControlModifier)) target.surface = pick.surface;
  if (modifiers.testFlag(Qt::ShiftModifier) && pick.surface) {
    target.surface = pick.surface;
    target.pointInPart = document_.session()->worldFromPart(pick.instance).inverse().apply(pick.point);
  }
  measure_.take(target);
}

bool ViewInteraction::choosesFaces() const { return measure_.isActive() || mate_.isActive(); }

void ViewInteraction::startChoosing() {
  if (choosesFaces()) setPlacingPivot(false);
  hoverMated(std::nullopt);
  presenter_.showPreselected(std::nullopt);
}

std::optional<PickedFace> ViewInteraction::menuFace() const {
  return menuFace_ && document_.selection().contains(menuFace_->instance) ? menuFace_ : std::nullopt;
}

QString ViewInteraction::whyNotMated(const Pick& pick) const {
  return pick.surface ? mate_.whyNot({pick.instance, *pick.surface}) : tr("a cut face");
}

void ViewInteraction::hoverMated(const std::optional<Pick>& pick) {
  const bool isSame = pick && hoveredFace_ && pick->isSameSurface(*hoveredFace_);
  if (!isSame) {
    const QString why = pick && mate_.isActive() ? whyNotMated(*pick) : QString();
    const bool isOver = why.isEmpty() && whyNotMated_.isEmpty();
    hoveredFace_ = pick;
    whyNotMated_ = why;
    if (isOver) return;
  }
  if (!isSame || !whyNotMated_.isEmpty()) emit displaced(whyNotMated_, last_);
}

void ViewInteraction::takeMated(const std::optional<Pick>& pick) {
  if (!pick) return;
  QString why = whyNotMated(*pick);
  if (why.isEmpty()) why = mate_.take({pick->instance, *pick->surface});
  if (!why.isEmpty()) emit refused(tr("This face cannot be chosen: %1").arg(why));
}

void ViewInteraction::click(PicturePoint point, Qt::KeyboardModifiers modifiers) {
  if (document_.session() == nullptr || (isMoving() && !drag_.isArriving())) return;
  if (isPlacingPivot_) return placePivot(point);
  if (pressedOn_.handle) return beginTyping();
  const bool more = modifiers.testFlag(Qt::ControlModifier);
  const auto pick = presenter_.pick(camera_.ray(point));
  if (mate_.isActive()) return takeMated(pick);
  if (measure_.isActive()) {
    if (const auto snap = snapAtPoint(point, modifiers))
      measure_.take(snap_.targetOf(*snap));
    else if (pick)
      takeMeasured(*pick, modifiers);
    return;
  }
  if (wayOut_ != nullptr) {
    wayOut_->chooseGuide(pressedOn_.guide ? std::optional(pressedOn_.guide->copy) : std::nullopt);
    if (pressedOn_.guide) return;
  }
  if (pick && !more)
    if (const SurfaceContact* contact = contactAt(*pick)) return document_.motion().goTo(stepOf(*contact));
  std::set<NodeId> selection = more ? document_.selection() : std::set<NodeId>{};
  if (pick && !selection.insert(pick->instance).second) selection.erase(pick->instance);
  const bool single = pick && selection == std::set<NodeId>{pick->instance};
  document_.select(std::move(selection), single ? pick->surface : std::nullopt);
}

/// The menu is about the selection, so a part that is not selected is selected first.
void ViewInteraction::openMenu(PicturePoint point) {
  if (document_.session() == nullptr || isMoving()) return;
  // A handle lies over what the menu is about.
  const auto pick = pressedOn_.handle ? presenter_.pick(camera_.ray(point)) : pressedOn_.pick;
  menuPlace_.reset();
  menuFace_.reset();
  if (pick) {
    if (pick->surface) menuFace_ = PickedFace{pick->instance, *pick->surface};
    const std::set<NodeId>& selection = document_.selection();
    if (selection.size() < 2 || !selection.contains(pick->instance))
      document_.select({pick->instance}, pick->surface);
    if (!presenter_.isExploded())
      menuPlace_ = pivotOf(*pick, document_.session()->assembly(), drag_.worldFromPart(pick->instance));
  }
  emit menuRequested(pick || pressedOn_.handle, point);
}

/// Selects what the rectangle contains if it was drawn to the right, and what it crosses if to the left; with
/// Ctrl, zooms to it.
void ViewInteraction::finishBand(PicturePoint to, Qt::KeyboardModifiers modifiers) {
  emit bandChanged(std::nullopt);
  const bool shift = modifiers.testFlag(Qt::ShiftModifier), control = modifiers.testFlag(Qt::ControlModifier);
  if (document_.session() == nullptr) return;
  if (control && !shift) {
    camera_.zoomTo(pressedAt_, to);
    emit cameraMoved();
    return;
  }
  const Session& session = *document_.session();
  std::vector<NodeId> shown;
  for (const NodeId node : session.assembly().instances())
    if (!session.state().hidden.contains(node)) shown.push_back(node);
  std::set<NodeId> selection = control ? document_.selection() : std::set<NodeId>{};
  const std::vector<NodeId> found =
      instancesIn(session.scene(), session.poses(), shown, camera_, PictureRectangle::between(pressedAt_, to),
                  to.x >= pressedAt_.x ? BandRule::inside : BandRule::crossing);
  selection.insert(found.begin(), found.end());
  document_.select(std::move(selection));
}

std::optional<SnapPoint> ViewInteraction::snapAtPoint(PicturePoint point, Qt::KeyboardModifiers modifiers) {
  // These keys ask for the part, or for the point that is exactly under the cursor.
  const bool asksForOther = (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
  if (!(measure_.isActive() || isPlacingPivot_) || asksForOther) return std::nullopt;
  return snap_.at(camera_, point, snapReach * ratio_);
}

void ViewInteraction::hover(PicturePoint point, Qt::KeyboardModifiers modifiers) {
  if (document_.session() == nullptr) return;
  auto [handle, arrow, guide, pick] = targetAt(point);
  const auto snap = handle || arrow ? std::nullopt : snapAtPoint(point, modifiers);
  if (snap) pick.reset();
  const std::optional<std::size_t> overGuide = guide ? std::optional(guide->copy) : std::nullopt;
  const std::optional<std::size_t> plane = arrow ? std::optional(arrow->plane) : std::nullopt;
  if (mate_.isActive()) {
    hoverMated(pick);
    if (!whyNotMated_.isEmpty()) pick.reset();
  }
  bool differs = presenter_.showPreselected(pick);
  if (section_.setLit(plane)) differs = true;
  if (snap_.show(snap)) differs = true;
  if (gizmo_.setLit(handle)) differs = true;
  if (std::exchange(hoveredGuide_, overGuide) != overGuide) differs = true;
  if (!differs) return;
  QString text;
  if (handle)
    text = handleText(*handle);
  else if (plane)
    text = tr("Drag: move the section");
  else if (snap)
    text = snap_.textOf(*snap);
  else if (overGuide)
    text = guideText(*overGuide);
  else if (pick)
    text = textOf(*pick);
  emit hovered(text);
  emit changed();
}

void ViewInteraction::leave() {
  presenter_.showPreselected(std::nullopt);
  snap_.show(std::nullopt);
  hoverMated(std::nullopt);
  emit hovered({});
  emit changed();
}

void ViewInteraction::zoom(PicturePoint point, double steps) {
  if (!wheelGoesNearer(navigation_)) steps = -steps;
  camera_.zoom(std::pow(0.85, steps), pivotAt(point));
  emit cameraMoved();
}

const SurfaceContact* ViewInteraction::contactAt(const Pick& pick) const {
  const ContactMap* map = document_.motion().map();
  return map != nullptr && pick.surface ? contactOf(*map, pick.instance, *pick.surface) : nullptr;
}

QString ViewInteraction::textOf(const Pick& pick) const {
  const Assembly& assembly = document_.session()->assembly();
  if (!pick.surface) return shown(assembly.path(pick.instance)) + QStringLiteral("   ") + tr("cut face");
  const QString text = faceName(assembly, pick.instance, *pick.surface);
  const SurfaceContact* contact = contactAt(pick);
  if (contact == nullptr) return text;
  const SurfaceApproach& at = contact->first ? *contact->first : contact->least;
  const QString other = faceName(assembly, at.other, at.otherSurface);
  const QString step = QString::number(at.step + 1);
  const LengthUnit unit = document_.lengthUnit();
  return text + QStringLiteral("   ") +
         (contact->first ? tr("first contact at step %1, with %2").arg(step, other)
                         : tr("nearest at step %1, %2 %3 from %4")
                               .arg(step, lengthNumber(at.distance, unit, leastShown, 3), unit.name, other));
}

}  // namespace fitup::viewer
