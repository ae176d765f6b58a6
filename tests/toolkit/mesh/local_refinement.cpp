// Surfaces in closed form, the chord errors of triangles on them, and their local refinement, against
// distances from exact profiles.
#include <catch2/catch.hpp>

#include <map>
#include <random>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/mesh/local_refinement.h>
#include <fitup/mesh/watertightness.h>

#include "support/revolved_part.h"

namespace local_refinement_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

using Random = std::mt19937;
double between(Random& random, double low, double high) {
  return std::uniform_real_distribution(low, high)(random);
}

/// A shaft with a head, a fillet between them that is tangent to both, and a chamfer.
RevolvedPart filletedBolt() {
  return {{0, 0},
          {{{5, 0}}, {{6, 1}}, {{6, 18}}, {{8, 20}, ProfilePoint{8, 18}}, {{12, 20}}, {{12, 25}}, {{0, 25}}}};
}
std::vector<RevolvedPart> families() {
  return {shaft(10, 0, 40),
          ball(10),
          bushing(10, 14, 0, 30),
          {{0, 0}, {{{8, 0}}, {{0, 15}}}},             // a cone with its tip
          {{0, 0}, {{{8, 0}}, {{3, 10}}, {{0, 10}}}},  // without it
          ring(8, 2),
          {{20, -1}, {{{30, -1}}, {{30, 8}}, {{22, 8}}, {{20, 6}, ProfilePoint{22, 6}}, {{20, -1}}}},
          filletedBolt()};
}

Triangle inPart(const TriangleMesh& mesh, std::uint32_t i) {
  Triangle t = mesh.triangle(TriangleId{i});
  for (Vec3& v : t.v) v = mesh.origin() + v;
  return t;
}
Vec3 pointOf(const Triangle& t, Random& random) {
  double p = between(random, 0, 1), q = between(random, 0, 1);
  if (p + q > 1) p = 1 - p, q = 1 - q;
  return t.v[0] + p * (t.v[1] - t.v[0]) + q * (t.v[2] - t.v[0]);
}

bool sameCorners(const Triangle& p, const Triangle& q) {
  return std::equal(std::begin(p.v), std::end(p.v), std::begin(q.v));
}

struct Refined {
  std::shared_ptr<const TriangleMesh> mesh;
  std::vector<bool> isChosen;  ///< by triangle of the coarse mesh
};
Refined refinedIn(const TriangleMesh& coarse, double target, const Box& box) {
  const MeshTopology topology(coarse);
  const ChordErrors errors(coarse, topology);
  Refined result;
  std::vector<TriangleId> chosen;
  for (std::uint32_t i = 0; i < coarse.triangleCount(); ++i) {
    Box of;
    for (const Vec3& v : inPart(coarse, i).v) of.extend(v);
    result.isChosen.push_back(of.overlaps(box));
    if (result.isChosen.back()) chosen.push_back(TriangleId{i});
  }
  result.mesh = refinedLocally(coarse, topology, errors, chosen, target, 200'000);
  return result;
}

constexpr double rounding = 2e-6;

}  // namespace

TEST_CASE("the deviation of a triangle from a surface in closed form is bounded, and not by much more",
          "[mesh]") {
  Random random(3);
  std::map<SurfaceKind, int> seen;
  for (const RevolvedPart& part : families())
    for (const double error : {0.02, 0.3}) {
      const TriangleMesh mesh = part.mesh(error, between(random, 0, 6));
      for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
        const Surface& face = mesh.surfaces()[index(mesh.surfaceOf(TriangleId{i}))];
        const auto surface = AnalyticSurface::of(*face.description);
        REQUIRE(surface);
        Triangle t = inPart(mesh, i);
        if (random() % 2 == 0)  // its corners need not be on the surface
          for (Vec3& v : t.v) v = v + Vec3{between(random, 0, error), 0, between(random, 0, error)};
        const double bound = surface->deviation(t);
        if (bound == std::numeric_limits<double>::infinity()) continue;  // beyond the tip of a cone
        double most = 0;
        for (int k = 0; k < 60; ++k) most = std::max(most, std::abs(surface->distance(pointOf(t, random))));
        for (const Vec3& v : t.v) most = std::max(most, std::abs(surface->distance(v)));
        CAPTURE(name(surface->kind()), bound, most);
        REQUIRE(most <= bound + 1e-9);
        CHECK(bound <= 5 * most + 1e-9);
        ++seen[surface->kind()];
      }
    }
  CHECK(seen.size() == 5);
}

TEST_CASE("closed forms: distances and normals are those of the shapes", "[mesh]") {
  Random random(5);
  for (const RevolvedPart& part : families()) {
    const TriangleMesh mesh = part.mesh(0.1);
    for (int k = 0; k < 200; ++k) {
      const std::size_t piece = random() % part.pieceCount();
      const auto surface = AnalyticSurface::of(*mesh.surfaces()[piece].description);
      const Vec3 on = part.point(piece, between(random, 0.05, 0.95), between(random, 0, 6));
      CHECK(std::abs(surface->distance(on)) < 1e-9);
      const Vec3 normal = surface->normal(on);
      CHECK(norm(normal) == Approx(1));
      CHECK(surface->distance(on + 0.1 * normal) == Approx(0.1));
      CHECK(surface->distance(on - 0.1 * normal) == Approx(-0.1));
      CHECK(part.distance(on) < 1e-9);
    }
  }
  const auto with = [](SurfaceKind kind, double radius, double second, double angle) {
    SurfaceDescription description;
    description.kind = kind;
    description.radius = radius;
    description.secondRadius = second;
    description.halfAngle = angle;
    return AnalyticSurface::of(description).has_value();
  };
  CHECK_FALSE(with(SurfaceKind::cylinder, 0, 0, 0));
  CHECK_FALSE(with(SurfaceKind::torus, 1, 2, 0));
  CHECK_FALSE(with(SurfaceKind::cone, 1, 0, std::numbers::pi / 2));
  CHECK_FALSE(with(SurfaceKind::freeform, 1, 1, 1));
  CHECK(with(SurfaceKind::torus, 2, 1, 0));
}

