#include <fitup/query/intersect.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

#include <fitup/query/brute_force.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace intersect_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Compares every mode, setting and argument order with all pairs by brute force.
std::string problemOfPair(const PosedModel& first, const PosedModel& second, bool* intersects = nullptr) {
  for (const Touching touching : {Touching::include, Touching::exclude}) {
    const IntersectionReport all = bruteForce(first, second, {.touching = touching});
    if (intersects != nullptr && touching == Touching::include) *intersects = all.intersects();
    std::string problem = problemInAnySetting(first, second, touching, all, true);
    if (!problem.empty()) return (touching == Touching::include ? "include, " : "exclude, ") + problem;
  }
  return {};
}

struct Scene {
  ModelPtr first, second;
  Transform worldFromFirst, worldFromSecond;
  PosedModel a() const { return {first, worldFromFirst}; }
  PosedModel b() const { return {second, worldFromSecond}; }
};

BuildOptions someOptions(Random& random) {
  constexpr std::uint32_t fanOuts[] = {2, 3, 4, 8, 16, 64};
  BuildOptions options = withScd();
  options.rtree.fanOut = fanOuts[random.below(6)];
  options.rtree.build = random.below(2) == 0 ? RTreeBuild::packed : RTreeBuild::guttman;
  return options;
}

MeshPtr someMesh(std::uint32_t n, Random& random) {
  const std::uint32_t surfaces = 1 + random.below(6);
  if (random.below(2) == 0) return latticeSoup(n, random.next(), 2, surfaces);
  return soup(n, random.next(), random.between(0.1, 1), surfaces);
}

Scene someScene(std::uint32_t n, PlacementClass kind, std::uint64_t seed) {
  Random random(seed);
  Scene s;
  s.first = modelOf(someMesh(n, random), someOptions(random));
  s.second = modelOf(someMesh(random.below(101), random), someOptions(random));
  const double reach = random.below(4) == 0 ? 4 : 1;
  s.worldFromFirst = randomPlacement(kind, random, reach);
  s.worldFromSecond = randomPlacement(kind, random, reach);
  return s;
}

}  // namespace

TEST_CASE("the modes' laws over sizes, placements and seeds", "[query][laws]") {
  int hits = 0, scenes = 0;
  for (PlacementClass kind : allPlacementClasses)
    for (std::uint32_t n = 0; n <= 100; n += n < 12 ? 1 : effort(8, 1)) {
      const std::uint64_t seed = 1000 * static_cast<std::uint64_t>(kind) + n;
      const Scene s = someScene(n, kind, seed);
      INFO("placement class " << int(kind) << ", triangles " << n << ", seed " << seed);
      bool hit = false;
      REQUIRE(problemOfPair(s.a(), s.b(), &hit) == "");
      hits += hit;
      ++scenes;
    }
  INFO(hits << " of " << scenes << " intersect");
  CHECK((hits > scenes / 4 && hits < scenes));
}

TEST_CASE("touching excluded is a subset of touching included", "[query][laws]") {
  int fewer = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Scene s = someScene(40, PlacementClass::translated, 77000 + seed);
    const IntersectionReport all = intersect(s.a(), s.b());
    const IntersectionReport strict = intersect(s.a(), s.b(), {.touching = Touching::exclude});
    CHECK(std::includes(all.trianglePairs.begin(), all.trianglePairs.end(), strict.trianglePairs.begin(),
                        strict.trianglePairs.end()));
    CHECK(std::includes(all.surfacePairs.begin(), all.surfacePairs.end(), strict.surfacePairs.begin(),
                        strict.surfacePairs.end()));
    fewer += strict.trianglePairs.size() < all.trianglePairs.size();
  }
  CHECK(fewer > 10);
}

TEST_CASE("a context may be reused and moved", "[query][laws]") {
  QueryContext context;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    const Scene s = someScene(static_cast<std::uint32_t>(seed), allPlacementClasses[seed % 7], 88000 + seed);
    for (QueryMode mode :
         {QueryMode::allSurfacePairs, QueryMode::firstSurfacePair, QueryMode::allTrianglePairs})
      for (OverlapBoxSetting setting :
           {OverlapBoxSetting::on, OverlapBoxSetting::off, OverlapBoxSetting::classical}) {
        const IntersectionRequest request{.mode = mode, .overlapBox = setting};
        const IntersectionReport fresh = intersect(s.a(), s.b(), request);
        const IntersectionReport reused = intersect(s.a(), s.b(), request, context);
        CHECK(sameAnswer(fresh, reused));
        CHECK(fresh.stats == reused.stats);
      }
    QueryContext other = std::move(context);
    context = std::move(other);
    CHECK(sameAnswer(intersect(s.a(), s.b()), intersect(s.a(), s.b(), {}, other)));  // like a new one
  }
}

