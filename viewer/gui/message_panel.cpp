#include <viewer/gui/message_panel.h>

#include <algorithm>

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>

#include <viewer/gui/text_dialog.h>
#include <viewer/gui/theme.h>

namespace fitup::viewer {

MessagePanel::MessagePanel(QWidget* parent) : QFrame(parent), text_(new QLabel), all_(new QPushButton) {
  setAutoFillBackground(true);
  setPalette(errorPalette(QGuiApplication::palette()));
  text_->setWordWrap(true);
  text_->setMinimumWidth(1);  // lines break only at blanks, and a long path has none
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QPushButton(tr("Close"));
  auto* line = new QHBoxLayout(this);
  line->addWidget(text_, 1);
  line->addWidget(all_);
  line->addWidget(close);
  all_->setToolTip(tr("Shows the whole message, to read or copy"));
  connect(all_, &QPushButton::clicked, this, [this] { showText(window(), tr("Message"), told_); });
  connect(close, &QPushButton::clicked, this, &QWidget::hide);
  hide();
}

void MessagePanel::tell(const QString& text) {
  // The text must leave room for the view and for the panel's button.
  constexpr qsizetype mostLines = 6, mostLetters = 2000;
  told_ = text;
  const QStringList lines = text.split(QLatin1Char('\n'));
  QString shown = lines.mid(0, mostLines).join(QLatin1Char('\n'));
  const bool isLong = shown.size() > mostLetters;
  if (isLong) shown = shown.left(mostLetters) + QStringLiteral("...");
  const qsizetype more = std::max<qsizetype>(0, lines.size() - mostLines);
  if (more > 0) shown += QLatin1Char('\n') + tr("... and %1 more").arg(more);
  text_->setText(shown);
  all_->setText(more > 0 ? tr("Show all %1 lines...").arg(lines.size()) : tr("Show all..."));
  all_->setVisible(isLong || more > 0);
  show();
}

void MessagePanel::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // Setting the colours is a change too, after which they are the same.
  const QPalette now = errorPalette(QGuiApplication::palette());
  if (event->type() == QEvent::PaletteChange &&
      now.color(QPalette::Window) != palette().color(QPalette::Window))
    setPalette(now);
}

QString MessagePanel::text() const { return isHidden() ? QString() : told_; }

}  // namespace fitup::viewer
