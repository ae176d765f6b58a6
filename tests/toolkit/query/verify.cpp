#include <fitup/query/verify.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/mesh/triangle_subset.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/reproduction.h>
#include <fitup/query/sort_and_sweep.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace verify_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

const OracleOptions sweepOnly{.bruteForceUpTo = 0, .cancel = {}};

IntersectionRequest inMode(QueryMode mode) {
  IntersectionRequest request;
  request.mode = mode;
  return request;
}

}  // namespace

TEST_CASE("sort and sweep answers as brute force does", "[query][verify]") {
  for (const PlacementClass kind : allPlacementClasses)
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      Random random(400 * static_cast<std::uint64_t>(kind) + seed);
      const ModelPtr a = modelOf(seed % 2 == 0 ? latticeSoup(40, random.next(), 3, 3)
                                               : soup(40, random.next(), 0.5, 3)),
                     b = modelOf(seed % 3 == 0 ? latticeSoup(30, random.next(), 3, 2)
                                               : soup(30, random.next(), 0.5, 2));
      const PosedModel p{a, randomPlacement(kind, random, 1)}, q{b, randomPlacement(kind, random, 1)};
      INFO("placement class " << int(kind) << ", seed " << seed);
      for (const QueryMode mode :
           {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs})
        for (const Touching touching : {Touching::include, Touching::exclude}) {
          IntersectionRequest request = inMode(mode);
          request.touching = touching;
          const IntersectionReport swept = sweepIntersect(p, q, request), all = bruteForce(p, q, request);
          CHECK(swept.intersects() == all.intersects());
          if (mode == QueryMode::allTrianglePairs) CHECK(sameAnswer(swept, all));
          if (mode != QueryMode::firstSurfacePair) CHECK(swept.surfacePairs == all.surfacePairs);
        }
      CHECK(sweepDistance(p, q).distance() ==
            Approx(bruteForceDistance(p, q).distance()).margin(distanceSlop(p, q)));
      const double clearance = 0.3;
      const SurfaceDistanceReport swept = sweepSurfacePairsWithin(p, q, clearance),
                                  all = bruteForceSurfacePairsWithin(p, q, clearance);
      REQUIRE(swept.pairs.size() == all.pairs.size());
      for (std::size_t i = 0; i < all.pairs.size(); ++i) {
        CHECK(swept.pairs[i].surfaces == all.pairs[i].surfaces);
        CHECK(swept.pairs[i].distance == all.pairs[i].distance);
      }
    }
  // Far apart, where the first bound decides how much is examined.
  const ModelPtr sphere = modelOf(icosphere(1, 3));
  const PosedModel p{sphere, {}}, q{sphere, shift(40, 3, 2)};
  const DistanceReport swept = sweepDistance(p, q);
  CHECK(swept.distance() == Approx(bruteForceDistance(p, q).distance()));
  CHECK(swept.stats.triangleDistances < 1280U * 1280U / 4);
}

