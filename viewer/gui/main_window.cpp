#include <viewer/gui/main_window.h>

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {
namespace {

constexpr int mostRecent = 10;
const char* const openFilter =
    "Models, projects, motions (*.fitup *.fitup-project *.step *.stp *.igs *.iges *.obj *.stl *.ply *.off "
    "*.gltf "
    "*.glb *.3ds *.json *.csv);;All files (*)";

/// What the file has and the model lacks; empty if nothing.
QString missingGeometry(const Model& model) {
  constexpr int mostLines = 3;
  int count = 0;
  QString text;
  for (const ImportWarning& warning : model.warnings)
    if (warning.incomplete && ++count <= mostLines)
      text += QString::fromStdString("\n" + warning.element + ": " + warning.message);
  if (count == 0) return {};
  if (count > mostLines) text += MainWindow::tr("\n... and %1 more").arg(count - mostLines);
  return MainWindow::tr("Geometry is missing, so what is found may not be all:") + text;
}

}  // namespace

MainWindow::MainWindow(bool interactive) : interactive_(interactive), drag_(document_) {
  setAcceptDrops(true);
  resize(1280, 800);
  makePanels();
  makeStatusBar();
  makeMenus();
  connect(&document_, &Document::failed, this, &MainWindow::tell);
  connect(&document_, &Document::opened, this, [this] {
    errorPanel_->hide();
    hint_->hide();
    verdicts_->setChecked(document_.settings().verdicts);
    if (const QString missing = missingGeometry(document_.session()->model()); !missing.isEmpty())
      tell(missing);
    remember(QString::fromStdString(
        (document_.projectFile().empty() ? document_.session()->modelFile() : document_.projectFile())
            .string()));
    refresh();
  });
  connect(&document_, &Document::stateChanged, this, &MainWindow::refresh);
  connect(&document_, &Document::answered, this, &MainWindow::refreshStatus);
  connect(&drag_, &DragController::modeChanged, this, &MainWindow::refreshStatus);
  connect(&drag_, &DragController::moved, this, &MainWindow::refreshStatus);
  connect(&drag_, &DragController::ended, this, &MainWindow::refreshStatus);
  connect(&document_, &Document::jobChanged, this, [this](const QString& what, double fraction) {
    statusBar()->showMessage(what);
    progress_->setRange(0, fraction < 0 ? 0 : 100);
    if (fraction >= 0) progress_->setValue(static_cast<int>(100 * fraction));
    progress_->show();
    cancel_->show();
  });
  connect(&document_, &Document::jobEnded, this, [this] {
    statusBar()->clearMessage();
    progress_->hide();
    cancel_->hide();
  });
  connect(&document_, &Document::saved, this, [this](const QString& file) {
    statusBar()->showMessage(tr("Saved %1").arg(file), 5000);
    if (file.endsWith(QStringLiteral(".fitup-project"))) remember(file);
  });
  connect(view_, &SceneView::hovered, this, [this](const QString& text) {
    if (document_.hasJob()) return;
    if (text.isEmpty())
      statusBar()->clearMessage();
    else
      statusBar()->showMessage(text);
  });
  connect(table_, &InterferenceTable::lookAt, this, [this](const Finding& finding) {
    view_->zoomTo(boundsOf(*document_.session(), finding, drag_.placements()));
  });
  connect(table_, &InterferenceTable::chosen, this, [this](const std::optional<Finding>& finding) {
    view_->presenter().showChosen(finding);
    view_->update();
  });
  if (interactive_) {
    QSettings settings;
    restoreGeometry(settings.value("geometry").toByteArray());
    restoreState(settings.value("windowState").toByteArray());
  }
  refresh();
}

MainWindow::~MainWindow() = default;

// ---- panels ----

QDockWidget* MainWindow::dock(const QString& name, QWidget* panel, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(name, this);
  dock->setObjectName(name);
  dock->setWidget(panel);
  addDockWidget(area, dock);
  return dock;
}

void MainWindow::makePanels() {
  auto* centre = new QWidget;
  auto* layout = new QVBoxLayout(centre);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  errorPanel_ = new QFrame;
  errorPanel_->setStyleSheet(QStringLiteral("QFrame { background: #fbe3e0; } QLabel { color: #6b1a12; }"));
  auto* errorLine = new QHBoxLayout(errorPanel_);
  errorText_ = new QLabel;
  errorText_->setWordWrap(true);
  errorText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* close = new QPushButton(tr("Close"));
  errorLine->addWidget(errorText_, 1);
  errorLine->addWidget(close);
  errorPanel_->hide();
  connect(close, &QPushButton::clicked, errorPanel_, &QWidget::hide);
  hint_ = new QLabel(
      tr("Open a model (Ctrl+O) or drop a file here.\n\nLeft click selects a part; drag it, or the arrows "
         "and rings on it, to move it.\nMiddle drag turns the view, right drag shifts it, the wheel "
         "zooms to the cursor, F shows all."));
  hint_->setAlignment(Qt::AlignCenter);
  hint_->setMargin(12);
  view_ = new SceneView(document_, drag_);
  layout->addWidget(errorPanel_);
  layout->addWidget(hint_);
  layout->addWidget(view_, 1);
  setCentralWidget(centre);

  tree_ = new InstanceTree(document_);
  placement_ = new PlacementPanel(document_, drag_);
  section_ = new SectionPanel(document_);
  table_ = new InterferenceTable(document_);
  timeLine_ = new TimeLine(document_, drag_);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  dock(tr("Parts"), tree_, Qt::LeftDockWidgetArea);
  QDockWidget* move = dock(tr("Move"), placement_, Qt::LeftDockWidgetArea);
  QDockWidget* section = dock(tr("Section"), section_, Qt::LeftDockWidgetArea);
  tabifyDockWidget(move, section);
  move->raise();
  QDockWidget* findings = dock(tr("Interference"), table_, Qt::BottomDockWidgetArea);
  QDockWidget* motion = dock(tr("Motion"), timeLine_, Qt::BottomDockWidgetArea);
  splitDockWidget(findings, motion, Qt::Vertical);
  resizeDocks({findings, motion}, {170, 80}, Qt::Vertical);
  resizeDocks({move}, {270}, Qt::Horizontal);
}

void MainWindow::makeStatusBar() {
  progress_ = new QProgressBar;
  progress_->setMaximumWidth(180);
  cancel_ = new QPushButton(tr("Cancel"));
  modeLabel_ = new QLabel;
  verdictLabel_ = new QLabel;
  distanceLabel_ = new QLabel;
  timeLabel_ = new QLabel;
  for (QWidget* widget : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(cancel_),
                          static_cast<QWidget*>(distanceLabel_), static_cast<QWidget*>(verdictLabel_),
                          static_cast<QWidget*>(timeLabel_), static_cast<QWidget*>(modeLabel_)})
    statusBar()->addPermanentWidget(widget);
  progress_->hide();
  cancel_->hide();
  connect(cancel_, &QPushButton::clicked, &document_, &Document::cancelJob);
}

