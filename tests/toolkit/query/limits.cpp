#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <stop_token>
#include <thread>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/hierarchy/detail/tree_caching.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>
#include <fitup/query/pair_frame.h>
#include <fitup/query/penetration.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace limits_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr OverlapBoxSetting settings[] = {OverlapBoxSetting::on, OverlapBoxSetting::off,
                                          OverlapBoxSetting::classical};

struct Pair {
  ModelPtr a = modelOf(soup(80, 1, 1.2, 5)), b = modelOf(soup(70, 2, 1.2, 4));
  PosedModel first() const { return {a, {}}; }
  PosedModel second() const { return {b, {}}; }
};

std::string problemOfSubset(const IntersectionReport& report, const IntersectionReport& all) {
  if (!std::is_sorted(report.surfacePairs.begin(), report.surfacePairs.end())) return "not sorted";
  for (const TrianglePair& p : report.trianglePairs)  // witnesses are in the order of their surfaces
    if (!std::binary_search(all.trianglePairs.begin(), all.trianglePairs.end(), p))
      return "invented a triangle pair";
  if (!std::includes(all.surfacePairs.begin(), all.surfacePairs.end(), report.surfacePairs.begin(),
                     report.surfacePairs.end()))
    return "invented a surface pair";
  return {};
}

}  // namespace

TEST_CASE("a pair limit cuts the report and says so", "[query][limits]") {
  const Pair p;
  const IntersectionReport all = intersect(p.first(), p.second());
  REQUIRE(all.trianglePairs.size() > 50);
  REQUIRE(all.surfacePairs.size() > 5);
  for (QueryMode mode : {QueryMode::allTrianglePairs, QueryMode::allSurfacePairs})
    for (OverlapBoxSetting setting : settings) {
      const std::size_t total =
          mode == QueryMode::allTrianglePairs ? all.trianglePairs.size() : all.surfacePairs.size();
      for (std::size_t limit :
           {std::size_t{0}, std::size_t{1}, std::size_t{2}, total - 1, total, total + 1}) {
        IntersectionRequest request{.mode = mode, .overlapBox = setting};
        request.limits.maxPairs = limit;
        for (const IntersectionReport& report :
             {intersect(p.first(), p.second(), request), bruteForce(p.first(), p.second(), request)}) {
          INFO(name(mode) << ", overlap box " << name(setting) << ", limit " << limit << " of " << total);
          const std::size_t size =
              mode == QueryMode::allTrianglePairs ? report.trianglePairs.size() : report.surfacePairs.size();
          CHECK(size == std::min(limit, total));
          CHECK(report.status == (limit < total ? ReportStatus::truncated : ReportStatus::complete));
          CHECK(problemOfSubset(report, all) == "");
          for (const TrianglePair& t : report.trianglePairs)
            CHECK(std::binary_search(report.surfacePairs.begin(), report.surfacePairs.end(),
                                     SurfacePair{p.a->mesh().surfaceOf(t.a), p.b->mesh().surfaceOf(t.b)}));
        }
      }
    }
}

