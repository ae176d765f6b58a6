// Compares measurements with every triangle against every other one, and shapes with known cases.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/geometry/distance_triangle_triangle.h>
#include <viewer/core/measurement.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace measurement_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

constexpr double right = std::numbers::pi / 2;
const SurfaceId plusX{1}, minusX{0}, plusY{3};

PlacedTarget target(std::uint32_t instance, const MeshPtr& mesh, const Transform& worldFromPart,
                    std::optional<SurfaceId> surface = {}, std::optional<Vec3> pointInPart = {}) {
  return {{NodeId{instance}, surface, pointInPart}, modelOf(mesh), worldFromPart};
}

std::vector<Triangle> worldTriangles(const PlacedTarget& placed) {
  const TriangleMesh& mesh = placed.model->mesh();
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    if (placed.target.surface && mesh.surfaceOf(TriangleId{i}) != *placed.target.surface) continue;
    Triangle t = mesh.triangle(TriangleId{i});
    for (Vec3& v : t.v) v = placed.worldFromPart.apply(mesh.origin() + v);
    triangles.push_back(t);
  }
  return triangles;
}

/// A point is a triangle with three equal corners.
double bruteForce(const PlacedTarget& a, const PlacedTarget& b) {
  const auto all = [](const PlacedTarget& placed) {
    if (!placed.target.pointInPart) return worldTriangles(placed);
    const Vec3 p = placed.worldFromPart.apply(*placed.target.pointInPart);
    return std::vector{Triangle{{p, p, p}}};
  };
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& s : all(a))
    for (const Triangle& t : all(b)) least = std::min(least, distanceTriangleTriangle(s, t).distance);
  return least;
}

void checkDistance(const PlacedTarget& a, const PlacedTarget& b) {
  const MeasuredValue value = measure({a, b});
  REQUIRE(value.distance);
  CHECK(*value.distance == Approx(bruteForce(a, b)).margin(1e-9));
  CHECK(norm(value.secondPoint - value.firstPoint) == Approx(*value.distance).margin(1e-6));
  const MeasuredValue swapped = measure({b, a});
  CHECK(*swapped.distance == Approx(*value.distance).margin(1e-12));
  CHECK(norm(swapped.firstPoint - swapped.secondPoint) == Approx(*value.distance).margin(1e-6));
}

}  // namespace

TEST_CASE("distances of faces, parts and points are those of their triangles", "[viewer]") {
  const MeshPtr box = sixSidedBox(2, 3, 4, 2), ball = uvSphere(1.5, 12, 8, 4);
  Random random(5);
  const auto anywhere = [&random] { return Transform::rigid(randomRotation(random), random.inCube(3)); };
  for (int i = 0; i < 20; ++i) {
    const Transform a = anywhere(), b = anywhere();
    CAPTURE(i);
    checkDistance(target(0, box, a, SurfaceId{static_cast<std::uint32_t>(i % 6)}),
                  target(1, ball, b, SurfaceId{static_cast<std::uint32_t>(i % 4)}));
    checkDistance(target(0, box, a), target(1, ball, b));
    checkDistance(target(0, box, a, plusX), target(1, ball, b));
    checkDistance(target(0, box, a, plusX, Vec3{1, 0.3, 0.2}), target(1, ball, b, SurfaceId{1}));
    checkDistance(target(0, box, a, plusX, Vec3{1, 0.3, 0.2}), target(1, ball, b));
    checkDistance(target(0, box, a, plusX, Vec3{1, 0, 0}), target(1, ball, b, SurfaceId{1}, Vec3{0, 0, 1.5}));
    checkDistance(target(0, box, a, minusX), target(0, box, a, plusX));
  }
}

TEST_CASE("planes: parallel ones have a distance, others an angle", "[viewer]") {
  const MeshPtr cube = sixSidedBox(1, 1, 1);
  const Transform beside = Transform::translation({3, 0.25, 0});
  const MeasuredValue facing = measure({target(0, cube, {}, plusX), target(1, cube, beside, minusX)});
  CHECK(*facing.distance == Approx(2));
  CHECK(*facing.angle == Approx(0).margin(1e-9));
  CHECK(facing.shapes == ShapePair::planes);
  CHECK(*facing.shapeDistance == Approx(2));
  CHECK((facing.secondPoint - facing.firstPoint).x == Approx(2));

  const MeasuredValue square = measure({target(0, cube, {}, plusX), target(1, cube, beside, plusY)});
  CHECK(*square.angle == Approx(right));
  CHECK_FALSE(square.shapeDistance);
  const Transform tilted = beside * Transform::rotation({0, 0, 1}, 0.3);
  CHECK(*measure({target(0, cube, {}, plusX), target(1, cube, tilted, plusX)}).angle == Approx(0.3));
  // The planes of faces that lie aside are still two apart; their faces are farther.
  const Transform aside = Transform::translation({3, 7, 0});
  const MeasuredValue far = measure({target(0, cube, {}, plusX), target(1, cube, aside, minusX)});
  CHECK(*far.shapeDistance == Approx(2));
  CHECK(*far.distance == Approx(std::hypot(2.0, 6.0)));
}

