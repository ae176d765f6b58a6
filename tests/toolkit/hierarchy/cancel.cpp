// Tests that work on large meshes checks often enough for cancellation. Counted, not timed: each pass over n
// things checks at least n / 4096 times.
#include <catch2/catch.hpp>

#include <functional>
#include <random>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/hierarchy/detail/convex_hull.h>
#include <fitup/io/mesh_export.h>
#include <fitup/mesh/watertightness.h>
#include <fitup/mesh/weld.h>
#include <fitup_field/detail/axis_split.h>
#include <fitup_field/detail/extreme_points.h>
#include <fitup_field/trees/aabb_tree.h>
#include <fitup_field/trees/box_tree.h>
#include <fitup_field/trees/compact_aabb_tree.h>
#include <fitup_field/trees/dop_tree.h>
#include <fitup_field/trees/obb_tree.h>

#include "support/looks.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace cancel_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr std::size_t interval = 4096;

using Work = std::function<void(const WorkMeter&)>;

std::size_t looksOf(const Work& work) {
  Looks looks;
  const Progress progress = looks.progress();
  work(WorkMeter(progress));
  return looks.count();
}

/// Checks that work that is cancelled at any check ends there.
void checkEndsAtAnyLook(const Work& work) {
  const std::size_t all = looksOf(work);
  REQUIRE(all > 4);
  for (const std::size_t at : {std::size_t{1}, std::size_t{2}, all / 3, all / 2, all - 1, all}) {
    Looks looks(at);
    const Progress progress = looks.progress();
    CHECK_THROWS_AS(work(WorkMeter(progress)), CancelledError);
    CHECK(looks.count() == at);
  }
}

/// Makes two spheres in one mesh, one of them inside out, so that watertightness goes through all of its
/// passes.
MeshPtr nested(std::uint32_t level) {
  TriangleMeshBuilder builder("nested");
  builder.beginSurface("both");
  for (const double radius : {1.0, 0.5}) {
    const MeshPtr sphere = icosphere(radius, level);
    const auto base = static_cast<std::uint32_t>(radius == 1 ? 0 : sphere->points().size());
    for (std::uint32_t i = 0; i < sphere->points().size(); ++i) builder.addPoint(sphere->pointInPart(i));
    for (const TriangleIndices& t : sphere->triangles())
      builder.addTriangle(base + t[0], base + t[radius == 1 ? 1 : 2], base + t[radius == 1 ? 2 : 1]);
  }
  return std::make_shared<const TriangleMesh>(builder.build());
}

}  // namespace