TEST_CASE("a limited report is the same with exchanged arguments", "[query][limits]") {
  const Pair p;
  for (QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
    for (OverlapBoxSetting setting : settings)
      for (std::size_t limit : {1, 3, 7}) {
        IntersectionRequest request{.mode = mode, .overlapBox = setting};
        request.limits.maxPairs = limit;
        const IntersectionReport there = intersect(p.first(), p.second(), request);
        const IntersectionReport back = intersect(p.second(), p.first(), request);
        CHECK(sameAnswer(there.swapped(), back));
        CHECK(there.stats == back.stats);
      }
}

TEST_CASE("no time at all: truncated", "[query][limits]") {
  const Pair p;
  const IntersectionReport all = intersect(p.first(), p.second());
  for (QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
    for (OverlapBoxSetting setting : settings) {
      IntersectionRequest request{.mode = mode, .overlapBox = setting};
      request.limits.timeBudget = std::chrono::nanoseconds(0);
      const IntersectionReport report = intersect(p.first(), p.second(), request);
      CHECK(report.status == ReportStatus::truncated);
      CHECK(problemOfSubset(report, all) == "");
      CHECK(bruteForce(p.first(), p.second(), request).status == ReportStatus::truncated);
      request.limits.timeBudget = std::chrono::hours(1);
      CHECK(intersect(p.first(), p.second(), request).status == ReportStatus::complete);
    }
}

TEST_CASE("cancelled before the start: cancelled", "[query][limits]") {
  const Pair p;
  const IntersectionReport all = intersect(p.first(), p.second());
  for (QueryMode mode :
       {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
    for (OverlapBoxSetting setting : settings) {
      std::stop_source source;
      IntersectionRequest request{.mode = mode, .overlapBox = setting};
      request.limits.cancel = source.get_token();
      CHECK(intersect(p.first(), p.second(), request).status == ReportStatus::complete);
      source.request_stop();
      const IntersectionReport report = intersect(p.first(), p.second(), request);
      CHECK(report.status == ReportStatus::cancelled);
      CHECK(problemOfSubset(report, all) == "");
      CHECK(bruteForce(p.first(), p.second(), request).status == ReportStatus::cancelled);
      // The same context afterwards answers as if nothing had happened.
      QueryContext context;
      (void)intersect(p.first(), p.second(), request, context);
      CHECK(sameAnswer(intersect(p.first(), p.second(), {}, context), all));
    }
}

TEST_CASE("stopped on the way: a true part of the answer", "[query][limits]") {
  const ModelPtr a = modelOf(icosphere(1, 4)), b = modelOf(icosphere(1.0005, 4));
  const PosedModel first{a, {}}, second{b, Transform::rotation({1, 2, 3}, 0.1)};
  const IntersectionReport all = intersect(first, second);
  for (OverlapBoxSetting setting : settings)
    for (int microseconds : {50, 200, 1000}) {
      IntersectionRequest request{.overlapBox = setting};
      request.limits.timeBudget = std::chrono::microseconds(microseconds);
      const IntersectionReport inTime = intersect(first, second, request);
      CHECK(inTime.status != ReportStatus::cancelled);
      CHECK(problemOfSubset(inTime, all) == "");
      CHECK((inTime.status == ReportStatus::truncated || inTime.trianglePairs == all.trianglePairs));

      std::stop_source source;
      request.limits.timeBudget.reset();
      request.limits.cancel = source.get_token();
      const std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
        source.request_stop();
      });
      const IntersectionReport stopped = intersect(first, second, request);
      CHECK(stopped.status != ReportStatus::truncated);
      CHECK(problemOfSubset(stopped, all) == "");
      CHECK((stopped.status == ReportStatus::cancelled || stopped.trianglePairs == all.trianglePairs));
    }
}

// The query prefetches their memory; if they are even larger, pairs of nodes and leaves wait until it has
// arrived, and some still wait at the end.
TEST_CASE("trees larger than caches: other threads, other code and limits change nothing",
          "[query][limits][wide]") {
  const bool wait = GENERATE(false, true);
  const ModelPtr a = modelOf(wait ? uvSphere(1, 320, 160, 8) : uvSphere(1, 160, 80, 8)),
                 b = modelOf(wait ? uvSphere(1.00002, 300, 180, 5) : uvSphere(1.00002, 150, 90, 5));
  REQUIRE_FALSE(detail::areNearby(a->wide(), b->wide()));
  REQUIRE(detail::usePrefetchQueue(a->wide(), b->wide()) == wait);
  const PosedModel first{a, {}}, second{b, Transform::rotation({1, 2, 3}, 0.1)};
  const IntersectionReport all = intersect(first, second);
  const std::size_t total = all.trianglePairs.size();
  REQUIRE(total > 1000);
  REQUIRE(all.surfacePairs.size() > 10);
  CHECK(intersect(first, second, {.hierarchy = HierarchyKind::scd}).trianglePairs == all.trianglePairs);
  CHECK(sameAnswer(intersect(first, second, {.vectorUse = VectorUse::scalar}), all));
  for (unsigned threads : {2U, 4U}) CHECK(sameAnswer(intersect(first, second, {.threads = threads}), all));
  CHECK(sameAnswer(intersect(second, first).swapped(), all));
  const IntersectionReport surfaces = intersect(first, second, {.mode = QueryMode::allSurfacePairs});
  CHECK(surfaces.surfacePairs == all.surfacePairs);
  CHECK(intersect(first, second, {.mode = QueryMode::firstSurfacePair}).intersects());

  for (std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65},
                            total - 1, total, total + 1}) {
    INFO("limit " << limit << " of " << total);
    IntersectionRequest request;
    request.limits.maxPairs = limit;
    const IntersectionReport report = intersect(first, second, request);
    CHECK(report.trianglePairs.size() == std::min(limit, total));
    CHECK(report.status == (limit < total ? ReportStatus::truncated : ReportStatus::complete));
    CHECK(problemOfSubset(report, all) == "");
    CHECK(sameAnswer(intersect(second, first, request).swapped(), report));
  }
  // Stopped between any two pairs of nodes, a context starts afresh.
  QueryContext context;
  std::size_t truncated = 0;
  for (int microseconds : {20, 200, 2000}) {
    IntersectionRequest request;
    request.limits.timeBudget = std::chrono::microseconds(microseconds);
    const IntersectionReport report = intersect(first, second, request, context);
    CHECK(problemOfSubset(report, all) == "");
    if (report.status == ReportStatus::truncated)
      ++truncated;
    else
      CHECK(report.trianglePairs == all.trianglePairs);
    CHECK(sameAnswer(intersect(first, second, {}, context), all));
  }
  CHECK(truncated > 0);
}

