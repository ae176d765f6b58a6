#include <viewer/gui/way_out_panel.h>

#include <algorithm>

#include <QFormLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/way_out_text.h>

namespace fitup::viewer {
namespace {

QLabel* makeText() {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

QListWidget* makeList(const QString& name) {
  auto* list = new QListWidget;
  list->setAccessibleName(name);
  list->setWordWrap(true);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return list;
}

/// A row of buttons that is shown and hidden as one.
QWidget* makeRow(QHBoxLayout*& layout) {
  auto* row = new QWidget;
  layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addStretch();
  return row;
}

}  // namespace

WayOutPanel::WayOutPanel(Document& document, WayOut& wayOut, QWidget* parent)
    : QWidget(parent),
      document_(document),
      wayOut_(wayOut),
      heading_(new ElidedLabel),
      state_(makeText()),
      worth_(makeText()),
      cluesTitle_(new QLabel(tr("In the way"))),
      guidesTitle_(new QLabel(tr("Guide points"))),
      guideHint_(makeText()),
      progress_(new QProgressBar),
      clues_(makeList(tr("What is in the way"))),
      guides_(makeList(tr("Guide points"))),
      way_(makeRow(wayRow_)),
      guiding_(makeRow(guideRow_)),
      searching_(makeRow(searchRow_)),
      stopping_(makeRow(stopRow_)),
      seconds_(new NumberField),
      clearance_(new NumberField),
      withoutHidden_(new QCheckBox(tr("Hidden parts are not in the way"))) {
  QFont bold = heading_->font();
  bold.setBold(true);
  for (QLabel* title : {static_cast<QLabel*>(heading_), cluesTitle_, guidesTitle_}) title->setFont(bold);
  progress_->setTextVisible(false);
  progress_->setMaximumHeight(6);
  progress_->setToolTip(tr("The time that the search may take"));
  progress_->setAccessibleName(progress_->toolTip());
  clues_->setAlternatingRowColors(true);
  clues_->setSpacing(2);
  clues_->setToolTip(tr("A click lights the parts or faces that are in the way"));
  guides_->setToolTip(tr("The way passes these placements of the parts, in this order"));
  guideHint_->setText(
      tr("Drag the handles of the green copy to move it to where the way shall pass. A click on "
         "another copy chooses that one."));
  seconds_->setRange(WayOut::Settings::leastSeconds, WayOut::Settings::mostSeconds);
  seconds_->setDecimals(1);
  seconds_->setSuffix(QStringLiteral(" s"));
  seconds_->setToolTip(tr("The search ends after this time"));
  clearance_->setToolTip(tr("Parts that do not touch at the start keep more than this distance"));
  withoutHidden_->setToolTip(tr("Ways may pass through parts that are hidden in the view"));
  for (NumberField* field : {seconds_, clearance_}) {
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setKeyboardTracking(false);
    connect(field, &NumberField::valueChanged, this, &WayOutPanel::setSettings);
  }
  connect(withoutHidden_, &QCheckBox::toggled, this, &WayOutPanel::setSettings);
  auto* form = new QFormLayout;
  form->addRow(tr("Time"), seconds_);
  form->addRow(tr("Clearance"), clearance_);
  seconds_->setAccessibleName(tr("Time"));
  clearance_->setAccessibleName(tr("Clearance"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(heading_);
  layout->addWidget(state_);
  layout->addWidget(progress_);
  layout->addWidget(stopping_);
  layout->addWidget(worth_);
  layout->addWidget(way_);
  layout->addWidget(cluesTitle_);
  layout->addWidget(clues_, 3);
  layout->addWidget(guidesTitle_);
  layout->addWidget(guides_, 1);
  layout->addWidget(guideHint_);
  layout->addWidget(guiding_);
  layout->addLayout(form);
  layout->addWidget(withoutHidden_);
  layout->addWidget(searching_);
  layout->addStretch();
  connect(clues_, &QListWidget::itemSelectionChanged, this, &WayOutPanel::chooseClue);
  connect(guides_, &QListWidget::itemSelectionChanged, this, &WayOutPanel::chooseGuide);
  connect(&wayOut_, &WayOut::changed, this, &WayOutPanel::follow);
  connect(&wayOut_, &WayOut::sighted, this, &WayOutPanel::followState);
  connect(&document_, &Document::opened, this, &WayOutPanel::follow);
  connect(&document_, &Document::stateChanged, this, &WayOutPanel::followState);
  connect(&document_, &Document::lengthUnitChanged, this, &WayOutPanel::follow);
  follow();
}

QHBoxLayout& WayOutPanel::rowOf(Row row) {
  switch (row) {
    case Row::stop:
      return *stopRow_;
    case Row::way:
      return *wayRow_;
    case Row::guides:
      return *guideRow_;
    case Row::search:
      break;
  }
  return *searchRow_;
}

void WayOutPanel::addButtons(Row row, std::initializer_list<QAction*> actions) {
  QHBoxLayout& layout = rowOf(row);
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    layout.insertWidget(layout.count() - 1, button);
  }
}

void WayOutPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  wayOut_.setShown(true);
  follow();
}

void WayOutPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  wayOut_.setShown(false);
}

void WayOutPanel::follow() {
  following_ = true;
  followState();
  followClues();
  followGuides();
  followSettings();
  following_ = false;
}

void WayOutPanel::followState() {
  const Session* session = document_.session();
  const bool isOpen = session != nullptr, isSearching = wayOut_.isSearching();
  const std::vector<NodeId>& parts = wayOut_.parts();
  heading_->tell(isOpen && !parts.empty() ? tr("Way out of %1").arg(partsText(*session, parts))
                                          : tr("Way out"));
  const LengthUnit unit = isOpen ? document_.lengthUnit() : LengthUnit();
  QString state = isOpen ? stateText(wayOut_, unit) : QString();
  if (state.isEmpty() && wayOut_.guideCount() == 0)
    state = tr("Select parts. Find a way out then looks for a motion that takes them out.");
  state_->setText(state);
  state_->setVisible(!state.isEmpty());
  // A stale answer is found by resolving rules, which takes time in large models.
  const QString worth = isOpen && isVisible() ? worthText(wayOut_, unit) : QString();
  worth_->setText(worth);
  worth_->setVisible(!worth.isEmpty());
  for (QWidget* widget : {static_cast<QWidget*>(progress_), stopping_}) widget->setVisible(isSearching);
  searching_->setVisible(!isSearching);
  constexpr int steps = 1000;
  progress_->setRange(0, steps);
  progress_->setValue(static_cast<int>(
      steps * std::min(1.0, wayOut_.elapsed() / std::max(1e-3, wayOut_.settings().seconds))));
  way_->setVisible(wayOut_.track() != nullptr);
}

void WayOutPanel::followClues() {
  const auto& answer = wayOut_.answer();
  const std::size_t count = answer && document_.session() != nullptr ? answer->clues.size() : 0;
  QStringList texts;
  for (std::size_t i = 0; i < count; ++i)
    texts << clueText(*document_.session(), answer->clues[i], document_.lengthUnit());
  QStringList shownTexts;
  for (int i = 0; i < clues_->count(); ++i) shownTexts << clues_->item(i)->text();
  if (texts != shownTexts) {  // otherwise the list would lose its place
    clues_->clear();
    clues_->addItems(texts);
    for (int i = 0; i < clues_->count(); ++i)
      clues_->item(i)->setToolTip(tipOf(
          clueTip(*document_.session(), answer->clues[static_cast<std::size_t>(i)], document_.lengthUnit())));
  }
  for (int i = 0; i < clues_->count(); ++i)
    if (&answer->clues[static_cast<std::size_t>(i)] == wayOut_.chosen()) clues_->setCurrentRow(i);
  if (wayOut_.chosen() == nullptr) clues_->clearSelection();
  cluesTitle_->setVisible(count > 0);
  clues_->setVisible(count > 0);
}

void WayOutPanel::followGuides() {
  QStringList texts, shownTexts;
  if (wayOut_.guides() != nullptr)
    for (const RigidMotion& guide : wayOut_.guides()->poses) {
      const QString number = QString::number(texts.size() + 1);
      const QString shift =
          placeText(wayOut_.guideShift(static_cast<std::size_t>(texts.size())), document_.lengthUnit(), 1e-3);
      const QString turn = guide.rotation == Quaternion{} ? QString() : turnText(guide.rotation);
      texts << (guide == RigidMotion{} ? tr("%1: where the parts were; move it").arg(number)
                : turn.isEmpty()       ? tr("%1: moved by %2").arg(number, shift)
                                       : tr("%1: moved by %2, turned %3").arg(number, shift, turn));
    }
  for (int i = 0; i < guides_->count(); ++i) shownTexts << guides_->item(i)->text();
  if (texts != shownTexts) {
    guides_->clear();
    guides_->addItems(texts);
  }
  const auto& chosen = wayOut_.chosenGuide();
  if (chosen)
    guides_->setCurrentRow(static_cast<int>(*chosen));
  else
    guides_->clearSelection();
  guidesTitle_->setVisible(!texts.isEmpty());
  guides_->setVisible(!texts.isEmpty());
  guiding_->setVisible(!wayOut_.isSearching());
  guideHint_->setVisible(chosen && !wayOut_.isSearching());
}

void WayOutPanel::followSettings() {
  const bool isOpen = document_.session() != nullptr;
  const LengthUnit unit = isOpen ? document_.lengthUnit() : LengthUnit();
  const WayOut::Settings& settings = wayOut_.settings();
  seconds_->setValue(settings.seconds);
  constexpr int digits = 4;
  clearance_->setDecimals(digits);
  clearance_->setRange(0, unit.shown(farthestMoved));
  clearance_->setSuffix(unit.name.isEmpty() ? QString() : QLatin1Char(' ') + unit.name);
  clearance_->setValue(unit.shown(settings.clearance));
  withoutHidden_->setChecked(settings.withoutHidden);
  setEnabled(isOpen);
}

void WayOutPanel::setSettings() {
  if (following_ || document_.session() == nullptr) return;
  wayOut_.setSettings({.seconds = seconds_->value(),
                       .clearance = document_.lengthUnit().model(clearance_->value()),
                       .withoutHidden = withoutHidden_->isChecked()});
}

void WayOutPanel::chooseClue() {
  if (following_) return;
  const int row = clues_->selectedItems().isEmpty() ? -1 : clues_->currentRow();
  // The list is filled anew, which must wait until it has dealt with the click.
  QMetaObject::invokeMethod(
      this,
      [this, row] {
        wayOut_.choose(row >= 0 ? std::optional(static_cast<std::size_t>(row)) : std::nullopt);
        if (const WayOutClue* clue = wayOut_.chosen();
            clue != nullptr && clue->kind == WayOutClue::Kind::without)
          document_.select({clue->parts.begin(), clue->parts.end()});
      },
      Qt::QueuedConnection);
}

void WayOutPanel::chooseGuide() {
  if (following_) return;
  const int row = guides_->selectedItems().isEmpty() ? -1 : guides_->currentRow();
  // As in `chooseClue`.
  QMetaObject::invokeMethod(
      this,
      [this, row] {
        wayOut_.chooseGuide(row >= 0 ? std::optional(static_cast<std::size_t>(row)) : std::nullopt);
      },
      Qt::QueuedConnection);
}

QString WayOutPanel::text() const {
  QStringList lines{heading_->text(), state_->text()};
  for (int i = 0; i < clues_->count(); ++i) lines << clues_->item(i)->text();
  return lines.join(QLatin1Char('\n'));
}

}  // namespace fitup::viewer