TEST_CASE("every pass over a large mesh looks whether it is cancelled", "[hierarchy][cancel]") {
  const MeshPtr mesh = nested(6);
  const std::size_t n = mesh->triangleCount();
  REQUIRE(n > 160'000);
  const MeshTopology topology(*mesh);
  const auto passes = [&](const Work& work) { return double(looksOf(work)) * interval / double(n); };

  // Triangles, three sides, three uses of edges, triangles, one and a half edges, triangles twice;
  // `weldAndSort` stands for the points and the sort of the triangles.
  const double weldAndSort = 0.5 + 3 * 20.0 * interval / 65536;
  CHECK(passes([&](const WorkMeter& meter) { const MeshTopology again(*mesh, meter); }) > weldAndSort + 8);
  // Triangles, one and a half edges, triangles of the one that is inside out.
  CHECK(passes([&](const WorkMeter& meter) { const Watertightness watertightness(*mesh, topology, meter); }) >
        3);
  CHECK(Watertightness(*mesh, topology).closed());

  std::vector<detail::BuildItem> items;
  CHECK(passes([&](const WorkMeter& meter) { items = detail::triangleItems(*mesh, meter); }) >= 1);
  const std::vector<detail::BinaryNode> shape = detail::buildByAxisSplit(items, AabbSplit::middle, {});
  CHECK(passes([&](const WorkMeter& meter) { (void)detail::boxesOf(shape, items, meter); }) > 1.9);

  Assembly assembly;
  assembly.addNode("part", {}, {}, assembly.addPart(mesh));
  const TemporaryFolder folder;
  Looks looks;
  writeObj(folder / "a.obj", assembly, looks.progress());
  CHECK(double(looks.count()) * interval / double(n) > 1.4);  // points and triangles
  Looks some(20);
  CHECK_THROWS_AS(writeObj(folder / "b.obj", assembly, some.progress()), CancelledError);
  CHECK(folder.entryCount() == 1);
}

TEST_CASE("hierarchies end at the look at which they are cancelled", "[hierarchy][cancel]") {
  const MeshPtr mesh = nested(5);
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)AabbTree::build(*mesh, {}, m); });
  checkEndsAtAnyLook(
      [&](const WorkMeter& m) { (void)AabbTree::build(*mesh, {.split = AabbSplit::balanced}, m); });
  checkEndsAtAnyLook(
      [&](const WorkMeter& m) { (void)AabbTree::build(*mesh, {.split = AabbSplit::halfBalanced}, m); });
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)DopTree::build(*mesh, {}, m); });
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)CompactAabbTree::build(*mesh, {}, true, m); });
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)BoxTree::build(*mesh, {}, m); });
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)ObbTree::build(*mesh, {}, m); });
  for (const RTreeBuild build : {RTreeBuild::packed, RTreeBuild::guttman}) {
    RTreeOptions options;
    options.build = build;
    checkEndsAtAnyLook([&](const WorkMeter& m) { (void)ScdTrees::build(*mesh, options, true, m); });
  }
  checkEndsAtAnyLook([&](const WorkMeter& m) { (void)weldByCoordinates(mesh->points(), m); });
  checkEndsAtAnyLook([&](const WorkMeter& m) { const MeshTopology topology(*mesh, m); });
  const MeshTopology topology(*mesh);
  checkEndsAtAnyLook([&](const WorkMeter& m) { const Watertightness watertightness(*mesh, topology, m); });
}

TEST_CASE("hulls, which nothing ends, are of few points", "[hierarchy][cancel]") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Vec3> points;
  for (int i = 0; i < 200'000; ++i) {
    const Vec3 p{normal(random), normal(random), normal(random)};
    points.push_back(p * (1 / norm(p)));
  }
  detail::ConvexHull hull;
  CHECK_THROWS_AS(hull.of(points), RangeError);
  const std::vector<Vec3> extreme = detail::extremePoints(points);
  CHECK(extreme.size() <= detail::mostExtremePoints);
  CHECK(detail::mostExtremePoints <= detail::ConvexHull::mostPoints);
  CHECK_FALSE(hull.of(extreme).empty());
  // They reach as far as all points do, up to the sides of a cell.
  const double cell = 2.0 / detail::extremeCells;
  for (int i = 0; i < 100; ++i) {
    const Vec3 d{normal(random), normal(random), normal(random)};
    const auto reach = [&](const std::vector<Vec3>& of) {
      double most = 0;
      for (const Vec3& p : of) most = std::max(most, dot(p, d));
      return most / norm(d);
    };
    CHECK(reach(extreme) <= reach(points));
    CHECK(reach(extreme) >= reach(points) - 1.5 * cell);
  }
  CHECK(looksOf([&](const WorkMeter& m) { (void)detail::extremePoints(points, m); }) >=
        2 * points.size() / interval);
  // Few points, points in one place or in a plane, and none.
  CHECK(detail::extremePoints({}).empty());
  CHECK(detail::extremePoints(std::vector<Vec3>(5, Vec3{1, 2, 3})).size() == 1);
  const std::vector<Vec3> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  CHECK(detail::extremePoints(flat).size() == 4);

  // A tree over more triangles than this is as good as any.
  const MeshPtr mesh = icosphere(1, 6);
  REQUIRE(3 * mesh->triangleCount() > detail::ConvexHull::mostPoints);
  CHECK_FALSE(ObbTree::build(*mesh, {}, {})->problemFor(*mesh));
}

}  // namespace cancel_tests
