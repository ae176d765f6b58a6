#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <thread>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <fitup_field/field_kinds.h>
#include <models/deformations.h>
#include <models/torus.h>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace refit_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr WideBvhOptions wideOptions[] = {{WideLayout::fast, true},
                                          {WideLayout::fast, false},
                                          {WideLayout::compact, true},
                                          {WideLayout::compact, false}};

const BuildOptions withAabb = [] {
  BuildOptions options = withScd();
  options.add(field::aabb);
  return options;
}();

Vec3 unmoved(const Vec3& p) { return p; }

MeshPtr torus(int around, int across, int patches = 4) {
  models::TorusOptions options;
  options.around = around;
  options.across = across;
  options.patchesAround = options.patchesAcross = patches;
  return std::make_shared<const TriangleMesh>(models::makeTorus(options));
}

/// Returns what is wrong with the trees, or nothing.
std::string problemOfTrees(const CollisionModel& model) {
  if (!model.rtrees().isWellFormedFor(model.mesh())) return "R-trees";
  if (model.hasWide())
    if (const auto problem = model.wide().problemFor(model.mesh(), true)) return "wide: " + *problem;
  if (model.has(field::aabb))
    if (const auto problem = model.tree(field::aabb).problemFor(model.mesh())) return "aabb: " + *problem;
  return {};
}

template <typename T>
bool sameBytes(const SharedArray<T>& a, const SharedArray<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
bool sameTrees(const WideBvh& a, const WideBvh& b) {
  return a.layout == b.layout && sameBytes(a.nodes, b.nodes) && sameBytes(a.compactNodes, b.compactNodes) &&
         sameBytes(a.cylinders, b.cylinders) && sameBytes(a.frames, b.frames) &&
         sameBytes(a.packets, b.packets) && sameBytes(a.triangleAt, b.triangleAt);
}

/// Compares a refitted model and a rebuilt one of the same mesh with brute force, in every mode and layout.
std::string problemOfAnswers(const CollisionModel& refitted, const CollisionModel& other,
                             const Transform& placement, std::size_t& hits) {
  const PosedModel a{borrowed(refitted), {}}, b{borrowed(other), placement};
  const IntersectionReport all = bruteForce(a, b);
  hits += all.trianglePairs.size();
  const ModelPtr fresh = modelOf(refitted.sharedMesh());
  const bool allHaveAabb = refitted.has(field::aabb) && other.has(field::aabb);
  for (const QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
    for (const HierarchyKind kind : {HierarchyKind::wide, HierarchyKind::scd, field::aabb}) {
      if (kind == field::aabb && !allHaveAabb) continue;
      IntersectionRequest request;
      request.mode = mode;
      request.hierarchy = kind;
      const IntersectionReport report = intersect(a, b, request);
      const std::string problem = problemOf(report, mode, all, refitted.mesh(), other.mesh());
      if (!problem.empty()) return std::string(name(mode)) + ", " + std::string(name(kind)) + ": " + problem;
      if (mode != QueryMode::firstSurfacePair && kind == HierarchyKind::wide &&
          intersect({fresh, {}}, b, request).surfacePairs != report.surfacePairs)
        return "differs from a model built anew";
    }
  return {};
}

}  // namespace

TEST_CASE("refitted models answer as brute force and as models built anew", "[hierarchy][refit]") {
  Random random(41);
  std::size_t hits = 0;
  for (const MeshPtr& mesh : {torus(24, 20), sixSidedBox(3, 2, 1, 5), uvSphere(1, 21, 13, 4), degenerateSet(),
                              latticeSoup(150, 5, 4, 9), soup(500, 6, 0.4, 3), soup(1, 7, 1)})
    for (const WideBvhOptions& wide : wideOptions) {
      const ModelPtr other = modelOf(soup(40, random.next(), 0.7, 3), withAabb);
      BuildOptions options = withAabb;
      options.wide = wide;
      ModelPtr model = modelOf(mesh, options);
      for (std::uint32_t step = 1; step <= 10; ++step) {
        const std::uint64_t seed = random.next();
        INFO(mesh->name() << ", layout " << int(wide.layout) << ", step " << step << ", seed " << seed);
        const Box around = mesh->boundsInPart();
        model = model->refit(models::deformedPoints(*mesh, models::randomDeformation(around, seed)),
                             {.orientNodes = wide.orientNodes});
        REQUIRE(problemOfTrees(*model) == "");
        REQUIRE(model->refitHistory()->refits == step);
        REQUIRE(problemOfAnswers(*model, *other, randomPlacement(PlacementClass::rigid, random, 0.8), hits) ==
                "");
      }
    }
  CHECK(hits > 1000);
}

TEST_CASE("a refitted model answers in every setting", "[hierarchy][refit]") {
  const MeshPtr mesh = torus(16, 12, 3);
  const ModelPtr model =
      modelOf(mesh)->refit(models::deformedPoints(*mesh, models::twist(mesh->boundsInPart(), 2.5)));
  // Self-intersecting, and against its former shape.
  const ModelPtr folded =
      model->refit(models::deformedPoints(*mesh, models::foldThrough(mesh->boundsInPart())));
  REQUIRE(intersect({folded, {}}, {folded, {}}).intersects());
  for (const auto& [a, b] : {std::pair{model, folded}, {folded, modelOf(mesh)}}) {
    const Transform placement = Transform::rotation({1, 2, 3}, 0.4);
    const IntersectionReport all = bruteForce({a, {}}, {b, placement});
    REQUIRE(all.intersects());
    CHECK(problemInAnySetting({a, {}}, {b, placement}, Touching::include, all, true) == "");
  }
  // Distances use the same trees.
  const ModelPtr small = modelOf(icosphere(0.05, 1));
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const Transform at = Transform::translation(random.inCube(2));
    for (const ModelPtr& deformed : {model, folded})
      CHECK(distance({deformed, {}}, {small, at}).distance() ==
            Approx(distance({modelOf(deformed->sharedMesh()), {}}, {small, at}).distance()).margin(1e-12));
  }
}

