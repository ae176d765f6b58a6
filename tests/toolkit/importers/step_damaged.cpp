#include <catch2/catch.hpp>

#include <map>
#include <string>

#include <fitup/base/error.h>

#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace step_damaged_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("each damaged STEP file ends in a clear error or an answer that says what is missing",
          "[importers]") {
#if defined(__SANITIZE_ADDRESS__)
  const std::string crash = "AddressSanitizer";  // it catches the signal and exits
#else
  const std::string crash = "importer crashed (signal 11) while transferring";
#endif
  // The text that must occur; empty: the answer must be complete.
  const std::map<std::string, std::string> expectations{
      {"binary_garbage.stp", "refused: not a STEP file"},
      {"bom_prefix.stp", ""},
      {"cr_only.stp", ""},
      {"dangling_reference_face.stp", "incomplete: holds 5 solids, but only 4 were transferred"},
      {"duplicate_ids.stp", "incomplete: is defined more than once"},
      {"empty.stp", "refused: the file is empty"},
      {"lfs_pointer.stp", "refused: this is a Git LFS pointer"},
      {"nan_coordinate.stp", "incomplete: Parameter n0.1 (coordinates) not a Real"},
      {"no_end_iso.stp", "refused: the file is cut off"},
      {"no_geometry.stp", "refused: holds no shapes"},
      {"random_bytes.stp", crash},
      {"self_containing_assembly.stp", crash},
      {"truncated_header.stp", "refused: the file is cut off"},
      {"truncated_mid_entity.stp", "refused: the file is cut off"},
      {"unknown_schema.stp", ""},
  };
  const auto folder = sharedData("nasty/step-derived");
  if (!cadImporter() || !folder) {
    WARN("skipped: nasty/step-derived or the importer is absent");
    return;
  }
  std::size_t checked = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".stp") continue;  // a model file that some run left beside its source
    ++checked;
    INFO(name);
    const auto expected = expectations.find(name);
    REQUIRE(expected != expectations.end());
    std::string said;
    try {
      const Model model = import(entry.path());
      if (!isIncomplete(model)) CHECK(countsOf(model).faces == 160);
      for (const ImportWarning& warning : model.warnings)
        if (warning.incomplete) said += "incomplete: " + warning.message + "\n";
    } catch (const Error& error) {
      said = error.what();
      CHECK(said.starts_with(entry.path().string() + ": "));
    }
    if (expected->second.empty())
      CHECK(said.empty());
    else
      CHECK_THAT(said, Catch::Contains(expected->second));
  }
  CHECK(checked == expectations.size());
}

TEST_CASE("an awkward file name is no obstacle", "[importers]") {
  const auto file = sharedData("nasty/mayo/#332_file.stp");
  if (!cadImporter() || !file) {
    WARN("skipped: nasty/mayo or the importer is absent");
    return;
  }
  CHECK(countsOf(import(*file)).instances == 3);
}

TEST_CASE("an assembly of several files arrives whole, or says which is missing", "[importers]") {
  const auto folder = sharedData("step/s1-c5-214");
  if (!cadImporter() || !folder) {
    WARN("skipped: step/s1-c5-214 or the importer is absent");
    return;
  }
  const Model whole = import(*folder / "s1-c5-214.stp");
  CHECK(countsOf(whole).faces == 182);
  CHECK_FALSE(isIncomplete(whole));
  CHECK(whole.source.referencedFiles.size() == 12);

  const TemporaryFolder copy;
  std::filesystem::copy_file(*folder / "TAIL.stp", copy / "TAIL.stp");
  std::filesystem::copy_file(*folder / "TAIL_TURBINE.stp", copy / "TAIL_TURBINE.stp");
  const Model part = import(copy / "TAIL.stp");
  CHECK(isIncomplete(part));
  std::filesystem::remove(copy / "TAIL_TURBINE.stp");
  CHECK_THAT(messageOf<ImportError>([&] { (void)import(copy / "TAIL.stp"); }),
             Catch::Contains("TAIL_TURBINE.stp"));
}

}  // namespace step_damaged_tests