TEST_CASE("verification accepts what is right and names what is not", "[query][verify]") {
  const ModelPtr a = modelOf(uvSphere(1, 16, 10, 4)), b = modelOf(sixSidedBox(1.5, 1.5, 1.5, 3));
  const PosedModel p{a, {}}, q{b, shift(0.9, 0.2, 0.1)};
  for (const OracleOptions& oracle : {OracleOptions{}, sweepOnly})
    for (const QueryMode mode :
         {QueryMode::firstSurfacePair, QueryMode::allSurfacePairs, QueryMode::allTrianglePairs}) {
      INFO(name(mode));
      const IntersectionRequest request = inMode(mode);
      const IntersectionReport right = intersect(p, q, request);
      REQUIRE(right.trianglePairs.size() > (mode == QueryMode::firstSurfacePair ? 0 : 2));
      CHECK_FALSE(verifyIntersection(p, q, request, right, oracle));

      IntersectionReport missing = right;
      if (mode == QueryMode::allTrianglePairs) {
        // The pair of surfaces stays: others of their triangles intersect.
        for (std::size_t i = 0; i + 1 < missing.trianglePairs.size(); ++i) {
          const TrianglePair removed = missing.trianglePairs[i];
          const auto surfaces = [&](const TrianglePair& t) {
            return SurfacePair{a->mesh().surfaceOf(t.a), b->mesh().surfaceOf(t.b)};
          };
          const auto of = surfaces(removed);
          const auto sames = std::count_if(right.trianglePairs.begin(), right.trianglePairs.end(),
                                           [&](const TrianglePair& t) { return surfaces(t) == of; });
          if (sames < 2) continue;
          missing.trianglePairs.erase(missing.trianglePairs.begin() + static_cast<std::ptrdiff_t>(i));
          const auto found = verifyIntersection(p, q, request, missing, oracle);
          REQUIRE(found);
          CHECK(found->problem.starts_with("missed: 1 pair of triangles"));
          CHECK(found->triangles == std::vector{removed});
          break;
        }
        CHECK(missing.trianglePairs.size() + 1 == right.trianglePairs.size());
      } else {
        missing.surfacePairs.erase(missing.surfacePairs.begin());
        missing.trianglePairs.erase(missing.trianglePairs.begin());
        const auto found = verifyIntersection(p, q, request, missing, oracle);
        REQUIRE(found);
        CHECK(found->problem.starts_with("missed: "));
        CHECK_FALSE(found->triangles.empty());
      }
      // Of a report that was cut short, only its contents are checked.
      missing.status = ReportStatus::truncated;
      CHECK_FALSE(verifyIntersection(p, q, request, missing, oracle));

      // A pair that does not intersect, in place of one of the same surfaces.
      IntersectionReport invented = right;
      bool replaced = false;
      for (std::uint32_t i = 0; i < a->mesh().triangleCount() && !replaced; ++i) {
        const TrianglePair candidate{TriangleId{i}, invented.trianglePairs.front().b};
        if (a->mesh().surfaceOf(candidate.a) != a->mesh().surfaceOf(invented.trianglePairs.front().a))
          continue;
        const auto all = bruteForce(p, q).trianglePairs;
        if (std::binary_search(all.begin(), all.end(), candidate)) continue;
        if (mode == QueryMode::allTrianglePairs) {
          invented.trianglePairs.push_back(candidate);
          std::sort(invented.trianglePairs.begin(), invented.trianglePairs.end());
        } else {
          invented.trianglePairs.front() = candidate;
        }
        replaced = true;
        const auto found = verifyIntersection(p, q, request, invented, oracle);
        REQUIRE(found);
        CHECK(found->problem.starts_with("invented: 1 pair"));
        CHECK(found->triangles == std::vector{candidate});
      }
      CHECK(replaced);
    }
  // Reports that contradict themselves.
  const IntersectionRequest request;
  IntersectionReport unsorted = intersect(p, q, request);
  std::swap(unsorted.trianglePairs.front(), unsorted.trianglePairs.back());
  CHECK(verifyIntersection(p, q, request, unsorted));
  IntersectionReport noSuch = intersect(p, q, request);
  noSuch.trianglePairs.push_back({TriangleId{100000}, TriangleId{0}});
  CHECK(verifyIntersection(p, q, request, noSuch)->problem.find("do not exist") != std::string::npos);
}

TEST_CASE("a wrong distance is found", "[query][verify]") {
  const ModelPtr a = modelOf(icosphere(1, 2)), b = modelOf(sixSidedBox(1, 1, 1, 2));
  const PosedModel p{a, {}}, q{b, shift(2.5, 0.3, 0.2)};
  for (const OracleOptions& oracle : {OracleOptions{}, sweepOnly}) {
    const DistanceReport right = distance(p, q);
    REQUIRE(right.distance() > 0.5);
    CHECK_FALSE(verifyDistance(p, q, {}, right, oracle));
    // Another pair of triangles, correctly measured, but not the nearest.
    DistanceReport farther;
    DistanceRequest request;
    QueryContext context;
    for (std::uint32_t s = 0; s < 6 && !farther.nearest; ++s) {
      const DistanceReport other = distance(p, q, SurfacePair{SurfaceId{0}, SurfaceId{s}}, request, context);
      if (other.distance() > right.distance() + 0.1) farther = other;
    }
    REQUIRE(farther.nearest);
    auto found = verifyDistance(p, q, {}, farther, oracle);
    REQUIRE(found);
    CHECK(found->problem.starts_with("nearer triangles"));
    DistanceReport reported = right;
    reported.nearest->distance *= 0.9;
    CHECK(verifyDistance(p, q, {}, reported, oracle));
    // Within a distance: any pair near enough, or none.
    DistanceRequest within;
    within.within = 10;
    CHECK_FALSE(verifyDistance(p, q, within, farther, oracle));
    CHECK(verifyDistance(p, q, within, DistanceReport{}, oracle));
    within.within = 0.9 * right.distance();
    CHECK_FALSE(verifyDistance(p, q, within, DistanceReport{}, oracle));
    CHECK(verifyDistance(p, q, within, right, oracle));

    const double clearance = 1.6;
    SurfaceDistanceReport list = surfacePairsWithin(p, q, clearance, {}, context);
    REQUIRE(list.pairs.size() >= 2);
    CHECK_FALSE(verifySurfaceDistances(p, q, clearance, {}, list, oracle));
    list.pairs.pop_back();
    CHECK(verifySurfaceDistances(p, q, clearance, {}, list, oracle)->problem.starts_with("missed"));
  }
}

