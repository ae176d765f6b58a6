#pragma once

#include <vector>

#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QWidget>

#include <viewer/core/cap_styles.h>
#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The assembly's tree: names, colours, a check box for visibility, a search field. Its selection is that of
/// the document. Parts outside the check's scope are grey.
class InstanceTree : public QWidget {
  Q_OBJECT

 public:
  explicit InstanceTree(Document& document, QWidget* parent = nullptr);
  /// The scope of the check, as it is shown.
  [[nodiscard]] QString scopeText() const { return scope_->text(); }
  [[nodiscard]] QTreeWidget& tree() noexcept { return *tree_; }
  /// Expands or collapses everything below the selected lines and these themselves; without any, all lines.
  void expandBelow(bool expand);
  /// Makes the line of a node visible and the current one.
  void reveal(NodeId node);
  /// The line of a node. Precondition: it is one of the open model.
  [[nodiscard]] QTreeWidgetItem& lineOf(NodeId node) { return *items_.at(index(node)); }

 private:
  void build();
  void follow();
  void showLooks();
  void filter(const QString& text);
  void selected();
  void checked(QTreeWidgetItem* item);

  Document& document_;
  QLineEdit* search_;
  QLabel* scope_;
  QTreeWidget* tree_;
  std::vector<QTreeWidgetItem*> items_;  ///< by NodeId
  PartLooks looks_;                      ///< as their swatches show them
  bool following_ = false;
};

}  // namespace fitup::viewer