// ---- menus ----

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeCheckMenu();
  makeMotionMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&File"));
  menu->addAction(tr("&Open..."), QKeySequence::Open, this, &MainWindow::askOpen);
  recent_ = menu->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  menu->addSeparator();
  needModel_ << menu->addAction(tr("&Save project"), QKeySequence::Save, this, [this] { save(false); });
  needModel_ << menu->addAction(tr("Save project &as..."), QKeySequence::SaveAs, this,
                                [this] { save(true); });
  needModel_ << menu->addAction(tr("&Export report..."), QKeySequence(tr("Ctrl+E")), this,
                                &MainWindow::exportReport);
  menu->addAction(tr("Save a &picture..."), this, [this] {
    const QString file = QFileDialog::getSaveFileName(this, tr("Save a picture"), QStringLiteral("fitup.png"),
                                                      tr("Pictures (*.png *.jpg)"));
    if (!file.isEmpty() && !writePicture(file)) tell(tr("%1 cannot be written").arg(file));
  });
  menu->addSeparator();
  menu->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
}

void MainWindow::makeEditMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Edit"));
  undo_ = menu->addAction(tr("&Undo"), QKeySequence(tr("Ctrl+Z")), this, [this] {
    if (!drag_.isActive()) document_.session()->undo();
  });
  redo_ = menu->addAction(tr("&Redo"), this, [this] {
    if (!drag_.isActive()) document_.session()->redo();
  });
  redo_->setShortcuts({QKeySequence(tr("Ctrl+Y")), QKeySequence(tr("Ctrl+Shift+Z"))});
  menu->addSeparator();
  needModel_ << menu->addAction(tr("Isolate"), QKeySequence(tr("I")), tree_, &InstanceTree::isolate);
  needModel_ << menu->addAction(tr("Hide or show"), QKeySequence(tr("H")), tree_,
                                &InstanceTree::toggleHidden);
  needModel_ << menu->addAction(tr("Ghost"), QKeySequence(tr("G")), tree_, &InstanceTree::toggleGhosts);
  needModel_ << menu->addAction(tr("Show all"), QKeySequence(tr("A")), tree_, &InstanceTree::showAll);
}

