#include <fitup/io/report_document.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/report_build.h>
#include <fitup/io/report_diff.h>
#include <fitup/query/intersection_lines.h>

#include "support/random_assembly.h"
#include "support/sample_report.h"
#include "support/tiny_meshes.h"

namespace report_document_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Model modelOf(Assembly assembly) {
  Model model;
  model.assembly = std::move(assembly);
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  return model;
}

ReportDocument checked(const Model& model, const InterferenceOptions& options = {}) {
  const ReportContext context{"fitup test", "model", "", options};
  return buildReport(context, model, checkAllPairs(sceneOf(model), {}, options));
}

std::set<std::string> idsOf(const ReportDocument& report) {
  std::set<std::string> ids;
  for (const ReportedPair& pair : report.runs.at(0).pairs) {
    ids.insert(pair.id);
    for (const ReportedFinding& finding : pair.findings) ids.insert(finding.id);
  }
  return ids;
}

std::size_t countOf(const ReportDocument& report) {
  std::size_t count = report.runs.at(0).pairs.size();
  for (const ReportedPair& pair : report.runs.at(0).pairs) count += pair.findings.size();
  return count;
}

}  // namespace

TEST_CASE("contact that a rule allows is approved, what is nearer than a rule asks is marked",
          "[io][report]") {
  Assembly assembly("three");
  const auto part = assembly.addPart(box(1, 1, 1));
  const NodeId root = assembly.addNode("three", {});
  for (const auto& [name, x] : {std::pair{"left", 0.0}, {"middle", 1.0}, {"right", 2.5}})
    assembly.addNode(name, Transform::translation({x, 0, 0}), root, part);
  const Model model = modelOf(assembly);
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = 0.01};
  options.rules.rules = {{"*left", "*middle", "glued", RuleAction::allowContact},
                         {"*middle", "*right", "air", RuleAction::clearance, 0.6}};
  const ReportDocument report = checked(model, options);
  REQUIRE(report.runs.at(0).pairs.size() == 2);
  const ReportedPair &glued = report.runs[0].pairs[0], &near = report.runs[0].pairs[1];
  CHECK(glued.assessment.verdict == Verdict::contact);
  CHECK(glued.review == Review{ReviewStatus::approved, "contact allowed by a rule: glued"});
  REQUIRE_FALSE(glued.findings.empty());
  CHECK(glued.findings[0].review == glued.review);
  CHECK(near.assessment.tooNear);
  CHECK(near.assessment.distance.value() == Approx(0.5));
  CHECK(near.review == Review{});
  // As a row of lists: a pair without intersecting surfaces stands for the whole parts.
  const auto gathered = detail::gatherPairs(report);
  REQUIRE(gathered[1].findings.size() == 1);
  CHECK(gathered[1].findings[0].a.ordinal == wholePart);

  options.rules.rules[1].distance = 0.4;
  CHECK(checked(model, options).runs[0].pairs.size() == 1);
}

TEST_CASE("ids are the same at each run, on any number of threads and in any order of files",
          "[io][report]") {
  std::size_t findings = 0;
  for (std::uint64_t seed = 300; seed <= 304; ++seed) {
    const Assembly one = randomAssembly(seed, 12), other = randomAssembly(seed + 50, 12);
    Assembly forward, backward;
    forward.setUnit(one.unit());
    backward.setUnit(one.unit());
    forward.append(one, "one");
    forward.append(other, "other");
    backward.append(other, "other");
    backward.append(one, "one");
    const Model model = modelOf(forward), swapped = modelOf(backward);
    const ReportDocument report = checked(model);
    const auto ids = idsOf(report);
    InterferenceOptions threads;
    threads.threads = 3;
    INFO("seed " << seed);
    CHECK(ids.size() == countOf(report));  // all are different
    CHECK(idsOf(checked(model)) == ids);
    CHECK(idsOf(checked(model, threads)) == ids);
    CHECK(idsOf(checked(swapped)) == ids);
    // A mode that lists less gives it the same name.
    InterferenceOptions first;
    first.request.mode = QueryMode::firstSurfacePair;
    const auto some = idsOf(checked(model, first));
    CHECK(std::includes(ids.begin(), ids.end(), some.begin(), some.end()));
    findings += ids.size();
  }
  CHECK(findings > 300);
}

