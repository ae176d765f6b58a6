#include <viewer/gui/state_icons.h>

#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include <viewer/gui/theme.h>

namespace fitup::viewer {
namespace {

void drawDot(QPainter& painter, const QRectF& box, const QPalette& palette) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(isDark(palette) ? QColor(255, 95, 85) : QColor(205, 30, 25));
  const double by = 0.22 * box.width();
  painter.drawEllipse(box.adjusted(by, by, -by, -by));
}

/// A triangle with an exclamation mark.
void drawWarning(QPainter& painter, const QRectF& box, const QPalette& palette) {
  const double w = box.width();
  const QPointF from = box.topLeft();
  const auto at = [&](double x, double y) { return from + QPointF(x * w, y * w); };
  painter.setPen(QPen(isDark(palette) ? QColor(255, 200, 60) : QColor(175, 110, 0), 0.07 * w, Qt::SolidLine,
                      Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(isDark(palette) ? QColor(95, 70, 0) : QColor(255, 215, 90));
  painter.drawPolygon(QPolygonF{at(0.5, 0.12), at(0.92, 0.86), at(0.08, 0.86)});
  const QColor mark = isDark(palette) ? QColor(255, 235, 190) : QColor(60, 40, 0);
  painter.setPen(QPen(mark, 0.11 * w, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(at(0.5, 0.4), at(0.5, 0.58));
  painter.drawPoint(at(0.5, 0.74));
}

/// A square of which half is seen through.
void drawGhost(QPainter& painter, const QRectF& box, const QPalette& palette) {
  const double by = 0.2 * box.width();
  const QRectF square = box.adjusted(by, by, -by, -by);
  QColor colour = palette.color(QPalette::Text);
  colour.setAlphaF(0.35F);
  QPainterPath half;
  half.moveTo(square.bottomLeft());
  half.lineTo(square.topRight());
  half.lineTo(square.bottomRight());
  half.closeSubpath();
  painter.fillPath(half, colour);
  colour.setAlphaF(0.8F);
  painter.setPen(QPen(colour, 0.08 * box.width()));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(square);
}

}  // namespace

QPixmap stateSigns(std::span<const StateSign> signs, int height, const QPalette& palette, double ratio) {
  if (signs.empty()) return {};
  const auto count = static_cast<int>(signs.size());
  QPixmap pixmap(QSize(static_cast<int>(std::ceil(count * height * ratio)),
                       static_cast<int>(std::ceil(height * ratio))));
  pixmap.setDevicePixelRatio(ratio);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int i = 0; i < count; ++i) {
    const QRectF box(i * height, 0, height, height);
    switch (signs[static_cast<std::size_t>(i)]) {
      case StateSign::needsAction:
        drawDot(painter, box, palette);
        break;
      case StateSign::isOpen:
        drawWarning(painter, box, palette);
        break;
      case StateSign::ghosted:
        drawGhost(painter, box, palette);
        break;
    }
  }
  return pixmap;
}

}  // namespace fitup::viewer
