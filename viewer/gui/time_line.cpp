#include <viewer/gui/time_line.h>

#include <algorithm>
#include <cmath>

#include <QFileDialog>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace fitup::viewer {

TickBar::TickBar(QWidget* parent) : QWidget(parent) {
  setMinimumHeight(28);
  setAccessibleName(tr("Clashes at the steps of the motion"));
}

void TickBar::show(std::vector<std::size_t> findings, std::size_t steps) {
  findings_ = std::move(findings);
  steps_ = steps;
  update();
}

void TickBar::setStep(std::size_t step) {
  step_ = step;
  update();
}

void TickBar::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().base());
  if (steps_ == 0) return;
  const double width = static_cast<double>(this->width()) / static_cast<double>(steps_);
  std::size_t most = 1;
  for (const std::size_t count : findings_) most = std::max(most, count);
  for (std::size_t i = 0; i < findings_.size(); ++i) {
    if (findings_[i] == 0) continue;
    const double height =
        this->height() * (0.2 + 0.8 * static_cast<double>(findings_[i]) / static_cast<double>(most));
    painter.fillRect(
        QRectF(static_cast<double>(i) * width, this->height() - height, std::max(1.0, width - 0.5), height),
        QColor(214, 64, 48));
  }
  painter.fillRect(QRectF((static_cast<double>(step_) + 0.5) * width - 1, 0, 2, height()),
                   palette().color(QPalette::Highlight));
  if (findings_.empty()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect(), Qt::AlignCenter, tr("Find clashes shows them at each step"));
  }
}

void TickBar::choose(double x) {
  if (steps_ == 0 || width() == 0) return;
  const double step = std::floor(x * static_cast<double>(steps_) / width());
  emit chosen(static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(steps_ - 1))));
}

void TickBar::mousePressEvent(QMouseEvent* event) { choose(event->position().x()); }

void TickBar::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) choose(event->position().x());
}

namespace {

QToolButton* makeButton(const QString& text, const QString& tip) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  return button;
}

}  // namespace

