#include <viewer/gui/placement_panel.h>

#include <algorithm>
#include <cmath>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <fitup/base/error.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

constexpr double farthestShift = 1e6;  // in the unit of the model, and of turns
constexpr int angleDecimals = 4, leastDecimals = 4;
/// Of number fields, in pixels. They would ask for space for the longest number of their range.
constexpr int leastWidth = 72;
/// Placements are shown to a ten-thousandth of a millimetre and of a degree: below that is the rounding of
/// files.
constexpr int shownDecimals = 4;
constexpr double shownDegrees = 0.5e-4;

/// Without zeros at the end, and without a sign of zero.
QString roundedText(double value, int decimals) {
  QString text = QString::number(value, 'f', decimals);
  if (decimals > 0)
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
  if (text.endsWith(QLatin1Char('.'))) text.chop(1);
  return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

QString shiftText(const Vec3& shift, double millimetresPerUnit) {
  constexpr int most = 12;
  const int decimals =
      std::clamp(shownDecimals + static_cast<int>(std::lround(std::log10(millimetresPerUnit))), 0, most);
  QStringList numbers;
  for (int i = 0; i < 3; ++i) numbers += roundedText(shift[i], decimals);
  return numbers.join(QStringLiteral(", "));
}

}  // namespace

PlacementPanel::PlacementPanel(Document& document, DragController& drag, QWidget* parent)
    : QWidget(parent),
      document_(document),
      drag_(drag),
      what_(new QLabel),
      where_(new QLabel),
      shiftBy_(new QLabel(tr("Shift by"))),
      apply_(new QPushButton(tr("Move"))),
      reset_(new QPushButton(tr("To design"))),
      snaps_(new QCheckBox(tr("snap to steps of"))),
      distanceStep_(new NumberField),
      angleStep_(new NumberField) {
  for (QLabel* label : {what_, where_}) {
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setMinimumWidth(1);  // lines break only at blanks, and a name may have none
  }
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(6, 6, 6, 6);
  grid->addWidget(what_, 0, 0, 1, 4);
  grid->addWidget(shiftBy_, 1, 0, 1, 2);
  grid->addWidget(new QLabel(tr("Turn by")), 1, 2, 1, 2);
  const char* names[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 6; ++i) {
    auto* field = new NumberField;
    field->setRange(-farthestShift, farthestShift);
    field->setDecimals(angleDecimals);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setMinimumWidth(leastWidth);
    field->setSuffix(i < 3 ? QString() : QStringLiteral(" °"));
    field->setAccessibleName(i < 3 ? tr("Shift by, along %1").arg(QLatin1String(names[i]))
                                   : tr("Turn by, about %1").arg(QLatin1String(names[i - 3])));
    field->setToolTip(field->accessibleName());
    fields_[i] = field;
    const int row = 2 + static_cast<int>(i % 3), column = i < 3 ? 0 : 2;
    grid->addWidget(new QLabel(QLatin1String(names[i % 3])), row, column);
    grid->addWidget(field, row, column + 1);
  }
  grid->addWidget(apply_, 5, 0, 1, 2);
  grid->addWidget(reset_, 5, 2, 1, 2);
  grid->addWidget(where_, 6, 0, 1, 4);
  auto* steps = new QHBoxLayout;
  steps->addWidget(snaps_);
  steps->addWidget(distanceStep_, 1);
  steps->addWidget(angleStep_, 1);
  grid->addLayout(steps, 7, 0, 1, 4);
  grid->setRowStretch(8, 1);
  makeSteps();
  apply_->setToolTip(tr("Moves the selected parts by these numbers: Return in one of the fields"));
  reset_->setToolTip(tr("Moves the selected parts back to where the model has them"));
  for (NumberField* field : fields_) connect(field, &NumberField::returnPressed, apply_, &QPushButton::click);
  connect(apply_, &QPushButton::clicked, this, [this] {
    moveBy(unit_.model({fields_[0]->value(), fields_[1]->value(), fields_[2]->value()}),
           {fields_[3]->value(), fields_[4]->value(), fields_[5]->value()});
  });
  connect(reset_, &QPushButton::clicked, this, [this] {
    const std::vector<NodeId> nodes(document_.selection().begin(), document_.selection().end());
    document_.session()->reset(nodes);
  });
  connect(&document_, &Document::opened, this, &PlacementPanel::followUnit);
  connect(&document_, &Document::lengthUnitChanged, this, &PlacementPanel::followUnit);
  connect(&document_, &Document::selectionChanged, this, &PlacementPanel::followSelection);
  connect(&document_, &Document::stateChanged, this, &PlacementPanel::refresh);
  connect(&drag_, &DragController::moved, this, &PlacementPanel::refresh);
  connect(&drag_, &DragController::ended, this, &PlacementPanel::refresh);
  refresh();
}

