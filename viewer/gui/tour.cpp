#include <viewer/gui/tour.h>

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <viewer/gui/commands.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/samples.h>
#include <viewer/gui/scene_view.h>

namespace fitup::viewer {
namespace {

const char* const sample = "plant";
constexpr int panelWidth = 320;
constexpr double flangeTolerance = 0.5;  ///< mm

bool isHit(const Document& document) {
  const auto& report = document.check().answer().report;
  return report != nullptr && report->needsAction();
}

}  // namespace

Tour::Tour(MainWindow& window)
    : OverlayFrame(&window.view()),
      window_(window),
      title_(new QLabel),
      text_(new QLabel),
      keys_(new QLabel),
      back_(new QPushButton(tr("Go back"))),
      skip_(new QPushButton),
      end_(new QPushButton(tr("End"))) {
  makeSteps();
  makePanel();
  Document& document = window.document();
  connect(&document, &Document::opened, this, &Tour::opened);
  connect(&document, &Document::failed, this, [this] { isWaiting_ = false; });
  connect(&document, &Document::stateChanged, this, &Tour::goOn);
  connect(&document, &Document::selectionChanged, this, &Tour::goOn);
  connect(&document.check(), &LiveCheck::answered, this, &Tour::goOn);
  connect(&window.drag(), &DragController::ended, this, &Tour::goOn);
  connect(&window.view(), &SceneView::cameraChanged, this, &Tour::goOn);
  connect(&window.table(), &InterferenceTable::chosen, this, &Tour::goOn);
  hide();
}

void Tour::makeSteps() {
  Document& document = window_.document();
  const auto state = [&document]() -> const SessionState& { return document.session()->state(); };
  steps_ = {
      {tr("Turn the view"), tr("Drag with the middle mouse button. The wheel zooms to the cursor."),
       tr("2 to 7 look from the sides, 1 from a corner."),
       [this] { return dot(window_.view().camera().forward(), sightBefore_) < 0.94; }},
      {tr("Select a part"),
       tr("Click the spool, the pipe with the valve and its handwheel, in the view or in the tree."),
       tr("Alt+1, pressed twice, goes to the tree; the arrow keys choose there."),
       [&document] { return !document.selection().empty(); }},
      {tr("Move it until it hits something"),
       tr("Drag an arrow or a ring on the part, or the part itself, until faces turn red."),
       tr("In the view, the arrow keys shift it, and with Shift they turn it."),
       [this, &document, state] {
         return !window_.drag().isActive() && !state().motions.empty() && isHit(document);
       }},
      {tr("Look at what it hits"), tr("Choose a row of the table below. The view shows the two parts alone."),
       tr("N goes to the next finding."), [this] { return window_.table().current().has_value(); }},
      {tr("Cut the model open"), tr("Choose View > Section on or off, and drag the arrow of the plane."),
       tr("C switches the section."),
       [state] {
         return std::any_of(state().sections.begin(), state().sections.end(),
                            [](const SectionPlane& plane) { return plane.enabled; });
       }},
      {tr("Undo"), tr("Choose Edit > Undo until the part is back in its place. Everything can be undone."),
       tr("Ctrl+Z undoes, Ctrl+Y does it again."),
       [&document, state] { return document.session()->history().canRedo() && state().motions.empty(); }}};
}

void Tour::makePanel() {
  setObjectName(QStringLiteral("tour"));
  setAccessibleName(tr("Tour"));
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  for (QLabel* label : {title_, text_, keys_}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
  }
  for (const auto& [button, id] : {std::pair{back_, "tour back"}, {skip_, "tour skip"}, {end_, "tour end"}}) {
    button->setObjectName(QString::fromLatin1(id));
    button->setAutoDefault(false);
  }
  connect(back_, &QPushButton::clicked, this, &Tour::back);
  connect(skip_, &QPushButton::clicked, this, &Tour::skip);
  connect(end_, &QPushButton::clicked, this, &Tour::end);
  auto* buttons = new QHBoxLayout;
  for (QPushButton* button : {back_, skip_, end_}) buttons->addWidget(button);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(12, 8, 12, 8);
  all->setSpacing(4);
  for (QLabel* label : {title_, text_, keys_}) all->addWidget(label);
  all->addLayout(buttons);
  setFixedWidth(panelWidth);
  parentWidget()->installEventFilter(this);
}

void Tour::place() { move(8, parentWidget()->height() - height() - 8); }

bool Tour::eventFilter(QObject* object, QEvent* event) {
  if (object == parentWidget() && event->type() == QEvent::Resize) place();
  return OverlayFrame::eventFilter(object, event);
}

void Tour::start() {
  openSample(window_, sample, true);
  isWaiting_ = window_.document().hasJob();
}

void Tour::opened() {
  const bool isSample =
      window_.document().session()->modelFiles().front() == std::filesystem::absolute(sampleFile(sample));
  if (!isWaiting_ || !isSample) return end();
  isWaiting_ = false;
  // The spool overlaps its flanges by 0.25 mm as designed, which is nothing to look at yet.
  Session& session = *window_.document().session();
  session.edit("Tolerance", [](SessionState& state) { state.tolerance = flangeTolerance; });
  session.setSaved();
  CheckSettings settings = window_.document().check().settings();
  settings.verdicts = true;
  window_.document().check().setSettings(settings);
  QFrame::show();
  raise();
  show(0);
  window_.view().setFocus();
}

void Tour::end() {
  if (isHidden()) return;
  const bool hadFocus = isAncestorOf(window_.focusWidget());
  hide();
  if (hadFocus) window_.view().setFocus();
}

void Tour::skip() {
  if (step_ < steps_.size()) show(step_ + 1);
}

void Tour::back() {
  if (step_ > 0) show(step_ - 1);
}

void Tour::show(std::size_t step) {
  step_ = step;
  sightBefore_ = window_.view().camera().forward();
  const bool isOver = step == steps_.size();
  title_->setText(isOver ? tr("That was the tour")
                         : tr("%1 of %2: %3").arg(step + 1).arg(steps_.size()).arg(steps_[step].title));
  text_->setText(isOver ? tr("Open a model of your own with Ctrl+O, or drop it on the window.")
                        : steps_[step].mouse);
  keys_->setText(isOver ? tr("Ctrl+Shift+P finds every command, and Shift+F1 lists all keys.")
                        : tr("By keys: %1").arg(steps_[step].keys));
  back_->setEnabled(step > 0);
  skip_->setText(tr("Skip"));
  skip_->setEnabled(!isOver);
  skip_->setToolTip(tr("Goes to the next step (F8)"));
  back_->setToolTip(tr("Goes to the step before (Shift+F8)"));
  end_->setToolTip(tr("Closes the tour (Ctrl+F8)"));
  adjustSize();
  place();
}

void Tour::goOn() {
  if (isHidden() || step_ >= steps_.size() || window_.document().session() == nullptr) return;
  if (!steps_[step_].isDone()) return;
  show(step_ + 1);
  // The keys of most steps are those of the view.
  if (!isAncestorOf(window_.focusWidget())) window_.view().setFocus();
}

}  // namespace fitup::viewer
