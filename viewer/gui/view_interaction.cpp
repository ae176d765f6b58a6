#include <viewer/gui/view_interaction.h>

#include <cmath>
#include <numbers>

#include <fitup/io/report_build.h>
#include <viewer/core/nudge.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {
namespace {

constexpr double gizmoPixels = 95, handleReach = 9;  // of the widget
constexpr double dragStart = 4;                      // a click moves less than this

QString faceName(const Assembly& assembly, NodeId instance, SurfaceId surface) {
  return QString::fromStdString(
      assembly.path(instance) + "   " +
      faceText(reportedSurface(assembly.part(*assembly.node(instance).part), surface)));
}

}  // namespace

ViewInteraction::ViewInteraction(Document& document, DragController& drag, ScenePresenter& presenter,
                                 Camera& camera)
    : document_(document),
      drag_(drag),
      presenter_(presenter),
      camera_(camera),
      gizmoNode_(new GizmoNode),
      section_(document) {
  presenter_.overlay()->addChild(section_.node());
  presenter_.overlay()->addChild(gizmoNode_);
  connect(&document_, &Document::aboutToClose, this, [this] {
    action_ = Action::none;
    gizmoDrag_.reset();
    section_.finish();
  });
  // A drag may end by a key, with the button still held.
  connect(&drag_, &DragController::ended, this, [this] {
    if (action_ == Action::drag) action_ = Action::none;
    gizmoDrag_.reset();
  });
}

void ViewInteraction::updateHandles(const Box& visible) {
  gizmo_.reset();
  const Session* session = document_.session();
  const double size = gizmoPixels * ratio_;
  if (session != nullptr && !document_.selection().empty()) {
    const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
    Vec3 centre = session->worldBounds(selected).centre();
    if (drag_.isActive()) centre = drag_.shown().transform().apply(centre);
    gizmo_ = Gizmo{centre, size * camera_.worldPerPixel(centre)};
  }
  gizmoNode_->show(gizmo_, litHandle_);
  section_.update(camera_, visible, 0.8 * size);
}

Vec3 ViewInteraction::pivotAt(PicturePoint point) const {
  const Ray ray = camera_.ray(point);
  if (const auto pick = presenter_.pick(ray)) return pick->point;
  const double depth = dot(camera_.viewpoint().target - ray.from, camera_.forward());
  return ray.at(depth / dot(ray.direction, camera_.forward()));
}

std::optional<GizmoHandle> ViewInteraction::handleAt(PicturePoint point) const {
  return gizmo_ ? gizmo_->handleAt(camera_, point, handleReach * ratio_) : std::nullopt;
}

// ---- mouse ----

void ViewInteraction::press(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (action_ != Action::none) return;
  button_ = button;
  pressedAt_ = last_ = point;
  pivot_ = pivotAt(point);
  if (button_ == Qt::LeftButton)
    action_ = Action::pressed;
  else
    action_ =
        button_ == Qt::RightButton || modifiers.testFlag(Qt::ShiftModifier) ? Action::pan : Action::orbit;
  presenter_.showPreselected(std::nullopt);
  emit changed();
}

void ViewInteraction::beginLeft() {
  action_ = Action::orbit;
  if (document_.session() == nullptr || drag_.isActive()) return;
  const Ray ray = camera_.ray(pressedAt_);
  const auto handle = handleAt(pressedAt_);
  if (handle) {
    gizmoDrag_ = GizmoDrag(*handle, gizmo_->centre, ray);
  } else if (section_.isAt(camera_, pressedAt_, handleReach * ratio_)) {
    section_.begin(ray);
    action_ = Action::section;
    return;
  } else {
    const auto pick = presenter_.pick(ray);
    if (!pick || !document_.selection().contains(pick->instance)) return;
    gizmoDrag_ = GizmoDrag::inPlane(pick->point, camera_.forward());
  }
  litHandle_ = handle;
  if (drag_.begin({document_.selection().begin(), document_.selection().end()})) action_ = Action::drag;
}

void ViewInteraction::move(PicturePoint point, Qt::KeyboardModifiers modifiers) {
  const double dx = point.x - last_.x, dy = point.y - last_.y;
  last_ = point;
  if (action_ == Action::pressed) {
    if (std::abs(point.x - pressedAt_.x) + std::abs(point.y - pressedAt_.y) < dragStart * ratio_) return;
    beginLeft();
  }
  const Ray ray = camera_.ray(point);
  switch (action_) {
    case Action::none:
      hover(point);
      break;
    case Action::pressed:
      break;
    case Action::orbit:
      camera_.orbit(dx, dy, pivot_);
      emit cameraMoved();
      break;
    case Action::pan:
      camera_.pan(dx, dy, pivot_);
      emit cameraMoved();
      break;
    case Action::drag: {
      const bool snaps = drag_.snaps() != modifiers.testFlag(Qt::ShiftModifier);
      drag_.moveTo(gizmoDrag_->moveTo(ray, snaps ? drag_.steps() : GizmoSteps{}));
      break;
    }
    case Action::section:
      section_.moveTo(ray);
      break;
  }
}

