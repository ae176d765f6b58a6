#include <viewer/gui/context_menus.h>

#include <algorithm>

#include <QApplication>
#include <QContextMenuEvent>
#include <QWidgetAction>

#include <viewer/core/selection_facts.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/finding_text.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/menu_groups.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

constexpr int headingWidth = 280;  // at most; longer ones are elided in the middle

bool includesAll(const std::set<NodeId>& all, const std::set<NodeId>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

void tellHeading(QLabel& heading, const QString& text) {
  // It cannot be chosen, but is to be read as well as the entries.
  QPalette colours = QApplication::palette();
  colours.setColor(QPalette::Disabled, QPalette::WindowText, colours.color(QPalette::WindowText));
  heading.setPalette(colours);
  heading.setText(heading.fontMetrics().elidedText(text, Qt::ElideMiddle, headingWidth));
}

/// The middle of what is seen of a line, otherwise of the view; for menus that a key opens.
QPoint placeIn(const QAbstractItemView& view, const QRect& line) {
  const QRect seen = view.viewport()->rect();
  return view.viewport()->mapToGlobal(seen.intersects(line) ? (line & seen).center() : seen.center());
}

}  // namespace

ContextMenus::ContextMenus(MainWindow& window, Commands& commands)
    : QObject(&window), window_(window), commands_(commands) {
  Command& open = commands.add(
      "context-menu", {tr("Context menu"), "Shift+F10", tr("Lists what can be done with what is selected")},
      Command::Needs::nothing, {}, {});
  open.ask = [this] { openForFocus(); };
  window.addAction(&commands.action(open.id));
  parts_ = makeOfParts(Place::view);
  lines_ = makeOfParts(Place::tree);
  background_ = makeOfBackground();
  findings_ = makeOfFindings();
  SceneView& view = window.view();
  connect(&view.interaction(), &ViewInteraction::menuRequested, this,
          [this, &view](bool onParts, const PicturePoint& at) {
            const QPointF point = QPointF(at.x, at.y) / view.devicePixelRatioF();
            (onParts ? parts_.menu : background_)->popup(view.mapToGlobal(point.toPoint()));
          });
  for (QWidget* widget : {static_cast<QWidget*>(&view), static_cast<QWidget*>(&window.tree().tree()),
                          window.tree().tree().viewport(), static_cast<QWidget*>(&window.table().view()),
                          window.table().view().viewport()})
    widget->installEventFilter(this);
}

// ---- what they list ----

ContextMenus::Headed ContextMenus::begin() {
  auto* menu = new QMenu(&window_);
  menu->setToolTipsVisible(true);
  auto* heading = new QLabel;
  heading->setTextFormat(Qt::PlainText);
  heading->setMargin(6);
  QFont font = heading->font();
  font.setBold(true);
  heading->setFont(font);
  auto* action = new QWidgetAction(menu);
  action->setDefaultWidget(heading);
  action->setEnabled(false);
  menu->addAction(action);
  menu->addSeparator();
  return {menu, heading};
}

QAction& ContextMenus::addAs(Headed& to, const char* id, const QString& text) {
  QAction& entry = commands_.addAs(*to.menu, id, text);
  to.entries[id] = &entry;
  return entry;
}

ContextMenus::Headed ContextMenus::makeOfParts(Place place) {
  Headed made = begin();
  QMenu& menu = *made.menu;
  addAs(made, "frame selection", tr("&Zoom to it"));
  if (place == Place::view) addAs(made, "look-at-face", tr("&Look at this face"));
  menu.addSeparator();
  commands_.addTo(menu, {"isolate"});
  addAs(made, "hide", tr("&Hide"));
  addAs(made, "ghost", tr("&Ghost"));
  commands_.addTo(menu, {"show-all", "", "colour", "transparency", "colour reset", ""});
  addAs(made, "check-only with", tr("Check &only this"));
  addAs(made, "check-only off", tr("Check all parts a&gain"));
  menu.addSeparator();
  commands_.addTo(menu, {"way-out", ""});
  if (place == Place::view) addAs(made, "mate this-face", tr("&Mate this face with..."));
  commands_.addTo(menu, {"reset"});
  if (place == Place::view) commands_.addTo(menu, {"pivot here"});
  commands_.addTo(menu, {"section here"});
  commands_.addTo(menu, {"", "select-same", "copy-path", "show-properties"});
  if (place == Place::tree) commands_.addTo(menu, {"", "tree expand", "tree collapse"});
  connect(&menu, &QMenu::aboutToShow, this,
          [this, place] { tellParts(place == Place::view ? parts_ : lines_); });
  return made;
}

