#include <fitup/hierarchy/part_hull.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <thread>
#include <vector>

#include <models/torus.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace part_hull_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Returns the extent of a part's points from the centre of its box.
double reachOfPoints(const CollisionModel& model, const Vec3& direction) {
  const TriangleMesh& mesh = model.mesh();
  double most = -std::numeric_limits<double>::infinity();
  for (const TriangleIndices& t : mesh.triangles())
    for (const std::uint32_t p : t)
      most = std::max(most, dot(mesh.pointInPart(p) - model.box().centre, direction));
  return most;
}

std::array<float, 3> floats(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// Checks that no point is beyond the hull, and that the hull extends beyond the points by at most `loose` of
/// the part's size.
void checkHull(const CollisionModel& model, double loose) {
  const PartHull& hull = model.hull();
  INFO(model.mesh().name() << ", " << hull.size() << " corners");
  REQUIRE_FALSE(hull.empty());
  CHECK(hull.slack() < 0x1p-18 * model.box().halfSum);
  Random random(8);
  for (int k = 0; k < 300; ++k) {
    const std::array<float, 3> f = floats(normalized(random.inCube(1)));
    const Vec3 d{f[0], f[1], f[2]};
    const double points = reachOfPoints(model, d);
    for (const VectorUse vectors : {VectorUse::best, VectorUse::scalar}) {
      const PartHull::Farthest farthest = hull.farthest(f, vectors);
      REQUIRE(double{farthest.reach} + hull.slack() >= points);
      REQUIRE(farthest.reach - hull.slack() <= points + loose * model.box().halfSum);
      REQUIRE(std::abs(dot(hull.corner(farthest.corner), d) - double{farthest.reach}) <= hull.slack());
    }
    REQUIRE(double{hull.reach(f)} + hull.slack() >= points);
    REQUIRE(hull.reach(f) == hull.farthest(f).reach);
  }
}

}  // namespace

TEST_CASE("a part's hull reaches as far as its points", "[hierarchy][laws]") {
  for (const MeshPtr& mesh :
       {tetrahedron(1), sixSidedBox(1, 20, 300, 3), icosphere(1, 3), cylinder(0.01, 5, 90), lShape(1.5, 0.5),
        sliverFan(40, 100, 0.1), degenerateSet(), soup(500, 3, 0.2)})
    checkHull(*modelOf(mesh), 0);
  // Far from the origin of the part, and of the local coordinates.
  const Transform far = Transform::translation({1e6, -2e5, 3e4}) * Transform::rotation({1, 2, 3}, 0.7);
  checkHull(*modelOf(transformed(cylinder(3, 5, 40), far)), 0);
}

TEST_CASE("a part with many points or corners has a hull of its tree's boxes", "[hierarchy][laws]") {
  const ModelPtr ball = modelOf(uvSphere(1, 50, 30, 4));
  REQUIRE(ball->mesh().points().size() > PartHull::mostCorners);
  REQUIRE(ball->mesh().points().size() < PartHull::mostPoints);
  checkHull(*ball, 0.15);

  const auto mesh = std::make_shared<const TriangleMesh>(models::makeTorus(models::largeTorus()));
  REQUIRE(mesh->points().size() > PartHull::mostPoints);
  for (const WideLayout layout : {WideLayout::fast, WideLayout::compact}) {
    BuildOptions options;
    options.wide->layout = layout;
    const auto model = CollisionModel::build(mesh, options);
    checkHull(*model, 0.15);
    CHECK(model->hull().size() <= PartHull::mostPoints);
  }
}

TEST_CASE("many points in one plane are held by their jittered hull", "[hierarchy][laws]") {
  for (int k = 0; k < 20; ++k) checkHull(*modelOf(cylinder(1 + 0.01 * k, 0.1, 1000)), 0.1);
}

TEST_CASE("parts without extent in three dimensions have no hull", "[hierarchy]") {
  CHECK(modelOf(flatSheet(3, 4))->hull().empty());
  CHECK(modelOf(emptyMesh())->hull().empty());
  CHECK(modelOf(fromTriangle({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}))->hull().empty());
  // So thin that rounding decides which points are corners.
  CHECK(modelOf(sixSidedBox(1, 1, 1e-14))->hull().empty());
}

TEST_CASE("a hull belongs to a model, not to its refitted versions", "[hierarchy]") {
  const ModelPtr ball = modelOf(icosphere(1, 2));
  CHECK_FALSE(ball->hull().empty());
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < ball->mesh().points().size(); ++i)
    points.push_back(ball->mesh().pointInPart(i) * 2.0);
  CHECK(ball->refit(points)->hull().empty());
  BuildOptions lean;
  lean.wide.reset();
  const ModelPtr withoutTree = modelOf(icosphere(1, 2), lean);
  CHECK(withoutTree->hull().empty());
  CHECK_FALSE(CollisionModel::with(withoutTree, {})->hull().empty());
}

TEST_CASE("threads that ask for a hull at once get the same one", "[hierarchy]") {
  const ModelPtr ball = modelOf(icosphere(1, 3));
  std::vector<const PartHull*> seen(4);
  std::vector<std::thread> threads;
  for (const PartHull*& hull : seen) threads.emplace_back([&] { hull = &ball->hull(); });
  for (std::thread& thread : threads) thread.join();
  for (const PartHull* hull : seen) {
    CHECK(hull == &ball->hull());
    CHECK(hull->size() > 30);
  }
}

}  // namespace part_hull_tests
