#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <QWheelEvent>

#include <fitup/base/error.h>
#include <fitup/io/model_file.h>
#include <fitup/io/report_reader.h>
#include <fitup/io/track_file.h>
#include <models/process_plant.h>
#include <viewer/gui/command_script.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/time_line.h>

#include "viewer/gui/window_session.h"

namespace sessions_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

const char* const spool = models::spoolPath;

NodeId spoolOf(WindowSession& gui) { return gui.document.session()->assembly().at(spool); }

/// Returns the findings of a check of the assembly in its current placements.
std::vector<Finding> expectedFindings(const Session& session) {
  InterferenceOptions options;
  options.request.mode = QueryMode::allSurfacePairs;
  return listFindings(session.assembly(), checkAllPairs(session.scene(), session.poses(), options));
}

void checkTable(WindowSession& gui) {
  const std::vector<Finding> expected = expectedFindings(*gui.document.session());
  InterferenceModel& model = gui.window.table().model();
  REQUIRE(static_cast<std::size_t>(model.count()) == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(model.finding(static_cast<int>(i)).a == expected[i].a);
    CHECK(model.finding(static_cast<int>(i)).b == expected[i].b);
    CHECK(model.finding(static_cast<int>(i)).surfaces == expected[i].surfaces);
  }
}

}  // namespace

TEST_CASE("the spool is dragged into a pipe by mouse: table, picture, undo, save, reopen", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  REQUIRE(gui.document.session() != nullptr);
  checkTable(gui);
  const int atFirst = gui.window.table().model().count();
  REQUIRE(atFirst > 0);

  gui.selectInTree(spool);
  CHECK(gui.document.selection() == std::set<NodeId>{spoolOf(gui)});
  gui.dragArrow(GizmoHandle::moveX, 150);
  const Vec3 moved = gui.document.session()->motionOf(spoolOf(gui)).translation;
  CHECK(moved.x == Approx(150).margin(2));
  CHECK(moved.y == 0);
  CHECK(moved.z == 0);
  checkTable(gui);
  const int inPipe = gui.window.table().model().count();
  CHECK(inPipe != atFirst);
  gui.window.view().setDimOthers(true);
  gui.window.view().lookAt(gui.window.table().model().finding(0));
  CHECK(gui.redPixels() > 200);

  // A ring turns it.
  gui.window.view().look(StandardView::top);
  const Gizmo gizmo = gui.window.view().gizmo().value();
  const std::vector<Vec3> ring = gizmo.outline(GizmoHandle::turnZ);
  gui.drag(gui.window.view().widgetPoint(ring[6]).value(), gui.window.view().widgetPoint(ring[14]).value());
  const RigidMotion turned = gui.document.session()->motionOf(spoolOf(gui));
  CHECK(turned.rotation.z == Approx(std::sin(8 * 3.14159265358979 / 64)).margin(0.02));
  checkTable(gui);

  const auto project = plant.folder / "work.fitup-project";
  gui.document.saveProject(project, gui.window.view().camera().viewpoint());
  CHECK_FALSE(gui.document.isModified());
  {
    WindowSession other;
    other.open(project);
    CHECK(other.document.session()->motionOf(spoolOf(other)) == turned);
    CHECK(other.window.view().camera().viewpoint() == gui.window.view().camera().viewpoint());
    checkTable(other);
  }

  gui.key(Qt::Key_Z, Qt::ControlModifier);
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(gui.document.session()->state().motions.empty());
  CHECK(gui.window.table().model().count() == atFirst);
  gui.key(Qt::Key_Y, Qt::ControlModifier);
  CHECK(gui.document.session()->motionOf(spoolOf(gui)).translation == moved);
  checkTable(gui);
  CHECK(gui.window.errorText().isEmpty());
}

TEST_CASE("a dragged part stops at contact", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.selectInTree(spool);
  gui.window.drag().setMode(DragMode::stopAtContact);
  gui.dragArrow(GizmoHandle::moveX, 400);
  REQUIRE(gui.window.drag().stop());
  const double way = gui.document.session()->motionOf(spoolOf(gui)).translation.x;
  CHECK(way >= 0);
  CHECK(way < 200);
  checkTable(gui);
  // Without the stop it would have moved all the way.
  gui.window.drag().setMode(DragMode::off);
  gui.dragArrow(GizmoHandle::moveX, 400);
  CHECK(gui.document.session()->motionOf(spoolOf(gui)).translation.x == Approx(way + 400).margin(5));
}