TEST_CASE("a wrong verdict is found", "[query][verify]") {
  const BodyPtr base = bodyOf(sixSidedBox(40, 30, 10, 4)), cover = bodyOf(icosphere(5, 2)),
                sheet = bodyOf(flatSheet(3, 3));
  const VerdictRequest request{.tolerance = 0.2};
  const PosedSolid a{base, {}};
  const auto at = [&](double z) { return PosedSolid{cover, shift(1, 2, z)}; };
  for (const double z : {2.0, 8.0, 9.9, 10.0, 10.1, 13.0, 0.0}) {
    INFO("z " << z);
    const VerdictReport right = verdict(a, at(z), request);
    const VerdictCheck check = verifyVerdict(a, at(z), request, right);
    CHECK_FALSE(check.discrepancy);
    if (z < 9) CHECK(check.samples > 0);
    VerdictReport wrong = right;
    wrong.verdict = right.verdict == Verdict::clear ? Verdict::contact : Verdict::clear;
    wrong.distance.reset();
    CHECK(verifyVerdict(a, at(z), request, wrong).discrepancy);
    if (right.verdict != Verdict::clash) continue;
    // Too shallow, and too deep.
    wrong = right;
    *wrong.depth = wrong.regions.front().depth = 0.9 * *right.depth;
    CHECK(verifyVerdict(a, at(z), request, wrong).discrepancy);
    wrong = right;
    *wrong.point = wrong.regions.front().point = *right.point + Vec3{0, 0, 0.5};
    CHECK(verifyVerdict(a, at(z), request, wrong).discrepancy);
  }
  // Copies of scaled parts are rounded again.
  for (const double scale : {1.0 / 3, 0.7, 1.3}) {
    INFO("scale " << scale);
    const PosedSolid scaled{cover,
                            shift(1, 2, 5 + 3 * scale) * Transform::scaling(scale, 1.1 * scale, scale)};
    const VerdictReport report = verdict(a, scaled, request);
    CHECK(report.verdict == Verdict::clash);
    CHECK_FALSE(verifyVerdict(a, scaled, request, report).discrepancy);
  }
  // Wholly inside, where surfaces do not show it: reported as clear.
  VerdictReport clear;
  clear.tolerance = 0.2;
  const BodyPtr small = bodyOf(icosphere(1, 1));
  const PosedSolid inside{small, shift(0, 0, 0)};
  CHECK_FALSE(verifyVerdict(a, inside, request, verdict(a, inside, request)).discrepancy);
  const auto found = verifyVerdict(a, inside, request, clear).discrepancy;
  REQUIRE(found);
  CHECK(found->problem.find("deep") != std::string::npos);
  // Open parts have no inside.
  const PosedSolid open{sheet, shift(0, 0, 20)};
  CHECK_FALSE(verifyVerdict(open, at(30), request, verdict(open, at(30), request)).discrepancy);
}

TEST_CASE("a subset keeps coordinates, sources and surfaces", "[mesh][verify]") {
  const MeshPtr mesh = sixSidedBox(1, 2, 3, 2);
  const std::vector<TriangleId> kept{TriangleId{3}, TriangleId{9}, TriangleId{40}};
  const TriangleMesh part = triangleSubset(*mesh, kept);
  REQUIRE(part.triangleCount() == 3);
  CHECK(part.surfaces().size() == 6);
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(part.sourceTriangle(TriangleId{i}) == mesh->sourceTriangle(kept[i]));
    CHECK(part.surfaceOf(TriangleId{i}) == mesh->surfaceOf(kept[i]));
    for (int k = 0; k < 3; ++k) CHECK(part.triangle(TriangleId{i}).v[k] == mesh->triangle(kept[i]).v[k]);
  }
  const std::vector<TriangleId> twice{TriangleId{3}, TriangleId{3}}, none{TriangleId{99}};
  CHECK_THROWS_AS(triangleSubset(*mesh, twice), InputError);
  CHECK_THROWS_AS(triangleSubset(*mesh, none), InputError);
}

