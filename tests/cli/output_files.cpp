#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <fitup/io/project_file.h>
#include <fitup/io/track_file.h>

#include "support/command_line.h"

namespace output_files_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("no output replaces an input or another output", "[cli][outputs]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  writeText(fitup.file("row.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeTrack(fitup.file("t.json"), {.moved = {"row/cube-0"}, .steps = {{{}}}});
  writeText(fitup.file("rules.json"), R"({"format": "fitup-rules", "version": 2, "rules": []})");
  REQUIRE(fitup({"check", "row.fitup", "--report", "old.json"}).exitCode == 0);
  REQUIRE(fitup({"check", "row.fitup", "--report", "new.json"}).exitCode == 0);
  std::filesystem::create_symlink("old.json", fitup.file("link.json"));
  std::filesystem::create_directory(fitup.file("folder"));
  std::filesystem::create_symlink("..", fitup.file("folder/up"));
  std::filesystem::create_symlink("to-come.json", fitup.file("dangling.json"));
  std::filesystem::create_hard_link(fitup.file("row.obj"), fitup.file("hard.obj"));
  writeText(fitup.file("notes.txt"), "notes");
  std::filesystem::create_symlink("notes.txt", fitup.file("notes.json"));
  std::filesystem::create_symlink("row.fitup", fitup.file("model.obj"));
  Project project;
  project.models = {fitup.file("row.fitup")};
  writeProject(fitup.file("work.fitup-project"), project);
  std::filesystem::create_symlink("work.fitup-project", fitup.file("work.json"));
  struct Case {
    std::vector<std::string> arguments, pieces;
  };
  const auto entries = fitup.folder().entryCount();
  for (const auto& [arguments, pieces] :
       {Case{{"check", "row.obj", "--lines", "row.obj"}, {"--lines: row.obj", "FILE (row.obj)"}},
        Case{{"check", "row.fitup", "row.obj", "--loops", "./row.obj"}, {"--loops", "FILE (row.obj)"}},
        Case{{"check", "row.fitup", "--lines", "o.obj", "--loops", "folder/up/o.obj"},
             {"--loops: folder/up/o.obj", "--lines (o.obj)"}},
        Case{{"check", "row.obj", "--lines", "hard.obj"}, {"--lines: hard.obj", "FILE (row.obj)"}},
        Case{{"check", "hard.obj", "--lines", "row.obj"}, {"--lines: row.obj", "FILE (hard.obj)"}},
        Case{{"check", "row.fitup", "--report", "to-come.json", "--report", "dangling.json"},
             {"--report: dangling.json", "--report (to-come.json)"}},
        Case{{"check", "row.fitup", "--report", "dangling.json", "--report", "./to-come.json"},
             {"--report: ./to-come.json", "--report (dangling.json)"}},
        Case{{"check", "row.fitup", "--report", "notes.json"},
             {"--report: notes.json", "link to a file of another kind", "notes.txt"}},
        Case{{"check", "work.fitup-project", "--lines", "model.obj"}, {"--lines", "FILE ("}},
        Case{{"check", "work.fitup-project", "--report", "work.json"},
             {"--report: work.json", "FILE (work.fitup-project)"}},
        Case{{"convert", "work.fitup-project", "row.fitup"}, {"OUT: row.fitup", "FILE ("}},
        Case{{"check", "row.fitup", "--rules", "rules.json", "--report", "rules.json"},
             {"--report", "--rules (rules.json)"}},
        Case{{"check", "row.fitup", "--report", "a.json", "--report", "./a.json"}, {"--report"}},
        Case{{"check", "row.fitup", "--verify", "--reproduction", "row"},
             {"--reproduction: row.fitup", "FILE"}},
        Case{{"replay", "row.fitup", "t.json", "--report", "t.json"}, {"--report: t.json", "TRACK (t.json)"}},
        Case{{"replay", "row.fitup", "t.json", "--contact-map", "folder/../t.json"},
             {"--contact-map", "TRACK (t.json)"}},
        Case{{"replay", "row.fitup", "t.json", "--contact-map", "a.json", "--report", "a.json"},
             {"--contact-map", "--report (a.json)"}},
        Case{{"diff", "old.json", "new.json", "--report", "link.json"},
             {"--report: link.json", "OLD (old.json)"}},
        Case{{"diff", "old.json", "new.json", "--report", "new.json"}, {"--report", "NEW (new.json)"}},
        Case{{"diff", "old.json", "new.json", "--carry-over", "old.json"},
             {"--carry-over", "OLD (old.json)"}},
        Case{{"diff", "old.json", "new.json", "--carry-over", "a.json", "--report", "a.json"},
             {"--report", "--carry-over (a.json)"}},
        Case{{"mates", "row.fitup", "--json", "row.fitup"}, {"--json: row.fitup", "use .json"}},
        Case{{"mates", "row.fitup", "--json", "row.obj"}, {"--json: row.obj", "use .json"}},
        Case{{"mates", "row.fitup", "--json", "-"}, {"--json: -", "use .json"}},
        Case{{"convert", "row.fitup", "row.fitup"}, {"OUT", "FILE (row.fitup)"}},
        Case{{"convert", "t.json", "folder/up/t.json"}, {"OUT", "FILE (t.json)"}}}) {
    INFO(arguments[0] << " " << arguments.back());
    CHECK(problemOfFailure(fitup(arguments), pieces) == "");
  }
  CHECK(fitup.folder().entryCount() == entries);
  // Documented: the new report with the comments of the old one replaces it.
  CHECK(fitup({"diff", "old.json", "new.json", "--carry-over", "new.json"}).exitCode == 0);
}