TEST_CASE("an answer in place of another one is the same, in the same memory", "[query][laws]") {
  Random random(24);
  const ModelPtr a = modelOf(icosphere(1, 2)), b = modelOf(icosphere(1, 1));
  IntersectionReport report;
  const TrianglePair* memory = nullptr;
  std::size_t hits = 0, reused = 0;
  for (int i = 0; i < 200; ++i) {
    const Transform pose = randomPlacement(PlacementClass::rigid, random, i % 3 == 0 ? 9 : 1.5);
    IntersectionRequest request;
    request.mode = static_cast<QueryMode>(i % 3);
    if (i % 5 == 0) request.hierarchy = HierarchyKind::scd;
    if (i % 7 == 0) request.coherence = Coherence::on;
    if (i % 11 == 0) request.limits.maxPairs = 1;
    const PosedModel first{a, {}}, second{b, pose};
    const IntersectionReport expected = intersect(first, second, request);
    QueryContext context;
    intersect(first, second, request, context, report);
    CHECK(report.surfacePairs == expected.surfacePairs);
    CHECK(report.trianglePairs == expected.trianglePairs);
    CHECK(report.status == expected.status);
    CHECK(report.mode == expected.mode);
    CHECK(report.stats == expected.stats);
    hits += report.intersects() ? 1 : 0;
    reused += report.trianglePairs.data() == memory ? 1 : 0;
    memory = report.trianglePairs.data();
  }
  CHECK(hits > 50);
  CHECK(reused > 150);
}

TEST_CASE("statistics count what is done", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 2)), cube = modelOf(sixSidedBox(1.6, 1.6, 1.6, 3));
  const IntersectionReport on = intersect({ball, {}}, {cube, {}});
  REQUIRE(on.intersects());
  CHECK(on.stats.triangleTests >= on.trianglePairs.size());
  CHECK(on.stats.triangleCandidates >= on.stats.triangleTests);
  CHECK(on.stats.boxTests > 0);
  CHECK(on.stats.boxUpdates > 0);
  CHECK(on.stats.surfaceCandidates >= on.surfacePairs.size());
  const IntersectionReport off = intersect({ball, {}}, {cube, {}}, {.overlapBox = OverlapBoxSetting::off});
  CHECK(off.stats.overlapBoxRejected == 0);
  const IntersectionReport unfiltered = intersect(
      {ball, {}}, {cube, {}}, {.hierarchy = HierarchyKind::scd, .overlapBox = OverlapBoxSetting::off});
  CHECK(unfiltered.stats.overlapBoxRejected == 0);
  CHECK(unfiltered.stats.surfaceCandidates >= on.surfacePairs.size());
  CHECK(unfiltered.stats.surfaceCandidates <= 6);
  CHECK(unfiltered.stats.boxUpdates >= cube->mesh().triangleCount());
  const IntersectionReport first = intersect({ball, {}}, {cube, {}}, {.mode = QueryMode::firstSurfacePair});
  CHECK(first.stats.triangleTests < on.stats.triangleTests);
  // Boxes that do not meet cost almost nothing; the overlap box then cuts everything off.
  const IntersectionReport apart = intersect({ball, {}}, {cube, Transform::translation({10, 0, 0})});
  CHECK_FALSE(apart.intersects());
  CHECK(apart.stats.triangleTests == 0);
  CHECK(apart.stats.boxTests <= 2);
  const IntersectionReport brute = bruteForce({ball, {}}, {cube, {}});
  CHECK(brute.stats.triangleTests == ball->mesh().triangleCount() * cube->mesh().triangleCount());
  // A corner of the cube reaches in; most of the cube is cut off.
  const IntersectionReport corner = intersect({ball, {}}, {cube, Transform::translation({1.4, 1.2, 1.2})});
  REQUIRE(corner.intersects());
  CHECK(corner.stats.overlapBoxRejected > 0);
}

