// Tests the vector code of each instruction set that this processor has, not only of the selected one,
// against the plain code.
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include <fitup/base/error.h>
#include <fitup/geometry/limits.h>
#include <fitup/hierarchy/detail/tree_caching.h>
#include <fitup/hierarchy/detail/wide_children.h>
#include <fitup/hierarchy/detail/wide_enclosure.h>
#include <fitup/hierarchy/detail/wide_task.h>
#include <fitup/query/detail/pair_preparation.h>
#include <fitup/query/detail/pair_sorter.h>
#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <models/placements.h>
#include <models/torus.h>

#include "support/only_target.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace wide_targets_tests {

using namespace fitup;
using test::OnlyTarget;

namespace {

/// Precondition: no padding.
template <typename T>
bool sameBits(const T& p, const T& q) {
  return std::memcmp(&p, &q, sizeof p) == 0;
}
/// Returns the supported instruction set that is closest to plain code.
std::int64_t plainTarget() {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(hwy::SupportedTargets())));
}

std::shared_ptr<const CollisionModel> torus(WideLayout layout) {
  models::TorusOptions options = models::smallTorus();
  options.patchesAround = 10;
  options.patchesAcross = 5;
  BuildOptions build;
  build.wide->layout = layout;
  return CollisionModel::build(std::make_shared<const TriangleMesh>(models::makeTorus(options)), build);
}

}  // namespace

TEST_CASE("every instruction set of this processor gives the plain code's answers", "[wide]") {
  const auto fast = torus(WideLayout::fast), compact = torus(WideLayout::compact);
  const std::vector<Transform> placements = models::randomPlacements(40, 3.8, 11);
  std::size_t sets = 0, pairs = 0, apart = 0;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    ++sets;
    for (const Transform& placement : placements)
      for (const auto& second : {fast, compact}) {
        const PosedModel a{fast, {}}, b{second, placement};
        IntersectionRequest request, plainly;
        plainly.vectorUse = VectorUse::scalar;
        for (const QueryMode mode :
             {QueryMode::allTrianglePairs, QueryMode::allSurfacePairs, QueryMode::firstSurfacePair}) {
          request.mode = plainly.mode = mode;
          const IntersectionReport report = intersect(a, b, request), plain = intersect(a, b, plainly);
          if (mode == QueryMode::firstSurfacePair)
            REQUIRE(report.intersects() == plain.intersects());
          else
            REQUIRE(report.surfacePairs == plain.surfacePairs);
          if (mode == QueryMode::allTrianglePairs) REQUIRE(report.trianglePairs == plain.trianglePairs);
          pairs += plain.trianglePairs.size();
        }
        DistanceRequest nearest, plainNearest;
        plainNearest.vectorUse = VectorUse::scalar;
        const double distance = fitup::distance(a, b, nearest).distance();
        // If pairs are equally near up to rounding, either may be found.
        REQUIRE(distance == Approx(fitup::distance(a, b, plainNearest).distance()).epsilon(0).margin(1e-13));
        apart += distance > 0;
      }
  }
  CHECK(sets > 0);
  CHECK(pairs > 1000);
  CHECK(apart > 10);
}

TEST_CASE("every instruction set answers for trees larger than caches", "[wide]") {
  const auto sphere = [](std::uint32_t slices, std::uint32_t stacks, double radius, WideLayout layout) {
    BuildOptions build;
    build.wide->layout = layout;
    build.add(HierarchyKind::scd);
    return CollisionModel::build(test::uvSphere(radius, slices, stacks, 5), build);
  };
  for (const bool wait : {false, true}) {
    const std::uint32_t slices = wait ? 320 : 160;
    const auto first = sphere(slices, slices / 2, 1, WideLayout::fast),
               second = sphere(slices - 10, slices / 2 + 10, 1.00002, WideLayout::fast),
               compact = sphere(slices - 10, slices / 2 + 10, 1.00002, WideLayout::compact);
    REQUIRE_FALSE(detail::areNearby(first->wide(), second->wide()));
    REQUIRE(detail::usePrefetchQueue(first->wide(), second->wide()) == wait);
    const Transform placement = Transform::rotation({1, 2, 3}, 0.1);
    const IntersectionReport expected =
        intersect({first, {}}, {second, placement}, {.hierarchy = HierarchyKind::scd});
    REQUIRE(expected.trianglePairs.size() > 1000);
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
      const std::int64_t target = rest & -rest;
      INFO(hwy::TargetName(target));
      const OnlyTarget only(target);
      for (const auto& other : {second, compact}) {
        const PosedModel a{first, {}}, b{other, placement};
        CHECK(intersect(a, b).trianglePairs == expected.trianglePairs);
        CHECK(intersect(a, b, {.mode = QueryMode::allSurfacePairs}).surfacePairs == expected.surfacePairs);
        CHECK(intersect(a, b, {.mode = QueryMode::firstSurfacePair}).intersects());
      }
    }
  }
}

