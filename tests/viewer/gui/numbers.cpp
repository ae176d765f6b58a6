// Tests that numbers are read and shown by one rule in the whole window, whatever the locale.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QDockWidget>
#include <QLocale>
#include <QTest>

#include <fitup/io/model_file.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/placement_panel.h>

#include "support/analytic_solids.h"
#include "support/german_locale.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace numbers_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// The locale of the user's system while it lives: that of Qt, of C and of C++.
class UserLocale {
 public:
  explicit UserLocale(bool isGerman) : before_(QLocale()) {
    if (isGerman) german_.emplace();
    QLocale::setDefault(isGerman ? QLocale(QLocale::German, QLocale::Germany) : QLocale::c());
  }
  ~UserLocale() { QLocale::setDefault(before_); }
  UserLocale(const UserLocale&) = delete;
  UserLocale& operator=(const UserLocale&) = delete;

 private:
  QLocale before_;
  std::optional<GermanLocale> german_;
};

/// Two boxes of side 2000 that overlap by 1.5, and one far away.
class Bench {
 public:
  Bench() {
    Model model;
    const PartId part = model.assembly.addPart(withDeflection(sixSidedBox(2000, 2000, 2000), 0.01));
    model.assembly.addNode("a", {}, {}, part);
    model.assembly.addNode("b", shift(1998.5, 0, 0), {}, part);
    model.assembly.addNode("far", shift(0, 0, 9000), {}, part);
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(file, model);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "bench.fitup";
};

/// A window that has opened it, of a user with a German locale or the one of C.
struct BenchWindow {
  explicit BenchWindow(bool isGerman) : locale(isGerman) { gui.open(bench.file); }
  const UserLocale locale;
  const Bench bench;
  WindowSession gui;
};

double shiftOf(WindowSession& gui, const char* part) {
  return gui.document.session()->motionOf(gui.document.session()->assembly().at(part)).translation.x;
}

std::vector<QAbstractSpinBox*> fieldsOf(const QWidget& widget) {
  std::vector<QAbstractSpinBox*> fields;
  for (auto* field : widget.findChildren<QAbstractSpinBox*>()) fields.push_back(field);
  return fields;
}

/// Checks the fields that a window or a dialog has: that they are of the two kinds that follow the rule, and
/// that the sign of fractions is the one of the rule.
void checkFields(const QWidget& widget) {
  const std::vector<QAbstractSpinBox*> fields = fieldsOf(widget);
  REQUIRE_FALSE(fields.empty());
  for (QAbstractSpinBox* field : fields) {
    CAPTURE(field->metaObject()->className(), field->toolTip().toStdString(), field->text().toStdString());
    CHECK((qobject_cast<NumberField*>(field) != nullptr || qobject_cast<CountField*>(field) != nullptr));
    CHECK_FALSE(field->text().contains(','));
  }
}

}  // namespace

TEST_CASE("a number means the same with a dot and with a comma, in every locale", "[gui][numbers]") {
  const bool isGerman = GENERATE(false, true);
  CAPTURE(isGerman);
  BenchWindow window(isGerman);
  WindowSession& gui = window.gui;
  REQUIRE(gui.run({}, {"mode off", "select far"}).empty());
  auto* along = gui.window.placement().findChild<NumberField*>();  // the first one: x
  REQUIRE(along != nullptr);
  double expected = 0;
  for (const auto& [text, value] : {std::pair{"1.5", 1.5}, {"1,5", 1.5}, {"1.000", 1.0}, {"1,000", 1.0}}) {
    CAPTURE(text);
    type(*along, text);
    gui.settle();
    expected += value;
    CHECK(shiftOf(gui, "far") == Approx(expected));
    CHECK(along->text().toDouble() == value);
  }
  // A second sign, which would be a group separator, is not taken.
  for (const char* text : {"1.234,5", "1,234.5"}) {
    along->selectAll();
    QTest::keyClicks(along, text);
    CHECK(along->text() == "1.2345");
  }
  along->setValue(1234567.5);
  CHECK(along->text().startsWith("1000000."));  // the largest one that the field takes, in one group
}

