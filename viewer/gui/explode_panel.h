#pragma once

#include <QFrame>
#include <QSlider>

namespace fitup::viewer {

/// The slider of the exploded view, over a corner of the view. It is shown while the view is exploded, and
/// until it is closed.
class ExplodePanel : public QFrame {
  Q_OBJECT

 public:
  explicit ExplodePanel(QWidget* parent);
  /// From 0, as assembled, to 1.
  [[nodiscard]] double fraction() const noexcept { return fraction_; }
  /// Shows the panel if the fraction is not 0.
  void setFraction(double fraction);
  /// Shows the panel with the last fraction that was not 0, or hides it and returns to 0.
  void toggle();
  [[nodiscard]] QSlider& slider() noexcept { return *slider_; }

 signals:
  void changed();

 private:
  void close();
  void take(double fraction);

  QSlider* slider_;
  double fraction_ = 0, last_ = 1;
};

}  // namespace fitup::viewer
