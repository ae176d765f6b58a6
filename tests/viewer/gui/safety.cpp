// Tests that opening a file never destroys the session.
#include <catch2/catch.hpp>
#include <filesystem>

#include <QElapsedTimer>
#include <QTimer>

#include <models/process_plant.h>

#include "support/test_data.h"
#include "viewer/gui/window_session.h"

namespace safety_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

/// Opens the file over a session. Either it is open afterwards, or a message gives the reason and the session
/// is unchanged. Returns true if it was opened.
bool opens(WindowSession& gui, const std::filesystem::path& file) {
  const Session* before = gui.document.session();
  gui.document.open(file);
  gui.settle();
  REQUIRE(gui.document.session() != nullptr);
  if (gui.document.session() != before) return true;
  CHECK_FALSE(gui.window.errorText().isEmpty());
  CHECK(gui.window.errorText().contains(QString::fromStdString(file.filename().string())));
  return false;
}

/// Prints a message and returns nothing if the data is absent.
std::optional<std::filesystem::path> nasty() {
  const auto folder = sharedData("nasty");
  if (!folder) WARN("skipped: the shared test data is absent");
  return folder;
}

}  // namespace

TEST_CASE("malformed files are reported and keep the session", "[gui]") {
  const auto folder = nasty();
  if (!folder) return;
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  for (const char* file : {"step-derived/empty.stp", "step-derived/binary_garbage.stp",
                           "step-derived/truncated_header.stp", "assimp/invalid_empty.obj"}) {
    CAPTURE(file);
    CHECK_FALSE(opens(gui, *folder / file));
    CHECK(gui.document.session()->modelFiles() == std::vector{plant.model});
  }
}

TEST_CASE("every malformed file is reported or opened, one after the other", "[gui][.nasty]") {
  const auto folder = nasty();
  if (!folder) return;
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  std::size_t reported = 0, opened = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path().filename().string());
    ++(opens(gui, entry.path()) ? opened : reported);
  }
  WARN(reported << " files were reported, " << opened << " opened");
  CHECK(reported > 10);
}

TEST_CASE("a cancelled import leaves the session within a second", "[gui]") {
  const auto file = sharedData("step/snakeBike02.stp");
  if (!file) {
    WARN("skipped: the shared test data is absent");
    return;
  }
  const PlantFiles plant;
  WindowSession gui;
  gui.open(plant.model);
  const Session* session = gui.document.session();
  gui.document.open(*file);
  QTimer::singleShot(400, &gui.document, &Document::cancelJob);
  QElapsedTimer sinceCancel;
  gui.waitFor(
      [&] {
        if (!sinceCancel.isValid() && gui.document.isJobCancelled()) sinceCancel.start();
        return !gui.document.hasJob();
      },
      "the end of the import");
  REQUIRE(sinceCancel.isValid());
  WARN("the import ended " << sinceCancel.elapsed() << " ms after Cancel");
  CHECK(gui.document.session() == session);
  CHECK(gui.window.errorText().isEmpty());
}

}  // namespace safety_tests
