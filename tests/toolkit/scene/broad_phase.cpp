#include <catch2/catch.hpp>

#include <fitup/base/error.h>
#include <fitup/query/brute_force.h>
#include <fitup/scene/interference.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace broad_phase_tests {

using namespace fitup;
using namespace fitup::test;

TEST_CASE("the broad phase drops no pair that an exact query finds", "[scene]") {
  // A blade at the foremost corner of a cube turned about a skew axis, some ulps back and forth: there the
  // rounding of the relative placement decides. Boxes enlarged only for their own rounding would miss such
  // pairs.
  std::size_t found = 0;
  for (int k = 1; k < 600; ++k) {
    const Transform turned = Transform::rotation({1, 2, 3}, 0.001 * k);
    const MeshPtr cube = box(2, 2, 2), blade = fromTriangle({{{0, -512, -512}, {0, 512, -512}, {0, 0, 512}}});
    Vec3 tip{-1e9, 0, 0};  // the cube's foremost corner, rounded in world coordinates
    for (std::uint32_t i = 0; i < cube->points().size(); ++i) {
      const Vec3 p = turned.apply(cube->pointInPart(i));
      if (p.x > tip.x) tip = p;
    }
    for (int ulps = -3; ulps <= 3; ++ulps) {
      double x = tip.x;
      for (int i = 0; i < std::abs(ulps); ++i) x = std::nextafter(x, ulps < 0 ? -1e9 : 1e9);
      Assembly assembly("just apart");
      assembly.addNode("cube", turned, {}, assembly.addPart(cube));
      assembly.addNode("blade", Transform::translation({x, tip.y, tip.z}), {}, assembly.addPart(blade));
      const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
      const IntersectionReport exact =
          bruteForce({models[0], turned}, {models[1], assembly.worldFromNode(NodeId{1})});
      const InterferenceReport checked = checkAllPairs(Scene(assembly, models));
      found += exact.intersects();
      REQUIRE(checked.intersects() == exact.intersects());
      REQUIRE(mayMeet(placedInstance(assembly, NodeId{0}, turned),
                      placedInstance(assembly, NodeId{1}, assembly.worldFromNode(NodeId{1}))));
    }
  }
  CHECK(found > 500);
  CHECK(found < 4000);
}

TEST_CASE("the slack bounds where a query places points, for every class of placement", "[scene]") {
  Random random(17);
  for (PlacementClass kind : allPlacementClasses)
    for (int k = 0; k < 200; ++k) {
      const MeshPtr a = soup(6, random.next(), 0.5), b = soup(6, random.next(), 0.5);
      Assembly assembly("two");
      const Transform wa = randomPlacement(kind, random, 1e5), wb = randomPlacement(kind, random, 1e5);
      assembly.addNode("a", wa, {}, assembly.addPart(a));
      assembly.addNode("b", wb, {}, assembly.addPart(b));
      const PlacedInstance pa = placedInstance(assembly, NodeId{0}, wa),
                           pb = placedInstance(assembly, NodeId{1}, wb);
      const double bound = std::max(pa.growth, pb.growth) * (pa.reach + pb.reach);
      const Transform relative = wa.inverse() * wb;
      for (std::uint32_t i = 0; i < b->points().size(); ++i) {
        const Vec3 q = b->pointInPart(i);
        // Long doubles resolve errors of a thousandth of the bound.
        const Vec3 placed = relative.apply(q);
        for (std::size_t r = 0; r < 3; ++r) {
          long double there = wa.t[int(r)], exact = wb.t[int(r)];
          for (std::size_t c = 0; c < 3; ++c) {
            there += static_cast<long double>(wa.m[r][c]) * placed[int(c)];
            exact += static_cast<long double>(wb.m[r][c]) * q[int(c)];
          }
          REQUIRE(std::abs(static_cast<double>(there - exact)) <= bound);
        }
      }
    }
}

TEST_CASE("an instance whose composed placement overflows is an error that names it", "[scene]") {
  Assembly assembly("far");
  const PartId part = assembly.addPart(box(1, 1, 1));
  const NodeId group = assembly.addNode("group", Transform::translation({1.5e308, 0, 0}));
  assembly.addNode("part", Transform::translation({1.5e308, 0, 0}), group, part);
  assembly.addNode("other", {}, {}, part);
  const CollisionModels models = buildCollisionModels(assembly);
  CHECK_THROWS_WITH(checkAllPairs(Scene(assembly, models)), Catch::Contains("group/part"));
  CHECK_THROWS_AS(checkAllPairs(Scene(assembly, models)), PlacementError);
}

TEST_CASE("a model of another mesh is refused", "[scene]") {
  Assembly assembly("one");
  assembly.addNode("a", {}, {}, assembly.addPart(box(1, 1, 1)));
  CHECK_THROWS_AS(checkAllPairs(Scene(assembly, {modelOf(box(1, 1, 2))}), {}, {}), InputError);
  CHECK_THROWS_AS(checkAllPairs(Scene(assembly, {nullptr})), InputError);
}

}  // namespace broad_phase_tests
