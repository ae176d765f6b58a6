// Tests the unit of lengths: what the window shows and takes in it, and what keeps the unit of the model.
#include <catch2/catch.hpp>
#include <cmath>

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QSettings>
#include <QTest>

#include <fitup/io/model_file.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/length_unit.h>
#include <viewer/gui/measure_panel.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/preferences_dialog.h>
#include <viewer/gui/properties_panel.h>
#include <viewer/gui/quantity_text.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/rules_bench.h"
#include "viewer/gui/window_session.h"

namespace length_units_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Boxes with sides of one and two inches: "b" reaches by a tenth of an inch into "a", and "far" is half an
/// inch above "a".
class Bench {
 public:
  explicit Bench(const char* unit = "mm", double inch = 25.4) {
    Model model;
    Assembly& assembly = model.assembly;
    assembly.setUnit(unit);
    const auto add = [&](const char* name, double width, const Vec3& at) {
      const MeshPtr box = withDeflection(sixSidedBox(width * inch, inch, inch), 1e-6 * inch);
      return assembly.addNode(name, shift(at.x * inch, at.y * inch, at.z * inch), {}, assembly.addPart(box));
    };
    a = add("a", 2, {});
    b = add("b", 1, {1.4, 0, 0});
    far = add("far", 1, {0, 0, 1.5});
    model.collisionModels = buildCollisionModels(assembly);
    writeModelFile(folder / "bench.fitup", model);
    gui.open(folder / "bench.fitup");
  }
  ~Bench() { QSettings().clear(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  void run(const std::vector<std::string>& lines) {
    REQUIRE(gui.run({}, lines) == "");
    gui.settle();
  }
  Session& session() { return *gui.document.session(); }
  void raise(const char* panel) {
    auto* dock = gui.window.findChild<QDockWidget*>(panel);
    REQUIRE(dock != nullptr);
    dock->raise();
    gui.settle();
  }
  /// What the panel "Properties" shows.
  std::string property(const char* group, const char* name) {
    gui.waitFor([this] { return !gui.window.properties().isWaiting(); }, "the facts of the part");
    return gui.window.properties().value(group, name).toStdString();
  }
  /// All lines that the panel "Measure" shows.
  std::string measured() {
    std::string text;
    const auto* list = gui.window.measurements().findChild<ValueList*>();
    for (int group = 0; group < list->topLevelItemCount(); ++group)
      for (int line = 0; line < list->topLevelItem(group)->childCount(); ++line) {
        const QTreeWidgetItem& item = *list->topLevelItem(group)->child(line);
        text += (item.text(0) + ": " + item.text(1) + "\n").toStdString();
      }
    return text;
  }
  std::string depthHeading() {
    const auto heading =
        gui.window.table().rows().headerData(InterferenceModel::depth, Qt::Horizontal, Qt::DisplayRole);
    return heading.toString().toStdString();
  }
  std::string deepest() {
    const InterferenceModel& rows = gui.window.table().model();
    REQUIRE(rows.rowCount() > 0);
    return rows.data(rows.index(0, InterferenceModel::depth), Qt::DisplayRole).toString().toStdString();
  }
  NumberField& moveField(std::size_t i) {
    return *gui.window.placement().findChildren<NumberField*>().at(static_cast<qsizetype>(i));
  }
  std::string moved() {
    for (const auto* label : gui.window.placement().findChildren<QLabel*>())
      if (label->text().startsWith("from design")) return label->text().toStdString();
    return {};
  }
  NumberField& sectionField() { return *gui.window.section().findChild<NumberField*>(); }

  TemporaryFolder folder;
  NodeId a{}, b{}, far{};
  WindowSession gui;
};

/// Equal but for the rounding of a few operations.
bool isSame(double value, double expected) {
  return std::abs(value - expected) <= 1e-12 * std::abs(expected);
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("properties, measurements and findings are shown in the chosen unit", "[gui][units]") {
  Bench bench;
  bench.run({"length-unit in", "verdicts on", "distance on", "tolerance 0.254", "select a"});
  waitForDepths(bench.gui);
  bench.raise("Properties");
  CHECK(bench.property("Geometry", "Area") == "10 in²");
  CHECK(bench.property("Geometry", "Volume") == "2 in³");
  CHECK(bench.property("Box in the world, in inches", "Size") == "2, 1, 1");
  CHECK(bench.property("Placement in the world, in inches", "Origin") == "0, 0, 0");
  CHECK(bench.property("General", "Unit") == "mm");  // that of the model, which is a fact about the file
  CHECK(contains(bench.property("General", "Chord error"), "1e-06 in"));
  bench.run({"select-face far 5"});
  CHECK(bench.property("Face 5, in the world", "Area") == "1 in²");
  CHECK(contains(bench.property("Face 5, in the world", "Centroid"), "0, 0, 2"));

  CHECK(bench.depthHeading() == "Depth (in)");
  CHECK(contains(bench.deepest(), "0.1"));
  const Finding finding = bench.gui.window.table().model().finding(0);
  bench.gui.window.view().choose(finding);
  bench.gui.window.table().view().setCurrentIndex(bench.gui.window.table().rows().index(0, 0));
  CHECK(bench.gui.window.view().depthText().startsWith("0.1"));
  CHECK(bench.gui.window.view().depthText().endsWith(" in"));
  CHECK(bench.property("Finding, in inches", "Tolerance") == "0.01");

  bench.run({"select far"});
  bench.gui.waitFor([&] { return !bench.gui.window.statusLine().distanceText().isEmpty(); }, "a distance");
  CHECK(contains(bench.gui.window.statusLine().distanceText().toStdString(), "a, 0.5 in"));

  bench.run({"select", "measure a 5", "measure far 4"});
  const QStringList labels = bench.gui.window.view().measuredNumbers();
  REQUIRE(labels.size() == 1);
  CHECK(labels[0].contains("0.5 in"));
  CHECK(contains(bench.measured(), "Between the planes: 0.5 in"));
}

TEST_CASE("what is shown follows another unit at once", "[gui][units]") {
  Bench bench;
  bench.run({"verdicts on", "tolerance 0.254", "select a"});
  waitForDepths(bench.gui);
  bench.raise("Properties");
  bench.run({"measure a 5", "measure far 4"});
  CHECK(bench.property("Box in the world, in mm", "Size") == "50.8, 25.4, 25.4");
  CHECK(bench.depthHeading() == "Depth (mm)");
  CHECK(contains(bench.deepest(), "2.54"));
  CHECK(contains(bench.measured(), "Between the planes: 12.7 mm"));

  int changes = 0;
  QObject::connect(
      &bench.gui.window.table().model(), &QAbstractItemModel::dataChanged,
      [&changes](const QModelIndex& first, const QModelIndex& last) {
        if (first.column() <= InterferenceModel::depth && last.column() >= InterferenceModel::depth)
          ++changes;
      });
  const SessionState before = bench.session().state();
  bench.run({"length-unit cm"});
  CHECK(changes > 0);
  CHECK(bench.property("Box in the world, in cm", "Size") == "5.08, 2.54, 2.54");
  CHECK(bench.property("Geometry", "Volume") == "32.77413 cm³");
  CHECK(bench.depthHeading() == "Depth (cm)");
  CHECK(contains(bench.deepest(), "0.254"));
  CHECK(contains(bench.measured(), "Between the planes: 1.27 cm"));
  CHECK(bench.gui.window.view().measuredNumbers().at(0).contains("1.27 cm"));
  CHECK(bench.sectionField().suffix() == " cm");
  CHECK(bench.gui.window.commands().action("tolerance").text() == "Tolerance: 0.0254 cm");
  // Neither the session nor its undo steps know of it.
  CHECK(bench.session().state().tolerance == before.tolerance);
  bench.run({"length-unit model"});
  CHECK(bench.depthHeading() == "Depth (mm)");
  CHECK(bench.property("Box in the world, in mm", "Size") == "50.8, 25.4, 25.4");
}

TEST_CASE("the panel 'Move' takes and shows the chosen unit", "[gui][units]") {
  Bench bench;
  bench.run({"mode off", "snap on 1 5", "length-unit in", "select far"});
  bench.raise("Move");
  type(bench.moveField(0), "0.125");
  bench.gui.settle();
  CHECK(isSame(bench.session().motionOf(bench.far).translation.x, 3.175));
  CHECK(bench.moved() == "from design: 0.125, 0, 0 in, not turned");
  CHECK(bench.moveField(0).value() == 0.125);

  // The step of moves is a millimetre until its own field changes it.
  NumberField& distance = bench.moveField(6);
  CHECK(distance.suffix() == " in");
  CHECK(distance.value() == Approx(1 / 25.4).margin(1e-4));
  type(bench.moveField(7), "10");
  CHECK(bench.gui.window.drag().steps().degrees == 10);
  CHECK(bench.gui.window.drag().steps().distance == 1);
  type(distance, "0.25");
  CHECK(isSame(bench.gui.window.drag().steps().distance, 6.35));

  // What is typed but not yet done keeps its length.
  bench.moveField(1).setValue(1);
  bench.run({"length-unit mm"});
  CHECK(bench.moveField(1).value() == Approx(25.4));
  CHECK(bench.moved() == "from design: 3.175, 0, 0 mm, not turned");
  CHECK(distance.value() == Approx(6.35));
}

TEST_CASE("a number for a handle is in the chosen unit, an angle in degrees", "[gui][units]") {
  Bench bench;
  bench.run({"mode off", "length-unit in", "select far"});
  const auto typeOn = [&](GizmoHandle handle, const char* keys) {
    const auto gizmo = bench.gui.window.view().gizmo();
    REQUIRE(gizmo);
    const std::vector<Vec3> line = gizmo->outline(handle);
    const Vec3 at = turns(handle) ? line[5] : 0.2 * line.front() + 0.8 * line.back();
    const QPointF point = bench.gui.window.view().widgetPoint(at).value();
    Hand hand(bench.gui);
    hand.press(point);
    hand.release(point);
    QTest::keyClicks(&bench.gui.window.view(), keys);
    const std::string shown = bench.gui.window.view().displacementText().toStdString();
    QTest::keyClick(&bench.gui.window.view(), Qt::Key_Return);
    bench.gui.settle();
    return shown;
  };
  CHECK(contains(typeOn(GizmoHandle::moveZ, "1.5"), "1.5| in"));
  CHECK(isSame(bench.session().motionOf(bench.far).translation.z, 38.1));
  bench.session().undo();
  bench.gui.settle();
  CHECK(contains(typeOn(GizmoHandle::turnZ, "90"), "90|°"));
  CHECK(bench.session().motionOf(bench.far).rotation.z == Approx(std::sqrt(0.5)));
}

TEST_CASE("the tolerance is asked for in the chosen unit", "[gui][units]") {
  Bench bench;
  bench.run({"length-unit in", "tolerance 0.1"});
  const auto ask = [&](const std::function<void(NumberField&)>& answer) {
    whenAsked(
        [&](QDialog& dialog) {
          bool namesUnit = false;
          for (const auto* label : dialog.findChildren<QLabel*>())
            namesUnit = namesUnit || label->text().contains(", in inches.");
          CHECK(namesUnit);
          answer(*dialog.findChild<NumberField*>());
          press(dialog, QDialogButtonBox::Ok);
        },
        [&] { bench.gui.window.commands().action("tolerance").trigger(); });
    bench.gui.settle();
  };
  ask([](NumberField& field) { CHECK(field.value() == Approx(0.1 / 25.4).margin(1e-6)); });
  CHECK(bench.session().state().tolerance == 0.1);  // not rounded to what the field shows
  ask([](NumberField& field) {
    field.selectAll();
    QTest::keyClicks(&field, "0.005");
  });
  CHECK(isSame(bench.session().state().tolerance.value(), 0.127));
  CHECK(bench.gui.window.commands().action("tolerance").text() == "Tolerance: 0.005 in");
}

TEST_CASE("a section is placed in the chosen unit and keeps its place", "[gui][units]") {
  Bench bench;
  bench.run({"length-unit in", "section z 1"});
  NumberField& field = bench.sectionField();
  CHECK(field.suffix() == " in");
  CHECK(field.value() == Approx(1 / 25.4).margin(1e-4));
  const auto plane = [&] { return bench.session().state().sections.at(0); };
  // The field shows it rounded, and other controls do not make it so.
  bench.gui.window.section().findChildren<QCheckBox*>().at(1)->click();
  CHECK(plane().offset == -1);
  type(field, "0.375");
  CHECK(isSame(-plane().offset, 9.525));
  const auto* list = bench.gui.window.section().findChild<QListWidget*>();
  CHECK(list->item(0)->text().contains("0.375"));
  CHECK(list->item(0)->text().endsWith(" in"));
  bench.run({"length-unit m"});
  CHECK(isSame(-plane().offset, 9.525));
  CHECK(field.value() == Approx(0.009525));
}

TEST_CASE("lengths of rules are shown and typed in the chosen unit, and kept in the model's",
          "[gui][units]") {
  Bench bench;
  bench.run({"length-unit in", "rule add a b allowOverlap 5.08"});
  inRulesDialog(bench.gui, [](const RulesDialogUser& user) {
    CHECK(contains(user.cell(0, RulesModel::effect), "0.2 in"));
    auto& length = user.get<NumberField>("length");
    CHECK(length.value() == Approx(0.2));
    CHECK(length.suffix() == " in");
    length.setValue(0.25);
    user.accept();
  });
  const Rules& rules = bench.session().state().rules;
  REQUIRE(rules.rules.size() == 1);
  CHECK(isSame(rules.rules[0].depth, 6.35));
}

TEST_CASE("scripts and what they print keep the unit of the model", "[gui][units]") {
  Bench bench;
  bench.run({"length-unit in", "mode off", "select far", "move 1 2 3", "snap on 2", "tolerance 0.5",
             "section x 4", "measure a 5", "measure far 4"});
  bench.raise("Properties");
  CHECK(bench.session().motionOf(bench.far).translation == Vec3{1, 2, 3});
  CHECK(bench.gui.window.drag().steps().distance == 2);
  CHECK(bench.session().state().tolerance == 0.5);
  CHECK(bench.session().state().sections.at(0).offset == 4);
  CHECK(bench.property("Box in the world, in inches", "Size") == "1, 1, 1");
  const std::string properties = bench.gui.window.properties().text().toStdString();
  CHECK(contains(properties, "Size\t25.4, 25.4, 25.4"));
  CHECK_FALSE(contains(properties, "inches"));
  CHECK(contains(bench.gui.window.measurements().text().toStdString(), "Between the planes\t15.7 mm"));
}

TEST_CASE("models in metres, and in units without a known length", "[gui][units]") {
  {
    Bench bench("m", 0.0254);
    bench.run({"length-unit mm", "mode off", "select far"});
    bench.raise("Properties");
    CHECK(bench.property("Geometry", "Area") == "3870.96 mm²");
    CHECK(bench.property("Geometry", "Volume") == "16387.06 mm³");
    bench.raise("Move");
    type(bench.moveField(2), "250");
    bench.gui.settle();
    CHECK(isSame(bench.session().motionOf(bench.far).translation.z, 0.25));
    CHECK(bench.moved() == "from design: 0, 0, 250 mm, not turned");
    bench.run({"length-unit ft"});
    CHECK(bench.moved() == "from design: 0, 0, 0.82021 ft, not turned");
  }
  Bench bench("cubit", 1);
  bench.run({"length-unit in", "select far"});
  bench.raise("Properties");
  CHECK(bench.property("Geometry", "Volume") == "1 cubit³");
  CHECK(bench.depthHeading() == "Depth (cubit)");
}

TEST_CASE("the unit of lengths is chosen in the preferences and remembered", "[gui][units]") {
  {
    Bench bench;
    bench.gui.key(Qt::Key_Comma, Qt::ControlModifier);
    auto* box = bench.gui.window.findChild<PreferencesDialog*>()->findChild<QComboBox*>("length-unit");
    REQUIRE(box != nullptr);
    CHECK(box->currentData() == "model");
    CHECK(box->count() == static_cast<int>(allLengthUnitChoices.size()));
    box->setFocus();
    while (box->currentData() != "ft") QTest::keyClick(box, Qt::Key_Down);
    CHECK(bench.gui.document.lengthUnitChoice() == LengthUnitChoice::foot);
    CHECK(bench.depthHeading() == "Depth (ft)");
    bench.run({"length-unit in"});
    CHECK(box->currentData() == "in");
    CHECK(bench.gui.run({}, {"length-unit yd"}) ==
          "session, line 1: 'yd' is not one of model, mm, cm, m, in, ft");
    rememberSettings(bench.gui.window);
    WindowSession other;
    CHECK(other.document.lengthUnitChoice() == LengthUnitChoice::model);
    recallSettings(other.window);
    CHECK(other.document.lengthUnitChoice() == LengthUnitChoice::inch);
  }
  QSettings().setValue("look/lengthUnit", "furlong");
  WindowSession gui;
  recallSettings(gui.window);
  CHECK(gui.document.lengthUnitChoice() == LengthUnitChoice::model);
  QSettings().clear();
}

TEST_CASE("numbers that are typed come back as they were, in every unit of models and windows",
          "[gui][units]") {
  for (const char* ofModel : {"mm", "cm", "m", "in", "ft"}) {
    Model model;
    model.assembly.setUnit(ofModel);
    model.assembly.addNode("box", {}, {}, model.assembly.addPart(sixSidedBox(1, 1, 1)));
    model.collisionModels = buildCollisionModels(model.assembly);
    const TemporaryFolder folder;
    writeModelFile(folder / "box.fitup", model);
    WindowSession gui;
    gui.open(folder / "box.fitup");
    const Session& session = *gui.document.session();
    for (const LengthUnitChoice choice : allLengthUnitChoices) {
      CAPTURE(ofModel, name(choice));
      const LengthUnit unit = lengthUnitOf(session, choice);
      CHECK(unit.name == (choice == LengthUnitChoice::model ? ofModel : std::string(name(choice)).c_str()));
      for (const double typed : {1e-7, 0.1, 1.0 / 3, 25.4, 1234567.875}) {
        CHECK(isSame(unit.shown(unit.model(typed)), typed));
        CHECK(isSame(unit.model(unit.shown(typed)), typed));
      }
    }
    CHECK(lengthUnitOf(session, LengthUnitChoice::model).shown(0.1) == 0.1);
  }
}

TEST_CASE("bounds are converted with their lengths, and digits follow", "[gui][units][bounds]") {
  const LengthUnit inch{"in", 25.4};
  CHECK(inch.shown(25.4) == 1);
  CHECK(inch.model(1) == 25.4);
  CHECK(inch.shownArea(25.4 * 25.4) == Approx(1));
  CHECK(inch.shownVolume(25.4 * 25.4 * 25.4) == Approx(1));
  CHECK(lengthText(25.4, {2.54, 0}, inch) == QStringLiteral("1 in ± 0.1"));
  CHECK(lengthText(10, {std::nullopt, 1e-3}, LengthUnit{"m", 1000}) == QStringLiteral("0.01 m"));
  CHECK(lengthNumber(12.3456, LengthUnit{"m", 1000}, 0.1) == "0.01235");
  const DistanceError bound = inch.shown(DistanceError{2.54, 25.4});
  CHECK(bound.chordError.value() == Approx(0.1));
  CHECK(bound.rounding == 1);
  // What counts as 0 in the unit of the model does so in any.
  CHECK(lengthNumber(1e-10, LengthUnit{"m", 1000}) == "0");
  CHECK(placeText({1e-10, 1000, -25.4}, LengthUnit{"m", 1000}) == "0, 1, -0.0254");
}

}  // namespace length_units_tests
