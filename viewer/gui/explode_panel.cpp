#include <viewer/gui/explode_panel.h>

#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>

namespace fitup::viewer {
namespace {
constexpr int positions = 200;
}  // namespace

ExplodePanel::ExplodePanel(QWidget* parent) : QFrame(parent), slider_(new QSlider(Qt::Horizontal)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  slider_->setRange(0, positions);
  slider_->setFixedWidth(160);
  slider_->setAccessibleName(tr("Exploded view"));
  slider_->setToolTip(tr("Moves the drawn parts apart. Checks, placements and files do not change"));
  auto* end = new QToolButton;
  end->setText(QStringLiteral("\u00d7"));
  end->setAutoRaise(true);
  end->setToolTip(tr("As assembled"));
  end->setAccessibleName(tr("End the exploded view"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 2, 4, 2);
  layout->addWidget(new QLabel(tr("Exploded")));
  layout->addWidget(slider_);
  layout->addWidget(end);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int value) { take(static_cast<double>(value) / positions); });
  connect(end, &QToolButton::clicked, this, &ExplodePanel::close);
  adjustSize();
  hide();
}

void ExplodePanel::setFraction(double fraction) {
  {
    const QSignalBlocker blocker(slider_);
    slider_->setValue(static_cast<int>(std::lround(fraction * positions)));
  }
  setVisible(fraction > 0);
  take(fraction);
}

void ExplodePanel::toggle() { isHidden() ? setFraction(last_) : close(); }

void ExplodePanel::close() {
  setFraction(0);
  emit changed();  // also from 0, so that the menu shows that the panel is closed
}

void ExplodePanel::take(double fraction) {
  if (fraction == fraction_) return;
  fraction_ = fraction;
  if (fraction > 0) last_ = fraction;
  emit changed();
}

}  // namespace fitup::viewer
