#include <viewer/gui/overlay_frame.h>

#include <QPainter>

namespace fitup::viewer {

OverlayFrame::OverlayFrame(QWidget* parent) : QFrame(parent) {
  setAutoFillBackground(true);
  setAttribute(Qt::WA_NoMousePropagation);
}

void OverlayFrame::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QColor colour = palette().color(QPalette::WindowText);
  colour.setAlphaF(0.45F);
  painter.setPen(colour);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace fitup::viewer