TEST_CASE("every instruction set finds a hull's farthest corner", "[wide]") {
  const auto model = torus(WideLayout::fast);
  const PartHull& hull = model->hull();
  REQUIRE(hull.size() > 60);
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    // Along a corner's direction, each corner is farthest once, including those of the last vector and of
    // either chain.
    for (std::uint32_t i = 0; i < hull.size(); ++i) {
      const Vec3 way = normalized(hull.corner(i));
      const std::array<float, 3> d{static_cast<float>(way.x), static_cast<float>(way.y),
                                   static_cast<float>(way.z)};
      const PartHull::Farthest farthest = hull.farthest(d), plain = hull.farthest(d, VectorUse::scalar);
      REQUIRE(std::abs(farthest.reach - plain.reach) <= hull.slack());
      REQUIRE(hull.reach(d) == farthest.reach);
      REQUIRE(dot(hull.corner(farthest.corner), way) >= double{plain.reach} - hull.slack());
    }
  }
}

TEST_CASE("every instruction set places parts with the same bits", "[wide][query]") {
  // Far from their origins, so that confused coordinates show.
  const auto off = [](const Vec3& by, double size) {
    return test::modelOf(test::transformed(test::sixSidedBox(size, size, size), Transform::translation(by)));
  };
  const auto a = off({7, -3, 2}, 1), b = off({-1, 5, 9}, 3);
  const auto plainly = [](const PosedModel& posedA, const PosedModel& posedB) {
    const Transform &ofA = posedA.worldFromPart, &ofB = posedB.worldFromPart;
    const bool same = ofA == ofB;
    const Vec3 &originA = posedA.model->mesh().origin(), &originB = posedB.model->mesh().origin();
    Transform r = same ? Transform::translation(originB - originA) : ofA.inverse() * ofB;
    if (!same) r.t = r.apply(originB) - originA;
    for (auto& row : r.m)
      for (double& v : row) v = std::abs(v) < limits::smallest ? 0.0 : v;
    for (int i = 0; i < 3; ++i)
      if (std::abs(r.t[i]) < limits::smallestTranslation) r.t[i] = 0;
    return r;
  };
  test::Random random(5);
  std::vector<std::pair<Transform, Transform>> placements;
  for (int k = 0; k < 40; ++k)
    for (const test::PlacementClass first : test::allPlacementClasses)
      for (const test::PlacementClass second : test::allPlacementClasses) {
        const Transform ofA = test::randomPlacement(first, random, 20);
        placements.emplace_back(ofA, test::randomPlacement(second, random, 20));
        placements.emplace_back(ofA, Transform::translation(random.inCube(1)) * ofA);
        placements.emplace_back(ofA, ofA);
      }
  const auto turned = [](double by) {
    Transform f;
    f.m[0][1] = -by;
    f.m[1][0] = by;
    return f;
  };
  const Transform back = Transform::translation(a->mesh().origin() - b->mesh().origin());
  for (const double tiny : {0x1p-99, 0x1p-100, 0x1p-101, 0x1p-200, 0x1p-1060}) {
    placements.emplace_back(Transform{}, turned(tiny));
    placements.emplace_back(turned(tiny), Transform{});
    placements.emplace_back(Transform::translation({0, tiny, 0}), back);
    placements.emplace_back(back, Transform::translation({0, 0, tiny}));
  }
  for (const double large : {0x1p61, 0x1p99, 0x1p159}) {
    placements.emplace_back(Transform::translation({0, large, 0}), turned(0.25));
    placements.emplace_back(turned(0.25), Transform::translation({0, 0, large}));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    for (const auto& [ofFirst, ofSecond] : placements)
      // The same part plays A, so after the exchange each placement is A's once.
      for (const bool exchanged : {false, true}) {
        const PosedModel first{exchanged ? b : a, ofFirst}, second{exchanged ? a : b, ofSecond};
        const detail::PairRoles roles = detail::PairRoles::of(first, second);
        const Transform expected = roles.swapped ? plainly(second, first) : plainly(first, second);
        REQUIRE(std::memcmp(&roles.aFromB, &expected, sizeof expected) == 0);
      }
    for (const double bad : {0x1p161, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
      for (int i = 0; i < 3; ++i) {
        Transform far;
        far.t[i] = bad;
        REQUIRE_THROWS_AS(detail::PairRoles::of({a, far}, {b, {}}), Error);
        REQUIRE_THROWS_AS(detail::PairRoles::of({a, {}}, {b, far}), Error);
        for (std::size_t j = 0; j < 3; ++j) {
          Transform bent;
          bent.m[static_cast<std::size_t>(i)][j] = bad;
          REQUIRE_THROWS_AS(PairFrame::of({a, bent}, {b, {}}), Error);
          REQUIRE_THROWS_AS(PairFrame::of({a, {}}, {b, bent}), Error);
        }
      }
  }
}

TEST_CASE("every instruction set bounds a placement with the same bits", "[wide][query]") {
  test::Random random(6);
  std::vector<Transform> placements;
  for (int k = 0; k < 100; ++k)
    for (const test::PlacementClass kind : test::allPlacementClasses) {
      Transform t = test::randomPlacement(kind, random, std::ldexp(1.0, random.integer(-30, 30)));
      placements.push_back(t);
      // On both sides of the limit at which a transpose is taken for the inverse, by one entry.
      t.m[random.below(3)][random.below(3)] += std::ldexp(random.between(-1, 1), -random.integer(40, 52));
      placements.push_back(t);
    }
  placements.emplace_back();
  placements.push_back(Transform::translation({0x1p-1060, -0x1p159, 0}));
  // Different along each axis and to both sides; a single point; none.
  const std::vector<Aabb> boxes{
      {{-1, -8, 3}, {2, 5, 7}}, {{0x1p-140F, -3, -0x1p100F}, {1, 4, 2}}, {{1, 2, -3}, {1, 2, -3}}, Aabb{}};
  const auto equal = [&](const PairPlacement& p, const PairPlacement& q) {
    return sameBits(p.aFromB, q.aFromB) && sameBits(p.bFromA, q.bFromA) && p.orthogonal == q.orthogonal &&
           sameBits(p.placementError, q.placementError) && sameBits(p.inflationInB, q.inflationInB);
  };
  std::vector<PairPlacement> expected;
  for (const Transform& t : placements)
    for (const Aabb& box : boxes) expected.push_back(PairPlacement::of(t, box));
  std::size_t transposes = 0;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    auto next = expected.begin();
    for (const Transform& t : placements)
      for (const Aabb& box : boxes) {
        const PairPlacement placement = detail::placementOf(t, box);
        REQUIRE(equal(placement, *next++));
        transposes += placement.bFromA.m[0][1] == t.m[1][0] && placement.bFromA.m[2][0] == t.m[0][2];
      }
  }
  CHECK(transposes > 300);
}

TEST_CASE("every instruction set prepares a traversal with the same bits", "[wide]") {
  test::Random random(7);
  std::vector<PairPlacement> placements;
  const auto meshA = test::transformed(test::sixSidedBox(2, 3, 7), Transform::translation({40, -3, 1}));
  std::vector<std::shared_ptr<const TriangleMesh>> meshes;
  for (const int e : {-60, -20, 0, 30, 60})
    meshes.push_back(
        test::transformed(test::sixSidedBox(5, 1, 2),
                          Transform::scaling(std::ldexp(1.0, e), std::ldexp(1.0, e), std::ldexp(1.0, e))));
  for (int k = 0; k < 60; ++k)
    for (const test::PlacementClass kind : test::allPlacementClasses) {
      Transform t = test::randomPlacement(kind, random, std::ldexp(1.0, random.integer(-60, 60)));
      placements.push_back(PairPlacement::of(t, meshA->bounds()));
      // Still orthogonal, but inverted.
      t.m[random.below(3)][random.below(3)] += std::ldexp(random.between(-1, 1), -random.integer(32, 44));
      placements.push_back(PairPlacement::of(t, meshA->bounds()));
    }
  const auto equal = [&](const detail::WideQuery& p, const detail::WideQuery& q) {
    return sameBits(p.untilted, q.untilted) && p.orthogonal == q.orthogonal && sameBits(p.reachA, q.reachA) &&
           sameBits(p.reachB, q.reachB) && sameBits(p.slackInA, q.slackInA) &&
           sameBits(p.slackInB, q.slackInB) && sameBits(p.cylinderSlack, q.cylinderSlack) &&
           sameBits(p.cornerError, q.cornerError) && p.vectorTriangles == q.vectorTriangles &&
           sameBits(p.leastExtent, q.leastExtent);
  };
  std::vector<detail::WideQuery> expected;
  std::size_t byVectors = 0, tooLarge = 0;
  {
    const OnlyTarget plain(plainTarget());
    for (const PairPlacement& placement : placements)
      for (const auto& mesh : meshes) {
        expected.push_back(detail::prepareWideQuery(*mesh, *meshA, placement));
        byVectors += expected.back().orthogonal && expected.back().vectorTriangles;
        tooLarge += !expected.back().vectorTriangles;
      }
  }
  CHECK(byVectors > 300);
  CHECK(tooLarge > 300);
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    auto next = expected.begin();
    for (const PairPlacement& placement : placements)
      for (const auto& mesh : meshes)
        REQUIRE(equal(detail::prepareWideQuery(*mesh, *meshA, placement), *next++));
  }
}

