// Tests the list that finds commands, and the help menu.
#include <catch2/catch.hpp>

#include <fstream>

#include <QDesktopServices>
#include <QMenuBar>
#include <QSettings>
#include <QTableWidget>
#include <QTest>

#include <viewer/gui/command_palette.h>
#include <viewer/gui/commands.h>
#include <viewer/gui/keys_dialog.h>
#include <viewer/gui/manual.h>
#include <viewer/gui/menu_entries.h>
#include <viewer/gui/scene_view.h>

#include "viewer/gui/window_session.h"

namespace palette_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

CommandPalette& openPalette(WindowSession& gui) {
  gui.key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  auto* palette = gui.window.findChild<CommandPalette*>();
  REQUIRE(palette != nullptr);
  REQUIRE(palette->isVisible());
  return *palette;
}

void type(CommandPalette& palette, const char* text) { QTest::keyClicks(&palette.field(), text); }

void press(CommandPalette& palette, Qt::Key key) { QTest::keyClick(&palette.field(), key); }

QString textOf(const CommandPalette& palette, int row) {
  return const_cast<CommandPalette&>(palette).list().item(row)->text();
}

QString detailsOf(CommandPalette& palette, int row) {
  return palette.list().item(row)->data(Qt::AccessibleTextRole).toString();
}

}  // namespace

TEST_CASE("the palette lists every entry of the menus, with menu and keys", "[gui][palette]") {
  WindowSession gui;
  CommandPalette& palette = openPalette(gui);
  CHECK(QApplication::focusWidget() == &palette.field());
  const auto entries = commandsInMenus(*gui.window.menuBar(), gui.window.commands());
  CHECK(entries.size() > 80);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const QString details = detailsOf(palette, static_cast<int>(i));
    CAPTURE(details.toStdString());
    CHECK(details.startsWith(entries[i].text + ", " + entries[i].menu));
    CHECK(details.contains(keysText(entries[i].command->entry.keys)));
    CHECK_FALSE(details.contains('&'));
    CHECK(details.endsWith(gui.window.commands().whyNot(*entries[i].command)));
  }
  // The same key closes it.
  QTest::keyClick(&palette.field(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(palette.isHidden());
}

TEST_CASE("typing finds a command and Return executes it", "[gui][palette]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  CommandPalette& palette = openPalette(gui);
  type(palette, "box s");
  CHECK(textOf(palette, 0) == "Box section");
  press(palette, Qt::Key_Return);
  gui.settle();
  CHECK(palette.isHidden());
  CHECK(gui.document.session()->state().sections.size() == 6);
  // It comes first the next time, before the first entry of the menus.
  openPalette(gui);
  CHECK(palette.field().text().isEmpty());
  CHECK(textOf(palette, 0) == "Box section");
  CHECK(textOf(palette, 1) == "Open...");
  // Arrows choose; they stop at the ends.
  type(palette, "display");
  press(palette, Qt::Key_Up);
  CHECK(palette.list().currentRow() == 0);
  press(palette, Qt::Key_Down);
  press(palette, Qt::Key_Down);
  CHECK(palette.list().currentRow() == 2);
  const QString third = textOf(palette, 2);
  CHECK(third == "Hidden line");
  press(palette, Qt::Key_Return);
  CHECK(gui.window.view().presenter().displayMode() == DisplayMode::hiddenLine);
  // Esc executes nothing, and gives the focus back.
  gui.window.view().setFocus();
  openPalette(gui);
  type(palette, "wireframe");
  press(palette, Qt::Key_Escape);
  CHECK(palette.isHidden());
  CHECK(gui.window.view().hasFocus());
  CHECK(gui.window.view().presenter().displayMode() == DisplayMode::hiddenLine);
  // What matches nothing is no error.
  openPalette(gui);
  type(palette, "qqqq");
  CHECK(palette.list().count() == 0);
  press(palette, Qt::Key_Return);
  CHECK(palette.isVisible());
}

TEST_CASE("what cannot be executed is listed with the reason and stays", "[gui][palette]") {
  WindowSession gui;
  CommandPalette& palette = openPalette(gui);
  type(palette, "isolate");
  CHECK(detailsOf(palette, 0).endsWith("no model is open"));
  press(palette, Qt::Key_Return);
  CHECK(palette.isVisible());
  press(palette, Qt::Key_Escape);
  const PlantFiles plant;
  gui.open(plant.model);
  openPalette(gui);
  type(palette, "isolate");
  CHECK(detailsOf(palette, 0).endsWith("nothing is selected"));
  // A click beside it closes it.
  gui.window.view().setFocus(Qt::MouseFocusReason);
  CHECK(palette.isHidden());
  gui.selectInTree("process-plant/piping/spool");
  openPalette(gui);
  type(palette, "isolate");
  QListWidget& list = palette.list();
  QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualItemRect(list.item(0)).center());
  CHECK(gui.document.session()->state().hidden.size() == 7);
}

