// Tests motions in the window: edits, chart, contact map.
#include <catch2/catch.hpp>

#include <QApplication>
#include <QLabel>
#include <QTest>

#include <fitup/io/certificate_file.h>
#include <fitup/io/track_file.h>
#include <fitup/motion/track_edit.h>
#include <models/process_plant.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/time_line.h>

#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace motions_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// The plant with its track reduced to a few steps, so that checks are quick.
class PlantMotion {
 public:
  PlantMotion() {
    gui.open(plant.model);
    gui.open(plant.track);
    REQUIRE(gui.document.motion().track());
    Track few = *gui.document.motion().track();
    std::vector<std::vector<RigidMotion>> steps;
    for (std::size_t i = 0; i < few.steps.size(); i += 24) steps.push_back(few.steps[i]);
    few.steps = std::move(steps);
    given = few;
    gui.document.session()->edit("Shorten", [&](SessionState& state) {
      state.tracks = {std::make_shared<const Track>(std::move(few))};
    });
    gui.settle();
  }
  ShownMotion& motion() { return gui.document.motion(); }
  NodeId spool() { return gui.document.session()->assembly().at(models::spoolPath); }

  const PlantFiles plant;
  WindowSession gui;
  Track given;
};

}  // namespace

TEST_CASE("steps of a motion are inserted, deleted, moved and reversed, and all is taken back", "[gui]") {
  PlantMotion setup;
  ShownMotion& motion = setup.motion();
  const Session& session = *setup.gui.document.session();
  motion.goTo(3);
  motion.removeStep();
  CHECK(motion.track()->steps == withStepRemoved(setup.given, 3).steps);
  CHECK(motion.step() == 3);
  CHECK(session.motionOf(setup.spool()) == setup.given.steps[4][0]);
  setup.gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(motion.track()->steps == setup.given.steps);

  motion.goTo(2);
  const RigidMotion aside{{}, {1, 2, 3}};
  setup.gui.document.session()->edit("Move",
                                     [&](SessionState& state) { state.motions[setup.spool()] = aside; });
  motion.insertPose();
  CHECK(motion.track()->steps == withStepInserted(setup.given, 3, {aside}).steps);
  CHECK(motion.step() == 3);
  motion.moveStep(1);
  CHECK(motion.step() == 4);
  CHECK(motion.track()->steps[4][0] == aside);
  motion.moveStep(-1);
  motion.reverse();
  CHECK(motion.track()->steps == reversed(withStepInserted(setup.given, 3, {aside})).steps);
  CHECK(motion.step() == setup.given.steps.size() - 3);
  CHECK(session.motionOf(setup.spool()) == aside);
  for (int i = 0; i < 4; ++i) setup.gui.document.session()->undo();
  CHECK(motion.track()->steps == setup.given.steps);
  // At the ends there is no further step.
  motion.goTo(0);
  motion.moveStep(-1);
  CHECK(motion.track()->steps == setup.given.steps);
}

TEST_CASE("a motion that was recorded on another model is said to be, and can be checked", "[gui]") {
  const PlantFiles plant;
  Track track = readTrack(plant.track);
  track.modelHash = *track.modelHash + 1;
  track.steps.resize(9);
  writeTrack(plant.track, track);
  WindowSession gui;
  gui.open(plant.model);
  gui.open(plant.track);
  ShownMotion& motion = gui.document.motion();
  REQUIRE(motion.track());
  CHECK(gui.window.errorText().contains("was recorded on another model"));
  gui.window.tell("nothing more");
  motion.goTo(8);
  motion.check();
  gui.settle();
  CHECK(gui.window.errorText() == "nothing more");
  CHECK(motion.isAtStep());
  REQUIRE(motion.checked());
  CHECK(motion.checked()->steps.size() == 9);
}

TEST_CASE("the time line follows undo, and says when parts stand at no step", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.open(plant.track);
  ShownMotion& motion = gui.document.motion();
  const auto label = [&] {
    for (const QLabel* each : gui.window.timeLine().findChildren<QLabel*>())
      if (each->text().startsWith("step ")) return each->text();
    return QString();
  };
  motion.goTo(50);
  gui.document.session()->endMerging();
  motion.goTo(100);
  gui.settle();
  CHECK(label() == "step 101 of 233");
  gui.document.session()->undo();
  gui.settle();
  CHECK(motion.step() == 50);
  CHECK(motion.isAtStep());
  CHECK(label() == "step 51 of 233");
  motion.check();
  gui.settle();
  const auto found = [&] { return gui.window.timeLine().findChild<ElidedLabel*>()->text(); };
  CHECK(found() == "intersect: drip-tray with spool");
  const NodeId spool = gui.document.session()->assembly().at(models::spoolPath);
  gui.document.session()->move(std::vector{spool}, {{}, {0, 0, 1234}}, "Move");
  gui.settle();
  CHECK(motion.step() == 50);
  CHECK(label() == "step 51 of 233, parts moved since");
  gui.document.session()->undo();
  gui.settle();
  CHECK(label() == "step 51 of 233");
  CHECK(found() == "intersect: drip-tray with spool");
}