void MainWindow::makeViewMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&View"));
  needModel_ << menu->addAction(tr("Show &all of it"), QKeySequence(tr("F")), view_, &SceneView::frameAll);
  needModel_ << menu->addAction(tr("Zoom to the &selection"), QKeySequence(tr("Z")), view_,
                                &SceneView::frameSelection);
  const std::pair<QString, StandardView> standard[] = {
      {tr("Isometric"), StandardView::isometric}, {tr("Front"), StandardView::front},
      {tr("Back"), StandardView::back},           {tr("Left"), StandardView::left},
      {tr("Right"), StandardView::right},         {tr("Top"), StandardView::top},
      {tr("Bottom"), StandardView::bottom}};
  int key = 1;
  for (const auto& [name, view] : standard)
    needModel_ << menu->addAction(name, QKeySequence(QString::number(key++)), this,
                                  [this, view = view] { view_->look(view); });
  menu->addSeparator();
  views_ = menu->addMenu(tr("&Named views"));
  connect(views_, &QMenu::aboutToShow, this, &MainWindow::fillViews);
  dim_ = menu->addAction(tr("&Dim parts without findings"));
  dim_->setCheckable(true);
  dim_->setShortcut(QKeySequence(tr("D")));
  connect(dim_, &QAction::toggled, view_, &SceneView::setDimOthers);
  panels_ = menu->addMenu(tr("&Panels"));
  connect(panels_, &QMenu::aboutToShow, this, [this] {
    panels_->clear();
    for (const QDockWidget* dock : findChildren<QDockWidget*>()) panels_->addAction(dock->toggleViewAction());
  });
}

