#pragma once

#include <vector>

#include <QTreeWidget>

namespace fitup::viewer {

/// Names and values in groups, of which lines can be copied: Ctrl+C, or by the context menu. One line copies
/// its value, several copy "name<tab>value" each.
class ValueList : public QTreeWidget {
  Q_OBJECT

 public:
  struct Line {
    QString group, name, value;
    QColor colour{};  ///< a square of it before the value, if it is one
  };

  explicit ValueList(QWidget* parent = nullptr);
  /// Lines of a group follow each other. What is chosen stays so as long as the lines have the same names.
  void show(const std::vector<Line>& lines);
  /// Ordinals of the groups that are chosen or have a chosen line, ascending.
  [[nodiscard]] std::vector<int> chosenGroups() const;
  /// "name<tab>value" each, below the name of its group.
  static QString text(const std::vector<Line>& lines);

 signals:
  /// Before the context menu is shown, so that it can be added to.
  void menuAboutToShow(QMenu& menu);

 private:
  void copyChosen() const;
  void showMenu(const QPoint& point);

  std::vector<Line> lines_;
};

}  // namespace fitup::viewer
