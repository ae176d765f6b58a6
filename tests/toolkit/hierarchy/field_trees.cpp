// Tests the field's systems: every configuration against brute force and the others.
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/motion/replay.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>
#include <fitup_field/field_kinds.h>
#include <models/placements.h>
#include <models/process_plant.h>
#include <models/torus.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace field_trees_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr QueryMode modes[] = {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs,
                               QueryMode::allTrianglePairs};
constexpr BoxTest boxTests[] = {BoxTest::usual, BoxTest::full, BoxTest::lite, BoxTest::aligned};

/// A way to build a tree of a kind.
struct Configuration {
  std::string name;
  HierarchyKind kind;
  BuildOptions build;
};

BuildOptions bare() {
  BuildOptions options;
  options.wide.reset();
  return options;
}

std::vector<Configuration> configurations(BoxTest boxTest = BoxTest::usual) {
  std::vector<Configuration> all;
  const auto add = [&](std::string what, HierarchyKind kind, ResearchOptions options) {
    options.boxTest = boxTest;
    what += ", box test " + std::string(name(boxTest));
    all.push_back({std::string(name(kind)) + what, kind, bare()});
    field::add(all.back().build, kind, options);
  };
  for (const AabbSplit split : {AabbSplit::middle, AabbSplit::balanced, AabbSplit::halfBalanced})
    add(", split " + std::to_string(int(split)), field::aabb, {.split = split});
  for (const ObbAxes axes : {ObbAxes::convexHull, ObbAxes::triangles, ObbAxes::identity})
    add(", axes " + std::to_string(int(axes)), field::obb, {.axes = axes});
  for (const bool withLeaves : {true, false})
    for (const HierarchyKind kind : {field::opcode, field::opcodeQuantized})
      add(withLeaves ? ", with leaves" : "", kind, {.withLeaves = withLeaves});
  for (const bool longest : {false, true})
    add(longest ? ", longest axis" : "", field::box, {.longestAxisOnly = longest});
  for (const DopKind k : {DopKind::dop18, DopKind::dop24})
    add(k == DopKind::dop18 ? ", 18" : ", 24", field::dop, {.k = k});
  return all;
}

/// Compares every configuration, mode and box test with all pairs of another hierarchy or of brute force.
std::string problemInTrees(const MeshPtr& a, const Transform& p, const MeshPtr& b, const Transform& q,
                           const IntersectionReport& all, bool everyBoxTest = true) {
  QueryContext context;
  for (const BoxTest test : boxTests) {
    if (!everyBoxTest && test != BoxTest::usual) continue;
    for (const Configuration& c : configurations(test)) {
      const ModelPtr first = modelOf(a, c.build), second = modelOf(b, c.build);
      for (const QueryMode mode : modes) {
        const IntersectionRequest request{.mode = mode, .hierarchy = c.kind};
        const IntersectionReport report = intersect({first, p}, {second, q}, request, context);
        std::string problem = problemOf(report, mode, all, *a, *b);
        const IntersectionReport exchanged = intersect({second, q}, {first, p}, request, context);
        if (problem.empty() && !sameAnswer(exchanged, report.swapped())) problem = "exchanged: other report";
        if (problem.empty() && !(exchanged.stats == report.stats)) problem = "exchanged: other statistics";
        if (!problem.empty()) return c.name + ", " + std::string(name(mode)) + ": " + problem;
      }
    }
  }
  return {};
}

std::string problemOfTrees(const MeshPtr& mesh) {
  for (const Configuration& c : configurations())
    if (const auto problem = modelOf(mesh, c.build)->tree(c.kind).problemFor(*mesh))
      return c.name + ": " + *problem;
  return {};
}

double bytesPerTriangle(const MeshPtr& mesh, HierarchyKind kind, BuildOptions options = bare()) {
  options.add(kind);
  return double(modelOf(mesh, options)->hierarchyBytes(kind)) / double(mesh->triangleCount());
}

}  // namespace

TEST_CASE("every kind is registered once", "[hierarchy][trees]") {
  for (const HierarchyKind kind : field::allHierarchyKinds()) {
    CHECK(field::hierarchyKindFromName(name(kind)) == kind);
    const auto all = field::allHierarchyKinds();
    CHECK(std::count(all.begin(), all.end(), kind) == 1);
    BuildOptions options = bare();
    options.add(kind);
    const MeshPtr mesh = soup(20, 1, 0.5);
    const ModelPtr model = modelOf(mesh, options);
    CHECK(model->has(kind));
    CHECK(model->tree(kind).kind() == kind);
    CHECK_FALSE(model->tree(kind).problemFor(*mesh));
    CHECK(model->kinds() == std::vector{kind});
    CHECK(model->hierarchyBytes(kind) > 0);
    const ModelPtr without = modelOf(mesh, bare());
    CHECK_FALSE(without->has(kind));
    CHECK_THROWS_AS(intersect({without, {}}, {model, {}}, {.hierarchy = kind}), NotBuiltError);
    // Added later, it is the same; nothing is built if nothing is missing.
    const ModelPtr later = CollisionModel::with(without, options);
    CHECK(later->has(kind));
    CHECK(later->sharedMesh() == mesh);
    CHECK(CollisionModel::with(later, options) == later);
    CHECK(sameAnswer(intersect({later, {}}, {model, {}}, {.hierarchy = kind}),
                     bruteForce({later, {}}, {model, {}})));
  }
}