void MainWindow::makeCheckMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Check"));
  QToolBar* bar = addToolBar(tr("Drag mode"));
  bar->setObjectName("Drag mode");
  bar->addWidget(new QLabel(tr("While dragging: ")));
  dragModes_ = new QActionGroup(this);
  struct Mode {
    QString name, tip;
    DragMode mode;
  };
  const Mode modes[] = {
      {tr("Move only"), tr("Nothing is checked while a part moves"), DragMode::off},
      {tr("Detect"), tr("Parts go through each other; what they hit turns red"), DragMode::detect},
      {tr("Stop at contact"), tr("A part goes only as far as it may"), DragMode::stopAtContact}};
  int key = 1;
  for (const Mode& mode : modes) {
    QAction* action = dragModes_->addAction(mode.name);
    action->setCheckable(true);
    action->setToolTip(mode.tip);
    action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(key++)));
    action->setData(static_cast<int>(mode.mode));
    action->setChecked(mode.mode == drag_.mode());
    connect(action, &QAction::triggered, this, [this, mode = mode.mode] { drag_.setMode(mode); });
    menu->addAction(action);
    bar->addAction(action);
  }
  menu->addSeparator();
  bar->addSeparator();
  const auto toggled = [this, menu](const QString& text, const QString& tip, bool on,
                                    bool CheckSettings::*member) {
    QAction* action = menu->addAction(text);
    action->setCheckable(true);
    action->setChecked(on);
    action->setToolTip(tip);
    connect(action, &QAction::toggled, this, [this, member](bool now) {
      CheckSettings settings = document_.settings();
      settings.*member = now;
      document_.setSettings(settings);
    });
    return action;
  };
  check_ =
      toggled(tr("&Check all parts"), tr("Show what intersects, wherever it is"), true, &CheckSettings::on);
  verdicts_ = toggled(tr("&Verdicts: clash, contact or clear"),
                      tr("Tell parts that touch from parts that clash, with the depth"), false,
                      &CheckSettings::verdicts);
  toggled(tr("Measure the &distance"), tr("Of the selected parts to the nearest other one"), true,
          &CheckSettings::distance);
  tolerance_ = menu->addAction(tr("&Tolerance..."), this, &MainWindow::askTolerance);
  tolerance_->setToolTip(tr("How deep parts may overlap and still be in contact only"));
  needModel_ << tolerance_;
  bar->addAction(check_);
  bar->addAction(verdicts_);
  bar->addAction(dim_);
  bar->addSeparator();
  bar->addAction(tolerance_);
  menu->addSeparator();
  queryModes_ = new QActionGroup(this);
  const std::pair<QString, QueryMode> queries[] = {
      {tr("First pair of faces only"), QueryMode::firstSurfacePair},
      {tr("All pairs of faces"), QueryMode::allSurfacePairs},
      {tr("All pairs of triangles"), QueryMode::allTrianglePairs}};
  for (const auto& [name, mode] : queries) {
    QAction* action = queryModes_->addAction(name);
    action->setCheckable(true);
    action->setChecked(mode == document_.settings().mode);
    connect(action, &QAction::triggered, this, [this, mode = mode] {
      CheckSettings settings = document_.settings();
      settings.mode = mode;
      document_.setSettings(settings);
    });
    menu->addAction(action);
  }
  menu->addSeparator();
  menu->addAction(tr("&Next finding"), QKeySequence(tr("N")), this, [this] { table_->step(1); });
  menu->addAction(tr("&Previous finding"), QKeySequence(tr("Shift+N")), this, [this] { table_->step(-1); });
}

void MainWindow::makeMotionMenu() {
  QMenu* menu = menuBar()->addMenu(tr("&Motion"));
  needModel_ << menu->addAction(tr("&Play or pause"), QKeySequence(tr("Space")), this,
                                [this] { timeLine_->play(!timeLine_->isPlaying()); });
  needModel_ << menu->addAction(tr("&Record or stop"), QKeySequence(tr("Ctrl+R")), timeLine_,
                                &TimeLine::toggleRecording);
  needModel_ << menu->addAction(tr("Record a &key pose"), QKeySequence(tr("K")), timeLine_,
                                &TimeLine::addKeyPose);
  needModel_ << menu->addAction(tr("&Find clashes"), &document_, &Document::replayTrack);
  needModel_ << menu->addAction(tr("Next step with a clash"), QKeySequence(tr("Ctrl+Right")), this,
                                [this] { timeLine_->goToClash(1); });
  needModel_ << menu->addAction(tr("Last step with a clash"), QKeySequence(tr("Ctrl+Left")), this,
                                [this] { timeLine_->goToClash(-1); });
  needModel_ << menu->addAction(tr("&Save the motion..."), timeLine_, &TimeLine::saveTrack);
}

// ---- what is shown ----

