#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include <QLabel>
#include <QPushButton>

#include <fitup/geometry/vec3.h>
#include <viewer/gui/overlay_frame.h>

namespace fitup::viewer {

class MainWindow;

/// A tour over the sample, in a panel over a corner of the view. Each step goes on when the user really did
/// it, with the mouse or with keys.
class Tour : public OverlayFrame {
  Q_OBJECT

 public:
  /// Over the window's view, which owns it.
  explicit Tour(MainWindow& window);
  /// Opens the sample and begins.
  void start();
  void end();
  void skip();
  void back();
  [[nodiscard]] bool isUnderWay() const noexcept { return !isHidden(); }
  /// The present step, from 0; one more than the last step at the end.
  [[nodiscard]] std::size_t step() const noexcept { return step_; }
  [[nodiscard]] std::size_t steps() const noexcept { return steps_.size(); }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Step {
    QString title, mouse, keys;
    std::function<bool()> isDone;
  };
  void makeSteps();
  void makePanel();
  void opened();
  void show(std::size_t step);
  void goOn();
  /// The lower left corner, because notes are at the top.
  void place();

  MainWindow& window_;
  std::vector<Step> steps_;
  std::size_t step_ = 0;
  bool isWaiting_ = false;  ///< for the sample
  Vec3 sightBefore_;        ///< at the beginning of the step
  QLabel *title_, *text_, *keys_;
  QPushButton *back_, *skip_, *end_;
};

}  // namespace fitup::viewer