TEST_CASE("the chart shows what a check of the motion found, and a click goes there", "[gui]") {
  PlantMotion setup;
  setup.motion().check();
  setup.gui.settle();
  REQUIRE(setup.motion().checked());
  const std::vector<CheckedStep>& steps = setup.motion().checked()->steps;
  REQUIRE(steps.size() == setup.given.steps.size());
  MotionChart& chart = setup.gui.window.timeLine().chart();
  const QPoint at(static_cast<int>(chart.middleOf(6)), chart.height() / 2);
  QTest::mouseClick(&chart, Qt::LeftButton, {}, at);
  setup.gui.settle();
  CHECK(setup.motion().step() == 6);
  CHECK(setup.gui.document.session()->motionOf(setup.spool()) == setup.given.steps[6][0]);
  // The results belong to that motion and to these parts only.
  setup.motion().reverse();
  CHECK_FALSE(setup.motion().checked());
}

TEST_CASE("the contact map is painted, and a click on a face goes to its first contact", "[gui]") {
  PlantMotion setup;
  SceneView& view = setup.gui.window.view();
  setup.motion().goTo(0);
  setup.gui.settle();
  const QImage before = view.grabFramebuffer();
  setup.motion().showMap(true);
  setup.gui.settle();
  const ContactMap* map = setup.motion().map();
  REQUIRE(map != nullptr);
  CHECK(view.grabFramebuffer() != before);
  // A point of the view with a painted face.
  std::optional<QPointF> place;
  std::size_t expected = 0;
  const double ratio = view.devicePixelRatioF();
  for (int y = 20; y < view.height() - 20 && !place; y += 7)
    for (int x = 20; x < view.width() - 20 && !place; x += 7) {
      const auto pick = view.presenter().pick(view.camera().ray({x * ratio, y * ratio}));
      if (!pick) continue;
      const SurfaceContact* contact = contactOf(*map, pick->instance, pick->surface.value());
      if (contact == nullptr || !contact->first || contact->first->step == 0) continue;
      place = QPointF(x, y);
      expected = contact->first->step;
    }
  REQUIRE(place);
  setup.gui.drag(*place, *place, 0);
  CHECK(setup.motion().step() == expected);
  CHECK(setup.gui.document.selection().empty());
  CHECK(setup.motion().map() == map);
  setup.motion().saveMap(setup.plant.folder / "contacts.csv");
  CHECK(std::filesystem::file_size(setup.plant.folder / "contacts.csv") > 1000);
  setup.motion().showMap(false);
  CHECK(setup.motion().map() == nullptr);
}

TEST_CASE("another model can be opened while a motion is shown", "[gui]") {
  PlantMotion setup;
  ShownMotion& motion = setup.motion();
  motion.goTo(3);
  motion.check();
  setup.gui.settle();
  motion.showMap(true);
  setup.gui.settle();
  REQUIRE(motion.map() != nullptr);
  const Session* before = setup.gui.document.session();
  setup.gui.open(setup.plant.model);
  CHECK(setup.gui.document.session() != before);
  CHECK(motion.track() == nullptr);
  CHECK(motion.step() == 0);
  CHECK(motion.map() == nullptr);
  CHECK(setup.gui.window.errorText().isEmpty());
}