TEST_CASE("a difference is cut down to the triangles that show it", "[query][verify]") {
  const ModelPtr a = modelOf(uvSphere(1, 16, 10, 4)), b = modelOf(sixSidedBox(1.5, 1.5, 1.5, 3));
  const PosedModel p{a, {}}, q{b, shift(0.9, 0.2, 0.1)};
  const IntersectionRequest request;
  // A query that loses the pairs of one triangle of the first part, identified by its source.
  const TriangleId lost = intersect(p, q, request).trianglePairs[5].a;
  const auto faulty = [&](const PosedModel& x, const PosedModel& y) {
    IntersectionReport report = intersect(x, y, request);
    std::erase_if(report.trianglePairs, [&](const TrianglePair& t) {
      return x.model->mesh().sourceTriangle(t.a) == a->mesh().sourceTriangle(lost);
    });
    report.surfacePairs.clear();
    for (const TrianglePair& t : report.trianglePairs)
      report.surfacePairs.push_back({x.model->mesh().surfaceOf(t.a), y.model->mesh().surfaceOf(t.b)});
    std::sort(report.surfacePairs.begin(), report.surfacePairs.end());
    report.surfacePairs.erase(std::unique(report.surfacePairs.begin(), report.surfacePairs.end()),
                              report.surfacePairs.end());
    return report;
  };
  const PairCheck check = [&](const PosedModel& x, const PosedModel& y) {
    return verifyIntersection(x, y, request, faulty(x, y));
  };
  Discrepancy known = *check(p, q);
  for (const bool hint : {true, false}) {
    if (!hint) known.triangles.clear();
    const Reproduction r = smallestReproduction(p, q, check, known);
    CHECK(r.comesBack);
    CHECK(r.status == ReportStatus::complete);
    REQUIRE(r.first->triangleCount() == 1);
    REQUIRE(r.second->triangleCount() == 1);
    CHECK(r.first->sourceTriangle(TriangleId{0}) == a->mesh().sourceTriangle(lost));
    CHECK(r.discrepancy.problem.starts_with("missed: 1 pair"));
    CHECK(r.worldFromSecond == q.worldFromPart);
  }
  // An error that needs two triangles of the first part together, wherever they are.
  const TriangleId one{7}, two{static_cast<std::uint32_t>(a->mesh().triangleCount()) - 3};
  const PairCheck needsTwo = [&](const PosedModel& x, const PosedModel& y) -> std::optional<Discrepancy> {
    int seen = 0;
    for (std::uint32_t i = 0; i < x.model->mesh().triangleCount(); ++i)
      seen += x.model->mesh().sourceTriangle(TriangleId{i}) == a->mesh().sourceTriangle(one) ||
              x.model->mesh().sourceTriangle(TriangleId{i}) == a->mesh().sourceTriangle(two);
    if (seen == 2 && y.model->mesh().triangleCount() >= 5) return Discrepancy{"both there", {}};
    return std::nullopt;
  };
  const Reproduction both = smallestReproduction(p, q, needsTwo, {"both there", {}});
  CHECK(both.first->triangleCount() == 2);
  CHECK(both.second->triangleCount() == 5);
  CHECK(smallestReproduction(p, q, needsTwo, {}, {}, 5).status == ReportStatus::truncated);

  // A wrong answer that was passed in does not recur.
  const PairCheck right = [&](const PosedModel& x, const PosedModel& y) {
    return verifyIntersection(x, y, request, intersect(x, y, request));
  };
  const Reproduction whole = smallestReproduction(p, q, right, {"handed in", {}});
  CHECK_FALSE(whole.comesBack);
  CHECK(whole.first->triangleCount() == a->mesh().triangleCount());
  CHECK(whole.discrepancy.problem == "handed in");
}

}  // namespace verify_tests
