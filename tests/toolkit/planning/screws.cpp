#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

#include <fitup/planning/detail/removal_directions.h>
#include <fitup/planning/removal.h>
#include <models/ways_out.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"
#include "toolkit/planning/way_oracle.h"

namespace screws_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// The mesh with x mirrored, turned inside out again, and scaled.
MeshPtr mirrored(const TriangleMesh& mesh, double scale) {
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < mesh.points().size(); ++i) {
    const Vec3 p = mesh.pointInPart(i);
    points.push_back({-scale * p.x, scale * p.y, scale * p.z});
  }
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint64_t> surfaces;
  for (std::uint32_t i = 0; i < mesh.triangles().size(); ++i) {
    const TriangleIndices& t = mesh.triangles()[i];
    triangles.push_back({t[0], t[2], t[1]});
    surfaces.push_back(index(mesh.surfaceOf(TriangleId{i})));
  }
  return std::make_shared<const TriangleMesh>(TriangleMesh::from(points, triangles, surfaces, mesh.name()));
}

detail::WayCandidates candidatesOf(const Assembly& assembly, NodeId moved) {
  return detail::wayCandidates(Scene(assembly), {}, std::vector{moved}, {});
}

}  // namespace

TEST_CASE("a screw comes out along its thread, and not otherwise", "[planning][removal][screw]") {
  const models::WayOutScene model = models::makeScrew();
  const Scene scene(model.assembly);
  const std::vector moved{model.assembly.at("screw/moved")};
  const RemovalOptions options;
  const RemovalReport report = findRemoval(scene, {}, moved, options);
  requireWay(scene, report, options);
  REQUIRE(report.way->certificate.track.steps.size() == 2);
  const auto turn = report.way->certificate.track.wayTo(1, 0).turn;
  REQUIRE(turn);
  CHECK(turn->degrees / 360 * 8 == Approx(turn->advance).epsilon(1e-3));
  for (const RemovalDirection& d : report.directions) {
    CHECK((d.source == RemovalSource::screw) == (d.answer == CertifyAnswer::certain));
    CHECK((d.degrees != 0) == (d.source == RemovalSource::screw));
  }
}

TEST_CASE("pitches of threads have their sense and scale, wherever the part is", "[planning][screw]") {
  const models::WayOutScene model = models::makeScrew();
  const NodeId screw = model.assembly.at("screw/moved");
  const TriangleMesh& mesh = model.assembly.meshOf(screw);
  for (const double scale : {1.0, 0.01}) {
    Assembly assembly("left-handed");
    const Transform placed = Transform::translation({300, -20, 7}) * Transform::rotation({1, 2, 3}, 0.7);
    const NodeId node = assembly.addNode("screw", placed, {}, assembly.addPart(mirrored(mesh, scale)));
    const auto screws = candidatesOf(assembly, node).screws;
    REQUIRE(screws.size() == 1);
    const Vec3 axis = placed.applyToVector({0, 0, 1});
    CHECK(norm(cross(screws[0].direction, axis)) < 1e-6);
    CHECK(norm(cross(screws[0].point - placed.t, axis)) < 1e-3 * scale);
    CHECK(screws[0].pitch == Approx(-8 * scale).epsilon(1e-3));
  }
  const auto right = candidatesOf(model.assembly, screw).screws;
  REQUIRE(right.size() == 1);
  CHECK(right[0].pitch == Approx(8).epsilon(1e-3));
}

TEST_CASE("faces without a thread have no screws", "[planning][screw]") {
  for (const auto& [model, moved] :
       {std::pair{models::makePeg(), "peg/moved"}, std::pair{models::makeAlpha(), "alpha/moved"},
        std::pair{models::makeFlange(), "flange/moved"}, std::pair{models::makeBurr3(), "burr-3/y"}})
    CHECK(candidatesOf(model.assembly, model.assembly.at(moved)).screws.empty());
}

}  // namespace screws_tests
