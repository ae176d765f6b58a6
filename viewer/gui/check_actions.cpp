#include <viewer/gui/check_actions.h>

#include <algorithm>

#include <QInputDialog>
#include <QLabel>

#include <fitup/base/error.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/model_action.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/status_line.h>

namespace fitup::viewer {

CheckActions::CheckActions(Document& document, DragController& drag, MateOffer& mates,
                           InterferenceTable& table, QWidget& window)
    : QObject(&window),
      document_(document),
      drag_(drag),
      mates_(mates),
      table_(table),
      window_(window),
      dragModes_(new QActionGroup(this)),
      queryModes_(new QActionGroup(this)),
      check_(makeSwitch(tr("&Check all parts"), tr("Show what intersects, wherever it is"), tr("Ctrl+K"),
                        &CheckSettings::on)),
      verdicts_(makeSwitch(tr("&Verdicts: clash, contact or clear"),
                           tr("Tell parts that touch from parts that clash, with the depth"), tr("V"),
                           &CheckSettings::verdicts)),
      distance_(makeSwitch(tr("Measure the &distance"), tr("Of the selected parts to the nearest other one"),
                           tr("Ctrl+D"), &CheckSettings::distance)),
      offers_(makeSwitch(tr("&Offer mates"), tr("Planes and holes that the selected parts would fit to"),
                         tr("Ctrl+J"), &CheckSettings::mates)),
      tolerance_(new QAction(this)),
      widen_(new QAction(tr("All parts a&gain"), this)) {
  makeDragModes();
  makeQueryModes();
  widen_->setShortcut(QKeySequence(tr("Ctrl+Shift+W")));
  widen_->setToolTip(tr("Nothing is left out of the check"));
  tolerance_->setShortcut(QKeySequence(tr("T")));
  connect(widen_, &QAction::triggered, this, &CheckActions::widen);
  tolerance_->setToolTip(tr("How deep parts may overlap and still be in contact only"));
  connect(tolerance_, &QAction::triggered, this, &CheckActions::askTolerance);
  withModel(tolerance_, document_);
  connect(&drag_, &DragController::modeChanged, this, &CheckActions::follow);
  connect(&document_, &Document::opened, this, &CheckActions::follow);
  connect(&document_, &Document::stateChanged, this, &CheckActions::follow);
  connect(&document_.check(), &LiveCheck::settingsChanged, this, &CheckActions::follow);
  follow();
}

QAction* CheckActions::makeSwitch(const QString& text, const QString& tip, const QString& key,
                                  bool CheckSettings::*member) {
  auto* action = new QAction(text, this);
  action->setCheckable(true);
  action->setToolTip(tip);
  action->setShortcut(QKeySequence(key));
  connect(action, &QAction::toggled, this, [this, member](bool now) {
    CheckSettings settings = document_.check().settings();
    settings.*member = now;
    document_.check().setSettings(settings);
  });
  switches_.emplace_back(action, member);
  return action;
}

void CheckActions::makeDragModes() {
  const std::pair<DragMode, QString> modes[] = {
      {DragMode::off, tr("Nothing is checked while a part moves")},
      {DragMode::detect, tr("Parts go through each other; what they hit turns red")},
      {DragMode::stopAtContact, tr("A part goes only as far as it may")}};
  int key = 1;
  for (const auto& [mode, tip] : modes) {
    QAction* action = dragModes_->addAction(dragModeText(mode));
    action->setCheckable(true);
    action->setToolTip(tip);
    action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(key++)));
    action->setData(static_cast<int>(mode));
    connect(action, &QAction::triggered, this, [this, mode = mode] { drag_.setMode(mode); });
  }
}

void CheckActions::makeQueryModes() {
  struct Choice {
    QString name, tip;
    QueryMode mode;
  };
  const Choice queries[] = {
      {tr("First pair of faces only"), tr("Of each two parts any one pair: the quickest answer"),
       QueryMode::firstSurfacePair},
      {tr("All pairs of faces"), tr("Each pair of faces that intersects"), QueryMode::allSurfacePairs},
      {tr("All pairs of triangles"), tr("Each pair of faces, and all of its triangles"),
       QueryMode::allTrianglePairs}};
  int key = 4;  // behind the drag modes
  for (const auto& [name, tip, mode] : queries) {
    QAction* action = queryModes_->addAction(name);
    action->setCheckable(true);
    action->setData(static_cast<int>(mode));
    action->setToolTip(tip);
    action->setShortcut(QKeySequence(QStringLiteral("Ctrl+%1").arg(key++)));
    connect(action, &QAction::triggered, this, [this, mode = mode] {
      CheckSettings settings = document_.check().settings();
      settings.mode = mode;
      document_.check().setSettings(settings);
    });
  }
}