TEST_CASE("every instruction set sorts short and long answers", "[wide][query]") {
  test::Random random(8);
  struct Answer {
    std::size_t countA, countB;
    std::vector<TrianglePair> pairs;
  };
  std::vector<Answer> answers;
  // Pairs whose ids are random below given limits.
  const auto draw = [&](std::size_t size, std::uint32_t countA, std::uint32_t countB, std::uint32_t belowA,
                        std::uint32_t belowB) {
    Answer& answer = answers.emplace_back(Answer{countA, countB, {}});
    for (std::size_t i = 0; i < size; ++i) {
      const TriangleId a{countA - 1 - random.below(belowA)};
      answer.pairs.push_back({a, TriangleId{countB - 1 - random.below(belowB)}});
    }
  };
  for (const std::size_t size : {0U, 1U, 23U, 24U, 1000U, 8191U, 8192U, 8193U, 50000U}) {
    draw(size, 400000, 300000, 400000, 300000);
    draw(size, 3000, 5, 3000, 5);
    draw(size, 5, 300000, 5, 300000);
    draw(size, 1U << 16, 1U << 15, 1U << 16, 1U << 15);  // ids of 31 bits, and of more
    draw(size, 1U << 16, 1U << 16, 1U << 16, 1U << 16);
    draw(size, 1U << 17, 1U << 16, 1U << 17, 1U << 16);
    draw(size, 1, 1U << 31, 1, 1U << 31);
    draw(size, 1U << 31, 1, 1U << 31, 1);
    draw(size, 1U << 31, 1U << 31, 1U << 14, 1U << 15);  // close together, far from zero
    draw(size, 1U << 31, 1U << 31, 2, 3);
    draw(size, 1, 1, 1, 1);
    draw(size, 400000, 300000, 300, 1000);               // in few buckets
    draw(size, 400000, 300000, 1, 300000);               // pairs of one triangle, so that groups are long
    draw(size, 1U << 31, 1U << 29, 1U << 31, 1U << 29);  // too many buckets
    draw(size, 2000, 0xffffffffU, 2000, 0xffffffffU);    // too long for 32 bits
    draw(size, 0xffffffffU, 2000, 0xffffffffU, 2000);
  }
  // As traversals produce it: groups of close ids.
  Answer& grouped = answers.emplace_back(Answer{100000, 100000, {}});
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const std::uint32_t a = random.below(12500) * 8, b = random.below(12500) * 8;
    for (std::uint32_t k = 0; k < 5; ++k)
      grouped.pairs.push_back({TriangleId{a + random.below(8)}, TriangleId{b + random.below(8)}});
  }
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    detail::PairSorter sorter;
    std::vector<TrianglePair> sorted;
    for (const auto& [countA, countB, pairs] : answers) {
      sorter.sort(pairs, countA, countB, sorted);
      std::vector<TrianglePair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      REQUIRE(sorted == expected);
    }
  }
}