TEST_CASE("an output does not wait for ever, nor goes into what is no file", "[cli][outputs]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  REQUIRE(::mkfifo(fitup.file("pipe.json").c_str(), 0600) == 0);
  const RunOptions options{
      .folder = {}, .environment = {}, .limit = std::chrono::seconds(30), .interruptAfter = {}};
  const ProgramResult unread = fitup({"check", "row.fitup", "--report", "pipe.json"}, options);
  INFO(unread.text());
  CHECK_FALSE(unread.timedOut);
  CHECK(unread.exitCode == 2);
  CHECK(contains(unread.err, "pipe.json: cannot write: no process reads the pipe"));
  // If standard output is a file, a report written there would be lost under the answer.
  std::filesystem::create_symlink("/dev/stdout", fitup.file("stdout.json"));
  const ProgramResult shell = runProgram(
      "/bin/sh", {"-c", std::string(FITUP_PROGRAM) + " check row.fitup --report stdout.json > log"},
      {.folder = fitup.folder().path(), .environment = {}, .interruptAfter = {}});
  INFO(shell.text());
  CHECK(shell.exitCode == 2);
  CHECK(contains(shell.err, "--report: stdout.json: cannot write"));
  // If it is a pipe, the report is written there.
  const ProgramResult piped = fitup({"check", "row.fitup", "-q", "--report", "stdout.json"});
  INFO(piped.text());
  CHECK(piped.exitCode == 0);
  CHECK(contains(piped.out, "\"format\": \"fitup-report\""));
  if (::mknod(fitup.file("disk.json").c_str(), S_IFBLK | 0600, 0) == 0)
    CHECK(problemOfFailure(fitup({"check", "row.fitup", "--report", "disk.json"}),
                           {"--report: disk.json: cannot write"}) == "");
}

TEST_CASE("where an output cannot be written is said before the run", "[cli][outputs]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  writeTrack(fitup.file("t.json"), {.moved = {"row/cube-0"}, .steps = {{{}}}});
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"replay", "row.fitup", "t.json", "--report", "no/folder/a.json"},
        {"replay", "row.fitup", "t.json", "--contact-map", "no/folder/a.json"},
        {"mates", "row.fitup", "--json", "no/folder/a.json"},
        {"check", "row.fitup", "--lines", "no/folder/a.obj"},
        {"diff", "a.json", "b.json", "--carry-over", "no/folder/a.json"},
        {"check", "row.fitup", "--report", "row.fitup/a.json"}})
    CHECK(problemOfFailure(fitup(arguments), {arguments[arguments.size() - 2], arguments.back()}) == "");
}

TEST_CASE("files that were asked for are written though nobody reads the output", "[cli][outputs]") {
  const CommandLine fitup;
  fitup.writeRow(300);
  writeTrack(fitup.file("t.json"),
             {.moved = {"row/cube-0"}, .steps = std::vector<std::vector<RigidMotion>>(3000, {{}})});
  // A rule that matches nothing, so that there is output on the error stream too.
  writeText(fitup.file("rules.json"), R"({"format": "fitup-rules", "version": 2, "rules": [
    {"a": "none", "b": "none", "action": "ignore"}]})");
  RunOptions options;
  options.unread = true;
  // Each writes more than the buffer holds.
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", "row.fitup", "--tolerance", "2", "--clear", "--list", "1000",
                                 "--rules", "rules.json", "--lines", "lines.obj", "--loops", "loops.obj",
                                 "--report", "written.json"},
        {"replay", "row.fitup", "t.json", "--steps", "--rules", "rules.json", "--contact-map", "map.csv",
         "--report", "replayed.json"},
        {"mates", "row.fitup", "--reach", "2", "--list", "1000", "--json", "mates.json"}}) {
    const ProgramResult result = fitup(arguments, options);
    INFO(arguments[0] << "\n" << result.text());
    CHECK(result.exitCode == 2);
    CHECK(std::filesystem::exists(fitup.file(arguments.back())));
  }
  for (const char* file : {"lines.obj", "loops.obj", "map.csv"})
    CHECK(std::filesystem::exists(fitup.file(file)));
}

TEST_CASE("extensions of outputs may be in capitals", "[cli][outputs]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  writeTrack(fitup.file("t.json"), {.moved = {"row/cube-0"}, .steps = {{{}}}});
  const ProgramResult result =
      fitup({"check", "row.fitup", "--move", "row/cube-0=1.5,0.25,0.125", "--report", "out.JSON", "--report",
             "out.CSV", "--report", "out.Html", "--lines", "L.OBJ", "--loops", "loops.OBJ"});
  INFO(result.text());
  CHECK(result.exitCode == 1);
  CHECK(fitup.text("out.JSON").starts_with("{"));
  CHECK(fitup.text("out.CSV").starts_with("# "));
  CHECK(fitup.text("out.Html").starts_with("<!"));
  CHECK(fitup({"diff", "out.JSON", "out.JSON", "--carry-over", "carried.JSON"}).exitCode == 0);
  CHECK(fitup({"replay", "row.fitup", "t.json", "--contact-map", "map.JSON"}).exitCode == 0);
  CHECK(fitup.text("map.JSON").starts_with("{"));
  CHECK(fitup({"convert", "row.fitup", "row.OBJ"}).exitCode == 0);
  CHECK(fitup({"generate", "torus", "torus.FITUP"}).exitCode == 0);
  REQUIRE(fitup({"convert", "t.json", "t.CSV"}).exitCode == 0);
  CHECK(contains(fitup.text("t.CSV"), "\nstep,path,tx"));
  REQUIRE(fitup({"convert", "t.CSV", "again.JSON"}).exitCode == 0);
  CHECK(fitup.text("again.JSON") == fitup.text("t.json"));
}

}  // namespace output_files_tests
