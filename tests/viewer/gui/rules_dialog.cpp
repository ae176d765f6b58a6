// Tests the dialog of rules, driven by its widgets and keys.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QCheckBox>
#include <QColorDialog>
#include <QDoubleSpinBox>

#include "viewer/gui/rules_bench.h"

namespace rules_dialog_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

TEST_CASE("a rule of the dialog ends a clash, and undo brings it back", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  waitForDepths(gui);
  REQUIRE(clash(gui, "base", "deep"));
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    CHECK(dialog.model().rowCount() == 0);
    CHECK_FALSE(dialog.get<QWidget>("a").isEnabled());
    CHECK_FALSE(dialog.get<QPushButton>("remove").isEnabled());
    dialog.click("add");
    dialog.type("a", "base");
    dialog.type("b", "de*");
    dialog.choose(RuleAction::allowOverlap);
    dialog.get<QDoubleSpinBox>("length").setValue(2.5);
    dialog.type("reason", "press fit");
    CHECK(dialog.cell(0, RulesModel::effect) == "allow overlap up to 2.5 mm");
    CHECK(dialog.mayAccept());
    dialog.accept();
  });
  Rule expected{"base", "de*", "press fit", RuleAction::allowOverlap};
  expected.depth = 2.5;
  CHECK(rulesOf(gui).rules == std::vector{expected});
  CHECK(gui.document.session()->history().undoLabel() == "Change rules");
  waitForDepths(gui);
  CHECK_FALSE(clash(gui, "base", "deep"));
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(rulesOf(gui).empty());
  waitForDepths(gui);
  CHECK(clash(gui, "base", "deep"));
}

TEST_CASE("cancel, and OK without a change, leave nothing to undo", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    dialog.click("add");
    dialog.cancel();
  });
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    CHECK(dialog.model().rowCount() == 0);
    dialog.click("add");
    dialog.click("remove");
    dialog.accept();
  });
  CHECK_FALSE(gui.document.session()->history().canUndo());
}

TEST_CASE("every field of a rule can be edited", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  Rule rule{"x", "y", "why", RuleAction::clearance, 12.5};
  rule.whereA = {"M8*", "#ff8000", "fasteners"};
  rule.whereB = {"plate", "#0000ff", "1?"};
  rule.sameSubassembly = true;
  rule.fastener = Fastener::thread;
  inRulesDialog(gui, [&](const RulesDialogUser& dialog) {
    dialog.click("add");
    dialog.type("a", "x");
    dialog.type("b", "y");
    dialog.type("partA", "M8*");
    dialog.type("partB", "plate");
    dialog.type("colourA", "#FF8000");
    dialog.type("layerA", "fasteners");
    dialog.type("layerB", "1?");
    dialog.choose(RuleAction::clearance);
    dialog.get<QDoubleSpinBox>("length").setValue(12.5);
    dialog.click("sameSubassembly");
    dialog.click("thread");
    dialog.type("reason", "why");
    // The button of the other colour.
    QTimer picks;
    QObject::connect(&picks, &QTimer::timeout, qApp, [] {
      auto* colours = qobject_cast<QColorDialog*>(QApplication::activeModalWidget());
      if (colours == nullptr) return;
      colours->setCurrentColor(Qt::blue);
      QMetaObject::invokeMethod(colours, "accept");
    });
    picks.start(10);
    dialog.click("colourBPick");
    CHECK(dialog.rules().rules.at(0) == rule);
    CHECK(dialog.cell(0, RulesModel::effect) == "keep a distance of 12.5 mm");
    CHECK(", " + dialog.cell(0, RulesModel::requirements) == requirementsText(rule));
    CHECK(dialog.cell(0, RulesModel::reason) == "why");
    // Other actions have no length; the number comes back with them.
    dialog.choose(RuleAction::allowContact);
    CHECK_FALSE(dialog.get<QWidget>("length").isVisible());
    CHECK(dialog.rules().rules.at(0).distance == 0);
    dialog.choose(RuleAction::clearance);
    dialog.accept();
  });
  CHECK(rulesOf(gui).rules == std::vector{rule});
  // The form shows what the session has, and does not change it.
  inRulesDialog(gui, [&](const RulesDialogUser& dialog) {
    CHECK(dialog.get<QLineEdit>("partA").text() == "M8*");
    CHECK(dialog.get<QLineEdit>("colourB").text() == "#0000ff");
    CHECK(dialog.get<QLineEdit>("layerB").text() == "1?");
    CHECK(dialog.get<QComboBox>("action").currentIndex() == static_cast<int>(RuleAction::clearance));
    CHECK(dialog.get<QDoubleSpinBox>("length").value() == 12.5);
    CHECK(dialog.get<QCheckBox>("thread").isChecked());
    dialog.click("thread");
    dialog.type("colourA", "");
    dialog.type("layerA", "");
    dialog.accept();
  });
  rule.fastener.reset();
  rule.whereA.colour.clear();
  rule.whereA.layer.clear();
  CHECK(rulesOf(gui).rules == std::vector{rule});
}