TEST_CASE("trees of the field are well formed", "[hierarchy][trees]") {
  for (std::uint32_t n = 0; n <= 100; n += n < 20 ? 1 : effort(9, 1)) {
    INFO("triangles " << n);
    REQUIRE(problemOfTrees(soup(n, n, 0.4, 1 + n % 7)) == "");
    REQUIRE(problemOfTrees(latticeSoup(n, n, 2, 1 + n % 11)) == "");
  }
  for (const MeshPtr& mesh :
       {tetrahedron(2), box(1, 2, 3), sixSidedBox(2, 2, 2, 9), icosphere(1, 3), cylinder(1, 2, 333),
        sliverFan(500, 5, 1e-5), degenerateSet(), flatSheet(20, 30), lShape(3, 1), soup(1000, 1, 0.1, 40),
        latticeSoup(1000, 2, 3, 40)}) {
    INFO(mesh->name());
    CHECK(problemOfTrees(mesh) == "");
    CHECK(problemOfTrees(transformed(mesh, Transform::rotation({1, 2, 3}, 1))) == "");
    CHECK(problemOfTrees(transformed(mesh, Transform::translation({1e7, 3, -40}))) == "");
    for (const double s : {0x1p-97, 0x1p60, 0x1p90})
      CHECK(problemOfTrees(transformed(mesh, Transform::scaling(s, s, s))) == "");
  }
  const Triangle one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  CHECK(problemOfTrees(fromTriangles("pile", std::vector<Triangle>(700, one), 3)) == "");
  CHECK(problemOfTrees(fromTriangles("points", std::vector<Triangle>(300))) == "");
}

TEST_CASE("a tree of other triangles is no tree of a mesh", "[hierarchy][trees]") {
  const MeshPtr mesh = soup(40, 5, 0.4), other = soup(40, 6, 0.4), longer = soup(41, 5, 0.4);
  for (const Configuration& c : configurations()) {
    INFO(c.name);
    const ModelPtr model = modelOf(mesh, c.build);
    CHECK(model->tree(c.kind).problemFor(*other));
    CHECK(model->tree(c.kind).problemFor(*longer));
  }
}

TEST_CASE("trees of the field answer like brute force", "[hierarchy][trees][oracle]") {
  for (const PlacementClass kind : allPlacementClasses)
    for (std::uint32_t n = 0; n <= 100; n += n < 8 ? 1 : 13) {
      Random random(4000 + 200 * static_cast<std::uint64_t>(kind) + n);
      const bool lattice = random.below(2) == 0;
      const std::uint32_t m = random.below(101);
      const MeshPtr a = lattice ? latticeSoup(n, random.next(), 2, 3) : soup(n, random.next(), 0.6, 3);
      const MeshPtr b = lattice ? latticeSoup(m, random.next(), 2, 2) : soup(m, random.next(), 0.6, 2);
      const Transform p = randomPlacement(kind, random, 1), q = randomPlacement(kind, random, 1);
      INFO("placement class " << int(kind) << ", triangles " << n << " and " << m);
      const ModelPtr first = modelOf(a, bare()), second = modelOf(b, bare());
      CHECK(problemInTrees(a, p, b, q, bruteForce({first, p}, {second, q})) == "");
    }
}

TEST_CASE("trees of the field answer named shapes", "[hierarchy][trees][oracle]") {
  const std::vector<MeshPtr> shapes{box(1, 2, 3),           sixSidedBox(2, 2, 2, 4), icosphere(1, 2),
                                    sliverFan(24, 5, 1e-5), degenerateSet(),         flatSheet(6, 5)};
  Random random(91);
  for (const MeshPtr& first : shapes)
    for (const MeshPtr& second : shapes)
      for (const PlacementClass kind : {PlacementClass::identity, PlacementClass::quarterTurn,
                                        PlacementClass::mirrored, PlacementClass::sheared}) {
        const Transform q = randomPlacement(kind, random, 1.5);
        INFO(first->name() << " and " << second->name() << ", placement class " << int(kind));
        const ModelPtr a = modelOf(first, bare()), b = modelOf(second, bare());
        CHECK(problemInTrees(first, {}, second, q, bruteForce({a, {}}, {b, q}), false) == "");
      }
}