TEST_CASE("every instruction set sorts pairs of surfaces, each with its witness", "[wide]") {
  test::Random random(61);
  // A witness identifies its pair.
  const auto witnessOf = [](const SurfacePair& s) {
    return TrianglePair{TriangleId(~static_cast<std::uint32_t>(s.a)),
                        TriangleId(static_cast<std::uint32_t>(s.b) ^ 0x5555U)};
  };
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    detail::PairSorter sorter;
    std::vector<SurfacePair> sorted;
    std::vector<TrianglePair> sortedWitnesses;
    for (const std::size_t size : {5U, 0U, 1U, 2U, 7U, 8U, 9U, 17U, 64U, 1000U})
      // Together with the bits of their places they need 31 and 32 bits, 64 and more.
      for (const std::uint32_t below : {40U, 50U, 1U << 12, 1U << 13, 1U << 14, 1U << 27, 1U << 28, 1U << 29,
                                        1U << 30, 1U << 31, 0xffffffffU}) {
        const std::uint32_t turned = below == 50 ? ~0U : 0;  // small numbers, or large ones for A
        std::set<SurfacePair> expected;
        std::vector<SurfacePair> pairs;
        std::vector<TrianglePair> witnesses;
        while (pairs.size() < size) {
          const SurfacePair s{SurfaceId{random.below(below) ^ turned}, SurfaceId{random.below(below)}};
          if (!expected.insert(s).second) continue;
          pairs.push_back(s);
          witnesses.push_back(witnessOf(s));
        }
        sorter.sort(pairs, witnesses, sorted, sortedWitnesses);
        REQUIRE(sorted == std::vector<SurfacePair>(expected.begin(), expected.end()));
        REQUIRE(sortedWitnesses.size() == size);
        for (std::size_t i = 0; i < size; ++i) REQUIRE(sortedWitnesses[i] == witnessOf(sorted[i]));
      }
  }
}

