// Tests names in STEP files that are neither ASCII nor UTF-8.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_encodings_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// Writes a model of the test writer, with the files of `mode` beside it.
void writeStep(const std::filesystem::path& file, const std::string& mode) {
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " " + mode + " >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
}

/// Replaces each quoted text `from` by `to`.
std::string renamed(std::string text, const std::string& from, const std::string& to) {
  const std::string old = "'" + from + "'", now = "'" + to + "'";
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
  return text;
}

/// The product of "block:1" renamed to these bytes, and the importer's warnings about names.
struct Read {
  std::string name, warning;
};
Read readNamed(const std::string& bytes, const std::string& encoding = {}) {
  const TemporaryFolder folder;
  writeStep(folder / "ascii.step", "ROOTS");
  writeText(folder / "named.step", renamed(readText(folder / "ascii.step"), "block", bytes));
  ReadOptions options;
  options.encoding = encoding;
  const Model model = import(folder / "named.step", options);
  REQUIRE(model.assembly.partCount() >= 3);
  Read read{model.assembly.part(PartId(0)).name(), {}};
  for (const ImportWarning& warning : model.warnings)
    if (warning.element == "names") read.warning = warning.message;
  return read;
}

}  // namespace

TEST_CASE("names in ASCII, UTF-8 and the standard's own writing need no guess", "[importers]") {
  for (const auto& [bytes, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"lid", "lid"},
                                                                  {"Geh\xC3\xA4use", "Gehäuse"},
                                                                  {"\\X2\\00E4\\X0\\", "ä"},
                                                                  {"\xE9\x83\xA8\xE5\x93\x81", "部品"}}) {
    const Read read = readNamed(bytes);
    CHECK(read.name == name);
    CHECK(read.warning.empty());
  }
}

TEST_CASE("names in GBK, Shift-JIS and Windows-1252 are recognised, and that is said", "[importers]") {
  struct Case {
    const char *bytes, *name, *encoding;
  };
  for (const Case& c :
       {Case{"\xD7\xB0\xC5\xE4\xCC\xE5", "装配体", "gbk"}, Case{"\xC1\xE3\xBC\xFE-2", "零件-2", "gbk"},
        Case{"\x95\x94\x95\x69", "部品", "shift-jis"},
        // The second byte of the second character is a backslash.
        Case{"\x83\x7B\x83\x5C\x83\x8B\x83\x67", "ボソルト", "shift-jis"},
        Case{"Geh\xE4use \xD8"
             "12",
             "Gehäuse Ø12", "windows-1252"}}) {
    INFO(c.name);
    const Read read = readNamed(c.bytes);
    CHECK(read.name == c.name);
    CHECK(read.warning.find(std::string("look like ") + c.encoding) != std::string::npos);
    const Read asked = readNamed(c.bytes, c.encoding);
    CHECK(asked.name == c.name);
    CHECK(asked.warning.empty());
  }
}

TEST_CASE("names in an encoding that cannot be found out lose characters, and that is said", "[importers]") {
  const Read unknown = readNamed("a\xFF\xFE\xFD\xFC z");
  CHECK(unknown.name.find("\xEF\xBF\xBD") != std::string::npos);
  CHECK(unknown.name.front() == 'a');
  CHECK(unknown.warning.find("--encoding") != std::string::npos);
  CHECK(readNamed("\xA4\xA4\xA4\xE5", "big5").name == "中文");
  const Read wrong = readNamed("Geh\xE4use", "utf-8");
  CHECK(wrong.name == "Geh\xEF\xBF\xBDuse");
  CHECK(wrong.warning.find("characters are not valid utf-8") != std::string::npos);
}

namespace {

/// The names in a model's tree, and the importer's warnings about names.
struct TreeNames {
  std::set<std::string> names;
  std::string said;
};
TreeNames namesOf(const Model& model) {
  TreeNames found;
  for (const AssemblyNode& node : model.assembly.nodes()) found.names.insert(node.name);
  for (const ImportWarning& warning : model.warnings)
    if (warning.element.ends_with("names")) found.said += warning.element + ": " + warning.message + "\n";
  return found;
}

/// Returns the file of a part beside an assembly of the mode EXTERNAL.
std::filesystem::path fileOf(const std::filesystem::path& folder, const std::string& part) {
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().find("-" + part) != std::string::npos) return entry.path();
  return {};
}

}  // namespace

TEST_CASE("each file that a STEP file refers to may have its names in another encoding", "[importers]") {
  const TemporaryFolder folder;
  writeStep(folder / "master.step", "EXTERNAL");
  // Its copies are assemblies that others refer to in place of parts.
  const std::string master = readText(folder / "master.step");
  const auto nameOfFile = [&](const std::string& part) {
    return fileOf(folder.path(), part).filename().string();
  };
  writeText(folder / "top.step", renamed(renamed(master, nameOfFile("block"), "chinese.step"),
                                         nameOfFile("pin"), "japanese.step"));
  writeText(folder / "chinese.step", renamed(master, "left", "L\xD7\xB0\xC5\xE4\xCC\xE5"));
  // The second byte of the second letter is a backslash.
  writeText(folder / "japanese.step", renamed(master, "left", "L\x83\x7B\x83\x5C\x83\x8B\x83\x67"));
  const TreeNames read = namesOf(import(folder / "top.step"));
  CHECK(read.names.contains("L装配体"));
  CHECK(read.names.contains("Lボソルト"));
  CHECK_THAT(read.said, Catch::Contains("chinese.step: names: look like gbk") &&
                            Catch::Contains("japanese.step: names: look like shift-jis"));
  // A given encoding applies to all files.
  writeText(folder / "japanese.step", renamed(master, "left", "L\xC1\xE3\xBC\xFE-2"));
  ReadOptions options;
  options.encoding = "gbk";
  const TreeNames asked = namesOf(import(folder / "top.step", options));
  CHECK(asked.names.contains("L装配体"));
  CHECK(asked.names.contains("L零件-2"));
  CHECK(asked.said.empty());
}

TEST_CASE("the names of files in a STEP file have its encoding, those on the disk are in UTF-8",
          "[importers]") {
  const TemporaryFolder folder;
  writeStep(folder / "master.step", "EXTERNAL");
  const std::string master = readText(folder / "master.step");
  const std::filesystem::path block = fileOf(folder.path(), "block"), pin = fileOf(folder.path(), "pin");
  REQUIRE_FALSE(pin.empty());
  const ImportCounts whole = countsOf(import(folder / "master.step"));
  std::filesystem::rename(pin, folder / "零件.stp");
  writeText(folder / "first.step", renamed(master, pin.filename().string(), "\xC1\xE3\xBC\xFE.stp"));
  const Model direct = import(folder / "first.step");
  CHECK(countsOf(direct).faces == whole.faces);
  // In a file that is itself referenced.
  writeText(folder / "top.step", renamed(renamed(master, block.filename().string(), "first.step"),
                                         pin.filename().string(), "零件.stp"));
  const Model top = import(folder / "top.step");
  CHECK(countsOf(top).instances > whole.instances);
  CHECK_FALSE(std::any_of(top.warnings.begin(), top.warnings.end(), [](const ImportWarning& warning) {
    return warning.element.starts_with("external file ");
  }));
}
#endif

}  // namespace step_encodings_tests
