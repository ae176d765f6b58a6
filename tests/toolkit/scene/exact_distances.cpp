// Distances of the exact shapes of instances, and tolerances that come from the faces near each other.
#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/query/nearness.h>
#include <fitup/scene/clearance.h>
#include <fitup/scene/explain.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/verify.h>

#include "support/interference_checks.h"
#include "support/revolved_part.h"

namespace exact_distances_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Three balls of radius 10 along x, 0.3 and 0.05 apart.
RevolvedScene threeBalls(double error) {
  RevolvedScene balls;
  balls.add("left", ball(10), error, {}, 0.2);
  balls.add("middle", ball(10), error, Transform::translation({20.3, 0, 0}), 0.7);
  balls.add("right", ball(10), error, Transform::translation({40.35, 0, 0}));
  return balls;
}

}  // namespace

TEST_CASE("the least distance of exact shapes, and the pairs within one", "[scene][clearance][exact]") {
  for (const double error : {0.02, 0.2, 1.0}) {
    const RevolvedScene balls = threeBalls(error);
    const Scene scene = balls.scene();
    const NodeId left = balls.assembly.at("left"), middle = balls.assembly.at("middle"),
                 right = balls.assembly.at("right");
    const std::optional<ExactDistances> exact = ExactDistances{0.001};
    const ClearanceReport least =
        minimumDistance(scene, {}, std::array{left, right}, std::array{middle}, {}, {}, exact);
    CAPTURE(error);
    REQUIRE(least.pairs.size() == 1);
    CHECK(least.pairs[0].a == right);
    CHECK(*least.pairs[0].chordError <= 0.001);
    CHECK(std::abs(least.pairs[0].nearest.distance - 0.05) <= 0.001 + 1e-5);
    CHECK(least.status == ReportStatus::complete);
    // By their triangles, the balls are farther apart.
    CHECK(pairsWithin(scene, {}, 0.2, ClearanceDetail::instances, {}, {}, exact).pairs.size() == 1);
    const auto both = pairsWithin(scene, {}, 0.31, ClearanceDetail::instances, {}, {}, exact);
    REQUIRE(both.pairs.size() == 2);
    CHECK(std::abs(both.pairs[0].nearest.distance - 0.3) <= *both.pairs[0].chordError + 1e-5);
    CHECK(pairsWithin(scene, {}, std::array{left}, std::array{right}, 0.31, ClearanceDetail::instances, {},
                      {}, exact)
              .pairs.empty());
    CHECK_THROWS_AS(pairsWithin(scene, {}, 0.3, ClearanceDetail::surfaces, {}, {}, exact), InputError);
  }
}

TEST_CASE("clearances that chord errors leave open are measured on the exact shapes",
          "[scene][clearance][exact]") {
  for (const double error : {0.02, 0.3}) {
    const RevolvedScene balls = threeBalls(error);
    const Scene scene = balls.scene();
    const auto check = [&](double clearance, bool refine) {
      InterferenceOptions options;
      Rule rule;
      rule.a = "left";
      rule.b = "middle";
      rule.action = RuleAction::clearance;
      rule.distance = clearance;
      options.rules.rules.push_back(rule);
      options.verdict = VerdictOptions{.tolerance = 0.001, .exactShapes = true, .refine = refine};
      const InterferenceReport report = checkAllPairs(scene, {}, options);
      CHECK(verifyAllPairs(scene, {}, options, report).differences.empty());
      return report;
    };
    CAPTURE(error);
    CHECK(check(0.2995, true).pairs.empty());
    CHECK(check(0.2995, true).isDecided());
    const InterferenceReport violated = check(0.3005, true);
    REQUIRE(violated.pairs.size() == 1);
    REQUIRE(violated.pairs[0].tooNear);
    CHECK(std::abs(violated.pairs[0].tooNear->distance - 0.3) <= violated.pairs[0].tooNearError.bound());
    CHECK_FALSE(check(0.3005, false).isDecided());
  }
}