void PlacementPanel::makeSteps() {
  snaps_->setToolTip(
      tr("Dragging moves in these steps (Shift switches this). The arrow keys and page up and down always "
         "move in these steps; with Shift they turn."));
  setLengthDecimals(leastDecimals);
  angleStep_->setRange(GizmoSteps::leastDegrees, GizmoSteps::mostDegrees);
  angleStep_->setSuffix(QStringLiteral(" °"));
  distanceStep_->setAccessibleName(tr("Step of moves"));
  angleStep_->setAccessibleName(tr("Step of rotations"));
  for (NumberField* field : {distanceStep_, angleStep_}) {
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setKeyboardTracking(false);
    field->setMinimumWidth(leastWidth);
    field->setToolTip(field->accessibleName());
  }
  followSteps();
  connect(snaps_, &QCheckBox::toggled, this, [this](bool on) { drag_.setSteps(drag_.steps(), on); });
  // Each field changes its own step only: the other one may show its step rounded.
  connect(distanceStep_, &NumberField::valueChanged, this, [this](double distance) {
    drag_.setSteps({unit_.model(distance), drag_.steps().degrees}, drag_.snaps());
  });
  connect(angleStep_, &NumberField::valueChanged, this, [this](double degrees) {
    drag_.setSteps({drag_.steps().distance, degrees}, drag_.snaps());
  });
  connect(&drag_, &DragController::stepsChanged, this, &PlacementPanel::followSteps);
}

void PlacementPanel::followUnit() {
  if (document_.session() == nullptr) return;
  std::array<double, 3> shift{};
  for (std::size_t i = 0; i < 3; ++i) shift[i] = unit_.model(fields_[i]->value());
  unit_ = document_.lengthUnit();
  const double size = sizeOf(document_.session()->assembly());
  setLengthDecimals(std::max(leastDecimals, decimalsFor(unit_.shown(size))));
  for (std::size_t i = 0; i < 3; ++i) {
    fields_[i]->setRange(-unit_.shown(farthestShift), unit_.shown(farthestShift));
    fields_[i]->setValue(unit_.shown(shift[i]));
  }
  shiftBy_->setText(tr("Shift by (%1)").arg(unit_.name));
  distanceStep_->setSuffix(QLatin1Char(' ') + unit_.name);
  followSteps();
  refresh();
}

void PlacementPanel::setLengthDecimals(int decimals) {
  const QSignalBlocker blocker(distanceStep_);
  for (std::size_t i = 0; i < 3; ++i) fields_[i]->setDecimals(decimals);
  distanceStep_->setDecimals(decimals);
  distanceStep_->setRange(std::max(unit_.shown(GizmoSteps::leastDistance), std::pow(10, -decimals)),
                          unit_.shown(GizmoSteps::mostDistance));
}

void PlacementPanel::followSteps() {
  const GizmoSteps steps = drag_.steps();
  const bool snaps = drag_.snaps();
  const QSignalBlocker blockers[] = {QSignalBlocker(snaps_), QSignalBlocker(distanceStep_),
                                     QSignalBlocker(angleStep_)};
  snaps_->setChecked(snaps);
  // A step from a script or of another model may be finer than the model's own.
  const double distance = unit_.shown(steps.distance);
  if (distance < distanceStep_->minimum())
    setLengthDecimals(static_cast<int>(std::ceil(-std::log10(distance))));
  distanceStep_->setValue(distance);
  angleStep_->setValue(steps.degrees);
}

void PlacementPanel::moveBy(const Vec3& shift, const Vec3& degrees) {
  if (document_.session() == nullptr || document_.selection().empty()) return;
  const std::vector<NodeId> nodes(document_.selection().begin(), document_.selection().end());
  const Vec3 centre = drag_.centreOf(nodes);
  const RigidMotion by = motionAbout(centre, turnAboutAxes(degrees), shift);
  try {
    for (const NodeId node : nodes)
      document_.session()->requireNear(node, by * document_.session()->motionOf(node));
  } catch (const InputError& error) {
    emit document_.failed(shown(error.what()));
    return;
  }
  if (!drag_.begin(nodes)) return;
  drag_.moveTo(by);
  drag_.finish();
}

/// Numbers that were meant for other parts are not to move these.
void PlacementPanel::followSelection() {
  if (document_.selection() != ofFields_)
    for (NumberField* field : fields_) field->setValue(0);
  ofFields_ = document_.selection();
  refresh();
}

void PlacementPanel::refresh() {
  const Session* session = document_.session();
  const auto& selection = document_.selection();
  const bool any = session != nullptr && !selection.empty();
  for (QWidget* widget : {static_cast<QWidget*>(apply_), static_cast<QWidget*>(reset_)})
    widget->setEnabled(any && !drag_.isActive());
  if (!any) {
    what_->setText(tr("Select a part to move it."));
    where_->clear();
    return;
  }
  const NodeId first = *selection.begin();
  what_->setText(selection.size() == 1 ? shown(session->assembly().path(first))
                                       : tr("%1 parts").arg(selection.size()));
  const bool alike = std::ranges::all_of(
      selection, [&](NodeId node) { return session->motionOf(node) == session->motionOf(first); });
  if (!alike) {
    where_->setText(tr("from design: the parts differ"));
    return;
  }
  RigidMotion motion = session->motionOf(first);
  if (drag_.isActive()) motion = drag_.shown() * motion;
  const Box design = session->assembly().worldBounds(first);
  const Vec3 away = motion.transform().apply(design.centre()) - design.centre();
  QString text =
      tr("from design: %1 %2")
          .arg(shiftText(unit_.shown(away), session->millimetresPerUnit() * unit_.modelPerShown), unit_.name);
  const double degrees = degreesBetween({}, motion.rotation);
  const Quaternion& q = motion.rotation;
  const Vec3 axis = (q.w < 0 ? -1 : 1) * normalized(Vec3{q.x, q.y, q.z});
  // The smaller the angle, the less is known of the axis.
  text += degrees > shownDegrees
              ? tr(", turned %1° about (%2)")
                    .arg(roundedText(degrees, shownDecimals), pointText(axis, shownDegrees / degrees))
              : tr(", not turned");
  where_->setText(text);
}

}  // namespace fitup::viewer
