#pragma once

#include <vector>

#include <QLabel>
#include <QLineEdit>
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

  /// Only the selected parts stay visible.
  void isolate();
  void showAll();
  /// Selected parts become ghosts, or no longer are.
  void toggleGhosts();
  void toggleHidden();

 private:
  void build();
  void follow();
  void filter(const QString& text);
  void selected();
  void checked(QTreeWidgetItem* item);
  void menu(const QPoint& point);

  Document& document_;
  QLineEdit* search_;
  QLabel* scope_;
  QTreeWidget* tree_;
  std::vector<QTreeWidgetItem*> items_;  ///< by NodeId
  bool following_ = false;
};

}  // namespace fitup::viewer
