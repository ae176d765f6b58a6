#include <algorithm>
#include <catch2/catch.hpp>

#include <fitup/base/borrowed.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/intersect.h>

#include "support/boxes_apart.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace coherence_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

SurfacePair surfacesOf(const CollisionModel& a, const CollisionModel& b, const TrianglePair& pair) {
  return {a.mesh().surfaceOf(pair.a), b.mesh().surfaceOf(pair.b)};
}

/// Drags `b` against `a` in small steps with occasional jumps; every answer must equal one without memory.
/// Counts the answers that needed no box test, to show that the memory was useful.
struct Drag {
  int hits = 0, misses = 0, recalledHits = 0, recalledMisses = 0;
};

Drag drag(const CollisionModel& a, const CollisionModel& b, std::uint64_t seed, double step,
          const Transform& shape = {}) {
  Drag counts;
  Random random(seed);
  QueryContext coherent, plain;
  Transform pose = Transform::translation({2.5, 0.1, 0.2});
  for (int k = 0; k < 300; ++k) {
    if (k % 60 == 59) {
      pose = randomPlacement(PlacementClass::rigid, random, 1.5);
    } else {
      const Vec3 axis{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
      const Vec3 toCentre = pose.t * (-0.4 * step);
      const Vec3 shift{random.between(-step, step), random.between(-step, step), random.between(-step, step)};
      pose = Transform::translation(shift + toCentre) * pose * Transform::rotation(axis, step * 0.3);
    }
    const PosedModel first{borrowed(a), {}}, second{borrowed(b), pose * shape};
    const IntersectionReport all = intersect(first, second, {.hierarchy = HierarchyKind::scd}, plain);
    // Other questions in between do not change the memory.
    if (k % 4 == 1)
      for (const QueryMode mode :
           {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
        REQUIRE(intersect(first, {borrowed(b), pose * Transform::translation({0.3, 0, 0}) * shape},
                          {.mode = mode}, coherent)
                    .status == ReportStatus::complete);
    IntersectionRequest request{.mode = QueryMode::firstSurfacePair};
    request.coherence = Coherence::on;
    request.vectorUse = k % 2 == 0 ? VectorUse::best : VectorUse::scalar;
    // Either order of the arguments belongs to the same drag.
    const IntersectionReport report = k % 3 == 0 ? intersect(second, first, request, coherent).swapped()
                                                 : intersect(first, second, request, coherent);
    INFO("step " << k);
    REQUIRE(report.status == ReportStatus::complete);
    REQUIRE(report.intersects() == all.intersects());
    REQUIRE(report.trianglePairs.size() == report.surfacePairs.size());
    if (report.intersects()) {
      ++counts.hits;
      counts.recalledHits += report.stats.boxTests == 0;
      REQUIRE(std::binary_search(all.trianglePairs.begin(), all.trianglePairs.end(),
                                 report.trianglePairs.front()));
      REQUIRE(report.surfacePairs.front() == surfacesOf(a, b, report.trianglePairs.front()));
    } else if (!boxesApart(first, second)) {  // separated boxes need no memory
      ++counts.misses;
      counts.recalledMisses += report.stats.boxTests == 0;
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("a dragged part's first pair is as true with memory as without", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 3)), cube = modelOf(sixSidedBox(1.2, 1.4, 1.3, 8)),
                 rods = modelOf(lShape(1.5, 0.5));
  Drag sum;
  for (const double step : {0.002, 0.02, 0.2})
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
      for (const auto& [a, b] : {std::pair(ball, cube), std::pair(cube, rods), std::pair(ball, rods)}) {
        const Drag d = drag(*a, *b, seed, step);
        sum.hits += d.hits;
        sum.misses += d.misses;
        sum.recalledHits += d.recalledHits;
        sum.recalledMisses += d.recalledMisses;
      }
  CHECK(sum.hits > 500);
  CHECK(sum.misses > 300);
  CHECK(sum.recalledHits > sum.hits / 4);
  CHECK(sum.recalledMisses > sum.misses / 4);
}

TEST_CASE("memory of mirrored and sheared parts is true too", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 2)), cube = modelOf(sixSidedBox(1.2, 1.4, 1.3, 4));
  Transform mirror, shear;
  mirror.m[0][0] = -1;
  shear.m[0][1] = 0.7;
  for (const Transform& shape : {mirror, shear, Transform::scaling(0.5, 1.5, 2)})
    for (const double step : {0.01, 0.1}) {
      const Drag d = drag(*ball, *cube, 5, step, shape);
      CHECK(d.hits > 0);
      CHECK(d.misses > 0);
    }
}

TEST_CASE("a context that is handed to another pair forgets", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 2)), small = modelOf(icosphere(0.5, 2)),
                 cube = modelOf(sixSidedBox(1, 1, 1, 4));
  QueryContext context;
  IntersectionRequest request{.mode = QueryMode::firstSurfacePair};
  request.coherence = Coherence::on;
  const Transform there = Transform::translation({1.2, 0, 0});
  for (int k = 0; k < 4; ++k) {
    CHECK(intersect({ball, {}}, {cube, there}, request, context).intersects());
    CHECK_FALSE(intersect({small, {}}, {cube, there}, request, context).intersects());
    CHECK_FALSE(intersect({small, {}}, {cube, there}, request, context).intersects());
    CHECK_FALSE(
        intersect({ball, {}}, {cube, Transform::translation({9, 0, 0})}, request, context).intersects());
  }
}

