// Tests what the window says: progress, long messages, why a command did nothing; and where dialogs begin.
#include <catch2/catch.hpp>
#include <csignal>
#include <set>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include <QApplication>
#include <QFileDialog>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QSettings>
#include <QTest>
#include <QThread>

#include <fitup/io/model_file.h>
#include <viewer/core/autosave.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/end_signals.h>
#include <viewer/gui/message_panel.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/status_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace feedback_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// The folder in which a file dialog that appears during `work` begins; the dialog is cancelled.
QString folderOfDialog(WindowSession& gui, const std::function<void()>& work) {
  QString folder;
  QTimer timer;
  QObject::connect(&timer, &QTimer::timeout, &gui.window, [&] {
    if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
      folder = dialog->directory().absolutePath();
      dialog->reject();
    }
  });
  timer.start(10);
  work();
  return folder;
}

QString note(WindowSession& gui) { return gui.window.statusLine().currentMessage(); }

}  // namespace

TEST_CASE("a job has one progress, which never goes back", "[gui][feedback]") {
  const PlantFiles plant;
  WindowSession gui;
  auto* bar = gui.window.statusLine().findChild<QProgressBar*>();
  REQUIRE(bar != nullptr);
  std::vector<double> shares;
  std::set<QString> phases;
  QObject::connect(&gui.document, &Document::jobChanged, &gui.window, [&](const QString& what, double share) {
    phases.insert(what);
    shares.push_back(share < 0 ? share : bar->value() / 100.0);
  });
  // Two phases, each of which goes from 0 to 1, slowly enough that each is shown.
  gui.document.startJob(
      "Work",
      [](const Progress& progress) {
        for (const char* phase : {"depths", "drawing pictures"})
          for (int i = 0; i <= 10; ++i) {
            progress.report(phase, i / 10.0);
            QThread::msleep(25);
          }
      },
      [] {},
      std::make_shared<OverallProgress>(std::vector<JobPhase>{{"depths", 1}, {"drawing pictures", 1}}));
  gui.settle();
  CHECK(phases.contains("Work: depths"));
  CHECK(phases.contains("Work: drawing pictures"));
  CHECK(shares.size() > 4);
  CHECK(std::ranges::is_sorted(shares));
  CHECK(shares.back() > 0.5);

  // The jobs of the window: opening, and a report with pictures.
  for (const bool isReport : {false, true}) {
    CAPTURE(isReport);
    shares.clear();
    if (isReport)
      gui.document.exportReport(plant.folder / "report.html");
    else
      gui.document.open(plant.model);
    gui.settle();
    REQUIRE_FALSE(shares.empty());
    CHECK(std::ranges::is_sorted(shares));
  }
}

TEST_CASE("what a message leaves out is shown on demand", "[gui][feedback]") {
  WindowSession gui;
  auto* panel = gui.window.findChild<MessagePanel*>();
  REQUIRE(panel != nullptr);
  gui.window.tell("one line");
  CHECK_FALSE(panel->allButton().isVisible());
  QString text = "Opened, but:";
  for (int i = 1; i <= 130; ++i) text += QString("\npart %1 is missing").arg(i);
  gui.window.tell(text);
  CHECK(panel->findChild<QLabel*>()->text().endsWith("... and 125 more"));
  REQUIRE(panel->allButton().isVisible());
  QTest::mouseClick(&panel->allButton(), Qt::LeftButton);
  auto* dialog = gui.window.findChild<QDialog*>("text");
  REQUIRE(dialog != nullptr);
  CHECK(dialog->isVisible());
  CHECK(dialog->findChild<QPlainTextEdit*>()->toPlainText() == text);
  press(*dialog, QDialogButtonBox::Close);
}

