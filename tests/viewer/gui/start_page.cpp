// Tests the start page with its pictures and samples, and the tour.
#include <catch2/catch.hpp>

#include <QFileInfo>
#include <QPushButton>
#include <QSettings>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include <viewer/gui/commands.h>
#include <viewer/gui/instance_tree.h>
#include <viewer/gui/interference_table.h>
#include <viewer/gui/samples.h>
#include <viewer/gui/scene_view.h>
#include <viewer/gui/start_page.h>
#include <viewer/gui/thumbnails.h>
#include <viewer/gui/tour.h>

#include "viewer/gui/window_session.h"

namespace start_page_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

StartPage& startPage(viewer::MainWindow& window) {
  auto* page = window.findChild<StartPage*>();
  REQUIRE(page != nullptr);
  return *page;
}

QToolButton* cardOf(viewer::MainWindow& window, const QString& title) {
  for (QToolButton* card : startPage(window).findChildren<QToolButton*>())
    if (card->accessibleName() == title) return card;
  return nullptr;
}

void waitFor(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000 && !condition(); ++i) QTest::qWait(10);
  REQUIRE(condition());
}

QString keyOf(const std::filesystem::path& file) { return QString::fromStdString(file.string()); }

}  // namespace

TEST_CASE("the start page covers the view until something is open", "[gui][start]") {
  const PlantFiles plant;
  WindowSession gui;
  StartPage& page = startPage(gui.window);
  CHECK(page.isVisible());
  CHECK(page.size() == gui.window.view().size());
  gui.window.resize(1000, 700);
  QApplication::processEvents();
  CHECK(page.size() == gui.window.view().size());
  // Drops on it are drops on the window.
  gui.drop({plant.model});
  gui.waitFor([&] { return gui.document.session() != nullptr; }, "the model");
  gui.settle();
  CHECK(page.isHidden());
}

TEST_CASE("a sample opens with its motion, also by keys", "[gui][start]") {
  WindowSession gui;
  QToolButton* card = cardOf(gui.window, "Process plant");
  REQUIRE(card != nullptr);
  card->setFocus();
  QTest::keyClick(card, Qt::Key_Return);
  gui.waitFor([&] { return gui.document.session() != nullptr && gui.document.motion().track() != nullptr; },
              "the plant");
  gui.settle();
  CHECK(gui.document.session()->assembly().instances().size() == 8);
  CHECK(gui.window.errorText().isEmpty());
  CHECK_FALSE(gui.document.motion().track()->steps.empty());
  CHECK(gui.run({}, {"sample hall"}) == "");
  CHECK(gui.window.table().view().model()->rowCount() > 0);
  CHECK(gui.document.session()->assembly().instances().size() == 201);
  CHECK(gui.run({}, {"sample castle"}) == "session, line 1: 'castle' is not one of plant, hall");
}

