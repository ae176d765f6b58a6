// Tests the preferences: what they change, that they are remembered, and that other commands show there.
#include <catch2/catch.hpp>
#include <tuple>

#include <QCheckBox>
#include <QColorDialog>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QStyle>
#include <QTest>

#include <fitup/io/model_cache.h>
#include <fitup/io/model_file.h>
#include <fitup/io/project_file.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/number_field.h>
#include <viewer/gui/preferences_dialog.h>
#include <viewer/gui/remembered_settings.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/theme.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "viewer/gui/window_session.h"

namespace preferences_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Ends with the theme and the settings of the beginning.
struct Restored {
  ~Restored() {
    setTheme(Theme::system);
    QSettings().clear();
  }
};

PreferencesDialog& openPreferences(WindowSession& gui) {
  gui.key(Qt::Key_Comma, Qt::ControlModifier);
  auto* dialog = gui.window.findChild<PreferencesDialog*>();
  REQUIRE(dialog != nullptr);
  REQUIRE(dialog->isVisible());
  return *dialog;
}

/// Chooses an entry of a box by the keyboard.
void choose(QDialog& dialog, const char* name, const QString& data) {
  auto* box = dialog.findChild<QComboBox*>(name);
  REQUIRE(box != nullptr);
  const int wanted = box->findData(data);
  REQUIRE(wanted >= 0);
  box->setFocus();
  while (box->currentIndex() != wanted)
    QTest::keyClick(box, box->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
}

int backgroundOf(WindowSession& gui) {
  gui.window.view().finishDrawing();
  return gui.window.view().grabFramebuffer().pixelColor(2, 2).lightness();
}

std::filesystem::path writeBox(const TemporaryFolder& folder, const char* unit) {
  Model model;
  model.assembly = Assembly("box");
  model.assembly.setUnit(unit);
  model.assembly.addNode("box", {}, {}, model.assembly.addPart(sixSidedBox(10, 8, 6)));
  model.collisionModels = buildCollisionModels(model.assembly);
  const std::filesystem::path file = folder / (std::string("box-") + unit + ".fitup");
  writeModelFile(file, model);
  return file;
}

}  // namespace

TEST_CASE("a theme switches all windows and the view at once and is remembered", "[gui][preferences]") {
  const Restored restored;
  {
    WindowSession gui;
    PreferencesDialog& dialog = openPreferences(gui);
    choose(dialog, "theme", "dark");
    QApplication::processEvents();
    CHECK(QApplication::palette().color(QPalette::Window).lightness() < 80);
    CHECK(QApplication::palette().color(QPalette::WindowText).lightness() > 200);
    CHECK(dialog.palette().color(QPalette::Window).lightness() < 80);
    CHECK(gui.window.grab().toImage().pixelColor(3, gui.window.height() / 2).lightness() < 80);
    CHECK(backgroundOf(gui) < 80);
    choose(dialog, "theme", "light");
    CHECK(QApplication::palette().color(QPalette::Window).lightness() > 200);
    CHECK(QApplication::style()->objectName() == "fusion");
    CHECK(backgroundOf(gui) > 200);
    // By a script, which the dialog and the menu show.
    CHECK(gui.run({}, {"theme dark"}) == "");
    CHECK(dialog.findChild<QComboBox*>("theme")->currentData() == "dark");
    CHECK(gui.window.commands().action("theme dark").isChecked());
    rememberSettings(gui.window);
    CHECK(gui.run({}, {"theme system"}) == "");
    CHECK(gui.run({}, {"theme blue"}) == "session, line 1: 'blue' is not one of system, light, dark");
  }
  const QColor system = QApplication::palette().color(QPalette::Window);
  CHECK(theme() == Theme::system);
  WindowSession gui;
  recallSettings(gui.window);
  CHECK(theme() == Theme::dark);
  setTheme(Theme::system);
  CHECK(QApplication::palette().color(QPalette::Window) == system);
}

