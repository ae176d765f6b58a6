#include <viewer/gui/commands.h>

#include <set>

#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>

#include <viewer/core/placed_surface.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

std::set<NodeId> visibleInstances(const Session& session) {
  std::set<NodeId> visible;
  for (const NodeId node : session.assembly().instances())
    if (!session.state().hidden.contains(node)) visible.insert(node);
  return visible;
}

/// Returns all instances of the parts of these instances.
std::set<NodeId> instancesOfSameParts(const Assembly& assembly, const std::set<NodeId>& instances) {
  std::set<PartId> parts;
  for (const NodeId node : instances) parts.insert(assembly.partOf(node));
  std::set<NodeId> same;
  for (const NodeId node : assembly.instances())
    if (parts.contains(assembly.partOf(node))) same.insert(node);
  return same;
}

/// Returns the direction from which the chosen face is seen at right angles or, of a round face, along its
/// axis, and the middle of the face. Empty if there is no such direction.
std::optional<std::pair<Vec3, Vec3>> sightOfFace(MainWindow& w) {
  const std::set<NodeId>& selected = w.document().selection();
  if (selected.size() != 1 || !w.document().face()) return std::nullopt;
  const NodeId part = *selected.begin();
  const PlacedSurface face = placedSurface(w.document().session()->assembly().meshOf(part),
                                           *w.document().face(), w.drag().worldFromPart(part));
  if (!face.shape || norm(face.shape->axis) == 0) return std::nullopt;
  const bool isPlane = face.shape->kind == SurfaceKind::plane;
  // An axis has two ends: the nearer one is looked at.
  const double sense = isPlane || dot(face.shape->axis, w.view().camera().forward()) < 0 ? -1 : 1;
  return std::pair(sense * face.shape->axis, face.centroid);
}

}  // namespace

void copyPaths(const Assembly& assembly, const std::set<NodeId>& instances) {
  QStringList paths;
  for (const NodeId node : instances) paths << shown(assembly.path(node));
  QGuiApplication::clipboard()->setText(paths.join(QLatin1Char('\n')));
}

void raisePanel(QWidget& panel) {
  auto* dock = qobject_cast<QDockWidget*>(panel.parentWidget());
  if (dock == nullptr) return;
  dock->show();
  dock->raise();
}

void Commands::addSelection(MainWindow& w) {
  using enum Command::Needs;
  Document& document = w.document();
  add("select-all", {tr("&Select all"), "Ctrl+A", tr("Selects all visible parts")}, model, {},
      [&document](auto&) { document.select(visibleInstances(*document.session())); });
  add("select-same",
      {tr("Select all i&nstances"), "Shift+A", tr("Selects all instances of the selected parts")}, selection,
      {}, [&document](auto&) {
        document.select(instancesOfSameParts(document.session()->assembly(), document.selection()));
      });
  add("copy-path",
      {tr("Copy &path"), "Ctrl+Shift+C", tr("Copies the paths of the selected parts, one on each line")},
      selection, {}, [&document](auto&) { copyPaths(document.session()->assembly(), document.selection()); });
  add("show-properties",
      {tr("Propert&ies"), "Alt+Return", tr("Describes the selected parts and the chosen face")}, selection,
      {}, [&w](auto&) { raisePanel(w.properties()); });
  const auto sight = [&w] { return sightOfFace(w); };
  add("look-at-face",
      {tr("&Look at the chosen face"), "8",
       tr("Views the face at right angles or, if it is round, along its axis")},
      selection, {},
      [&w, sight](auto&) {
        const auto [along, middle] = sight().value();
        Camera camera = w.view().camera();
        const Viewpoint& from = camera.viewpoint();
        camera.setViewpoint({middle - (from.target - from.eye), middle, from.up});
        camera.lookAlong(along);
        w.view().setViewpoint(camera.viewpoint());
      })
      .refusal = [&w, sight]() -> std::string {
    if (!w.document().face()) return QT_TRANSLATE_NOOP("fitup::viewer", "no face is chosen");
    if (sight()) return {};
    return QT_TRANSLATE_NOOP("fitup::viewer", "the face has neither a plane nor an axis");
  };
  add("tree expand", {tr("&Expand all below"), {}, tr("Shows all lines below the selected ones")}, model, {},
      [&w](auto&) { w.tree().expandBelow(true); });
  add("tree collapse", {tr("C&ollapse all below"), {}, tr("Hides the lines below the selected ones")}, model,
      {}, [&w](auto&) { w.tree().expandBelow(false); });
}

}  // namespace fitup::viewer
