#include <catch2/catch.hpp>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/hierarchy/tree_queries.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace tree_queries_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Rational = boost::multiprecision::cpp_rational;

/// A vector of fractions; every double is one.
struct Exact {
  Rational x, y, z;
  Exact(Rational x_, Rational y_, Rational z_) : x(std::move(x_)), y(std::move(y_)), z(std::move(z_)) {}
  explicit Exact(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
  [[nodiscard]] const Rational& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
  [[nodiscard]] bool isZero() const { return x == 0 && y == 0 && z == 0; }
};
Exact operator-(const Exact& a, const Exact& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Exact along(const Exact& a, const Exact& way, const Rational& s) {
  return {a.x + s * way.x, a.y + s * way.y, a.z + s * way.z};
}
Rational dot(const Exact& a, const Exact& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Exact cross(const Exact& a, const Exact& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct ExactHit {
  Rational s;
  HitSide side;
};

/// Returns the first point of from + s way, s in [0, 1], way not 0, on a closed triangle. In fractions: the
/// point in the plane, or otherwise the intersections with the three edges.
std::optional<ExactHit> exactHit(const Exact& from, const Exact& way, const Triangle& t) {
  const Exact v[3]{Exact(t.v[0]), Exact(t.v[1]), Exact(t.v[2])};
  const Exact normal = cross(v[1] - v[0], v[2] - v[0]);
  const auto isIn = [&](const Exact& p) {
    for (int k = 0; k < 3; ++k)
      if (dot(cross(v[(k + 1) % 3] - v[k], p - v[k]), normal) < 0) return false;
    return true;
  };
  if (const Rational lean = dot(normal, way); lean != 0) {
    const Rational s = dot(normal, v[0] - from) / lean;
    if (s < 0 || s > 1 || !isIn(along(from, way, s))) return std::nullopt;
    return ExactHit{s, lean > 0 ? HitSide::back : HitSide::front};
  }
  if (!normal.isZero() && dot(normal, v[0] - from) != 0) return std::nullopt;
  if (!normal.isZero() && isIn(from)) return ExactHit{0, HitSide::edge};
  std::optional<Rational> first;
  const auto take = [&](Rational s) {
    if (!first || s < *first) first = std::move(s);
  };
  for (int k = 0; k < 3; ++k) {
    const Exact edge = v[(k + 1) % 3] - v[k], r = v[k] - from, c = cross(way, edge);
    if (c.isZero()) {
      if (!cross(way, r).isZero()) continue;
      const Rational one = dot(r, way) / dot(way, way), other = one + dot(edge, way) / dot(way, way);
      const Rational low = std::min(one, other), high = std::max(one, other);
      if (low <= 1 && high >= 0) take(std::max(low, Rational(0)));
    } else if (dot(r, c) == 0) {
      const Rational s = dot(cross(r, edge), c) / dot(c, c), u = dot(cross(r, way), c) / dot(c, c);
      if (s >= 0 && s <= 1 && u >= 0 && u <= 1) take(s);
    }
  }
  if (!first) return std::nullopt;
  return ExactHit{*first, HitSide::edge};
}

/// Whether anything is left of a triangle cut by the six sides of a box, in fractions.
bool exactlyMeets(const Box& box, const Triangle& t) {
  std::vector<Exact> polygon{Exact(t.v[0]), Exact(t.v[1]), Exact(t.v[2])};
  for (int side = 0; side < 6 && !polygon.empty(); ++side) {
    const int axis = side / 2;
    const auto inside = [&](const Exact& p) -> Rational {
      return side % 2 == 0 ? p[axis] - Rational(box.min[axis]) : Rational(box.max[axis]) - p[axis];
    };
    std::vector<Exact> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Exact &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
      const Rational atP = inside(p), atQ = inside(q);
      if (atP >= 0) kept.push_back(p);
      if ((atP > 0 && atQ < 0) || (atP < 0 && atQ > 0)) kept.push_back(along(p, q - p, atP / (atP - atQ)));
    }
    polygon = std::move(kept);
  }
  return !polygon.empty();
}

std::vector<ModelPtr> bothLayouts(const MeshPtr& mesh) {
  std::vector<ModelPtr> models;
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    BuildOptions options;
    options.wide = WideBvhOptions{layout, true};
    models.push_back(CollisionModel::build(mesh, options));
  }
  return models;
}

std::vector<TriangleId> allOf(const PlacedTree& tree) {
  std::vector<TriangleId> all;
  for (std::uint32_t i = 0; i < tree.model().mesh().triangleCount(); ++i) all.push_back(TriangleId{i});
  return all;
}

/// Makes lattices, where rays, boxes and triangles meet at edges, corners and in planes; and smooth meshes.
std::vector<MeshPtr> meshes() {
  return {latticeSoup(60, 3, 3), degenerateSet(),        sixSidedBox(4, 4, 4, 2),
          icosphere(1.5, 2),     sliverFan(12, 2, 1e-4), soup(60, 9, 0.7)};
}

Vec3 latticePoint(Random& random, int range) {
  return {double(random.integer(-range, range)), double(random.integer(-range, range)),
          double(random.integer(-range, range))};
}

Vec3 fewDigits(const Vec3& p) {
  return {std::nearbyint(p.x * 1024) / 1024, std::nearbyint(p.y * 1024) / 1024,
          std::nearbyint(p.z * 1024) / 1024};
}

/// Makes a ray with exact ends, or ends closer than the length at which rays are cut. In the frame of a tree:
/// between lattice points of the part, along its edges and diagonals, or anywhere.
Ray someRay(Random& random, const PlacedTree& tree, int which) {
  const auto& mesh = tree.model().mesh();
  const auto corner = [&] {
    return tree.triangle(TriangleId{random.below(static_cast<std::uint32_t>(mesh.triangleCount()))})
        .v[random.below(3)];
  };
  const double reaches[]{std::numeric_limits<double>::infinity(), 2, 0.5};
  Ray ray{latticePoint(random, 4), latticePoint(random, 2), reaches[random.below(3)]};
  if (which == 1) ray = {corner(), corner() - corner(), 1};
  if (which == 2) ray = {fewDigits(random.inCube(4)), fewDigits(random.inCube(1)), 3};
  if (which == 3) {
    const Vec3 through = corner();
    ray = {through - latticePoint(random, 2), {}, 1.5};
    ray.direction = through - ray.from;
  }
  if (norm(ray.direction) == 0) ray.direction = {1, 0, 0};
  return ray;
}

}  // namespace

TEST_CASE("rays hit exactly the triangles that they meet in fractions, at that place and side") {
  Random random(17);
  int hits = 0, edges = 0, misses = 0;
  for (const MeshPtr& mesh : meshes())
    for (const PlacementClass kind : allPlacementClasses) {
      const Transform placement = randomPlacement(kind, random, 2);
      const double sense = placement.determinant() < 0 ? -1 : 1;
      for (const ModelPtr& model : bothLayouts(mesh)) {
        const PlacedTree tree(model, placement);
        for (int i = 0; i < effort(8, 24); ++i) {
          const Ray ray = someRay(random, tree, i % 4);
          // Beyond the part.
          const double length = std::min(ray.reach, 64.0);
          const Exact from(ray.from), way = Exact(ray.at(length)) - from;
          const double largest = norm(ray.from) + norm(ray.at(length));
          std::vector<RayHit> found = tree.allHits(ray);
          CHECK(std::is_sorted(found.begin(), found.end(),
                               [](const RayHit& a, const RayHit& b) { return a.at < b.at; }));
          std::sort(found.begin(), found.end(),
                    [](const RayHit& a, const RayHit& b) { return a.triangle < b.triangle; });
          std::size_t next = 0;
          double least = std::numeric_limits<double>::infinity();
          for (const TriangleId id : allOf(tree)) {
            const auto expected = exactHit(from, way, tree.triangle(id));
            const bool has = next < found.size() && found[next].triangle == id;
            REQUIRE(has == expected.has_value());
            misses += !has;
            if (!has) continue;
            const RayHit& hit = found[next++];
            HitSide side = expected->side;
            if (sense < 0 && side != HitSide::edge)
              side = side == HitSide::front ? HitSide::back : HitSide::front;
            CHECK(hit.side == side);
            const double at = length * static_cast<double>(expected->s);
            const double error =
                side == HitSide::edge ? 0x1p-44 * largest / norm(ray.direction) : 0x1p-46 * at;
            CHECK(std::abs(hit.at - at) <= error);
            least = std::min(least, hit.at);
            ++hits;
            edges += side == HitSide::edge;
          }
          REQUIRE(next == found.size());
          const auto first = tree.castRay(ray);
          REQUIRE(first.has_value() == !found.empty());
          if (first) {
            CHECK(first->at <= least + 0x1p-44 * largest / norm(ray.direction));
            CHECK(std::any_of(found.begin(), found.end(), [&](const RayHit& hit) {
              return hit.triangle == first->triangle && hit.at == first->at && hit.side == first->side;
            }));
          }
        }
      }
    }
  CHECK(hits > 500);
  CHECK(edges > 100);
  CHECK(misses > 10000);
}

TEST_CASE("no ray from inside slips out of a closed part, and it leaves by backs") {
  Random random(4);
  const MeshPtr ball = icosphere(1, 3);
  for (const PlacementClass kind : allPlacementClasses) {
    const PlacedTree tree(modelOf(ball), randomPlacement(kind, random, 1e6));
    const Vec3 centre = tree.placement().aFromB.apply({});
    for (std::uint32_t i = 0; i < ball->triangleCount(); ++i) {
      const Triangle t = tree.triangle(TriangleId{i});
      for (const Vec3& through : {t.v[0], 0.5 * (t.v[0] + t.v[1]), 0.5 * (t.v[1] + t.v[2])}) {
        const auto hit = tree.castRay({centre, through - centre});
        REQUIRE(hit);
        CHECK(hit->at == Approx(1));
        CHECK(hit->side == HitSide::back);
        CHECK(tree.castRay({centre + 3.0 * (through - centre), centre - through})->side == HitSide::front);
      }
    }
  }
}

TEST_CASE("boxes meet exactly the triangles of which something is left in fractions") {
  Random random(23);
  int met = 0, missed = 0;
  for (const MeshPtr& mesh : meshes())
    for (const PlacementClass kind : allPlacementClasses) {
      const Transform placement = randomPlacement(kind, random, 2);
      for (const ModelPtr& model : bothLayouts(mesh)) {
        const PlacedTree tree(model, placement);
        for (int i = 0; i < effort(8, 16); ++i) {
          Box box;
          const Vec3 corner = latticePoint(random, 3);
          box.extend(corner);
          box.extend(i % 2 == 0 ? latticePoint(random, 3) : corner + random.inCube(1));  // includes flat ones
          if (i % 4 == 1) box.extend(tree.triangle(TriangleId{0}).v[i % 3]);
          std::vector<TriangleId> expected;
          for (const TriangleId id : allOf(tree))
            if (exactlyMeets(box, tree.triangle(id))) expected.push_back(id);
          REQUIRE(tree.inBox(box) == expected);
          met += static_cast<int>(expected.size());
          missed += static_cast<int>(mesh->triangleCount() - expected.size());
        }
      }
    }
  CHECK(met > 2500);
  CHECK(missed > 5000);

  const PlacedTree sheet(modelOf(flatSheet(4, 4)));
  Box half;
  constexpr double far = std::numeric_limits<double>::infinity();
  half = {{-far, -far, -far}, {far, far, 0}};
  CHECK(sheet.inBox(half).size() == 32);
  half.max.z = -0x1p-100;
  CHECK(sheet.inBox(half).empty());
  half = {{4, 4, -far}, {far, far, far}};  // touches the last corner
  CHECK(sheet.inBox(half).size() == 2);
  CHECK(sheet.inBox({}).empty());
  CHECK(sheet.inBox({{2, 0, -1}, {1, 4, 1}}).empty());
  CHECK(sheet.inBox({{std::nan(""), 0, -1}, {1, 4, 1}}).empty());
}

TEST_CASE("triangles within a distance of points, segments and triangles are those of brute force") {
  Random random(31);
  int found = 0, left = 0;
  for (const MeshPtr& mesh : meshes())
    for (const PlacementClass kind : allPlacementClasses) {
      const Transform placement = randomPlacement(kind, random, 2);
      for (const ModelPtr& model : bothLayouts(mesh)) {
        const PlacedTree tree(model, placement);
        for (int i = 0; i < 18; ++i) {
          const Vec3 a = latticePoint(random, 3), b = a + random.inCube(1), c = latticePoint(random, 3);
          const Triangle of = i % 3 == 0   ? Triangle{{a, a, a}}
                              : i % 3 == 1 ? Triangle{{a, b, b}}
                                           : Triangle{{a, b, c}};
          // 0 finds what touches, 1 what is at exactly that distance on a lattice.
          const double distance = i % 4 == 0 ? 0 : i % 4 == 1 ? 1 : random.between(0, 1);
          std::vector<TriangleId> expected;
          for (const TriangleId id : allOf(tree))
            if (distanceTriangleTriangle(tree.triangle(id), of).distance <= distance) expected.push_back(id);
          REQUIRE(tree.within(distance, of) == expected);
          found += static_cast<int>(expected.size());
          left += static_cast<int>(mesh->triangleCount() - expected.size());
        }
      }
    }
  CHECK(found > 5000);
  CHECK(left > 5000);
}

TEST_CASE("a pair visitor that asks for near pairs finds those of brute force, and looks at few others") {
  struct NearPairs final : PairVisitor {
    NearPairs(const PlacedTree& x, const PlacedTree& y, double d) : a(x), b(y), distance(d) {
      limit = std::nextafter(d, 2 * d + 1);
    }
    double bound(const NodeBox& inA, const NodeBox& inB) override { return minimumDistance(inA, inB); }
    void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) override {
      for (const TriangleId x : ofA)
        for (const TriangleId y : ofB) {
          ++tests;
          if (distanceTriangleTriangle(a.triangle(x), b.triangle(y)).distance <= distance)
            found.push_back({x, y});
        }
    }
    const PlacedTree &a, &b;
    double distance;
    std::size_t tests = 0;
    std::vector<TrianglePair> found;
  };
  Random random(6);
  std::size_t pairs = 0;
  const std::vector<MeshPtr> all = meshes();
  for (std::size_t m = 0; m < all.size(); ++m)
    for (const PlacementClass kind : allPlacementClasses) {
      const std::vector<ModelPtr> first = bothLayouts(all[m]),
                                  second = bothLayouts(all[(m + 1) % all.size()]);
      const Transform ofA = randomPlacement(PlacementClass::rigid, random, 1),
                      ofB = randomPlacement(kind, random, 2);
      for (std::size_t layouts = 0; layouts < 4; ++layouts) {
        const PlacedTree a(first[layouts % 2], m % 2 == 0 ? Transform{} : ofA), b(second[layouts / 2], ofB);
        for (const double distance : {0.0, 0.1, 1.0}) {
          NearPairs visitor(a, b, distance);
          visitPairs(a, b, visitor);
          std::vector<TrianglePair> expected;
          for (const TriangleId x : allOf(a))
            for (const TriangleId y : allOf(b))
              if (distanceTriangleTriangle(a.triangle(x), b.triangle(y)).distance <= distance)
                expected.push_back({x, y});
          std::sort(visitor.found.begin(), visitor.found.end());
          REQUIRE(visitor.found == expected);
          pairs += expected.size();
        }
      }
    }
  CHECK(pairs > 20000);