QMenu* ContextMenus::makeOfBackground() {
  auto* menu = new QMenu(&window_);
  menu->setToolTipsVisible(true);
  commands_.addAs(*menu, "frame", tr("&Fit everything in the view"));
  commands_.addTo(*menu->addMenu(tr("&Views")), sideIds);
  commands_.addTo(*menu->addMenu(tr("&Display")), displayIds);
  commands_.addTo(*menu->addMenu(tr("Se&ction")), sectionIds);
  menu->addSeparator();
  commands_.addAs(*menu, "show-all", tr("Show &all parts"));
  commands_.addTo(*menu, {"select-all"});
  QAction& all = commands_.addAs(*menu, "check-only off", tr("Check all parts a&gain"));
  connect(menu, &QMenu::aboutToShow, &all, [this, &all] {
    const Session* session = window_.document().session();
    all.setVisible(session != nullptr && session->state().rules.check);
  });
  return menu;
}

ContextMenus::Headed ContextMenus::makeOfFindings() {
  Headed made = begin();
  QMenu& menu = *made.menu;
  commands_.addTo(menu, {"finding zoom"});
  addAs(made, "finding select", {});
  commands_.addTo(menu, {"finding show-in-tree", ""});
  addAs(made, "finding isolate", {});
  addAs(made, "finding hide-a", {});
  addAs(made, "finding hide-b", {});
  commands_.addTo(menu, {"finding ghost-others", "show-all", ""});
  addAs(made, "finding check-only", {});
  addAs(made, "check-only off", tr("Check all parts a&gain"));
  commands_.addTo(menu, {"rule for-finding"});
  addStatuses(*menu.addMenu(tr("Stat&us")));
  menu.addSeparator();
  menu.addAction(&window_.table().copyAction());
  commands_.addTo(menu, {"finding copy-paths", "", "finding expand-all", "finding collapse-all"});
  connect(&menu, &QMenu::aboutToShow, this, &ContextMenus::tellFindings);
  return made;
}

void ContextMenus::addStatuses(QMenu& menu) {
  InterferenceTable& table = window_.table();
  for (const ReviewStatus status : allStatuses) {
    QAction* entry = menu.addAction(statusText(status), this, [&table, status] { table.setStatus(status); });
    entry->setCheckable(true);
    connect(&menu, &QMenu::aboutToShow, entry,
            [entry, &table, status] { entry->setChecked(table.status() == status); });
  }
}

// ---- what they say ----

QString ContextMenus::headingOf(const std::set<NodeId>& instances) const {
  const Session& session = *window_.document().session();
  const auto node = factsOf(session.scene(), instances).node;
  if (instances.size() == 1) return shown(session.nameOf(*instances.begin()));
  const QString count = tr("%1 parts").arg(instances.size());
  return node ? QStringLiteral("%1   %2").arg(shown(session.assembly().node(*node).name), count) : count;
}

void ContextMenus::tellParts(Headed& menu) {
  const Document& document = window_.document();
  if (document.session() == nullptr) return;
  const std::set<NodeId>& selection = document.selection();
  const SessionState& state = document.session()->state();
  const bool isOne = selection.size() == 1;
  tellHeading(*menu.heading, selection.empty() ? tr("Nothing is selected") : headingOf(selection));
  menu.entries.at("frame selection")->setText(isOne ? tr("&Zoom to it") : tr("&Zoom to them"));
  menu.entries.at("hide")->setText(includesAll(state.hidden, selection) ? tr("S&how") : tr("&Hide"));
  menu.entries.at("ghost")->setText(includesAll(state.ghosted, selection) ? tr("Opaque a&gain")
                                                                          : tr("&Ghost"));
  menu.entries.at("check-only with")->setText(isOne ? tr("Check &only this") : tr("Check &only these"));
  menu.entries.at("check-only off")->setVisible(state.rules.check.has_value());
  if (const auto face = menu.entries.find("look-at-face"); face != menu.entries.end())
    face->second->setVisible(document.face().has_value());
  if (const auto face = menu.entries.find("mate this-face"); face != menu.entries.end())
    face->second->setVisible(window_.view().interaction().menuFace().has_value());
}