TEST_CASE("recent files have pictures, in the user's cache folder only", "[gui][start]") {
  QSettings().clear();
  const PlantFiles plant;
  const Thumbnails thumbnails;
  const QString key = keyOf(plant.model);
  {
    viewer::MainWindow window;
    window.show();
    CHECK(cardOf(window, "plant.fitup") == nullptr);
    window.document().open(plant.model);
    waitFor([&] { return window.document().session() != nullptr && !window.isBusy(); });
    CHECK(thumbnails.of(key).isNull());
    // Another model takes its place.
    window.commands().run({"sample", "plant"});
    waitFor(
        [&] { return window.document().session()->modelFiles().front() != plant.model && !window.isBusy(); });
    CHECK(thumbnails.of(key).size() == QSize(Thumbnails::width, Thumbnails::height));
    window.document().session()->setSaved();  // its motion was a change
    window.close();
  }
  const QString sampleKey = keyOf(sampleFile("plant"));
  const QImage picture = thumbnails.of(sampleKey);
  REQUIRE_FALSE(picture.isNull());
  std::set<QRgb> colours;
  for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, picture.height() / 2));
  CHECK(colours.size() > 10);  // something is on it
  CHECK(thumbnails.fileOf(key).startsWith(Thumbnails::userFolder()));
  CHECK_FALSE(thumbnails.fileOf(key).contains("plant"));
  CHECK(QFileInfo(Thumbnails::userFolder()).permission(QFile::ReadOther) == false);
  std::size_t beside = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(plant.folder.path()))
    ++beside;
  CHECK(beside == 2);

  viewer::MainWindow window;
  window.show();
  QToolButton* card = cardOf(window, "plant.fitup");
  REQUIRE(card != nullptr);
  // Both are files of this name.
  CHECK(startPage(window).findChildren<QToolButton*>().size() == 4);
  QToolButton* latest = startPage(window).findChildren<QToolButton*>().front();
  CHECK(latest->toolTip().contains("samples"));
  QTest::mouseClick(latest, Qt::LeftButton);
  waitFor([&] { return window.document().session() != nullptr && !window.isBusy(); });
  CHECK(window.document().session()->modelFiles().front() == sampleFile("plant"));
  QSettings().clear();
}

TEST_CASE("pictures of files that are no longer recent are removed, and others are no pictures",
          "[gui][start]") {
  const TemporaryFolder folder;
  const Thumbnails thumbnails(QString::fromStdString((folder / "pictures").string()));
  QImage picture(640, 300, QImage::Format_RGB32);
  picture.fill(Qt::red);
  thumbnails.keep("/a.fitup", picture);
  thumbnails.keep("/b.fitup", picture);
  CHECK(thumbnails.of("/a.fitup").pixelColor(5, 5) == QColor(Qt::red));
  thumbnails.keepOnly({"/b.fitup"});
  CHECK(thumbnails.of("/a.fitup").isNull());
  CHECK_FALSE(thumbnails.of("/b.fitup").isNull());
  picture.save(thumbnails.fileOf("/b.fitup"));  // another size
  CHECK(thumbnails.of("/b.fitup").isNull());
  // A folder that cannot be made is no error.
  const Thumbnails nowhere(QStringLiteral("/proc/nowhere"));
  nowhere.keep("/a.fitup", picture);
  CHECK(nowhere.of("/a.fitup").isNull());
}

TEST_CASE("scripts and tests neither list nor store files on the start page", "[gui][start]") {
  QSettings().setValue("recent", QStringList{"/somewhere/fan.step"});
  const PlantFiles plant;
  const QString key = keyOf(plant.model);
  {
    WindowSession gui;
    CHECK(cardOf(gui.window, "fan.step") == nullptr);
    CHECK(startPage(gui.window).findChildren<QToolButton*>().size() == 2);
    gui.open(plant.model);
    gui.window.close();
  }
  CHECK(Thumbnails().of(key).isNull());
  QSettings().clear();
}

namespace {

Tour& startTour(WindowSession& gui) {
  gui.key(Qt::Key_F1, Qt::ControlModifier | Qt::ShiftModifier);
  gui.waitFor(
      [&] {
        const auto* tour = gui.window.findChild<Tour*>();
        return tour != nullptr && tour->isUnderWay();
      },
      "the tour");
  gui.settle();
  return *gui.window.findChild<Tour*>();
}

}  // namespace