TEST_CASE("every instruction set separates parts along a direction", "[wide]") {
  // Different sides, far from the parts' origins, so that confused coordinates show.
  const auto off = [](const Vec3& by, double x, double y, double z) {
    return test::modelOf(test::transformed(test::sixSidedBox(x, y, z), Transform::translation(by)));
  };
  const auto a = off({7, -3, 2}, 1, 2, 4), b = off({-1, 5, 9}, 3, 0.5, 1.5);
  test::Random random(3);
  std::size_t reported = 0, asked = 0;
  for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
    const std::int64_t target = rest & -rest;
    INFO(hwy::TargetName(target));
    const OnlyTarget only(target);
    const auto reach = [](const PosedModel& part, const Vec3& d) {
      const Vec3 half = part.model->mesh().bounds().halfExtent();
      double sum = 0;
      for (int j = 0; j < 3; ++j) {
        const auto k = static_cast<std::size_t>(j);
        const auto& m = part.worldFromPart.m;
        sum += std::abs(m[0][k] * d.x + m[1][k] * d.y + m[2][k] * d.z) * half[j];
      }
      return sum;
    };
    for (int k = 0; k < 1000; ++k) {
      const test::PlacementClass kind =
          k % 2 == 0 ? test::PlacementClass::rigid : test::PlacementClass::mirrored;
      const PosedModel first{a, test::randomPlacement(kind, random, 20)};
      PosedModel second{b, test::randomPlacement(test::PlacementClass::rigid, random, 20)};
      const Vec3 d = normalized(random.inCube(1));
      // The centres are a few sizes apart.
      second.worldFromPart.t = second.worldFromPart.t + first.worldFromPart.apply(a->box().centre) -
                               second.worldFromPart.apply(b->box().centre) + random.inCube(6);
      const Vec3 between =
          second.worldFromPart.apply(b->box().centre) - first.worldFromPart.apply(a->box().centre);
      const double gap = std::abs(dot(between, d)) - reach(first, d) - reach(second, d);
      if (std::abs(gap) < 1e-3) continue;
      ++asked;
      reported += gap > 0;
      for (const Vec3& way : {d, -d}) {
        REQUIRE(detail::isSeparatingAxis(first, second, way) == (gap > 0));
        REQUIRE(detail::isSeparatingAxis(second, first, way) == (gap > 0));
      }
      for (const double bad : {1e-3, 1e30, std::numeric_limits<double>::quiet_NaN()}) {
        PosedModel bent = second, far = second;
        bent.worldFromPart.m[1][0] += bad;
        far.worldFromPart.t.y += bad;
        REQUIRE_FALSE(detail::isSeparatingAxis(first, bent, d));
        REQUIRE_FALSE(detail::isSeparatingAxis(bent, first, d));
        if (bad != 1e-3) REQUIRE_FALSE(detail::isSeparatingAxis(first, far, d));
      }
      REQUIRE_FALSE(detail::isSeparatingAxis(first, {test::modelOf(test::emptyMesh()), {}}, d));
    }
  }
  CHECK(reported > asked / 10);
  CHECK(reported < asked * 9 / 10);
}