TEST_CASE("turns are recorded as turns, and played along their way", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.selectInTree(models::spoolPath);
  DragController& drag = gui.window.drag();
  drag.setMode(DragMode::off);
  const NodeId spool = gui.document.session()->assembly().at(models::spoolPath);
  const Vec3 centre = gui.document.session()->worldBounds(std::vector{spool}).centre();
  const auto turn = [&](double degrees) { return AxisTurn{centre, {0, 0, 1}, degrees, 0}; };
  drag.startRecording({spool});
  REQUIRE(drag.begin({spool}));
  drag.moveTo(turn(200).at(1), turn(200));  // one jump by more than half a turn
  drag.moveTo(turn(500).at(1), turn(500));
  drag.finish();
  gui.settle();
  drag.stopRecording();
  ShownMotion& motion = gui.document.motion();
  REQUIRE(motion.track());
  const Track track = *motion.track();
  REQUIRE(track.steps.size() == 3);
  CHECK(track.ways.at(1).at(0).turn == turn(200));
  CHECK(track.ways.at(2).at(0).turn == turn(300));
  requireWays(track, "recorded");
  CHECK(motion.isAtStep());

  // Played from the start, the part turns through the way, and the label says so.
  motion.goTo(0);
  int frames = 0;
  for (double last = 0; motion.step() == 0 && frames < 100; ++frames) {
    motion.goToTime(motion.nextFrame());
    CHECK(motion.time() > last);
    last = motion.time();
    CHECK(motion.isOnTheWay());
    const RigidMotion expected = last < 1 ? turn(200 * last).at(1) : track.steps[1][0];
    CHECK(norm(gui.document.session()->motionOf(spool).transform().apply({}) -
               expected.transform().apply({})) < 1e-6);
  }
  CHECK(frames == 20);
  CHECK(motion.isAtStep());
  motion.goToTime(motion.nextFrame());
  CHECK_FALSE(motion.isAtStep());
  // A part that is moved by hand has left the way.
  gui.document.session()->move(std::vector{spool}, {{}, {0, 0, 1234}}, "Move");
  CHECK_FALSE(motion.isOnTheWay());

  // Reversed, it turns back.
  motion.reverse();
  CHECK(motion.track()->ways.at(1).at(0).turn->degrees == -300);
}

TEST_CASE("a motion with an uncertain turn is opened with a message, and ends no script", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  Track track = readTrack(plant.track);
  track.steps = {{{}}, {motionAbout({}, axisAngle({0, 0, 1}, 3.1), {})}};
  writeTrack(plant.folder / "half.json", track);
  gui.open(plant.folder / "half.json");
  CHECK(gui.window.errorText().contains("the shortest turn from the step before is 177.6 degrees"));
  CHECK(gui.run({"open \"" + (plant.folder / "half.json").string() + "\""}, {"step 1"}) == "");
}

TEST_CASE("a recording takes all parts that are moved, whatever was selected", "[gui][recording]") {
  TwoBoxes boxes({}, shift(0, 30, 0));
  boxes.gui.key(Qt::Key_R, Qt::ControlModifier);
  DragController& drag = boxes.gui.window.drag();
  REQUIRE(drag.isRecording());
  CHECK(drag.recordedSteps() == 0);
  const auto move = [&](NodeId part, const Vec3& by) {
    REQUIRE(drag.begin({part}));
    drag.moveTo({{}, by});
    drag.finish();
    boxes.gui.settle();
  };
  move(boxes.a, {10, 0, 0});
  CHECK(drag.recordedSteps() == 2);
  move(boxes.b, {0, 0, 10});
  move(boxes.a, {10, 0, 0});
  boxes.gui.key(Qt::Key_R, Qt::ControlModifier);
  REQUIRE_FALSE(drag.isRecording());
  const auto track = boxes.gui.document.motion().track();
  REQUIRE(track);
  CHECK(track->moved == std::vector<std::string>{"a", "b"});
  REQUIRE(track->steps.size() == 4);
  const Vec3 a[] = {{}, {10, 0, 0}, {10, 0, 0}, {20, 0, 0}}, b[] = {{}, {}, {0, 0, 10}, {0, 0, 10}};
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    CHECK(norm(track->steps[i][0].translation - a[i]) < 1e-9);
    CHECK(norm(track->steps[i][1].translation - b[i]) < 1e-9);
  }
  // So are moves that are no drags, each from where the part was when the recording began.
  REQUIRE(boxes.gui.run({}, {"record on", "select b", "move 5 0 0", "reset", "record off"}) == "");
  const auto other = boxes.gui.document.motion().track();
  REQUIRE(other != track);
  CHECK(other->moved == std::vector<std::string>{"b"});
  REQUIRE(other->steps.size() == 3);
  CHECK(norm(other->steps[0][0].translation - Vec3{0, 0, 10}) < 1e-9);
  CHECK(norm(other->steps[1][0].translation - Vec3{5, 0, 10}) < 1e-9);
  CHECK(norm(other->steps[2][0].translation) < 1e-9);
  // Nothing was moved: there is no motion to add.
  boxes.gui.key(Qt::Key_R, Qt::ControlModifier);
  boxes.gui.key(Qt::Key_R, Qt::ControlModifier);
  CHECK(boxes.gui.document.session()->state().tracks.size() == 2);
}