TEST_CASE("the tour goes on when the user did each step by mouse", "[gui][tour]") {
  WindowSession gui;
  QTest::mouseClick(startPage(gui.window).findChild<QPushButton*>("tour"), Qt::LeftButton);
  gui.waitFor([&] { return gui.window.findChild<Tour*>()->isUnderWay(); }, "the tour");
  gui.settle();
  Tour& tour = *gui.window.findChild<Tour*>();
  CHECK(tour.step() == 0);
  CHECK(tour.steps() == 6);
  // A little is not enough.
  gui.drag({300, 100}, {304, 100}, 4, Qt::MiddleButton);
  CHECK(tour.step() == 0);
  gui.drag({300, 100}, {450, 100}, 8, Qt::MiddleButton);
  CHECK(tour.step() == 1);
  gui.selectInTree("process-plant/piping/spool");
  CHECK(tour.step() == 2);
  gui.dragArrow(GizmoHandle::moveZ, 60);  // along its flanges it hits nothing
  CHECK_FALSE(gui.document.session()->state().motions.empty());
  CHECK(tour.step() == 2);
  gui.dragArrow(GizmoHandle::moveX, 120);
  CHECK(tour.step() == 3);
  QTreeView& table = gui.window.table().view();
  REQUIRE(table.model()->rowCount() > 0);
  QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                    table.visualRect(table.model()->index(0, 0)).center());
  gui.settle();
  CHECK(tour.step() == 4);
  gui.window.commands().action("section toggle").trigger();
  gui.settle();
  CHECK(tour.step() == 5);
  gui.window.commands().action("undo").trigger();
  CHECK(tour.step() == 5);  // only the section is back
  gui.window.commands().action("undo").trigger();
  CHECK(tour.step() == 5);  // and one of the two drags
  gui.window.commands().action("undo").trigger();
  gui.settle();
  CHECK(tour.step() == 6);
  CHECK_FALSE(tour.findChild<QPushButton*>("tour skip")->isEnabled());
  QTest::mouseClick(tour.findChild<QPushButton*>("tour end"), Qt::LeftButton);
  CHECK(tour.isHidden());
}

TEST_CASE("the tour needs no mouse", "[gui][tour]") {
  WindowSession gui;
  Tour& tour = startTour(gui);
  gui.key(Qt::Key_6);
  CHECK(tour.step() == 1);
  gui.key(Qt::Key_1, Qt::AltModifier);
  gui.key(Qt::Key_1, Qt::AltModifier);
  QTreeWidget& tree = gui.window.tree().tree();
  CHECK(tree.hasFocus());
  for (int i = 0; i < 30 && tour.step() == 1; ++i) {
    QTest::keyClick(&tree, Qt::Key_Down);
    gui.settle();
  }
  CHECK(tour.step() == 2);
  CHECK(gui.window.view().hasFocus());
  gui.run({}, {"select process-plant/piping/spool"});
  for (int i = 0; i < 12 && tour.step() == 2; ++i) {
    QTest::keyClick(&gui.window.view(), Qt::Key_Up, Qt::ShiftModifier);
    gui.settle();
  }
  CHECK(tour.step() == 3);
  gui.key(Qt::Key_N);
  CHECK(tour.step() == 4);
  gui.key(Qt::Key_C);
  CHECK(tour.step() == 5);
  for (int i = 0; i < 20 && tour.step() == 5; ++i) gui.key(Qt::Key_Z, Qt::ControlModifier);
  CHECK(tour.step() == 6);
  gui.key(Qt::Key_F8, Qt::ShiftModifier);
  CHECK(tour.step() == 5);
  gui.key(Qt::Key_F8);
  CHECK(tour.step() == 6);
  gui.key(Qt::Key_F8, Qt::ControlModifier);
  CHECK(tour.isHidden());
}

TEST_CASE("another model ends the tour, and scripts reach it", "[gui][tour]") {
  const PlantFiles plant;
  WindowSession gui;
  CHECK(gui.run({}, {"tour skip"}) == "session, line 1: no tour is under way");
  CHECK(gui.run({}, {"tour", "tour skip", "tour skip", "tour back"}) == "");
  const Tour& tour = *gui.window.findChild<Tour*>();
  CHECK(tour.step() == 1);
  gui.open(plant.model);
  CHECK(tour.isHidden());
  CHECK(gui.run({}, {"tour", "tour end"}) == "");
  CHECK(tour.isHidden());
}

}  // namespace start_page_tests
