#include <viewer/gui/commands.h>

#include <cassert>

#include <QAbstractButton>
#include <QActionGroup>
#include <QApplication>
#include <QKeyEvent>
#include <QTableView>
#include <QTreeWidget>

#include <fitup/base/error.h>
#include <viewer/gui/icons.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/status_line.h>

namespace fitup::viewer {

namespace {

/// Returns a reason, as scripts print it, as a sentence.
QString sentence(const QString& reason) {
  return reason.left(1).toUpper() + reason.mid(1) + QLatin1Char('.');
}

}  // namespace

Commands::Commands(MainWindow& window) : window_(window), document_(window.document()) {
  addParts(window);
  addSelection(window);
  addLooks(window);
  addView(window);
  addSections(window);
  addPanels(window);
  addCheck(window);
  addFindings(window);
  addRules(window);
  addMeasure(window);
  addMotion(window);
  addWayOut(window);
  addSweep(window);
  addExploded(window);
  addGizmo(window);
  addMates(window);
  addForScripts(window);
  addPreferences(window);
  addHelp(window);
  connect(&document_, &Document::opened, this, &Commands::refresh);
  connect(&document_, &Document::stateChanged, this, &Commands::refresh);
  connect(&document_, &Document::lengthUnitChanged, this, &Commands::refresh);
  connect(&document_.check(), &LiveCheck::settingsChanged, this, &Commands::refresh);
  connect(&window.drag(), &DragController::modeChanged, this, &Commands::refresh);
  connect(&window.measure(), &MeasureTool::activeChanged, this, &Commands::refresh);
  connect(&window.mate(), &MateTool::activeChanged, this, &Commands::refresh);
  connect(&window.view(), &SceneView::settingsChanged, this, &Commands::refresh);
  qApp->installEventFilter(this);
}

bool Commands::eventFilter(QObject* object, QEvent* event) {
  // A focused check box or button takes the space key before the motion does, and a table selects its rows.
  if (event->type() == QEvent::ShortcutOverride) {
    auto* key = static_cast<QKeyEvent*>(event);
    const bool presses = key->key() == Qt::Key_Space && key->modifiers() == Qt::NoModifier &&
                         qobject_cast<QAbstractButton*>(object) != nullptr;
    // The tree of parts selects as the view does.
    const bool isTable =
        qobject_cast<QTableView*>(object) != nullptr ||
        (qobject_cast<QTreeView*>(object) != nullptr && qobject_cast<QTreeWidget*>(object) == nullptr);
    if (presses || (key->matches(QKeySequence::SelectAll) && isTable)) {
      event->accept();
      return true;
    }
  }
  return QObject::eventFilter(object, event);
}

Command& Commands::add(std::string id, MenuEntry entry, Command::Needs needs,
                       std::vector<Parameter> parameters, Command::Execute execute) {
  Command& command = *all_.emplace_back(std::make_unique<Command>());
  command.id = std::move(id);
  command.entry = std::move(entry);
  command.needs = needs;
  command.parameters = std::move(parameters);
  command.execute = std::move(execute);
  if (command.entry.text.isEmpty()) return command;
  auto* action = new QAction(command.entry.text, this);
  [[maybe_unused]] const bool isNew = actions_.emplace(command.id, action).second;
  assert(isNew);
  action->setToolTip(command.entry.tip);
  action->setIcon(commandIcon(command.id));
  action->setShortcuts(QKeySequence::listFromString(command.entry.keys));
  connect(action, &QAction::triggered, this, [this, &command] { trigger(command); });
  return command;
}

Command& Commands::addEdit(std::string id, MenuEntry entry, Command::Needs needs,
                           std::vector<Parameter> parameters, std::string undoLabel, Command::Change change) {
  Command& command =
      add(std::move(id), std::move(entry), needs, std::move(parameters),
          [this, undoLabel, change = std::move(change)](const Words& words) {
            document_.session()->edit(undoLabel, [&](SessionState& state) { change(state, words); });
          });
  command.undoLabel = std::move(undoLabel);
  return command;
}

Command& Commands::addChoice(std::string id, MenuEntry entry, Command::Execute execute,
                             std::function<bool()> checked) {
  Command& command = add(std::move(id), std::move(entry), Command::Needs::nothing, {}, std::move(execute));
  command.checked = std::move(checked);
  QActionGroup*& group = groups_[command.id.substr(0, command.id.find(' '))];
  if (group == nullptr) group = new QActionGroup(this);
  group->addAction(&action(command.id));
  return command;
}

void Commands::addTo(QWidget& bar, std::initializer_list<const char*> ids) const {
  for (const std::string id : ids) {
    if (!id.empty()) {
      bar.addAction(&action(id));
      continue;
    }
    auto* separator = new QAction(&bar);
    separator->setSeparator(true);
    bar.addAction(separator);
  }
}

QAction& Commands::addAs(QMenu& menu, const std::string& id, const QString& text) const {
  QAction& original = action(id);
  QAction& entry = *menu.addAction(text);
  entry.setToolTip(original.toolTip());
  // The window's keys stay those of the command.
  entry.setShortcutContext(Qt::WidgetShortcut);
  entry.setShortcuts(original.shortcuts());
  const auto follow = [&entry, &original] { entry.setEnabled(original.isEnabled()); };
  follow();
  connect(&original, &QAction::changed, &entry, follow);
  connect(&entry, &QAction::triggered, &original, &QAction::trigger);
  return entry;
}

bool Commands::isEnabled(const Command& command) const {
  return (command.needs == Command::Needs::nothing || document_.session() != nullptr) &&
         (!command.available || command.available());
}

std::string Commands::obstacle(const Command& command) const {
  using Needs = Command::Needs;
  if (command.needs != Needs::nothing && document_.session() == nullptr)
    return QT_TRANSLATE_NOOP("fitup::viewer", "no model is open");
  if (command.needs == Needs::selection && document_.selection().empty())
    return QT_TRANSLATE_NOOP("fitup::viewer", "nothing is selected");
  if (command.needs == Needs::motion && !document_.motion().track())
    return QT_TRANSLATE_NOOP("fitup::viewer", "there is no motion");
  return command.refusal ? command.refusal() : std::string();
}

QString Commands::whyNot(const Command& command) const {
  if (const std::string why = obstacle(command); !why.empty()) return viewer::tr(why.c_str());
  return isEnabled(command) ? QString() : tr("there is nothing to do");
}

void Commands::trigger(const Command& command) {
  if (!isEnabled(command)) return;
  try {
    const bool isSwitch = command.checked && !command.parameters.empty();
    if (const std::string why = obstacle(command); !why.empty())
      window_.statusLine().tellBriefly(sentence(viewer::tr(why.c_str())));
    else if (command.ask)
      command.ask();
    else
      command.execute(isSwitch ? Words{command.checked() ? "off" : "on"} : Words{});
  } catch (const Error& error) {
    window_.tell(shown(error.what()));
  }
  refresh();
}

std::function<bool()> Commands::run(const Words& line) {
  const Command* found = nullptr;
  std::string choices;
  for (const auto& each : all_) {
    if (!each->execute) continue;
    if (line.size() > 1 && each->id == line[0] + ' ' + line[1]) {
      found = each.get();
      break;
    }
    if (each->id == line[0]) found = each.get();
    if (each->id.starts_with(line[0] + ' '))
      choices += (choices.empty() ? "" : ", ") + each->id.substr(line[0].size() + 1);
  }
  if (found == nullptr) {
    if (choices.empty()) throw InputError("there is no command '" + line[0] + "'");
    if (line.size() < 2) throw InputError("'" + line[0] + "' has 0 arguments");
    throw InputError("'" + line[1] + "' is not one of " + choices);
  }
  const Words arguments(line.begin() + (found->id == line[0] ? 1 : 2), line.end());
  found->expect(arguments);
  if (const std::string text = obstacle(*found); !text.empty()) throw InputError(text);
  found->execute(arguments);
  refresh();
  if (!found->isDone) return {};
  return [found, arguments] { return found->isDone(arguments); };
}

void Commands::refresh() {
  for (const auto& command : all_) {
    if (command->entry.text.isEmpty()) continue;
    QAction& entry = action(command->id);
    entry.setEnabled(isEnabled(*command));
    entry.setCheckable(static_cast<bool>(command->checked));
    if (command->checked) entry.setChecked(command->checked());
    if (command->currentText) entry.setText(command->currentText());
  }
  emit refreshed();
}

}  // namespace fitup::viewer
