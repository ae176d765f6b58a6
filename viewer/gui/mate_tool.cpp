#include <viewer/gui/mate_tool.h>

#include <algorithm>
#include <utility>

#include <QScopedValueRollback>

#include <fitup/base/error.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString wayText(const FaceMate& way) {
  switch (way.kind) {
    case FaceMateKind::planes:
      return way.opposed ? MateTool::tr("face against face") : MateTool::tr("faces flush");
    case FaceMateKind::axes:
      return MateTool::tr("axis on axis");
    case FaceMateKind::centres:
      return MateTool::tr("centre on centre");
    case FaceMateKind::centreOnAxis:
      break;
  }
  return MateTool::tr("centre on axis");
}

}  // namespace

MateTool::MateTool(Document& document, DragController& drag)
    : QObject(&drag), document_(document), drag_(drag) {
  connect(&document_, &Document::aboutToClose, this, &MateTool::clear);
  connect(&document_, &Document::stateChanged, this, &MateTool::followState);
  connect(&document_, &Document::selectionChanged, this, &MateTool::changed);  // it says what moves along
}

void MateTool::clear() {
  first_.reset();
  made_.reset();
  setActive(false);
}

void MateTool::followState() {
  if (isMaking_ || !made_) return;
  made_.reset();
  emit changed();
}

void MateTool::setActive(bool on) {
  if (on == active_ || (on && document_.session() == nullptr)) return;
  active_ = on;
  first_.reset();
  made_.reset();
  emit activeChanged();
  emit changed();
}

std::optional<MatableFace> MateTool::faceOf(const PickedFace& face) const {
  return matableFace(document_.session()->assembly().meshOf(face.instance), face.surface,
                     drag_.worldFromPart(face.instance));
}

std::vector<NodeId> MateTool::groupOf(const PickedFace& moved) const {
  const std::set<NodeId>& selection = document_.selection();
  if (!selection.contains(moved.instance)) return {moved.instance};
  return {selection.begin(), selection.end()};
}

QString MateTool::whyNot(const PickedFace& face) const {
  const auto second = faceOf(face);
  if (!second) return tr("freeform: no plane and no axis");
  if (!first_) return {};
  if (std::ranges::count(groupOf(*first_), face.instance) > 0)
    return tr("moves with the first face: click a face of another part");
  const auto first = faceOf(*first_);
  if (!first || !faceMates(*first, *second).empty()) return {};
  return first->shape.kind == SurfaceKind::plane ? tr("no plane, as the first face is")
                                                 : tr("a plane: the first face has an axis or a centre");
}

QString MateTool::take(const PickedFace& face) {
  if (document_.session() == nullptr || drag_.isActive()) return tr("A part is moving.");
  if (QString why = whyNot(face); !why.isEmpty()) return why;
  if (!first_) {
    first_ = face;
    made_.reset();
    emit changed();
    return {};
  }
  const PickedFace moved = *std::exchange(first_, std::nullopt);
  make({moved, face, groupOf(moved), faceMates(*faceOf(moved), *faceOf(face))});
  return {};
}

void MateTool::make(Made made) {
  Session& session = *document_.session();
  const Transform& by = made.ways[made.way].motion;
  const auto before = session.state().motions;
  try {
    const QScopedValueRollback making(isMaking_, true);
    session.move(made.group, {rotationOf(by), by.t}, "Mate " + session.nameOf(made.moved.instance));
    made.isStep = session.state().motions != before;
    document_.select({made.group.begin(), made.group.end()});  // panels and handles are of what was placed
    made_ = std::move(made);
  } catch (const InputError& error) {
    made_.reset();
    emit document_.failed(shown(error.what()));
  }
  emit changed();
  if (made_) emit mated(result());
}

void MateTool::flip() {
  if (!canFlip() || drag_.isActive()) return;
  Made made = *std::exchange(made_, std::nullopt);
  if (made.isStep) document_.session()->undo();
  made.way = (made.way + 1) % made.ways.size();
  make(std::move(made));
}

void MateTool::escape() {
  if (!first_) return setActive(false);
  first_.reset();
  emit changed();
}

/// Two parts are not confused by it: both are seen.
QString MateTool::nameOf(const PickedFace& face) const {
  return shown(document_.session()->assembly().node(face.instance).name);
}

QString MateTool::subject() const {
  const auto face = first_ ? faceOf(*first_) : std::nullopt;
  if (!face) return {};
  const QString name = nameOf(*first_);
  if (face->shape.kind == SurfaceKind::plane) return tr("Face of %1").arg(name);
  return face->shape.kind == SurfaceKind::sphere ? tr("Centre of %1").arg(name) : tr("Axis of %1").arg(name);
}

QString MateTool::hint() const {
  if (!active_ || document_.session() == nullptr) return {};
  if (!first_)
    return made_ ? tr("Click a face of the next part to move; Esc ends")
                 : tr("Click a face of the part to move; Esc ends");
  const QString hint = tr("Click the face to mate it with; Esc takes the first one back");
  const std::size_t count = groupOf(*first_).size();
  return count == 1 ? hint : hint + QLatin1Char('\n') + tr("All %1 selected parts will move").arg(count);
}

QString MateTool::result() const {
  if (!made_) return {};
  const QString moved = nameOf(made_->moved), fixed = nameOf(made_->fixed),
                way = wayText(made_->ways[made_->way]);
  if (made_->group.size() == 1) return tr("%1 mated with %2: %3").arg(moved, fixed, way);
  return tr("%1 mated with %2: %3 (all %4 selected parts moved)")
      .arg(moved, fixed, way)
      .arg(made_->group.size());
}

}  // namespace fitup::viewer