TEST_CASE("the time line says which parts clash at a step, and where the next clash is", "[gui][recording]") {
  TwoBoxes boxes({}, shift(0, 30, 0));
  const auto found = [&] { return boxes.gui.window.timeLine().findChild<ElidedLabel*>()->text(); };
  REQUIRE(boxes.gui.run({}, {"verdicts on", "select a", "record on", "move 0 10 0", "move 0 18 0",
                             "move 0 22 0", "record off", "find-clashes", "step 0"}) == "");
  CHECK(found() == "nothing clashes here; next at step 3: clash: a with b");
  REQUIRE(boxes.gui.run({}, {"step 2"}) == "");
  CHECK(found() == "clash: a with b");
  REQUIRE(boxes.gui.run({}, {"step 3"}) == "");
  CHECK(found() == "nothing clashes here, and none at a later step");
  // Without verdicts, parts intersect; nearer than a rule allows is no clash.
  REQUIRE(boxes.gui.run({}, {"verdicts off", "find-clashes", "step 2"}) == "");
  CHECK(found() == "intersect: a with b");
  REQUIRE(boxes.gui.run({}, {"verdicts on", "rule add a b clearance 20", "find-clashes", "step 1"}) == "");
  CHECK(found() == "a with b (too near)");
}

TEST_CASE("the time line claims no freedom from clashes where verdicts are undecided", "[gui][recording]") {
  // The boxes have a chord error of 1, so that a gap of 0.6 leaves open whether a clearance of 1 is kept.
  TemporaryFolder folder;
  Model model;
  const PartId part = model.assembly.addPart(withDeflection(sixSidedBox(4, 4, 4), 1));
  model.assembly.addNode("a", {}, {}, part);
  model.assembly.addNode("b", shift(0, 4.6, 0), {}, part);
  model.collisionModels = buildCollisionModels(model.assembly);
  writeModelFile(folder / "m.fitup", model);
  WindowSession gui;
  gui.open(folder / "m.fitup");
  REQUIRE(gui.run({}, {"verdicts on", "tolerance 0.01", "rule add a b clearance 1", "select a", "record on",
                       "move 1 0 0", "record off", "find-clashes", "step 0"}) == "");
  REQUIRE(gui.document.motion().checked());
  REQUIRE(gui.document.motion().checked()->steps[0].open == 1);
  const QString found = gui.window.timeLine().findChild<ElidedLabel*>()->text();
  CHECK(found.startsWith("no clash found, 1 pair undecided"));
  CHECK_FALSE(found.contains("nor at any other step"));
}

TEST_CASE("a motion is certified between its steps too, and the certificate is saved",
          "[gui][recording][certify]") {
  TwoBoxes boxes({}, shift(0, 30, 0));
  const TemporaryFolder folder;
  const auto found = [&] { return boxes.gui.window.timeLine().findChild<ElidedLabel*>()->text(); };
  const auto save = "save-certificate " + (folder / "c.json").string();
  CHECK(boxes.gui.run({}, {"verdicts on", "select a", "record on", "move 0 10 0", "record off", save}) != "");
  REQUIRE(boxes.gui.run({}, {"find-clashes", "step 0", save}) == "");
  // The boxes have a chord error, by which the exact shapes may differ.
  CHECK(found() ==
        "nothing clashes, nor at any other step; certainly not between the steps either (the triangles are "
        "exact to "
        "within 0.02 mm)");
  const Assembly& assembly = boxes.gui.document.session()->assembly();
  CHECK(readCertificate(folder / "c.json", assembly).isWhole());
  // Past the other box in one step: both steps are free.
  REQUIRE(boxes.gui.run({}, {"reset", "select a", "record on", "move 0 60 0", "record off", "find-clashes",
                             "step 0"}) == "");
  CHECK(found().startsWith("nothing clashes, nor at any other step; but between the steps, at 0."));
  CHECK(found().contains(": a with b (the triangles are exact to within "));
  REQUIRE(boxes.gui.run({}, {"next-clash"}) == "");
  CHECK(boxes.gui.document.motion().time() > 0);
  CHECK(boxes.gui.document.motion().time() < 1);
}

}  // namespace motions_tests
