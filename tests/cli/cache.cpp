#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <algorithm>

#include "support/command_line.h"

namespace cache_tests {

using namespace fitup::test;

#if defined(FITUP_TEST_MESH_FILES)

namespace {

/// Writes two cubes to a file.
void writeMesh(const CommandLine& fitup) {
  fitup.writeRow(2);
  REQUIRE(fitup({"convert", "row.fitup", "row.obj"}).exitCode == 0);
}

}  // namespace

TEST_CASE("the cache can be listed and cleared", "[cli][cache]") {
  const CommandLine fitup;
  writeMesh(fitup);
  CHECK(contains(fitup({"cache", "list"}).out, "0 models, 0.0 MB of at most 8589.9 MB in "));
  REQUIRE(fitup({"info", "row.obj"}).exitCode == 0);
  const ProgramResult one = fitup({"cache", "list"});
  INFO(one.text());
  CHECK(one.exitCode == 0);
  CHECK(contains(one.out, fitup.file("row.obj").string() + "\n"));
  CHECK(contains(one.out, "\n1 model, "));
  const RunOptions small{.folder = {}, .environment = {{"FITUP_CACHE_LIMIT", "0"}}, .interruptAfter = {}};
  CHECK(contains(fitup({"cache", "list"}, small).out, " of at most 0.0 MB in "));
  CHECK(contains(fitup({"cache", "clear"}).out, " freed in "));
  CHECK(contains(fitup({"cache", "list"}).out, "0 models, "));
  CHECK(fitup({"info", "row.obj"}).err.empty());  // imported
  // A cache that is full at once keeps nothing.
  REQUIRE(fitup({"info", "row.obj", "--unit", "m"}, small).exitCode == 0);
  CHECK(contains(fitup({"cache", "list"}).out, "0 models, "));
  CHECK(fitup({"cache"}).exitCode == 2);
}

TEST_CASE("without a folder for it there is no cache, which is said to who asks", "[cli][cache]") {
  const CommandLine fitup;
  writeMesh(fitup);
  const RunOptions none{
      .folder = {}, .environment = {{"XDG_CACHE_HOME", "/dev/null/none"}}, .interruptAfter = {}};
  for (int time = 0; time < 2; ++time) {
    const ProgramResult quiet = fitup({"info", "row.obj"}, none);
    CHECK(quiet.exitCode == 0);
    CHECK(quiet.err.empty());
  }
  const ProgramResult verbose = fitup({"info", "row.obj", "--verbose"}, none);
  CHECK(verbose.exitCode == 0);
  CHECK(contains(verbose.err, "the cache is not used: /dev/null/none/fitup: cannot keep a cache there: "));
  CHECK(problemOfFailure(fitup({"cache", "list"}, none), {"/dev/null/none/fitup"}) == "");
}

TEST_CASE("a cache that others can write to is not believed", "[cli][cache]") {
  const CommandLine fitup;
  writeMesh(fitup);
  const RunOptions open{.folder = {},
                        .environment = {{"XDG_CACHE_HOME", fitup.folder().path().string()}},
                        .interruptAfter = {}};
  REQUIRE(fitup({"info", "row.obj"}, open).exitCode == 0);
  CHECK(contains(fitup({"info", "row.obj"}, open).err, "read from the cache"));
  REQUIRE(::chmod(fitup.file("fitup").c_str(), 0777) == 0);
  const ProgramResult result = fitup({"info", "row.obj", "-v"}, open);
  CHECK(result.exitCode == 0);
  CHECK_FALSE(contains(result.err, "read from the cache"));
  CHECK(contains(result.err, "other users can write to it"));
}

TEST_CASE("what leads out of a file's folder is named, and read below a root folder", "[cli]") {
  const CommandLine fitup;
  for (const char* folder : {"in", "paint"}) std::filesystem::create_directory(fitup.file(folder));
  writeText(fitup.file("paint/red.mtl"), "newmtl red\nKd 1 0 0\n");
  writeText(fitup.file("in/a.obj"),
            "mtllib ../paint/red.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const ProgramResult refused = fitup({"info", "in/a.obj"});
  CHECK(contains(refused.err,
                 "material library ../paint/red.mtl: is outside the file's folder and is not read"));
  const ProgramResult wide = fitup({"info", "in/a.obj", "--root", "."});
  CHECK(wide.exitCode == 0);
  CHECK_FALSE(contains(wide.err, "red.mtl"));
  CHECK(problemOfFailure(fitup({"info", "in/a.obj", "--root", "paint"}),
                         {"in/a.obj", "is outside the root folder paint"}) == "");
  CHECK(fitup({"info", "in/a.obj", "--root", "gone"}).exitCode == 2);
  // A model file refers to nothing, but may itself lie elsewhere.
  fitup.writeRow(2, "out.fitup");
  std::filesystem::create_symlink("../out.fitup", fitup.file("in/link.fitup"));
  CHECK(problemOfFailure(fitup({"info", "in/link.fitup", "--root", "in"}), {"is outside the root folder"}) ==
        "");
  CHECK(fitup({"info", "in/link.fitup", "--root", "."}).exitCode == 0);
}

#endif

TEST_CASE("the version says at length how importers are confined", "[cli]") {
  const CommandLine fitup;
  const ProgramResult brief = fitup({"--version"}), verbose = fitup({"--version", "--verbose"});
  CHECK(brief.exitCode == 0);
  CHECK(std::count(brief.out.begin(), brief.out.end(), '\n') == 1);
  CHECK(verbose.exitCode == 0);
  CHECK(verbose.out.starts_with(brief.out));
#if defined(FITUP_TEST_MESH_FILES)
  CHECK(contains(verbose.out, "\nfitup-import-mesh:\n  "));
#endif
}

}  // namespace cache_tests
