#include <viewer/gui/measure_panel.h>

#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <viewer/gui/measure_text.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {

QString measureHint(const Document& document, const MeasureTool& tool) {
  if (!tool.isActive() || document.session() == nullptr) return {};
  if (!tool.pending())
    return MeasurePanel::tr(
        "Measure: click a face, an edge, a corner or the centre of a circle (Ctrl: its part, Shift: a "
        "point). "
        "Esc ends it.");
  return MeasurePanel::tr("From %1: click the second one. Esc: choose another first one.")
      .arg(targetText(*document.session(), *tool.pending(), document.lengthUnit()));
}

MeasurePanel::MeasurePanel(Document& document, MeasureTool& tool, QWidget* parent)
    : QWidget(parent),
      document_(document),
      tool_(tool),
      hint_(new QLabel),
      measure_(new QPushButton(tr("Measure"))),
      take_(new QPushButton(tr("Take selected"))),
      remove_(new QPushButton(tr("Remove"))),
      list_(new ValueList) {
  hint_->setWordWrap(true);
  hint_->setTextFormat(Qt::PlainText);
  measure_->setCheckable(true);
  measure_->setToolTip(tr("Clicks in the view measure: R"));
  take_->setToolTip(
      tr("Measures between two selected parts, or takes the selected part or its chosen face: Shift+R"));
  remove_->setToolTip(tr("Removes the chosen measurements, or all if none is chosen"));
  list_->setAccessibleName(tr("Measurements"));
  list_->setToolTip(tr("Ctrl+C copies the chosen lines, Del removes their measurements"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(measure_);
  buttons->addWidget(take_);
  buttons->addWidget(remove_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 4);
  layout->addLayout(buttons);
  layout->addWidget(hint_);
  layout->addWidget(list_, 1);
  connect(measure_, &QPushButton::toggled, &tool_, &MeasureTool::setActive);
  connect(take_, &QPushButton::clicked, &tool_, &MeasureTool::takeSelected);
  connect(remove_, &QPushButton::clicked, this, &MeasurePanel::removeChosen);
  auto* removeKey = new QAction(this);
  removeKey->setShortcut(QKeySequence::Delete);
  removeKey->setShortcutContext(Qt::WidgetShortcut);
  list_->addAction(removeKey);
  connect(removeKey, &QAction::triggered, this, &MeasurePanel::removeChosen);
  connect(list_, &ValueList::menuAboutToShow, this,
          [this](QMenu& menu) { menu.addAction(tr("Remove"), this, &MeasurePanel::removeChosen); });
  connect(&tool_, &MeasureTool::changed, this, &MeasurePanel::follow);
  connect(&tool_, &MeasureTool::activeChanged, this, &MeasurePanel::follow);
  connect(&document_, &Document::selectionChanged, this, &MeasurePanel::follow);
  connect(&document_, &Document::opened, this, &MeasurePanel::follow);
  connect(&document_, &Document::lengthUnitChanged, this, &MeasurePanel::follow);
  follow();
}

std::vector<ValueList::Line> MeasurePanel::lines(const LengthUnit& unit) const {
  std::vector<ValueList::Line> lines;
  const Session& session = *document_.session();
  int number = 0;
  for (const MeasureTool::Entry& entry : tool_.entries()) {
    const QString group = tr("%1: %2 - %3")
                              .arg(QString::number(++number), targetText(session, entry.first, unit),
                                   targetText(session, entry.second, unit));
    if (!entry.value) {
      lines.push_back({group, tr("Minimum distance"), tr("...")});
      continue;
    }
    for (auto& line : linesOf(group, entry.first, entry.second, *entry.value, unit)) lines.push_back(line);
  }
  if (!tool_.pending()) return lines;
  const QString group = tr("From %1").arg(targetText(session, *tool_.pending(), unit));
  if (tool_.pendingValue())
    for (auto& line : linesOf(group, {}, *tool_.pending(), tool_.pendingValue()->firstShape,
                              tool_.pendingValue()->firstAccuracy, unit))
      lines.push_back(line);
  lines.push_back({group, tr("To"), tr("...")});
  return lines;
}

QString MeasurePanel::text() const {
  return document_.session() != nullptr ? ValueList::text(lines(modelUnitOf(*document_.session())))
                                        : QString();
}

void MeasurePanel::follow() {
  const QString hint = measureHint(document_, tool_);
  hint_->setText(!hint.isEmpty()           ? hint
                 : tool_.entries().empty() ? tr("R, then two clicks, measures between two faces.")
                                           : QString());
  hint_->setVisible(!hint_->text().isEmpty());
  const QSignalBlocker blocker(measure_);
  measure_->setChecked(tool_.isActive());
  measure_->setEnabled(document_.session() != nullptr);
  take_->setEnabled(document_.selection().size() == 1 || document_.selection().size() == 2);
  remove_->setEnabled(!tool_.entries().empty());
  list_->show(document_.session() != nullptr ? lines(document_.lengthUnit())
                                             : std::vector<ValueList::Line>());
}

void MeasurePanel::removeChosen() {
  std::vector<int> chosen = list_->chosenGroups();
  if (chosen.empty()) return tool_.removeAll();
  for (auto entry = chosen.rbegin(); entry != chosen.rend(); ++entry)
    if (static_cast<std::size_t>(*entry) < tool_.entries().size())
      tool_.remove(static_cast<std::size_t>(*entry));
}

}  // namespace fitup::viewer
