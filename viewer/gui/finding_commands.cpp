#include <viewer/gui/commands.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <viewer/core/check_scope.h>
#include <viewer/gui/finding_text.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/shown_text.h>

namespace fitup::viewer {
namespace {

/// Returns the parts of the chosen findings.
std::set<NodeId> chosenParts(MainWindow& w) {
  std::set<NodeId> parts;
  for (const Finding& finding : w.table().chosenFindings()) parts.merge(finding.instances());
  return parts;
}

/// Returns the nodes that are in neither set.
std::set<NodeId> others(const Assembly& assembly, const std::set<NodeId>& nodes) {
  std::set<NodeId> rest;
  for (const NodeId node : assembly.instances())
    if (!nodes.contains(node)) rest.insert(node);
  return rest;
}

}  // namespace

void Commands::addFindings(MainWindow& w) {
  using enum Command::Needs;
  Document& document = w.document();
  const auto none = [&w]() -> std::string {
    if (w.table().current()) return {};
    return QT_TRANSLATE_NOOP("fitup::viewer", "no finding is selected in the table");
  };
  const auto addShow = [&](const char* id, const MenuEntry& entry, std::function<void()> show) {
    add(id, entry, model, {}, [show = std::move(show)](auto&) { show(); }).refusal = none;
  };
  const auto addChange = [&](const char* id, const MenuEntry& entry, const char* label, auto change) {
    addEdit(id, entry, model, {}, label, [&w, change](SessionState& state, auto&) {
      change(state);
    }).refusal = none;
  };
  addShow("finding zoom",
          {tr("&Zoom to it"), {}, tr("Looks at the finding from where its parts hide it least")},
          [&w] { w.view().lookAt(*w.table().current()); });
  addShow("finding select", {tr("&Select both parts"), {}, tr("Selects the parts of the finding")},
          [&w, &document] { document.select(chosenParts(w)); });
  addShow("finding show-in-tree",
          {tr("Show in the &tree"), {}, tr("Selects the parts and goes to their lines")}, [&w, &document] {
            document.select(chosenParts(w));
            raisePanel(w.tree());
            w.tree().reveal(w.table().current()->a);
          });
  addShow("finding copy-paths",
          {tr("Copy &paths"), {}, tr("Copies the paths of the parts, one on each line")},
          [&w, &document] { copyPaths(document.session()->assembly(), chosenParts(w)); });
  add("finding expand-all", {tr("Exp&and all"), {}, tr("Shows the pairs of faces of all pairs of parts")},
      model, {}, [&w](auto&) { w.table().view().expandAll(); });
  add("finding collapse-all", {tr("&Collapse all"), {}, tr("Shows one row for each pair of parts")}, model,
      {}, [&w](auto&) { w.table().view().collapseAll(); });

  addChange("finding isolate", {tr("&Isolate both parts"), {}, tr("Hides all other parts")}, "Isolate",
            [&w, &document](SessionState& state) {
              state.hidden = others(document.session()->assembly(), chosenParts(w));
            });
  addChange("finding hide-a", {tr("Hide part &A"), {}, tr("Hides the first part of the finding")}, "Hide",
            [&w](SessionState& state) {
              for (const Finding& finding : w.table().chosenFindings()) state.hidden.insert(finding.a);
            });
  addChange("finding hide-b", {tr("Hide part &B"), {}, tr("Hides the second part of the finding")}, "Hide",
            [&w](SessionState& state) {
              for (const Finding& finding : w.table().chosenFindings()) state.hidden.insert(finding.b);
            });
  addChange("finding ghost-others", {tr("&Ghost all others"), {}, tr("Makes all other parts transparent")},
            "Ghost", [&w, &document](SessionState& state) {
              state.ghosted = others(document.session()->assembly(), chosenParts(w));
            });
  addChange("finding check-only",
            {tr("Check &only this pair"), {}, tr("Checks these parts against each other only")},
            "Check these parts only", [&w, &document](SessionState& state) {
              state.rules.check =
                  checkSetsOf(document.session()->assembly(), chosenParts(w), CheckScope::amongSelected);
            });
  add("finding status", {}, model, {{"new|active|reviewed|approved|resolved", Parameter::Kind::choice}},
      [&w](const Words& words) {
        const auto* const status =
            std::ranges::find(allStatuses, words[0], [](ReviewStatus each) { return name(each); });
        w.table().setStatus(*status);
      })
      .refusal = none;
}

}  // namespace fitup::viewer
