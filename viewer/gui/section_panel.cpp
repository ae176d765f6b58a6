#include <viewer/gui/section_panel.h>

#include <cmath>

#include <QGridLayout>
#include <QSignalBlocker>
#include <QToolButton>

#include <viewer/core/length_scale.h>
#include <viewer/core/section_planes.h>

namespace fitup::viewer {
namespace {
constexpr int sliderSteps = 1000;
constexpr int leastWidth = 72;  // of the number, in pixels, whatever its range
constexpr int oblique = 3;      // position in the list of axes

/// Returns the position in the list of axes.
int axisOf(const SectionPlane& plane) {
  for (int i = 0; i < 3; ++i)
    if (std::abs(plane.normal[i]) > 1 - 1e-12) return i;
  return oblique;
}
}  // namespace

SectionPanel::SectionPanel(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      on_(new QCheckBox(tr("Cut the model"))),
      flip_(new QCheckBox(tr("flip"))),
      axis_(new QComboBox),
      slider_(new QSlider(Qt::Horizontal)),
      offset_(new NumberField),
      planes_(new QListWidget),
      buttons_(new QHBoxLayout) {
  on_->setToolTip(tr("Hides what is on one side of the planes: C"));
  planes_->setToolTip(tr("The section planes; a check box switches each on or off"));
  planes_->setAccessibleName(tr("Section planes"));
  planes_->setMaximumHeight(static_cast<int>(mostSections + 2) * fontMetrics().height());
  axis_->setToolTip(tr("Direction of the plane's normal"));
  flip_->setToolTip(tr("Hides the other side: X"));
  slider_->setToolTip(tr("Moves the plane through the model; so does its arrow in the view"));
  offset_->setToolTip(tr("Position of the plane along its normal"));
  offset_->setAccessibleName(tr("Position of the section as a number"));
  axis_->addItems({tr("normal x"), tr("normal y"), tr("normal z"), tr("oblique")});
  slider_->setRange(0, sliderSteps);
  slider_->setValue(sliderSteps / 2);
  slider_->setAccessibleName(tr("Position of the section"));
  offset_->setRange(-farthestMoved, farthestMoved);
  offset_->setMinimumWidth(leastWidth);
  offset_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  offset_->setKeyboardTracking(false);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(6, 6, 6, 6);
  grid->addWidget(on_, 0, 0, 1, 2);
  grid->addWidget(axis_, 1, 0);
  grid->addWidget(flip_, 1, 1);
  grid->addWidget(slider_, 2, 0, 1, 2);
  grid->addWidget(offset_, 3, 0, 1, 2);
  grid->addWidget(planes_, 4, 0, 1, 2);
  grid->addLayout(buttons_, 5, 0, 1, 2);
  grid->setRowStretch(6, 1);
  connect(&document_, &Document::opened, this, [this] {
    bounds_ = {};
    for (const NodeId node : document_.session()->assembly().instances())
      bounds_.extend(document_.session()->assembly().worldBounds(node));
    followUnit();
  });
  connect(&document_, &Document::lengthUnitChanged, this, &SectionPanel::followUnit);
  connect(&document_, &Document::stateChanged, this, &SectionPanel::follow);
  const auto fromSlider = [this] {
    if (following_ || bounds_.empty()) return;
    const auto [least, most] = rangeAlong(direction());
    following_ = true;
    offset_->setValue(unit_.shown(least + (most - least) * slider_->value() / sliderSteps));
    following_ = false;
    apply();
  };
  connect(slider_, &QSlider::valueChanged, this, fromSlider);
  connect(axis_, &QComboBox::activated, this, fromSlider);
  connect(offset_, &NumberField::valueChanged, this, &SectionPanel::apply);
  connect(on_, &QCheckBox::toggled, this, qOverload<bool>(&SectionPanel::turnOn));
  connect(planes_, &QListWidget::itemChanged, this, qOverload<QListWidgetItem*>(&SectionPanel::turnOn));
  connect(planes_, &QListWidget::currentRowChanged, this, [this](int row) {
    if (!following_ && row >= 0) document_.chooseSection(static_cast<std::size_t>(row));
  });
  connect(&document_, &Document::sectionChosen, this, &SectionPanel::follow);
  connect(flip_, &QCheckBox::toggled, this, &SectionPanel::apply);
  connect(slider_, &QSlider::sliderReleased, this, [this] {
    if (document_.session() != nullptr) document_.session()->endMerging();
  });
  setEnabled(false);
}

void SectionPanel::addButtons(std::initializer_list<QAction*> actions) {
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    buttons_->addWidget(button);
  }
  buttons_->addStretch();
}

Vec3 SectionPanel::direction() const {
  if (axis_->currentIndex() == oblique) return oblique_;
  Vec3 axis;
  axis[axis_->currentIndex()] = 1;
  return axis;
}

std::pair<double, double> SectionPanel::rangeAlong(const Vec3& direction) const {
  const Vec3 half = bounds_.halfExtent();
  const double middle = dot(direction, bounds_.centre()), reach = std::abs(direction.x) * half.x +
                                                                  std::abs(direction.y) * half.y +
                                                                  std::abs(direction.z) * half.z;
  return {middle - reach, middle + reach};
}

SectionPlane SectionPanel::described() const {
  const double side = flip_->isChecked() ? -1 : 1;
  return {direction() * side, side * offset(), on_->isChecked()};
}

void SectionPanel::apply() {
  if (following_ || document_.session() == nullptr) return;
  const std::vector<SectionPlane>& planes = document_.session()->state().sections;
  SectionPlane plane = described();
  const std::size_t chosen = document_.chosenSection();
  if (!planes.empty()) plane.enabled = planes[chosen].enabled;
  if (!planes.empty() && plane == planes[chosen]) return;
  document_.session()->edit(
      "Section",
      [&](SessionState& state) {
        if (state.sections.empty()) state.sections.emplace_back();
        state.sections[chosen] = plane;
      },
      "section");
}

void SectionPanel::turnOn(bool on) {
  if (following_ || document_.session() == nullptr) return;
  document_.session()->edit("Section", [&](SessionState& state) {
    if (state.sections.empty()) state.sections.push_back(described());
    for (SectionPlane& plane : state.sections) plane.enabled = on;
  });
}

void SectionPanel::turnOn(QListWidgetItem* item) {
  if (following_ || document_.session() == nullptr) return;
  const auto row = static_cast<std::size_t>(planes_->row(item));
  const bool on = item->checkState() == Qt::Checked;
  document_.session()->edit("Section", [&](SessionState& state) { state.sections.at(row).enabled = on; });
}

void SectionPanel::followUnit() {
  if (document_.session() == nullptr) return;
  unit_ = document_.lengthUnit();
  const QSignalBlocker blocker(offset_);
  offset_->setDecimals(decimalsFor(unit_.shown(sizeOf(document_.session()->assembly()))));
  offset_->setRange(-unit_.shown(farthestMoved), unit_.shown(farthestMoved));
  offset_->setSuffix(QLatin1Char(' ') + unit_.name);
  follow();
}

/// A place that the field shows rounded stays as it is while other controls are used.
double SectionPanel::offset() const {
  return offset_->value() == rounded_ ? exact_ : unit_.model(offset_->value());
}

void SectionPanel::setOffset(double offset) {
  offset_->setValue(unit_.shown(offset));
  exact_ = offset;
  rounded_ = offset_->value();
}

void SectionPanel::followList() {
  const std::vector<SectionPlane>& planes = document_.session()->state().sections;
  while (planes_->count() > static_cast<int>(planes.size())) delete planes_->takeItem(planes_->count() - 1);
  while (planes_->count() < static_cast<int>(planes.size())) planes_->addItem(new QListWidgetItem);
  for (int i = 0; i < planes_->count(); ++i) {
    const SectionPlane& plane = planes[static_cast<std::size_t>(i)];
    const int axis = axisOf(plane);
    const QString name =
        axis == oblique ? tr("oblique") : QString(plane.normal[axis] < 0 ? "-" : "") + QString("xyz")[axis];
    const double coordinate = unit_.shown(axis == oblique ? plane.offset : plane.offset * plane.normal[axis]);
    // No "-0.00".
    const double shown = std::abs(coordinate) < 0.5 * std::pow(10, -offset_->decimals()) ? 0 : coordinate;
    planes_->item(i)->setText(tr("%1 at %2").arg(name, offset_->textFromValue(shown) + offset_->suffix()));
    planes_->item(i)->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    planes_->item(i)->setCheckState(plane.enabled ? Qt::Checked : Qt::Unchecked);
  }
  planes_->setCurrentRow(planes.empty() ? -1 : static_cast<int>(document_.chosenSection()));
}

void SectionPanel::follow() {
  setEnabled(document_.session() != nullptr);
  if (document_.session() == nullptr || bounds_.empty()) return;
  following_ = true;
  const std::vector<SectionPlane>& planes = document_.session()->state().sections;
  on_->setChecked(anyEnabled(planes));
  followList();
  if (planes.empty()) {
    setOffset(dot(direction(), document_.session()->visibleBounds().centre()));
  } else {
    // A plane that was turned off keeps its place.
    const SectionPlane& plane = planes[document_.chosenSection()];
    const int axis = axisOf(plane);
    const double side = axis != oblique && plane.normal[axis] < 0 ? -1 : 1;
    if (axis == oblique) oblique_ = plane.normal;
    axis_->setCurrentIndex(axis);
    flip_->setChecked(side < 0);
    setOffset(side * plane.offset);
  }
  const auto [least, most] = rangeAlong(direction());
  if (most > least && !slider_->isSliderDown())
    slider_->setValue(static_cast<int>(std::lround((offset() - least) / (most - least) * sliderSteps)));
  following_ = false;
}

}  // namespace fitup::viewer
