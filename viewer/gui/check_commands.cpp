#include <viewer/gui/commands.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup_field/field_kinds.h>
#include <viewer/core/check_scope.h>
#include <viewer/core/length_scale.h>
#include <viewer/gui/expert_panel.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/shown_text.h>
#include <viewer/gui/status_line.h>

namespace fitup::viewer {

void Commands::addCheck(MainWindow& w) {
  using enum Command::Needs;
  using enum Parameter::Kind;
  using enum Parameter::Times;
  Document& document = w.document();
  const auto change = [&document](auto CheckSettings::*member, auto value) {
    CheckSettings settings = document.check().settings();
    settings.*member = value;
    document.check().setSettings(settings);
  };
  const auto addSwitch = [&](const char* id, const MenuEntry& entry, bool CheckSettings::*member) {
    add(id, entry, nothing, {onOrOff}, [change, member](const Words& words) {
      change(member, isOn(words[0]));
    }).checked = [&document, member] { return document.check().settings().*member; };
  };

  struct Mode {
    const char *id, *key;
    DragMode mode;
    QString tip;
  };
  for (const Mode& each :
       {Mode{"mode off", "Ctrl+1", DragMode::off, tr("Nothing is checked while a part moves")},
        Mode{"mode detect", "Ctrl+2", DragMode::detect,
             tr("Parts pass through each other; the faces that intersect turn red")},
        Mode{"mode stop", "Ctrl+3", DragMode::stopAtContact,
             tr("The part stops where it touches another one")},
        Mode{"mode slide", "S", DragMode::slide,
             tr("The part goes on along what it touches, also if chosen during a drag")}})
    addChoice(
        each.id, {dragModeText(each.mode), each.key, each.tip},
        [&w, mode = each.mode](auto&) { w.drag().setMode(mode); },
        [&w, mode = each.mode] { return w.drag().mode() == mode; });

  add("slide-turns",
      {tr("Sliding parts may &turn"), "Shift+S", tr("They give way by turning too, not only by shifting")},
      nothing, {onOrOff},
      [&w](const Words& words) {
        w.drag().setSlideFreedom(isOn(words[0]) ? SlideFreedom::shiftAndTurn : SlideFreedom::shift);
      })
      .checked = [&w] { return w.drag().slideFreedom() == SlideFreedom::shiftAndTurn; };
  addSwitch("check", {tr("&Check all parts"), "Ctrl+K", tr("Show all intersections in the model")},
            &CheckSettings::on);
  addSwitch("verdicts",
            {tr("&Verdicts: clash, contact or clear"), "V",
             tr("Distinguish parts that touch from parts that clash, and show the depth")},
            &CheckSettings::verdicts);
  addSwitch("distance",
            {tr("Measure the &distance"), "Ctrl+D", tr("From the selected parts to the nearest other part")},
            &CheckSettings::distance);

  Command& tolerance =
      addEdit("tolerance", {tr("Tolerance..."), "T", tr("Overlaps up to this depth count as contact")}, model,
              {{"T", number}}, "Tolerance", [](SessionState& state, const Words& words) {
                if (!(numberOf(words[0]) >= 0)) throw InputError("the tolerance must not be below 0");
                state.tolerance = numberOf(words[0]);
              });
  tolerance.currentText = [&document] {
    if (document.session() == nullptr) return tr("Tolerance...");
    const std::optional<double> value = document.check().tolerance();
    if (!value) return tr("Tolerance: from the tessellation");
    return tr("Tolerance: %1 %2")
        .arg(QString::number(document.lengthUnit().shown(*value)), menuText(document.lengthUnit().name));
  };
  tolerance.ask = [&w, &tolerance] {
    Session& session = *w.document().session();
    const LengthUnit unit = w.document().lengthUnit();
    const double present = session.state().tolerance.value_or(0), asked = unit.shown(present);
    const auto value =
        askNumber(&w, {tr("Tolerance"),
                       tr("Overlaps up to this depth count as contact, in %1.\n0: the depth follows from the "
                          "tessellation, or from the size of the model.")
                           .arg(unitAfterIn(unit)),
                       asked, 0, unit.shown(1e6),
                       std::max(4, decimalsFor(unit.shown(sizeOf(session.assembly()))) + 2)});
    if (!value) return;
    const double chosen = *value == asked ? present : unit.model(*value);
    session.edit(tolerance.undoLabel, [&](SessionState& state) {
      state.tolerance = chosen > 0 ? std::optional(chosen) : std::nullopt;
    });
  };

  addSwitch(
      "exact-shapes",
      {tr("Judge &exact shapes at the tolerance"), "E",
       tr("Once nothing moves, refine the faces of CAD parts where their chord errors leave the verdict at "
          "your tolerance open")},
      &CheckSettings::exactShapes);

  const auto addScope = [&](const char* id, const MenuEntry& entry, CheckScope scope) {
    addEdit(id, entry, selection, {}, "Check these parts only",
            [&document, scope](SessionState& state, auto&) {
              state.rules.check = checkSetsOf(document.session()->assembly(), document.selection(), scope);
            });
  };
  addScope("check-only with",
           {tr("Pairs &with a selected part"), "W", tr("Check each selected part against all other parts")},
           CheckScope::withSelected);
  addScope("check-only among",
           {tr("Pairs a&mong the selected parts"), "Shift+W",
            tr("Check the selected parts against each other only")},
           CheckScope::amongSelected);
  addEdit("check-only off", {tr("All parts a&gain"), "Ctrl+Shift+W", tr("Check all pairs of parts")}, model,
          {}, "Check all parts", [](SessionState& state, auto&) { state.rules.check.reset(); })
      .available = [&document] {
    return document.session() != nullptr && document.session()->state().rules.check;
  };

  struct Query {
    const char *id, *key;
    QueryMode mode;
    QString text, tip;
  };
  for (const Query& each :
       {Query{"query first", "Ctrl+4", QueryMode::firstSurfacePair, tr("First pair of faces only"),
              tr("One pair for each pair of parts; the fastest")},
        Query{"query surfaces", "Ctrl+5", QueryMode::allSurfacePairs, tr("All pairs of faces"),
              tr("Every pair of faces that intersect")},
        Query{"query triangles", "Ctrl+6", QueryMode::allTrianglePairs, tr("All pairs of triangles"),
              tr("Every pair of faces, with all pairs of triangles")}})
    addChoice(
        each.id, {each.text, each.key, each.tip},
        [change, mode = each.mode](auto&) { change(&CheckSettings::mode, mode); },
        [&document, mode = each.mode] { return document.check().settings().mode == mode; });

  const auto noFinding = [&w] {
    if (w.document().session() == nullptr) return QT_TRANSLATE_NOOP("fitup::viewer", "no model is open");
    if (w.table().rows().rowCount() > 0) return "";
    return QT_TRANSLATE_NOOP("fitup::viewer", "the table lists no findings");
  };
  add("finding", {tr("&Next finding"), "N", tr("Goes to the next row of the table")}, nothing, {},
      [&w](auto&) { w.table().step(1); })
      .refusal = noFinding;
  add("finding previous", {tr("&Previous finding"), "Shift+N", tr("Goes to the previous row of the table")},
      nothing, {}, [&w](auto&) { w.table().step(-1); })
      .refusal = noFinding;

  add("depths", {}, model, {}, [&document](auto&) {
    if (!document.check().settings().verdicts) throw InputError("depths are shown only with verdicts on");
  }).isDone = [&document](auto&) {
    return !document.check().isCatchingUp() && !document.check().isMeasuringDepths();
  };
  add("hierarchy", {}, nothing, {{"KIND"}}, [&w](const Words& words) {
    const auto kind = field::hierarchyKindFromName(words[0]);
    if (!kind) throw InputError("'" + words[0] + "' is not one of " + field::hierarchyKindNames());
    w.expert().chooseHierarchy(*kind);
  });
  add("overlap-box", {}, nothing, {{"on|off|classical", choice}}, [change](const Words& words) {
    for (const OverlapBoxSetting setting :
         {OverlapBoxSetting::on, OverlapBoxSetting::off, OverlapBoxSetting::classical})
      if (name(setting) == words[0]) change(&CheckSettings::overlapBox, setting);
  });
  add("boxes off", {}, model, {}, [&w](auto&) { w.expert().showBoxes({}); });
  add("boxes", {}, model, {{"N", count}}, [&w](const Words& words) {
    if (countOf(words[0]) > ExpertPanel::deepestLevel) throw InputError("levels are 0 to 99");
    w.expert().showBoxes(countOf(words[0]));
  });
  add("search", {}, nothing, {{"TEXT", text, optional}}, [&w](const Words& words) {
    w.table().search(words.empty() ? QString() : QString::fromStdString(words[0]));
  });
  add("sort", {}, nothing, {{"COLUMN"}}, [&w](const Words& words) {
    std::string columns;
    for (int i = 0; i < InterferenceModel::columns; ++i) {
      const std::string column =
          InterferenceModel::nameOf(static_cast<InterferenceModel::Column>(i)).toLower().toStdString();
      if (column == words[0]) return w.table().view().sortByColumn(i, Qt::AscendingOrder);
      columns += (i == 0 ? "" : ", ") + column;
    }
    throw InputError("'" + words[0] + "' is not one of " + columns);
  });
}

}  // namespace fitup::viewer
