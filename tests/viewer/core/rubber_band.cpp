#include <viewer/core/rubber_band.h>

#include <catch2/catch.hpp>

#include <algorithm>

#include <models/random.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace rubber_band_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

TEST_CASE("a rectangle selects what is inside it, or what it crosses", "[viewer][band]") {
  Assembly assembly("row");
  const PartId box = assembly.addPart(sixSidedBox(1, 1, 1));
  std::vector<NodeId> row;
  for (int i = 0; i < 4; ++i)
    row.push_back(assembly.addNode("box" + std::to_string(i), shift(2.0 * i, 0, 0), {}, box));
  const Scene scene(assembly);
  Camera camera;
  camera.setPicture(800, 600);
  camera.look(StandardView::front, {{-1, -1, -1}, {7, 1, 1}});
  const auto rectangle = [&](double left, double right) {
    return PictureRectangle::between(camera.project({right, 0, -0.8}).value(),
                                     camera.project({left, 0, 0.8}).value());
  };
  const auto selected = [&](double left, double right, BandRule rule) {
    return instancesIn(scene, {}, row, camera, rectangle(left, right), rule);
  };
  CHECK(selected(-1, 3, BandRule::inside) == std::vector{row[0], row[1]});
  CHECK(selected(-0.2, 3, BandRule::inside) == std::vector{row[1]});
  CHECK(selected(-0.2, 3.6, BandRule::crossing) == std::vector{row[0], row[1], row[2]});
  CHECK(selected(0.6, 1.4, BandRule::crossing).empty());
  // Within one face.
  CHECK(instancesIn(scene, {}, row, camera,
                    PictureRectangle::between(camera.project({1.9, 0, 0.1}).value(),
                                              camera.project({2.1, 0, 0.2}).value()),
                    BandRule::crossing) == std::vector{row[1]});
  // Where it stands, not where it was designed.
  Poses poses;
  poses.set(row[3], shift(0, 0, 9));
  CHECK(instancesIn(scene, poses, row, camera, rectangle(-1, 7), BandRule::inside).size() == 3);
}

TEST_CASE("laws: what a rectangle crosses is what is seen in it at some point", "[viewer][band][laws]") {
  models::Random random(8);
  Assembly assembly("one");
  const NodeId node = assembly.addNode("ball", {}, {}, assembly.addPart(icosphere(1, 1)));
  const Scene scene(assembly);
  const NodeId nodes[] = {node};
  int crossed = 0, inside = 0;
  for (int i = 0; i < 300; ++i) {
    Camera camera;
    camera.setPicture(400, 300);
    camera.setProjection(i % 2 == 0 ? Projection::orthographic : Projection::perspective);
    camera.setViewpoint({11 * random.direction(), {}, {0, 0, 1}});
    const auto place = [&] { return PicturePoint{random.between(80, 320), random.between(50, 250)}; };
    const PictureRectangle band = PictureRectangle::between(place(), place());
    bool isSeen = false, isBeside = false;
    const TriangleMesh& mesh = assembly.meshOf(node);
    for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t) {
      const Triangle triangle = mesh.triangle(TriangleId{t});
      for (int k = 0; k < 60; ++k) {
        const double a = random.unit(), b = random.unit() * (1 - a);
        const auto at = camera.project(triangle.v[0] * (1 - a - b) + triangle.v[1] * a + triangle.v[2] * b);
        (band.contains(at.value()) ? isSeen : isBeside) = true;
      }
    }
    const bool crosses = !instancesIn(scene, {}, nodes, camera, band, BandRule::crossing).empty(),
               contains = !instancesIn(scene, {}, nodes, camera, band, BandRule::inside).empty();
    if (isSeen) REQUIRE(crosses);
    if (isBeside) REQUIRE_FALSE(contains);
    // Not by much more than the samples show.
    if (band.high.x - band.low.x > 20 && band.high.y - band.low.y > 20 && !isSeen) CHECK_FALSE(crosses);
    crossed += crosses;
    inside += contains;
  }
  CHECK(crossed > 100);
  CHECK(crossed < 299);
  CHECK(inside > 5);
}

}  // namespace rubber_band_tests
