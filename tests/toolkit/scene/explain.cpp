#include <fitup/scene/explain.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace explain_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A cube of side 2 at the origin, and another part elsewhere.
struct Scene {
  Assembly assembly{"scene"};
  CollisionModels models;
  NodeId a{}, b{};

  explicit Scene(const Transform& at, const MeshPtr& other = sixSidedBox(2, 2, 2)) {
    a = assembly.addNode("cube", {}, {}, assembly.addPart(sixSidedBox(2, 2, 2)));
    b = assembly.addNode("other", at, {}, assembly.addPart(other));
    models = buildCollisionModels(assembly);
  }
  [[nodiscard]] Explanation explained(const InterferenceOptions& options = {},
                                      std::optional<SurfacePair> surfaces = {}) const {
    return explain(fitup::Scene(assembly, models), {}, {a, b, surfaces, options});
  }
};

}  // namespace

TEST_CASE("an intersecting pair is explained by boxes, candidates and hits", "[scene][explain]") {
  const Scene scene(shift(1.5, 0.25, 0.125));
  const Explanation e = scene.explained();
  CHECK(e.outcome == ExplainedOutcome::intersect);
  CHECK(e.gaps[0] == Approx(-0.5));
  CHECK(e.gaps[1] == Approx(-1.75));
  const Vec3 size = 2 * e.overlapBox.halfExtent();
  CHECK(size.x == Approx(0.5));
  CHECK(size.z == Approx(1.875));
  CHECK(e.surfacePairs == 36);
  CHECK(e.surfaceCandidates > 0);
  CHECK(e.surfaceCandidates < 36);
  const IntersectionReport report =
      intersect({scene.models[0], {}}, {scene.models[1], scene.assembly.worldFromNode(scene.b)});
  CHECK(e.hits == report.trianglePairs.size());
  CHECK(e.hitSurfaces == report.surfacePairs.size());
  CHECK(e.triangleCandidates >= e.hits);
  REQUIRE(e.nearest);
  CHECK(e.nearest->distance == 0);
  CHECK_FALSE(e.verdict);  // neither given nor known
  CHECK(e.closedA);

  InterferenceOptions options;
  options.verdict = VerdictOptions{0.1, true, true};
  const Explanation judged = scene.explained(options);
  REQUIRE(judged.verdict);
  CHECK(judged.verdict->verdict == Verdict::clash);
  CHECK(*judged.verdict->depth == Approx(0.5).epsilon(0.01));
  CHECK(judged.toleranceOrigin == ToleranceOrigin::given);
  options.verdict->tolerance = 0;
  CHECK(scene.explained(options).toleranceOrigin == ToleranceOrigin::rounding);

  // A rule may allow more than the tolerance, and says so; less changes nothing.
  options.verdict->tolerance = 0.1;
  for (const double allowed : {0.05, 0.3, 0.6}) {
    INFO(allowed);
    options.rules.rules = {{.a = "*", .b = "*", .action = RuleAction::allowOverlap, .depth = allowed}};
    const Explanation ruled = scene.explained(options);
    CHECK(ruled.toleranceOrigin == (allowed > 0.1 ? ToleranceOrigin::rule : ToleranceOrigin::given));
    CHECK(ruled.verdict->tolerance == std::max(0.1, allowed));
    CHECK(ruled.verdict->verdict == (allowed > 0.5 ? Verdict::contact : Verdict::clash));
    REQUIRE(ruled.verdict->depth);  // also of the contact
    CHECK(*ruled.verdict->depth == Approx(0.5).epsilon(0.03));
  }
}

