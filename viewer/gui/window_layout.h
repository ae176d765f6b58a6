#pragma once

#include <QByteArray>
#include <QMainWindow>
#include <QObject>

namespace fitup::viewer {

class MainWindow;

/// Which panels of the window are open and how large they are: the default, what follows the model, and what
/// is remembered. The view gets the space of panels that have nothing to show: a table without findings is
/// one line high, and the Motion panel opens once there is a motion or a recording. If users open or close
/// the Motion panel themselves, it stays so.
class WindowLayout : public QObject {
  Q_OBJECT

 public:
  /// The present arrangement of panels and tool bars becomes the default. Precondition: the window has all of
  /// them.
  explicit WindowLayout(MainWindow& window);

  /// Returns to the default, also for what users have decided.
  void reset();
  void remember() const;
  void recall();
  /// True while the table is one line high.
  [[nodiscard]] bool isTableCollapsed() const noexcept { return isCollapsed_; }

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void connectModel();
  void setDefaultSizes();
  void followMotion(bool isOtherModel);
  void followFindings();
  void setCollapsed(bool collapsed);
  /// Shows or hides the Motion panel without that this counts as the user's decision.
  void setMotionOpen(bool open);

  MainWindow& window_;
  QDockWidget *findings_, *motion_;
  QByteArray defaultState_;
  bool isMotionDecided_ = false, isOwnChange_ = false;
  bool isCollapsed_ = false;
  bool isOtherModel_ = false;  ///< until the findings of a newly opened model are known
  int tableHeight_;            ///< of the panel while it is not collapsed
};

}  // namespace fitup::viewer
