// Tests that what happens automatically is asked for, reported or visible.
#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include <QApplication>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <fitup/io/model_file.h>
#include <models/process_plant.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/placement_panel.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/section_panel.h>
#include <viewer/gui/status_line.h>
#include <viewer/gui/time_line.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "viewer/gui/window_session.h"

namespace surprises_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

struct PlacedBox {
  std::string name;
  double side;
  Transform at;
  std::optional<Colour> ofInstance{}, ofFaces{};
};

MeshPtr painted(const TriangleMesh& mesh, const std::optional<Colour>& colour) {
  TriangleMeshBuilder builder(mesh.name());
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i) builder.addPoint(mesh.pointInPart(i));
  for (const Surface& surface : mesh.surfaces()) {
    builder.beginSurface(surface.name, colour);
    for (std::uint32_t i = 0; i < surface.triangleCount; ++i) {
      const TriangleIndices& corners = mesh.triangles()[surface.firstTriangle + i];
      builder.addTriangle(corners[0], corners[1], corners[2]);
    }
  }
  return std::make_shared<const TriangleMesh>(builder.build());
}

/// Boxes in a file, in millimetres by default.
class Boxes {
 public:
  explicit Boxes(const std::vector<PlacedBox>& boxes, const std::string& unit = "mm") {
    Model model;
    model.assembly = Assembly("boxes");
    model.assembly.setUnit(unit);
    for (const auto& [name, side, at, ofInstance, ofFaces] : boxes) {
      const MeshPtr mesh = withDeflection(painted(*sixSidedBox(side, side, side), ofFaces), 1e-3 * side);
      model.assembly.addNode(name, at, {}, model.assembly.addPart(mesh), ofInstance);
    }
    model.collisionModels = buildCollisionModels(model.assembly);
    writeModelFile(file, model);
  }
  TemporaryFolder folder;
  std::filesystem::path file = folder / "boxes.fitup";
};

QColor colourAt(WindowSession& gui, const QPointF& point) {
  return gui.window.view().grabFramebuffer().pixelColor(point.toPoint());
}

bool differ(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) > 40;
}

void leaveWorkBehind(const Project& project) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    // Ends as by a crash: nothing is cleaned up.
    Autosave autosave(Document::autosaveFolder());
    autosave.save(project, {}, {});
    _exit(0);
  }
  REQUIRE(waitpid(child, nullptr, 0) == child);
}

}  // namespace

TEST_CASE("a clash of a part that lies inside another one is seen", "[gui]") {
  const Boxes boxes({{"house", 10, {}}, {"lost", 3, {}}});
  WindowSession gui;
  gui.open(boxes.file);
  REQUIRE(gui.window.table().model().count() == 1);
  REQUIRE_FALSE(gui.window.table().model().finding(0).surfaces);
  CHECK(gui.window.table().rows().index(0, InterferenceModel::faceA).data() == "one inside the other");
  CHECK(gui.redPixels() > 500);
  const QImage before = gui.window.view().grabFramebuffer();
  gui.window.table().view().setCurrentIndex(gui.window.table().rows().index(0, 0));
  QApplication::processEvents();
  CHECK(gui.window.view().grabFramebuffer() != before);
}

TEST_CASE("faces that clash are seen beside parts that are red themselves", "[gui]") {
  const Colour red{0.9F, 0.1F, 0.1F};
  // All except "aside" clash with the plate's top; the test looks at their own tops, which nothing meets.
  const Boxes boxes({{"plate", 40, shift(0, 0, -20)},
                     {"instance", 4, shift(-10, 0, 1), red},
                     {"faces", 4, shift(0, 0, 1), {}, red},
                     {"blue", 4, shift(10, 0, 1), Colour{0.1F, 0.1F, 0.9F}},
                     {"aside", 4, shift(0, 10, 10), red},
                     {"glass", 4, shift(0, -10, 10), Colour{0.9F, 0.1F, 0.1F, 0.5F}}});
  WindowSession gui;
  gui.open(boxes.file);
  gui.window.view().look(StandardView::top);
  const Assembly& assembly = gui.document.session()->assembly();
  const auto top = [&](const char* part) {
    const NodeId node = assembly.at(part);
    const auto surfaces = assembly.meshOf(node).surfaces();
    const auto named = std::ranges::find(surfaces, "+z", &Surface::name);
    REQUIRE(named != surfaces.end());
    return colourAt(gui, gui.pointOn(node, SurfaceId{static_cast<std::uint32_t>(named - surfaces.begin())}));
  };
  const auto isRed = [](const QColor& c) { return c.red() > 2 * c.green() && c.red() > 2 * c.blue(); };
  const auto isGrey = [](const QColor& c) { return std::abs(c.red() - c.blue()) < 20; };
  REQUIRE(gui.window.table().model().count() > 0);
  for (const char* paints : {"paint-faces off", "paint-faces on"}) {
    REQUIRE(gui.run({}, {paints}).empty());
    gui.settle();
    CHECK(isGrey(top("aside")));  // so that it does not look like a clash
    for (const char* clashing : {"instance", "faces"}) {
      const QColor colour = top(clashing);
      CHECK_FALSE(isRed(colour));
      // At rest, what is below it, inside the plate, shines through.
      CHECK(isGrey(colour) == (paints == std::string_view("paint-faces on")));
    }
  }
  CHECK(isRed(top("plate")));
  const QColor glass = top("glass");
  CHECK(glass.red() > glass.blue() + 40);  // unchanged: what is behind it stays visible
  const QColor blue = top("blue");
  CHECK(blue.blue() > 2 * blue.red());

  REQUIRE(
      gui.run({}, {"select instance", "move 0 0 20", "select faces", "move 0 0 20", "select blue"}).empty());
  gui.settle();
  CHECK(isGrey(top("faces")));  // the blue one still clashes
  REQUIRE(gui.run({}, {"move 0 0 20", "select plate"}).empty());
  gui.settle();
  REQUIRE(gui.window.table().model().count() == 0);
  for (const char* part : {"instance", "faces", "aside"}) CHECK(isRed(top(part)));
}

