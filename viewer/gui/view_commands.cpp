#include <viewer/gui/commands.h>

#include <QDockWidget>
#include <QInputDialog>

#include <viewer/gui/scene_view.h>
#include <viewer/gui/window_layout.h>

namespace fitup::viewer {

void Commands::addView(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  SceneView& view = w.view();
  add("frame", {tr("Show &everything"), "F", tr("Zooms so that all visible parts are in view")}, model,
      {{"all", choice, Parameter::Times::optional}}, [&view](auto&) { view.frameAll(); });
  add("frame selection",
      {tr("Zoom to the &selection"), "Z", tr("Zooms so that the selected parts are in view")}, model, {},
      [&view](auto&) { view.frameSelection(); });
  struct Side {
    const char* id;
    QString text;
    StandardView side;
  };
  int key = 1;
  for (const Side& each :
       {Side{"view isometric", tr("Isometric"), StandardView::isometric},
        Side{"view front", tr("Front"), StandardView::front},
        Side{"view back", tr("Back"), StandardView::back}, Side{"view left", tr("Left"), StandardView::left},
        Side{"view right", tr("Right"), StandardView::right}, Side{"view top", tr("Top"), StandardView::top},
        Side{"view bottom", tr("Bottom"), StandardView::bottom}})
    add(each.id, {each.text, QString::number(key++), tr("Views the model from this side")}, model, {},
        [&view, side = each.side](auto&) { view.look(side); });

  Command& keep =
      addEdit("keep-view",
              {tr("&Save this view..."), "Ctrl+Shift+V", tr("Saves the view under a name in the project")},
              model, {{"NAME"}}, "Save a view", [&view](SessionState& state, const Words& words) {
                state.namedViews[words[0]] = view.camera().viewpoint();
              });
  keep.ask = [&w, &keep] {
    const QString name = QInputDialog::getText(&w, tr("Save this view"), tr("Name"));
    if (!name.isEmpty()) keep.execute({name.toStdString()});
  };
  add("dim", {tr("&Dim parts without findings"), "D", tr("Makes parts without findings transparent")},
      nothing, {onOrOff}, [&view](const Words& words) { view.setDimOthers(isOn(words[0])); })
      .checked = [&view] { return view.dimsOthers(); };

  add("paint-faces",
      {tr("&Paint faces that intersect"), "Shift+D",
       tr("Paints whole faces, instead of where they intersect, and those in contact with the selected "
          "parts")},
      nothing, {onOrOff}, [&view](const Words& words) { view.setPaintsFaces(isOn(words[0])); })
      .checked = [&view] { return view.paintsFaces(); };
  const std::pair<DisplayMode, MenuEntry> modes[] = {
      {DisplayMode::shadedWithEdges, {tr("Shaded with &edges"), "Ctrl+Shift+1", tr("Faces and their edges")}},
      {DisplayMode::shaded, {tr("&Shaded"), "Ctrl+Shift+2", tr("Faces without edges")}},
      {DisplayMode::hiddenLine,
       {tr("&Hidden line"), "Ctrl+Shift+3", tr("Visible edges on white faces, as in a drawing")}},
      {DisplayMode::wireframe,
       {tr("&Wireframe"), "Ctrl+Shift+4", tr("Edges only, also those that faces would hide")}},
      {DisplayMode::transparent, {tr("&Transparent"), "Ctrl+Shift+5", tr("Edges and transparent faces")}}};
  for (const auto& [mode, entry] : modes)
    addChoice(
        "display " + std::string(name(mode)), entry,
        [&view, mode = mode](auto&) { view.setDisplayMode(mode); },
        [&view, mode = mode] { return view.presenter().displayMode() == mode; });
  const std::pair<Projection, MenuEntry> projections[] = {
      {Projection::orthographic,
       {tr("&Orthographic"), "O", tr("Parallel edges stay parallel, and lengths can be compared")}},
      {Projection::perspective, {tr("&Perspective"), "P", tr("What is farther away is smaller")}}};
  for (const auto& [projection, entry] : projections)
    addChoice(
        std::string("projection ") + (projection == Projection::perspective ? "perspective" : "orthographic"),
        entry, [&view, projection = projection](auto&) { view.setProjection(projection); },
        [&view, projection = projection] { return view.camera().projection() == projection; });

  const std::pair<NavigationPreset, MenuEntry> presets[] = {
      {NavigationPreset::cad,
       {tr("&CAD"), "Ctrl+Alt+1", tr("Middle or left drag turns, right drag shifts, wheel zooms")}},
      {NavigationPreset::solidworks,
       {tr("Like &SOLIDWORKS"), "Ctrl+Alt+2",
        tr("Middle drag turns, with Ctrl shifts, with Shift zooms; the wheel towards you zooms in")}},
      {NavigationPreset::blender,
       {tr("Like &Blender"), "Ctrl+Alt+3", tr("Middle drag turns, with Shift shifts, with Ctrl zooms")}}};
  for (const auto& [preset, entry] : presets)
    addChoice(
        "navigation " + std::string(name(preset)), entry,
        [&view, preset = preset](auto&) { view.setNavigation(preset); },
        [&view, preset = preset] { return view.navigation() == preset; });
}

void Commands::addPanels(MainWindow& w) {
  int key = 1;
  for (QDockWidget* dock : w.findChildren<QDockWidget*>()) {
    Command& command =
        add("panel " + dock->objectName().toStdString(),
            {dock->windowTitle(), QStringLiteral("Alt+%1").arg(key++), tr("Shows or hides the panel")},
            Command::Needs::nothing, {}, [dock](auto&) {
              dock->show();
              dock->raise();
            });
    command.ask = [dock, &command] {
      // A panel behind another one first comes to the front.
      if (dock->isVisible() && !dock->visibleRegion().isEmpty()) return dock->hide();
      command.execute({});
      dock->widget()->setFocus();
    };
    // A panel behind another one counts as hidden, which only the signal reports.
    auto isShown = std::make_shared<bool>(false);
    command.checked = [isShown] { return *isShown; };
    connect(dock, &QDockWidget::visibilityChanged, this, [this, isShown](bool now) {
      *isShown = now;
      refresh();
    });
  }
  add("reset-layout",
      {tr("Reset &layout"), "Ctrl+Alt+0", tr("Brings panels and tool bars back to where they were at first")},
      Command::Needs::nothing, {}, [&w](auto&) { w.windowLayout().reset(); });
}

}  // namespace fitup::viewer
