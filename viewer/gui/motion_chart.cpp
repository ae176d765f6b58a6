#include <viewer/gui/motion_chart.h>

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <viewer/gui/quantity_text.h>

namespace fitup::viewer {
namespace {

const QColor findingsColour(214, 64, 48), distanceColour(25, 90, 190), timeColour(120, 120, 120);

QString fourDigits(double length, const LengthUnit& unit) {
  return lengthNumber(length, unit, leastShown, 4);
}

}  // namespace

MotionChart::MotionChart(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(52);
  setMouseTracking(true);
  setAccessibleName(tr("Findings, distance and time at the steps of the motion"));
}

void MotionChart::show(std::vector<CheckedStep> steps, std::size_t count, const LengthUnit& unit,
                       TextOf textOf) {
  steps_ = std::move(steps);
  count_ = count;
  unit_ = unit;
  textOf_ = std::move(textOf);
  mostFindings_ = 0;
  farthest_ = longest_ = 0;
  std::vector<double> times;
  for (const CheckedStep& step : steps_) {
    mostFindings_ = std::max(mostFindings_, step.findings);
    farthest_ = std::max(farthest_, step.distance.value_or(0));
    longest_ = std::max(longest_, step.milliseconds);
    times.push_back(step.milliseconds);
  }
  // A single delayed step would flatten all the others.
  usual_ = 0;
  if (!times.empty()) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>(times.size() * 19 / 20);
    std::nth_element(times.begin(), at, times.end());
    usual_ = 1.25 * *at;
  }
  update();
}

void MotionChart::setStep(std::size_t step) {
  step_ = step;
  update();
}

QRectF MotionChart::plot() const {
  const double legend = fontMetrics().height() + 2;
  return QRectF(rect()).adjusted(0, legend, 0, 0);
}

double MotionChart::middleOf(std::size_t step) const {
  const QRectF area = plot();
  return area.left() + (static_cast<double>(step) + 0.5) * area.width() / static_cast<double>(count_);
}

std::optional<std::size_t> MotionChart::stepAt(double x) const {
  if (count_ == 0 || width() == 0) return std::nullopt;
  const double step = std::floor(x * static_cast<double>(count_) / width());
  return static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(count_ - 1)));
}

void MotionChart::paintLegend(QPainter& painter) const {
  double x = 2;
  const auto entry = [&](const QColor& colour, const QString& text) {
    const double height = fontMetrics().height();
    painter.fillRect(QRectF(x, 0.5 * height - 4, 10, 8), colour);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(QPointF(x + 14, fontMetrics().ascent()), text);
    x += 14 + fontMetrics().horizontalAdvance(text) + 18;
  };
  entry(findingsColour, tr("findings (most %1)").arg(mostFindings_));
  entry(distanceColour, tr("distance (most %1 %2)").arg(fourDigits(farthest_, unit_), unit_.name));
  entry(timeColour, tr("time of the check (most %1 ms)").arg(longest_, 0, 'f', 2));
}

void MotionChart::paintFindings(QPainter& painter) const {
  if (mostFindings_ == 0) return;
  const QRectF area = plot();
  const double width = area.width() / static_cast<double>(count_);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].findings == 0) continue;
    const double part = static_cast<double>(steps_[i].findings) / static_cast<double>(mostFindings_);
    const double height = area.height() * (0.12 + 0.88 * part);  // a single finding must be visible
    painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() - height,
                            std::max(1.0, width - 0.5), height),
                     findingsColour.lighter(135));
  }
}

template <typename Value>
void MotionChart::paintLine(QPainter& painter, const QPen& pen, double most, Value value) const {
  if (!(most > 0)) return;
  const QRectF area = plot().adjusted(0, 2, 0, -2);
  QPainterPath path;
  bool begun = false;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::optional<double> y = value(steps_[i]);
    if (!y) {
      begun = false;
      continue;
    }
    const QPointF point(middleOf(i), area.bottom() - *y / most * area.height());
    if (begun)
      path.lineTo(point);
    else
      path.moveTo(point);
    begun = true;
  }
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(path);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void MotionChart::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF area = plot();
  painter.fillRect(area, palette().base());
  if (count_ == 0) return;
  if (steps_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(area, Qt::AlignCenter, tr("Find clashes shows what happens at each step"));
  } else {
    paintLegend(painter);
    paintFindings(painter);
    paintLine(painter, QPen(timeColour, 1.2), usual_,
              [this](const CheckedStep& step) { return std::optional(std::min(step.milliseconds, usual_)); });
    paintLine(painter, QPen(distanceColour, 1.6), farthest_,
              [](const CheckedStep& step) { return step.distance; });
  }
  painter.fillRect(QRectF(middleOf(step_) - 1, area.top(), 2, area.height()),
                   palette().color(QPalette::Highlight));
}

void MotionChart::mousePressEvent(QMouseEvent* event) {
  if (const auto step = stepAt(event->position().x())) emit chosen(*step);
}

void MotionChart::mouseMoveEvent(QMouseEvent* event) {
  const auto step = stepAt(event->position().x());
  if (!step) return;
  if (event->buttons().testFlag(Qt::LeftButton)) emit chosen(*step);
  if (*step >= steps_.size()) return;
  const CheckedStep& found = steps_[*step];
  QString text = tr("step %1: %2").arg(*step + 1).arg(textOf_(found));
  if (found.distance) text += tr(", distance %1 %2").arg(fourDigits(*found.distance, unit_), unit_.name);
  text += tr(", %1 ms").arg(found.milliseconds, 0, 'f', 2);
  QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void MotionChart::leaveEvent(QEvent* event) {
  QToolTip::hideText();
  QWidget::leaveEvent(event);
}

}  // namespace fitup::viewer