TEST_CASE("parts of one name are distinguished in table and status bar", "[gui]") {
  const Boxes boxes({{"bolt", 4, {}}, {"bolt", 4, shift(3, 0, 0)}, {"nut", 4, shift(-3, 0, 10)}});
  WindowSession gui;
  gui.open(boxes.file);
  const InterferenceModel& model = gui.window.table().model();
  REQUIRE(model.rowCount() > 0);
  const auto text = [&](InterferenceModel::Column column) {
    return model.index(0, column).data().toString().toStdString();
  };
  CHECK(text(InterferenceModel::partA) == "bolt#1");
  CHECK(text(InterferenceModel::partB) == "bolt#2");
  gui.selectInTree("nut");
  CHECK(gui.window.statusLine().distanceText().startsWith("nearest: bolt#1"));
}

TEST_CASE("parts in contact only are dimmed, and the ghost of a selected part is seen", "[gui]") {
  // Nothing is behind the upper half of the mated box.
  const Boxes boxes({{"a", 4, {}}, {"b", 4, shift(3, 0, 0)}, {"mated", 4, shift(-4, 0, 2)}});
  WindowSession gui;
  gui.open(boxes.file);
  gui.window.view().look(
      StandardView::left);  // at the only face that touches nothing, which would be highlighted
  // Away from the corner, which is marked while the part is selected.
  const QPointF onMated =
      gui.pointOn(gui.document.session()->assembly().at("mated"), SurfaceId{0}) + QPointF(24, 24);
  const QColor plain = colourAt(gui, onMated);
  gui.window.view().setDimOthers(true);
  CHECK(differ(colourAt(gui, onMated), plain));
  gui.window.view().setDimOthers(false);
  REQUIRE_FALSE(differ(colourAt(gui, onMated), plain));

  gui.selectInTree("mated");
  gui.window.view().setDimOthers(true);
  const QColor selected = colourAt(gui, onMated);
  CHECK_FALSE(differ(selected, plain));  // a selected part keeps its colour
  gui.window.view().setDimOthers(false);
  CHECK_FALSE(differ(colourAt(gui, onMated), selected));  // the selection is not dimmed
  gui.window.commands().action("ghost").trigger();
  gui.settle();
  CHECK(differ(colourAt(gui, onMated), selected));
}

TEST_CASE("a line goes round selected parts, also behind others", "[gui]") {
  const Boxes boxes({{"front", 4, {}}, {"back", 2, shift(0, 10, 0)}});
  WindowSession gui;
  gui.open(boxes.file);
  gui.window.view().look(StandardView::front);
  const auto outlined = [&] {
    const QImage picture = gui.window.view().grabFramebuffer();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        count += !differ(picture.pixelColor(x, y), QColor(13, 102, 255));
    return count;
  };
  CHECK(outlined() == 0);
  gui.selectInTree("back");
  const int hidden = outlined();
  CHECK(hidden > 200);
  gui.selectInTree("front");
  CHECK(outlined() > 1.5 * hidden);
  gui.window.commands().action("hide").trigger();
  gui.settle();
  CHECK(outlined() == 0);
}

TEST_CASE("a look at a finding goes as near as its parts are small", "[gui]") {
  const Boxes boxes({{"a", 4, {}}, {"b", 4, shift(3, 0, 0)}, {"far", 4, shift(1e5, 0, 0)}});
  WindowSession gui;
  gui.open(boxes.file);
  gui.window.table().step(1);
  const Viewpoint& view = gui.window.view().camera().viewpoint();
  CHECK(norm(view.eye - view.target) < 60);
}