TEST_CASE("one rigid motion of both changes nothing that rounding cannot", "[query][laws]") {
  // Depth and gap are far above the rounding of the placements, which is about 1e-13 here.
  const ModelPtr ball = modelOf(icosphere(1, 2)), wall = modelOf(sixSidedBox(1, 4, 4, 5));
  Random random(61);
  for (double depth : {1e-7, 1e-3, 0.2, -1e-7, -1e-3}) {
    // After this turn, no corner of the sphere points exactly along +x, so the extent is measured.
    const Transform turn = Transform::rotation(randomRotation(random));
    double reach = 0;
    for (std::uint32_t i = 0; i < ball->mesh().points().size(); ++i)
      reach = std::max(reach, turn.apply(ball->mesh().pointInPart(i)).x);
    const Transform placed = Transform::translation({0.5 + reach - depth, 0.1, 0.2});
    Transform mirroredBall = Transform::scaling(-1, 1, 1) * turn;  // extends as far along -x
    mirroredBall = placed * mirroredBall;
    const IntersectionReport still = intersect({wall, {}}, {ball, mirroredBall});
    CHECK(still.intersects() == (depth > 0));
    for (int i = 0; i < 30; ++i) {
      const Transform motion = randomPlacement(PlacementClass::rigid, random, 100);
      const IntersectionReport moved = intersect({wall, motion}, {ball, motion * mirroredBall});
      CHECK(sameAnswer(moved, still));
    }
  }
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    // Random soups: no pair is closer to contact than the rounding.
    const ModelPtr a = modelOf(soup(60, 2 * seed, 0.7, 3)), b = modelOf(soup(50, 2 * seed + 1, 0.7, 2));
    const Transform relative = randomPlacement(PlacementClass::sheared, random, 0.5);
    const Transform motion = randomPlacement(PlacementClass::rigid, random, 1000);
    CHECK(sameAnswer(intersect({a, {}}, {b, relative}), intersect({a, motion}, {b, motion * relative})));
  }
}

TEST_CASE("whole translations and quarter turns of both keep exact contact", "[query][laws]") {
  Random random(62);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const ModelPtr a = modelOf(latticeSoup(40, 2 * seed, 3, 3)),
                   b = modelOf(latticeSoup(30, 2 * seed + 1, 3, 2));
    const Transform relative = randomPlacement(PlacementClass::quarterTurn, random, 2);
    const Transform motion = randomPlacement(PlacementClass::quarterTurn, random, 1000);
    const IntersectionReport still = intersect({a, {}}, {b, relative});
    CHECK(sameAnswer(still, intersect({a, motion}, {b, motion * relative})));
  }
}

TEST_CASE("scaled scenes", "[query][laws]") {
  for (double factor : {1000.0, 0.001, 0x1p40, 0x1p-40, 0x1p-90, 0x1p90})
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const MeshPtr a = soup(40, 2 * seed, 0.7, 3), b = latticeSoup(30, 2 * seed + 1, 2, 2);
      Random random(seed);
      Transform relative = randomPlacement(allPlacementClasses[seed % 7], random, 0.5);
      const IntersectionReport unscaled = intersect({modelOf(a), {}}, {modelOf(b), relative});
      const Transform scale = Transform::scaling(factor, factor, factor);
      const ModelPtr bigA = modelOf(transformed(a, scale)), bigB = modelOf(transformed(b, scale));
      relative.t = relative.t * factor;
      INFO("factor " << factor << ", seed " << seed);
      CHECK(problemOfPair({bigA, {}}, {bigB, relative}) == "");
      // Powers of two change no bit of any mantissa.
      int exponent = 0;
      if (std::frexp(factor, &exponent) == 0.5)
        CHECK(sameAnswer(intersect({bigA, {}}, {bigB, relative}), unscaled));
    }
}

TEST_CASE("far from the origin", "[query][laws]") {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    Random random(seed);
    const double distance = seed % 2 == 0 ? 1e6 : 1e9;
    const Vec3 offset = random.inCube(distance);
    const Vec3 whole{std::nearbyint(offset.x), std::nearbyint(offset.y), std::nearbyint(offset.z)};
    const MeshPtr a = latticeSoup(40, 2 * seed, 2, 3), b = latticeSoup(30, 2 * seed + 1, 2, 2);
    const IntersectionReport near = intersect({modelOf(a), {}}, {modelOf(b), {}});
    // In their part frames, and by their placements: whole numbers stay exact either way.
    const ModelPtr farA = modelOf(transformed(a, Transform::translation(whole)));
    const ModelPtr farB = modelOf(transformed(b, Transform::translation(whole)));
    INFO("seed " << seed);
    CHECK(problemOfPair({farA, {}}, {farB, {}}) == "");
    CHECK(sameAnswer(intersect({farA, {}}, {farB, {}}), near));
    const Transform there = Transform::translation(whole);
    CHECK(sameAnswer(intersect({modelOf(a), there}, {modelOf(b), there}), near));
    CHECK(sameAnswer(intersect({farA, {}}, {modelOf(b), there}), near));
    const Transform turned = randomPlacement(PlacementClass::rigid, random, distance);
    CHECK(problemOfPair({farA, turned}, {farB, turned}) == "");
  }
}

