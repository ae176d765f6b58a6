// Tests the warnings of an import as users read them.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>

#include <fitup/io/model_file.h>

#include "support/command_line.h"

namespace warnings_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Writes the row with these warnings.
void writeWarned(const CommandLine& fitup, std::vector<ImportWarning> warnings) {
  fitup.writeRow(2);
  Model model = readModelFile(fitup.file("row.fitup"));
  model.warnings = std::move(warnings);
  writeModelFile(fitup.file("warned.fitup"), model);
}

std::size_t linesOf(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("warnings of one kind are one line, --verbose lists each", "[cli][warnings]") {
  std::vector<ImportWarning> warnings{{"file", "something \x1b[2J else", false}};
  for (int i = 0; i < 300; ++i) {
    warnings.push_back({"part " + std::to_string(i), "has sheets only", false});
    warnings.push_back({"face " + std::to_string(i), "is missing, of " + std::to_string(i + 12), true});
  }
  const CommandLine fitup;
  writeWarned(fitup, warnings);
  ProgramResult result = fitup({"check", "warned.fitup", "--report", "r.json", "--report", "r.html"});
  CHECK(result.exitCode == 3);
  CHECK(result.err ==
        "missing: 300 times, the first: face 0: is missing, of 12\n"
        "warning: file: something \\x1b[2J else\n"
        "warning: 300 times, the first: part 0: has sheets only\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"check", "warned.fitup"}, {"distance", "warned.fitup", "--within", "1"}}) {
    const ProgramResult answer = fitup(command);
    CHECK(contains(answer.out, "\nincomplete: geometry is missing from the model\n"));
    CHECK_FALSE(contains(answer.out, "\ncomplete"));
  }
  // The page has the same lines, the data all of them.
  CHECK(contains(fitup.text("r.html"),
                 R"("warnings":["300 times, the first: face 0: is missing, of 12","file: something)"));
  CHECK(contains(fitup.text("r.json"), R"("element": "part 299")"));

  result = fitup({"check", "warned.fitup", "--verbose"});
  CHECK(result.exitCode == 3);
  CHECK(linesOf(result.err) == 601);
  CHECK(result.err.starts_with("missing: face 0: is missing, of 12\nmissing: face 1: is missing, of 13\n"));
  CHECK(contains(result.err, "\nwarning: part 299: has sheets only\n"));
}

TEST_CASE("a file of very many kinds of warnings leaves the answer on the screen", "[cli][warnings]") {
  std::vector<ImportWarning> warnings;
  for (const bool incomplete : {false, true})
    for (int length = 1; length <= 500; ++length)
      warnings.push_back({"file", std::string(static_cast<std::size_t>(length), 'x'), incomplete});
  const CommandLine fitup;
  writeWarned(fitup, std::move(warnings));
  const ProgramResult result = fitup({"check", "warned.fitup"});
  CHECK(result.exitCode == 3);
  CHECK(linesOf(result.err) == 122);
  CHECK(contains(result.err, "\nmissing: 400 more kinds; --verbose lists all\nwarning: file: x\n"));
  CHECK(result.err.ends_with("\nwarning: 480 more kinds; --verbose lists all\n"));
}

}  // namespace warnings_tests