  const PlacedTree left(modelOf(icosphere(1, 4))), right(modelOf(icosphere(1, 4)), shift(2.01, 0, 0));
  NearPairs few(left, right, 0.02);
  visitPairs(left, right, few);
  CHECK(few.found.size() > 1);
  CHECK(few.tests < 20000);  // out of 26 million
}

TEST_CASE("a nearest-first visitor finds the least distance of brute force, under any placement") {
  struct Nearest final : TreeVisitor {
    Nearest(const PlacedTree& t, const Vec3& p) : tree(t), point(p) {}
    double bound(const NodeBox& box) override { return minimumDistance(box, NodeBox{.centre = point}); }
    void visit(std::span<const TriangleId> triangles) override {
      for (const TriangleId id : triangles) {
        ++tests;
        limit = std::min(limit, distancePointTriangle(point, tree.triangle(id)).distance);
      }
    }
    const PlacedTree& tree;
    const Vec3 point;
    std::size_t tests = 0;
  };
  Random random(12);
  for (const MeshPtr& mesh : meshes())
    for (const PlacementClass kind : allPlacementClasses)
      for (const ModelPtr& model : bothLayouts(mesh)) {
        const PlacedTree tree(model, randomPlacement(kind, random, 3));
        Nearest visitor(tree, random.inCube(4));
        visitTree(tree, visitor);
        double expected = std::numeric_limits<double>::infinity();
        for (const TriangleId id : allOf(tree))
          expected = std::min(expected, distancePointTriangle(visitor.point, tree.triangle(id)).distance);
        CHECK(visitor.limit == Approx(expected).epsilon(1e-12));
      }
  const PlacedTree ball(modelOf(icosphere(1, 5)), shift(1, 2, 3));
  Nearest visitor(ball, {1, 2, 5});
  visitTree(ball, visitor);
  CHECK(visitor.tests < 200);  // out of 20,480
}

