#pragma once

#include <QDialog>
#include <QLineEdit>
#include <QTreeWidget>

namespace fitup::viewer {

class MainWindow;

/// All keys by their menus, and the mouse in the navigation preset that is active. A field searches them. It
/// does not block the window, and follows it.
class KeysDialog : public QDialog {
  Q_OBJECT

 public:
  explicit KeysDialog(MainWindow& window);
  [[nodiscard]] QTreeWidget& list() noexcept { return *list_; }

 private:
  void fill();
  void search();

  MainWindow& window_;
  QLineEdit* field_;
  QTreeWidget* list_;
};

}  // namespace fitup::viewer