TEST_CASE("refitting to the same points gives the same boxes", "[hierarchy][refit]") {
  for (const MeshPtr& mesh :
       {torus(60, 40), sixSidedBox(3, 2, 1, 9), soup(3000, 1, 0.1, 40), degenerateSet()})
    for (const RTreeBuild build : {RTreeBuild::packed, RTreeBuild::guttman})
      for (const WideBvhOptions& wide : wideOptions) {
        const ModelPtr model = modelOf(mesh, withScd({.rtree = {build, 6}, .wide = wide}));
        const RefitOptions options{.orientNodes = wide.orientNodes};
        const std::vector<Vec3> points = models::deformedPoints(*mesh, unmoved);
        const ModelPtr once = model->refit(points, options), twice = once->refit(points, options);
        INFO(mesh->name());
        CHECK(once->mesh().contentHash() == mesh->contentHash());
        CHECK(sameBytes(once->rtrees().entries, model->rtrees().entries));
        CHECK(sameTrees(once->wide(), twice->wide()));
        if (wide.layout == WideLayout::compact && !wide.orientNodes)
          CHECK(sameTrees(once->wide(), model->wide()));
        if (wide.layout == WideLayout::fast) {
          CHECK(sameBytes(once->wide().packets, model->wide().packets));
          for (std::size_t n = 0; !wide.orientNodes && n < model->wide().nodeCount(); ++n) {
            CHECK(once->wide().nodes[n].centre == model->wide().nodes[n].centre);
            CHECK(once->wide().nodes[n].half == model->wide().nodes[n].half);
          }
        }
        // Turned boxes near the root may be slightly larger.
        CHECK(once->costGrowth(HierarchyKind::scd) == 1);
        CHECK(once->costGrowth(HierarchyKind::wide) < 1.05);
        CHECK(model->costGrowth(HierarchyKind::wide) == 1);
      }
}

TEST_CASE("refitting is linear", "[hierarchy][refit]") {
  for (const bool orient : {true, false}) {
    double first = 0;
    for (const int n : {20, 60, 180}) {
      const MeshPtr mesh = torus(n, n);
      const auto triangles = static_cast<double>(mesh->triangleCount());
      const ModelPtr model = modelOf(mesh);
      RefitCounts scd, wide, aabb;
      const TriangleMesh deformed =
          withPoints(*mesh, models::deformedPoints(*mesh, models::twist(mesh->boundsInPart(), 3)));
      (void)model->rtrees().refitted(deformed, scd);
      (void)model->wide().refitted(*mesh, deformed, {.orientNodes = orient}, wide);
      (void)modelOf(mesh, withAabb)->tree(field::aabb).refitted(*mesh, deformed, {}, aabb);
      CHECK(aabb.comparisons() < 48 * mesh->triangleCount());
      CHECK(aabb.merges == mesh->triangleCount() - 1);
      // van den Bergen (1998, section 4) needs less than 48 operations per triangle for binary trees.
      CHECK(scd.comparisons() < 24 * mesh->triangleCount());
      CHECK(scd.corners == 3 * mesh->triangleCount());
      // In the model's axes; turned and in cylinders for two levels each.
      CHECK(wide.corners <= (orient ? 15 : 9) * mesh->triangleCount());
      CHECK(wide.merges < mesh->triangleCount());
      const double each = static_cast<double>(wide.corners + wide.merges) / triangles;
      if (first == 0) first = each;
      CHECK(each < 1.3 * first);
    }
  }
}