TEST_CASE("an id depends on paths, ordinals and fingerprints, and not on last bits", "[io][report]") {
  const ReportedSurface a{3, "", "plane", {SurfaceKind::plane, 12.5, {1, 2, 3}}};
  const ReportedSurface b{0, "", "", {SurfaceKind::unknown, 7, {0, 0, 0}}};
  const std::string id = findingId("x/y", a, "z", b);
  CHECK(id.size() == 16);
  CHECK(findingId("z", b, "x/y", a) == id);
  CHECK(findingId("x/z", a, "z", b) != id);
  CHECK(findingId("z", a, "x/y", b) != id);
  ReportedSurface c = a;
  c.name = "renamed";
  c.description = "other words";
  c.fingerprint.area = 12.500000000001;
  c.fingerprint.centroid.z = 3.000000000001;
  CHECK(findingId("x/y", c, "z", b) == id);
  c = a;
  c.ordinal = 4;
  CHECK(findingId("x/y", c, "z", b) != id);
  c = a;
  c.fingerprint.area = 12.6;
  CHECK(findingId("x/y", c, "z", b) != id);
  c = a;
  c.fingerprint.area = 50;  // four times the area is the same number of larger units
  CHECK(findingId("x/y", c, "z", b) != id);
  c = a;
  c.fingerprint.kind = SurfaceKind::cylinder;
  CHECK(findingId("x/y", c, "z", b) != id);
  c = a;
  c.fingerprint.centroid.x = 1.01;
  CHECK(findingId("x/y", c, "z", b) != id);
  CHECK(pairId("a", "b") == pairId("b", "a"));
  CHECK(pairId("a", "b") != pairId("a", "c"));
}

TEST_CASE("a finding's point and box are those of the common parts of its triangles", "[io][report]") {
  std::size_t checkedFindings = 0;
  for (std::uint64_t seed = 320; seed <= 324; ++seed) {
    const Model model = modelOf(randomAssembly(seed, 12));
    const ReportDocument report = checked(model);
    const InterferenceReport raw = checkAllPairs(sceneOf(model));
    REQUIRE(report.runs.at(0).pairs.size() == raw.pairs.size());
    for (std::size_t p = 0; p < raw.pairs.size(); ++p) {
      const PairInterference& pair = raw.pairs[p];
      const auto posed = [&](NodeId node) {
        return PosedModel{model.collisionModels[index(model.assembly.partOf(node))],
                          model.assembly.worldFromNode(node)};
      };
      const PosedModel a = posed(pair.a), b = posed(pair.b);
      const auto lines = intersectionLines(a, b, pair.report);
      for (std::size_t f = 0; f < pair.report.surfacePairs.size(); ++f) {
        const ReportedFinding& finding = report.runs[0].pairs[p].findings[f];
        Box box;
        bool pointIsMiddle = false;
        for (const IntersectionLine& line : lines) {
          const SurfacePair surfaces{a.model->mesh().surfaceOf(line.triangles.a),
                                     b.model->mesh().surfaceOf(line.triangles.b)};
          if (surfaces != pair.report.surfacePairs[f]) continue;
          Vec3 sum;
          for (const Vec3& corner : line.common.corners()) {
            box.extend(corner);
            sum = sum + corner;
          }
          pointIsMiddle = pointIsMiddle || finding.assessment.point == sum * (1.0 / line.common.count);
        }
        REQUIRE(finding.extent);
        CHECK((finding.extent->min == box.min && finding.extent->max == box.max));
        CHECK(pointIsMiddle);
        ++checkedFindings;
      }
    }
  }
  CHECK(checkedFindings > 50);
}

TEST_CASE("points of a replay are where the parts are at the step", "[io][report]") {
  Assembly assembly;
  const PartId cube = assembly.addPart(sixSidedBox(1, 1, 1));
  assembly.addNode("rests", {}, {}, cube);
  assembly.addNode("moves", Transform::translation({10, 0, 0}), {}, cube);
  const Model model = modelOf(std::move(assembly));
  const Track track{.moved = {"moves"},
                    .steps = {{{{}, {0, 0, 0}}}, {{{}, {-9.25, 0.5, 0.5}}}, {{{}, {-9.25, -0.5, -0.5}}}}};
  const ReplayReport replayed = replay(sceneOf(model), {}, track, {});
  const ReportDocument report = buildReport({"fitup test", "model", "track", {}, &track}, model, replayed);
  CHECK(report.moved == track.moved);
  REQUIRE(report.runs.size() == 3);
  CHECK_FALSE(report.runs[0].intersects());
  for (std::size_t step : {1U, 2U}) {
    REQUIRE(report.runs[step].pairs.size() == 1);
    const double sign = step == 1 ? 1 : -1;
    for (const ReportedFinding& finding : report.runs[step].pairs[0].findings) {
      REQUIRE(finding.extent);
      CHECK(finding.extent->min.x >= 0.25 - 1e-9);
      CHECK(finding.extent->max.x <= 0.5 + 1e-9);
      CHECK(sign * finding.extent->min.y >= -1e-9);
      CHECK(sign * finding.extent->max.z >= -1e-9);
    }
  }
}