void ViewInteraction::release(PicturePoint point, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
  if (button != button_) return;
  const Action ended = action_;
  action_ = Action::none;
  button_ = Qt::NoButton;
  if (ended == Action::pressed) click(point, modifiers.testFlag(Qt::ControlModifier));
  if (ended == Action::section) section_.finish();
  if (ended == Action::drag) {
    gizmoDrag_.reset();
    drag_.finish();
  }
}

void ViewInteraction::click(PicturePoint point, bool more) {
  if (document_.session() == nullptr || drag_.isActive()) return;
  const auto pick = presenter_.pick(camera_.ray(point));
  if (pick && !more)
    if (const SurfaceContact* contact = contactAt(*pick)) return document_.motion().goTo(stepOf(*contact));
  std::set<NodeId> selection = more ? document_.selection() : std::set<NodeId>{};
  if (pick && !selection.insert(pick->instance).second) selection.erase(pick->instance);
  document_.select(std::move(selection));
}

void ViewInteraction::hover(PicturePoint point) {
  if (document_.session() == nullptr) return;
  const auto handle = handleAt(point);
  const bool atSection = !handle && section_.isAt(camera_, point, handleReach * ratio_);
  const auto pick = handle || atSection ? std::nullopt : presenter_.pick(camera_.ray(point));
  bool differs = presenter_.showPreselected(pick);
  if (section_.setLit(atSection)) differs = true;
  if (handle != litHandle_) {
    litHandle_ = handle;
    gizmoNode_->show(gizmo_, litHandle_);
    differs = true;
  }
  if (!differs) return;
  QString text;
  if (handle)
    text = turns(*handle) ? tr("Drag: turn about this axis") : tr("Drag: move along this axis");
  else if (atSection)
    text = tr("Drag: move the section");
  else if (pick)
    text = textOf(*pick);
  emit hovered(text);
  emit changed();
}

void ViewInteraction::leave() {
  presenter_.showPreselected(std::nullopt);
  emit hovered({});
  emit changed();
}

void ViewInteraction::zoom(PicturePoint point, double steps) {
  camera_.zoom(std::pow(0.85, steps), pivotAt(point));
  emit cameraMoved();
}

const SurfaceContact* ViewInteraction::contactAt(const Pick& pick) const {
  const ContactMap* map = document_.motion().map();
  return map != nullptr ? contactOf(*map, pick.instance, pick.surface) : nullptr;
}

QString ViewInteraction::textOf(const Pick& pick) const {
  const Assembly& assembly = document_.session()->assembly();
  const QString text = faceName(assembly, pick.instance, pick.surface);
  const SurfaceContact* contact = contactAt(pick);
  if (contact == nullptr) return text;
  const SurfaceApproach& at = contact->first ? *contact->first : contact->least;
  const QString other = faceName(assembly, at.other, at.otherSurface);
  return text + QStringLiteral("   ") +
         (contact->first ? tr("first contact at step %1, with %2").arg(at.step + 1).arg(other)
                         : tr("nearest at step %1, %2 %3 to %4")
                               .arg(at.step + 1)
                               .arg(at.distance, 0, 'g', 3)
                               .arg(QString::fromStdString(assembly.unit()), other));
}

// ---- keys ----

bool ViewInteraction::key(int key, Qt::KeyboardModifiers modifiers) {
  if (key != Qt::Key_Escape) return nudge(key, modifiers.testFlag(Qt::ShiftModifier));
  if (drag_.isActive()) {
    drag_.cancel();
  } else {
    document_.select({});
  }
  return true;
}

bool ViewInteraction::nudge(int key, bool turn) {
  NudgeWay way = NudgeWay::right;
  double sign = 1;
  switch (key) {
    case Qt::Key_Left:
      sign = -1;
      [[fallthrough]];
    case Qt::Key_Right:
      break;
    case Qt::Key_Down:
      sign = -1;
      [[fallthrough]];
    case Qt::Key_Up:
      way = NudgeWay::up;
      break;
    case Qt::Key_PageDown:
      sign = -1;
      [[fallthrough]];
    case Qt::Key_PageUp:
      way = NudgeWay::away;
      break;
    default:
      return false;
  }
  if (document_.session() == nullptr || document_.selection().empty()) return false;
  const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  if (!drag_.begin(selected)) return true;
  const Vec3 axis = nudgeAxis(camera_, way) * sign;
  const GizmoSteps steps = drag_.steps();
  if (turn)
    drag_.moveTo(motionAbout(document_.session()->worldBounds(selected).centre(),
                             axisAngle(axis, steps.degrees * std::numbers::pi / 180), {}));
  else
    drag_.moveTo({{}, axis * steps.distance});
  drag_.finish();
  return true;
}

}  // namespace fitup::viewer
