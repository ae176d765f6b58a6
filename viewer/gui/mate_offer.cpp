#include <viewer/gui/mate_offer.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

QString kindText(MateKind kind) {
  switch (kind) {
    case MateKind::planes:
      return MateOffer::tr("face against face");
    case MateKind::cylinders:
      return MateOffer::tr("axis on axis");
    case MateKind::planeAndCylinders:
      break;
  }
  return MateOffer::tr("axis on axis, down to the face");
}

}  // namespace

MateOffer::MateOffer(Document& document, DragController& drag)
    : QObject(&drag), document_(document), drag_(drag) {
  connect(&document_.check(), &LiveCheck::matesFound, this, &MateOffer::offer);
  connect(&drag_, &DragController::moved, this, &MateOffer::withdraw);
  connect(&document_, &Document::stateChanged, this, &MateOffer::withdraw);
  connect(&document_, &Document::selectionChanged, this, &MateOffer::withdraw);
  connect(&document_, &Document::aboutToClose, this, &MateOffer::withdraw);
}

void MateOffer::offer(const std::vector<MateSuggestion>& mates) {
  constexpr std::size_t most = 12;  // nobody asks for more of the less likely ones
  mates_.assign(mates.begin(), mates.begin() + static_cast<std::ptrdiff_t>(std::min(most, mates.size())));
  at_ = 0;
  wantsOther_ = false;
  emit changed();
}

void MateOffer::withdraw() {
  if (mates_.empty()) return;
  mates_.clear();
  emit changed();
}

void MateOffer::next() {
  if (mates_.empty()) return;
  at_ = (at_ + 1) % mates_.size();
  wantsOther_ = true;
  emit changed();
}

QString MateOffer::text() const {
  const MateSuggestion* mate = current();
  if (mate == nullptr) return {};
  const Session& session = *document_.session();
  const LengthUnit unit = document_.lengthUnit();
  QString text = tr("J: snap to %1, %2 (%3 %4")
                     .arg(shown(session.nameOf(mate->fixed)), kindText(mate->kind),
                          lengthNumber(mate->deviation, unit, mate->lengthError, 3), unit.name);
  constexpr double degrees = 180 / std::numbers::pi;
  const QString angle = numberText(mate->angle * degrees, mate->angleError * degrees, 2);
  if (angle != QStringLiteral("0")) text += tr(", %1°").arg(angle);
  text += QStringLiteral(")");
  if (mates_.size() > 1)
    text += tr("    Shift+J: next (%1 of %2)").arg(at_ + 1).arg(mates_.size());
  else if (wantsOther_)
    text += tr("    1 of 1: no other suggestion");
  return text;
}

std::string MateOffer::whyNone() const {
  if (current() != nullptr) return {};
  if (document_.session() == nullptr) return QT_TRANSLATE_NOOP("fitup::viewer", "no model is open");
  if (!document_.check().settings().mates)
    return QT_TRANSLATE_NOOP("fitup::viewer", "no mate is suggested, because Edit > Suggest mates is off");
  if (document_.selection().empty())
    return QT_TRANSLATE_NOOP("fitup::viewer", "no mate is suggested, because no part is selected");
  return QT_TRANSLATE_NOOP(
      "fitup::viewer",
      "no mate is suggested: drag the part until one of its faces is near a face that it fits");
}

void MateOffer::accept() {
  if (current() == nullptr) return;
  const MateSuggestion mate = *current();
  const RigidMotion snap{rotationOf(mate.snap), mate.snap.t};
  if (drag_.isActive()) {
    drag_.finishAt(snap * drag_.shown(), "Mate");
    return;
  }
  Session& session = *document_.session();
  const std::vector<NodeId> nodes(document_.selection().begin(), document_.selection().end());
  session.move(nodes, snap, "Mate " + session.nameOf(mate.moved));
}

}  // namespace fitup::viewer
