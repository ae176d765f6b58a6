#include <viewer/gui/gizmo_tool.h>

#include <algorithm>
#include <vector>

#include <QCoreApplication>

#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

GizmoTool::GizmoTool(Document& document, DragController& drag)
    : document_(document), drag_(drag), node_(new GizmoNode) {}

void GizmoTool::setPivot(const std::optional<GizmoPivot>& pivot) {
  pivot_ = pivot;
  ofPivot_ = document_.selection();
}

void GizmoTool::update(const Camera& camera, double pixels, Moves moves, bool isAllowed) {
  gizmo_.reset();
  hand_.reset();
  moves_ = moves;
  if (document_.selection() != ofPivot_) pivot_.reset();
  if (isAllowed && isShown_ && moves == Moves::guide) {
    gizmo_ = Gizmo{wayOut_->guideCentre()};
    if (frame_ == GizmoFrame::part)
      gizmo_->axes = axesOf(wayOut_->shownGuides().at(*wayOut_->chosenGuide()).begin()->second);
  } else if (isAllowed && isShown_ && !document_.selection().empty()) {
    gizmo_ = gizmoOfParts();
  }
  if (gizmo_) gizmo_->size = pixels * camera.worldPerPixel(gizmo_->centre);
  node_->show(gizmo_, lit_, hand_);
}

Gizmo GizmoTool::gizmoOfParts() {
  const std::vector<NodeId> selected(document_.selection().begin(), document_.selection().end());
  Gizmo gizmo{drag_.centreOf(selected)};
  if (frame_ == GizmoFrame::part) gizmo.axes = axesOf(drag_.worldFromPart(selected.front()));
  if (pivot_) {
    const Transform worldFromPart = drag_.worldFromPart(pivot_->instance);
    gizmo.centre = worldFromPart.apply(pivot_->pointInPart);
    if (pivot_->axisInPart)
      gizmo.axes = axesAbout(normalized(worldFromPart.applyToVector(*pivot_->axisInPart)));
  }
  if (drag_.isBehind() && drag_.isDragging(selected)) {
    const RigidMotion toHand = drag_.wanted() * inverse(drag_.shown());
    hand_ = toHand.transform().apply(gizmo.centre);
  }
  return gizmo;
}

bool GizmoTool::setLit(std::optional<GizmoHandle> handle) {
  if (handle == lit_) return false;
  lit_ = handle;
  node_->show(gizmo_, lit_, hand_);
  return true;
}

void GizmoTool::begin(Moves moves, GizmoHandle handle, const Gizmo& gizmo, const Camera& camera,
                      const Ray& ray) {
  drags_ = moves;
  dragged_.emplace(handle, gizmo, camera, ray);
  typed_.clear();
}

void GizmoTool::begin(Moves moves, const Vec3& grabbed, const Camera& camera) {
  drags_ = moves;
  dragged_ = GizmoDrag::inPlane(grabbed, camera.forward());
  typed_.clear();
}

void GizmoTool::end() {
  dragged_.reset();
  typed_.clear();
}

void GizmoTool::moveTo(const Ray& ray, bool snaps) {
  if (!dragged_ || hasTyped()) return;
  drive(dragged_->moveTo(ray, snaps ? drag_.steps() : GizmoSteps{}));
}

void GizmoTool::drive(const RigidMotion& wanted) {
  if (drags_ == Moves::guide)
    wayOut_->dragTo(wanted);
  else
    drag_.moveTo(wanted, dragged_->turn());
}

RigidMotion GizmoTool::shownMotion() const {
  if (drags_ == Moves::parts) return drag_.shown();
  return wayOut_->isDragging() ? wayOut_->dragged() : RigidMotion{};
}

bool GizmoTool::type(const QString& text) {
  if (!takesNumbers() || text.size() != 1) return false;
  QString next = typed_;
  if (text == QLatin1String("-"))
    next = next.startsWith(text) ? next.mid(1) : text + next;
  else if (text[0] >= QLatin1Char('0') && text[0] <= QLatin1Char('9'))
    next += text;
  else if (text == QLatin1String(".") || text == QLatin1String(","))
    next += next.contains(QLatin1Char('.')) ? QString() : QStringLiteral(".");
  else
    return false;
  constexpr qsizetype longest = 15;
  if (next.size() > longest) return true;
  typed_ = next;
  moveByTyped();
  return true;
}

bool GizmoTool::eraseTyped() {
  if (!hasTyped()) return false;
  typed_.chop(1);
  moveByTyped();
  return true;
}

/// What is no number yet, such as a sign, counts as 0.
void GizmoTool::moveByTyped() {
  const double number = typed_.toDouble();
  const double by = dragged_->isTurn() ? number : document_.lengthUnit().model(number);
  drive(dragged_->moveBy(by));
}

QString GizmoTool::displacement() const {
  if (!dragged_ || document_.session() == nullptr) return {};
  const LengthUnit unit = document_.lengthUnit();
  constexpr int digits = 5;
  const RigidMotion shown = shownMotion();
  if (!dragged_->hasAxis()) {
    // A part that slides may also turn.
    const bool isOfParts = drags_ == Moves::parts && drag_.isActive();
    const Vec3 shift = isOfParts ? drag_.shift() : shown.translation;
    QStringList shifts;
    for (const Vec3& axis : gizmo_ ? gizmo_->axes : worldAxes)
      shifts << lengthNumber(dot(shift, axis), unit, leastShown, digits);
    return shifts.join(QStringLiteral("   ")) + QLatin1Char(' ') + unit.name;
  }
  const bool isTurn = dragged_->isTurn();
  const double way = dragged_->valueOf(shown);
  const QString number = hasTyped() ? typed_ + QStringLiteral("|")
                         : isTurn   ? numberText(way, leastShown, digits)
                                    : lengthNumber(way, unit, leastShown, digits);
  return isTurn ? number + QStringLiteral("°") : number + QLatin1Char(' ') + unit.name;
}

GizmoPivot pivotOf(const Pick& pick, const Assembly& assembly, const Transform& worldFromPart) {
  const Vec3 point = worldFromPart.inverse().apply(pick.point);
  if (!pick.surface) return {pick.instance, point};
  const auto& shape = assembly.meshOf(pick.instance).surfaces()[index(*pick.surface)].description;
  if (!shape || shape->kind == SurfaceKind::unknown) return {pick.instance, point};
  switch (shape->kind) {
    case SurfaceKind::plane:
      return {pick.instance, point, shape->axis};
    case SurfaceKind::sphere:
      return {pick.instance, shape->point};
    case SurfaceKind::cylinder:
    case SurfaceKind::cone:
    case SurfaceKind::torus:
      return {pick.instance, shape->point + shape->axis * dot(shape->axis, point - shape->point),
              shape->axis};
    default:
      return {pick.instance, point};
  }
}

}  // namespace fitup::viewer