TEST_CASE("verdicts are reported of pairs and of their findings", "[io][report]") {
  const auto cubeIn = [](double size, const Vec3& at) {
    Assembly assembly;
    assembly.addNode("large", {}, {}, assembly.addPart(sixSidedBox(4, 4, 4)));
    assembly.addNode("other", Transform::translation(at), {},
                     assembly.addPart(sixSidedBox(size, size, size)));
    return modelOf(std::move(assembly));
  };
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = 0.1};
  options.rules.rules = {{"*", "*", "press fit", RuleAction::allowContact}};

  // Half a unit of the small cube is inside the large one.
  const ReportDocument pressed = checked(cubeIn(1, {2, 0.2, 0.3}), options);
  REQUIRE(pressed.runs[0].pairs.size() == 1);
  const ReportedPair& pair = pressed.runs[0].pairs[0];
  CHECK(pair.assessment.verdict == Verdict::clash);
  CHECK(pair.assessment.tolerance == 0.1);
  CHECK(*pair.assessment.depth == Approx(0.5).epsilon(0.02));
  CHECK(pair.rule == 0U);
  REQUIRE(pair.findings.size() == 4);  // the large cube's side against four of the small one
  for (const ReportedFinding& finding : pair.findings) {
    CHECK(finding.assessment.verdict == Verdict::clash);
    CHECK(finding.assessment.depth == pair.assessment.depth);
    CHECK(finding.region == 0U);
    REQUIRE(finding.assessment.direction);
    CHECK(norm(*finding.assessment.direction) == Approx(1));
  }

  // Face to face.
  const ReportDocument mated = checked(cubeIn(1, {2.5, 0, 0}), options);
  REQUIRE(mated.runs[0].pairs.size() == 1);
  CHECK(mated.runs[0].pairs[0].assessment.verdict == Verdict::contact);
  for (const ReportedFinding& finding : mated.runs[0].pairs[0].findings) {
    CHECK(finding.assessment.verdict == Verdict::contact);
    CHECK_FALSE(finding.assessment.depth);
  }

  // Wholly inside: no surfaces intersect, but it is a finding to list and to compare.
  const ReportDocument inside = checked(cubeIn(1, {0.5, 0, 0}), options);
  REQUIRE(inside.runs[0].pairs.size() == 1);
  CHECK(inside.runs[0].pairs[0].assessment.verdict == Verdict::clash);
  CHECK(inside.runs[0].pairs[0].findings.empty());
  CHECK_FALSE(inside.intersects());
  const auto gathered = detail::gatherPairs(inside);
  REQUIRE(gathered.at(0).findings.size() == 1);
  CHECK(gathered[0].findings[0].id == pairId("large", "other"));
  CHECK(faceText(gathered[0].findings[0].a) == "the whole part");
  ReportDocument nothing = inside;
  nothing.runs[0].pairs.clear();
  CHECK(compareReports(nothing, inside).isNew == 1);
  CHECK(compareReports(inside, nothing).gone == 1);
  ReportDocument reviewed = inside;
  reviewed.runs[0].pairs[0].review = {ReviewStatus::approved, "an insert"};
  const ReportComparison comparison = compareReports(reviewed, inside);
  CHECK(comparison.unchanged == 1);
  CHECK(comparison.carriedOver.runs[0].pairs[0].review == Review{ReviewStatus::approved, "an insert"});
}

TEST_CASE("of a replay the nearest step counts where nothing meets", "[io][report]") {
  ReportDocument report = emptyCheck();
  report.kind = ReportKind::replay;
  report.runs.clear();
  for (const double distance : {0.9, 0.1, 0.5}) {
    ReportedRun& run = report.runs.emplace_back();
    run.step = report.runs.size() - 1;
    ReportedPair& pair = run.pairs.emplace_back();
    pair.a = "a";
    pair.b = "b";
    pair.id = pairId("a", "b");
    pair.assessment = {.distance = distance, .tooNear = true};
  }
  std::unordered_map<std::string, std::size_t> worstSteps;
  const auto gathered = detail::gatherPairs(report, &worstSteps);
  REQUIRE(gathered.size() == 1);
  CHECK(gathered[0].assessment.distance == 0.1);
  CHECK(gathered[0].findings.at(0).assessment.distance == 0.1);
  CHECK(gathered[0].findings[0].steps == std::vector<std::size_t>{0, 1, 2});
  CHECK(worstSteps.at(gathered[0].id) == 1);
}

