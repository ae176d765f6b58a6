#pragma once

#include <memory>

#include <QMainWindow>

#include <viewer/gui/document.h>
#include <viewer/gui/drag_controller.h>
#include <viewer/gui/mate_offer.h>
#include <viewer/gui/mate_tool.h>
#include <viewer/gui/measure_tool.h>
#include <viewer/gui/shown_sweep.h>
#include <viewer/gui/way_out.h>

namespace fitup::viewer {

class Commands;
class ContextMenus;
class ExpertPanel;
class FileCommands;
class InstanceTree;
class InterferenceTable;
class MeasurePanel;
class MessagePanel;
class PlacementPanel;
class PropertiesPanel;
class SceneView;
class SectionPanel;
class ShownPlans;
class StartPage;
class StatusLine;
class TimeLine;
class WayOutPanel;
class WindowLayout;

/// The window: view, panels, menus, status bar, and the place where errors are shown. Its commands hold what
/// users can do; `makePanels` adds the panels.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  /// `interactive` false: nothing is asked or remembered, as for scripts and tests.
  explicit MainWindow(bool interactive = true);
  ~MainWindow() override;

  [[nodiscard]] Document& document() noexcept { return document_; }
  [[nodiscard]] DragController& drag() noexcept { return drag_; }
  [[nodiscard]] MateOffer& mates() noexcept { return mates_; }
  [[nodiscard]] MateTool& mate() noexcept { return mate_; }
  [[nodiscard]] MeasureTool& measure() noexcept { return measure_; }
  [[nodiscard]] WayOut& wayOut() noexcept { return wayOut_; }
  [[nodiscard]] WayOutPanel& wayOutPanel() noexcept { return *wayOutPanel_; }
  [[nodiscard]] ShownSweep& sweep() noexcept { return sweep_; }
  [[nodiscard]] MeasurePanel& measurements() noexcept { return *measurements_; }
  [[nodiscard]] SceneView& view() noexcept { return *view_; }
  [[nodiscard]] SectionPanel& section() noexcept { return *section_; }
  [[nodiscard]] InstanceTree& tree() noexcept { return *tree_; }
  [[nodiscard]] InterferenceTable& table() noexcept { return *table_; }
  [[nodiscard]] PlacementPanel& placement() noexcept { return *placement_; }
  [[nodiscard]] PropertiesPanel& properties() noexcept { return *properties_; }
  [[nodiscard]] TimeLine& timeLine() noexcept { return *timeLine_; }
  [[nodiscard]] ExpertPanel& expert() noexcept { return *expert_; }
  [[nodiscard]] Commands& commands() noexcept { return *commands_; }
  [[nodiscard]] FileCommands& files() noexcept { return *files_; }
  /// False for scripts and tests, which are asked nothing and for which nothing is remembered.
  [[nodiscard]] bool isInteractive() const noexcept { return interactive_; }
  [[nodiscard]] ContextMenus& contextMenus() noexcept { return *contextMenus_; }
  [[nodiscard]] StatusLine& statusLine() noexcept { return *status_; }
  [[nodiscard]] WindowLayout& windowLayout() noexcept { return *windowLayout_; }
  /// True while something runs or has no answer.
  [[nodiscard]] bool isBusy() const;
  /// The last error, unless the user has dismissed it.
  [[nodiscard]] QString errorText() const;
  void tell(const QString& error);

  /// Opens files like `Document::openAll`; may ask the user.
  void open(const std::vector<std::filesystem::path>& files);
  /// Opens what a program that has ended left behind, if the user wants it; returns true in that case.
  bool offerRestore();
  /// Mentions what a program that has ended left behind, without asking.
  void tellOfLeftovers();
  /// Stores unsaved work and the window's layout, for a program that ends at once. Scripts leave nothing
  /// behind.
  void endWithoutAsking();
  /// Writes a picture of the whole window, atomically. Throws InputError for an extension that is not that of
  /// a picture, and FileError.
  void writePicture(const QString& file);

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makeView();
  void makePanels();
  void connectParts();
  QDockWidget* dock(const char* name, QWidget* panel, Qt::DockWidgetArea area);
  void opened();
  void refreshTitle();
  void restoreLayout();
  void remember();

  bool interactive_;
  Document document_;
  DragController drag_;
  MateOffer mates_;
  MateTool mate_;
  MeasureTool measure_;
  WayOut wayOut_;
  ShownSweep sweep_;
  SceneView* view_ = nullptr;
  InstanceTree* tree_ = nullptr;
  InterferenceTable* table_ = nullptr;
  PlacementPanel* placement_ = nullptr;
  PropertiesPanel* properties_ = nullptr;
  MeasurePanel* measurements_ = nullptr;
  QDockWidget* measureDock_ = nullptr;
  SectionPanel* section_ = nullptr;
  TimeLine* timeLine_ = nullptr;
  WayOutPanel* wayOutPanel_ = nullptr;
  ShownPlans* plans_ = nullptr;
  ExpertPanel* expert_ = nullptr;
  MessagePanel* messages_ = nullptr;
  StartPage* start_ = nullptr;
  StatusLine* status_ = nullptr;
  WindowLayout* windowLayout_ = nullptr;
  FileCommands* files_ = nullptr;
  ContextMenus* contextMenus_ = nullptr;
  std::unique_ptr<Commands> commands_;  ///< destroyed first, because they refer to all the others
};

}  // namespace fitup::viewer
