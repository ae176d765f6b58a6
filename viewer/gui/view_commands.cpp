#include <viewer/gui/commands.h>

#include <QDockWidget>
#include <QInputDialog>

#include <viewer/gui/scene_view.h>

namespace fitup::viewer {

void Commands::addView(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  SceneView& view = w.view();
  add("frame", {tr("Show &everything"), tr("F"), tr("Zooms so that all visible parts are in view")}, model,
      {{"all", choice, Parameter::Times::optional}}, [&view](auto&) { view.frameAll(); });
  add("frame selection",
      {tr("Zoom to the &selection"), tr("Z"), tr("Zooms so that the selected parts are in view")}, model, {},
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

  Command& keep = addEdit(
      "keep-view",
      {tr("&Save this view..."), tr("Ctrl+Shift+V"), tr("Saves the view under a name in the project")}, model,
      {{"NAME"}}, "Save a view", [&view](SessionState& state, const Words& words) {
        state.namedViews[words[0]] = view.camera().viewpoint();
      });
  keep.ask = [&w, &keep] {
    const QString name = QInputDialog::getText(&w, tr("Save this view"), tr("Name"));
    if (!name.isEmpty()) keep.execute({name.toStdString()});
  };
  add("dim", {tr("&Dim parts without findings"), tr("D"), tr("Makes parts without findings transparent")},
      nothing, {onOrOff}, [&view](const Words& words) { view.setDimOthers(isOn(words[0])); })
      .checked = [&view] { return view.dimsOthers(); };

  const std::pair<NavigationPreset, MenuEntry> presets[] = {
      {NavigationPreset::cad,
       {tr("&CAD"), tr("Ctrl+Alt+1"), tr("Middle or left drag turns, right drag shifts, wheel zooms")}},
      {NavigationPreset::solidworks,
       {tr("Like &SOLIDWORKS"), tr("Ctrl+Alt+2"),
        tr("Middle drag turns, with Ctrl shifts, with Shift zooms; the wheel towards you zooms in")}},
      {NavigationPreset::blender,
       {tr("Like &Blender"), tr("Ctrl+Alt+3"), tr("Middle drag turns, with Shift shifts, with Ctrl zooms")}}};
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
}

}  // namespace fitup::viewer