namespace {

/// A box with exact faces below and a coarse dome on top stands 0.05 deep in a plate.
struct DomedBox {
  static constexpr double dome = 0.2;  ///< the chord error of the parts
  DomedBox() {
    TriangleMesh::Data data =
        RevolvedPart{{0, 0}, {{{10, 0}}, {{10, 20}}, {{0, 30}, ProfilePoint{0, 20}}}}.mesh(dome).data();
    // As if the lower edges were straight.
    data.surfaces[0].chordError = data.surfaces[1].chordError = 0;
    upper =
        parts.assembly.addNode("upper", Transform::translation({0, 0, -0.05}), {},
                               parts.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(data))));
    TriangleMesh::Data plate = shaft(30, -10, 0).mesh(dome).data();
    plate.surfaces[0].chordError = plate.surfaces[2].chordError = 0;
    lower = parts.assembly.addNode(
        "lower", {}, {}, parts.assembly.addPart(std::make_shared<const TriangleMesh>(std::move(plate))));
  }
  [[nodiscard]] static InterferenceOptions options(bool ofFaces) {
    InterferenceOptions options;
    options.verdict = VerdictOptions{.tolerancesOfFaces = ofFaces};
    return options;
  }

  RevolvedScene parts;
  NodeId upper{}, lower{};
};

}  // namespace

TEST_CASE("without a tolerance, that of a pair comes from the faces near each other", "[scene][exact]") {
  const DomedBox box;
  const double dome = DomedBox::dome;
  const NodeId upper = box.upper, lower = box.lower;
  const Scene scene = box.parts.scene();
  const auto check = [&](bool ofFaces) {
    const InterferenceReport report = checkAllPairs(scene, {}, DomedBox::options(ofFaces));
    REQUIRE(report.pairs.size() == 1);
    return *report.pairs[0].verdict;
  };
  CHECK(check(false).verdict == Verdict::contact);
  CHECK(check(false).tolerance >= 2 * dome);
  const VerdictReport found = check(true);
  CHECK(found.verdict == Verdict::clash);
  CHECK(*found.depth == Approx(0.05).margin(1e-4));
  CHECK(found.tolerance < 0.002);
  CHECK(found.tolerance > 1e-4);  // positions have no more digits
  ExplainQuestion question{.a = lower, .b = upper};
  question.options.verdict = VerdictOptions{.tolerancesOfFaces = true};
  const Explanation explanation = explain(scene, {}, question);
  CHECK(explanation.toleranceOrigin == ToleranceOrigin::faces);
  CHECK(explanation.verdict->verdict == Verdict::clash);
  CHECK(explanation.verdict->tolerance == found.tolerance);
}

TEST_CASE("a live check uses the tolerances of faces once it catches up", "[scene][live][exact]") {
  const DomedBox box;
  const Scene scene = box.parts.scene();
  LiveInterference live(scene, {}, DomedBox::options(true), {}, JudgeExactShapes::onCatchUp);
  CHECK(differenceOfWhole(live.report(), checkAllPairs(scene, {}, DomedBox::options(false))) == "");
  CHECK(live.report().count(Verdict::contact) == 1);
  CHECK(live.pairsOfTriangles() == 1);
  CHECK(differenceOfWhole(live.catchUp(), checkAllPairs(scene, {}, DomedBox::options(true))) == "");
  CHECK(live.report().count(Verdict::clash) == 1);
  CHECK(live.pairsOfTriangles() == 0);
  Poses poses;
  poses.set(box.upper, Transform::translation({1, 0, -0.05}));
  CHECK(live.moveTo(poses).count(Verdict::contact) == 1);
  CHECK(differenceOfWhole(live.catchUp(), checkAllPairs(scene, poses, DomedBox::options(true))) == "");
}

TEST_CASE("tolerances of faces cover their own chord errors", "[scene][exact]") {
  QueryContext context;
  for (const double error : {0.02, 0.2}) {
    const PosedSolid pin{shaft(10, -5, 35).solid(error, 0.1), {}},
        bore{bushing(10, 20, 0, 30).solid(error), {}};
    const double tolerance = toleranceOfFaces(pin, bore, {}, context);
    CHECK(tolerance <= defaultTolerance(pin, bore));
    CHECK(tolerance >= 2 * error / 2);
    CHECK(verdict(pin, bore, {.tolerance = tolerance}, context).verdict == Verdict::contact);
  }
}

}  // namespace exact_distances_tests