TEST_CASE("trees of the field at every size and distance", "[hierarchy][trees][oracle]") {
  for (const double factor : {1000.0, 0x1p-90, 0x1p-40, 0x1p40, 0x1p90})
    for (std::uint64_t seed = 0; seed < 7; ++seed) {
      Random random(seed);
      const Transform scale = Transform::scaling(factor, factor, factor);
      const MeshPtr a = transformed(soup(40, 2 * seed, 0.7, 3), scale);
      const MeshPtr b = transformed(latticeSoup(30, 2 * seed + 1, 2, 2), scale);
      Transform q = randomPlacement(allPlacementClasses[seed], random, 0.5);
      q.t = q.t * factor;
      INFO("factor " << factor << ", seed " << seed);
      const ModelPtr first = modelOf(a, bare()), second = modelOf(b, bare());
      CHECK(problemInTrees(a, {}, b, q, bruteForce({first, {}}, {second, q})) == "");
    }
  // The size is in the placement: parts of very different units.
  for (const double factor : {0x1p-70, 0x1p-35, 0x1p35, 0x1p70})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      Random random(seed);
      const MeshPtr a = soup(40, 2 * seed, 0.7, 3);
      const MeshPtr b =
          transformed(soup(30, 2 * seed + 1, 0.7, 2), Transform::scaling(1 / factor, 1 / factor, 1 / factor));
      const Transform q = randomPlacement(PlacementClass::rigid, random, 0.5) *
                          Transform::scaling(factor, 0.7 * factor, factor);
      INFO("placement scaled by " << factor << ", seed " << seed);
      const ModelPtr first = modelOf(a, bare()), second = modelOf(b, bare());
      const IntersectionReport all = bruteForce({first, {}}, {second, q});
      CHECK(all.intersects());
      CHECK(problemInTrees(a, {}, b, q, all) == "");
    }
  for (const double distance : {1e6, 1e9}) {
    const MeshPtr a = latticeSoup(40, 3, 2, 3), b = latticeSoup(30, 4, 2, 2);
    const Transform away = Transform::translation({distance, -distance, 7});
    const ModelPtr first = modelOf(a, bare()), second = modelOf(b, bare());
    CHECK(problemInTrees(a, away, b, away, bruteForce({first, away}, {second, away})) == "");
    const MeshPtr farA = transformed(a, away), farB = transformed(b, away);
    const ModelPtr third = modelOf(farA, bare()), fourth = modelOf(farB, bare());
    CHECK(problemInTrees(farA, {}, farB, {}, bruteForce({third, {}}, {fourth, {}})) == "");
  }
}