TEST_CASE("pairs that were not reported are explained by what parts them", "[scene][explain]") {
  const Explanation far = Scene(shift(1, 5, 0)).explained();
  CHECK(far.outcome == ExplainedOutcome::boxesApart);
  CHECK(far.gaps[1] == Approx(3));
  CHECK(far.overlapBox.empty());
  REQUIRE(far.nearest);
  CHECK(far.nearest->distance == Approx(3));

  // Inside: boxes meet, no surface does.
  InterferenceOptions options;
  options.verdict = VerdictOptions{0.1, true, true};
  const Explanation inside = Scene(shift(0, 0, 0), sixSidedBox(1, 1, 1)).explained(options);
  CHECK(inside.outcome == ExplainedOutcome::surfacesApart);
  CHECK(inside.surfaceCandidates == 0);
  CHECK(inside.verdict->verdict == Verdict::clash);

  // A sphere at a corner: boxes of surfaces meet, triangles do not.
  const Explanation corner = Scene(shift(1.8, 1.8, 1.8), icosphere(1, 2)).explained();
  CHECK(corner.outcome == ExplainedOutcome::trianglesApart);
  CHECK(corner.surfaceCandidates > 0);
  CHECK(corner.hits == 0);
  CHECK(corner.nearest->distance > 0);

  CHECK(Scene(shift(0, 0, 0), emptyMesh()).explained().outcome == ExplainedOutcome::noTriangles);
  // Known chord errors give the tolerance.
  Scene cad(shift(2, 0, 0), withDeflection(sixSidedBox(2, 2, 2), 0.05));
  CHECK_FALSE(cad.explained().verdict);  // known for one part only
}

TEST_CASE("the rule that applies is named", "[scene][explain]") {
  const Scene scene(shift(1.5, 0, 0));
  InterferenceOptions options;
  options.rules.rules = {{"x", "y", "", RuleAction::ignore, 0},
                         {"oth*", "cube", "meant to be", RuleAction::ignore, 0}};
  Explanation e = scene.explained(options);
  CHECK(e.outcome == ExplainedOutcome::ignored);
  CHECK(e.rule == 1U);
  CHECK(e.hits > 0);  // reported anyway
  options.rules.rules[1].action = RuleAction::allowContact;
  e = scene.explained(options);
  CHECK(e.outcome == ExplainedOutcome::intersect);
  CHECK(e.rule == 1U);
  options.rules.check = CheckSets{{"cube"}, {"elsewhere"}};
  e = scene.explained(options);
  CHECK(e.outcome == ExplainedOutcome::unselected);
  CHECK_FALSE(e.selected);
}

TEST_CASE("two surfaces are explained by themselves", "[scene][explain]") {
  const Scene scene(shift(1.5, 0.25, 0.125));
  // +x of the cube passes through -y of the other; -x does not reach it.
  const Explanation hit = scene.explained({}, SurfacePair{SurfaceId{1}, SurfaceId{2}});
  CHECK(hit.outcome == ExplainedOutcome::intersect);
  CHECK(hit.surfacePairs == 1);
  CHECK(hit.hitSurfaces == 1);
  CHECK_FALSE(hit.verdict);
  const Explanation apart = scene.explained({}, SurfacePair{SurfaceId{0}, SurfaceId{2}});
  CHECK(apart.outcome == ExplainedOutcome::boxesApart);
  CHECK(apart.gaps[0] == Approx(1.5));
  CHECK(apart.nearest->distance == Approx(1.5));
  CHECK_THROWS_AS(scene.explained({}, SurfacePair{SurfaceId{6}, SurfaceId{2}}), InputError);
  CHECK_THROWS_AS(explain(fitup::Scene(scene.assembly, scene.models), {}, {scene.a, scene.a, {}, {}}),
                  InputError);
  CHECK_THROWS_AS(explain(fitup::Scene(scene.assembly, scene.models), {}, {scene.a, NodeId{99}, {}, {}}),
                  InputError);
  Assembly grouped = scene.assembly;
  const NodeId group = grouped.addNode("group", {});
  CHECK_THROWS_WITH(explain(fitup::Scene(grouped, scene.models), {}, {group, scene.a, {}, {}}),
                    Catch::Contains("'group': is a subassembly"));
}

}  // namespace explain_tests
