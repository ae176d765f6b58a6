#include <viewer/gui/elided_label.h>

#include <algorithm>

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

namespace {
constexpr int leastWidth = 60;
}

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) { setTextFormat(Qt::PlainText); }

void ElidedLabel::tell(const QString& text, const QString& more) {
  setText(text);
  setToolTip(tipOf(more.isEmpty() ? text : text + '\n' + more));
}

QSize ElidedLabel::minimumSizeHint() const {
  const QSize full = QLabel::minimumSizeHint();
  return {std::min(full.width(), leastWidth), full.height()};
}

void ElidedLabel::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) emit clicked();
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  style()->drawItemText(&painter, contentsRect(), Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(),
                        fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()),
                        foregroundRole());
}

}  // namespace fitup::viewer
