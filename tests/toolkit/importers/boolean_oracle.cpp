// Compares verdicts on STEP assemblies with the Booleans of Open CASCADE (support/boolean_oracle.h).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/boolean_oracle.h"
#include "support/import_checks.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace boolean_oracle_tests {

using namespace fitup;
using namespace fitup::test;

#if defined(FITUP_WRITE_TEST_STEP)
namespace {

void checkAgrees(const VerdictComparison& compared) {
  for (const auto* const lines :
       {&compared.missed, &compared.falseClashes, &compared.tooShallow, &compared.unmatched})
    for (const std::string& line : *lines) FAIL_CHECK(line);
}

/// The products of several bodies, plates and a peg of support/write_test_step.cpp.
struct Fits {
  TemporaryFolder folder;
  std::filesystem::path file = folder / "fits.step";
  bool isWritten =
      std::system((std::string(FITUP_WRITE_TEST_STEP) + " " + file.string() + " FITS >/dev/null").c_str()) ==
      0;
  BooleanOverlaps overlaps = takeBooleanOverlaps(file);
  Model model = import(file);
  InterferenceReport report = judgedPairs(model);

  [[nodiscard]] VerdictComparison compared() const { return compareVerdicts(overlaps, model, report); }
  [[nodiscard]] PairInterference& pair(const char* a, const char* b) {
    const std::pair<NodeId, NodeId> nodes = std::minmax(model.assembly.at(a), model.assembly.at(b));
    const auto found = std::find_if(report.pairs.begin(), report.pairs.end(),
                                    [&](const auto& pair) { return std::pair(pair.a, pair.b) == nodes; });
    REQUIRE(found != report.pairs.end());
    return *found;
  }
};

}  // namespace

TEST_CASE("the Booleans of Open CASCADE find the common solids that the test file has",
          "[importers][verdict]") {
  const Fits fits;
  REQUIRE(fits.overlaps.solids.size() == 4);
  // The peg (d 10) fits its hole in the plate and ends 4 mm deep in the block; ball (d 20) and block share a
  // cap 3 mm high.
  REQUIRE(fits.overlaps.pairs.size() == 4);
  std::vector<double> volumes;
  for (const SolidOverlap& pair : fits.overlaps.pairs) {
    CHECK(pair.counts());
    volumes.push_back(pair.volume);
  }
  std::sort(volumes.begin(), volumes.end());
  CHECK(volumes[0] == Approx(0).margin(1e-9));  // plate and block
  CHECK(volumes[1] == Approx(0).margin(1e-9));  // peg and plate
  CHECK(volumes[2] == Approx(M_PI * 9 * (30 - 3) / 3).epsilon(1e-6));
  CHECK(volumes[3] == Approx(M_PI * 25 * 4).epsilon(1e-6));
  for (const SolidOverlap& pair : fits.overlaps.pairs) {
    if (pair.volume < 1) continue;
    const bool isCap = pair.volume < 300;
    CHECK(2 * pair.ballRadius == Approx(isCap ? 3 : 4).margin(0.05));
    CHECK(pair.depth == Approx(isCap ? 3 : 4).margin(0.25));  // chord errors are subtracted
  }
}

TEST_CASE("verdicts agree with the Booleans, and one that is changed does not", "[importers][verdict]") {
  Fits fits;
  const VerdictComparison before = fits.compared();
  checkAgrees(before);
  CHECK(before.pairs == 4);
  CHECK(before.failedBooleans == 0);
  CHECK(before.clashesWithBall == 2);
  CHECK(before.contacts == 2);

  SECTION("a clash that is called contact") {
    fits.pair("fits/peg:1", "fits/block:1").verdict->verdict = Verdict::contact;
    CHECK(fits.compared().missed.size() == 1);
  }
  SECTION("a clash that is not listed") {
    const PairInterference* const pair = &fits.pair("fits/ball:1", "fits/block:1");
    fits.report.pairs.erase(fits.report.pairs.begin() + (pair - fits.report.pairs.data()));
    CHECK(fits.compared().missed.size() == 1);
  }
  SECTION("a fit that is called clash") {
    fits.pair("fits/peg:1", "fits/plate:1").verdict->verdict = Verdict::clash;
    CHECK(fits.compared().falseClashes.size() == 1);
  }
  SECTION("a clash that is called less deep") {
    fits.pair("fits/peg:1", "fits/block:1").verdict->depth = 3;
    CHECK(fits.compared().tooShallow.size() == 1);
  }
  SECTION("an instance that is elsewhere") {
    fits.overlaps.solids[0].worldBox.max.x += 1;
    CHECK(fits.compared().unmatched.size() == 2);
  }
}

TEST_CASE("verdicts on as1 and the hinge agree with the Booleans", "[importers][verdict]") {
  for (const char* name : {"step/as1-oc-214.stp", "step/13_5_hinge_R_assy.stp"}) {
    const auto file = sharedData(name);
    if (!file) {
      WARN("skipped: " << name << " is absent");
      continue;
    }
    INFO(name);
    const Model model = import(*file);
    const VerdictComparison compared = compareVerdicts(takeBooleanOverlaps(*file), model, judgedPairs(model));
    checkAgrees(compared);
    CHECK(compared.contacts >= 4);
  }
}

TEST_CASE("an output of Booleans that ends early is refused", "[importers]") {
  const std::string solids = "version 7\nsolid 1 0.1 0 0 0 1 1 1\n";
  CHECK(parseBooleanOverlaps(solids + "end\n").solids.size() == 1);
  for (const char* rest :
       {"", "pair 0 1 counts 0 0 0 0 0 0\nend\n", "pair 0 0 counts 0 0\nend\n", "solid 1\n"})
    CHECK_THROWS_AS(parseBooleanOverlaps(solids + rest), std::runtime_error);
}
#endif

}  // namespace boolean_oracle_tests
