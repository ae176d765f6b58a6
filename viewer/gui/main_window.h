#pragma once

#include <QActionGroup>
#include <QFrame>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>

#include <viewer/gui/document.h>
#include <viewer/gui/drag_controller.h>

namespace fitup::viewer {

class InstanceTree;
class InterferenceTable;
class PlacementPanel;
class SceneView;
class SectionPanel;
class TimeLine;

/// The window: view, panels, menus, status bar, and the place where errors are told.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `interactive` off: nothing is asked and nothing remembered, as for scripts and tests.
  explicit MainWindow(bool interactive = true);
  ~MainWindow() override;

  [[nodiscard]] Document& document() noexcept { return document_; }
  [[nodiscard]] DragController& drag() noexcept { return drag_; }
  [[nodiscard]] SceneView& view() noexcept { return *view_; }
  [[nodiscard]] InstanceTree& tree() noexcept { return *tree_; }
  [[nodiscard]] InterferenceTable& table() noexcept { return *table_; }
  [[nodiscard]] PlacementPanel& placement() noexcept { return *placement_; }
  [[nodiscard]] TimeLine& timeLine() noexcept { return *timeLine_; }
  /// What went wrong last and was not put away yet.
  [[nodiscard]] QString errorText() const;
  void setDimOthers(bool on);
  void setCheck(const CheckSettings& settings);

  /// Opens what a program that is gone left behind, if the user wants it.
  void offerRestore();
  /// Of the whole window. False if the file could not be written.
  bool writePicture(const QString& file);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makePanels();
  void makeMenus();
  void makeFileMenu();
  void makeEditMenu();
  void makeViewMenu();
  void makeCheckMenu();
  void makeMotionMenu();
  void makeStatusBar();
  QDockWidget* dock(const QString& name, QWidget* panel, Qt::DockWidgetArea area);
  void tell(const QString& error);
  void refresh();
  void refreshStatus();
  void askOpen();
  bool save(bool underNewName);
  void exportReport();
  void remember(const QString& file);
  void fillRecent();
  void fillViews();
  void askTolerance();

  bool interactive_;
  Document document_;
  DragController drag_;
  SceneView* view_ = nullptr;
  InstanceTree* tree_ = nullptr;
  InterferenceTable* table_ = nullptr;
  PlacementPanel* placement_ = nullptr;
  SectionPanel* section_ = nullptr;
  TimeLine* timeLine_ = nullptr;
  QFrame* errorPanel_ = nullptr;
  QLabel *errorText_ = nullptr, *hint_ = nullptr;
  QLabel *modeLabel_ = nullptr, *verdictLabel_ = nullptr, *distanceLabel_ = nullptr, *timeLabel_ = nullptr;
  QProgressBar* progress_ = nullptr;
  QPushButton* cancel_ = nullptr;
  QMenu *recent_ = nullptr, *views_ = nullptr, *panels_ = nullptr;
  QAction *undo_ = nullptr, *redo_ = nullptr, *dim_ = nullptr, *verdicts_ = nullptr, *check_ = nullptr,
          *tolerance_ = nullptr;
  QActionGroup *dragModes_ = nullptr, *queryModes_ = nullptr;
  QList<QAction*> needModel_;
};

}  // namespace fitup::viewer