TEST_CASE("a query that several threads share gives the same report", "[query][laws]") {
  const ModelPtr ball = modelOf(icosphere(1, 5)), other = modelOf(uvSphere(0.9, 120, 80, 12));
  QueryContext context;
  Random random(4);
  for (int k = 0; k < 6; ++k) {
    const PosedModel a{ball, {}}, b{other, randomPlacement(PlacementClass::rigid, random, 0.6)};
    for (const QueryMode mode : {QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
      for (const VectorUse vectors : {VectorUse::best, VectorUse::scalar}) {
        const IntersectionReport one = intersect(a, b, {.mode = mode, .vectorUse = vectors}, context);
        REQUIRE(one.intersects());
        for (const unsigned threads : {2U, 4U, 0U}) {
          const IntersectionReport shared =
              intersect(a, b, {.mode = mode, .vectorUse = vectors, .threads = threads}, context);
          CHECK(shared.status == ReportStatus::complete);
          CHECK(shared.surfacePairs == one.surfacePairs);
          CHECK(shared.trianglePairs.size() == one.trianglePairs.size());
          if (mode == QueryMode::allTrianglePairs) {
            CHECK(shared.trianglePairs == one.trianglePairs);
            continue;
          }
          // A witness for each pair of surfaces, in either order of the parts.
          const IntersectionReport exchanged =
              intersect(b, a, {.mode = mode, .vectorUse = vectors, .threads = threads}, context).swapped();
          CHECK(exchanged.surfacePairs == one.surfacePairs);
          for (const IntersectionReport* report : {&one, &shared, &exchanged})
            for (std::size_t i = 0; i < report->surfacePairs.size(); ++i)
              REQUIRE(report->surfacePairs[i] == surfacesOf(*ball, *other, report->trianglePairs[i]));
        }
      }
  }
  // Limits end all of it.
  std::stop_source cancel;
  cancel.request_stop();
  IntersectionRequest request{.threads = 2};
  request.limits.cancel = cancel.get_token();
  CHECK(intersect({ball, {}}, {other, {}}, request, context).status == ReportStatus::cancelled);
  request.limits = {};
  request.limits.maxPairs = 3;
  const IntersectionReport limited =
      intersect({ball, {}}, {other, Transform::translation({0.3, 0, 0})}, request, context);
  CHECK(limited.status == ReportStatus::truncated);
  CHECK(limited.trianglePairs.size() == 3);
}

}  // namespace coherence_tests