TEST_CASE("clicks select what is under the cursor, the middle button turns, the wheel zooms", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  SceneView& view = gui.window.view();
  const QPointF middle(view.width() / 2.0, view.height() / 2.0);
  const double ratio = view.devicePixelRatioF();
  const auto pick = view.presenter().pick(view.camera().ray({middle.x() * ratio, middle.y() * ratio}));
  REQUIRE(pick);
  gui.drag(middle, middle, 0);
  CHECK(gui.document.selection() == std::set<NodeId>{pick->instance});
  const Viewpoint before = view.camera().viewpoint();
  gui.drag(middle, middle + QPointF(60, 25), 5, Qt::MiddleButton);
  CHECK_FALSE(view.camera().viewpoint() == before);
  CHECK(gui.document.session()->state().motions.empty());
  const auto stays = view.widgetPoint(pick->point).value();
  CHECK(std::hypot(stays.x() - middle.x(), stays.y() - middle.y()) < 1.5);
  QWheelEvent wheel(middle, view.mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  const double distance = norm(view.camera().viewpoint().eye - pick->point);
  QApplication::sendEvent(&view, &wheel);
  CHECK(norm(view.camera().viewpoint().eye - pick->point) == Approx(distance * 0.85 * 0.85).epsilon(0.02));
}

TEST_CASE("a motion is replayed, recorded and saved", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.open(plant.track);
  REQUIRE(gui.document.motion().track());
  const Track given = *gui.document.motion().track();
  gui.document.motion().goTo(100);
  gui.settle();
  CHECK(gui.document.session()->motionOf(spoolOf(gui)) == given.steps[100][0]);
  checkTable(gui);
  const auto atStep = static_cast<std::size_t>(gui.window.table().model().count());
  gui.document.motion().check();
  gui.settle();
  REQUIRE(gui.document.motion().checked());
  const std::vector<CheckedStep> steps = gui.document.motion().checked()->steps;
  REQUIRE(steps.size() == given.steps.size());
  // A replay leaves out what intersects at rest.
  CHECK(steps[100].findings <= atStep);
  CHECK(steps[100].findings > 0);
  CHECK(steps[100].distance == 0.0);
  gui.document.motion().goTo(101);
  gui.document.motion().goTo(102);
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(gui.document.session()->state().motions.empty());

  gui.selectInTree(spool);
  gui.window.timeLine().toggleRecording();
  gui.dragArrow(GizmoHandle::moveZ, 300);
  gui.window.timeLine().toggleRecording();
  REQUIRE(gui.document.motion().track());
  const Track recorded = *gui.document.motion().track();
  CHECK(recorded.moved == std::vector<std::string>{spool});
  REQUIRE(recorded.steps.size() > 3);
  CHECK(recorded.steps.front()[0] == RigidMotion{});
  CHECK(recorded.steps.back()[0] == gui.document.session()->motionOf(spoolOf(gui)));
  gui.document.motion().save(plant.folder / "recorded.json");
  CHECK(readTrack(plant.folder / "recorded.json").steps == recorded.steps);
}

TEST_CASE("reviews are kept, exported and taken back", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  InterferenceModel& model = gui.window.table().model();
  const QModelIndex row = model.indexOf(model.finding(1));
  const QModelIndex comment = row.siblingAtColumn(InterferenceModel::comment);
  model.setStatus({row}, ReviewStatus::approved);
  model.setData(comment, QStringLiteral("gasket"), Qt::EditRole);
  CHECK(row.siblingAtColumn(InterferenceModel::status).data().toString() == "approved");
  gui.document.exportReport(plant.folder / "report.json");
  gui.settle();
  std::size_t reviewed = 0;
  const ReportDocument report = readReport(plant.folder / "report.json");
  for (const ReportedPair& pair : report.runs.at(0).pairs)
    for (const ReportedFinding& finding : pair.findings)
      if (finding.review == Review{ReviewStatus::approved, "gasket"}) ++reviewed;
  CHECK(reviewed == 1);
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(comment.data().toString().isEmpty());
  CHECK(model.statusOf(row) == ReviewStatus::approved);
}

TEST_CASE("work that a program left behind is restored", "[gui]") {
  const PlantFiles plant;
  Project project;
  project.models = {plant.model};
  project.moved = {{spool, {{}, {10, 20, 30}}}};
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Ends as by a crash: nothing is cleaned up.
    Autosave autosave(Document::autosaveFolder());
    autosave.save(project, plant.folder / "work.fitup-project", {});
    _exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
  WindowSession gui;
  const std::vector<Leftover> leftovers = gui.document.leftovers();
  REQUIRE(leftovers.size() == 1);
  gui.document.restore(leftovers.front());
  gui.settle();
  CHECK(gui.document.session()->motionOf(spoolOf(gui)).translation == Vec3{10, 20, 30});
  CHECK(gui.document.projectFile() == plant.folder / "work.fitup-project");
  CHECK(gui.document.isModified());
  CHECK(gui.document.leftovers().empty());
}

TEST_CASE("scripts run their commands and name the line that fails", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  const auto run = [&](std::vector<std::string> lines) {
    return gui.run({"open \"" + plant.model.string() + "\""}, std::move(lines));
  };
  const std::string picture = (plant.folder / "picture.png").string();
  CHECK(run({"expect-findings 8", "select process-plant/piping", "select process-plant/piping/spool # one",
             "move 0 0 1000", "view top", "screenshot \"" + picture + "\"", "undo", "expect-findings 8"}) ==
        "");
  CHECK(std::filesystem::file_size(picture) > 10'000);
  CHECK(gui.document.session()->state().motions.empty());
  const std::string face = "select-face process-plant/piping/spool ";
  CHECK(run({"panel Properties", face + "6", "properties", "measure process-plant/piping/spool 6",
             "measure process-plant/equipment/tank", "measurements", "navigation blender", "search plane",
             "sort \"face b\"", "search", "measuring on", "measuring off"}) == "");
  CHECK(run({face + "61"}).find("has no face 61") != std::string::npos);
  CHECK(run({"select-face process-plant/piping 0"}).find("is a subassembly") != std::string::npos);
  CHECK(run({"navigation sideways"}).find("cad, solidworks, blender") != std::string::npos);
  CHECK(run({"sort sideways"}).find("depth") != std::string::npos);
  CHECK(run({"", "frame all", "jump"}) == "session, line 3: there is no command 'jump'");
  CHECK(run({"move 1 2"}).find("line 1: 'move' has 2 arguments") != std::string::npos);
  CHECK(run({"mode sideways"}).find("off, detect, stop") != std::string::npos);
  CHECK(run({"open absent.fitup", "quit"}).find("absent.fitup") != std::string::npos);
  CHECK(run({"expect-findings 7"}).find("8 findings instead of 7") != std::string::npos);
  CHECK(run({"search zzz", "expect-findings 0", "search spool", "expect-findings 8", "search"}) == "");
  CHECK(run({"section off 3"}).find("'section' has 2 arguments") != std::string::npos);
  CHECK(run({"select \"process-plant"}).find("is not closed") != std::string::npos);
  CHECK(run({"boxes 100"}).find("levels are 0 to 99") != std::string::npos);
  CHECK(run({"section z 1e300"}).find("farther than 1e9") != std::string::npos);
  CHECK(run({"snap on 1e-9"}).find("steps have to be from") != std::string::npos);
  // Too far to be drawn.
  CHECK_THAT(run({"select process-plant/piping/spool", "move 1e308 0 0", "view top"}),
             Catch::StartsWith("session, line 2: 'process-plant/piping/spool'"));
}

TEST_CASE("commands of scripts that can do nothing fail", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  const std::string out = "\"" + (plant.folder / "out.json").string() + "\"";
  const auto fails = [&](const std::vector<std::string>& opening, std::vector<std::string> lines,
                         const std::string& why) {
    CAPTURE(lines.back());
    const std::string place = "session, line " + std::to_string(lines.size()) + ": ";
    CHECK(gui.run(opening, std::move(lines)) == place + why);
    CHECK_FALSE(std::filesystem::exists(plant.folder / "out.json"));
  };
  for (const std::string command : {"select",
                                    "move 1 0 0",
                                    "tolerance 1",
                                    "undo",
                                    "redo",
                                    "find-clashes",
                                    "contact-map on",
                                    "step 0",
                                    "insert-step",
                                    "delete-step",
                                    "move-step later",
                                    "reverse",
                                    "record on",
                                    "measuring on",
                                    "measurements",
                                    "measure-drag",
                                    "view top",
                                    "frame",
                                    "hide",
                                    "isolate",
                                    "ghost",
                                    "show-all",
                                    "check-only with",
                                    "expect-findings 0"})
    fails({}, {command}, "no model is open");
  for (const std::string command : {"save-track ", "report "}) fails({}, {command + out}, "no model is open");

  const std::string open = "open \"" + plant.model.string() + "\"",
                    track = "open \"" + plant.track.string() + "\"";
  for (const std::string command : {"find-clashes", "contact-map on", "step 0", "insert-step", "delete-step",
                                    "move-step later", "reverse"})
    fails({open}, {command}, "there is no motion");
  fails({open}, {"save-track " + out}, "there is no motion");
  for (const std::string command : {"move 1 0 0", "hide", "isolate", "ghost", "check-only among"})
    fails({open}, {"select", command}, "nothing is selected");
  fails({open}, {"undo"}, "there is nothing to undo");
  fails({open}, {"redo"}, "there is nothing to redo");
  fails({open}, {"search nowhere", "finding"}, "the table lists no findings");
  fails({open, "search"}, {"select process-plant/piping/spool", "record on", "record off"},
        "no motion was recorded because nothing was moved");
  const std::string last = std::to_string(readTrack(plant.track).steps.size() - 1);
  fails({open, track}, {"move-step earlier"}, "the first step cannot be moved earlier");
  fails({open, track}, {"step " + last, "move-step later"}, "the last step cannot be moved later");
  fails({open, track}, {"step 9", "play 8"}, "the motion is at step 9 already");
  CHECK(gui.run({open, track}, {"contact-map off", "record off", "measuring off", "check-only off"}) == "");
}

TEST_CASE("what is no text is no script", "[gui]") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(CommandScript::read(folder.path()), FileError);
  CHECK_THROWS_AS(CommandScript::read(folder / "none.txt"), FileError);
}

TEST_CASE("scripts save no project that cannot be opened", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  const auto run = [&](std::vector<std::string> lines) {
    return gui.run({"open \"" + plant.model.string() + "\""}, std::move(lines));
  };
  CHECK(run({"tolerance -1"}).find("line 1: the tolerance must not be below 0") != std::string::npos);
  CHECK_FALSE(gui.document.session()->state().tolerance);
  CHECK(run({"select", "check-only with"}).find("line 2: nothing is selected") != std::string::npos);
  CHECK_FALSE(gui.document.session()->state().rules.check);
  const std::string model = readText(plant.model);
  CHECK(run({"save \"" + plant.model.string() + "\""}).find("must end in .fitup-project") !=
        std::string::npos);
  CHECK(readText(plant.model) == model);

  // Nor by the dialog, which accepts any name with an extension.
  gui.document.saveProject(plant.model, gui.window.view().camera().viewpoint());
  CHECK(gui.window.errorText().contains("must end in .fitup-project"));
  CHECK(readText(plant.model) == model);
  // Nor does an output overwrite other files.
  const std::string track = "open \"" + plant.track.string() + "\"";
  CHECK_THAT(run({"screenshot \"" + plant.model.string() + "\""}), Catch::Contains("extension 'fitup'"));
  CHECK_THAT(run({track, "save-track \"" + plant.model.string() + "\""}),
             Catch::Contains("tracks are .json or .csv"));
  CHECK(readText(plant.model) == model);
  const std::string capitals = "\"" + (plant.folder / "M.CSV").string() + "\"";
  CHECK(run({track, "save-track " + capitals, "open " + capitals}) == "");
  CHECK(gui.document.session()->state().tracks.size() == 2);

  // With everything that scripts can set, and nothing that needs a display.
  const std::string project = "\"" + (plant.folder / "all.fitup-project").string() + "\"";
  CHECK(run({"tolerance 0", "select process-plant/piping/spool", "check-only with", "move 9e8 0 0 1 2 3",
             "frame all", "section -z -1e9", "select process-plant", "hide", "view top", "frame all",
             "save " + project, "open " + project}) == "");
  CHECK(gui.document.projectFile() == plant.folder / "all.fitup-project");
}

TEST_CASE("what cannot be opened says so and leaves the session", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const Session* session = gui.document.session();
  writeText(plant.folder / "broken.fitup", "not a model");
  writeText(plant.folder / "broken.fitup-project", "{\"format\": 7}");
  writeText(plant.folder / "broken.json", "{");
  for (const char* file :
       {"broken.fitup", "broken.fitup-project", "broken.json", "absent.fitup", "absent.json"}) {
    CAPTURE(file);
    gui.open(plant.folder / file);
    CHECK(gui.window.errorText().contains(file));
    CHECK(gui.document.session() == session);
  }
  // Cancelled: silently as before.
  gui.document.open(plant.model);
  gui.document.cancelJob();
  gui.settle();
  CHECK(gui.document.session() == session);
  checkTable(gui);
}

TEST_CASE("files that are dropped open together, and nothing takes the place of unsaved work unasked",
          "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  std::size_t asked = 0;
  const auto drop = [&](const std::vector<std::filesystem::path>& files,
                        std::optional<QMessageBox::StandardButton> answer = {}) {
    gui.drop(files);
    asked = 0;
    QTimer answers;
    QObject::connect(&answers, &QTimer::timeout, &gui.window, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      ++asked;
      box->button(answer.value_or(QMessageBox::Cancel))->click();
    });
    answers.start(10);
    QApplication::processEvents();
    gui.settle();
  };
  // The order of the files does not matter.
  drop({plant.track, plant.model});
  CHECK(gui.window.errorText().toStdString() == "");
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.document.session()->state().tracks.size() == 1);
  CHECK(asked == 0);
  CHECK(gui.document.isModified());
  const Session* session = gui.document.session();

  drop({plant.track});
  CHECK(asked == 0);
  CHECK(session->state().tracks.size() == 2);
  drop({plant.model}, QMessageBox::Cancel);
  CHECK(asked == 1);
  CHECK(gui.document.session() == session);
  drop({plant.model}, QMessageBox::Discard);
  CHECK(asked == 1);
  CHECK(gui.document.session()->state().tracks.empty());
  CHECK_FALSE(gui.document.isModified());
  // Motions without a model: the first one is an error, and no other one waits for a model.
  WindowSession empty;
  empty.document.openAll({plant.track, plant.track});
  CHECK(empty.window.errorText().contains("first open the model"));
  empty.open(plant.model);
  CHECK(empty.document.session()->state().tracks.empty());
}