TEST_CASE("the background has its own colour until it follows the theme again", "[gui][preferences]") {
  const Restored restored;
  WindowSession gui;
  PreferencesDialog& dialog = openPreferences(gui);
  auto* own = dialog.findChild<QPushButton*>("background");
  auto* asTheme = dialog.findChild<QPushButton*>("background theme");
  CHECK((asTheme->isChecked() && !own->isChecked()));
  const int before = backgroundOf(gui);
  whenAsked(
      [](QDialog& asked) {
        auto& colours = dynamic_cast<QColorDialog&>(asked);
        colours.setCurrentColor(QColor(40, 20, 60));
        colours.accept();
      },
      [&] { QTest::mouseClick(own, Qt::LeftButton); });
  CHECK(gui.window.view().background() == QColor(40, 20, 60));
  CHECK((own->isChecked() && !asTheme->isChecked()));
  CHECK(backgroundOf(gui) == QColor(40, 20, 60).lightness());
  // Cancelling the question changes nothing.
  whenAsked([](QDialog& asked) { asked.reject(); }, [&] { QTest::mouseClick(own, Qt::LeftButton); });
  CHECK(own->isChecked());
  rememberSettings(gui.window);
  QTest::mouseClick(asTheme, Qt::LeftButton);
  CHECK_FALSE(gui.window.view().background());
  CHECK(backgroundOf(gui) == before);
  recallSettings(gui.window);
  CHECK(gui.window.view().background() == QColor(40, 20, 60));
  CHECK(gui.run({}, {"background theme"}) == "");
  CHECK(gui.run({}, {"background pink"}) == "session, line 1: 'pink' is not a colour such as ff8000");
}

TEST_CASE("preferences and menus show the same", "[gui][preferences]") {
  const Restored restored;
  WindowSession gui;
  PreferencesDialog& dialog = openPreferences(gui);
  choose(dialog, "navigation", "blender");
  CHECK(gui.window.view().navigation() == NavigationPreset::blender);
  CHECK(gui.window.commands().action("navigation blender").isChecked());
  choose(dialog, "projection", "perspective");
  CHECK(gui.window.view().camera().projection() == Projection::perspective);
  auto* paint = dialog.findChild<QCheckBox*>("paint-faces");
  QTest::mouseClick(paint, Qt::LeftButton, {}, {8, paint->height() / 2});
  CHECK(gui.window.view().paintsFaces());
  // The other way round.
  gui.key(Qt::Key_O);
  CHECK(dialog.findChild<QComboBox*>("projection")->currentData() == "orthographic");
  gui.key(Qt::Key_D, Qt::ShiftModifier);
  CHECK_FALSE(paint->isChecked());
  gui.window.commands().action("navigation cad").trigger();
  CHECK(dialog.findChild<QComboBox*>("navigation")->currentData() == "cad");
  // A second request shows the same dialog.
  openPreferences(gui);
  CHECK(gui.window.findChildren<PreferencesDialog*>().size() == 1);
  gui.window.view().setPaintsFaces(true);
  rememberSettings(gui.window);
  gui.window.view().setPaintsFaces(false);
  recallSettings(gui.window);
  CHECK(gui.window.view().paintsFaces());
}