TEST_CASE("a visitor ends a search by its limit") {
  struct Once final : TreeVisitor {
    double bound(const NodeBox&) override { return 0; }
    void visit(std::span<const TriangleId>) override {
      ++visits;
      limit = -std::numeric_limits<double>::infinity();
    }
    int visits = 0;
  };
  struct PairOnce final : PairVisitor {
    double bound(const NodeBox&, const NodeBox&) override { return 0; }
    void visit(std::span<const TriangleId>, std::span<const TriangleId>) override {
      ++visits;
      limit = -std::numeric_limits<double>::infinity();
    }
    int visits = 0;
  };
  const PlacedTree ball(modelOf(icosphere(1, 3)));
  Once once;
  visitTree(ball, once);
  CHECK(once.visits == 1);
  PairOnce pairOnce;
  visitPairs(ball, ball, pairOnce);
  CHECK(pairOnce.visits == 1);
}

TEST_CASE("questions in the world are those of the part's frame, far from the origin too") {
  TriangleMeshBuilder builder("far");
  for (const Vec3& p : {Vec3{1e6, 2e6, 0}, Vec3{1e6 + 1, 2e6, 0}, Vec3{1e6, 2e6 + 1, 0}}) builder.addPoint(p);
  builder.beginSurface();
  builder.addTriangle(0, 1, 2);
  const auto model = modelOf(finished(builder));
  const PlacedTree part = PlacedTree::inWorld(model);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const Vec3 corner = model->mesh().pointInPart(model->mesh().triangles()[0][k]);
    CHECK(part.triangle(TriangleId{0}).v[k] == corner);
    CHECK(part.castRay({corner + Vec3{0, 0, 7}, {0, 0, -2}})->at == 3.5);
    CHECK_FALSE(part.castRay({corner + Vec3{0, 0, 7}, {0, 0, -2}, 3.4999}));
  }
  const Transform turn = Transform::rotation({0, 0, 1}, 0.5);
  const PlacedTree turned = PlacedTree::inWorld(model, turn);
  const Vec3 above = turn.apply({1e6 + 0.25, 2e6 + 0.25, 1});
  CHECK(turned.castRay({above, {0, 0, -1}})->at == Approx(1));
  CHECK(turned.within(1.001, {{above, above, above}}).size() == 1);
  CHECK(turned.within(0.999, {{above, above, above}}).empty());
}