TEST_CASE("laws: refined triangles are as near the exact shape as asked for, and the shape stays closed",
          "[mesh][laws]") {
  Random random(7);
  int number = 0;
  for (const RevolvedPart& part : families())
    for (const double error : {0.02, 0.1, 1.0})
      for (const double finer : {8.0, 40.0}) {
        const TriangleMesh coarse = part.mesh(error, between(random, 0, 6));
        const double target = std::max(error / finer, 0.002);
        CAPTURE(number++, error, target, coarse.triangleCount());
        const Refined refined = refinedIn(coarse, target, {{-100, -100, -100}, {100, 100, 100}});
        REQUIRE(refined.mesh);
        const TriangleMesh& fine = *refined.mesh;
        const MeshTopology topology(fine);
        CHECK(Watertightness(fine, topology).closed());
        ChordErrors errors(fine, topology);
        for (std::uint32_t i = 0; i < fine.triangleCount(); ++i) {
          REQUIRE(errors.of(TriangleId{i}) <= target + rounding);
          const Triangle t = inPart(fine, i);
          for (int k = 0; k < 5; ++k) REQUIRE(part.distance(pointOf(t, random)) <= target + rounding);
        }
        for (int k = 0; k < 20; ++k) {  // nothing is missing
          const Vec3 on =
              part.point(random() % part.pieceCount(), between(random, 0, 1), between(random, 0, 6));
          double least = 1e9;
          for (std::uint32_t i = 0; i < fine.triangleCount(); ++i)
            least = std::min(least, distancePointTriangle(on, inPart(fine, i)).distance);
          CHECK(least <= target + rounding);
        }
        CHECK(refinedIn(coarse, target, {{-100, -100, -100}, {100, 100, 100}}).mesh->contentHash() ==
              fine.contentHash());
      }
}

TEST_CASE("only the triangles that are asked for are divided", "[mesh][laws]") {
  Random random(11);
  int divided = 0;
  for (const RevolvedPart& part : families())
    for (int k = 0; k < 6; ++k) {
      const TriangleMesh coarse = part.mesh(0.2, between(random, 0, 6));
      const Vec3 at = part.point(random() % part.pieceCount(), between(random, 0, 1), between(random, 0, 6));
      CAPTURE(part.pieceCount(), k, at.x, at.y, at.z);
      const Refined refined = refinedIn(coarse, 0.002, {at - Vec3{1, 1, 1}, at + Vec3{1, 1, 1}});
      if (!refined.mesh) continue;  // a plane
      ++divided;
      const TriangleMesh& fine = *refined.mesh;
      const MeshTopology topology(fine);
      CHECK(Watertightness(fine, topology).closed());
      ChordErrors errors(fine, topology);
      std::size_t others = 0;
      for (std::uint32_t i = 0; i < fine.triangleCount(); ++i) {
        const std::uint32_t source = fine.sourceTriangle(TriangleId{i});
        if (refined.isChosen[source]) REQUIRE(errors.of(TriangleId{i}) <= 0.002 + rounding);
        others += !refined.isChosen[source] && sameCorners(inPart(fine, i), inPart(coarse, source));
      }
      const auto chosen = static_cast<std::size_t>(std::ranges::count(refined.isChosen, true));
      CHECK(others + 3 * chosen + 20 >= coarse.triangleCount() - chosen);
      REQUIRE(fine.surfaces().size() == coarse.surfaces().size());
      for (std::size_t s = 0; s < fine.surfaces().size(); ++s)
        CHECK(fine.surfaces()[s].description == coarse.surfaces()[s].description);
    }
  CHECK(divided > 30);
}

TEST_CASE("coordinates of new points that are below the range of exact predicates are zero", "[mesh]") {
  TriangleMesh::Data data = ball(10).mesh(0.5).data();
  for (Surface& surface : data.surfaces) surface.description->point.z = 1e-33;
  const Refined refined =
      refinedIn(TriangleMesh(std::move(data)), 0.05, {{-100, -100, -100}, {100, 100, 100}});
  REQUIRE(refined.mesh);
  CHECK(refined.mesh->triangleCount() > 500);
}

TEST_CASE("a refinement that would need too many triangles, or finds nothing to divide", "[mesh]") {
  const TriangleMesh coarse = ball(10).mesh(0.1);
  const MeshTopology topology(coarse);
  const ChordErrors errors(coarse, topology);
  std::vector<TriangleId> all;
  for (std::uint32_t i = 0; i < coarse.triangleCount(); ++i) all.push_back(TriangleId{i});
  CHECK_THROWS_AS(refinedLocally(coarse, topology, errors, all, 1e-5, 10'000), RangeError);
  CHECK(refinedLocally(coarse, topology, errors, all, 1, 10'000) == nullptr);
  CHECK(refinedLocally(coarse, topology, errors, {}, 1e-5, 10'000) == nullptr);
}

}  // namespace local_refinement_tests