TEST_CASE("one model twice", "[query][laws]") {
  for (const MeshPtr& mesh :
       {soup(60, 3, 0.6, 4), latticeSoup(50, 4, 2, 3), sixSidedBox(1, 2, 3, 2), degenerateSet()}) {
    const ModelPtr model = modelOf(mesh);
    Random random(5);
    const Transform pose = randomPlacement(PlacementClass::rigid, random, 3);
    for (const Transform& t : {Transform{}, pose}) {
      CHECK(problemOfPair({model, t}, {model, t}) == "");
      // In equal placements, every triangle meets itself.
      const IntersectionReport report = intersect({model, {}}, {model, {}});
      for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i)
        CHECK(std::binary_search(report.trianglePairs.begin(), report.trianglePairs.end(),
                                 TrianglePair{TriangleId(i), TriangleId(i)}));
    }
    CHECK(problemOfPair({model, {}}, {model, pose}) == "");
    // Equal contents in two models, and equal counts with different contents: roles must not depend on the
    // order.
    const ModelPtr twin = modelOf(transformed(mesh, {}));
    CHECK(problemOfPair({model, pose}, {twin, {}}) == "");
    const ModelPtr other = modelOf(transformed(mesh, Transform::scaling(1, 1, 1.5)));
    CHECK(problemOfPair({model, pose}, {other, {}}) == "");
  }
}

TEST_CASE("exchanging a report keeps witnesses beside their surfaces and sorts all pairs", "[query][laws]") {
  // As many pairs of triangles as of surfaces, so that only the mode distinguishes the two lists.
  IntersectionReport report;
  report.surfacePairs = {{SurfaceId(0), SurfaceId(5)}, {SurfaceId(1), SurfaceId(5)}};
  report.trianglePairs = {{TriangleId(10), TriangleId(52)}, {TriangleId(20), TriangleId(51)}};
  const std::vector<SurfacePair> surfaces{{SurfaceId(5), SurfaceId(0)}, {SurfaceId(5), SurfaceId(1)}};
  const TrianglePair p{TriangleId(52), TriangleId(10)}, q{TriangleId(51), TriangleId(20)};
  CHECK(report.swapped().surfacePairs == surfaces);
  CHECK(report.swapped().trianglePairs == std::vector{q, p});
  report.mode = QueryMode::allSurfacePairs;
  CHECK(report.swapped().surfacePairs == surfaces);
  CHECK(report.swapped().trianglePairs == std::vector{p, q});
}

TEST_CASE("models may be queried from many threads at once", "[query][threads]") {
  const ModelPtr a = modelOf(sixSidedBox(1.6, 1.6, 1.6, 8)), b = modelOf(icosphere(1, 3));
  constexpr std::size_t threads = 4, poses = 25;
  std::vector<Transform> placements;
  std::vector<IntersectionReport> expected;
  Random random(64);
  for (std::size_t i = 0; i < poses; ++i) {
    placements.push_back(randomPlacement(PlacementClass::rigid, random, 0.5));
    expected.push_back(intersect({a, {}}, {b, placements.back()}));
  }
  std::vector<int> wrong(threads);
  {
    std::vector<std::jthread> pool;
    for (std::size_t t = 0; t < threads; ++t)
      pool.emplace_back([&, t] {
        QueryContext context;
        for (std::size_t i = 0; i < poses; ++i) {
          const std::size_t k = (i + t * 7) % poses;
          wrong[t] += !sameAnswer(intersect({a, {}}, {b, placements[k]}, {}, context), expected[k]);
        }
      });
  }
  CHECK(wrong == std::vector<int>(threads));
}

TEST_CASE("empty meshes meet nothing", "[query]") {
  const ModelPtr nothing = modelOf(emptyMesh()), cube = modelOf(box(1, 1, 1));
  CHECK(problemOfPair({nothing, {}}, {cube, {}}) == "");
  CHECK(problemOfPair({nothing, {}}, {nothing, {}}) == "");
  CHECK_FALSE(intersect({nothing, {}}, {cube, {}}).intersects());
}

}  // namespace intersect_tests
