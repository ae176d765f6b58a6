// Tests the program with its command line.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include <QImage>

#include <fitup/io/project_file.h>
#include <viewer/gui/script_words.h>

#include "support/run_program.h"
#include "viewer/gui/window_session.h"

namespace program_tests {

using namespace fitup::test;
using namespace fitup::viewer;

namespace {

ProgramResult runViewer(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
  return runProgram(FITUP_VIEWER_PROGRAM, arguments, options);
}

void checkRefused(const std::vector<std::string>& arguments, const std::string& why) {
  const ProgramResult result = runViewer(arguments);
  CAPTURE(arguments, result.text());
  CHECK(result.exitCode == 2);
  CHECK(result.err.find("fitup-viewer: ") != std::string::npos);
  CHECK(result.err.find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("help and version need no display", "[gui]") {
  RunOptions options;
  options.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"QT_QPA_PLATFORM", "xcb"}};
  for (const char* option : {"--help", "-h", "--version", "-v"}) {
    const ProgramResult result = runViewer({option}, options);
    CAPTURE(option, result.text());
    CHECK(result.exitCode == 0);
    CHECK(result.out.find("fitup-viewer") != std::string::npos);
  }
}

TEST_CASE("models on the command line are opened as one, with motions, a project by itself", "[gui]") {
  const PlantFiles plant;
  const std::string model = plant.model.string(), track = plant.track.string(),
                    picture = (plant.folder / "picture.png").string();
  fitup::Project project;
  project.models = {plant.model};
  const std::string work = (plant.folder / "work.fitup-project").string();
  fitup::writeProject(work, project);
  checkRefused({work, model, "--screenshot", picture},
               "work.fitup-project: a project cannot be opened together with other files");
  checkRefused({track, "--screenshot", picture}, "first open the model");
  CHECK_FALSE(std::filesystem::exists(picture));
  CHECK(runViewer({model, track, "--screenshot", picture}).exitCode == 0);
  CHECK(std::filesystem::exists(picture));
  // Parts with the same name are distinguished by their origin.
  const std::filesystem::path script = plant.folder / "names.txt";
  const std::string spool = "process-plant/piping/spool", first = "plant#1/" + spool,
                    second = "plant#2/" + spool;
  std::ofstream(script) << "measure " << first << "\nmeasure " << second << "\nmeasurements\nmemory\n";
  const ProgramResult both = runViewer({model, model, "--script", script.string()});
  CAPTURE(both.text());
  CHECK(both.exitCode == 0);
  CHECK(both.out.find("1: " + first + " - " + second) != std::string::npos);
  CHECK(both.out.find(" GB of it from files; at most ") != std::string::npos);
}

TEST_CASE("a signal ends the program as it should", "[gui]") {
  const PlantFiles plant;
  const TemporaryFolder home;
  RunOptions options;
  options.environment = {{"XDG_DATA_HOME", home.path().string()}, {"XDG_CONFIG_HOME", home.path().string()}};
  options.interruptAfter = std::chrono::milliseconds(4000);
  options.limit = std::chrono::milliseconds(60'000);
  for (const int signal : {SIGTERM, SIGINT}) {
    CAPTURE(signal);
    options.interruptBy = signal;
    const ProgramResult result = runViewer({plant.model.string()}, options);
    CAPTURE(result.text());
    CHECK(result.exitCode == 128 + signal);
    CHECK(result.err.find("fitup-viewer") == std::string::npos);
    // It ended by itself, with what it remembers written.
    CHECK(std::filesystem::exists(home / "fitup"));
    std::filesystem::remove_all(home / "fitup");
  }
}

TEST_CASE("sizes that cannot be drawn are refused", "[gui]") {
  const PlantFiles plant;
  const std::string picture = (plant.folder / "picture.png").string();
  const auto size = [&](const std::string& text) {
    return std::vector<std::string>{"--size", text, "--screenshot", picture};
  };
  checkRefused(size("99999x99999"), "99999x99999: at most");
  checkRefused(size("99999x200"), "pixels per side");
  checkRefused(size("7000x7000"), "at most");
  checkRefused(size("99999999999x200"), "expected WIDTHxHEIGHT");
  checkRefused(size("199x200"), "at least 200x200");
  CHECK_FALSE(std::filesystem::exists(picture));
  const ProgramResult result = runViewer(size("3000x900"));
  CAPTURE(result.text());
  CHECK(result.exitCode == 0);
  CHECK(result.err.find("--size") == std::string::npos);
  CHECK(QImage(QString::fromStdString(picture)).size() == QSize(3000, 900));
  // A size below that of the panels is reported.
  const ProgramResult small = runViewer(size("200x200"));
  const QSize shown = QImage(QString::fromStdString(picture)).size();
  CAPTURE(small.text());
  CHECK(small.exitCode == 0);
  CHECK(small.err.find("the window is " + std::to_string(shown.width()) + "x" +
                       std::to_string(shown.height())) != std::string::npos);
}

TEST_CASE("words of a script that make no sense are reported by their line", "[gui]") {
  const TemporaryFolder folder;
  const std::string script = (folder / "s.txt").string();
  for (const char* line : {"pause -1", "pause 1e300", "quit now", "boxes 2"}) {
    writeText(script, "# a comment\n" + std::string(line) + "\n");
    checkRefused({"--script", script}, "line 2: ");
  }
}

TEST_CASE("names with blanks and quotation marks can be written", "[gui]") {
  const TemporaryFolder folder;
  const std::filesystem::path model = folder / "1\" pipe.obj";
  writeText(model, "o pipe 1\" long\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string script = (folder / "s.txt").string();
  writeText(script, "select \"pipe 1\"\" long\"\nmove 1 0 0\n");
  const ProgramResult result = runViewer({model.string(), "--script", script});
  CAPTURE(result.text());
  CHECK(result.exitCode == 0);
  CHECK(wordsOf(quotedWord("a \"b\"\"") + " \"\" c") == Words{"a \"b\"\"", "", "c"});
}

TEST_CASE("a folder is no script", "[gui]") {
  const TemporaryFolder folder;
  checkRefused({"--script", folder.path().string()}, "cannot be read");
}

}  // namespace program_tests
