// Tests projects that another program changes, creates or removes while they are open.
#include <catch2/catch.hpp>

#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <fitup/io/project_file.h>

#include "viewer/gui/window_session.h"

namespace saving_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// A project in a file, without a tolerance.
struct Work {
  Work() {
    Project project;
    project.models = {plant.model};
    writeProject(file, project);
  }
  [[nodiscard]] std::filesystem::path other(const char* name) const { return plant.folder / name; }
  PlantFiles plant;
  std::filesystem::path file = plant.folder / "work.fitup-project";
};

std::optional<double> toleranceIn(const std::filesystem::path& file) { return readProject(file).tolerance; }

/// Changes something that a project stores.
void setTolerance(WindowSession& gui, double tolerance) {
  gui.document.session()->edit("Tolerance", [&](SessionState& state) { state.tolerance = tolerance; });
}

/// Presses the key for saving, and answers the questions.
std::size_t save(
    WindowSession& gui, const std::function<void(QMessageBox&)>& answer = [](QMessageBox& box) {
      box.button(QMessageBox::Cancel)->click();
    }) {
  return answering(gui, answer, [&] { gui.key(Qt::Key_S, Qt::ControlModifier); });
}

}  // namespace

TEST_CASE("the second of two windows that save one project is warned, and may keep both", "[gui]") {
  const Work work;
  WindowSession first, second, third;
  for (WindowSession* gui : {&first, &second, &third}) gui->open(work.file);
  setTolerance(first, 0.1);
  setTolerance(second, 0.2);
  setTolerance(third, 0.3);
  CHECK(save(first) == 0);
  CHECK(toleranceIn(work.file) == 0.1);

  CHECK(save(second, [](QMessageBox& box) {
          CHECK(box.text().contains("changed this project since"));
          CHECK(box.text().contains("work.fitup-project"));
          box.button(QMessageBox::Cancel)->click();
        }) == 1);
  CHECK(toleranceIn(work.file) == 0.1);
  CHECK(second.document.isModified());
  CHECK(save(second, [](QMessageBox& box) { QTest::keyClick(&box, Qt::Key_Escape); }) == 1);
  CHECK(toleranceIn(work.file) == 0.1);
  {
    const Chooses chooses(second);
    CHECK(save(second, [](QMessageBox& box) { clickOn(box, QMessageBox::ActionRole); }) == 1);
    CHECK(chooses.proposed == "work-2.fitup-project");
  }
  CHECK(toleranceIn(work.file) == 0.1);
  CHECK(toleranceIn(work.other("work-2.fitup-project")) == 0.2);
  CHECK(second.document.projectFile() == work.other("work-2.fitup-project"));
  CHECK_FALSE(second.document.isModified());
  setTolerance(second, 0.25);
  CHECK(save(second) == 0);
  CHECK(toleranceIn(work.other("work-2.fitup-project")) == 0.25);

  CHECK(save(third, [](QMessageBox& box) { clickOn(box, QMessageBox::DestructiveRole); }) == 1);
  CHECK(toleranceIn(work.file) == 0.3);
  CHECK_FALSE(third.document.isModified());
  setTolerance(first, 0.15);
  CHECK(save(first) == 1);
  CHECK(toleranceIn(work.file) == 0.3);
  // After reading again with other settings, the known version is the same.
  ImportSettings settings = first.document.session()->importSettings();
  settings.unit = "cm";
  first.document.readAgain(settings);
  first.settle();
  CHECK(save(first) == 1);
  CHECK(toleranceIn(work.file) == 0.3);
  for (WindowSession* gui : {&first, &second, &third}) CHECK(gui->window.errorText().toStdString() == "");
}

TEST_CASE("a file that comes while the question is asked is not replaced by the answer", "[gui]") {
  const Work work;
  WindowSession gui;
  gui.open(work.file);
  setTolerance(gui, 0.2);
  Project project = readProject(work.file);
  project.tolerance = 0.1;
  writeProject(work.file, project);
  std::size_t questions = 0;
  CHECK(save(gui, [&](QMessageBox& box) {
          if (++questions > 1) return box.button(QMessageBox::Cancel)->click();
          project.tolerance = 0.3;
          writeProject(work.file, project);
          clickOn(box, QMessageBox::DestructiveRole);
        }) == 2);
  CHECK(toleranceIn(work.file) == 0.3);
}