TEST_CASE("corners that are sure to lie in a box and a cylinder do, by every instruction set", "[wide]") {
  test::Random random(3);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    const auto model = torus(layout);
    const TriangleMesh& mesh = model->mesh();
    const WideBvh& tree = model->wide();
    const detail::MeshReach reach = detail::MeshReach::of(mesh);
    const double rounding = 0x1p-46 * reach.largest;
    for (std::int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
      const std::int64_t target = rest & -rest;
      INFO(hwy::TargetName(target));
      const OnlyTarget only(target);
      std::size_t unsure = 0, sure = 0, outside = 0, wrong = 0;
      for (std::uint32_t n = 0; n < tree.nodeCount(); ++n) {
        const detail::ChildVolumes volumes = detail::volumesOf(tree, n, reach);
        const bool fast = layout == WideLayout::fast;
        const WideNodeHead& head = fast ? tree.nodes[n].head : tree.compactNodes[n].head;
        for (std::uint32_t k = 0; k < head.childCount; ++k) {
          const WideChild child = fast ? tree.nodes[n].child[k] : tree.compactNodes[n].child[k];
          if (!child.isLeaf()) continue;
          // As built, then with corners moved, some out of the box.
          for (const double move : {0.0, random.between(0, 0.1), random.between(0, 0.02)}) {
            detail::CornerRows rows;
            bool inside = true;
            // Not from the first row on, like a leaf behind others.
            const std::uint32_t begin = random.below(50);
            detail::openWideNode(
                tree, n,
                [&](const WideFrame& frame, const auto& centre, const auto& half, const auto&, auto) {
                  for (std::uint32_t t = 0; t < child.count(); ++t) {
                    const Triangle triangle = mesh.triangle(detail::triangleInLeaf(tree, child, t));
                    for (std::size_t c = 0; c < 3; ++c) {
                      Vec3 p = triangle.v[c] + random.inCube(move);
                      for (int axis = 0; axis < 3; ++axis) {
                        float& stored = rows.row[3 * c + static_cast<std::size_t>(axis)][begin + t];
                        p[axis] = stored = static_cast<float>(p[axis]);
                      }
                      Vec3 d = detail::intoAxes(frame, p);
                      for (int axis = 0; axis < 3; ++axis) {
                        const auto a = static_cast<std::size_t>(axis);
                        d[axis] -= centre[a][k];
                        inside = inside && std::abs(d[axis]) <= half[a][k] + (fast ? rounding : 1e-6);
                      }
                      if (!fast) continue;
                      const WideCylinders& cylinders = tree.cylinders[n];
                      const Vec3 axis{cylinders.axis[0][k], cylinders.axis[1][k], cylinders.axis[2][k]};
                      d = d - axis * double(cylinders.shift[k]);
                      const double along = dot(axis, d);
                      inside = inside && std::abs(along) <= cylinders.half[k] + rounding &&
                               norm(d - axis * along) <= cylinders.radius[k] + rounding;
                    }
                  }
                });
            const bool isSure =
                detail::isSureToEnclose(volumes, k, rows, begin, begin + child.count(), reach);
            sure += isSure;
            outside += !inside;
            unsure += move == 0 && !isSure;
            wrong += isSure && !inside;
          }
        }
      }
      CHECK(wrong == 0);
      CHECK(unsure == 0);
      CHECK(sure > 500);
      CHECK(outside > 500);
    }
  }
}

}  // namespace wide_targets_tests