void CheckActions::addTo(QMenu& menu) {
  menu.addActions(dragModes_->actions());
  menu.addSeparator();
  menu.addActions({check_, verdicts_, distance_, tolerance_});
  menu.addSeparator();
  const auto add = [&](const QString& text, const QString& key, const QString& tip, auto* receiver,
                       auto slot) {
    return withTip(menu.addAction(text, QKeySequence(key), receiver, slot), tip);
  };
  withModel(add(tr("Only &with the selected parts"), tr("W"), tr("Pairs of one of them and any other part"),
                this, [this] { narrow(CheckScope::withSelected); }),
            document_);
  withModel(add(tr("Only a&mong the selected parts"), tr("Shift+W"), tr("Pairs of two of them"), this,
                [this] { narrow(CheckScope::amongSelected); }),
            document_);
  menu.addAction(widen_);
  menu.addSeparator();
  menu.addActions(queryModes_->actions());
  menu.addSeparator();
  menu.addAction(offers_);
  add(tr("&Join: snap to what is offered"), tr("J"), tr("Moves the parts by the offered mate"), &mates_,
      &MateOffer::accept);
  add(tr("Next offer"), tr("Shift+J"), tr("Another mate, if there are several"), &mates_, &MateOffer::next);
  menu.addSeparator();
  add(tr("&Next finding"), tr("N"), tr("Looks at the next row of the table"), this,
      [this] { table_.step(1); });
  add(tr("&Previous finding"), tr("Shift+N"), tr("Looks at the row before"), this,
      [this] { table_.step(-1); });
}

void CheckActions::addTo(QToolBar& bar) {
  bar.addWidget(new QLabel(tr("While dragging: ")));
  bar.addActions(dragModes_->actions());
  bar.addSeparator();
  bar.addAction(check_);
  bar.addAction(verdicts_);
}

void CheckActions::follow() {
  const CheckSettings& settings = document_.check().settings();
  for (const auto& [action, member] : switches_) action->setChecked(settings.*member);
  for (QAction* action : dragModes_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(drag_.mode()));
  for (QAction* action : queryModes_->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(settings.mode));
  const Session* session = document_.session();
  widen_->setEnabled(session != nullptr && session->state().rules.check);
  const std::optional<double> tolerance = document_.check().tolerance();
  tolerance_->setText(session == nullptr ? tr("Tolerance...")
                      : tolerance
                          ? tr("Tolerance: %1 %2")
                                .arg(QString::number(*tolerance), menuText(shown(session->assembly().unit())))
                          : tr("Tolerance: from the tessellation"));
}

void CheckActions::narrow(CheckScope scope) {
  if (document_.selection().empty()) return;
  Session& session = *document_.session();
  try {
    const CheckSets sets = checkSetsOf(session.assembly(), document_.selection(), scope);
    session.edit("Check these parts only", [&](SessionState& state) { state.rules.check = sets; });
  } catch (const InputError& error) {
    emit document_.failed(shown(error.what()));
  }
}

void CheckActions::widen() {
  document_.session()->edit("Check all parts", [](SessionState& state) { state.rules.check.reset(); });
}

void CheckActions::askTolerance() {
  bool accepted = false;
  const double value = QInputDialog::getDouble(
      &window_, tr("Tolerance"),
      // Its label takes what looks like HTML for HTML, as tooltips do.
      tipOf(tr("Overlaps at most so deep are contacts, in %1.\n0: from the tessellation, "
               "or from the size of the model.")
                .arg(shown(document_.session()->assembly().unit()))),
      document_.session()->state().tolerance.value_or(0), 0, 1e6,
      std::max(4, decimalsFor(sizeOf(document_.session()->assembly())) + 2), &accepted);
  if (!accepted) return;
  document_.session()->edit("Tolerance", [&](SessionState& state) {
    state.tolerance = value > 0 ? std::optional(value) : std::nullopt;
  });
}

}  // namespace fitup::viewer
