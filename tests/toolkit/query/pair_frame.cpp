#include <fitup/query/pair_frame.h>

#include <catch2/catch.hpp>
#include <cmath>

#include <fitup/base/error.h>

#include "support/cgal_oracle.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace pair_frame_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

struct Counts {
  int placement = 0, inflation = 0, toA = 0, toB = 0, formula = 0;
};

Aabb smallestBox(const Vec3& p) {
  return {{floatBelow(p.x), floatBelow(p.y), floatBelow(p.z)},
          {floatAbove(p.x), floatAbove(p.y), floatAbove(p.z)}};
}

bool holds(const Aabb& box, const Vec3& p) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
         p.z <= box.max.z;
}

/// Checks the bounds of a frame on points of B, in rationals.
void count(const PairPlacement& f, const TriangleMesh& b, Random& random, Counts& wrong) {
  for (int i = 0; i < 30; ++i) {
    const Vec3 p = toVec3(b.points()[random.below(static_cast<std::uint32_t>(b.points().size()))]);
    const Vec3 q = f.aFromB.apply(p);
    wrong.placement += !imageWithin(f.aFromB, p, q, f.placementError);
    // A box of A that holds only q, transformed exactly and enlarged by the inflation, must contain p.
    wrong.inflation += !imageWithin(f.bFromA, q, p, f.inflationInB);
    wrong.toB += !holds(f.transformedToB(smallestBox(q)), p);
    const Vec3 other = toVec3(b.points()[random.below(static_cast<std::uint32_t>(b.points().size()))]);
    Aabb box = smallestBox(p), boxInA = smallestBox(q);
    box.extend(smallestBox(other));
    boxInA.extend(smallestBox(f.aFromB.apply(other)));
    wrong.toA += !holds(f.carriedToA(box), q) || !holds(f.carriedToA(box), f.aFromB.apply(other));
    wrong.toB += !holds(f.transformedToB(boxInA), p) || !holds(f.transformedToB(boxInA), other);
    // Any point between, placed, too.
    Vec3 between;
    for (int k = 0; k < 3; ++k) between[k] = p[k] + random.unit() * (other[k] - p[k]);
    const Point3f stored{float(between.x), float(between.y), float(between.z)};
    if (holds(box, toVec3(stored))) wrong.toA += !holds(f.carriedToA(box), f.aFromB.apply(toVec3(stored)));
  }
}

void check(const Counts& wrong) {
  CHECK(wrong.placement == 0);
  CHECK(wrong.inflation == 0);
  CHECK(wrong.toA == 0);
  CHECK(wrong.toB == 0);
}

MeshPtr scaledSoup(std::uint32_t n, std::uint64_t seed, double scale, const Vec3& offset) {
  return transformed(soup(n, seed, 0.5, 2),
                     Transform::translation(offset) * Transform::scaling(scale, scale, scale));
}

}  // namespace

TEST_CASE("the error bounds of a pair are bounds", "[query][frame][oracle]") {
  Random random(81);
  Counts wrong;
  for (PlacementClass kind : allPlacementClasses)
    for (int i = 0; i < 60; ++i) {
      const double scale = std::ldexp(1.0, random.integer(-20, 20));
      const Vec3 offset = random.inCube(i % 3 == 0 ? 1e6 : i % 3 == 1 ? 3 * scale : 0);
      const MeshPtr a = scaledSoup(20, random.next(), scale, offset),
                    b = scaledSoup(15, random.next(), scale, -offset);
      const ModelPtr modelA = modelOf(a), modelB = modelOf(b);
      const Transform p = randomPlacement(kind, random, scale),
                      q = randomPlacement(kind, random, 1e3 * scale);
      const PairFrame frame = PairFrame::of({modelA, p}, {modelB, q});
      CHECK_FALSE(frame.swapped);
      count(frame.placement, *b, random, wrong);
    }
  check(wrong);
}

TEST_CASE("the error bounds hold for ill-conditioned placements", "[query][frame][oracle]") {
  Random random(82);
  Counts wrong;
  for (int i = 0; i < 300; ++i) {
    // Flattened to one part in 2^20, or stretched by as much, in a random direction, far from the origin.
    const double flat = std::ldexp(1.0, random.integer(-20, 20));
    Transform t = randomPlacement(PlacementClass::rigid, random, 1) * Transform::scaling(1, 1, flat) *
                  randomPlacement(PlacementClass::rigid, random, 1);
    t.t = t.t + random.inCube(std::ldexp(1.0, random.integer(0, 30)));
    const MeshPtr b =
        scaledSoup(15, random.next(), std::ldexp(1.0, random.integer(-10, 10)), random.inCube(10));
    const PairPlacement f = PairPlacement::of(t, b->bounds());
    count(f, *b, random, wrong);
  }
  check(wrong);
}

TEST_CASE("the error bounds hold on both sides of where a transpose is taken for the inverse",
          "[query][frame][oracle]") {
  Random random(87);
  Counts wrong;
  std::size_t transposed = 0;
  for (int i = 0; i < 400; ++i) {
    Transform t = randomPlacement(i % 2 == 0 ? PlacementClass::rigid : PlacementClass::mirrored, random, 1);
    const double off = std::ldexp(1.0, -random.integer(26, 54));
    for (auto& row : t.m)
      for (double& v : row) v += random.between(-off, off);
    t.t = random.inCube(std::ldexp(1.0, random.integer(-10, 30)));
    const MeshPtr b =
        scaledSoup(15, random.next(), std::ldexp(1.0, random.integer(-10, 10)), random.inCube(10));
    const PairPlacement f = PairPlacement::of(t, b->bounds());
    CHECK(f.orthogonal == (t.kind() != TransformKind::affine));
    transposed += f.bFromA.m[0][1] == t.m[1][0] && f.bFromA.m[1][2] == t.m[2][1] ? 1 : 0;
    count(f, *b, random, wrong);
  }
  check(wrong);
  CHECK(transposed > 50);
  CHECK(transposed < 350);
}

