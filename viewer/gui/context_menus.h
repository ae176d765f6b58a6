#pragma once

#include <map>
#include <set>

#include <QLabel>
#include <QMenu>

#include <viewer/gui/main_window.h>

namespace fitup::viewer {

/// The context menus of the view, the tree of parts and the table of findings. A right click opens them, and
/// so do the menu key and Shift+F10, in the panel that has the focus. All entries are commands, which act on
/// what is selected.
class ContextMenus : public QObject {
  Q_OBJECT

 public:
  /// Adds the command that opens the menu of the focused panel. Both must outlive the menus.
  ContextMenus(MainWindow& window, Commands& commands);

  /// The menu of selected parts in the view.
  [[nodiscard]] QMenu& ofParts() noexcept { return *parts_.menu; }
  /// That of selected lines in the tree.
  [[nodiscard]] QMenu& ofLines() noexcept { return *lines_.menu; }
  /// The menu beside all parts, in the view or in the tree.
  [[nodiscard]] QMenu& ofBackground() noexcept { return *background_; }
  /// That of the chosen rows of the table.
  [[nodiscard]] QMenu& ofFindings() noexcept { return *findings_.menu; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  enum class Place { view, tree };
  /// A menu with a heading, and its entries whose texts follow what is selected.
  struct Headed {
    QMenu* menu = nullptr;
    QLabel* heading = nullptr;
    std::map<std::string, QAction*> entries{};  ///< by the id of the command
  };
  Headed begin();
  Headed makeOfParts(Place place);
  QMenu* makeOfBackground();
  Headed makeOfFindings();
  void addStatuses(QMenu& menu);
  QAction& addAs(Headed& to, const char* id, const QString& text);
  void tellParts(Headed& menu);
  void tellFindings();
  [[nodiscard]] QString headingOf(const std::set<NodeId>& instances) const;
  /// Opens the menu of a panel at a point of the screen, or, by key, at what is selected.
  void openForTree(std::optional<QPoint> at);
  void openForTable(std::optional<QPoint> at);
  void openForView();
  void openForFocus();

  MainWindow& window_;
  Commands& commands_;
  Headed parts_, lines_, findings_;
  QMenu* background_;
};

}  // namespace fitup::viewer
