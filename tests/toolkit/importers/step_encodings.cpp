// Names in STEP files that are neither ASCII nor UTF-8.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "support/import_checks.h"
#include "support/temporary_folder.h"

namespace step_encodings_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// "block:1"'s product under another name, as these bytes; and whatever the importer says of names.
struct Read {
  std::string name, warning;
};
Read readNamed(const std::string& bytes, const std::string& encoding = {}) {
  const TemporaryFolder folder;
  const std::string command =
      std::string(FITUP_WRITE_TEST_STEP) + " " + (folder / "ascii.step").string() + " ROOTS >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  std::string text = readText(folder / "ascii.step");
  constexpr std::string_view old = "'block'";
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + 1))
    text.replace(at, old.size(), "'" + bytes + "'");
  writeText(folder / "named.step", text);
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
    const Read told = readNamed(c.bytes, c.encoding);
    CHECK(told.name == c.name);
    CHECK(told.warning.empty());
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
  CHECK(wrong.warning.find("characters are no utf-8") != std::string::npos);
}
#endif

}  // namespace step_encodings_tests
