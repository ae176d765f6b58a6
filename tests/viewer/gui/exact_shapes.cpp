// Tests what the window shows of verdicts on exact shapes: the finer meshes come from the importer.
#include <catch2/catch.hpp>

#include <cstdlib>

#include <QSettings>

#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/status_line.h>

#include "support/round_fits.h"
#include "viewer/gui/window_session.h"

namespace exact_shapes_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

std::string status(WindowSession& gui) { return gui.window.statusLine().verdictText().toStdString(); }

std::string cell(WindowSession& gui, InterferenceModel::Column column, int role = Qt::DisplayRole) {
  const InterferenceModel& model = gui.window.table().model();
  return model.rowCount() == 0 ? std::string() : model.index(0, column).data(role).toString().toStdString();
}

void waitUntilCaughtUp(WindowSession& gui) {
  gui.waitFor([&] { return !gui.document.isBusy() && gui.document.check().answer().pairsOfTriangles == 0; },
              "exact shapes");
}

/// Writes two fits without exact shapes.
void writeFits(const std::filesystem::path& file) {
  Model model;
  model.assembly = RoundFits({0.05, 0.05}).assembly;
  writeModelFile(file, model);
}

const VerdictOptions& verdicts(WindowSession& gui) { return *gui.document.check().options()->verdict; }

}  // namespace

TEST_CASE("without exact shapes, what chord errors leave open is undecided at the user's tolerance",
          "[gui]") {
  const TemporaryFolder folder;
  writeFits(folder / "fits.fitup");
  WindowSession gui;
  gui.open(folder / "fits.fitup");
  // The tolerance that follows from the tessellation is about the triangles.
  CHECK_FALSE(verdicts(gui).judgesExactShapes());
  CHECK(status(gui).find("exact") == std::string::npos);
  REQUIRE(gui.run({}, {"tolerance 0.02", "depths"}).empty());
  CHECK(verdicts(gui).judgesExactShapes());
  CHECK(verdicts(gui).refinement == gui.document.session()->refinement());
  CHECK(status(gui).starts_with("0 clashes, 0 contacts, 2 undecided (exact shapes)"));
  CHECK(cell(gui, InterferenceModel::verdict) == "undecided");
  CHECK(cell(gui, InterferenceModel::verdict, Qt::ToolTipRole).find("a finer tessellation would decide it") !=
        std::string::npos);

  gui.window.table().view().setCurrentIndex(gui.window.table().rows().index(0, 0));
  CHECK(gui.window.statusLine().currentMessage().startsWith("Undecided: at this tessellation"));

  REQUIRE(gui.run({}, {"exact-shapes off", "depths"}).empty());
  CHECK_FALSE(verdicts(gui).judgesExactShapes());
  CHECK(status(gui).starts_with("2 clashes, 0 contacts"));
  CHECK(status(gui).find("exact") == std::string::npos);
  rememberSettings(gui.window);
  WindowSession next;
  recallSettings(next.window);
  CHECK_FALSE(next.document.check().settings().exactShapes);
  QSettings().clear();

  // Another model has finer meshes of its own.
  gui.key(Qt::Key_E);
  CHECK(gui.document.check().settings().exactShapes);
  const std::shared_ptr<Refinement> before = gui.document.session()->refinement();
  gui.document.session()->setSaved();
  gui.open(folder / "fits.fitup");
  REQUIRE(gui.run({}, {"tolerance 0.02", "depths"}).empty());
  CHECK(verdicts(gui).refinement == gui.document.session()->refinement());
  CHECK(verdicts(gui).refinement != before);
}

TEST_CASE("a part is judged by its triangles while it moves", "[gui]") {
  const TemporaryFolder folder;
  writeFits(folder / "fits.fitup");
  WindowSession gui;
  gui.open(folder / "fits.fitup");
  REQUIRE(gui.run({}, {"tolerance 0.02", "depths"}).empty());
  std::vector<std::size_t> behind;
  QObject::connect(&gui.document.check(), &LiveCheck::answered, &gui.window,
                   [&] { behind.push_back(gui.document.check().answer().pairsOfTriangles); });
  REQUIRE(gui.run({}, {"select pin0", "move 0.001 0 0", "depths"}).empty());
  REQUIRE(behind.size() >= 2);
  CHECK(std::ranges::count(behind, 1U) > 0);
  CHECK(behind.back() == 0);
  CHECK(status(gui).find("2 undecided (exact shapes)") != std::string::npos);
  // Selecting asks again, but has nothing to catch up with.
  behind.clear();
  gui.selectInTree("pin1");
  CHECK(std::ranges::count(behind, 0U) == static_cast<std::ptrdiff_t>(behind.size()));
}

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// A shaft in a bore with this clearance on the radius.
std::filesystem::path shaftFile(const TemporaryFolder& folder, const std::string& clearance) {
  const auto file = folder / ("shaft" + clearance + ".step");
  const std::string command = std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " FIT shaft " +
                              clearance + " 0.3 >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  return file;
}

}  // namespace

