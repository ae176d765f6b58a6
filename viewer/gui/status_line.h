#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

#include <viewer/gui/drag_controller.h>
#include <viewer/gui/elided_label.h>

namespace fitup::viewer {

/// The status bar: what is under the cursor, the verdict, distance and time of the last check, the drag mode,
/// the job that runs and its Cancel.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  StatusLine(Document& document, DragController& drag, QWidget* parent = nullptr);
  /// Of what is under the cursor; empty: nothing.
  void showHovered(const QString& text);
  /// What the last check found, as it is shown.
  [[nodiscard]] QString verdictText() const { return verdict_->text(); }
  [[nodiscard]] QString distanceText() const { return distance_->text(); }

 private:
  void refresh();
  void showVerdict();
  void showDistance();
  [[nodiscard]] QString foundText(const InterferenceReport& report) const;
  [[nodiscard]] QString limitsText(const LiveAnswer& answer) const;
  [[nodiscard]] QString limitsTip(const LiveAnswer& answer) const;

  Document& document_;
  DragController& drag_;
  ElidedLabel *distance_, *verdict_;
  QLabel *time_, *mode_;
  QProgressBar* progress_;
  QPushButton* cancel_;
};

/// Drag modes as users read them.
QString dragModeText(DragMode mode);

}  // namespace fitup::viewer