TEST_CASE("several models are one, which its project opens again", "[gui]") {
  const PlantFiles plant;
  const std::filesystem::path other = plant.folder / "other.fitup",
                              work = plant.folder / "work.fitup-project";
  writeModelFile(other, readModelFile(plant.model));
  WindowSession gui;
  gui.document.openAll({plant.model, other});
  gui.settle();
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.window.errorText().toStdString() == "");
  CHECK(gui.window.windowTitle().toStdString() == plant.model.filename().string() + " and 1 more[*] - Fitup");
  const Assembly& assembly = gui.document.session()->assembly();
  const NodeId theirs = assembly.instances().back();
  CHECK(assembly.path(theirs).rfind("other/", 0) == 0);
  CHECK(gui.document.session()->modelFileOf(theirs) == other);
  CHECK(gui.document.session()->modelFileOf(assembly.instances().front()) == plant.model);
  // They are in the same place.
  CHECK(gui.window.table().model().count() > 0);
  gui.document.session()->move({&theirs, 1}, {{}, {1, 2, 3}}, "Move");
  gui.document.saveProject(work, gui.window.view().camera().viewpoint());

  WindowSession again;
  again.open(work);
  REQUIRE(again.document.session() != nullptr);
  CHECK(again.window.errorText().toStdString() == "");
  CHECK(again.document.session()->modelFiles() == std::vector{plant.model, other});
  CHECK(again.document.session()->motionOf(theirs).translation == Vec3{1, 2, 3});
  CHECK(readProject(work).models == std::vector{plant.model, other});

  again.document.openAll({work, plant.model});
  again.settle();
  CHECK(again.window.errorText().contains("a project cannot be opened together with other files"));
  // A model that cannot be read leaves the open one.
  const Session* before = again.document.session();
  again.document.openAll({plant.model, plant.folder / "missing.stl"});
  again.settle();
  CHECK(again.window.errorText().contains("missing.stl"));
  CHECK(again.document.session() == before);
}

