#include <viewer/gui/mate_panel.h>

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace fitup::viewer {

MatePanel::MatePanel(MateTool& tool, QWidget* parent)
    : OverlayFrame(parent),
      tool_(tool),
      result_(new QLabel),
      hint_(new QLabel),
      flip_(new QPushButton(tr("Flip"))),
      done_(new QPushButton(tr("Done"))) {
  QFont bold = result_->font();
  bold.setBold(true);
  result_->setFont(bold);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(2);
  for (QLabel* label : {result_, hint_}) {
    label->setTextFormat(Qt::PlainText);
    texts->addWidget(label);
  }
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 5, 6, 5);
  layout->addLayout(texts, 1);
  flip_->setToolTip(tr("Turns the part round: axes the other way, faces flush or against each other"));
  done_->setToolTip(tr("Ends mating: Esc"));
  for (QPushButton* button : {flip_, done_}) {
    button->setFocusPolicy(Qt::NoFocus);  // keys are for the view
    layout->addWidget(button);
  }
  connect(flip_, &QPushButton::clicked, &tool_, &MateTool::flip);
  connect(done_, &QPushButton::clicked, &tool_, [this] { tool_.setActive(false); });
  connect(&tool_, &MateTool::changed, this, &MatePanel::follow);
  follow();
}

QString MatePanel::text() const {
  return isVisible() ? (result_->text() + QLatin1Char('\n') + hint_->text()).trimmed() : QString();
}

void MatePanel::follow() {
  const QString subject = tool_.first() ? tool_.subject() : tool_.result();
  constexpr int widest = 460;  // beside the view cube of a small window
  result_->setText(result_->fontMetrics().elidedText(subject, Qt::ElideMiddle, widest));
  result_->setVisible(!result_->text().isEmpty());
  hint_->setText(tool_.hint());
  flip_->setVisible(tool_.canFlip());
  setVisible(tool_.isActive());
  layout()->activate();
  adjustSize();
  emit resized();
}

}  // namespace fitup::viewer
