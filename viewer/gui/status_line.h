#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// The status bar: what is under the cursor, the verdict, distance and time of the last check, the drag mode,
/// the job that runs and its Cancel.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  StatusLine(Document& document, DragController& drag, QWidget* parent = nullptr);
  /// Of what is under the cursor; empty: nothing.
  void showHovered(const QString& text);

 private:
  void refresh();
  void showVerdict();
  void showDistance();

  Document& document_;
  DragController& drag_;
  QLabel *distance_, *verdict_, *time_, *mode_;
  QProgressBar* progress_;
  QPushButton* cancel_;
};

/// Drag modes as users read them.
QString dragModeText(DragMode mode);

}  // namespace fitup::viewer
