#include <fitup/io/formats.h>

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <sstream>
#include <string>

#include "support/temporary_folder.h"

namespace formats_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("each extension stands once in the table of formats, and is found in capitals too", "[io]") {
  std::set<std::string_view> seen;
  for (const FileFormat& format : fileFormats()) {
    INFO(format.extension);
    CHECK(seen.insert(format.extension).second);
    CHECK(format.extension.starts_with('.'));
    CHECK_FALSE(format.label.empty());
    const bool needsImporter = format.isModel() && format.family != FileFamily::model;
    CHECK(importerOf(format.family).empty() != needsImporter);
    std::string capitals(format.extension);
    for (char& c : capitals)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    CHECK(formatOf("folder.d/a b" + capitals) == &format);
  }
  CHECK(formatOf("step") == nullptr);
  CHECK(formatOf("a.step.xyz") == nullptr);
  CHECK_FALSE(fileFamilyOf("a.mtl"));
}

TEST_CASE("lists of extensions are lines of text", "[io]") {
  const auto isWritten = [](const FileFormat& format) { return format.write != nullptr; };
  CHECK(extensionList(isWritten) == ".fitup .obj .stl .glb");
  CHECK(extensionList(isWritten, ", ", " or ") == ".fitup, .obj, .stl or .glb");
  CHECK(extensionList([](const FileFormat& format) { return format.label == "PLY"; }, ", ", " or ") ==
        ".ply");
  CHECK(extensionList([](const FileFormat&) { return false; }) == "");
}

/// Returns the extensions in the first column of the table with this head, each with the text of its row's
/// first cell.
std::map<std::string, std::string> extensionsInDocs(const std::string& head) {
  std::istringstream lines(readText(FITUP_SOURCE_DIR "/docs/reference/formats.md"));
  std::map<std::string, std::string> extensions;
  bool isInTable = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(head)) isInTable = true;
    if (!line.starts_with('|')) isInTable = false;
    if (!isInTable) continue;
    const std::string cell = line.substr(1, line.find('|', 1) - 1);
    for (std::size_t at = cell.find("`."); at != std::string::npos; at = cell.find("`.", at + 1))
      extensions[cell.substr(at + 1, cell.find('`', at + 1) - at - 1)] = cell;
  }
  return extensions;
}

TEST_CASE("the table of docs/reference/formats.md is that of the program", "[io]") {
  std::map<std::string, std::string> inDocs = extensionsInDocs("| format |");
  for (const FileFormat& format : fileFormats()) {
    if (!format.isModel()) continue;
    INFO(format.extension);
    const auto found = inDocs.find(std::string(format.extension));
    REQUIRE(found != inDocs.end());
    const bool isBinary = format.label.starts_with("binary ");
    CHECK(found->second.find(format.label.substr(isBinary ? 7 : 0)) != std::string::npos);
    inDocs.erase(found);
  }
  for (const auto& [extension, cell] : inDocs) FAIL_CHECK(extension << " is read only by the docs:" << cell);
}

}  // namespace formats_tests
