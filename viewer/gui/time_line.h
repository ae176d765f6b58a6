#pragma once

#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QTimer>
#include <QToolButton>

#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

/// Steps of a motion with the number of clashes at each; a click goes to the step.
class TickBar : public QWidget {
  Q_OBJECT

 public:
  explicit TickBar(QWidget* parent = nullptr);
  /// `findings` empty: not known.
  void show(std::vector<std::size_t> findings, std::size_t steps);
  void setStep(std::size_t step);
  [[nodiscard]] QSize sizeHint() const override { return {200, 34}; }

 signals:
  void chosen(std::size_t step);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void choose(double x);
  std::vector<std::size_t> findings_;
  std::size_t steps_ = 0, step_ = 0;
};

/// Plays, scrubs, records and saves motions.
class TimeLine : public QWidget {
  Q_OBJECT

 public:
  TimeLine(Document& document, DragController& drag, QWidget* parent = nullptr);
  [[nodiscard]] bool isPlaying() const { return timer_.isActive(); }
  void play(bool on);
  void toggleRecording();
  void addKeyPose();
  /// To the next (1) or the last (-1) step at which something clashes.
  void goToClash(int direction);
  /// Asks for a file.
  void saveTrack();

 private:
  void refresh();
  void follow();

  Document& document_;
  DragController& drag_;
  QComboBox* tracks_;
  QToolButton *play_, *record_, *key_, *find_, *save_;
  QSlider* slider_;
  TickBar* ticks_;
  QLabel* label_;
  QTimer timer_;
  bool following_ = false;
};

}  // namespace fitup::viewer