TimeLine::TimeLine(Document& document, DragController& drag, QWidget* parent)
    : QWidget(parent),
      document_(document),
      drag_(drag),
      tracks_(new QComboBox),
      play_(makeButton(tr("Play"), tr("Play the motion from here (Space)"))),
      record_(makeButton(tr("Record"), tr("Record the selected parts while they are dragged (Ctrl+R)"))),
      key_(makeButton(tr("Key"), tr("Record where the parts are now (K)"))),
      find_(makeButton(tr("Find clashes"), tr("Check every step of the motion"))),
      save_(makeButton(tr("Save..."), tr("Save the motion as a track file"))),
      slider_(new QSlider(Qt::Horizontal)),
      ticks_(new TickBar),
      label_(new QLabel) {
  tracks_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  tracks_->setToolTip(tr("Motions of this session"));
  record_->setCheckable(true);
  slider_->setAccessibleName(tr("Step of the motion"));
  label_->setMinimumWidth(150);
  auto* line = new QHBoxLayout;
  for (QWidget* widget :
       {static_cast<QWidget*>(tracks_), static_cast<QWidget*>(play_), static_cast<QWidget*>(record_),
        static_cast<QWidget*>(key_), static_cast<QWidget*>(find_), static_cast<QWidget*>(save_)})
    line->addWidget(widget);
  line->addWidget(slider_, 1);
  line->addWidget(label_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addLayout(line);
  layout->addWidget(ticks_);

  timer_.setInterval(40);
  connect(&timer_, &QTimer::timeout, this, [this] {
    // A step is only left when its answer has come: nothing that clashes is skipped over.
    if (document_.isChecking()) return;
    const auto track = document_.track();
    if (!track || document_.step() + 1 >= track->steps.size()) return play(false);
    document_.goToStep(document_.step() + 1);
  });
  connect(play_, &QToolButton::clicked, this, [this] { play(!isPlaying()); });
  connect(record_, &QToolButton::clicked, this, &TimeLine::toggleRecording);
  connect(key_, &QToolButton::clicked, this, &TimeLine::addKeyPose);
  connect(find_, &QToolButton::clicked, &document_, &Document::replayTrack);
  connect(save_, &QToolButton::clicked, this, &TimeLine::saveTrack);
  connect(slider_, &QSlider::valueChanged, this, [this](int step) {
    if (!following_) document_.goToStep(static_cast<std::size_t>(step));
  });
  connect(ticks_, &TickBar::chosen, &document_, &Document::goToStep);
  connect(tracks_, &QComboBox::activated, this,
          [this](int position) { document_.showTrack(static_cast<std::size_t>(position)); });
  connect(&document_, &Document::trackChanged, this, &TimeLine::refresh);
  connect(&document_, &Document::stepChanged, this, &TimeLine::follow);
  connect(&document_, &Document::selectionChanged, this, &TimeLine::refresh);
  connect(&drag_, &DragController::recordingChanged, this, &TimeLine::refresh);
  connect(&document_, &Document::aboutToClose, this, [this] { play(false); });
  refresh();
}

void TimeLine::play(bool on) {
  const auto track = document_.track();
  if (on && track) {
    if (document_.step() + 1 >= track->steps.size()) document_.goToStep(0);
    timer_.start();
  } else {
    timer_.stop();
    if (document_.session() != nullptr) document_.session()->endMerging();
  }
  play_->setText(isPlaying() ? tr("Pause") : tr("Play"));
}

void TimeLine::toggleRecording() {
  if (drag_.isRecording())
    drag_.stopRecording();
  else
    drag_.startRecording({document_.selection().begin(), document_.selection().end()});
  refresh();
}

void TimeLine::addKeyPose() {
  if (!drag_.isRecording())
    drag_.startRecording({document_.selection().begin(), document_.selection().end()});
  drag_.addKeyPose();
}

void TimeLine::goToClash(int direction) {
  if (!document_.replayed()) return;
  const std::vector<std::size_t>& findings = document_.replayed()->findings;
  const auto count = static_cast<std::ptrdiff_t>(findings.size());
  for (auto i = static_cast<std::ptrdiff_t>(document_.step()) + direction; i >= 0 && i < count;
       i += direction)
    if (findings[static_cast<std::size_t>(i)] > 0) return document_.goToStep(static_cast<std::size_t>(i));
}

void TimeLine::saveTrack() {
  if (!document_.track()) return;
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Save the motion"), QStringLiteral("motion.track.json"), tr("Tracks (*.json *.csv)"));
  if (!file.isEmpty()) document_.saveTrack(file.toStdString());
}

void TimeLine::refresh() {
  following_ = true;
  const Session* session = document_.session();
  const auto track = document_.track();
  tracks_->clear();
  if (session != nullptr)
    for (const auto& each : session->state().tracks) {
      tracks_->addItem(QString::fromStdString(each->name.empty() ? "motion" : each->name));
      if (each == track) tracks_->setCurrentIndex(tracks_->count() - 1);
    }
  tracks_->setVisible(tracks_->count() > 0);
  for (QWidget* widget : {static_cast<QWidget*>(play_), static_cast<QWidget*>(find_),
                          static_cast<QWidget*>(save_), static_cast<QWidget*>(slider_)})
    widget->setEnabled(track != nullptr);
  const bool maySelect = session != nullptr && !document_.selection().empty();
  record_->setEnabled(drag_.isRecording() || maySelect);
  record_->setChecked(drag_.isRecording());
  record_->setText(drag_.isRecording() ? tr("Stop recording") : tr("Record"));
  key_->setEnabled(drag_.isRecording() || maySelect);
  slider_->setRange(0, track ? static_cast<int>(track->steps.size()) - 1 : 0);
  ticks_->show(document_.replayed() ? document_.replayed()->findings : std::vector<std::size_t>{},
               track ? track->steps.size() : 0);
  following_ = false;
  follow();
}

void TimeLine::follow() {
  following_ = true;
  slider_->setValue(static_cast<int>(document_.step()));
  ticks_->setStep(document_.step());
  const auto track = document_.track();
  QString text = track ? tr("step %1 of %2").arg(document_.step() + 1).arg(track->steps.size()) : QString();
  if (track && document_.replayed())
    text += tr(", %1 findings").arg(document_.replayed()->findings.at(document_.step()));
  if (drag_.isRecording()) text = tr("recording: %1 steps").arg(drag_.recordedSteps());
  label_->setText(text);
  following_ = false;
}

}  // namespace fitup::viewer
