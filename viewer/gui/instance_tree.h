#pragma once

#include <vector>

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>
#include <QWidget>

#include <viewer/gui/document.h>

namespace fitup::viewer {

/// The assembly's tree: names, colours, a check box for what is shown, a field to search in. Its selection is
/// the document's. Parts that the check is not about are grey.
class InstanceTree : public QWidget {
  Q_OBJECT

 public:
  explicit InstanceTree(Document& document, QWidget* parent = nullptr);
  /// What the check is narrowed to, as it is shown.
  [[nodiscard]] QString scopeText() const { return scope_->text(); }
  [[nodiscard]] QTreeWidget& tree() noexcept { return *tree_; }
  /// Shown where the tree is clicked on by the right button, once a model is open.
  [[nodiscard]] QMenu& menu() noexcept { return *menu_; }

 private:
  void build();
  void follow();
  void filter(const QString& text);
  void selected();
  void checked(QTreeWidgetItem* item);

  Document& document_;
  QLineEdit* search_;
  QLabel* scope_;
  QTreeWidget* tree_;
  QMenu* menu_;
  std::vector<QTreeWidgetItem*> items_;  ///< by NodeId
  bool following_ = false;
};

}  // namespace fitup::viewer