TEST_CASE("what cannot be asked is a typed error") {
  const ModelPtr ball = modelOf(icosphere(1, 1));
  BuildOptions lean;
  lean.wide.reset();
  const ModelPtr bare = modelOf(icosphere(1, 1), lean);
  CHECK_THROWS_AS(PlacedTree(nullptr), InputError);
  CHECK_THROWS_AS(PlacedTree::inWorld(nullptr), InputError);
  CHECK_THROWS_AS(PlacedTree(bare), NotBuiltError);
  CHECK_THROWS_AS(PlacedTree(ball, Transform::scaling(1, 0, 1)), PlacementError);
  CHECK_THROWS_AS(PlacedTree(ball, Transform::scaling(1, 1e40, 1)), RangeError);
  const double nan = std::nan("");
  CHECK_THROWS_AS(PlacedTree(ball, shift(nan, 0, 0)), Error);
  const PlacedTree tree(ball);
  CHECK_THROWS_AS(tree.castRay({{}, {}}), InputError);
  CHECK_THROWS_AS(tree.castRay({{}, {1, 0, 0}, -1}), InputError);
  CHECK_THROWS_AS(tree.castRay({{}, {1, 0, 0}, nan}), InputError);
  CHECK_THROWS_AS(tree.castRay({{}, {1, nan, 0}}), RangeError);
  CHECK_THROWS_AS(tree.allHits({{1e60, 0, 0}, {1, 0, 0}}), RangeError);
  CHECK_THROWS_AS(tree.within(-1, {}), InputError);
  CHECK_THROWS_AS(tree.within(nan, {}), InputError);
  CHECK_THROWS_AS(tree.within(1, {{{nan, 0, 0}, {}, {}}}), RangeError);

  const PlacedTree nothing(modelOf(emptyMesh()));
  CHECK_FALSE(nothing.castRay({{}, {1, 0, 0}}));
  CHECK(nothing.inBox({{-1, -1, -1}, {1, 1, 1}}).empty());
  CHECK(nothing.within(1, {}).empty());
}

}  // namespace tree_queries_tests