TEST_CASE("models start with the default tolerance in their unit, projects with their own",
          "[gui][preferences]") {
  const Restored restored;
  const TemporaryFolder folder;
  WindowSession gui;
  PreferencesDialog& dialog = openPreferences(gui);
  auto* field = dialog.findChild<NumberField*>("tolerance");
  CHECK_FALSE(field->isEnabled());
  auto* box = dialog.findChild<QCheckBox*>("hasTolerance");
  QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
  CHECK(field->isEnabled());
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "0.25");
  QTest::keyClick(field, Qt::Key_Return);
  CHECK(gui.document.defaultTolerance() == 0.25);
  CHECK(dialog.isVisible());

  gui.open(writeBox(folder, "mm"));
  CHECK(gui.document.session()->state().tolerance == 0.25);
  CHECK_FALSE(gui.document.isModified());
  CHECK_FALSE(gui.document.session()->history().canUndo());
  gui.open(writeBox(folder, "m"));
  CHECK(*gui.document.session()->state().tolerance == Approx(0.00025));
  Project project;
  project.models = {writeBox(folder, "mm")};
  writeProject(folder / "work.fitup-project", project);
  gui.open(folder / "work.fitup-project");
  CHECK_FALSE(gui.document.session()->state().tolerance);

  rememberSettings(gui.window);
  CHECK(gui.run({}, {"default-tolerance none"}) == "");
  CHECK_FALSE(box->isChecked());
  gui.open(folder / "box-mm.fitup");
  CHECK_FALSE(gui.document.session()->state().tolerance);
  recallSettings(gui.window);
  CHECK(gui.document.defaultTolerance() == 0.25);
  CHECK(gui.run({}, {"default-tolerance 0"}) == "session, line 1: the tolerance must be above 0");
}

TEST_CASE("the cache is described and cleared", "[gui][preferences]") {
  const Restored restored;
  const ModelCache cache;
  cache.clear();
  Model model;
  model.assembly.addNode("box", {}, {}, model.assembly.addPart(sixSidedBox(10, 8, 6)));
  model.collisionModels = buildCollisionModels(model.assembly);
  Digest key;
  key.bytes.fill(7);
  cache.keep(key, model);
  WindowSession gui;
  PreferencesDialog& dialog = openPreferences(gui);
  const QLabel& text = *dialog.findChild<QLabel*>("cache");
  CHECK(text.text().startsWith("1 model, "));
  CHECK(text.text().contains(QString::fromStdString(cache.folder().string())));
  QTest::mouseClick(dialog.findChild<QPushButton*>("clear-cache"), Qt::LeftButton);
  CHECK(text.text().startsWith("0 models, "));
  CHECK(cache.entries().empty());
}

TEST_CASE("fewer pictures while moving leave out moves, but not the last one", "[gui][preferences]") {
  const Restored restored;
  TwoBoxes boxes({}, shift(0, 9, 0));
  WindowSession& gui = boxes.gui;
  SceneView& view = boxes.view();
  const auto pan = [&] {
    gui.run({}, {"view front", "frame"});
    const QPointF from(view.width() / 2.0, view.height() / 2.0);
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton button,
                          Qt::MouseButtons held) {
      QMouseEvent event(type, at, view.mapToGlobal(at), button, held, Qt::NoModifier);
      QApplication::sendEvent(&view, &event);
    };
    const Vec3 begin = view.camera().viewpoint().target;
    int changes = 0;
    Vec3 last = begin;
    QElapsedTimer elapsed;
    elapsed.start();
    send(QEvent::MouseButtonPress, from, Qt::RightButton, Qt::RightButton);
    for (int i = 1; i <= 60; ++i) {
      send(QEvent::MouseMove, from + QPointF(i, i), Qt::NoButton, Qt::RightButton);
      changes += !(view.camera().viewpoint().target == last);
      last = view.camera().viewpoint().target;
    }
    const auto most = 2 + elapsed.elapsed() / 67;
    send(QEvent::MouseButtonRelease, from + QPointF(60, 60), Qt::RightButton, Qt::NoButton);
    return std::tuple(changes, most, view.camera().viewpoint().target - begin);
  };
  const auto [all, unused, way] = pan();
  CHECK(all > 50);
  REQUIRE(gui.run({}, {"update-rate 15"}) == "");
  const auto [some, most, sameWay] = pan();
  CHECK(some <= most);
  CHECK(some < all);
  CHECK(norm(sameWay - way) < 1e-9 * norm(way));
  rememberSettings(gui.window);
  view.setUpdateRate(UpdateRate::most);
  recallSettings(gui.window);
  CHECK(view.updateRate() == UpdateRate::fifteen);
  CHECK(gui.window.commands().action("update-rate 15").isChecked());
}

}  // namespace preferences_tests