void MainWindow::refresh() {
  const Session* session = document_.session();
  for (QAction* action : needModel_) action->setEnabled(session != nullptr);
  const auto* history = session != nullptr ? &session->history() : nullptr;
  undo_->setEnabled(history != nullptr && history->canUndo());
  redo_->setEnabled(history != nullptr && history->canRedo());
  undo_->setText(undo_->isEnabled() ? tr("&Undo: %1").arg(QString::fromStdString(history->undoLabel()))
                                    : tr("&Undo"));
  redo_->setText(redo_->isEnabled() ? tr("&Redo: %1").arg(QString::fromStdString(history->redoLabel()))
                                    : tr("&Redo"));
  const std::filesystem::path file = session == nullptr                ? std::filesystem::path()
                                     : document_.projectFile().empty() ? session->modelFile()
                                                                       : document_.projectFile();
  setWindowTitle(session == nullptr
                     ? tr("Fitup")
                     : tr("%1[*] - Fitup").arg(QString::fromStdString(file.filename().string())));
  setWindowModified(document_.isModified());
  const QString unit = session == nullptr ? QString() : QString::fromStdString(session->assembly().unit());
  const std::optional<double> tolerance = document_.tolerance();
  tolerance_->setText(session == nullptr ? tr("Tolerance...")
                      : tolerance        ? tr("Tolerance: %1 %2").arg(*tolerance).arg(unit)
                                         : tr("Tolerance: from the tessellation"));
  refreshStatus();
}

void MainWindow::refreshStatus() {
  for (QAction* action : dragModes_->actions()) {
    const bool now = action->data().toInt() == static_cast<int>(drag_.mode());
    action->setChecked(now);
    if (now) modeLabel_->setText(action->text());
  }
  const Session* session = document_.session();
  const LiveAnswer& answer = document_.answer();
  if (session == nullptr) {
    for (QLabel* label : {verdictLabel_, distanceLabel_, timeLabel_}) label->clear();
    return;
  }
  const QString unit = QString::fromStdString(session->assembly().unit());
  const Assembly& assembly = session->assembly();
  distanceLabel_->clear();
  if (!document_.selection().empty() && answer.nearest)
    distanceLabel_->setText(tr("nearest: %1, %2 %3")
                                .arg(QString::fromStdString(assembly.node(answer.nearest->b).name))
                                .arg(answer.nearest->nearest.distance, 0, 'g', 5)
                                .arg(unit));
  if (drag_.stop())
    distanceLabel_->setText(
        tr("stopped by %1").arg(QString::fromStdString(assembly.node(drag_.stop()->b).name)));
  timeLabel_->clear();
  verdictLabel_->setStyleSheet({});
  if (!answer.error.empty()) {
    verdictLabel_->setText(tr("not checked"));
    tell(QString::fromStdString(answer.error));
  } else if (!answer.report) {
    verdictLabel_->setText(document_.isChecking() ? tr("checking...") : tr("not checked"));
  } else {
    const InterferenceReport& report = *answer.report;
    std::size_t faces = 0;
    for (const PairInterference& pair : report.pairs) faces += pair.report.surfacePairs.size();
    QString text;
    if (document_.settings().verdicts)
      text =
          tr("%1 clashes, %2 contacts").arg(report.count(Verdict::clash)).arg(report.count(Verdict::contact));
    else
      text = faces == 0
                 ? tr("nothing intersects")
                 : tr("%1 pairs of faces intersect (%2 pairs of parts)").arg(faces).arg(report.pairs.size());
    if (report.status != ReportStatus::complete) text += tr(", not complete");
    verdictLabel_->setText(text);
    if (report.needsAction())
      verdictLabel_->setStyleSheet(QStringLiteral("color: #b3160e; font-weight: bold;"));
    timeLabel_->setText(tr("%1 ms").arg(answer.milliseconds, 0, 'f', 2));
  }
}

QString MainWindow::errorText() const { return errorPanel_->isHidden() ? QString() : errorText_->text(); }

void MainWindow::tell(const QString& error) {
  errorText_->setText(error);
  errorPanel_->show();
}

void MainWindow::setDimOthers(bool on) { dim_->setChecked(on); }

void MainWindow::setCheck(const CheckSettings& settings) {
  check_->setChecked(settings.on);
  verdicts_->setChecked(settings.verdicts);
  document_.setSettings(settings);
}

// ---- files ----

void MainWindow::askOpen() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Open"), {}, tr(openFilter));
  if (!file.isEmpty()) document_.open(file.toStdString());
}

