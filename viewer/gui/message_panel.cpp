#include <viewer/gui/message_panel.h>

#include <QHBoxLayout>
#include <QPushButton>

namespace fitup::viewer {

MessagePanel::MessagePanel(QWidget* parent) : QFrame(parent), text_(new QLabel) {
  setStyleSheet(QStringLiteral("QFrame { background: #fbe3e0; } QLabel { color: #6b1a12; }"));
  text_->setWordWrap(true);
  text_->setMinimumWidth(1);  // lines break only at blanks, and a long path has none
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
  // The text must leave room for the view and for the panel's button.
  constexpr qsizetype mostLines = 6, mostLetters = 2000;
  told_ = text;
  const QStringList lines = text.split(QLatin1Char('\n'));
  QString shown = lines.mid(0, mostLines).join(QLatin1Char('\n'));
  if (shown.size() > mostLetters) shown = shown.left(mostLetters) + QStringLiteral("...");
  if (lines.size() > mostLines)
    shown += QLatin1Char('\n') + tr("... and %1 more").arg(lines.size() - mostLines);
  text_->setText(shown);
  show();
}

QString MessagePanel::text() const { return isHidden() ? QString() : told_; }

}  // namespace fitup::viewer
