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

/// All that users can do, and the entries of menus and bars for it. What is listed in menus by names of the
/// user (recent files, named views) is none. GUI thread.
class Commands : public QObject {
  Q_OBJECT

 public:
  /// Of a window whose panels are made. Those that open and save files are added by `add`.
  explicit Commands(MainWindow& window);

  /// The command may be completed, then shown by `refresh`. Precondition: the id is new.
  Command& add(std::string id, MenuEntry entry, Command::Needs needs, std::vector<Parameter> parameters,
               Command::Execute execute);
  /// One undoable change of the session.
  Command& addEdit(std::string id, MenuEntry entry, Command::Needs needs, std::vector<Parameter> parameters,
                   std::string undoLabel, Command::Change change);
  /// Shows how things stand; by itself after what the window's parts tell.
  void refresh();
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const noexcept { return all_; }
  /// The entry of menus and bars. Precondition: there is such a command, with a text.
  [[nodiscard]] QAction& action(const std::string& id) const { return *actions_.at(id); }
  /// Of menus and bars; an empty id stands for a separator.
  void addTo(QWidget& bar, std::initializer_list<const char*> ids) const;

  /// False if menus grey it.
  [[nodiscard]] bool isEnabled(const Command& command) const;
  /// What its entry, its keys and its button do. The window shows errors.
  void trigger(const Command& command);
  /// What a line of a script does, which must have words. Throws Error. Returns whether it is done, to be
  /// asked while nothing else is under way; null if it is.
  std::function<bool()> run(const Words& line);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void addParts(MainWindow& window);
  void addView(MainWindow& window);
  void addPanels(MainWindow& window);
  void addCheck(MainWindow& window);
  void addMeasure(MainWindow& window);
  void addMotion(MainWindow& window);
  void addForScripts(MainWindow& window);
  Command& addChoice(std::string id, MenuEntry entry, Command::Execute execute,
                     std::function<bool()> checked);
  /// Why it can do nothing; empty if it can.
  [[nodiscard]] std::string obstacle(const Command& command) const;

  MainWindow& window_;
  Document& document_;
  std::vector<std::unique_ptr<Command>> all_;
  std::map<std::string, QAction*> actions_;
  std::map<std::string, QActionGroup*> groups_;  ///< by the first word of the ids
};

/// The instance of a path, and its face of a number where there is one. Throws InputError.
MeasureTarget targetOf(const Assembly& assembly, const Words& pathAndFace);

}  // namespace fitup::viewer
