#pragma once

#include <chrono>

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <viewer/gui/drag_controller.h>
#include <viewer/gui/elided_label.h>
#include <viewer/gui/motion_chart.h>

namespace fitup::viewer {

/// Plays, scrubs, records and saves motions.
class TimeLine : public QWidget {
  Q_OBJECT

 public:
  TimeLine(Document& document, DragController& drag, QWidget* parent = nullptr);
  [[nodiscard]] bool isPlaying() const { return timer_.isActive(); }
  void play(bool on);
  /// Sets the least time between two pictures of a motion that plays.
  void setFrameTime(std::chrono::milliseconds least);
  void toggleRecording();
  void addKeyPose();
  /// Goes to the next (1) or previous (-1) step with a clash. If it finds none, it returns the number of
  /// steps on that side with pairs that are undecided.
  std::optional<std::size_t> goToClash(int direction);
  /// Asks for a file.
  void saveTrack();
  /// Sets the menu of the edit button; the menu must outlive the time line.
  void setEditMenu(QMenu& menu) { edit_->setMenu(&menu); }
  [[nodiscard]] MotionChart& chart() noexcept { return *chart_; }

 private:
  void refresh();
  void follow();
  void goTo(std::size_t step);
  /// The pairs of parts that a step has found, such as "rod with nut".
  [[nodiscard]] QStringList pairNames(const CheckedStep& step, std::size_t most) const;
  /// What the check has found at a step: the pairs of parts, such as "clash: rod with nut, and 2 more pairs".
  [[nodiscard]] QString foundText(const CheckedStep& step) const;
  [[nodiscard]] static QString openText(std::size_t pairs);
  /// The same for the present step; if nothing needs action there, also where the next step is at which
  /// something does.
  [[nodiscard]] QString foundText() const;
  /// What is known of the motion between the steps.
  [[nodiscard]] QString betweenText() const;

  Document& document_;
  DragController& drag_;
  QComboBox* tracks_;
  QToolButton *play_, *record_, *key_, *edit_, *find_, *map_, *save_;
  QSlider* slider_;
  MotionChart* chart_;
  QLabel* label_;
  ElidedLabel* found_;
  QTimer timer_;
  std::optional<double> playedTo_;  ///< the time to which playing has moved the parts last
  bool following_ = false;
};

}  // namespace fitup::viewer
