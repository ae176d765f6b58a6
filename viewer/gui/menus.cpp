#include <viewer/gui/menus.h>

#include <QMenuBar>

#include <viewer/gui/commands.h>
#include <viewer/gui/file_commands.h>
#include <viewer/gui/menu_groups.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/time_line.h>

namespace fitup::viewer {
namespace {

/// Lists the project's named views.
void fillNamedViews(QMenu& menu, MainWindow& window) {
  menu.clear();
  if (window.document().session() == nullptr) return;
  for (const auto& [name, viewpoint] : window.document().session()->state().namedViews)
    menu.addAction(menuText(shown(name)), &window.view(),
                   [&window, viewpoint = viewpoint] { window.view().setViewpoint(viewpoint); })
        ->setToolTip(tipOf(shown(name)));
  if (menu.isEmpty()) menu.addAction(tr("(none)"))->setEnabled(false);
}

}  // namespace

void fillMenus(MainWindow& window, const Commands& commands, FileCommands& files) {
  QMenuBar& bar = *window.menuBar();

  QMenu& file = *bar.addMenu(tr("&File"));
  commands.addTo(file, {"open"});
  files.listRecentIn(*file.addMenu(tr("Open &recent")));
  commands.addTo(file, {"read-again", "restore", "", "save", "save-as", "report", "picture", "copy-picture",
                        "", "quit"});

  QMenu& edit = *bar.addMenu(tr("&Edit"));
  commands.addTo(edit, {"undo",
                        "redo",
                        "",
                        "select-all",
                        "select-same",
                        "copy-path",
                        "show-properties",
                        "",
                        "isolate",
                        "hide",
                        "ghost",
                        "show-all",
                        "",
                        "colour",
                        "transparency",
                        "colour reset",
                        "",
                        "mate",
                        "mates",
                        "join",
                        "next-offer",
                        "",
                        "gizmo",
                        "part-axes",
                        "pivot",
                        "pivot-off",
                        "",
                        "preferences"});

  QMenu& view = *bar.addMenu(tr("&View"));
  commands.addTo(view, {"frame", "frame selection"});
  commands.addTo(view, sideIds);
  commands.addTo(view, {"look-at-face", "", "keep-view"});
  QMenu* named = view.addMenu(tr("&Named views"));
  QObject::connect(named, &QMenu::aboutToShow, &window, [named, &window] { fillNamedViews(*named, window); });
  commands.addTo(*view.addMenu(tr("&Display")), displayIds);
  commands.addTo(
      view, {"projection orthographic", "projection perspective", "", "dim", "paint-faces", "explode", ""});
  commands.addTo(view, sectionIds);
  commands.addTo(view, {""});
  commands.addTo(*view.addMenu(tr("Mouse na&vigation")),
                 {"navigation cad", "navigation solidworks", "navigation blender"});
  commands.addTo(*view.addMenu(tr("&Theme")), {"theme system", "theme light", "theme dark"});
  QMenu& panels = *view.addMenu(tr("&Panels"));
  for (const auto& command : commands.all())
    if (command->id.starts_with("panel ")) panels.addAction(&commands.action(command->id));
  commands.addTo(view, {"reset-layout"});

  QMenu& check = *bar.addMenu(tr("&Check"));
  commands.addTo(check, {"mode off",
                         "mode detect",
                         "mode stop",
                         "mode slide",
                         "slide-turns",
                         "",
                         "check",
                         "verdicts",
                         "distance",
                         "tolerance",
                         "exact-shapes",
                         "",
                         "check-only with",
                         "check-only among",
                         "check-only off",
                         "",
                         "rules",
                         "rule for-finding",
                         "",
                         "query first",
                         "query surfaces",
                         "query triangles",
                         "",
                         "finding",
                         "finding previous"});

  QMenu& measure = *bar.addMenu(tr("M&easure"));
  commands.addTo(measure, {"measuring", "measure-selected", "remove-measurements"});

  QMenu& motion = *bar.addMenu(tr("&Motion"));
  commands.addTo(motion, {"play", "record", "key-pose"});
  QMenu& steps = *motion.addMenu(tr("&Edit the motion"));
  commands.addTo(steps, {"insert-step", "delete-step", "move-step later", "move-step earlier", "reverse"});
  window.timeLine().setEditMenu(steps);
  commands.addTo(motion, {"", "way-out", "way-out accept", "swept-volume", "save-swept-volume"});
  commands.addTo(motion, {"", "find-clashes", "next-clash", "previous-clash", "contact-map", "", "save-track",
                          "save-contact-map", "save-certificate"});

  QMenu& help = *bar.addMenu(tr("&Help"));
  commands.addTo(help, {"palette", "", "manual", "keys", ""});
  commands.addTo(*help.addMenu(tr("&Tour")), {"tour", "tour skip", "tour back", "tour end"});
  commands.addTo(help, {"", "about"});
  for (QMenu* menu : bar.findChildren<QMenu*>()) menu->setToolTipsVisible(true);

  // The panel is narrow.
  QAction &add = commands.action("section add"), &box = commands.action("section box"),
          &remove = commands.action("section remove");
  add.setIconText(tr("Add"));
  box.setIconText(tr("Box"));
  remove.setIconText(tr("Remove"));
  window.section().addButtons({&add, &box, &remove});
}

}  // namespace fitup::viewer