TEST_CASE("all geometry that is missing is listed, not its first lines", "[gui][feedback]") {
  const TemporaryFolder folder;
  Model model;
  model.assembly.addNode("a", {}, {}, model.assembly.addPart(sixSidedBox(1, 1, 1)));
  for (int i = 0; i < 40; ++i)
    model.warnings.push_back({"part 'p" + std::to_string(i) + "'",
                              "reason " + std::string(static_cast<std::size_t>(i) + 1, 'x'), true});
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "gaps.fitup", model);
  WindowSession gui;
  gui.open(folder / "gaps.fitup");
  CHECK(gui.window.errorText().contains("reason x\n"));
  CHECK(gui.window.errorText().endsWith("reason " + QString(40, 'x')));
  CHECK(gui.window.findChild<MessagePanel*>()->allButton().isVisible());
}

TEST_CASE("a click on the result of the check lists all parts that are not closed", "[gui][feedback]") {
  const TemporaryFolder folder;
  Model model;
  for (int i = 0; i < 30; ++i) {
    TriangleMeshBuilder builder("sheet" + std::to_string(i));
    for (const Vec3& corner : {Vec3{}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) builder.addPoint(corner);
    builder.beginSurface("face");
    builder.addTriangle(0, 1, 2);
    const PartId part =
        model.assembly.addPart(withDeflection(std::make_shared<const TriangleMesh>(builder.build()), 0.01));
    model.assembly.addNode("n" + std::to_string(i), shift(0.1 * i, 0, 0.01 * i), {}, part);
  }
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "sheets.fitup", model);
  WindowSession gui;
  gui.open(folder / "sheets.fitup");
  REQUIRE(gui.run({}, {"depths"}).empty());
  StatusLine& status = gui.window.statusLine();
  CHECK(status.verdictTip().contains("... and 20 more"));
  QLabel* result = nullptr;
  for (auto* label : status.findChildren<QLabel*>())
    if (label->text() == status.verdictText()) result = label;
  REQUIRE(result != nullptr);
  QTest::mouseClick(result, Qt::LeftButton);
  auto* dialog = gui.window.findChild<QDialog*>("text");
  REQUIRE(dialog != nullptr);
  const QString text = dialog->findChild<QPlainTextEdit*>()->toPlainText();
  for (int i = 0; i < 30; ++i) CHECK(text.contains(QString("sheet%1\n").arg(i)));
  CHECK_FALSE(text.contains("..."));
}