TEST_CASE("a report says what later ones need to tell gone from not looked at", "[io][report]") {
  TriangleMeshBuilder plain("plain"), coarse("coarse");
  for (TriangleMeshBuilder* builder : {&plain, &coarse}) {
    for (const Vec3& p : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}}) builder->addPoint(p);
    builder->beginSurface();
    builder->addTriangle(0, 1, 2);
  }
  plain.setDeflection({0.1, 0.5});
  coarse.setDeflection({0.25, 0.5});
  Assembly assembly;
  const PartId one = assembly.addPart(std::make_shared<const TriangleMesh>(plain.build()));
  assembly.addNode("first", {}, {}, one);
  assembly.addNode("second", Transform::translation({9, 0, 0}), {}, one);
  assembly.addNode("third", Transform::translation({0, 0, 9}), {},
                   assembly.addPart(std::make_shared<const TriangleMesh>(coarse.build())));
  Model model = modelOf(std::move(assembly));
  const auto built = [&](const InterferenceOptions& options, const Track* track = nullptr) {
    ReportContext context{"fitup test", "model", "track", options};
    context.track = track;
    return track == nullptr ? buildReport(context, model, InterferenceReport{})
                            : buildReport(context, model, ReplayReport{});
  };
  InterferenceOptions options;
  CHECK(built(options).model.ownTolerances.empty());
  options.verdict.emplace();
  CHECK(built(options).model.ownTolerances == std::vector<double>{0.2, 0.2, 0.5});
  options.verdict->tolerance = 0.1;
  CHECK(built(options).model.ownTolerances.empty());
  // Which instances lack geometry.
  CHECK_FALSE(built({}).model.incomplete);
  model.warnings = {{"plain: face 3", "could not be tessellated; it is missing", true},
                    {"coarse: face 1", "is odd", false}};
  CHECK(built({}).model.incomplete == std::vector<std::string>{"first", "second"});
  model.warnings.push_back({"part 'coarse'", "is deformed", true});
  CHECK(built({}).model.incomplete == std::vector<std::string>{"first", "second", "third"});
  model.warnings.push_back({"file", "is cut off", true});
  CHECK_FALSE(built({}).model.incomplete);
  // The motion, in any order of its paths.
  const RigidMotion here{}, there{{}, {1, 2, 3}};
  const Track track{.moved = {"first", "third"}, .steps = {{here, there}, {there, here}}};
  Track same{.moved = {"third", "first"}, .steps = {{there, here}, {here, there}}}, other = track;
  other.steps[1][0].translation.x += 1;
  const auto hash = built({}, &track).trackHash;
  REQUIRE(hash);
  CHECK(built({}, &same).trackHash == hash);
  CHECK(built({}, &other).trackHash != hash);
  other = track;
  other.steps.pop_back();
  CHECK(built({}, &other).trackHash != hash);
  CHECK_FALSE(built({}).trackHash);
  // Checks that end at the first pair of parts search for one pair of surfaces.
  options = {};
  CHECK(built(options).request.mode == "triangles");
  options.stopAtFirstPair = true;
  CHECK(built(options).request.mode == "first");
}

TEST_CASE("a report says what does not stand as the file has it", "[io][report]") {
  const Model model = modelOf(randomAssembly(3, 6));
  const Scene scene = sceneOf(model);
  CHECK(checked(model).model.placed.empty());
  const NodeId moved = scene.instances()[2], still = scene.instances()[3];
  const Transform world = Transform::translation({1, 2, 3}) * scene.designPlacement(moved);
  ReportContext context{"fitup test", "model", "", {}};
  context.poses = {{moved, world}, {still, scene.designPlacement(still)}};
  const ReportDocument report = buildReport(context, model, checkAllPairs(scene, context.poses));
  CHECK(report.model.hash == model.assembly.contentHash());
  REQUIRE(report.model.placed.size() == 1);
  CHECK(report.model.placed[0] == ReportedPlacement{model.assembly.path(moved), world});
}

}  // namespace report_document_tests
