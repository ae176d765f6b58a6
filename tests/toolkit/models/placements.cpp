#include <models/placements.h>

#include <cmath>
#include <memory>

#include <fitup/base/borrowed.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <models/mesh_distance.h>
#include <models/random.h>
#include <models/sphere.h>
#include <models/torus.h>
#include <catch2/catch.hpp>

namespace placements_tests {

using namespace fitup;

namespace {

std::shared_ptr<const CollisionModel> modelOf(TriangleMesh mesh) {
  return CollisionModel::build(std::make_shared<const TriangleMesh>(std::move(mesh)));
}

models::IntersectsAt intersectsAt(const CollisionModel& a, const CollisionModel& b) {
  return [a = borrowed(a), b = borrowed(b)](const Transform& worldFromB) {
    IntersectionRequest first;
    first.mode = QueryMode::firstSurfacePair;
    return !intersect({a, {}}, {b, worldFromB}, first).surfacePairs.empty();
  };
}

}  // namespace

TEST_CASE("random placements are rigid, seeded and fill the cube", "[models]") {
  const auto placements = models::randomPlacements(4000, 2, 7);
  CHECK(placements == models::randomPlacements(4000, 2, 7));
  CHECK(placements != models::randomPlacements(4000, 2, 8));
  Vec3 mean, meanAxis;
  for (const Transform& t : placements) {
    REQUIRE(t.kind() == TransformKind::rigid);
    for (int k = 0; k < 3; ++k) REQUIRE(std::abs(t.t[k]) <= 1);
    mean = mean + t.t * (1.0 / 4000);
    meanAxis = meanAxis + t.applyToVector({0, 0, 1}) * (1.0 / 4000);
  }
  CHECK(norm(mean) < 0.05);
  CHECK(norm(meanAxis) < 0.05);
}

TEST_CASE("distance of triangles", "[models]") {
  const Triangle flat{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  CHECK(models::triangleDistance(flat, {{{1, 1, 2}, {2, 1, 3}, {1, 2, 3}}}) == Approx(2));  // point over face
  CHECK(models::triangleDistance(flat, {{{-3, 1, 0}, {-3, 2, 0}, {-9, 1, 0}}}) == Approx(3));  // in one plane
  CHECK(models::triangleDistance(flat, {{{1, -1, -1}, {1, -1, 5}, {1, -9, 0}}}) ==
        Approx(1));  // edges crossing
  CHECK(models::triangleDistance(flat, {{{1, 1, -1}, {1, 1, 1}, {9, 9, 0}}}) == 0);
}

TEST_CASE("distance of meshes agrees with every pair of triangles", "[models]") {
  models::TorusOptions options;
  options.around = 14;
  options.across = 9;
  const TriangleMesh torus = models::makeTorus(options);
  const models::MeshDistance distance(torus, {}, torus);
  for (const Transform& placement : models::randomPlacements(12, 6, 3)) {
    double least = 1e300;
    for (std::size_t i = 0; i < torus.triangleCount(); ++i)
      for (std::size_t j = 0; j < torus.triangleCount(); ++j) {
        Triangle b = torus.triangle(TriangleId(static_cast<std::uint32_t>(j)));
        for (Vec3& p : b.v) p = placement.apply(p);
        least = std::min(
            least, models::triangleDistance(torus.triangle(TriangleId(static_cast<std::uint32_t>(i))), b));
      }
    CHECK(distance(placement) == least);
  }
}

TEST_CASE("poses at a relative distance are at that distance", "[models]") {
  const TriangleMesh torus = models::makeTorus();
  const models::MeshDistance distance(torus, {}, torus);
  const auto model = modelOf(torus);
  const auto hits = intersectsAt(*model, *model);
  const double size = 2.8;  // size of the box
  const auto poses = models::distancePoses(
      distance.boxA(), distance.boxB(), [&](const Transform& t) { return distance(t); }, {0, 0.01, 0.1, 1}, 3,
      5);
  REQUIRE(poses.size() == 12);
  for (const models::DistancePose& pose : poses) {
    const double measured = distance(pose.worldFromB);
    CHECK(measured >= pose.relativeDistance * size);
    CHECK(measured <= pose.relativeDistance * size + 1.0001e-4 * size);
    CHECK_FALSE(hits(pose.worldFromB));
  }
}

TEST_CASE("an approach with intersections alone ends almost touching", "[models]") {
  const TriangleMesh sphere = models::makeSphere({1, 8, false});
  const auto model = modelOf(sphere);
  const auto hits = intersectsAt(*model, *model);
  const models::MeshDistance distance(sphere, {}, sphere);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const models::Approach approach = models::randomApproach(distance.boxA(), distance.boxB(), seed);
    const auto t = models::approachToContact(approach, hits, 0.05, 1e-6);
    REQUIRE(t.has_value());
    CHECK_FALSE(hits(approach.at(*t)));
    CHECK(hits(approach.at(*t - 2e-6)));
    CHECK(distance(approach.at(*t)) <= 1e-6);
    const auto exact = models::approachToDistance(
        approach, [&](const Transform& placed) { return distance(placed); }, 0.25, 1e-6);
    REQUIRE(exact.has_value());
    CHECK(distance(approach.at(*exact)) == Approx(0.25).margin(1e-6));
  }
}

TEST_CASE("an approach that passes by finds no contact", "[models]") {
  models::Approach approach;
  approach.direction = {1, 0, 0};
  approach.far = 10;
  const models::IntersectsAt never = [](const Transform&) { return false; };
  CHECK_FALSE(models::approachToContact(approach, never, 0.5, 1e-3).has_value());
  CHECK_FALSE(models::approachToDistance(
                  approach, [](const Transform&) { return 2.0; }, 1, 1e-3)
                  .has_value());
}

TEST_CASE("entwined grids touch exactly where they should", "[models]") {
  models::GridOptions small;
  small.bars = 6;
  small.cells = 25;
  small.size = 375;
  const auto model = modelOf(models::makeGrid(small));
  const auto hits = intersectsAt(*model, *model);
  for (const Transform& pose : models::entwinedGridPoses(small, 12, true, 1)) CHECK_FALSE(hits(pose));
  int found = 0;
  for (const Transform& pose : models::entwinedGridPoses(small, 12, false, 1)) found += hits(pose) ? 1 : 0;
  CHECK(found == 12);
}

}  // namespace placements_tests
