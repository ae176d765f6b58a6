#include <viewer/gui/main_window.h>

#include <algorithm>
#include <span>

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QSettings>
#include <QVBoxLayout>

#include <fitup/base/error.h>
#include <fitup/io/warning_summary.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/context_menus.h>
#include <viewer/gui/expert_panel.h>
#include <viewer/gui/file_commands.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/menus.h>
#include <viewer/gui/message_panel.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/shown_plans.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/start_page.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/time_line.h>
#include <viewer/gui/tool_bars.h>
#include <viewer/gui/view_picture.h>
#include <viewer/gui/way_out_panel.h>
#include <viewer/gui/window_layout.h>

namespace fitup::viewer {
namespace {

/// Returns what the file has and the model lacks; empty if nothing.
QString missingGeometry(const Model& model) {
  QString lines;
  for (const WarningGroup& group : summarise(model.warnings))
    if (group.first.incomplete) lines += QLatin1Char('\n') + shown(text(group));
  if (lines.isEmpty()) return {};
  return MainWindow::tr("Geometry is missing, so there may be more findings:") + lines;
}

}  // namespace

MainWindow::MainWindow(bool interactive)
    : interactive_(interactive),
      drag_(document_),
      mates_(document_, drag_),
      mate_(document_, drag_),
      measure_(document_, drag_),
      wayOut_(document_),
      sweep_(document_) {
  setAcceptDrops(true);
  resize(1280, 800);
  makeView();
  makePanels();
  status_ = new StatusLine(document_, drag_);
  setStatusBar(status_);
  files_ = new FileCommands(*this, interactive_);
  commands_ = std::make_unique<Commands>(*this);
  files_->addTo(*commands_);
  contextMenus_ = new ContextMenus(*this, *commands_);
  fillMenus(*this, *commands_, *files_);
  addToolBars(*this, *commands_);
  commands_->refresh();
  start_ = new StartPage(*this, *view_);
  windowLayout_ = new WindowLayout(*this);
  connectParts();
  if (interactive_) restoreLayout();
  refreshTitle();
}

// Hides the panels while the objects that they show still exist.
MainWindow::~MainWindow() { hide(); }

void MainWindow::makeView() {
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  messages_ = new MessagePanel;
  view_ = new SceneView(document_, drag_, mates_, mate_, measure_);
  layout->addWidget(messages_);
  layout->addWidget(view_, 1);
  setCentralWidget(centre);
}

QDockWidget* MainWindow::dock(const char* name, QWidget* panel, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(viewer::tr(name), this);
  dock->setObjectName(QString::fromLatin1(name));
  dock->setWidget(panel);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::makePanels() {
  tree_ = new InstanceTree(document_);
  placement_ = new PlacementPanel(document_, drag_);
  properties_ = new PropertiesPanel(document_, drag_, *view_);
  measurements_ = new MeasurePanel(document_, measure_);
  section_ = new SectionPanel(document_);
  table_ = new InterferenceTable(document_);
  timeLine_ = new TimeLine(document_, drag_);
  expert_ = new ExpertPanel(document_, *view_);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  dock(QT_TRANSLATE_NOOP("fitup::viewer", "Parts"), tree_, Qt::LeftDockWidgetArea);
  QDockWidget* move = dock(QT_TRANSLATE_NOOP("fitup::viewer", "Move"), placement_, Qt::LeftDockWidgetArea);
  QDockWidget* properties =
      dock(QT_TRANSLATE_NOOP("fitup::viewer", "Properties"), properties_, Qt::LeftDockWidgetArea);
  connect(properties, &QDockWidget::visibilityChanged, properties_, &PropertiesPanel::setInFront);
  measureDock_ = dock(QT_TRANSLATE_NOOP("fitup::viewer", "Measure"), measurements_, Qt::LeftDockWidgetArea);
  QDockWidget* section =
      dock(QT_TRANSLATE_NOOP("fitup::viewer", "Section"), section_, Qt::LeftDockWidgetArea);
  QDockWidget* expert = dock(QT_TRANSLATE_NOOP("fitup::viewer", "Expert"), expert_, Qt::LeftDockWidgetArea);
  tabifyDockWidget(move, properties);
  tabifyDockWidget(properties, measureDock_);
  tabifyDockWidget(measureDock_, section);
  tabifyDockWidget(section, expert);
  move->raise();
  QDockWidget* findings =
      dock(QT_TRANSLATE_NOOP("fitup::viewer", "Interference"), table_, Qt::BottomDockWidgetArea);
  QDockWidget* motion =
      dock(QT_TRANSLATE_NOOP("fitup::viewer", "Motion"), timeLine_, Qt::BottomDockWidgetArea);
  splitDockWidget(findings, motion, Qt::Vertical);
  wayOutPanel_ = new WayOutPanel(document_, wayOut_);
  dock(QT_TRANSLATE_NOOP("fitup::viewer", "Way out"), wayOutPanel_, Qt::RightDockWidgetArea)->hide();
  plans_ = new ShownPlans(document_, wayOut_, sweep_, *view_);
  plans_->setParent(this);
}

void MainWindow::connectParts() {
  connect(&document_, &Document::failed, this, &MainWindow::tell);
  connect(&document_, &Document::warned, this, &MainWindow::tell);
  connect(&document_, &Document::opened, this, &MainWindow::opened);
  connect(&document_, &Document::stateChanged, this, &MainWindow::refreshTitle);
  connect(&document_.check(), &LiveCheck::answered, this, [this] {
    const std::string& error = document_.check().answer().error;
    if (!error.empty()) tell(shown(error));
  });
  connect(view_, &SceneView::hovered, status_, &StatusLine::showNote);
  connect(view_, &SceneView::settingsChanged, section_, [this] {
    const bool isExploded = view_->presenter().isExploded();
    section_->setEnabled(!isExploded);
    section_->setToolTip(isExploded ? tr("An exploded view is not cut") : QString());
  });
  connect(view_, &SceneView::settingsChanged, timeLine_,
          [this] { timeLine_->setFrameTime(intervalOf(view_->updateRate())); });
  connect(view_, &SceneView::refused, status_, &StatusLine::tellBriefly);
  connect(&sweep_, &ShownSweep::made, status_, &StatusLine::tellBriefly);
  connect(&mate_, &MateTool::mated, status_, &StatusLine::tellBriefly);
  connect(&document_.motion(), &ShownMotion::stepChanged, view_, [this] {
    if (timeLine_->isPlaying()) view_->hasten();
  });
  connect(view_, &SceneView::escaped, &table_->view(), &QTreeView::clearSelection);
  connect(tree_, &InstanceTree::zoomRequested, view_, &SceneView::frameSelection);
  connect(table_, &InterferenceTable::lookAt, view_, &SceneView::lookAt);
  connect(table_, &InterferenceTable::detailsChanged, properties_,
          [this] { properties_->updateFinding(table_->details()); });
  connect(table_, &InterferenceTable::chosen, this, [this](const std::optional<Finding>& finding) {
    view_->choose(finding);
    properties_->showFinding(table_->details());
    status_->showNote(finding && !finding->undecidedBecause.empty()
                          ? tr("Undecided: %1").arg(translated(finding->undecidedBecause))
                          : QString());
  });
}

void MainWindow::opened() {
  messages_->hide();
  start_->hide();
  if (const QString missing = missingGeometry(document_.session()->model()); !missing.isEmpty())
    tell(missing);
  refreshTitle();
}

void MainWindow::refreshTitle() {
  if (document_.session() == nullptr) return setWindowTitle(tr("Fitup"));
  const std::filesystem::path& project = document_.projectFile();
  const std::string name =
      project.empty() ? shortName(document_.session()->modelFiles()) : project.filename().string();
  // The placeholder of the change mark must be doubled to stand for itself.
  setWindowTitle(
      tr("%1[*] - Fitup").arg(shown(name).replace(QStringLiteral("[*]"), QStringLiteral("[*][*]"))));
  setWindowModified(document_.isModified());
}

bool MainWindow::isBusy() const {
  return document_.isBusy() || drag_.isBehind() || view_->isMarking() || properties_->isWaiting() ||
         measure_.isWaiting() || view_->presenter().caps().isBehind();
}

QString MainWindow::errorText() const { return messages_->text(); }

void MainWindow::tell(const QString& error) { messages_->tell(error); }

void MainWindow::open(const std::vector<std::filesystem::path>& files) { files_->open(files); }

bool MainWindow::offerRestore() { return files_->offerRestore(); }

void MainWindow::tellOfLeftovers() { files_->tellOfLeftovers(); }

void MainWindow::endWithoutAsking() {
  if (!interactive_) return;
  remember();
  document_.keepWork();
}

void MainWindow::remember() {
  files_->keepThumbnail();
  QSettings settings;
  settings.setValue("geometry", saveGeometry());
  windowLayout_->remember();
  rememberSettings(*this);
}

void MainWindow::writePicture(const QString& file) {
  // Lets the layout adapt to the new texts of the labels.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  writeImage(grab().toImage().convertToFormat(QImage::Format_RGB32), file);
}

void MainWindow::restoreLayout() {
  QSettings settings;
  restoreGeometry(settings.value("geometry").toByteArray());
  windowLayout_->recall();
  recallSettings(*this);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (interactive_) {
    if (!files_->mayClose()) return event->ignore();
    remember();
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Esc ends a drag also if a panel has the focus: that of a part which a number set in motion.
  if (event->key() == Qt::Key_Escape && drag_.isActive()) return drag_.cancel();
  QMainWindow::keyPressEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  std::vector<std::filesystem::path> files;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) files.emplace_back(url.toLocalFile().toStdString());
  // Deferred, because the source of the drop waits for this, and the user may be asked something.
  QMetaObject::invokeMethod(
      files_, [this, files] { files_->open(files); }, Qt::QueuedConnection);
}

}  // namespace fitup::viewer
