#pragma once

#include <vector>

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
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
  /// The context menu of the tree, which appears if a model is open.
  [[nodiscard]] QMenu& menu() noexcept { return *menu_; }

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
  QMenu* menu_;
  std::vector<QTreeWidgetItem*> items_;  ///< by NodeId
  PartLooks looks_;                      ///< as their swatches show them
  bool following_ = false;
};

}  // namespace fitup::viewer