bool MainWindow::save(bool underNewName) {
  if (document_.session() == nullptr) return false;
  QString file = QString::fromStdString(document_.projectFile().string());
  if (underNewName || file.isEmpty()) {
    std::filesystem::path proposed = document_.session()->modelFile();
    file = QFileDialog::getSaveFileName(
        this, tr("Save the project"),
        QString::fromStdString(proposed.replace_extension("fitup-project").string()),
        tr("Projects (*.fitup-project)"));
    if (file.isEmpty()) return false;
    if (!file.endsWith(QStringLiteral(".fitup-project"))) file += QStringLiteral(".fitup-project");
  }
  document_.saveProject(file.toStdString(), view_->camera().viewpoint());
  return !document_.isModified();
}

void MainWindow::exportReport() {
  const QString file = QFileDialog::getSaveFileName(
      this, tr("Export the report"), QStringLiteral("report.html"), tr("Reports (*.html *.json *.csv)"));
  if (!file.isEmpty()) document_.exportReport(file.toStdString());
}

void MainWindow::remember(const QString& file) {
  if (!interactive_) return;
  QSettings settings;
  QStringList files = settings.value("recent").toStringList();
  files.removeAll(file);
  files.prepend(file);
  settings.setValue("recent", QStringList(files.mid(0, mostRecent)));
}

void MainWindow::fillRecent() {
  recent_->clear();
  for (const QString& file : QSettings().value("recent").toStringList())
    recent_->addAction(file, this, [this, file] { document_.open(file.toStdString()); });
  if (recent_->isEmpty()) recent_->addAction(tr("(none)"))->setEnabled(false);
}

void MainWindow::askTolerance() {
  bool accepted = false;
  const double value =
      QInputDialog::getDouble(this, tr("Tolerance"),
                              tr("Overlaps at most so deep are contacts, in %1.\n0: from the tessellation, "
                                 "or from the size of the model.")
                                  .arg(QString::fromStdString(document_.session()->assembly().unit())),
                              document_.session()->state().tolerance.value_or(0), 0, 1e6, 4, &accepted);
  if (!accepted) return;
  document_.session()->edit("Tolerance", [&](SessionState& state) {
    state.tolerance = value > 0 ? std::optional(value) : std::nullopt;
  });
}

void MainWindow::fillViews() {
  views_->clear();
  if (document_.session() == nullptr) return;
  views_->addAction(tr("Keep this view..."), this, [this] {
    const QString name = QInputDialog::getText(this, tr("Keep this view"), tr("Name"));
    if (name.isEmpty()) return;
    document_.session()->edit("Keep a view", [&](SessionState& state) {
      state.namedViews[name.toStdString()] = view_->camera().viewpoint();
    });
  });
  views_->addSeparator();
  for (const auto& [name, view] : document_.session()->state().namedViews)
    views_->addAction(QString::fromStdString(name), this, [this, view = view] { view_->setViewpoint(view); });
}

void MainWindow::offerRestore() {
  for (const Leftover& leftover : document_.leftovers()) {
    const QString original = leftover.original.empty() ? tr("work that had not been saved")
                                                       : QString::fromStdString(leftover.original.string());
    const auto answer = QMessageBox::question(
        this, tr("Restore"),
        tr("The last session did not end as it should. Open what was kept of %1?").arg(original));
    if (answer == QMessageBox::Yes) return document_.restore(leftover);
    Autosave::remove(leftover);
  }
}

bool MainWindow::writePicture(const QString& file) {
  // What labels have just been told takes its place.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
  return grab().save(file);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (interactive_) {
    if (document_.isModified()) {
      const auto answer =
          QMessageBox::question(this, tr("Save?"), tr("Save what you have changed?"),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
      if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !save(false)))
        return event->ignore();
    }
    QSettings settings;
    settings.setValue("geometry", saveGeometry());
    settings.setValue("windowState", saveState());
  }
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) return document_.open(url.toLocalFile().toStdString());
}

}  // namespace fitup::viewer
