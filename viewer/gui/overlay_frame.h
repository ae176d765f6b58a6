#pragma once

#include <QFrame>

namespace fitup::viewer {

/// A frame over other widgets, with a border that is seen in front of light and dark ones.
class OverlayFrame : public QFrame {
 public:
  explicit OverlayFrame(QWidget* parent);

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace fitup::viewer