TEST_CASE("a length keeps all its digits unless it is edited", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  constexpr double third = 1.0 / 3, tiny = 1.25e-9;
  setRules(gui, {.rules = {{"a", "b", "", RuleAction::clearance, third},
                           {"c", "d", "", RuleAction::clearance, tiny}}});
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    // The second rule needs more decimals than the first.
    dialog.select(1);
    dialog.select(0);
    CHECK(dialog.get<QDoubleSpinBox>("length").value() == Approx(third).margin(1e-4));
    dialog.type("reason", "insulation");
    dialog.choose(RuleAction::allowContact);
    dialog.choose(RuleAction::clearance);
    dialog.select(1);
    CHECK(dialog.get<QDoubleSpinBox>("length").value() > 0);
    CHECK(dialog.mayAccept());
    dialog.type("reason", "insulation");
    dialog.accept();
  });
  CHECK(rulesOf(gui).rules.at(0).distance == third);
  CHECK(rulesOf(gui).rules.at(1).distance == tiny);
  CHECK(rulesOf(gui).rules.at(1).reason == "insulation");
}

TEST_CASE("invalid input is described beside its field and cannot be accepted", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  setRules(gui, {.rules = {{"x", "y"}}});
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    CHECK(dialog.mayAccept());
    dialog.type("a", "");
    CHECK(dialog.problem("aProblem") == "This is empty, so it would match nothing");
    CHECK(dialog.problem("bProblem").empty());
    CHECK_FALSE(dialog.mayAccept());
    // Of another rule too.
    dialog.click("add");
    CHECK(dialog.problem("aProblem").empty());
    CHECK(dialog.message() == "Rule 1 is not complete.");
    CHECK_FALSE(dialog.mayAccept());
    dialog.select(0);
    dialog.type("a", "x");
    CHECK(dialog.problem("aProblem").empty());
    CHECK(dialog.message().empty());
    CHECK(dialog.mayAccept());

    dialog.type("colourB", "orange");
    CHECK(dialog.problem("colourBProblem") == "This must be a colour such as \"#ff8000\"");
    CHECK_FALSE(dialog.mayAccept());
    dialog.type("colourB", "#00ff00");
    CHECK(dialog.mayAccept());

    dialog.choose(RuleAction::allowOverlap);
    CHECK(dialog.problem("actionProblem") == "This must be above 0");
    CHECK_FALSE(dialog.mayAccept());
    dialog.get<QDoubleSpinBox>("length").setValue(0.5);
    CHECK(dialog.mayAccept());

    auto& pattern = dialog.get<QLineEdit>("b");
    pattern.setFocus();
    pattern.selectAll();
    pattern.insert(QString(longestPattern + 1, 'x'));
    CHECK(dialog.problem("bProblem") == "This is longer than 4096 bytes");
    CHECK_FALSE(dialog.mayAccept());
    dialog.cancel();
  });
}

TEST_CASE("rules are ordered by buttons and keys, and the first that matches applies", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  setRules(gui, {.rules = {{"base", "*", "first"}, {"*", "*", "second"}}});
  const auto order = [](const RulesDialogUser& dialog) {
    std::string text;
    for (const Rule& rule : dialog.rules().rules) text += rule.reason + ' ';
    return text;
  };
  inRulesDialog(gui, [&](const RulesDialogUser& dialog) {
    // 10 pairs of 5 parts, 4 of them with the base.
    CHECK(dialog.cell(0, RulesModel::pairs) == "4");
    CHECK(dialog.cell(1, RulesModel::pairs) == "6 of 10");
    CHECK_FALSE(dialog.get<QPushButton>("up").isEnabled());
    dialog.click("down");
    CHECK(order(dialog) == "second first ");
    CHECK_FALSE(dialog.get<QPushButton>("down").isEnabled());
    QTest::qWait(500);
    CHECK(dialog.cell(0, RulesModel::pairs) == "10");
    CHECK(dialog.cell(1, RulesModel::pairs) == "0 of 4");
    dialog.click("duplicate");
    dialog.type("reason", "third");
    CHECK(order(dialog) == "second first third ");
    dialog.key(Qt::Key_Up, Qt::AltModifier);
    CHECK(order(dialog) == "second third first ");
    dialog.key(Qt::Key_Down, Qt::AltModifier);
    dialog.key(Qt::Key_Down, Qt::AltModifier);
    CHECK(order(dialog) == "second first third ");
    // Del removes a rule only in the table.
    dialog.type("partA", "x");
    CHECK(dialog.model().rowCount() == 3);
    auto& threads = dialog.get<QCheckBox>("thread");
    threads.setFocus();
    QTest::keyClick(&threads, Qt::Key_Delete);
    CHECK(dialog.model().rowCount() == 3);
    dialog.key(Qt::Key_Delete);
    CHECK(order(dialog) == "second first ");
    dialog.key(Qt::Key_Insert);
    CHECK(dialog.model().rowCount() == 3);
    dialog.click("remove");
    dialog.accept();
  });
  CHECK(rulesOf(gui).rules == std::vector<Rule>{{"*", "*", "second"}, {"base", "*", "first"}});
}

