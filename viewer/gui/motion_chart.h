#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QWidget>

#include <viewer/core/motion_check.h>
#include <viewer/gui/length_unit.h>

namespace fitup::viewer {

/// Shows findings (bars), distance and time of the check (lines) at the steps of a motion; a click or a drag
/// goes to the step. Each of the three has a scale of its own from 0 to its largest value (times: to a value
/// that most do not exceed), which is printed above.
class MotionChart : public QWidget {
  Q_OBJECT

 public:
  explicit MotionChart(QWidget* parent = nullptr);
  using TextOf = std::function<QString(const CheckedStep&)>;
  /// If `steps` is empty, nothing is known of the motion's `count` steps. `textOf` says what a step has
  /// found.
  void show(std::vector<CheckedStep> steps, std::size_t count, const LengthUnit& unit, TextOf textOf);
  void setStep(std::size_t step);
  [[nodiscard]] QSize sizeHint() const override { return {300, 92}; }
  /// The step drawn at a position of the widget, and the middle of a step's position.
  [[nodiscard]] std::optional<std::size_t> stepAt(double x) const;
  [[nodiscard]] double middleOf(std::size_t step) const;

 signals:
  void chosen(std::size_t step);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  [[nodiscard]] QRectF plot() const;
  void paintLegend(QPainter& painter) const;
  void paintFindings(QPainter& painter) const;
  template <typename Value>
  void paintLine(QPainter& painter, const QPen& pen, double most, Value value) const;

  std::vector<CheckedStep> steps_;
  std::size_t count_ = 0, step_ = 0;
  LengthUnit unit_;
  TextOf textOf_;
  std::size_t mostFindings_ = 0;
  double farthest_ = 0, longest_ = 0;
  double usual_ = 0;  ///< the end of the scale of times
};

}  // namespace fitup::viewer