TEST_CASE("the palette finds named views, samples and recent files", "[gui][palette]") {
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  CHECK(gui.run({}, {"keep-view \"my <b>corner\"", "view front"}) == "");
  const Vec3 front = gui.window.view().camera().forward();
  CommandPalette& palette = openPalette(gui);
  type(palette, "my corner");
  CHECK(textOf(palette, 0) == "my <b>corner");
  press(palette, Qt::Key_Return);
  CHECK(dot(gui.window.view().camera().forward(), front) < 0.9);
  openPalette(gui);
  type(palette, "stored parts");
  CHECK(detailsOf(palette, 0).contains("Sample"));
  press(palette, Qt::Key_Escape);

  QSettings().setValue("recent", QStringList{"/somewhere/fan.step"});
  {
    viewer::MainWindow window;
    window.show();
    window.commands().run({"palette", "fan"});
    CommandPalette& other = *window.findChild<CommandPalette*>();
    CHECK(textOf(other, 0) == "/somewhere/fan.step");
  }
  QSettings().clear();
}

TEST_CASE("used commands are remembered, but not by scripts", "[gui][palette]") {
  QSettings().clear();
  {
    viewer::MainWindow window;
    window.show();
    window.commands().run({"palette", "perspective"});
    QTest::keyClick(&window.findChild<CommandPalette*>()->field(), Qt::Key_Return);
  }
  {
    viewer::MainWindow window;
    window.show();
    window.commands().run({"palette"});
    CHECK(textOf(*window.findChild<CommandPalette*>(), 0) == "Perspective");
  }
  WindowSession gui;
  CHECK(textOf(openPalette(gui), 0) == "Open...");
  QSettings().clear();
}

TEST_CASE("the list of keys has all commands and the active scheme of the mouse", "[gui][help]") {
  WindowSession gui;
  gui.key(Qt::Key_F1, Qt::ShiftModifier);
  auto* dialog = gui.window.findChild<KeysDialog*>();
  REQUIRE(dialog != nullptr);
  const auto rows = [&] {
    std::vector<QTreeWidgetItem*> found;
    for (QTreeWidgetItemIterator item(&dialog->list(), QTreeWidgetItemIterator::NotHidden); *item != nullptr;
         ++item)
      if ((*item)->parent() != nullptr && !(*item)->parent()->isHidden()) found.push_back(*item);
    return found;
  };
  const auto effectOf = [&](const QString& input) {
    for (const QTreeWidgetItem* row : rows())
      if (row->text(1) == input) return row->text(0);
    return QString();
  };
  const auto entries = commandsInMenus(*gui.window.menuBar(), gui.window.commands());
  for (const PlacedCommand& entry : entries) {
    CAPTURE(entry.text.toStdString());
    CHECK(effectOf(keysText(entry.command->entry.keys)) == entry.text);
  }
  CHECK(effectOf("Right drag") == "shifts the view");
  CHECK(effectOf("Ctrl + Middle drag").isEmpty());
  CHECK(gui.run({}, {"navigation blender"}) == "");
  CHECK(effectOf("Right drag").isEmpty());
  CHECK(effectOf("Ctrl + Middle drag").contains("zooms"));
  CHECK(dialog->list().topLevelItem(0)->text(0).contains("Blender"));
  QTest::keyClicks(dialog->findChild<QLineEdit*>(), "exploded");
  REQUIRE(rows().size() == 1);
  CHECK(rows().front()->text(1) == "Shift+E");
  // A second request shows the same dialog.
  CHECK(gui.run({}, {"keys"}) == "");
  CHECK(gui.window.findChildren<KeysDialog*>().size() == 1);
}

/// Takes the place of the user's browser. Not in an unnamed namespace, which Qt's compiler does not know.
class Browser : public QObject {
  Q_OBJECT

 public:
  Browser() { QDesktopServices::setUrlHandler("file", this, "open"); }
  ~Browser() override { QDesktopServices::unsetUrlHandler("file"); }
  QList<QUrl> opened;

 public slots:
  void open(const QUrl& url) { opened.append(url); }
};

TEST_CASE("the manual is opened where it is installed, and nowhere else", "[gui][help]") {
  const TemporaryFolder folder;
  Browser browser;
  WindowSession gui;
  QString message;
  // Without a manual, the places are named.
  CHECK(answering(
            gui,
            [&](QMessageBox& box) {
              message = box.text();
              box.reject();
            },
            [&] { openManual(&gui.window, folder / "bin"); }) == 1);
  CHECK(browser.opened.isEmpty());
  for (const auto& place : manualPlaces(folder / "bin"))
    CHECK(message.contains(QString::fromStdString(place.string())));
  const std::filesystem::path page = folder / "share" / "doc" / "fitup" / "site" / "index.html";
  std::filesystem::create_directories(page.parent_path());
  std::ofstream(page) << "<html></html>";
  openManual(&gui.window, folder / "bin");
  CHECK(browser.opened == QList{QUrl::fromLocalFile(QString::fromStdString(page.string()))});
}

TEST_CASE("the program says what it is made of", "[gui][help]") {
  WindowSession gui;
  whenAsked(
      [](QDialog& dialog) {
        const auto* table = dialog.findChild<QTableWidget*>();
        REQUIRE(table != nullptr);
        CHECK(table->item(0, 0)->text() == "Qt");
        CHECK(table->item(0, 1)->text() == qVersion());
        for (int row = 0; row < table->rowCount(); ++row) CHECK_FALSE(table->item(row, 3)->text().isEmpty());
        test::press(dialog, QDialogButtonBox::Close);
      },
      [&] { gui.window.commands().action("about").trigger(); });
}

}  // namespace palette_tests

#include "palette.moc"