TEST_CASE("a deformed part may go far away and come back", "[hierarchy][refit]") {
  const MeshPtr mesh = torus(20, 16);
  const ModelPtr model = modelOf(mesh), blade = modelOf(soup(30, 4, 1));
  const Vec3 far{3e6, -4e5, 1e7};
  const models::Deformation bent = models::wave(mesh->boundsInPart(), 0.3, 2, 1);
  const ModelPtr there =
      model->refit(models::deformedPoints(*mesh, [&](const Vec3& p) { return bent(p) + far; }));
  CHECK(norm(there->mesh().origin()) > 1e6);
  CHECK(there->mesh().validation().largestRounding < 1e-6);
  CHECK(problemOfTrees(*there) == "");
  std::size_t hits = 0;
  CHECK(problemOfAnswers(*there, *blade, Transform::translation(far), hits) == "");
  CHECK(hits > 0);
  const ModelPtr back = there->refit(models::deformedPoints(*mesh, unmoved));
  CHECK(back->mesh().contentHash() == mesh->contentHash());
  CHECK(back->costGrowth(HierarchyKind::wide) < 1.05);
  // All sizes that a mesh may have, and zero.
  for (const double s : {0x1p-97, 0x1p-60, 0x1p60, 0x1p90, 0.0}) {
    const ModelPtr scaled = back->refit(models::deformedPoints(*mesh, [&](const Vec3& p) { return p * s; }));
    CHECK(problemOfTrees(*scaled) == "");
    CHECK(scaled->mesh().validation().degenerateTriangles == (s == 0 ? mesh->triangleCount() : 0));
  }
}

TEST_CASE("refitting keeps what a model was built with", "[hierarchy][refit]") {
  const MeshPtr mesh = torus(20, 16);
  const std::vector<Vec3> points = models::deformedPoints(*mesh, models::twist(mesh->boundsInPart(), 1));
  const ModelPtr lean = modelOf(mesh, BuildOptions{})->refit(points);
  CHECK_FALSE(lean->has(HierarchyKind::scd));
  CHECK(problemOfTrees(*lean) == "");
  const ModelPtr without = modelOf(mesh, {.rtree = {}, .wide = std::nullopt})->refit(points);
  CHECK_FALSE(without->hasWide());
  CHECK_THROWS_AS(without->costGrowth(HierarchyKind::wide), NotBuiltError);
  CHECK(modelOf(emptyMesh())->refit(std::vector<Vec3>{})->mesh().triangleCount() == 0);
  // Topology is shared.
  const ModelPtr compact =
      modelOf(mesh, {.rtree = {}, .wide = WideBvhOptions{.layout = WideLayout::compact}});
  const ModelPtr refitted = compact->refit(points);
  CHECK(refitted->wide().triangleAt.data() == compact->wide().triangleAt.data());
  CHECK(refitted->mesh().triangles().data() == mesh->triangles().data());
  // The number of threads makes no difference.
  const MeshPtr large = torus(120, 100);
  const ModelPtr model = modelOf(large);
  const std::vector<Vec3> waved =
      models::deformedPoints(*large, models::wave(large->boundsInPart(), 0.2, 3, 0));
  CHECK(sameTrees(model->refit(waved, {.threads = 1})->wide(), model->refit(waved, {.threads = 4})->wide()));
}

TEST_CASE("what cannot be refitted is refused", "[hierarchy][refit]") {
  const ModelPtr model = modelOf(box(1, 2, 3));
  CHECK_THROWS_WITH(model->refit(std::vector<Vec3>(3)), Catch::Contains("mesh 'box'"));
  CHECK_THROWS_AS(model->refit(MeshPtr{}), InputError);
  CHECK_THROWS_AS(model->refit(sixSidedBox(1, 2, 3)), InputError);
  CHECK_THROWS_WITH(model->refit(tetrahedron(1)), Catch::Contains("part 'box'"));
  for (const HierarchyKind kind : field::allHierarchyKinds()) {
    BuildOptions options;
    options.add(kind);
    const ModelPtr carries = modelOf(box(1, 2, 3), options);
    REQUIRE(carries->has(kind));
    const std::vector<Vec3> same = models::deformedPoints(carries->mesh(), unmoved);
    INFO(name(kind));
    if (isRefittable(kind)) {
      CHECK(carries->refit(same)->has(kind));
      CHECK(carries->refit(same)->costGrowth(kind) == Approx(1));
    } else {
      CHECK_THROWS_AS(carries->refit(same), NotRefittableError);
      CHECK_THROWS_WITH(carries->refit(same),
                        Catch::Contains(std::string(name(kind))) && Catch::Contains("box"));
    }
  }
  // Slots out of order are not ruled out, although no build makes them.
  WideBvh tree =
      modelOf(soup(30, 1, 0.5), {.rtree = {}, .wide = WideBvhOptions{WideLayout::compact, false}})->wide();
  std::vector<CompactWideNode> nodes(tree.compactNodes.begin(), tree.compactNodes.end());
  REQUIRE(nodes.back().head.childCount > 1);
  std::swap(nodes.back().child[0], nodes.back().child[1]);
  tree.compactNodes = SharedArray<CompactWideNode>(std::move(nodes));
  RefitCounts counts;
  CHECK_THROWS_AS(tree.refitted(*soup(30, 1, 0.5), *soup(30, 1, 0.5), {}, counts), InputError);
}

