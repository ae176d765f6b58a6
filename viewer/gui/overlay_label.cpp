#include <viewer/gui/overlay_label.h>

namespace fitup::viewer {

QLabel* makeOverlayLabel(QWidget& view) {
  auto* label = new QLabel(&view);
  label->setStyleSheet(
      QStringLiteral("QLabel { background: palette(base); color: palette(text); border: 1px solid "
                     "palette(mid); padding: 1px "
                     "4px; }"));
  label->setTextFormat(Qt::PlainText);
  label->setAttribute(Qt::WA_TransparentForMouseEvents);
  label->hide();
  return label;
}

}  // namespace fitup::viewer
