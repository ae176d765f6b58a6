// Clearances that rules demand, of round parts whose exact distance is known.
#include <catch2/catch.hpp>

#include <fitup/scene/explain.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/verify.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace judge_clearance_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Two pins side by side, `gap` apart, and the clearance that their rule demands.
struct Pins {
  Assembly assembly{"pins"};
  double error = 0;
  InterferenceOptions options;

  Pins(std::uint32_t segments, double turn, double gap, double clearance, bool isExact)
      : error(sagitta(1, segments)) {
    const MeshPtr mesh = withDeflection(cylinder(1, 3, segments), error);
    for (const double x : {0.0, 2 + gap})
      assembly.addNode(x > 0 ? "right" : "left",
                       Transform::translation({x, 0, 0}) * Transform::rotation({0, 0, 1}, turn + x), {},
                       assembly.addPart(mesh));
    Rule rule;
    rule.a = "left";
    rule.b = "right";
    rule.action = RuleAction::clearance;
    rule.distance = clearance;
    options.rules.rules.push_back(rule);
    options.verdict = VerdictOptions{.exactShapes = isExact};
    if (isExact) options.verdict->tolerance = 1e-3;
  }
  [[nodiscard]] Scene scene() const { return Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)); }
  [[nodiscard]] InterferenceReport check() const {
    InterferenceReport report = checkAllPairs(scene(), {}, options);
    CHECK(verifyAllPairs(scene(), {}, options, report).differences.empty());
    return report;
  }
};

}  // namespace

TEST_CASE("a clearance is kept, violated, or open because of chord errors", "[scene][clearance][exact]") {
  Random random(5);
  int open = 0, near = 0, kept = 0;
  for (int i = 0; i < 60; ++i) {
    const auto segments = static_cast<std::uint32_t>(random.integer(10, 40));
    const double gap = random.between(0.2, 1), off = random.between(-4, 8) * sagitta(1, segments);
    if (gap + off <= 0.05) continue;
    const Pins pins(segments, random.between(0, 6), gap, gap + off, true);
    const InterferenceReport report = pins.check();
    CAPTURE(i, segments, gap, off, pins.error);
    const PairInterference* pair = report.pairs.empty() ? nullptr : &report.pairs.front();
    if (pair != nullptr && pair->is(Verdict::undecided)) {
      ++open;
      // The triangles are up to two chord errors farther apart than the pins, and known to as much.
      CHECK(off >= -2 * pins.error - 1e-6);
      CHECK(off <= 4 * pins.error + 1e-6);
      CHECK_FALSE(pair->tooNear);
      CHECK(pair->severity() == Severity::undecided);
      CHECK_FALSE(report.isDecided());
      CHECK_THAT(pair->verdict->undecidedBecause, Catch::Contains("the clearance of the rule"));
      REQUIRE(pair->verdict->distance);
      CHECK(std::abs(*pair->verdict->distance - gap) <= pair->verdict->chordError + 1e-6);
    } else if (pair != nullptr && pair->tooNear) {
      ++near;
      CHECK(off > 0);
      CHECK(std::abs(pair->tooNear->distance - gap) <= pair->tooNearError.bound() + 1e-6);
      CHECK(pair->assessment().chordError > 0);
    } else {
      ++kept;
      CHECK(off < 1e-6);
    }
    // It is explained as it is reported.
    const Explanation explanation = explain(
        pins.scene(), {}, {pins.scene().instances()[0], pins.scene().instances()[1], {}, pins.options});
    CHECK(explanation.tooNear == (pair != nullptr && pair->tooNear));
    CHECK(explanation.clearanceIsOpen == (pair != nullptr && pair->is(Verdict::undecided)));
    CHECK(explanation.nearestError.chordError.value_or(0) > 0);
  }
  CHECK(open > 5);
  CHECK(near > 5);
  CHECK(kept > 5);
}

TEST_CASE("clearances of triangles come with the bound of the exact shapes", "[scene][clearance][exact]") {
  const Pins pins(6, 0.5, 0.3, 0.9, false);
  const InterferenceReport report = pins.check();
  REQUIRE(report.pairs.size() == 1);
  REQUIRE(report.pairs.front().tooNear);
  CHECK(report.isDecided());
  CHECK(std::abs(report.pairs.front().tooNear->distance - 0.3) <= report.pairs.front().tooNearError.bound());
  CHECK(report.pairs.front().assessment().rounding > 0);
}

TEST_CASE("a clash stays one whatever its clearance", "[scene][clearance][exact]") {
  const Pins pins(12, 0.1, -0.5, 0.1, true);
  const InterferenceReport report = pins.check();
  REQUIRE(report.pairs.size() == 1);
  CHECK(report.pairs.front().severity() == Severity::clash);
  // A clearance of nothing is always kept.
  const Pins none(12, 0.1, 0.1, 0, true);
  CHECK(none.check().pairs.empty());
}

}  // namespace judge_clearance_tests