TEST_CASE("dialogs read numbers as panels do", "[gui][numbers]") {
  const bool isGerman = GENERATE(false, true);
  CAPTURE(isGerman);
  BenchWindow window(isGerman);
  WindowSession& gui = window.gui;
  for (const char* text : {"1.25", "1,25"}) {
    CAPTURE(text);
    gui.document.session()->edit("Tolerance", [](SessionState& state) { state.tolerance.reset(); });
    whenAsked(
        [&](QDialog& dialog) {
          checkFields(dialog);
          auto* field = dialog.findChild<NumberField*>();
          field->selectAll();
          QTest::keyClicks(field, text);
          press(dialog, QDialogButtonBox::Ok);
        },
        [&] { gui.window.commands().action("tolerance").trigger(); });
    gui.settle();
    CHECK(gui.document.session()->state().tolerance == 1.25);
    CHECK(gui.window.commands().action("tolerance").text() == "Tolerance: 1.25 mm");
  }
  whenAsked(
      [](QDialog& dialog) {
        checkFields(dialog);
        press(dialog, QDialogButtonBox::Cancel);
      },
      [&] { gui.window.commands().action("read-again").trigger(); });
  whenAsked(
      [](QDialog& dialog) {
        checkFields(dialog);
        press(dialog, QDialogButtonBox::Cancel);
      },
      [&] { gui.window.commands().action("rules").trigger(); });
}

TEST_CASE("every field of the window follows the rule of numbers", "[gui][numbers]") {
  BenchWindow window(true);
  WindowSession& gui = window.gui;
  REQUIRE(gui.run({}, {"select far"}).empty());
  for (const QDockWidget* dock : gui.window.findChildren<QDockWidget*>()) dock->widget()->setEnabled(true);
  checkFields(gui.window);
  // Whole numbers are no fractions: "1,5" must not become 15.
  for (QAbstractSpinBox* field : fieldsOf(gui.window))
    if (auto* count = qobject_cast<CountField*>(field)) {
      CAPTURE(field->toolTip().toStdString());
      for (QString text : {QStringLiteral("1,5"), QStringLiteral("1.5"), QStringLiteral("1.000")}) {
        int position = 0;
        CHECK(count->validate(text, position) == QValidator::Invalid);
      }
    }
}

TEST_CASE("the table shows numbers as fields do, in every locale", "[gui][numbers]") {
  const bool isGerman = GENERATE(false, true);
  CAPTURE(isGerman);
  BenchWindow window(isGerman);
  WindowSession& gui = window.gui;
  waitForDepths(gui);
  Rules rules;
  rules.rules = {{"far", "a", "", RuleAction::clearance, 7500.5}};
  setRules(gui, rules);
  waitForDepths(gui);
  const InterferenceModel& model = gui.window.table().model();
  QStringList shown;
  for (int row = 0; row < model.rowCount(); ++row)
    shown << model.index(row, InterferenceModel::depth).data().toString()
          << model.index(row, InterferenceModel::verdict).data().toString();
  CAPTURE(shown.join('|').toStdString());
  CHECK(shown.contains("1.5"));
  CHECK(shown.contains("too near: 7000 of 7500.5"));
  // The search reads them as fields do.
  const int all = model.rowCount();
  for (const char* text : {"7500.5", "7500,5"}) {
    gui.window.table().search(text);
    CHECK(gui.window.table().countText().startsWith(QString("1 shown of %1 pairs of parts").arg(all)));
  }
  gui.window.table().search("7500x5");
  CHECK(gui.window.table().countText().startsWith(QString("0 shown of %1 pairs of parts").arg(all)));
}

}  // namespace numbers_tests