void ContextMenus::tellFindings() {
  const Document& document = window_.document();
  const std::vector<Finding> chosen = window_.table().chosenFindings();
  if (document.session() == nullptr || chosen.empty()) return;
  const auto nameOf = [&](NodeId node) { return shown(document.session()->nameOf(node)); };
  const Finding& first = chosen.front();
  const bool isOne = chosen.size() == 1, areCopies = !first.copies.empty(), isPair = isOne && !areCopies;
  tellHeading(*findings_.heading, isPair  ? tr("%1 and %2").arg(nameOf(first.a), nameOf(first.b))
                                  : isOne ? tr("%1 copies in one place").arg(first.copies.size())
                                          : tr("%1 findings").arg(chosen.size()));
  const auto tell = [&](const char* id, const QString& text) { findings_.entries.at(id)->setText(text); };
  tell("finding select", isPair  ? tr("&Select both parts")
                         : isOne ? tr("&Select all copies")
                                 : tr("&Select the parts"));
  tell("finding isolate", isPair ? tr("&Isolate both parts") : tr("&Isolate the parts"));
  tell("finding hide-a", isOne ? tr("Hide &A: %1").arg(menuText(nameOf(first.a))) : tr("Hide the parts &A"));
  tell("finding hide-b", isOne ? tr("Hide &B: %1").arg(menuText(nameOf(first.b))) : tr("Hide the parts &B"));
  tell("finding check-only", isPair ? tr("Check &only this pair") : tr("Check &only these parts"));
  findings_.entries.at("check-only off")->setVisible(document.session()->state().rules.check.has_value());
}

// ---- opening them ----

bool ContextMenus::eventFilter(QObject* object, QEvent* event) {
  if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(object, event);
  const auto* asked = static_cast<QContextMenuEvent*>(event);
  const bool byKey = asked->reason() == QContextMenuEvent::Keyboard;
  const std::optional<QPoint> at = byKey ? std::nullopt : std::optional(asked->globalPos());
  const auto isOf = [object](QAbstractItemView& view) {
    return object == &view || object == view.viewport();
  };
  if (isOf(window_.tree().tree())) {
    openForTree(at);
  } else if (isOf(window_.table().view())) {
    openForTable(at);
  } else if (byKey) {  // in the view, the button may begin a drag
    openForView();
  }
  return true;
}

void ContextMenus::openForView() {
  if (window_.document().session() == nullptr || window_.drag().isActive()) return;
  QMenu* menu = window_.document().selection().empty() ? background_ : parts_.menu;
  menu->popup(window_.view().mapToGlobal(window_.view().rect().center()));
}

void ContextMenus::openForTree(std::optional<QPoint> at) {
  if (window_.document().session() == nullptr) return;
  QTreeWidget& tree = window_.tree().tree();
  const QList<QTreeWidgetItem*> selected = tree.selectedItems();
  bool onLine = !selected.isEmpty();
  if (at) {
    onLine = onLine && tree.itemAt(tree.viewport()->mapFromGlobal(*at)) != nullptr;
  } else {
    at = placeIn(tree, onLine ? tree.visualItemRect(selected.front()) : QRect());
  }
  (onLine ? lines_.menu : background_)->popup(*at);
}

void ContextMenus::openForTable(std::optional<QPoint> at) {
  QTreeView& table = window_.table().view();
  if (!window_.table().current()) return;
  if (!at) at = placeIn(table, table.visualRect(table.selectionModel()->selectedRows().front()));
  findings_.menu->popup(*at);
}

void ContextMenus::openForFocus() {
  const QWidget* focus = QApplication::focusWidget();
  if (focus != nullptr && window_.tree().isAncestorOf(focus)) return openForTree({});
  if (focus != nullptr && window_.table().isAncestorOf(focus)) return openForTable({});
  openForView();
}

}  // namespace fitup::viewer