TEST_CASE("trees of the field refuse what nobody can answer", "[hierarchy][trees]") {
  const MeshPtr mesh = soup(20, 1, 0.5);
  for (const Configuration& c : configurations()) {
    const ModelPtr model = modelOf(mesh, c.build);
    CHECK_THROWS_AS(intersect({model, {}}, {model, Transform::scaling(1, 0, 1)}, {.hierarchy = c.kind}),
                    PlacementError);
    Transform nan;
    nan.m[1][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(intersect({model, {}}, {model, nan}, {.hierarchy = c.kind}), PlacementError);
  }
}

TEST_CASE("limits, cancel and touching reach the trees of the field", "[hierarchy][trees]") {
  const MeshPtr mesh = sixSidedBox(2, 2, 2, 6);
  const Transform q = Transform::translation({0.5, 0.25, 0.125});
  for (const Configuration& c : configurations()) {
    INFO(c.name);
    const ModelPtr model = modelOf(mesh, c.build);
    IntersectionRequest request{.hierarchy = c.kind};
    const IntersectionReport all = intersect({model, {}}, {model, q}, request);
    REQUIRE(all.trianglePairs.size() > 10);
    request.limits.maxPairs = 5;
    const IntersectionReport five = intersect({model, {}}, {model, q}, request);
    CHECK(five.trianglePairs.size() == 5);
    CHECK(five.status == ReportStatus::truncated);
    request.limits.maxPairs = all.trianglePairs.size();
    CHECK(intersect({model, {}}, {model, q}, request).status == ReportStatus::complete);
    request.limits = {};
    std::stop_source stop;
    stop.request_stop();
    request.limits.cancel = stop.get_token();
    CHECK(intersect({model, {}}, {model, q}, request).status == ReportStatus::cancelled);
    request.limits = {};
    request.touching = Touching::exclude;
    CHECK(sameAnswer(intersect({model, {}}, {model, q}, request),
                     bruteForce({model, {}}, {model, q}, request)));
    // A part with itself.
    CHECK(sameAnswer(intersect({model, {}}, {model, {}}, {.hierarchy = c.kind}),
                     bruteForce({model, {}}, {model, {}})));
  }
}

TEST_CASE("trees of the field answer the plant and tori like S-CD", "[hierarchy][trees][generated]") {
  const Assembly plant = models::makeProcessPlant();
  const Track track = models::makeSpoolTrack(plant);
  const NodeId spool = resolve(track, plant).front().node;
  const std::vector<Configuration> all = configurations();
  std::size_t found = 0;
  for (const Configuration& c : all) {
    BuildOptions options = c.build;
    options.add(HierarchyKind::scd);
    const CollisionModels collisionModels = buildCollisionModels(plant, options);
    QueryContext context;
    for (std::size_t step = 5; step < track.steps.size(); step += 60)
      for (const NodeId node : plant.instances()) {
        if (node == spool) continue;
        const auto posed = [&](NodeId n, const Transform& worldFromPart) {
          return PosedModel{collisionModels[index(plant.partOf(n))], worldFromPart};
        };
        const PosedModel a = posed(node, plant.worldFromNode(node)),
                         b = posed(spool, track.steps[step].front().transform() * plant.worldFromNode(spool));
        const IntersectionReport expected = intersect(a, b, {.hierarchy = HierarchyKind::scd}, context);
        found += expected.trianglePairs.size();
        INFO(c.name << ", step " << step << ", " << plant.path(node));
        for (const QueryMode mode : modes)
          CHECK(problemOf(intersect(a, b, {.mode = mode, .hierarchy = c.kind}, context), mode, expected,
                          a.model->mesh(), b.model->mesh()) == "");
      }
    const ModelPtr torus =
        modelOf(std::make_shared<const TriangleMesh>(models::makeTorus(models::smallTorus())), options);
    for (const Transform& q : models::randomPlacements(6, 2.5, 5)) {
      const IntersectionReport expected =
          intersect({torus, {}}, {torus, q}, {.hierarchy = HierarchyKind::scd}, context);
      found += expected.trianglePairs.size();
      INFO(c.name << ", torus");
      CHECK(problemOf(intersect({torus, {}}, {torus, q}, {.hierarchy = c.kind}, context),
                      QueryMode::allTrianglePairs, expected, torus->mesh(), torus->mesh()) == "");
    }
  }
  CHECK(found > 500 * all.size());
}

TEST_CASE("memory of the trees of the field", "[hierarchy][trees]") {
  const MeshPtr mesh = icosphere(1, 4);
  CHECK(bytesPerTriangle(mesh, field::aabb) <= 56);
  CHECK(bytesPerTriangle(mesh, field::obb) <= 140);
  CHECK(bytesPerTriangle(mesh, field::opcode) <= 32);
  CHECK(bytesPerTriangle(mesh, field::opcodeQuantized) <= 20);
  CHECK(bytesPerTriangle(mesh, field::box) <= 2 * 9);
  CHECK(bytesPerTriangle(mesh, field::dop) <= 200);
  BuildOptions leaves = bare();
  for (const HierarchyKind kind : {field::opcode, field::opcodeQuantized})
    field::add(leaves, kind, {.withLeaves = true});
  CHECK(bytesPerTriangle(mesh, field::opcode, leaves) <= 56);
  CHECK(bytesPerTriangle(mesh, field::opcodeQuantized, leaves) <= 32);
}

TEST_CASE("where separating axis tests end is counted", "[hierarchy][trees]") {
  const MeshPtr ball = icosphere(1, 3);
  const Transform q = Transform::rigid(axisAngle({1, 2, 3}, 0.7), {1.5, 0.6, 0.3});
  std::uint64_t last = 0;
  for (const BoxTest test : {BoxTest::full, BoxTest::lite, BoxTest::aligned}) {
    BuildOptions options = bare();
    field::add(options, field::aabb, {.boxTest = test});
    const ModelPtr model = modelOf(ball, options);
    const QueryStats stats = intersect({model, {}}, {model, q}, {.hierarchy = field::aabb}).stats;
    std::uint64_t separated = 0;
    for (std::size_t axis = 0; axis < 15; ++axis) {
      separated += stats.separatedBy[axis];
      if (axis >= (test == BoxTest::full ? 15 : test == BoxTest::lite ? 6 : 3))
        CHECK(stats.separatedBy[axis] == 0);
    }
    CHECK(separated > 0);
    CHECK(separated < stats.boxTests);
    // Fewer axes reject less.
    CHECK(stats.boxTests > last);
    last = stats.boxTests;
  }
}

}  // namespace field_trees_tests