TEST_CASE("missing geometry is reported", "[gui]") {
  const PlantFiles plant;
  Model model = readModelFile(plant.model);
  model.warnings = {{"plant/pump face 3", "not tessellated", true}, {"plant/tank", "renamed", false}};
  writeModelFile(plant.model, model);
  WindowSession gui;
  gui.open(plant.model);
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.window.errorText().contains("plant/pump face 3: not tessellated"));
  CHECK_FALSE(gui.window.errorText().contains("renamed"));
}

TEST_CASE("the section cuts away what is neither drawn nor picked", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  SceneView& view = gui.window.view();
  const Ray ray = view.camera().ray({view.camera().width() / 2.0, view.camera().height() / 2.0});
  const auto whole = view.presenter().pick(ray);
  REQUIRE(whole);
  const QImage before = view.grabFramebuffer();
  gui.document.session()->edit("Section", [&](SessionState& state) {
    state.sections = {{-view.camera().forward(), dot(-view.camera().forward(), whole->point) - 1, true}};
  });
  gui.settle();
  const auto cut = view.presenter().pick(ray);
  CHECK((!cut || cut->distance > whole->distance));
  CHECK(view.grabFramebuffer() != before);
  gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(view.presenter().pick(ray)->distance == whole->distance);
  CHECK(view.grabFramebuffer() == before);
}

}  // namespace sessions_tests
