#include <models/substitutes.h>

#include <catch2/catch.hpp>

#include <fitup/base/borrowed.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>

namespace substitutes_tests {

using namespace fitup;

TEST_CASE("stand-ins have the number of triangles of what they stand for", "[models]") {
  CHECK(models::makeCraft().triangleCount() == 6084);
  CHECK(models::makePot().triangleCount() == 3752);
  CHECK(models::makeKnot().triangleCount() == 5120);
  CHECK(models::makePipes().triangleCount() == 143'690);
  CHECK(models::makeLandscape().triangleCount() == 98'000);
  CHECK(models::makeRing().triangleCount() == 20'000);
  CHECK(models::pipesTrack().size() == 4008);
  CHECK(models::ringTrack().size() == 1298);
  for (const TriangleMesh& mesh : {models::makeCraft(), models::makePot(), models::makeKnot(),
                                   models::makePipes(), models::makeLandscape(), models::makeRing()}) {
    INFO(mesh.name());
    CHECK(mesh.validation().degenerateTriangles == 0);
  }
  const Box craft = models::makeCraft().boundsInPart();
  CHECK(craft.max.z - craft.min.z == Approx(4));
  const Box pipes = models::makePipes(1 / 15.0).boundsInPart();
  CHECK(pipes.max.x - pipes.min.x == Approx(1 / 15.0).epsilon(0.02));
}

TEST_CASE("stand-ins meet on their tracks, and not everywhere", "[models]") {
  const auto model = [](TriangleMesh mesh) {
    return CollisionModel::build(std::make_shared<const TriangleMesh>(std::move(mesh)));
  };
  const auto hits = [](const CollisionModel& a, const CollisionModel& b,
                       const std::vector<Transform>& track) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < track.size(); k += track.size() / 40)
      count += intersect({borrowed(a), {}}, {borrowed(b), track[k]}, {.mode = QueryMode::firstSurfacePair})
                   .intersects();
    return count;
  };
  const std::size_t pipes =
      hits(*model(models::makePipes()), *model(models::makePipes(1 / 15.0)), models::pipesTrack());
  const std::size_t ring =
      hits(*model(models::makeLandscape()), *model(models::makeRing()), models::ringTrack());
  CHECK(pipes > 4);
  CHECK(ring > 4);
  CHECK(ring < 38);
}

}  // namespace substitutes_tests
