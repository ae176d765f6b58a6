#include <viewer/gui/menu_entries.h>

#include <map>

#include <viewer/gui/commands.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

using CommandsOfActions = std::map<const QAction*, const Command*>;

void collect(const QWidget& menu, const QString& name, const CommandsOfActions& ofActions,
             std::vector<PlacedCommand>& found) {
  for (const QAction* action : menu.actions()) {
    const QString text = withoutMnemonic(action->text());
    if (action->menu() != nullptr)
      collect(*action->menu(), name.isEmpty() ? text : tr("%1 > %2").arg(name, text), ofActions, found);
    else if (const auto entry = ofActions.find(action); entry != ofActions.end())
      found.push_back({entry->second, name, text});
  }
}

}  // namespace

std::vector<PlacedCommand> commandsInMenus(const QMenuBar& bar, const Commands& commands) {
  CommandsOfActions ofActions;
  for (const auto& command : commands.all())
    if (!command->entry.text.isEmpty()) ofActions[&commands.action(command->id)] = command.get();
  std::vector<PlacedCommand> found;
  collect(bar, {}, ofActions, found);
  return found;
}

QString withoutMnemonic(const QString& text) {
  QString plain;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('&') && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

QString keysText(const QString& keys) {
  QStringList each;
  for (const QKeySequence& key : QKeySequence::listFromString(keys))
    each.append(key.toString(QKeySequence::NativeText));
  return each.join(tr(" or "));
}

}  // namespace fitup::viewer