TEST_CASE("rules are saved to files and loaded from them", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  Rule threads{"*", "*", "", RuleAction::allowOverlap};
  threads.depth = 0.7;
  threads.fastener = Fastener::thread;
  const std::filesystem::path file = bench.folder / "mine.json", broken = bench.folder / "broken.json",
                              old = bench.folder / "old.json";
  setRules(gui, {.rules = {threads}});
  inRulesDialog(gui, [&](const RulesDialogUser& dialog) {
    {
      const Chooses chooses(gui, QString::fromStdString(file.string()));
      dialog.click("save");
    }
    CHECK(dialog.message() == "Saved " + file.string());
    dialog.click("remove");
    CHECK(dialog.model().rowCount() == 0);
    {
      const Chooses chooses(gui, QString::fromStdString(file.string()));
      dialog.click("load");
    }
    CHECK(dialog.rules().rules == std::vector{threads});
    CHECK(dialog.get<QCheckBox>("thread").isChecked());

    writeText(broken,
              R"({"format": "fitup-rules", "version": 3, "rules": [{"a": "x", "action": "ignore"}]})");
    {
      const Chooses chooses(gui, QString::fromStdString(broken.string()));
      dialog.click("load");
    }
    CHECK(dialog.message() == broken.string() + ": rule 0: b: is missing");
    CHECK(dialog.rules().rules == std::vector{threads});

    // What the file cannot hold is not written.
    dialog.type("a", "");
    {
      const Chooses chooses(gui, QString::fromStdString((bench.folder / "none.json").string()));
      dialog.click("save");
    }
    CHECK(dialog.message().find("rule 0: a: is empty") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(bench.folder / "none.json"));
    dialog.type("a", "*");

    // Version 1 can only ignore.
    CHECK_FALSE(dialog.get<QCheckBox>("wholePaths").isVisible());
    writeText(old, R"({"format": "fitup-rules", "version": 1, "ignore": [{"a": "x", "b": "y"}]})");
    {
      const Chooses chooses(gui, QString::fromStdString(old.string()));
      dialog.click("load");
    }
    CHECK(dialog.get<QCheckBox>("wholePaths").isVisible());
    CHECK(dialog.mayAccept());
    dialog.choose(RuleAction::allowContact);
    CHECK(dialog.problem("actionProblem").find("version 1") != std::string::npos);
    CHECK_FALSE(dialog.mayAccept());
    dialog.click("wholePaths");
    CHECK(dialog.mayAccept());
    dialog.accept();
  });
  CHECK(readRules(file).rules == std::vector{threads});
  CHECK_FALSE(rulesOf(gui).wholePaths);
  CHECK(rulesOf(gui).rules == std::vector<Rule>{{"x", "y", "", RuleAction::allowContact}});
}

TEST_CASE("every field and button of the dialog says what it is for", "[gui][rules]") {
  const RulesBench bench;
  WindowSession gui;
  gui.open(bench.file);
  setRules(gui, {.rules = {{"x", "y", "", RuleAction::clearance, 1}}});
  inRulesDialog(gui, [](const RulesDialogUser& dialog) {
    for (const char* name : {"a",       "b",           "partA",           "partB",  "colourA",
                             "colourB", "colourAPick", "colourBPick",     "layerA", "layerB",
                             "action",  "length",      "sameSubassembly", "thread", "reason",
                             "add",     "duplicate",   "remove",          "up",     "down",
                             "load",    "save"}) {
      CAPTURE(name);
      CHECK_FALSE(dialog.get<QWidget>(name).toolTip().isEmpty());
    }
    // The tab key goes through the fields from left to right.
    const char* const order[] = {"a",           "b",       "partA",           "partB",  "colourA",
                                 "colourAPick", "colourB", "colourBPick",     "layerA", "layerB",
                                 "action",      "length",  "sameSubassembly", "thread", "reason"};
    const QWidget* field = &dialog.get<QWidget>("a");
    for (const char* name : order) {
      CHECK(field->objectName() == name);
      do field = field->nextInFocusChain();
      while ((field->focusPolicy() & Qt::TabFocus) == 0 || !field->isVisible() ||
             field->objectName().isEmpty() || field->objectName().startsWith("qt_"));
    }
    dialog.cancel();
  });
}

}  // namespace rules_dialog_tests