TEST_CASE("fits of a STEP file are judged at the user's tolerance", "[gui]") {
  const TemporaryFolder folder;
  WindowSession gui;
  gui.open(shaftFile(folder, "-0.05"));
  REQUIRE(gui.run({}, {"read-again linear 0.2 relative 0", "tolerance 0.01", "depths"}).empty());
  CHECK(status(gui).starts_with("1 clash, 0 contacts (exact shapes)"));
  const std::string tip = gui.window.statusLine().verdictTip().toStdString();
  CHECK(tip.find("Verdicts are those of the exact shapes.") != std::string::npos);
  CHECK(tip.find("Chord errors may change depths and distances by up to 0.0") != std::string::npos);
  CHECK(cell(gui, InterferenceModel::depth).starts_with("0.0"));
  CHECK(cell(gui, InterferenceModel::depth).find(" ± 0.00") != std::string::npos);

  // A report says the same, also one that is written before the check has caught up.
  for (const bool isEarly : {false, true}) {
    CAPTURE(isEarly);
    if (isEarly)
      gui.document.session()->move(gui.document.session()->scene().instances(), {{}, {1, 0, 0}}, "Move");
    gui.document.exportReport(folder / "report.json");
    gui.settle();
    const ReportDocument report = readReport(folder / "report.json");
    CHECK(report.request.exactShapes);
    const auto& pairs = report.runs.at(0).pairs;
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].assessment.verdict == Verdict::clash);
    REQUIRE(pairs[0].assessment.depth);
    CHECK(*pairs[0].assessment.depth == Approx(0.05).margin(0.005));
    CHECK(pairs[0].assessment.chordError > 0);
  }

  gui.open(shaftFile(folder, "0.05"));
  REQUIRE(gui.run({}, {"read-again linear 0.2 relative 0", "tolerance 0.01", "exact-shapes off"}).empty());
  const std::string byTriangles = status(gui);
  CHECK(byTriangles.find("exact") == std::string::npos);
  REQUIRE(gui.run({}, {"exact-shapes on", "depths"}).empty());
  CHECK(status(gui).starts_with("0 clashes, 0 contacts (exact shapes)"));
  CHECK(byTriangles.substr(0, 12) != status(gui).substr(0, 12));

  // Find clashes judges the same shapes.
  gui.selectInTree(gui.document.session()->assembly().path(gui.document.session()->scene().instances()[0]));
  CHECK(gui.run({}, {"move 0 0 0.001", "key-pose", "move 0 0 0.001", "key-pose", "record off",
                     "find-clashes"}) == "");
  const ShownMotion& motion = gui.document.motion();
  REQUIRE(motion.checked());
  REQUIRE(motion.checked()->steps.size() == 2);
  CHECK(motion.checked()->exactShapes);
  CHECK(motion.checked()->steps[0].findings + motion.checked()->steps[0].contacts == 0);
  REQUIRE(gui.run({}, {"exact-shapes off"}).empty());
  CHECK_FALSE(motion.checked());
  REQUIRE(gui.run({}, {"find-clashes"}).empty());
  REQUIRE(motion.checked());
  CHECK(motion.checked()->steps[0].findings + motion.checked()->steps[0].contacts > 0);
}

TEST_CASE("judging exact shapes can be cancelled, and the window says what it has not judged", "[gui]") {
  const TemporaryFolder folder;
  WindowSession gui;
  gui.open(shaftFile(folder, "0.05"));
  REQUIRE(gui.run({}, {"read-again linear 0.2 relative 0"}).empty());
  // At once, before it has begun.
  QStringList soFar;
  const auto connection = QObject::connect(&gui.document.check(), &LiveCheck::answered, &gui.window, [&] {
    if (!gui.document.check().isCatchingUp()) return;
    // Numbers that may change do not look final.
    soFar = {gui.window.statusLine().verdictText(), gui.window.table().countText()};
    gui.window.statusLine().cancelButton().click();
  });
  REQUIRE(gui.run({}, {"tolerance 0.01", "depths"}).empty());
  CHECK_FALSE(gui.document.check().isCatchingUp());
  CHECK(status(gui).find("(1 pair by its triangles)") != std::string::npos);
  CHECK(gui.window.statusLine().verdictTip().contains("exact shapes were not judged"));
  REQUIRE(soFar.size() == 2);
  CHECK(soFar[0].startsWith("so far: "));
  CHECK(soFar[1].startsWith("so far: 1 pair of parts: "));
  CHECK_FALSE(gui.window.statusLine().verdictText().startsWith("so far"));
  CHECK(gui.window.table().countText().startsWith("1 pair of parts: "));
  QObject::disconnect(connection);
  // The next question, here after a selection, begins again.
  gui.selectInTree(gui.document.session()->assembly().path(gui.document.session()->scene().instances()[0]));
  waitUntilCaughtUp(gui);
  CHECK(status(gui).find("(exact shapes)") != std::string::npos);
}
#endif

}  // namespace exact_shapes_tests
