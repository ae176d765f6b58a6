#include <viewer/gui/flow_layout.h>

#include <algorithm>

namespace fitup::viewer {

FlowLayout::FlowLayout(int gap) : gap_(gap) { setContentsMargins(0, 0, 0, 0); }

void FlowLayout::addItem(QLayoutItem* item) { items_.emplace_back(item); }

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  const auto at = items_.begin() + index;
  QLayoutItem* item = at->release();
  items_.erase(at);
  return item;
}

QSize FlowLayout::minimumSize() const {
  QSize size;
  for (const auto& item : items_) size = size.expandedTo(item->minimumSize());
  return size;
}

void FlowLayout::setGeometry(const QRect& rectangle) {
  QLayout::setGeometry(rectangle);
  arrange(rectangle, true);
}

int FlowLayout::arrange(const QRect& rectangle, bool moves) const {
  int x = rectangle.x(), y = rectangle.y(), rowHeight = 0;
  for (const auto& item : items_) {
    const QSize size = item->sizeHint();
    if (x > rectangle.x() && x + size.width() > rectangle.x() + rectangle.width()) {
      x = rectangle.x();
      y += rowHeight + gap_;
      rowHeight = 0;
    }
    if (moves) item->setGeometry({{x, y}, size});
    x += size.width() + gap_;
    rowHeight = std::max(rowHeight, size.height());
  }
  return y + rowHeight - rectangle.y();
}

}  // namespace fitup::viewer