TEST_CASE("hidden parts are not selected, and no key moves them", "[gui]") {
  const Boxes boxes({{"a", 4, {}}, {"b", 4, shift(9, 0, 0)}});
  WindowSession gui;
  gui.open(boxes.file);
  gui.selectInTree("b");
  gui.key(Qt::Key_H);
  REQUIRE(gui.document.session()->state().hidden.size() == 1);
  CHECK(gui.document.selection().empty());
  gui.selectInTree("b");
  CHECK_FALSE(gui.window.view().gizmo());
  QTest::keyClick(&gui.window.view(), Qt::Key_Right);
  gui.settle();
  CHECK(gui.document.session()->state().motions.empty());
}

TEST_CASE("edits made while another model is read are asked about before it takes their place", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const Session* session = gui.document.session();
  const auto openAndEdit = [&](QMessageBox::StandardButton answer) {
    return answering(
        gui,
        [&](QMessageBox& box) {
          // It names the model and the last changes.
          CHECK(box.text().contains(QString::fromStdString(plant.model.filename().string())));
          // Those of the view come last.
          CHECK(box.informativeText().contains("The last changes: Tolerance, Hide."));
          box.button(answer)->click();
        },
        [&] {
          gui.document.open(plant.model);
          gui.document.session()->edit("Tolerance", [](SessionState& state) { state.tolerance = 0.5; });
          const NodeId first = gui.document.session()->assembly().instances().front();
          gui.document.session()->edit("Hide", [&](SessionState& state) { state.hidden.insert(first); });
        });
  };
  CHECK(openAndEdit(QMessageBox::Cancel) == 1);
  REQUIRE(gui.document.session() == session);
  CHECK(session->state().tolerance == 0.5);
  gui.document.session()->undo();
  CHECK(openAndEdit(QMessageBox::Discard) == 1);
  CHECK_FALSE(gui.document.session()->state().tolerance);
  // Without changes, no question appears.
  CHECK(answering(
            gui, [](QMessageBox& box) { box.button(QMessageBox::Cancel)->click(); },
            [&] { gui.document.open(plant.model); }) == 0);
}

TEST_CASE("who opens a project whose model has moved says where it is", "[gui]") {
  const PlantFiles plant;
  const std::filesystem::path work = plant.folder / "work" / "work.fitup-project",
                              there = plant.folder / "there",
                              beside = work.parent_path() / plant.model.filename();
  std::filesystem::create_directories(work.parent_path());
  std::filesystem::create_directories(there);
  Project project;
  project.models = {plant.model};
  project.tolerance = 0.5;
  writeProject(work, project);
  std::filesystem::rename(plant.model, there / "plant.fitup");

  const auto buttonOf = [](QMessageBox& box, QMessageBox::ButtonRole role) {
    for (QAbstractButton* button : box.buttons())
      if (box.buttonRole(button) == role) return button;
    return static_cast<QAbstractButton*>(nullptr);
  };
  WindowSession gui;
  const auto openAnd = [&](const std::function<void(QMessageBox&)>& answer) {
    return answering(gui, answer, [&] {
      gui.drop({work});
      QApplication::processEvents();
    });
  };
  CHECK(openAnd([&](QMessageBox& box) {
          CHECK(box.text().contains(QString::fromStdString(plant.model.string())));
          CHECK(buttonOf(box, QMessageBox::AcceptRole) == nullptr);
          box.button(QMessageBox::Cancel)->click();
        }) == 1);
  CHECK(gui.document.session() == nullptr);
  CHECK(gui.window.errorText().isEmpty());

  // Somewhere else: the file dialog comes after the question.
  QTimer chooses;
  QObject::connect(&chooses, &QTimer::timeout, &gui.window, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    dialog->findChild<QLineEdit*>("fileNameEdit")
        ->setText(QString::fromStdString((there / "plant.fitup").string()));
    QMetaObject::invokeMethod(dialog, "accept");
  });
  chooses.start(20);
  CHECK(openAnd([&](QMessageBox& box) { buttonOf(box, QMessageBox::ActionRole)->click(); }) == 1);
  chooses.stop();
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.window.errorText().toStdString() == "");
  CHECK(gui.document.session()->modelFiles() == std::vector{there / "plant.fitup"});
  CHECK(gui.document.session()->state().tolerance == 0.5);
  // The project does not contain it yet.
  CHECK(gui.document.isModified());
  gui.document.saveProject(work, gui.window.view().camera().viewpoint());
  CHECK_FALSE(gui.document.isModified());
  CHECK(readProject(work).models == std::vector{there / "plant.fitup"});
  CHECK(openAnd([](QMessageBox&) {}) == 0);

  std::filesystem::copy_file(there / "plant.fitup", work.parent_path() / "plant.fitup");
  std::filesystem::remove(there / "plant.fitup");
  CHECK(openAnd([&](QMessageBox& box) { buttonOf(box, QMessageBox::AcceptRole)->click(); }) == 1);
  CHECK(gui.document.session()->modelFiles() == std::vector{beside});
}

