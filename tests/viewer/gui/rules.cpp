// Tests the rule for a finding, rules in scripts, and what a change of rules does to the live check.
#include <catch2/catch.hpp>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QSortFilterProxyModel>

#include <viewer/gui/interference_table.h>
#include <viewer/gui/script_words.h>

#include "viewer/gui/rules_bench.h"

namespace viewer_gui_rules_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Chooses a finding of two parts in the table.
void chooseFinding(WindowSession& gui, const std::string& a, const std::string& b) {
  const auto row = rowOf(gui, a, b);
  REQUIRE(row);
  const InterferenceModel& model = gui.window.table().model();
  gui.window.table().view().setCurrentIndex(
      gui.window.table().rows().mapFromSource(model.indexOf(model.finding(*row))));
  gui.settle();
}

}  // namespace

TEST_CASE("a finding becomes a rule", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  gui.key(Qt::Key_L);
  CHECK(gui.window.errorText() == "no finding is selected in the table");
  waitForDepths(gui);

  chooseFinding(gui, "base", "mated");
  inRulesDialog(
      gui,
      [](const RulesDialogUser& dialog) {
        CHECK(dialog.rules().rules == std::vector<Rule>{{"base", "mated", "", RuleAction::allowContact}});
        CHECK(dialog.cell(0, RulesModel::pairs) == "1");
        dialog.cancel();
      },
      Qt::Key_L, {});
  CHECK(rulesOf(gui).empty());

  REQUIRE(clash(gui, "base", "deep"));
  chooseFinding(gui, "base", "deep");
  inRulesDialog(gui,
                [](const RulesDialogUser& dialog) {
                  CHECK(dialog.rules().rules.at(0).action == RuleAction::allowOverlap);
                  CHECK(dialog.message() == "Rule 1 is new, for the selected finding.");
                  dialog.accept();
                },
                Qt::Key_L, {});
  waitForDepths(gui);
  CHECK_FALSE(clash(gui, "base", "deep"));

  // A thread, which the rule recognises; a bolt that does not sit in it is still a clash.
  REQUIRE(clash(gui, "bolt", "nut"));
  chooseFinding(gui, "bolt", "nut");
  inRulesDialog(gui,
                [](const RulesDialogUser& dialog) {
                  CHECK(dialog.model().rowCount() == 2);
                  CHECK(dialog.get<QCheckBox>("thread").isChecked());
                  CHECK(dialog.get<QDoubleSpinBox>("length").value() == 0.7);
                  CHECK(dialog.cell(1, RulesModel::pairs) == "1");
                  dialog.accept();
                },
                Qt::Key_L, {});
  waitForDepths(gui);
  CHECK_FALSE(clash(gui, "bolt", "nut"));
  CHECK(gui.document.session()->state().rules.rules.size() == 2);
  CHECK(gui.run({}, {"select bolt", "move 2 0 0", "depths"}) == "");
  CHECK(clash(gui, "bolt", "nut"));
}

TEST_CASE("scripts add rules, and load them", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  CHECK(gui.run({}, {"rule add x y ignore"}) == "session, line 1: no model is open");
  gui.open(bench.file);
  CHECK(gui.run({}, {"rule add base deep allowOverlap 2.5", "depths"}) == "");
  CHECK_FALSE(clash(gui, "base", "deep"));
  CHECK(gui.document.session()->history().undoLabel() == "Change rules");
  CHECK(gui.run({}, {"rule add \"base\" mated ignore"}) == "");
  CHECK(rulesOf(gui).rules.size() == 2);
  CHECK_FALSE(rowOf(gui, "base", "mated"));
  const std::string start = "session, line 1: ";
  CHECK(gui.run({}, {"rule add x y allowed"}).starts_with(start + "'allowed' is not one of ignore"));
  CHECK(gui.run({}, {"rule add x y clearance"}) == start + "'clearance' needs a length");
  CHECK(gui.run({}, {"rule add x y ignore 3"}) == start + "'ignore' has no length");
  CHECK(gui.run({}, {"rule add x y clearance 0"}) == start + "rule: distance: must be above 0");
  CHECK(gui.run({}, {"rule add \"\" y ignore"}) == start + "rule: a: is empty, so it would match nothing");
  CHECK(rulesOf(gui).rules.size() == 2);

  Rules threads;
  threads.rules.push_back({"*", "*", "", RuleAction::allowOverlap});
  threads.rules[0].depth = 0.7;
  threads.rules[0].fastener = Fastener::thread;
  writeRules(bench.folder / "threads.json", threads);
  CHECK(gui.run({}, {"rules " + viewer::quotedWord((bench.folder / "threads.json").string()), "depths"}) ==
        "");
  CHECK(rulesOf(gui) == threads);
  CHECK_FALSE(clash(gui, "bolt", "nut"));
  CHECK(gui.run({}, {"rules nowhere.json"}).find("nowhere.json") != std::string::npos);
  CHECK(rulesOf(gui) == threads);
  chooseFinding(gui, "base", "deep");
  CHECK(gui.run({}, {"depths", "rule for-finding", "depths"}) == "");
  CHECK(rulesOf(gui).rules.size() == 2);
  CHECK_FALSE(clash(gui, "base", "deep"));
}

TEST_CASE("the table counts one finding in the singular", "[gui]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  waitForDepths(gui);
  CHECK(gui.run({}, {"rule add base * ignore", "query first", "depths"}) == "");
  CHECK(gui.window.table().model().count() == 1);
  CHECK(gui.window.table().countText().startsWith("1 pair of parts: 1 clash; 1 of 1 pair of faces"));
  CHECK(gui.run({}, {"search nowhere"}) == "");
  CHECK(gui.window.table().countText().startsWith("0 shown of 1 pair of parts:"));
  CHECK(gui.run({}, {"search", "query surfaces", "undo"}) == "");
  CHECK(gui.window.table().countText().contains(" pairs of parts: "));
}

}  // namespace viewer_gui_rules_tests
