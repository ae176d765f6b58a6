#include <fitup/scene/verify.h>

#include <catch2/catch.hpp>
#include <stop_token>

#include <fitup/io/reproduction_file.h>

#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace verify_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Scene {
  Assembly assembly{"scene"};
  CollisionModels models;
};

Scene makeScene(std::uint64_t seed) {
  Scene scene;
  Random random(seed);
  const PartId parts[] = {
      scene.assembly.addPart(icosphere(0.5, 2)), scene.assembly.addPart(sixSidedBox(0.8, 0.7, 0.6, 3)),
      scene.assembly.addPart(uvSphere(0.4, 12, 8, 4)), scene.assembly.addPart(emptyMesh())};
  for (int k = 0; k < 9; ++k)
    scene.assembly.addNode("part",
                           randomPlacement(k == 1   ? PlacementClass::mirrored
                                           : k == 2 ? PlacementClass::scaled
                                                    : PlacementClass::rigid,
                                           random, 0.9),
                           {}, parts[random.below(4)]);
  scene.models = buildCollisionModels(scene.assembly);
  return scene;
}

}  // namespace

TEST_CASE("whole checks agree with the oracle", "[scene][verify]") {
  std::size_t asked = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    for (const QueryMode mode :
         {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
      const Scene scene = makeScene(seed);
      InterferenceOptions options;
      options.request.mode = mode;
      options.stopAtFirstPair = mode == QueryMode::firstSurfacePair && seed % 2 == 0;
      if (mode == QueryMode::allSurfacePairs)
        options.rules.rules = {{"part#1", "*", "left out", RuleAction::ignore, 0}};
      if (mode == QueryMode::allTrianglePairs) options.verdict = VerdictOptions{0.01, true, seed % 2 == 0};
      const InterferenceReport report =
          checkAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options);
      for (const std::uint64_t most : {largestBruteForce, std::uint64_t{0}}) {
        VerifyOptions verify;
        verify.bruteForceUpTo = most;
        const VerificationReport found =
            verifyAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options, report, verify);
        INFO("seed " << seed << " " << name(mode)
                     << (found.differences.empty() ? "" : found.differences[0].discrepancy.problem));
        CHECK(found.differences.empty());
        CHECK(found.status == ReportStatus::complete);
        CHECK((most == 0 ? found.bruteForcePairs : found.sweptPairs) == 0);
        asked += found.bruteForcePairs + found.sweptPairs;
      }
    }
  CHECK(asked > 100);
}

TEST_CASE("a check that loses a pair of instances is found out, and its reproduction written",
          "[scene][verify]") {
  const Scene scene = makeScene(3);
  const InterferenceOptions options;
  InterferenceReport report = checkAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options);
  REQUIRE(report.pairs.size() > 2);
  const NodeId a = report.pairs[1].a, b = report.pairs[1].b;
  report.pairs.erase(report.pairs.begin() + 1);
  VerifyOptions verify;
  // The loss is repeated: a query that finds nothing.
  verify.query = [](const PosedModel&, const PosedModel&, const IntersectionRequest&) {
    return IntersectionReport{};
  };
  VerificationReport found =
      verifyAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options, report, verify);
  REQUIRE(found.differences.size() == 1);
  CHECK(found.status == ReportStatus::truncated);
  const PairDifference& difference = found.differences.front();
  CHECK(difference.a == a);
  CHECK(difference.b == b);
  CHECK(difference.question == "intersection");
  const Reproduction& r = difference.reproduction;
  CHECK(r.first->triangleCount() == 1);
  CHECK(r.second->triangleCount() == 1);

  const TemporaryFolder folder;
  const auto files = writeReproduction(
      folder / "found", r,
      {"fitup", "intersection", "scene.fitup", "part#1", "part#2", "mm", "fitup check {} --verify"});
  REQUIRE(files.size() == 2);
  const Model read = readModelFile(files[0]);
  REQUIRE(read.assembly.instances().size() == 2);
  const NodeId readA = read.assembly.at("a"), readB = read.assembly.at("b");
  CHECK(read.assembly.worldFromNode(readA) == r.worldFromFirst);
  CHECK(read.assembly.worldFromNode(readB) == r.worldFromSecond);
  // The file shows it: these two do intersect.
  CHECK(checkAllPairs(sceneOf(read), {}, options).pairs.size() == 1);
  const std::string text = readText(files[1]);
  for (const char* piece : {"missed", "fitup check found.fitup --verify", "part#1", "0x"})
    CHECK(text.find(piece) != std::string::npos);

  // An answer that is wrong only once is reported as such.
  verify.query = {};
  found = verifyAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options, report, verify);
  REQUIRE(found.differences.size() == 1);
  CHECK_FALSE(found.differences.front().reproduction.comesBack);
}

TEST_CASE("pairs that a rule leaves out must not be reported, a cancel is a status", "[scene][verify]") {
  const Scene scene = makeScene(3);
  InterferenceOptions options;
  const InterferenceReport report = checkAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options);
  options.rules.rules = {{"*", "*", "", RuleAction::ignore, 0}};
  const VerificationReport found =
      verifyAllPairs(fitup::Scene(scene.assembly, scene.models), {}, options, report);
  REQUIRE(found.differences.size() == 1);
  CHECK(found.differences[0].discrepancy.problem.find("rules") != std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  CHECK(verifyAllPairs(fitup::Scene(scene.assembly, scene.models), {}, {}, report, {},
                       Progress(stop.get_token()))
            .status == ReportStatus::cancelled);
}

TEST_CASE("distances between instances agree with the oracle, and wrong ones are found", "[scene][verify]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Scene scene = makeScene(seed);
    const auto verified = [&](const ClearanceQuestion& question, const ClearanceReport& answer) {
      const VerificationReport found =
          verifyClearance(fitup::Scene(scene.assembly, scene.models), {}, question, answer);
      return found.differences.empty() ? std::string() : found.differences[0].discrepancy.problem;
    };
    for (const ClearanceDetail detail : {ClearanceDetail::instances, ClearanceDetail::surfaces}) {
      ClearanceQuestion question;
      question.listWithin = 0.2;
      question.detail = detail;
      ClearanceReport answer = pairsWithin(fitup::Scene(scene.assembly, scene.models), {}, 0.2, detail);
      REQUIRE(answer.pairs.size() > 1);
      CHECK(verified(question, answer) == "");
      answer.pairs.erase(answer.pairs.begin());
      CHECK(verified(question, answer) != "");
    }
    const std::vector<NodeId> all = scene.assembly.instances();
    ClearanceQuestion question;
    question.first = {all[0], all[1]};
    question.second = {all.begin() + 2, all.end()};
    ClearanceReport answer =
        minimumDistance(fitup::Scene(scene.assembly, scene.models), {}, question.first, question.second);
    CHECK(verified(question, answer) == "");
    if (answer.pairs.empty()) continue;
    answer.pairs.clear();
    CHECK(verified(question, answer) != "");
  }
}

}  // namespace verify_tests