TEST_CASE("a project that was moved away is not made again unasked", "[gui]") {
  const Work work;
  WindowSession gui;
  gui.open(work.file);
  setTolerance(gui, 0.1);
  std::filesystem::rename(work.file, work.other("moved.fitup-project"));
  CHECK(save(gui, [](QMessageBox& box) {
          CHECK(box.text().contains("no longer exists"));
          box.button(QMessageBox::Cancel)->click();
        }) == 1);
  CHECK_FALSE(std::filesystem::exists(work.file));
  CHECK(gui.document.isModified());
  CHECK(save(gui, [](QMessageBox& box) { clickOn(box, QMessageBox::DestructiveRole); }) == 1);
  CHECK(toleranceIn(work.file) == 0.1);
  CHECK_FALSE(toleranceIn(work.other("moved.fitup-project")));
}

TEST_CASE("another project of the chosen name is replaced by who says so alone", "[gui]") {
  const Work work;
  const std::filesystem::path other = work.other("other.fitup-project");
  std::filesystem::copy_file(work.file, other);
  WindowSession gui;
  gui.open(work.file);
  setTolerance(gui, 0.1);
  const auto saveAs = [&](const std::function<void(QMessageBox&)>& answer) {
    const Chooses chooses(gui, QString::fromStdString(other.string()));
    return answering(gui, answer, [&] { gui.key(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier); });
  };
  CHECK(saveAs([](QMessageBox& box) {
          CHECK(box.text().contains("of this name already"));
          box.button(QMessageBox::Cancel)->click();
        }) == 1);
  CHECK_FALSE(toleranceIn(other));
  CHECK(gui.document.projectFile() == work.file);
  CHECK(saveAs([](QMessageBox& box) { clickOn(box, QMessageBox::DestructiveRole); }) == 1);
  CHECK(toleranceIn(other) == 0.1);
  CHECK(gui.document.projectFile() == other);
  // A script may overwrite the file that it names; it recognises its own project by any name.
  CHECK(gui.run({}, {"tolerance 0.2", "save \"" + work.file.string() + "\""}) == "");
  CHECK(toleranceIn(work.file) == 0.2);
  std::filesystem::copy_file(other, work.file, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::create_symlink("work.fitup-project", work.other("link.fitup-project"));
  for (const char* name : {"work.fitup-project", "link.fitup-project"})
    CHECK_THAT(gui.run({}, {"tolerance 0.3", "save \"" + work.other(name).string() + "\""}),
               Catch::Contains("has been changed by another program"));
  CHECK(toleranceIn(work.file) == 0.1);
}

TEST_CASE("what a crash left is not saved over what somebody else has saved since", "[gui]") {
  const Work work;
  const StoredProject stored = readStoredProject(work.file);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    Project left = stored.project;
    left.tolerance = 0.2;
    Autosave autosave(Document::autosaveFolder());
    autosave.save(left, work.file, stored.version);
    ::_exit(0);
  }
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  Project other = stored.project;
  other.tolerance = 0.1;
  writeProject(work.file, other);
  WindowSession gui;
  CHECK(answering(
            gui, [](QMessageBox& box) { clickOn(box, QMessageBox::AcceptRole); },
            [&] { CHECK(gui.window.offerRestore()); }) == 1);
  REQUIRE(gui.document.session() != nullptr);
  CHECK(gui.document.session()->state().tolerance == 0.2);
  CHECK(save(gui) == 1);
  CHECK(toleranceIn(work.file) == 0.1);
}

TEST_CASE("a folder that cannot be written is reported, and what was done stays", "[gui]") {
  const Work work;
  WindowSession gui;
  gui.open(work.file);
  setTolerance(gui, 0.1);
  ::chmod(work.plant.folder.path().c_str(), 0555);
  // Root may write everywhere.
  if (::geteuid() == 0) ::setfsuid(65534);
  CHECK(save(gui) == 0);
  if (::geteuid() == 0) ::setfsuid(0);
  ::chmod(work.plant.folder.path().c_str(), 0755);
  CHECK(gui.window.errorText().contains("work.fitup-project: cannot write: Permission denied"));
  CHECK(gui.document.isModified());
  CHECK_FALSE(toleranceIn(work.file));
  CHECK(save(gui) == 0);
  CHECK(toleranceIn(work.file) == 0.1);
}

}  // namespace saving_tests
