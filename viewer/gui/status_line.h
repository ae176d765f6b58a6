#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTimer>

#include <viewer/gui/drag_controller.h>
#include <viewer/gui/elided_label.h>

namespace fitup::viewer {

/// The status bar: what is under the cursor or chosen, the verdict and distance of the last check, the
/// running job, or the judging of exact shapes, with a Cancel button.
class StatusLine : public QStatusBar {
  Q_OBJECT

 public:
  StatusLine(Document& document, DragController& drag, QWidget* parent = nullptr);
  /// Shows what is under the cursor, or why the chosen finding is undecided; empty for nothing.
  void showNote(const QString& text);
  /// Shows for some seconds why a command did nothing, or what it did.
  void tellBriefly(const QString& text) { showMessage(text, 8000); }
  /// The result of the last check, as it is shown.
  [[nodiscard]] QString verdictText() const { return verdict_->text(); }
  [[nodiscard]] QString verdictTip() const { return verdict_->toolTip(); }
  [[nodiscard]] QString distanceText() const { return distance_->text(); }
  /// Cancels the running task or, without one, the judging of exact shapes. Visible only during these.
  [[nodiscard]] QPushButton& cancelButton() noexcept { return *cancel_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void showVerdict();
  /// Shows what the label and its tooltip leave out.
  void showWholeVerdict();
  void showProgress();
  void showDistance();
  [[nodiscard]] QString foundText(const InterferenceReport& report) const;
  [[nodiscard]] static QString facesText(const LiveAnswer& answer);
  [[nodiscard]] QString limitsText(const LiveAnswer& answer) const;
  /// Names at most this number of parts that are not closed.
  [[nodiscard]] QString limitsTip(const LiveAnswer& answer, std::size_t mostParts) const;
  [[nodiscard]] static QString shapesText(const LiveAnswer& answer);
  [[nodiscard]] QString shapesTip(const LiveAnswer& answer) const;

  Document& document_;
  DragController& drag_;
  ElidedLabel *distance_, *verdict_;
  QProgressBar* progress_;
  QPushButton* cancel_;
  QTimer catchUpDelay_;           ///< until the progress of catching up is worth showing
  std::uint64_t caughtUpOf_ = 0;  ///< ticket of the answer that catches up
};

/// Returns the drag mode as users read it.
QString dragModeText(DragMode mode);

}  // namespace fitup::viewer
