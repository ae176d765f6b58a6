#include <viewer/gui/message_panel.h>

#include <QHBoxLayout>
#include <QPushButton>

namespace fitup::viewer {

MessagePanel::MessagePanel(QWidget* parent) : QFrame(parent), text_(new QLabel) {
  setStyleSheet(QStringLiteral("QFrame { background: #fbe3e0; } QLabel { color: #6b1a12; }"));
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QPushButton(tr("Close"));
  auto* line = new QHBoxLayout(this);
  line->addWidget(text_, 1);
  line->addWidget(close);
  connect(close, &QPushButton::clicked, this, &QWidget::hide);
  hide();
}

void MessagePanel::tell(const QString& text) {
  text_->setText(text);
  show();
}

QString MessagePanel::text() const { return isHidden() ? QString() : text_->text(); }

}  // namespace fitup::viewer