TEST_CASE("axes: parallel, askew, and with planes and points", "[viewer]") {
  const MeshPtr pin = cylinder(1, 4, 96), cube = sixSidedBox(1, 1, 1);
  const SurfaceId mantle{0};
  const auto pinAt = [&](std::uint32_t id, const Transform& at) { return target(id, pin, at, mantle); };
  const Transform shifted = Transform::translation({3, 4, 2});
  const MeasuredValue parallel = measure({pinAt(0, {}), pinAt(1, shifted)});
  CHECK(parallel.shapes == ShapePair::axes);
  CHECK(*parallel.angle == Approx(0).margin(1e-6));
  CHECK(*parallel.shapeDistance == Approx(5).epsilon(1e-6));
  CHECK(parallel.firstShape->radius == Approx(1).epsilon(1e-3));
  const Transform crossing = Transform::translation({0, 5, 9}) * Transform::rotation({0, 1, 0}, right);
  const MeasuredValue askew = measure({pinAt(0, {}), pinAt(1, crossing)});
  CHECK(*askew.angle == Approx(right));
  CHECK(*askew.shapeDistance == Approx(5).epsilon(1e-6));
  const MeasuredValue along =
      measure({pinAt(0, {}), target(1, cube, Transform::translation({3, 0, 0}), minusX)});
  CHECK(along.shapes == ShapePair::axisAndPlane);
  CHECK(*along.angle == Approx(0).margin(1e-6));
  CHECK(*along.shapeDistance == Approx(2.5).epsilon(1e-6));
  const Transform lying = Transform::rotation({0, 1, 0}, right - 0.2);
  const MeasuredValue leaning =
      measure({target(1, cube, Transform::translation({9, 0, 0}), minusX), pinAt(0, lying)});
  CHECK(*leaning.angle == Approx(right - 0.2));
  CHECK_FALSE(leaning.shapeDistance);
  const auto corner = target(2, cube, Transform::translation({3, 4, 0}), plusX, Vec3{0, 0, 0.5});
  const MeasuredValue fromAxis = measure({corner, pinAt(0, {})});
  CHECK(fromAxis.shapes == ShapePair::pointAndAxis);
  CHECK(*fromAxis.shapeDistance == Approx(5).epsilon(1e-6));
  const MeasuredValue fromPlane = measure({target(0, cube, {}, plusX), corner});
  CHECK(fromPlane.shapes == ShapePair::pointAndPlane);
  CHECK(*fromPlane.shapeDistance == Approx(2.5));
}

TEST_CASE("what cannot be measured is said", "[viewer]") {
  const MeshPtr cube = sixSidedBox(1, 1, 1), ball = icosphere(1, 2);
  const Transform away = Transform::translation({5, 0, 0});
  const MeasuredValue same = measure({target(0, cube, {}, plusX), target(0, cube, {}, plusX)});
  CHECK_FALSE(same.distance);
  CHECK(same.unclear == "both sides are the same face");
  CHECK(measure({target(0, cube, {}), target(0, cube, {}, plusX)}).unclear == "the face belongs to the part");
  CHECK(measure({target(0, cube, {}), target(0, cube, {})}).unclear == "both sides are the same part");
  CHECK(measure({target(0, cube, {}), target(1, emptyMesh(), {})}).unclear.find("no triangles") !=
        std::string::npos);
  // A ball of triangles has neither axis nor normal, but a centre.
  const MeasuredValue round = measure({target(0, cube, {}, plusX), target(1, ball, away, SurfaceId{0})});
  CHECK(*round.distance == Approx(3.5).margin(0.05));
  CHECK_FALSE(round.angle);
  CHECK(*round.shapeDistance == Approx(4.5).margin(1e-3));
  CHECK(*measure({target(0, cube, {}), target(1, cube, {})}).distance == 0);
  const MeasuredValue alone = measure({target(0, cube, {}, plusX), std::nullopt});
  CHECK(alone.firstShape->kind == SurfaceKind::plane);
  CHECK_FALSE(alone.distance);
}

