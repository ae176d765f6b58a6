#include <viewer/gui/section_panel.h>

#include <cmath>

#include <QGridLayout>
#include <QSignalBlocker>

#include <viewer/core/length_scale.h>

namespace fitup::viewer {
namespace {
constexpr int sliderSteps = 1000;
constexpr int oblique = 3;  // position in the list of axes
}  // namespace

SectionPanel::SectionPanel(Document& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      on_(new QCheckBox(tr("Cut the model"))),
      flip_(new QCheckBox(tr("flip"))),
      axis_(new QComboBox),
      slider_(new QSlider(Qt::Horizontal)),
      offset_(new NumberField) {
  on_->setToolTip(tr("Hides what is on one side of a plane: C"));
  axis_->setToolTip(tr("Direction of the plane's normal"));
  flip_->setToolTip(tr("Hides the other side: X"));
  slider_->setToolTip(tr("Moves the plane through the model; so does its arrow in the view"));
  offset_->setToolTip(tr("Position of the plane along its normal"));
  axis_->addItems({tr("normal x"), tr("normal y"), tr("normal z"), tr("oblique")});
  slider_->setRange(0, sliderSteps);
  slider_->setValue(sliderSteps / 2);
  slider_->setAccessibleName(tr("Position of the section"));
  offset_->setRange(-farthestMoved, farthestMoved);
  offset_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  offset_->setKeyboardTracking(false);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(6, 6, 6, 6);
  grid->addWidget(on_, 0, 0, 1, 2);
  grid->addWidget(axis_, 1, 0);
  grid->addWidget(flip_, 1, 1);
  grid->addWidget(slider_, 2, 0, 1, 2);
  grid->addWidget(offset_, 3, 0, 1, 2);
  grid->setRowStretch(4, 1);
  connect(&document_, &Document::opened, this, [this] {
    bounds_ = {};
    for (const NodeId node : document_.session()->assembly().instances())
      bounds_.extend(document_.session()->assembly().worldBounds(node));
    const QSignalBlocker blocker(offset_);
    offset_->setDecimals(decimalsFor(sizeOf(document_.session()->assembly())));
    follow();
  });
  connect(&document_, &Document::stateChanged, this, &SectionPanel::follow);
  const auto fromSlider = [this] {
    if (following_ || bounds_.empty()) return;
    const auto [least, most] = rangeAlong(direction());
    following_ = true;
    offset_->setValue(least + (most - least) * slider_->value() / sliderSteps);
    following_ = false;
    apply();
  };
  connect(slider_, &QSlider::valueChanged, this, fromSlider);
  connect(axis_, &QComboBox::activated, this, fromSlider);
  connect(offset_, &NumberField::valueChanged, this, &SectionPanel::apply);
  connect(on_, &QCheckBox::toggled, this, &SectionPanel::apply);
  connect(flip_, &QCheckBox::toggled, this, &SectionPanel::apply);
  connect(slider_, &QSlider::sliderReleased, this, [this] {
    if (document_.session() != nullptr) document_.session()->endMerging();
  });
  setEnabled(false);
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

void SectionPanel::apply() {
  if (following_ || document_.session() == nullptr) return;
  const double side = flip_->isChecked() ? -1 : 1;
  SectionPlane plane;
  plane.normal = direction() * side;
  plane.offset = side * offset_->value();
  plane.enabled = on_->isChecked();
  if (plane == document_.session()->state().section) return;
  document_.session()->edit(
      "Section", [&](SessionState& state) { state.section = plane; }, "section");
}

void SectionPanel::follow() {
  setEnabled(document_.session() != nullptr);
  if (document_.session() == nullptr || bounds_.empty()) return;
  following_ = true;
  const SectionPlane& plane = document_.session()->state().section;
  int axis = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(plane.normal[i]) > std::abs(plane.normal[axis])) axis = i;
  const bool aligned = std::abs(plane.normal[axis]) > 1 - 1e-12;
  const double side = aligned && plane.normal[axis] < 0 ? -1 : 1;
  on_->setChecked(plane.enabled);
  // A section that was turned off keeps its place.
  if (plane.enabled || plane != SectionPlane{}) {
    if (!aligned) oblique_ = plane.normal;
    axis_->setCurrentIndex(aligned ? axis : oblique);
    flip_->setChecked(side < 0);
    offset_->setValue(side * plane.offset);
  } else {
    offset_->setValue(dot(direction(), bounds_.centre()));
  }
  const auto [least, most] = rangeAlong(direction());
  if (most > least && !slider_->isSliderDown())
    slider_->setValue(
        static_cast<int>(std::lround((offset_->value() - least) / (most - least) * sliderSteps)));
  following_ = false;
}

}  // namespace fitup::viewer
