#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <thread>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <viewer/gui/import_dialog.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/script_words.h>

#include "viewer/gui/window_session.h"

namespace import_settings_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Writes a tetrahedron with legs of one unit.
void writeTetrahedron(const std::filesystem::path& file) {
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
}

}  // namespace

TEST_CASE("a model is read again in another unit, and what was done with it stays", "[gui]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "wedge.obj", work = folder / "work.fitup-project";
  writeTetrahedron(file);
  WindowSession gui;
  gui.open(file);
  REQUIRE(gui.document.session() != nullptr);
  const auto session = [&]() -> Session& { return *gui.document.session(); };
  REQUIRE(session().assembly().unit() == "mm");
  CHECK(session().assembly().part(PartId{0}).surfaces().size() == 4);
  const NodeId wedge = session().assembly().instances().at(0);
  session().move({&wedge, 1}, {{}, {5, 0, 0}}, "Move");
  Track track{
      "out", "mm", session().assembly().contentHash(), {session().assembly().path(wedge)}, {{RigidMotion{}}}};
  session().edit("Record",
                 [&](SessionState& state) { state.tracks = {std::make_shared<const Track>(track)}; });

  const auto ask = [&](const std::function<void(QDialog&)>& answer) {
    whenAsked(answer, [&] { gui.key(Qt::Key_I, Qt::ControlModifier); });
    gui.settle();
  };
  const Session* before = gui.document.session();
  ask([&](QDialog& dialog) { press(dialog, QDialogButtonBox::Cancel); });
  CHECK(gui.document.session() == before);
  // Without a change there is nothing to wait for.
  ask([&](QDialog& dialog) { press(dialog, QDialogButtonBox::Ok); });
  CHECK(gui.document.session() == before);

  ask([&](QDialog& dialog) {
    CHECK_FALSE(dialog.findChild<QDoubleSpinBox*>("linear")->isEnabled());
    CHECK(dialog.findChild<QComboBox*>("unit")->currentText() == "mm");
    dialog.findChild<QComboBox*>("unit")->setCurrentText("in");
    dialog.findChild<QComboBox*>("up")->setCurrentText("y");
    dialog.findChild<QCheckBox*>("split")->setChecked(false);
    press(dialog, QDialogButtonBox::Ok);
  });
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.window.errorText().toStdString() == "");
  CHECK(session().assembly().unit() == "in");
  CHECK(session().assembly().upAxis() == UpAxis::y);
  CHECK(session().assembly().part(PartId{0}).surfaces().size() == 1);
  CHECK(session().motionOf(wedge).translation == Vec3{5, 0, 0});
  REQUIRE(session().state().tracks.size() == 1);
  CHECK(session().state().tracks[0]->unit == "in");
  CHECK(session().state().tracks[0]->modelHash == session().assembly().contentHash());
  CHECK(gui.document.isModified());

  gui.document.saveProject(work, gui.window.view().camera().viewpoint());
  WindowSession again;
  again.open(work);
  CHECK(again.window.errorText().toStdString() == "");
  CHECK(again.document.session()->importSettings() == session().importSettings());
  // The project keeps its file.
  CHECK(again.run({}, {"read-again unit m segment 30"}) == "");
  CHECK(again.document.projectFile() == work);
  CHECK(again.document.session()->assembly().part(PartId{0}).surfaces().size() == 4);
  CHECK(again.run({}, {"read-again segment primitives"}) == "");
  CHECK(again.document.session()->importSettings().sceneSurfaces == SceneSurfaces::primitiveSets);
  CHECK(again.run({}, {"read-again unit parsec"}).find("mm|cm|m|in|ft") != std::string::npos);
  CHECK(again.run({}, {"read-again unit"}).find("read-again") != std::string::npos);
  CHECK(again.run({}, {"read-again segment 181"}).find("between 0 and 180") != std::string::npos);

  // A motion in another unit, which was reported, does not become one of this model.
  Track foreign = track;
  foreign.unit = "mm";
  again.document.session()->edit(
      "Keep", [&](SessionState& state) { state.tracks = {std::make_shared<const Track>(foreign)}; });
  CHECK(again.run({}, {"read-again unit ft"}).find("'mm'") != std::string::npos);
  CHECK(again.document.session()->state().tracks.at(0)->unit == "mm");
  CHECK(again.run({}, {"read-again unit m"}).find("'mm'") != std::string::npos);

  // If the file cannot be read again, nothing changes.
  std::filesystem::remove(file);
  CHECK(again.run({}, {"read-again unit mm"}).find("wedge.obj") != std::string::npos);
  REQUIRE(again.document.session() != nullptr);
  CHECK(again.document.session()->importSettings().unit == "m");
}

