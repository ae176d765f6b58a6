#include <catch2/catch.hpp>

#include <cstdlib>

#include <fitup/io/model_file.h>

#include "support/import_checks.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace step_parallel_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

/// Returns what the importer writes for a file, with this number of threads.
std::string imported(const std::filesystem::path& file, int threads) {
  const TemporaryFolder folder;
  const auto output = folder / "out.fitup";
  const ProgramResult result =
      runProgram(*cadImporter(), {file.string(), output.string(), "--threads", std::to_string(threads)});
  INFO(result.text());
  REQUIRE(result.exitCode == 0);
  return readText(output);
}

std::string writtenStep(const TemporaryFolder& folder) {
  const auto file = folder / "parts.step";
  REQUIRE(std::system((std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " >/dev/null").c_str()) ==
          0);
  return readText(file);
}

}  // namespace

TEST_CASE("the import of a STEP file does not depend on the number of threads", "[importers]") {
  const TemporaryFolder folder;
  writtenStep(folder);
  const std::string one = imported(folder / "parts.step", 1);
  for (const int threads : {0, 2, 4}) CHECK(imported(folder / "parts.step", threads) == one);
}

TEST_CASE("parts that share a solid are tessellated one after the other, each whole", "[importers]") {
  const TemporaryFolder folder;
  std::string text = writtenStep(folder);
  // The first solid of the file becomes one of every part.
  const std::size_t type = text.find(" = MANIFOLD_SOLID_BREP");
  REQUIRE(type != text.npos);
  const std::size_t number = text.rfind('#', type);
  const std::string solid = text.substr(number, type - number);
  constexpr std::string_view list = "ADVANCED_BREP_SHAPE_REPRESENTATION('',(";
  std::size_t parts = 0;
  for (std::size_t at = text.find(list); at != text.npos; at = text.find(list, at + list.size()))
    if (parts++ > 0) text.insert(at + list.size(), solid + ",");
  REQUIRE(parts == 4);
  writeText(folder / "shared.step", text);
  const std::string one = imported(folder / "shared.step", 1);
  for (const int threads : {2, 4})
    for (int repetition = 0; repetition < 5; ++repetition)
      CHECK(imported(folder / "shared.step", threads) == one);
  const Model model = import(folder / "shared.step");
  CHECK(countsOf(model).untessellated == 0);
  CHECK(countsOf(model).faces == 29 + 3 * 6);
}

TEST_CASE("assemblies of the field come out the same with one and with four threads", "[importers][large]") {
  for (const char* name : {"step/as1-oc-214.stp", "step/13_5_hinge_R_assy.stp"}) {
    const auto file = sharedData(name);
    if (!file) {
      WARN("skipped: the shared file " << name << " is absent");
      continue;
    }
    CHECK(imported(*file, 4) == imported(*file, 1));
  }
}
#endif

}  // namespace step_parallel_tests
