#include <viewer/gui/commands.h>

#include <fitup/base/error.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/script_words.h>

namespace fitup::viewer {
namespace {

/// A point of the world and, optionally, the direction of an axis, as a place of an instance.
GizmoPivot pivotOf(NodeId instance, const Transform& worldFromPart, const Words& words) {
  if (words.size() != 3 && words.size() != 6) throw InputError("'pivot' takes three or six numbers");
  const auto vector = [&](std::size_t at) {
    return Vec3{numberOf(words[at]), numberOf(words[at + 1]), numberOf(words[at + 2])};
  };
  const Transform partFromWorld = worldFromPart.inverse();
  GizmoPivot pivot{instance, partFromWorld.apply(vector(0))};
  if (words.size() == 6) {
    if (vector(3) == Vec3{}) throw InputError("the direction of an axis must not be 0");
    pivot.axisInPart = partFromWorld.applyToVector(vector(3));
  }
  return pivot;
}

}  // namespace

void Commands::addGizmo(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  SceneView& view = w.view();
  add("gizmo", {tr("&Handles of the selection"), "Q", tr("Arrows, rings and squares that move the parts")},
      nothing, {onOrOff},
      [&view](const Words& words) {
        view.interaction().gizmo().setShown(isOn(words[0]));
        view.refresh();
      })
      .checked = [&view] { return view.interaction().gizmo().isShown(); };
  add("part-axes",
      {tr("A&xes of the part"), "Shift+Q",
       tr("The handles follow the axes of the first selected part, instead of those of the world")},
      nothing, {onOrOff},
      [&view](const Words& words) {
        view.interaction().gizmo().setFrame(isOn(words[0]) ? GizmoFrame::part : GizmoFrame::world);
        view.refresh();
      })
      .checked = [&view] { return view.interaction().gizmo().frame() == GizmoFrame::part; };
  Command& pivot =
      add("pivot",
          {tr("Place the &pivot"), "U",
           tr("A click puts the handles to a corner, an edge, a circle or the axis of a face")},
          selection, {{"NUMBER", number, Parameter::Times::anyNumber}}, [&w](const Words& words) {
            const NodeId first = *w.document().selection().begin();
            w.view().interaction().gizmo().setPivot(pivotOf(first, w.drag().worldFromPart(first), words));
            w.view().refresh();
          });
  pivot.ask = [&view] { view.interaction().setPlacingPivot(!view.interaction().isPlacingPivot()); };
  Command& here =
      add("pivot here",
          {tr("Place the pivot &here"), {}, tr("Puts the handles to this place of the part, or to its axis")},
          selection, {}, {});
  here.ask = [&view] {
    view.interaction().gizmo().setPivot(view.interaction().menuPlace());
    view.refresh();
  };
  here.refusal = [&view]() -> std::string {
    if (view.interaction().menuPlace()) return {};
    return QT_TRANSLATE_NOOP("fitup::viewer", "no place of a part is chosen");
  };
  add("pivot-off", {tr("Pivot in the &middle"), "Shift+U", tr("Puts the handles back to the middle")}, model,
      {}, [&view](auto&) {
        view.interaction().gizmo().setPivot(std::nullopt);
        view.refresh();
      });
}

}  // namespace fitup::viewer