TEST_CASE("kept work is deleted only by who says so", "[gui]") {
  const PlantFiles plant;
  Project project;
  project.models = {plant.model};
  leaveWorkBehind(project);
  WindowSession gui;
  REQUIRE(gui.document.leftovers().size() == 1);
  const auto offer = [&](const std::function<void(QMessageBox&)>& answer) {
    bool opened = false;
    CHECK(answering(gui, answer, [&] { opened = gui.window.offerRestore(); }) == 1);
    return opened;
  };
  CHECK_FALSE(offer([](QMessageBox& box) {
    CHECK(box.text().contains("Restore the autosaved state of"));
    CHECK(box.informativeText().contains("is lost"));
    QStringList texts;
    for (QAbstractButton* button : box.buttons()) texts << button->text().remove('&');
    texts.sort();
    CHECK(texts == QStringList{"Discard the autosaved state", "Later", "Restore"});
    QTest::keyClick(&box, Qt::Key_Escape);
  }));
  CHECK(gui.document.leftovers().size() == 1);
  CHECK_FALSE(offer([](QMessageBox& box) { box.close(); }));
  CHECK(gui.document.leftovers().size() == 1);
  CHECK_FALSE(offer([](QMessageBox& box) {
    for (QAbstractButton* button : box.buttons())
      if (box.buttonRole(button) == QMessageBox::DestructiveRole) return button->click();
  }));
  CHECK(gui.document.leftovers().empty());
  leaveWorkBehind(project);
  CHECK(offer([](QMessageBox& box) { clickOn(box, QMessageBox::AcceptRole); }));
  CHECK(gui.document.session() != nullptr);
}

TEST_CASE("a section that is taken away keeps its place", "[gui]") {
  const Boxes boxes({{"a", 10, {}}});
  WindowSession gui;
  gui.open(boxes.file);
  auto* panel = gui.window.findChild<SectionPanel*>();
  REQUIRE(panel != nullptr);
  auto* on = panel->findChild<QCheckBox*>();  // the first one
  auto* offset = panel->findChild<QDoubleSpinBox*>();
  on->setChecked(true);
  offset->setValue(3.5);
  gui.settle();
  REQUIRE(gui.document.session()->state().sections.at(0).offset == 3.5);
  on->setChecked(false);
  CHECK(offset->value() == 3.5);
  on->setChecked(true);
  CHECK(gui.document.session()->state().sections.at(0).offset == 3.5);
}

TEST_CASE("steps and decimals fit a model in metres", "[gui]") {
  const Boxes boxes({{"a", 0.1, {}}, {"b", 0.1, shift(0.3, 0, 0)}}, "m");
  WindowSession gui;
  gui.open(boxes.file);
  CHECK(gui.window.drag().steps().distance == Approx(0.001));
  auto* offset = gui.window.findChild<SectionPanel*>()->findChild<QDoubleSpinBox*>();
  CHECK(offset->decimals() >= 5);
  gui.selectInTree("a");
  QTest::keyClick(&gui.window.view(), Qt::Key_Right);
  gui.settle();
  const auto& motions = gui.document.session()->state().motions;
  REQUIRE(motions.size() == 1);
  CHECK(norm(motions.begin()->second.translation) == Approx(0.001));
  // A step that fits is the user's choice.
  gui.window.drag().setSteps({0.02, 15}, true);
  gui.open(boxes.file);
  CHECK(gui.window.drag().steps().distance == 0.02);
}

TEST_CASE("the blank is for what has the focus, and undo ends what plays", "[gui]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  gui.document.open(plant.track);
  gui.settle();
  TimeLine& line = gui.window.timeLine();
  QApplication::setActiveWindow(&gui.window);
  auto* box = gui.window.placement().findChild<QCheckBox*>();
  REQUIRE(box != nullptr);
  const bool before = box->isChecked();
  QTest::keyClick(box, Qt::Key_Space);
  CHECK_FALSE(line.isPlaying());
  CHECK(box->isChecked() != before);
  QTest::keyClick(&gui.window.view(), Qt::Key_Space);
  REQUIRE(line.isPlaying());
  gui.waitFor([&] { return gui.document.motion().step() >= 3; }, "a few steps");
  gui.document.session()->undo();
  gui.waitFor([&] { return !line.isPlaying(); }, "the end of the motion that plays");
  CHECK(gui.document.motion().step() < 3);
}

}  // namespace surprises_tests