TEST_CASE("measured again is what stands elsewhere", "[viewer]") {
  const MeshPtr cube = sixSidedBox(1, 1, 1);
  Measurer measurer;
  std::vector<MeasureQuestion> questions{
      {target(0, cube, {}), target(1, cube, Transform::translation({3, 0, 0}))},
      {target(0, cube, {}, plusX), std::nullopt}};
  CHECK(*measurer.measure(questions)[0].distance == Approx(2));
  questions[0].second->worldFromPart = Transform::translation({4, 0, 0});
  questions.erase(questions.begin() + 1);
  CHECK(*measurer.measure(questions)[0].distance == Approx(3));
  // Cancelled: nothing is kept.
  std::stop_source stop;
  stop.request_stop();
  questions[0].second->worldFromPart = Transform::translation({5, 0, 0});
  CHECK_FALSE(measurer.measure(questions, Progress(stop.get_token()))[0].distance);
  CHECK(*measurer.measure(questions)[0].distance == Approx(4));
}

TEST_CASE("the distance of exact shapes is within the bound of a measurement", "[viewer][bounds]") {
  Random random(9);
  const SurfaceId mantle{0};
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    const auto segments = static_cast<std::uint32_t>(random.integer(6, 60));
    const double error = sagitta(1, segments), gap = random.between(0.05, 3),
                 wide = random.between(-0.4, 0.4);
    const MeshPtr pin = withDeflection(cylinder(1, 4, segments), error), exact = cylinder(1, 4, segments);
    const Transform anywhere = Transform::rigid(randomRotation(random), random.inCube(50)),
                    turn = Transform::rotation({0, 0, 1}, random.between(0, 6)),
                    beside = anywhere * Transform::translation({2 + gap, 0, wide}) * turn;
    for (const bool isFace : {true, false}) {
      const auto face = isFace ? std::optional(mantle) : std::nullopt;
      const MeasuredValue value = measure({target(0, pin, anywhere, face), target(1, pin, beside, face)});
      REQUIRE(value.distance);
      REQUIRE(value.distanceError.chordError);
      CHECK(std::abs(*value.distance - gap) <= value.distanceError.bound());
      CHECK(*value.distanceError.chordError == Approx(2 * error));
      CHECK(value.distanceError.rounding < 1e-5);
    }
    // One face of one part, and the whole other part; and a point of a corner, which is on the exact shape.
    const MeasuredValue mixed = measure({target(0, pin, anywhere, mantle), target(1, pin, beside)});
    CHECK(std::abs(*mixed.distance - gap) <= mixed.distanceError.bound());
    const MeasuredValue point =
        measure({target(0, pin, anywhere, mantle, Vec3{1, 0, 0}), target(1, pin, beside)});
    CHECK(std::abs(*point.distance - gap) <= point.distanceError.bound());
    CHECK(*point.distanceError.chordError == Approx(2 * error));
    const MeasuredValue mesh = measure({target(0, exact, anywhere), target(1, exact, beside)});
    CHECK_FALSE(mesh.distanceError.chordError);
  }
}

TEST_CASE("planes and axes are known to within their bounds", "[viewer][bounds]") {
  Random random(10);
  const MeshPtr cube = sixSidedBox(1.1, 1.3, 1.7), pin = cylinder(0.7, 4.1, 48);
  const SurfaceId mantle{0};
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    // Points of a turned part are rounded when its mesh is made.
    const Transform anywhere = Transform::rigid(randomRotation(random), random.inCube(50));
    const double gap = random.between(0.1, 5);
    const Transform beside = anywhere * Transform::translation({1.1 + gap, 0.2, 0.1});
    const MeasuredValue planes = measure({target(0, cube, anywhere, plusX), target(1, cube, beside, minusX)});
    REQUIRE(planes.angle);
    CHECK(*planes.angle <= planes.angleError);
    REQUIRE(planes.shapeDistance);
    CHECK(std::abs(*planes.shapeDistance - gap) <= planes.shapeDistanceError);
    CHECK(planes.shapeDistanceError < 1e-4);
    const Transform parallel = anywhere * Transform::translation({gap, 0, 0.3});
    const MeasuredValue axes = measure({target(0, pin, anywhere, mantle), target(1, pin, parallel, mantle)});
    REQUIRE(axes.angle);
    CHECK(*axes.angle <= axes.angleError);
    REQUIRE(axes.shapeDistance);
    CHECK(std::abs(*axes.shapeDistance - gap) <= axes.shapeDistanceError);
    CHECK(axes.shapeDistanceError < 1e-4);
    CHECK(std::abs(axes.firstShape->radius - 0.7) <= axes.firstAccuracy.length);
  }
}

}  // namespace measurement_tests
