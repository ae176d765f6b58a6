#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <QAction>
#include <QMenu>

#include <viewer/gui/command.h>
#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// All commands of the user, with their entries in menus and bars. Menu entries that are named by the user's
/// data (recent files, named views) are not commands. Use it in the GUI thread.
class Commands : public QObject {
  Q_OBJECT

 public:
  /// Adds the commands of a window whose panels exist. Call `add` for those that open and save files.
  explicit Commands(MainWindow& window);

  /// Adds a command. The caller may complete it, and then calls `refresh` to show it. Precondition: the id is
  /// new.
  Command& add(std::string id, MenuEntry entry, Command::Needs needs, std::vector<Parameter> parameters,
               Command::Execute execute);
  /// Adds a command that makes one undoable change of the session.
  Command& addEdit(std::string id, MenuEntry entry, Command::Needs needs, std::vector<Parameter> parameters,
                   std::string undoLabel, Command::Change change);
  /// Updates the entries. Signals of the window's parts also trigger it.
  void refresh();
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const noexcept { return all_; }
  /// Returns the entry in menus and bars. Precondition: there is such a command, with a text.
  [[nodiscard]] QAction& action(const std::string& id) const { return *actions_.at(id); }
  /// Adds entries to a menu or bar; an empty id stands for a separator.
  void addTo(QWidget& bar, std::initializer_list<const char*> ids) const;
  /// Adds an entry with a text of its own to a menu, which shows the command's keys. Returns the entry.
  QAction& addAs(QMenu& menu, const std::string& id, const QString& text) const;

  /// Returns why the command cannot be executed now, as users read it; empty if it can.
  [[nodiscard]] QString whyNot(const Command& command) const;
  /// Returns false if menus disable the command.
  [[nodiscard]] bool isEnabled(const Command& command) const;
  /// Does what the command's entry, keys and button do. The window shows errors.
  void trigger(const Command& command);
  /// Executes a line of a script, which must not be empty. Throws Error. Returns a function that says whether
  /// the command is complete, to be called while nothing else runs; null if it is.
  std::function<bool()> run(const Words& line);

 signals:
  /// The entries were updated: something may have changed that a command sets.
  void refreshed();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void addParts(MainWindow& window);
  void addSelection(MainWindow& window);
  void addFindings(MainWindow& window);
  void addLooks(MainWindow& window);
  void addView(MainWindow& window);
  void addSections(MainWindow& window);
  void addPanels(MainWindow& window);
  void addCheck(MainWindow& window);
  void addRules(MainWindow& window);
  void addMeasure(MainWindow& window);
  void addMotion(MainWindow& window);
  void addWayOut(MainWindow& window);
  void addGuides(MainWindow& window);
  void addSweep(MainWindow& window);
  void addExploded(MainWindow& window);
  void addGizmo(MainWindow& window);
  void addMates(MainWindow& window);
  void addForScripts(MainWindow& window);
  void addPreferences(MainWindow& window);
  void addHelp(MainWindow& window);
  void addTour(MainWindow& window);
  Command& addChoice(std::string id, MenuEntry entry, Command::Execute execute,
                     std::function<bool()> checked);
  /// Why the command cannot be executed; empty if it can.
  [[nodiscard]] std::string obstacle(const Command& command) const;

  MainWindow& window_;
  Document& document_;
  std::vector<std::unique_ptr<Command>> all_;
  std::map<std::string, QAction*> actions_;
  std::map<std::string, QActionGroup*> groups_;  ///< by the first word of the ids
};

/// Returns the instance with a path, or its face with a number if one is given. Throws InputError.
MeasureTarget targetOf(const Assembly& assembly, const Words& pathAndFace);

/// Puts the paths of instances on the clipboard, one on each line.
void copyPaths(const Assembly& assembly, const std::set<NodeId>& instances);

/// Brings the dock of a panel to the front.
void raisePanel(QWidget& panel);

/// Shows the window's dialog of this kind, which is made when there is none.
template <typename Dialog>
void showDialog(MainWindow& window) {
  auto* dialog = window.findChild<Dialog*>();
  if (dialog == nullptr) dialog = new Dialog(window);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace fitup::viewer
