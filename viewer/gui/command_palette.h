#pragma once

#include <functional>
#include <vector>

#include <QLineEdit>
#include <QListWidget>
#include <QPointer>

#include <viewer/gui/overlay_frame.h>

namespace fitup::viewer {

class MainWindow;

/// A list over the top of the window that finds commands, recent files, named views and samples by some of
/// their letters. Return executes, Esc closes, the arrow keys choose. What was executed last comes first.
class CommandPalette : public OverlayFrame {
  Q_OBJECT

 public:
  explicit CommandPalette(MainWindow& window);
  /// Shows all entries, or those that match a text.
  void open(const QString& text = {});
  /// Returns the focus to where it was.
  void close();
  [[nodiscard]] QLineEdit& field() noexcept { return *field_; }
  [[nodiscard]] QListWidget& list() noexcept { return *list_; }

  /// An entry of the list.
  struct Entry {
    QString key;                ///< identifies the entry among those that were used; empty: not kept
    QString text, place, keys;  ///< the place is its menu, or the kind of the entry
    QString why;                ///< why it cannot be executed now; empty if it can
    std::function<void()> execute;
  };

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void collect();
  void fill();
  void place();
  void choose(int by);
  void execute();
  void used(const QString& key);

  MainWindow& window_;
  QLineEdit* field_;
  QListWidget* list_;
  std::vector<Entry> entries_;
  QStringList used_;  ///< keys, latest first
  QPointer<QWidget> focusBefore_;
};

}  // namespace fitup::viewer
