// Tests names that come from files, on the console and in CSV.
#include <catch2/catch.hpp>

#include <fitup/io/model_file.h>

#include "support/command_line.h"
#include "support/tiny_meshes.h"

namespace names_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Returns two tetrahedra that intersect.
std::string twoParts(const std::string& first, const std::string& second) {
  std::string text;
  for (int k = 0; k < 2; ++k) {
    text += "o " + (k == 0 ? first : second) + "\ng " + (k == 0 ? first : second) + "\n";
    const std::string x = k == 0 ? "0" : "0.2", far = k == 0 ? "1" : "1.2";
    text += "v " + x + " 0 0\nv " + far + " 0 0\nv " + x + " 1 0\nv " + x + " 0 1\n";
    text += "f -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n";
  }
  return text;
}

/// Whether a terminal would show the text unchanged: no control characters except line ends.
bool isPlain(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n') || c == 0x7f) return false;
    // U+0080 to U+009F, which some terminals treat as commands, and U+202E, which reverses the line.
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return false;
    if (text.substr(i).starts_with("\xe2\x80\xae")) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("names from files are shown with control characters escaped", "[cli]") {
  const std::string first = "\x1b[2J\x1b]0;owned\x07red", second = "a\x7f\nb\xc2\x9b\xe2\x80\xae\xc3\xa9";
  // Readers of mesh files remove such characters from names; a model file may hold them.
  Model model;
  model.source.path = second;
  model.assembly = Assembly(first);
  TriangleMesh::Data data = sixSidedBox(1, 1, 1)->data();
  data.name = second;
  for (Surface& surface : data.surfaces) surface.name = first;
  const PartId part = model.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data)));
  model.assembly.addNode(first, {}, {}, part);
  model.assembly.addNode(second, Transform::translation({0.5, 0, 0}), {}, part);
  model.warnings = {{second, first, false}};
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  const CommandLine fitup;
  writeModelFile(fitup.file("a.fitup"), model);
  REQUIRE(fitup({"check", "a.fitup", "--report", "old.json"}).exitCode == 1);
  const ProgramResult checked =
      fitup({"check", "a.fitup", "--verdict", "--tolerance", "0.01", "--report", "new.json"});
  INFO(checked.text());
  REQUIRE(checked.exitCode == 1);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"info", "a.fitup", "--tree"},
                                                    {"info", "a.fitup", "--surfaces"},
                                                    {"check", "a.fitup"},
                                                    {"check", "a.fitup", "--verdict", "--tolerance", "0.01"},
                                                    {"distance", "a.fitup"},
                                                    {"distance", "a.fitup", "--json"},
                                                    {"mates", "a.fitup"},
                                                    {"diff", "old.json", "new.json"},
                                                    {"check", "a.fitup", "--hierarchy", "\x1b[1m"},
                                                    {"info", "no\x1b[1msuch.obj"},
                                                    {"\x1b[1m"}}) {
    const ProgramResult result = fitup(arguments);
    INFO(arguments[0] << "\n" << result.text());
    CHECK(isPlain(result.out));
    CHECK(isPlain(result.err));
    CHECK(result.out.size() + result.err.size() > 10);
  }
  const std::string tree = fitup({"info", "a.fitup", "--tree"}).out;
  CHECK(contains(tree, "\\x1b[2J\\x1b]0;owned\\x07red"));
  CHECK(contains(tree, "a\\x7f\\nb\\u009b\\u202e\xc3\xa9"));
}

#ifdef FITUP_TEST_MESH_FILES
TEST_CASE("names that a spreadsheet would run stand behind an apostrophe in CSV reports", "[cli]") {
  const CommandLine fitup;
  writeText(fitup.file("a.obj"), twoParts("=cmd|' /C calc'!A0", "@SUM(1)"));
  REQUIRE(fitup({"check", "a.obj", "--report", "r.csv"}).exitCode == 1);
  const std::string report = fitup.text("r.csv");
  CHECK(contains(report, "'=cmd|' "));
  CHECK(contains(report, "'@SUM(1)"));
  for (const std::string before : {",", "\n", "\""})
    for (const std::string start : {"=", "@"}) CHECK_FALSE(contains(report, before + start));
}
#endif

}  // namespace names_tests
