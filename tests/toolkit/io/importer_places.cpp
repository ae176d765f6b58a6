#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace importer_places_tests {

using namespace fitup::test;
namespace fs = std::filesystem;

namespace {

/// A folder that contains a program, or a library that a program loads, and importers in another place.
struct Places {
  TemporaryFolder folder;
  fs::path reader, libraries;

  Places() { writeText(folder / "part.step", "good"); }

  fs::path put(const fs::path& file, const std::string& where) const {
    fs::create_directories(folder / where);
    fs::copy_file(file, folder / where / file.filename());
    return folder / where / file.filename();
  }
  void putReader(const std::string& where) { reader = put(FITUP_READING_PROGRAM, where); }
  void putLibrary(const std::string& where) {
    reader = put(FITUP_READING_HOST, "host");
    libraries = put(FITUP_READING_LIBRARY, where).parent_path();
  }
  void putImporter(const fs::path& where) const {  // in the folder, or anywhere
    fs::create_directories(folder.path() / where);
    fs::create_symlink(FITUP_FAKE_IMPORTER, folder.path() / where / "fitup-import-cad");
  }

  std::string read() const {
    RunOptions options;
    options.environment = {
        {"FITUP_IMPORTERS", ""}, {"PATH", "/nowhere"}, {"LD_LIBRARY_PATH", libraries.string()}};
    const ProgramResult result = runProgram(reader, {(folder / "part.step").string()}, options);
    return result.out + result.err;
  }
};

}  // namespace

// A single test case, because the configured place is the same for all.
TEST_CASE("importers are looked for in their installation and nowhere else", "[io]") {
  const fs::path configured = FITUP_CONFIGURED_IMPORTERS;
  fs::remove_all(configured);
  Places places;
  const auto isRefused = [&] {
    const std::string said = places.read();
    INFO(said);
    CHECK(said.find("fitup-import-cad is not installed: neither in ") == 0);
    CHECK(said.find(configured.string() + ", nor") != std::string::npos);
  };

  SECTION("not above a program, where the folders may be anybody's") {
    places.putReader("a/b/c");
    for (const char* above :
         {"bin", "libexec/fitup", "a/bin", "a/libexec/fitup", "a/b/bin", "a/b/libexec/fitup"})
      places.putImporter(above);
    isRefused();
  }
  SECTION("beside a program") {
    places.putReader("a");
    isRefused();
    places.putImporter("a");
    CHECK(places.read() == "read\n");
  }
  SECTION("in the prefix that a program is installed in") {
    places.putReader("a/bin");
    places.putImporter("a/libexec/fitup");
    CHECK(places.read() == "read\n");
  }
  SECTION("where the build was configured for, from anywhere") {
    places.putReader("a/b/c");
    places.putImporter(configured);
    CHECK(places.read() == "read\n");
    fs::remove_all(configured);
    isRefused();
  }
  SECTION("in the prefix that a shared library is installed in") {
    const std::string below = GENERATE("lib", "lib64", "lib/plugins", "lib/x86_64-linux-gnu/plugins");
    places.putLibrary("a/" + below);
    isRefused();
    places.putImporter("a/libexec/fitup");
    CHECK(places.read() == "read\n");
  }
  SECTION("not above a shared library that is in no prefix") {
    places.putLibrary("a/b/c");
    for (const char* above :
         {"bin", "libexec/fitup", "a/bin", "a/libexec/fitup", "a/b/bin", "a/b/libexec/fitup"})
      places.putImporter(above);
    isRefused();
  }
}

}  // namespace importer_places_tests
