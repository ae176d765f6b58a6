// The effect of keys in the view, and how drags begin and end that mouse and keys share.
#include <viewer/gui/view_interaction.h>

#include <utility>

#include <viewer/core/nudge.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

// ---- guide points ----

void ViewInteraction::setWayOut(WayOut& wayOut) {
  wayOut_ = &wayOut;
  gizmo_.setWayOut(wayOut);
  connect(&wayOut, &WayOut::dragEnded, this, &ViewInteraction::dragEnded);
  connect(&wayOut, &WayOut::guideDragged, this, &ViewInteraction::tellDisplacement);
}

bool ViewInteraction::seesGuides() const {
  return wayOut_ != nullptr && document_.session() != nullptr && !choosesFaces() && !presenter_.isExploded();
}

bool ViewInteraction::canMoveGuide() const { return seesGuides() && wayOut_->canMoveGuide(); }

QString ViewInteraction::guideText(std::size_t guide) const {
  const bool isChosen = wayOut_->chosenGuide() == guide;
  return (isChosen ? tr("Guide point %1. Drag: move it; Del: remove it")
                   : tr("Guide point %1. Click: choose it, to move it"))
      .arg(guide + 1);
}

// ---- drags ----

bool ViewInteraction::isMoving() const {
  return drag_.isActive() || (wayOut_ != nullptr && wayOut_->isDragging());
}

void ViewInteraction::finishDrag() {
  if (gizmo_.drags() == GizmoTool::Moves::guide)
    wayOut_->finishDrag();
  else
    drag_.finish();
}

void ViewInteraction::cancelDrag() {
  if (wayOut_ != nullptr && wayOut_->isDragging())
    wayOut_->cancelDrag();
  else
    drag_.cancel();
}

void ViewInteraction::dragEnded() {
  if (action_ == Action::drag) action_ = Action::none;
  isTyping_ = false;
  gizmo_.end();
  tellDisplacement();
}

// ---- keys ----

void ViewInteraction::setPlacingPivot(bool on) {
  if (on == isPlacingPivot_) return;
  isPlacingPivot_ = on;
  if (!on) snap_.show(std::nullopt);
  emit placingPivotChanged();
}

void ViewInteraction::placePivot(PicturePoint point) {
  if (const auto snap = snapAtPoint(point, {})) {
    gizmo_.setPivot(snap_.pivotOf(*snap));
  } else if (const auto pick = presenter_.pick(camera_.ray(point))) {
    gizmo_.setPivot(pivotOf(*pick, document_.session()->assembly(), drag_.worldFromPart(pick->instance)));
  } else {
    return;
  }
  setPlacingPivot(false);
}

/// After a click on a handle, a number moves the parts.
void ViewInteraction::beginTyping() {
  gizmo_.begin(gizmo_.moves(), *pressedOn_.handle, *pressedGizmo_, camera_, camera_.ray(pressedAt_));
  isTyping_ = gizmo_.takesNumbers() && beginDrag(gizmo_.moves());
  if (!isTyping_) gizmo_.end();
  tellDisplacement();
}

void ViewInteraction::endTyping() {
  if (!std::exchange(isTyping_, false)) return;
  gizmo_.hasTyped() ? endDrag() : cancelDrag();
}

void ViewInteraction::tellDisplacement() {
  emit displaced(isTyping_ && !gizmo_.hasTyped() ? tr("Type a number, then Return") : gizmo_.displacement(),
                 last_);
}

bool ViewInteraction::takes(int key, const QString& text) const {
  if (key == Qt::Key_Delete && canMoveGuide() && !isMoving()) return true;
  if (!gizmo_.takesNumbers() || !isMoving()) return false;
  const bool isPart = text.size() == 1 && QStringLiteral("0123456789.,-").contains(text);
  return isPart || key == Qt::Key_Backspace || key == Qt::Key_Return || key == Qt::Key_Enter;
}

bool ViewInteraction::typeKey(int key, const QString& text) {
  if (!takes(key, text)) return false;
  if (key == Qt::Key_Delete) {
    wayOut_->removeGuide();
    return true;
  }
  if (key == Qt::Key_Return || key == Qt::Key_Enter) {
    if (isTyping_) {
      endTyping();
    } else {  // the button is still held
      action_ = Action::idle;
      endDrag();
    }
    return true;
  }
  key == Qt::Key_Backspace ? gizmo_.eraseTyped() : gizmo_.type(text);
  tellDisplacement();
  return true;
}

bool ViewInteraction::key(int key, Qt::KeyboardModifiers modifiers, const QString& text) {
  if (typeKey(key, text)) return true;
  if (key == Qt::Key_Escape && isPlacingPivot_) {
    setPlacingPivot(false);
    return true;
  }
  if (key == Qt::Key_Escape && action_ == Action::band) {
    action_ = Action::idle;
    emit bandChanged(std::nullopt);
    return true;
  }
  if (key != Qt::Key_Escape) return nudge(key, modifiers.testFlag(Qt::ShiftModifier));
  if (isMoving()) {
    cancelDrag();
  } else if (mate_.isActive()) {
    mate_.escape();
  } else if (measure_.isActive()) {
    measure_.escape();
  } else if (canMoveGuide()) {
    wayOut_->chooseGuide(std::nullopt);
  } else {
    document_.select({});
    emit escaped();
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
  const Vec3 axis = nudgeAxis(camera_, way) * sign;
  const GizmoSteps steps = drag_.steps();
  if (canMoveGuide()) {
    const AxisTurn by{wayOut_->guideCentre(), axis, steps.degrees, 0};
    wayOut_->moveGuide(turn ? by.at(1) : RigidMotion{{}, axis * steps.distance});
    return true;
  }
  if (document_.session() == nullptr || document_.selection().empty()) return false;
  if (selectionIsHidden()) return true;
  const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  if (!beginDrag(GizmoTool::Moves::parts)) return true;
  if (turn) {
    const AxisTurn by{drag_.centreOf(selected), axis, steps.degrees, 0};
    drag_.moveTo(by.at(1), by);
  } else {
    drag_.moveTo({{}, axis * steps.distance});
  }
  drag_.finish();
  return true;
}

}  // namespace fitup::viewer
