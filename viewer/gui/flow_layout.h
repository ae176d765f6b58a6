#pragma once

#include <memory>
#include <vector>

#include <QLayout>

namespace fitup::viewer {

/// Places widgets beside each other, in as many rows as the width needs.
class FlowLayout : public QLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(int gap);
  void addItem(QLayoutItem* item) override;  ///< takes the item
  [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override { return arrange({0, 0, width, 0}, false); }
  [[nodiscard]] QSize sizeHint() const override { return minimumSize(); }
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& rectangle) override;

 private:
  /// Returns the height that the items need.
  int arrange(const QRect& rectangle, bool moves) const;

  int gap_;
  std::vector<std::unique_ptr<QLayoutItem>> items_;
};

}  // namespace fitup::viewer
