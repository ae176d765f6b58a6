#pragma once

#include <QLabel>
#include <QPushButton>

#include <viewer/gui/mate_tool.h>
#include <viewer/gui/overlay_frame.h>

namespace fitup::viewer {

/// Says over the view what to click for a mate and what the last one did, and flips it. Visible while the
/// tool is active.
class MatePanel : public OverlayFrame {
  Q_OBJECT

 public:
  MatePanel(MateTool& tool, QWidget* parent);
  [[nodiscard]] QString text() const;

 signals:
  void resized();

 private:
  void follow();

  MateTool& tool_;
  QLabel *result_, *hint_;
  QPushButton *flip_, *done_;
};

}  // namespace fitup::viewer