TEST_CASE("placements that cannot be answered", "[query][limits]") {
  const Pair p;
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const auto throwsPlacement = [&](const Transform& bad) {
    CHECK_THROWS_AS(intersect({p.a, bad}, p.second()), PlacementError);
    CHECK_THROWS_AS(intersect({p.a, {}}, {p.b, bad}), PlacementError);
    CHECK_THROWS_AS(bruteForce({p.a, bad}, p.second()), PlacementError);
    CHECK_THROWS_AS(bruteForce({p.a, {}}, {p.b, bad}), PlacementError);
    CHECK_THROWS_AS(PairFrame::of({p.a, bad}, {p.b, bad}), PlacementError);
  };
  throwsPlacement(Transform::scaling(1, 1, 0));
  Transform flat;
  flat.m = {{{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}};
  throwsPlacement(flat);
  for (double bad : {nan, infinity, -infinity}) {
    for (int k = 0; k < 3; ++k) {
      Transform t;
      t.t[k] = bad;
      throwsPlacement(t);
      Transform m;
      m.m[static_cast<std::size_t>(k)][1] = bad;
      throwsPlacement(m);
    }
  }
  // Also for empty meshes, whose answer would need no placement.
  const ModelPtr nothing = modelOf(emptyMesh());
  CHECK_THROWS_AS(intersect({nothing, flat}, p.second()), PlacementError);
}

TEST_CASE("placements outside the exact range", "[query][limits]") {
  const Pair p;
  const auto throwsRange = [&](const Transform& bad) {
    CHECK_THROWS_AS(intersect(p.first(), {p.b, bad}), RangeError);
    CHECK_THROWS_AS(intersect({p.a, bad}, p.second()), RangeError);
    CHECK_THROWS_AS(bruteForce(p.first(), {p.b, bad}), RangeError);
  };
  throwsRange(Transform::translation({4 * limits::largestTranslation, 0, 0}));
  throwsRange(Transform::translation({0, 0, -4 * limits::largestTranslation}));
  const double s = 4 * limits::largest;
  CHECK_THROWS_AS(intersect(p.first(), {p.b, Transform::scaling(s, s, s)}), RangeError);
  // In the other order, every entry of aFromB is below the range and counts as zero: a singular placement.
  CHECK_THROWS_AS(intersect({p.a, Transform::scaling(s, s, s)}, p.second()), PlacementError);
  CHECK_NOTHROW(intersect(p.first(), {p.b, Transform::translation({limits::largestTranslation / 4, 0, 0})}));
  // The pair matters, not the world: if both are far away, they are near each other.
  const Transform far = Transform::translation({0x1p200, 0, 0});
  CHECK(intersect({p.a, far}, {p.b, far}).intersects());
  // Entries too small for exactness count as zero.
  const double tiny = limits::smallest / 16;
  Transform almost;
  almost.m[0][1] = tiny;
  almost.t.x = limits::smallestTranslation / 16;
  CHECK(sameAnswer(intersect(p.first(), {p.b, almost}), intersect(p.first(), p.second())));
}

TEST_CASE("laws: a search for depth looks around every few pieces, and what it finds does not depend on it",
          "[query][laws][limits]") {
  const MeshPtr ball = icosphere(1, 3), block = sixSidedBox(2, 2, 2, 3), bar = cylinder(0.5, 4, 40);
  struct Pair {
    MeshPtr a, b;
    Transform at;
    double depth;
  };
  const Pair pairs[] = {
      {ball, ball, shift(1.2, 0.1, 0), 0.2},
      {ball, ball, shift(0.003, 0.001, 0), 0.01},
      {block, block, shift(1.98, 0.3, 0.1) * Transform::rotation({1, 2, 3}, 0.01), 0.05},
      {block, bar, Transform::rotation({1, 0, 0}, 0.3), 0.4},
      {bar, bar, Transform::rotation({0, 0, 1}, 0.05), 0.02},
      {bar, bar, shift(0.3, 0, 0) * Transform::rotation({1, 0, 0}, 1.2), 0.3},
  };
  std::size_t pieces = 0;
  for (const Pair& pair : pairs)
    for (const bool regions : {false, true}) {
      const BodyPtr a = bodyOf(pair.a), b = bodyOf(pair.b);
      PenetrationRequest request;
      request.deeperThan = pair.depth;
      request.regions = regions;
      const PenetrationReport without = penetration({a, {}}, {b, pair.at}, request);
      std::size_t looks = 0;
      request.limits.onLook = [&] { ++looks; };
      const PenetrationReport report = penetration({a, {}}, {b, pair.at}, request);
      CAPTURE(&pair - pairs, regions, report.pieces, looks);
      CHECK(report.pieces == without.pieces);
      CHECK(report.depth() == without.depth());
      pieces += report.pieces;
      CHECK(report.pieces <= 16 * looks);
      request.limits.onLook = [left = looks / 2]() mutable {
        if (left-- == 0) throw CancelledError();
      };
      CHECK_THROWS_AS(penetration({a, {}}, {b, pair.at}, request), CancelledError);
    }
  CHECK(pieces > 10'000);
}

}  // namespace limits_tests
