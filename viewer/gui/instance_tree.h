#pragma once

#include <vector>

#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWidget>

#include <viewer/gui/instance_line.h>

namespace fitup::viewer {

/// The assembly's tree: names, counts, colours, signs of states, a check box for visibility, a search field.
/// Its selection is that of the document. Hidden parts and those outside the check's scope are grey.
class InstanceTree : public QWidget {
  Q_OBJECT

 public:
  explicit InstanceTree(Document& document, QWidget* parent = nullptr);
  /// The scope of the check, as it is shown.
  [[nodiscard]] QString scopeText() const { return scope_->text(); }
  [[nodiscard]] QTreeWidget& tree() noexcept { return *tree_; }
  /// Shows the lines whose names contain this text, and those above them; empty: all lines.
  void search(const QString& text) { search_->setText(text); }
  /// How many lines match the search; empty without one.
  [[nodiscard]] QString matchText() const { return matches_->text(); }
  /// Expands or collapses everything below the selected lines and these themselves; without any, all lines.
  void expandBelow(bool expand);
  /// Makes the line of a node visible and the current one.
  void reveal(NodeId node);
  /// The line of a node. Precondition: it is one of the open model.
  [[nodiscard]] QTreeWidgetItem& lineOf(NodeId node) { return *items_.at(index(node)); }

 signals:
  /// A double click on a line, which is then selected.
  void zoomRequested();

 private:
  void build();
  void follow();
  void select(QModelIndexList& lines, QItemSelectionModel::SelectionFlag how);
  void filter(const QString& text);
  void selected();
  void show(NodeId below, bool shows);

  Document& document_;
  QLineEdit* search_;
  QLabel *matches_, *scope_;
  QTreeWidget* tree_;
  InstanceLine::Context lines_;
  std::vector<InstanceLine*> items_;  ///< by NodeId
  bool following_ = false;
};

}  // namespace fitup::viewer
