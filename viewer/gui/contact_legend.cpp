#include <viewer/gui/contact_legend.h>

#include <algorithm>

#include <QPainter>

#include <viewer/gui/contact_paint.h>

namespace fitup::viewer {
namespace {

constexpr int margin = 8, barWidth = 220, barHeight = 12;

QColor colourOf(const osg::Vec4& colour) {
  return QColor::fromRgbF(colour.r(), colour.g(), colour.b(), colour.a());
}

}  // namespace

ContactLegend::ContactLegend(QWidget* parent) : QWidget(parent) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

QSize ContactLegend::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int text = std::max(metrics.horizontalAdvance(counts_), metrics.horizontalAdvance(near_) + 18);
  return {2 * margin + std::max(barWidth, text), 2 * margin + 3 * metrics.height() + barHeight + 8};
}

void ContactLegend::show(const ContactMap* map, const LengthUnit& unit) {
  setVisible(map != nullptr);
  if (map == nullptr) return;
  const ContactColours colours(*map);
  const auto touching =
      std::ranges::count_if(map->surfaces, [](const SurfaceContact& c) { return c.first.has_value(); });
  counts_ =
      touching == 0 ? tr("No face has contact") : tr("First contact of %1 faces, by step").arg(touching);
  early_ = colours.any() ? QString::number(colours.first() + 1) : QString();
  late_ = colours.any() ? QString::number(colours.last() + 1) : QString();
  near_ = tr("comes within %1 %2 (%3 faces)")
              .arg(QString::number(unit.shown(map->range), 'g', 3), unit.name)
              .arg(static_cast<qsizetype>(map->surfaces.size()) - touching);
  resize(sizeHint());
  update();
}

void ContactLegend::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), QColor(255, 255, 255, 215));
  painter.setPen(QColor(30, 30, 30));
  const QFontMetrics metrics = fontMetrics();
  int y = margin;
  painter.drawText(margin, y + metrics.ascent(), counts_);
  y += metrics.height() + 2;
  for (int i = 0; i < barWidth; ++i)
    painter.fillRect(margin + i, y, 1, barHeight,
                     colourOf(ContactColours::shade(static_cast<double>(i) / barWidth)));
  y += barHeight;
  painter.drawText(margin, y + metrics.ascent(), early_);
  painter.drawText(margin + barWidth - metrics.horizontalAdvance(late_), y + metrics.ascent(), late_);
  y += metrics.height() + 4;
  painter.fillRect(margin, y + metrics.height() / 2 - 5, 12, 10, colourOf(ContactColours::near()));
  painter.drawText(margin + 18, y + metrics.ascent(), near_);
}

}  // namespace fitup::viewer
