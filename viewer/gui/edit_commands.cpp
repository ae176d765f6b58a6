#include <viewer/gui/commands.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <viewer/gui/library_texts.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Adds all nodes to the set, or removes all if all were in it.
void toggle(std::set<NodeId>& set, const std::set<NodeId>& nodes) {
  const bool all = std::includes(set.begin(), set.end(), nodes.begin(), nodes.end());
  for (const NodeId node : nodes) {
    if (all)
      set.erase(node);
    else
      set.insert(node);
  }
}

}  // namespace

MeasureTarget targetOf(const Assembly& assembly, const Words& words) {
  MeasureTarget target{assembly.at(words[0])};
  if (!assembly.node(target.instance).part) throw InputError("'" + words[0] + "' is a subassembly");
  if (words.size() < 2) return target;
  const std::size_t face = countOf(words[1]);
  if (face >= assembly.meshOf(target.instance).surfaces().size())
    throw InputError("'" + assembly.path(target.instance) + "' has no face " + words[1]);
  target.surface = SurfaceId{static_cast<std::uint32_t>(face)};
  return target;
}

void Commands::addParts(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using enum Parameter::Times;
  Document& document = w.document();
  const auto addStep = [&](const std::string& id, const MenuEntry& entry, const QString& textWithLabel,
                           auto canGo, auto label, auto go) {
    const auto can = [&document, canGo] {
      return document.session() != nullptr && (document.session()->history().*canGo)();
    };
    Command& command = add(id, entry, model, {}, [&w, id, can, go](auto&) {
      if (!can()) throw InputError("there is nothing to " + id);
      if (!w.drag().isActive()) (w.document().session()->*go)();
    });
    command.available = can;
    command.currentText = [&document, entry, textWithLabel, can, label] {
      if (!can()) return entry.text;
      return textWithLabel.arg(menuText(translated((document.session()->history().*label)())));
    };
  };
  using History = UndoStack<SessionState>;
  addStep("undo", {tr("&Undo"), "Ctrl+Z", tr("Undoes the last change")}, tr("&Undo: %1"), &History::canUndo,
          &History::undoLabel, &Session::undo);
  addStep("redo", {tr("&Redo"), "Ctrl+Y; Ctrl+Shift+Z", tr("Redoes the change that was undone last")},
          tr("&Redo: %1"), &History::canRedo, &History::redoLabel, &Session::redo);
  addEdit("isolate", {tr("&Isolate"), "I", tr("Hides all other parts")}, selection, {}, "Isolate",
          [&document](SessionState& state, auto&) {
            state.hidden.clear();
            for (const NodeId node : document.session()->assembly().instances())
              if (!document.selection().contains(node)) state.hidden.insert(node);
          });
  addEdit("hide", {tr("&Hide or show"), "H", tr("The selected parts")}, selection, {}, "Hide",
          [&document](SessionState& state, auto&) { toggle(state.hidden, document.selection()); });
  addEdit("ghost", {tr("&Ghost"), "G", tr("Makes the selected parts transparent, or opaque again")},
          selection, {}, "Ghost",
          [&document](SessionState& state, auto&) { toggle(state.ghosted, document.selection()); });
  addEdit("show-all", {tr("Show &all"), "A", tr("Shows all parts opaque")}, model, {}, "Show all",
          [](SessionState& state, auto&) {
            state.hidden.clear();
            state.ghosted.clear();
          });
  add("reset",
      {tr("&Back to the design placement"),
       {},
       tr("Moves the selected parts back to where the model has them")},
      selection, {}, [&document](auto&) {
        document.session()->reset(std::vector(document.selection().begin(), document.selection().end()));
      });

  add("select", {}, model, {{"PATH", text, anyNumber}}, [&document](const Words& paths) {
    const Assembly& assembly = document.session()->assembly();
    std::set<NodeId> nodes;
    for (const std::string& path : paths)
      for (const NodeId node : assembly.instancesBelow(assembly.at(path))) nodes.insert(node);
    document.select(std::move(nodes));
  });
  add("select-face", {}, model, {{"PATH"}, {"N", count}}, [&document](const Words& words) {
    const MeasureTarget target = targetOf(document.session()->assembly(), words);
    document.select({target.instance}, target.surface);
  });
  add("move", {}, selection,
      {{"X", number},
       {"Y", number},
       {"Z", number},
       {"RX", number, optional},
       {"RY", number, optional},
       {"RZ", number, optional}},
      [&w](const Words& words) {
        Vec3 shift, turn;
        for (std::size_t i = 0; i < words.size(); ++i)
          (i < 3 ? shift : turn)[static_cast<int>(i % 3)] = numberOf(words[i]);
        w.placement().moveBy(shift, turn);
      });
  add("snap", {}, nothing, {onOrOff, {"DISTANCE", number, optional}, {"DEGREES", number, optional}},
      [&w](const Words& words) {
        GizmoSteps steps = w.drag().steps();
        if (words.size() > 1) steps.distance = numberOf(words[1]);
        if (words.size() > 2) steps.degrees = numberOf(words[2]);
        // The range of the panel.
        if (!steps.isChoosable())
          throw InputError(QStringLiteral("steps have to be from %1 to %2, and from %3 to %4 degrees")
                               .arg(GizmoSteps::leastDistance)
                               .arg(GizmoSteps::mostDistance)
                               .arg(GizmoSteps::leastDegrees)
                               .arg(GizmoSteps::mostDegrees)
                               .toStdString());
        w.drag().setSteps(steps, isOn(words[0]));
      });
}

}  // namespace fitup::viewer
