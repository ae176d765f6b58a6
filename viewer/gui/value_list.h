#pragma once

#include <vector>

#include <QTreeWidget>

namespace fitup::viewer {

/// Names and values in groups. Lines can be copied by Ctrl+C or the context menu: one line copies its value,
/// several copy "name<tab>value" each.
class ValueList : public QTreeWidget {
  Q_OBJECT

 public:
  struct Line {
    QString group, name, value;
    QColor colour{};  ///< if valid, a square of it precedes the value
  };

  explicit ValueList(QWidget* parent = nullptr);
  /// Lines of a group must be consecutive. The selection stays if the lines have the same names as before.
  void show(const std::vector<Line>& lines);
  /// The ordinals of the groups that are chosen or have a chosen line, ascending.
  [[nodiscard]] std::vector<int> chosenGroups() const;
  /// Returns "name<tab>value" for each line, below the name of its group.
  static QString text(const std::vector<Line>& lines);

 signals:
  /// Emitted before the context menu is shown, so that entries can be added.
  void menuAboutToShow(QMenu& menu);

 private:
  void copyChosen() const;
  void showMenu(const QPoint& point);

  std::vector<Line> lines_;
};

}  // namespace fitup::viewer