TEST_CASE("placements that are not finite have no frame", "[query][frame]") {
  const MeshPtr b = box(1, 1, 1);
  for (int i = 0; i < 12; ++i)
    for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      Transform t = Transform::rotation({1, 2, 3}, 0.5);
      const auto k = static_cast<std::size_t>(i);
      (i < 9 ? t.m[k / 3][k % 3] : t.t[i - 9]) = bad;
      CHECK_THROWS_AS(PairPlacement::of(t, b->bounds()), PlacementError);
    }
}

TEST_CASE("bounds are bounds, not walls", "[query][frame]") {
  // They must not grow so large that boxes stop filtering.
  const ModelPtr a = modelOf(icosphere(1, 1)), b = modelOf(box(1, 1, 1));
  Random random(83);
  for (int i = 0; i < 50; ++i) {
    const PairFrame f = PairFrame::of({a, {}}, {b, randomPlacement(PlacementClass::rigid, random, 10)});
    for (int k = 0; k < 3; ++k) {
      CHECK(f.placement.placementError[k] >= 0);
      CHECK(f.placement.placementError[k] < 1e-13);
      CHECK(f.placement.inflationInB[k] < 1e-12);
    }
    const Aabb unit{{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
    const Aabb carried = f.placement.transformedToB(unit);
    for (int k = 0; k < 3; ++k) CHECK(carried.halfExtent()[k] < 0.5 * std::sqrt(3.0) + 1e-5);
  }
}

TEST_CASE("carried boxes that are empty stay harmless", "[query][frame]") {
  const PairPlacement f = PairPlacement::of(Transform::rotation({1, 2, 3}, 0.5), box(1, 1, 1)->bounds());
  CHECK(f.carriedToA(Aabb{}).empty());
  CHECK(f.transformedToB(Aabb{}).empty());
}

TEST_CASE("roles do not depend on the order of the arguments", "[query][frame]") {
  Random random(84);
  const ModelPtr small = modelOf(box(1, 1, 1)), large = modelOf(icosphere(1, 2)),
                 twin = modelOf(box(1, 1, 1)), equalCount = modelOf(box(1, 1, 1.5));
  for (int i = 0; i < 100; ++i) {
    const Transform p = randomPlacement(allPlacementClasses[random.below(7)], random, 2);
    const Transform q = randomPlacement(allPlacementClasses[random.below(7)], random, 2);
    for (const auto& [a, b] : {std::pair{small, large}, std::pair{small, equalCount}, std::pair{small, twin},
                               std::pair{small, small}}) {
      const PairFrame there = PairFrame::of({a, p}, {b, q}), back = PairFrame::of({b, q}, {a, p});
      CHECK(there.placement.aFromB == back.placement.aFromB);
      CHECK(there.placement.bFromA == back.placement.bFromA);
      CHECK(there.placement.placementError == back.placement.placementError);
      CHECK(there.placement.inflationInB == back.placement.inflationInB);
      if (!(a->mesh().contentHash() == b->mesh().contentHash() && p == q))
        CHECK(there.swapped != back.swapped);
    }
    CHECK(PairFrame::of({small, p}, {large, q}).swapped);
    CHECK_FALSE(PairFrame::of({large, p}, {small, q}).swapped);
  }
}

TEST_CASE("aFromB maps B's local coordinates to A's", "[query][frame]") {
  Random random(85);
  for (int i = 0; i < 200; ++i) {
    const double far = i % 2 == 0 ? 1e6 : 0;
    const MeshPtr a = transformed(icosphere(1, 1), Transform::translation({far, 0, -far}));
    const MeshPtr b = transformed(box(1, 1, 1), Transform::translation({0, far, 0}));
    const ModelPtr modelA = modelOf(a), modelB = modelOf(b);
    const Transform p = randomPlacement(PlacementClass::sheared, random, 2);
    const Transform q = randomPlacement(PlacementClass::mirrored, random, 2);
    const PairPlacement f = PairFrame::of({modelA, p}, {modelB, q}).placement;
    for (std::uint32_t k = 0; k < 8; ++k) {
      const Vec3 inWorld = p.apply(a->origin() + f.aFromB.apply(toVec3(b->points()[k])));
      CHECK(norm(inWorld - q.apply(b->pointInPart(k))) < 1e-14 * (1 + 4 * far) * 10);
    }
    const Transform round = f.aFromB * f.bFromA;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 3; ++c) CHECK(std::abs(round.m[r][c] - (r == c)) < 1e-13);
  }
}

TEST_CASE("a placed triangle is the contract's formula", "[query][frame]") {
  Random random(86);
  for (int i = 0; i < 1000; ++i) {
    const Transform t = randomPlacement(PlacementClass::sheared, random, 10);
    const PairPlacement f = PairPlacement::of(t, box(2, 2, 2)->bounds());
    Triangle tri;
    for (Vec3& v : tri.v) v = random.inCube(1);
    for (int k = 0; k < 3; ++k)
      for (int r = 0; r < 3; ++r) {
        const auto& row = f.aFromB.m[static_cast<std::size_t>(r)];
        volatile double x = row[0] * tri.v[k].x, y = row[1] * tri.v[k].y, z = row[2] * tri.v[k].z;
        volatile double xy = x + y;
        volatile double xyz = xy + z;
        CHECK(f.placed(tri).v[k][r] == xyz + f.aFromB.t[r]);
      }
  }
}

}  // namespace pair_frame_tests
