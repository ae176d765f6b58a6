#pragma once

#include <functional>

#include <QStyledItemDelegate>
#include <QTreeWidgetItem>

#include <viewer/gui/instance_states.h>

namespace fitup::viewer {

/// A line of the tree of parts. What it shows is computed when it is drawn.
class InstanceLine : public QTreeWidgetItem {
 public:
  /// The columns of the tree.
  enum Column { nameColumn, signsColumn };
  static constexpr int columns = signsColumn + 1;
  /// The number of parts below an assembly, as a text; empty for a part.
  static constexpr int countRole = Qt::UserRole;
  /// What the lines of one tree share.
  struct Context {
    const Document& document;
    InstanceStates states{document};
    /// Called when the user clicks on the check box of a line.
    std::function<void(NodeId, bool shows)> toggled{};
  };

  InstanceLine(const Context& context, NodeId node);
  [[nodiscard]] NodeId node() const noexcept { return node_; }
  [[nodiscard]] QVariant data(int column, int role) const override;
  void setData(int column, int role, const QVariant& value) override;

 private:
  [[nodiscard]] QVariant nameData(int role) const;
  [[nodiscard]] QString tip() const;
  const Context& context_;
  NodeId node_;
};

/// Draws the lines, with their counts in grey behind the names.
class InstanceLineDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

 signals:
  /// A double click beside the check box.
  void doubleClicked();
};

}  // namespace fitup::viewer