TEST_CASE("a key that can do nothing says why", "[gui][feedback]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.key(Qt::Key_J);
  CHECK(note(gui) == "No model is open.");
  gui.open(plant.model);
  gui.key(Qt::Key_J);
  CHECK(note(gui) == "No mate is suggested, because no part is selected.");
  gui.selectInTree("process-plant/equipment/tank");
  gui.key(Qt::Key_J);
  CHECK(note(gui).startsWith("No mate is suggested: drag the part"));
  gui.key(Qt::Key_J, Qt::ControlModifier);
  gui.key(Qt::Key_J, Qt::ShiftModifier);
  CHECK(note(gui) == "No mate is suggested, because Edit > Suggest mates is off.");
  gui.document.select({});
  gui.key(Qt::Key_I);
  CHECK(note(gui) == "Nothing is selected.");
  gui.key(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(note(gui) == "There is no motion.");
  CHECK(gui.window.errorText().isEmpty());
}

TEST_CASE("Return in a field of the Move panel moves the part", "[gui][feedback]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  REQUIRE(gui.run({}, {"mode off", "select process-plant/equipment/tank"}).empty());
  const NodeId tank = gui.document.session()->assembly().at("process-plant/equipment/tank");
  const auto fields = gui.window.placement().findChildren<NumberField*>();
  REQUIRE(fields.size() == 8);
  for (int axis = 0; axis < 3; ++axis) {
    NumberField& field = *fields[axis];
    field.setFocus();
    field.selectAll();
    QTest::keyClicks(&field, QString::number(10 * (axis + 1)));
    const Vec3 before = gui.document.session()->motionOf(tank).translation;
    QTest::keyClick(&field, Qt::Key_Return);
    gui.settle();
    Vec3 expected = before;
    for (int k = 0; k <= axis; ++k) expected[k] += 10 * (k + 1);
    CHECK(norm(gui.document.session()->motionOf(tank).translation - expected) < 1e-9);
  }
  // A step is set, and moves nothing.
  const Vec3 before = gui.document.session()->motionOf(tank).translation;
  fields[6]->selectAll();
  QTest::keyClicks(fields[6], "5");
  QTest::keyClick(fields[6], Qt::Key_Return);
  gui.settle();
  CHECK(gui.window.drag().steps().distance == 5);
  CHECK(gui.document.session()->motionOf(tank).translation == before);
}

TEST_CASE("file dialogs begin in the folder of the last file", "[gui][feedback]") {
  const PlantFiles plant;
  std::filesystem::create_directories(plant.folder / "reports");
  const QString reports = QString::fromStdString((plant.folder / "reports").string());
  {
    WindowSession gui;
    gui.open(plant.model);
    const Chooses chooses(gui, reports + "/r.html");
    gui.window.commands().action("report").trigger();
    gui.settle();
  }
  // In every dialog, also of another window.
  WindowSession gui;
  gui.open(plant.model);
  for (const char* id : {"open", "report"}) {
    CAPTURE(id);
    CHECK(folderOfDialog(gui, [&] { gui.window.commands().action(id).trigger(); }) == reports);
  }
  CHECK(folderOfDialog(gui, [&] {
          whenAsked([](QDialog& dialog) { press(dialog, QDialogButtonBox::Save); },
                    [&] { gui.window.commands().action("picture").trigger(); });
        }) == reports);
  QSettings().clear();
}

TEST_CASE("a signal that ends the program keeps unsaved work", "[gui][feedback]") {
  const PlantFiles plant;
  const int signal = GENERATE(SIGTERM, SIGINT, SIGHUP);
  CAPTURE(signal);
  {
    viewer::MainWindow window;
    EndSignals ends;
    int received = 0;
    QObject::connect(&ends, &EndSignals::received, &window, [&](int which) {
      received = which;
      window.endWithoutAsking();
    });
    window.show();
    window.document().open(plant.model);
    const auto waitFor = [](const std::function<bool()>& condition) {
      for (int i = 0; i < 3000 && !condition(); ++i) QTest::qWait(10);
      REQUIRE(condition());
    };
    waitFor([&] { return window.document().session() != nullptr && !window.document().isBusy(); });
    window.document().session()->edit("Tolerance", [](SessionState& state) { state.tolerance = 0.25; });
    ::raise(signal);
    waitFor([&] { return received != 0; });
    CHECK(received == signal);
  }
  WindowSession gui;
  {
    const std::vector<Leftover> kept = gui.document.leftovers();
    REQUIRE(kept.size() == 1);
    CHECK(readProject(kept.front().file).tolerance == 0.25);
  }  // it is locked while it is looked at
  // File > Restore work opens it.
  CHECK(answering(
            gui, [](QMessageBox& box) { clickOn(box, QMessageBox::AcceptRole); },
            [&] { gui.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier); }) == 1);
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.document.session()->state().tolerance == 0.25);
  gui.document.session()->setSaved();
  QSettings().clear();
}

TEST_CASE("kept work is mentioned beside a file that was asked for, and not asked about", "[gui][feedback]") {
  const PlantFiles plant;
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Autosave autosave(Document::autosaveFolder());
    Project project;
    project.models = {plant.model};
    autosave.save(project, {}, {});
    _exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
  WindowSession gui;
  CHECK(answering(
            gui, [](QMessageBox& box) { box.reject(); },
            [&] {
              gui.window.open({plant.model});
              gui.window.tellOfLeftovers();
            }) == 0);
  CHECK(gui.document.session() != nullptr);
  CHECK(gui.window.errorText().contains("File > Restore work"));
  for (const Leftover& leftover : gui.document.leftovers()) Autosave::remove(leftover);
  gui.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(note(gui) == "There is no unsaved work of an earlier session.");
}

}  // namespace feedback_tests