TEST_CASE("what is done while a model is read again stays, and is kept for after a crash", "[gui]") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "wedge.obj", work = folder / "work.fitup-project",
                              other = folder / "other.fitup-project";
  writeTetrahedron(file);
  WindowSession gui;
  gui.open(file);
  gui.document.saveProject(work, {});
  const auto settings = [&](const char* unit) {
    ImportSettings changed = gui.document.session()->importSettings();
    changed.unit = unit;
    return changed;
  };
  const auto edit = [&](double tolerance) {
    gui.document.session()->edit("Tolerance", [&](SessionState& state) { state.tolerance = tolerance; });
  };
  // Edited and saved under another name before the reading ends.
  gui.document.readAgain(settings("in"));
  REQUIRE(gui.document.hasJob());
  edit(0.5);
  gui.document.saveProject(other, {});
  CHECK_FALSE(gui.document.isModified());
  gui.settle();
  CHECK(gui.document.session()->importSettings().unit == "in");
  CHECK(gui.document.session()->state().tolerance == 0.5);
  CHECK(gui.document.projectFile() == other);
  CHECK(gui.document.isModified());
  // The poses recorded until then become a motion.
  const std::string wedge =
      gui.document.session()->assembly().path(gui.document.session()->assembly().instances()[0]);
  CHECK(gui.run({}, {"select " + quotedWord(wedge), "record on", "move 1 0 0", "move 1 0 0",
                     "read-again unit ft", "step 1"}) == "");
  CHECK(gui.document.session()->state().tracks.size() == 1);
  // The user is not asked about a model that a running job may replace.
  std::atomic<bool> mayEnd = false;
  gui.document.startJob(
      "Something",
      [&](const Progress&) {
        while (!mayEnd) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      },
      [] {});
  bool asked = false;
  QTimer::singleShot(2000, &gui.window, [&] {  // a question would wait for an answer
    if (QWidget* question = QApplication::activeModalWidget()) {
      asked = true;
      question->close();
    }
  });
  QApplication::setActiveWindow(&gui.window);
  QTest::keyClick(&gui.window, Qt::Key_I, Qt::ControlModifier);
  mayEnd = true;
  CHECK_FALSE(asked);
  CHECK(gui.window.errorText().contains("cannot change while"));
  gui.settle();

  // As soon as it appears, the autosave belongs to it.
  std::optional<Project> kept;
  QObject::connect(&gui.document, &Document::opened, &gui.window, [&] {
    for (const auto& entry : std::filesystem::directory_iterator(Document::autosaveFolder()))
      if (entry.path().extension() == ".fitup-project") kept = readProject(entry.path());
  });
  edit(0.25);
  gui.document.readAgain(settings("cm"));
  gui.settle();
  REQUIRE(kept);
  CHECK(kept->importSettings.unit == "cm");
  CHECK(kept->tolerance == 0.25);
}

TEST_CASE("model files keep how they were read, and settings that are shown rounded stay", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  whenAsked(
      [&](QDialog& dialog) {
        CHECK_FALSE(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
        press(dialog, QDialogButtonBox::Cancel);
      },
      [&] { gui.key(Qt::Key_I, Qt::ControlModifier); });

  const std::filesystem::path step = "part.step";
  ImportSettings given;
  given.linearDeflection = 0.123456789;
  given.segmentationAngle = 22.345;
  std::optional<ImportSettings> taken;
  whenAsked(
      [&](QDialog& dialog) {
        dialog.findChild<QDoubleSpinBox*>("angular")->setValue(10);
        press(dialog, QDialogButtonBox::Ok);
      },
      [&] {
        taken = askImportSettings(&gui.window, {step, "part.stl"}, given);
      });
  REQUIRE(taken);
  CHECK(taken->linearDeflection == given.linearDeflection);
  CHECK(taken->angularDeflection == Approx(0.17453).epsilon(1e-4));
  CHECK(taken->segmentationAngle == given.segmentationAngle);
  CHECK(taken->sceneSurfaces == SceneSurfaces::drawables);
}

TEST_CASE("what a face of a scene is can be chosen, by the dialog and by a script", "[gui]") {
  WindowSession gui;
  ImportSettings given;
  given.segmentationAngle.reset();
  const auto chosen = [&](const std::filesystem::path& file, int choice, double angle) {
    std::optional<ImportSettings> taken;
    whenAsked(
        [&](QDialog& dialog) {
          auto* scene = dialog.findChild<QComboBox*>("scene");
          auto* patches = dialog.findChild<QDoubleSpinBox*>("segment");
          CHECK(scene->isEnabled() == (fileFamilyOf(file) == FileFamily::osg));
          CHECK_FALSE(patches->isEnabled());
          scene->setCurrentIndex(choice);
          CHECK(patches->isEnabled() == (choice == 2));
          patches->setValue(angle);
          press(dialog, QDialogButtonBox::Ok);
        },
        [&] { taken = askImportSettings(&gui.window, {file}, given); });
    return taken;
  };
  CHECK_FALSE(chosen("part.stl", 0, 30));
  const auto sets = chosen("part.osgt", 1, 30);
  REQUIRE(sets);
  CHECK(sets->sceneSurfaces == SceneSurfaces::primitiveSets);
  const auto patches = chosen("part.osgt", 2, 20);
  REQUIRE(patches);
  CHECK(patches->sceneSurfaces == SceneSurfaces::smoothPatches);
  CHECK(patches->segmentationAngle == 20);
}

}  // namespace import_settings_tests
