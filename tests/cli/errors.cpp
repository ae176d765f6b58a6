#include <catch2/catch.hpp>

#include <unistd.h>

#include <algorithm>

#include "support/command_line.h"

namespace errors_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("files that cannot be read are named, with the reason", "[cli]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  for (const char* folder : {"folder", "folder.fitup", "folder.step"})
    std::filesystem::create_directory(fitup.file(folder));
  writeText(fitup.file("text.fitup"), "not a model\n");
  writeText(fitup.file("empty.fitup"), "");
  writeText(fitup.file("model.xyz"), "?");
  const std::string whole = fitup.text("row.fitup");
  writeText(fitup.file("half.fitup"), std::string_view(whole).substr(0, whole.size() / 2));
  for (const std::string command : {"info", "check"}) {
    const auto problem = [&](const std::string& file, const std::string& reason) {
      return problemOfFailure(fitup({command, file}), {file, reason});
    };
    CHECK(problem("missing.fitup", "No such file") == "");
    CHECK(problem("missing.step", "No such file") == "");
    CHECK(problem("no/such/folder/a.obj", "No such file") == "");
    CHECK(problem("folder", "Is a directory") == "");
    CHECK(problem("folder.fitup", "Is a directory") == "");
    CHECK(problem("folder.step", "Is a directory") == "");
    CHECK(problem("text.fitup", "not a Fitup model file") == "");
    CHECK(problem("empty.fitup", "not a Fitup model file") == "");
    CHECK(problem("half.fitup", "") == "");
    CHECK(problem("model.xyz", "'.xyz'") == "");
    CHECK(problem("", "") == "");
    for (const char* extension : {".fitup", ".step", ".obj"})
      CHECK(problem(std::string(300, 'a') + extension, "cannot read: File name too long") == "");
  }
  // The message names the second of two files, too.
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "missing.fitup"}), {"missing.fitup"}) == "");
}

#if !defined(FITUP_SANITIZED)  // it takes terabytes of addresses
TEST_CASE("out of memory is an error that names the command", "[cli]") {
  const CommandLine fitup;
  RunOptions options;
  options.folder = fitup.folder().path();
  const auto problem = [&](const char* limit, const std::vector<std::string>& pieces) {
    return problemOfFailure(runProgram("/bin/sh",
                                       {"-c",
                                        std::string("ulimit -v ") + limit +
                                            " && exec \"$0\" generate torus big.fitup --triangles 5000000",
                                        FITUP_PROGRAM},
                                       options),
                            pieces);
  };
  CHECK(problem("300000", {"generate: out of memory"}) == "");
  CHECK(fitup.folder().entryCount() == 0);
}
#endif

TEST_CASE("a file without the right to read it", "[cli]") {
  if (::geteuid() == 0) {
    WARN("skipped: root may read everything");
    return;
  }
  const CommandLine fitup;
  fitup.writeRow(2);
  std::filesystem::permissions(fitup.file("row.fitup"), std::filesystem::perms::none);
  CHECK(problemOfFailure(fitup({"info", "row.fitup"}), {"row.fitup", "Permission denied"}) == "");
}

TEST_CASE("a hierarchy that is not there", "[cli]") {
  const CommandLine fitup;
  fitup.writeRow(2);
  CHECK(problemOfFailure(fitup({"check", "row.fitup", "--hierarchy", "kd"}), {"kd", "scd"}) == "");
}

TEST_CASE("output that cannot be written is an error", "[cli]") {
  if (!std::filesystem::exists("/dev/full")) {
    WARN("skipped: there is no /dev/full");
    return;
  }
  const CommandLine fitup;
  fitup.writeRow(60);
  RunOptions toFullDisk;
  toFullDisk.output = "/dev/full";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"info", "row.fitup"},
        {"info", "row.fitup", "--surfaces"},  // more than the output buffer holds
        {"distance", "row.fitup", "--within", "1", "--json"},
        {"check", "--help"},
        {"--version"}}) {
    const ProgramResult result = fitup(arguments, toFullDisk);
    INFO(result.text());
    CHECK(result.exitCode == 2);
    CHECK(result.err.starts_with("fitup: "));
    CHECK(contains(result.err, "No space left on device"));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
}

}  // namespace errors_tests
