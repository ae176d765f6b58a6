#include <viewer/gui/time_line.h>

#include <algorithm>
#include <span>

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <fitup/io/track_file.h>
#include <viewer/core/instance_names.h>
#include <viewer/gui/file_dialogs.h>
#include <viewer/gui/icons.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

namespace {

/// With an icon, the button does not show its text.
QToolButton* makeButton(const QString& text, const QString& tip, const char* icon = nullptr) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setAccessibleName(text);
  button->setToolTip(tip);
  if (icon != nullptr) button->setIcon(commandIcon(icon));
  return button;
}

}  // namespace

TimeLine::TimeLine(Document& document, DragController& drag, QWidget* parent)
    : QWidget(parent),
      document_(document),
      drag_(drag),
      tracks_(new QComboBox),
      play_(makeButton(tr("Play"), tr("Play the motion from here (Space)"), "play")),
      record_(makeButton(tr("Record"), tr("Record how parts are moved from now on (Ctrl+R)"), "record")),
      key_(makeButton(tr("Key"), tr("Record the current positions of the parts (K)"), "key-pose")),
      edit_(makeButton(tr("Edit"), tr("Insert, delete and move steps; reverse the motion"))),
      find_(makeButton(tr("Find clashes"), tr("Check every step of the motion"))),
      map_(makeButton(tr("Contact map"), tr("Colour the faces by the step of their first contact"))),
      save_(makeButton(tr("Save..."), tr("Save the motion as a track file"), "save-track")),
      slider_(new QSlider(Qt::Horizontal)),
      chart_(new MotionChart),
      label_(new QLabel),
      found_(new ElidedLabel) {
  // A motion with a long name must not make the window wider than the screen.
  tracks_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  tracks_->setMinimumContentsLength(12);
  tracks_->setToolTip(tr("Motions of this session"));
  tracks_->setAccessibleName(tr("Motions of this session"));
  record_->setCheckable(true);
  map_->setCheckable(true);
  edit_->setPopupMode(QToolButton::InstantPopup);
  slider_->setToolTip(tr("Moves the parts to a step of the motion"));
  slider_->setAccessibleName(tr("Step of the motion"));
  label_->setMinimumWidth(150);
  auto* line = new QHBoxLayout;
  for (QWidget* widget :
       {static_cast<QWidget*>(play_), static_cast<QWidget*>(record_), static_cast<QWidget*>(key_),
        static_cast<QWidget*>(edit_), static_cast<QWidget*>(find_), static_cast<QWidget*>(map_),
        static_cast<QWidget*>(save_), static_cast<QWidget*>(tracks_)})
    line->addWidget(widget);  // the last one comes with the first motion, and moves no button under the mouse
  line->addWidget(slider_, 1);
  line->addWidget(label_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addLayout(line);
  layout->addWidget(found_);
  layout->addWidget(chart_);

  setFrameTime({});
  connect(&timer_, &QTimer::timeout, this, [this] {
    // Waits at each step for its answer, so that no clash is skipped.
    if (document_.check().isChecking()) return;
    // If undo or the user has moved the parts, playing stops.
    if (playedTo_ && (*playedTo_ != document_.motion().time() || !document_.motion().isOnTheWay()))
      return play(false);
    const auto track = document_.motion().track();
    if (!track || document_.motion().step() + 1 >= track->steps.size()) return play(false);
    document_.motion().goToTime(document_.motion().nextFrame());
    playedTo_ = document_.motion().time();
  });
  connect(play_, &QToolButton::clicked, this, [this] { play(!isPlaying()); });
  connect(record_, &QToolButton::clicked, this, &TimeLine::toggleRecording);
  connect(key_, &QToolButton::clicked, this, &TimeLine::addKeyPose);
  connect(find_, &QToolButton::clicked, &document_.motion(), &ShownMotion::check);
  connect(map_, &QToolButton::clicked, &document_.motion(), &ShownMotion::showMap);
  connect(save_, &QToolButton::clicked, this, &TimeLine::saveTrack);
  connect(slider_, &QSlider::valueChanged, this, [this](int step) {
    if (!following_) goTo(static_cast<std::size_t>(step));
  });
  connect(chart_, &MotionChart::chosen, this, &TimeLine::goTo);
  connect(tracks_, &QComboBox::activated, this,
          [this](int position) { document_.motion().show(static_cast<std::size_t>(position)); });
  connect(&document_.motion(), &ShownMotion::trackChanged, this, &TimeLine::refresh);
  connect(&document_.motion(), &ShownMotion::mapChanged, this, &TimeLine::refresh);
  connect(&document_, &Document::jobEnded, this, &TimeLine::refresh);
  connect(&document_.motion(), &ShownMotion::stepChanged, this, &TimeLine::follow);
  connect(&document_, &Document::selectionChanged, this, &TimeLine::refresh);
  connect(&document_, &Document::lengthUnitChanged, this, &TimeLine::refresh);
  connect(&drag_, &DragController::recordingChanged, this, &TimeLine::refresh);
  connect(&document_, &Document::aboutToClose, this, [this] { play(false); });
  refresh();
}

void TimeLine::goTo(std::size_t step) {
  document_.motion().goTo(step);
  playedTo_ = document_.motion().time();
}

void TimeLine::play(bool on) {
  const auto track = document_.motion().track();
  playedTo_.reset();  // from the current placements
  if (on && track) {
    if (document_.motion().step() + 1 >= track->steps.size()) document_.motion().goTo(0);
    timer_.start();
  } else {
    timer_.stop();
    if (document_.session() != nullptr) document_.session()->endMerging();
  }
  play_->setText(isPlaying() ? tr("Pause") : tr("Play"));
  play_->setAccessibleName(play_->text());
  play_->setIcon(commandIcon(isPlaying() ? "pause" : "play"));
}

void TimeLine::setFrameTime(std::chrono::milliseconds least) {
  constexpr std::chrono::milliseconds usual(40);
  timer_.setInterval(std::max(least, usual));
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

std::optional<std::size_t> TimeLine::goToClash(int direction) {
  std::size_t open = 0;
  if (!document_.motion().checked()) return open;
  const std::vector<CheckedStep>& steps = document_.motion().checked()->steps;
  const auto count = static_cast<std::ptrdiff_t>(steps.size());
  for (auto i = static_cast<std::ptrdiff_t>(document_.motion().step()) + direction; i >= 0 && i < count;
       i += direction) {
    const CheckedStep& step = steps[static_cast<std::size_t>(i)];
    if (step.findings > 0) {
      goTo(static_cast<std::size_t>(i));
      return std::nullopt;
    }
    if (step.open > 0) ++open;
  }
  // What breaks a limit between two steps is farther on than any step before it.
  const std::optional<CertifyReport>& certified = document_.motion().checked()->certified;
  if (direction > 0 && certified && certified->violation &&
      certified->violation->time > document_.motion().time()) {
    document_.motion().goToTime(certified->violation->time);
    return std::nullopt;
  }
  return open;
}

void TimeLine::saveTrack() {
  if (!document_.motion().track()) return;
  const QString file =
      askWhereToSave(this, tr("Save the motion"), QStringLiteral("motion.track.json"),
                     fileFilter(tr("Tracks"), trackExtensions(" ", " ")), QStringLiteral("json"));
  if (!file.isEmpty()) document_.motion().save(file.toStdString());
}

void TimeLine::refresh() {
  following_ = true;
  const Session* session = document_.session();
  const auto track = document_.motion().track();
  tracks_->clear();
  if (session != nullptr)
    for (const auto& each : session->state().tracks) {
      tracks_->addItem(shown(each->name.empty() ? "motion" : each->name));
      if (each == track) tracks_->setCurrentIndex(tracks_->count() - 1);
    }
  tracks_->setVisible(tracks_->count() > 0);
  for (QWidget* widget :
       {static_cast<QWidget*>(play_), static_cast<QWidget*>(edit_), static_cast<QWidget*>(find_),
        static_cast<QWidget*>(map_), static_cast<QWidget*>(save_), static_cast<QWidget*>(slider_)})
    widget->setEnabled(track != nullptr);
  const bool maySelect = session != nullptr && !document_.selection().empty();
  record_->setEnabled(session != nullptr);
  map_->setChecked(document_.motion().isMapWanted());
  record_->setChecked(drag_.isRecording());
  record_->setText(drag_.isRecording() ? tr("Stop recording") : tr("Record"));
  record_->setAccessibleName(record_->text());
  key_->setEnabled(drag_.isRecording() || maySelect);
  slider_->setRange(0, track ? static_cast<int>(track->steps.size()) - 1 : 0);
  const auto& checked = document_.motion().checked();
  chart_->show(checked ? checked->steps : std::vector<CheckedStep>{}, track ? track->steps.size() : 0,
               session != nullptr ? document_.lengthUnit() : LengthUnit(),
               [this](const CheckedStep& step) { return foundText(step); });
  following_ = false;
  follow();
}

QStringList TimeLine::pairNames(const CheckedStep& step, std::size_t most) const {
  const InstanceNames names(document_.session()->assembly());
  QStringList named;
  for (const CheckedStep::Pair& pair : std::span(step.pairs).first(std::min(step.pairs.size(), most))) {
    const QString text = tr("%1 with %2").arg(shown(names.of(pair.a)), shown(names.of(pair.b)));
    named << (pair.severity == Severity::tooNear ? tr("%1 (too near)").arg(text) : text);
  }
  return named;
}

QString TimeLine::foundText(const CheckedStep& step) const {
  const bool verdicts = document_.motion().checked()->verdicts;
  if (step.pairs.empty()) {
    QString text = step.open > 0 ? tr("no clash found, %1").arg(openText(step.open))
                   : verdicts    ? tr("nothing clashes")
                                 : tr("nothing intersects");
    if (step.contacts > 0)
      text = tr("%1, %2").arg(text, countText(step.contacts, tr("pair in contact"), tr("pairs in contact")));
    return text;
  }
  constexpr std::size_t mostNamed = 2;
  const QString named = pairNames(step, mostNamed).join(QStringLiteral("; "));
  QString text = step.pairs.front().severity == Severity::clash     ? tr("clash: %1").arg(named)
                 : step.pairs.front().severity == Severity::tooNear ? named
                                                                    : tr("intersect: %1").arg(named);
  if (step.pairs.size() > mostNamed)
    text += tr("; and %1")
                .arg(countText(step.pairs.size() - mostNamed, tr("more pair of parts"),
                               tr("more pairs of parts")));
  return text;
}

QString TimeLine::betweenText() const {
  const std::optional<CertifyReport>& certified = document_.motion().checked()->certified;
  if (!certified) return tr("between the steps nothing is checked");
  QString text;
  if (certified->violation) {
    const InstanceNames names(document_.session()->assembly());
    const MotionContact& found = *certified->violation;
    text = tr("but between the steps, at %1: %2 with %3")
               .arg(numberText(std::floor(found.time * 1000) / 1000), shown(names.of(found.a)),
                    shown(names.of(found.b)));
  } else if (certified->answer() == CertifyAnswer::certain) {
    text = tr("certainly not between the steps either");
  } else {
    return tr("between the steps that is not certain");
  }
  if (!(certified->chordErrors > 0)) return text;
  const LengthUnit unit = document_.lengthUnit();
  return tr("%1 (the triangles are exact to within %2 %3)")
      .arg(text, lengthNumber(certified->chordErrors, unit, leastShown, 2), unit.name);
}

QString TimeLine::openText(std::size_t pairs) {
  return countText(pairs, tr("pair undecided"), tr("pairs undecided"));
}

QString TimeLine::foundText() const {
  const std::vector<CheckedStep>& steps = document_.motion().checked()->steps;
  const std::size_t now = document_.motion().step();
  const QString text = foundText(steps.at(now));
  if (!steps[now].pairs.empty()) return text;
  const auto next = std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(now), steps.end(),
                                 [](const CheckedStep& step) { return !step.pairs.empty(); });
  if (next != steps.end())
    return tr("%1 here; next at step %2: %3")
        .arg(text, QString::number(next - steps.begin() + 1), foundText(*next));
  if (std::ranges::all_of(steps, &CheckedStep::isSurelyFree))
    return tr("%1, nor at any other step; %2").arg(text, betweenText());
  return tr("%1 here, and none at a later step").arg(text);
}

void TimeLine::follow() {
  following_ = true;
  slider_->setValue(static_cast<int>(document_.motion().step()));
  chart_->setStep(document_.motion().step());
  const auto track = document_.motion().track();
  const ShownMotion& motion = document_.motion();
  QString text = track ? tr("step %1 of %2").arg(motion.step() + 1).arg(track->steps.size()) : QString();
  if (track && !motion.isAtStep() && motion.isOnTheWay())
    text += tr(", on the way to the next");
  else if (track && !motion.isAtStep())
    text += tr(", parts moved since");
  if (drag_.isRecording())
    text = drag_.recordedSteps() > 1 ? tr("recording: %1 steps").arg(drag_.recordedSteps())
                                     : tr("recording: now move parts");
  label_->setText(text);
  const bool knows = track && motion.checked() && motion.isAtStep() && !drag_.isRecording();
  found_->setVisible(knows);
  constexpr std::size_t mostListed = 20;
  if (knows)
    found_->tell(foundText(),
                 pairNames(motion.checked()->steps.at(motion.step()), mostListed).join(QLatin1Char('\n')));
  following_ = false;
}

}  // namespace fitup::viewer