TEST_CASE("what is remembered of one version is not used for another", "[hierarchy][refit]") {
  // A refitted tree and a rebuilt one of the same mesh have equal contents, but other nodes.
  const MeshPtr mesh = torus(20, 18, 1);
  const ModelPtr built = modelOf(mesh), other = modelOf(icosphere(0.2, 1));
  const ModelPtr refitted =
      built->refit(models::deformedPoints(*mesh, models::twist(mesh->boundsInPart(), 4)));
  const ModelPtr fresh = modelOf(refitted->sharedMesh());
  const auto identity = [](const CollisionModel& m) { return detail::WideIdentity::of(m.wide(), m.mesh()); };
  CHECK(identity(*refitted) != identity(*fresh));
  CHECK(identity(*refitted) != identity(*built));
  CHECK(identity(*built) == identity(*modelOf(mesh)));
  QueryContext context;
  Random random(2);
  const IntersectionRequest first{.mode = QueryMode::firstSurfacePair, .coherence = Coherence::on};
  for (int step = 0; step < 200; ++step) {
    const Transform at = Transform::translation({0.7 + 0.015 * step, 0.1, random.between(0.2, 0.7)});
    const ModelPtr model = std::array{built, refitted, fresh}[random.below(3)];
    REQUIRE(intersect({model, {}}, {other, at}, first, context).intersects() ==
            bruteForce({model, {}}, {other, at}, first).intersects());
  }
}

TEST_CASE("cost growth distinguishes a refitted tree from a good one", "[hierarchy][refit]") {
  const MeshPtr mesh = torus(60, 40);
  const ModelPtr model = modelOf(mesh);
  const ModelPtr waved =
      model->refit(models::deformedPoints(*mesh, models::wave(mesh->boundsInPart(), 0.2, 2, 0)));
  CHECK(waved->costGrowth(HierarchyKind::wide) < 1.3);
  // Points that change places at random destroy the order that the tree was built for.
  std::vector<Vec3> shuffled = models::deformedPoints(*mesh, unmoved);
  Random random(9);
  for (std::size_t i = shuffled.size() - 1; i > 0; --i)
    std::swap(shuffled[i], shuffled[random.below(static_cast<std::uint32_t>(i + 1))]);
  const ModelPtr torn = waved->refit(shuffled);
  CHECK(problemOfTrees(*torn) == "");
  for (const HierarchyKind kind : {HierarchyKind::wide, HierarchyKind::scd})
    CHECK(torn->costGrowth(kind) > 3);
  // A tree that is built later has grown only since then.
  const ModelPtr grown = CollisionModel::with(modelOf(mesh, BuildOptions{})->refit(shuffled), withAabb);
  for (const HierarchyKind kind : {field::aabb, HierarchyKind::scd})
    CHECK(grown->costGrowth(kind) == Approx(1));
  CHECK(grown->costGrowth(HierarchyKind::wide) > 3);
  const ModelPtr back = grown->refit(models::deformedPoints(*mesh, unmoved));
  for (const HierarchyKind kind : {field::aabb, HierarchyKind::scd})
    CHECK(back->costGrowth(kind) != Approx(1));
  // The history goes back to the build.
  CHECK(torn->refit(models::deformedPoints(*mesh, unmoved))->costGrowth(HierarchyKind::scd) == Approx(1));
}

TEST_CASE("a version is queried while the next ones are made", "[hierarchy][refit]") {
  const MeshPtr mesh = torus(40, 30);
  const ModelPtr model = modelOf(mesh), other = modelOf(icosphere(1, 3));
  const IntersectionReport expected = intersect({model, {}}, {other, {}});
  REQUIRE(expected.intersects());
  std::atomic<bool> differs = false;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 2; ++t)
      threads.emplace_back([&](const std::stop_token& stop) {
        while (!stop.stop_requested())
          if (!sameAnswer(intersect({model, {}}, {other, {}}), expected)) differs = true;
      });
    ModelPtr version = model;
    for (std::uint64_t seed = 0; seed < 30; ++seed)
      version =
          version->refit(models::deformedPoints(*mesh, models::randomDeformation(mesh->boundsInPart(), seed)),
                         {.threads = 2});
    CHECK(problemOfTrees(*version) == "");
  }
  CHECK_FALSE(differs);
}

}  // namespace refit_tests
