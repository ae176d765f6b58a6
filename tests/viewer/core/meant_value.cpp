// Tests which value a label shows, and where its lines run.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include <viewer/core/meant_value.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace meant_value_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

const SurfaceId mantle{0}, minusX{0}, plusX{1}, plusY{3};

PlacedTarget face(std::uint32_t instance, const MeshPtr& mesh, const Transform& worldFromPart,
                  std::optional<SurfaceId> surface, std::optional<Vec3> pointInPart = {}) {
  return {{NodeId{instance}, surface, pointInPart}, modelOf(mesh), worldFromPart};
}

MeantValue meant(const PlacedTarget& a, const std::optional<PlacedTarget>& b) {
  const auto found = meantValue(measure({a, b}));
  REQUIRE(found);
  return *found;
}

double distanceFromLine(const Vec3& point, const Vec3& on, const Vec3& unit) {
  return norm(cross(point - on, unit));
}

}  // namespace

TEST_CASE("between parallel axes the distance of the axes is meant", "[viewer]") {
  const MeshPtr bore = cylinder(3, 4, 96), shaft = cylinder(1, 10, 96);
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Transform anywhere = Transform::rigid(randomRotation(random), random.inCube(20));
    const Transform beside = anywhere * Transform::translation({0.6, 0.8, 5});
    const MeantValue value = meant(face(0, bore, anywhere, mantle), face(1, shaft, beside, mantle));
    CHECK(value.meaning == Meaning::axisDistance);
    CHECK(value.value == Approx(1).margin(value.error.bound()));
    CHECK(value.error.bound() < 1e-3);
    // The line runs from axis to axis.
    REQUIRE(value.lines.size() == 1);
    const auto& [from, to] = value.lines[0];
    const Vec3 along = anywhere.apply({0, 0, 1}) - anywhere.apply({});
    CHECK(norm(to - from) == Approx(1).margin(1e-4));
    CHECK(std::abs(dot(to - from, along)) < 1e-4);
    CHECK(distanceFromLine(from, anywhere.apply({}), along) < 1e-4);
    CHECK(distanceFromLine(to, beside.apply({}), along) < 1e-4);
    CHECK(norm(value.label - 0.5 * (from + to)) < 1e-9);
  }
  // Coaxial: the distance is 0, although the faces are apart.
  const MeantValue coaxial = meant(face(0, bore, {}, mantle), face(1, shaft, {}, mantle));
  CHECK(coaxial.meaning == Meaning::axisDistance);
  CHECK(coaxial.value <= coaxial.error.bound());
}

TEST_CASE("of one cylinder the diameter is meant", "[viewer]") {
  const MeshPtr pin = cylinder(1.5, 4, 96);
  const Transform at = Transform::translation({7, 0, 3});
  const MeantValue alone = meant(face(0, pin, at, mantle), std::nullopt);
  CHECK(alone.meaning == Meaning::diameter);
  CHECK(alone.value == Approx(3).margin(alone.error.bound()));
  REQUIRE(alone.lines.size() == 1);
  const auto& [from, to] = alone.lines[0];
  CHECK(norm(to - from) == Approx(3).margin(1e-4));
  CHECK(norm(0.5 * (from + to) - Vec3{7, 0, 3}) < 1e-4);
  CHECK(std::abs((to - from).z) < 1e-6);
  CHECK(meant(face(0, pin, at, mantle), face(0, pin, at, mantle)).meaning == Meaning::diameter);
  // Neither a flat face nor a whole part has one, nor a point of the cylinder.
  CHECK_FALSE(meantValue(measure({face(0, pin, at, SurfaceId{1}), std::nullopt})));
  CHECK_FALSE(meantValue(measure({face(0, pin, at, std::nullopt), std::nullopt})));
  CHECK_FALSE(meantValue(measure({face(0, pin, at, mantle, Vec3{1.5, 0, 0}), std::nullopt})));
}

TEST_CASE("between parallel planes their distance is meant, otherwise the angle", "[viewer]") {
  const MeshPtr cube = sixSidedBox(1, 1, 1);
  // The faces lie aside of each other, so their least distance is larger.
  const Transform aside = Transform::translation({3, 7, 0});
  const MeantValue planes = meant(face(0, cube, {}, plusX), face(1, cube, aside, minusX));
  CHECK(planes.meaning == Meaning::planeDistance);
  CHECK(planes.value == Approx(2));
  REQUIRE(planes.lines.size() == 1);
  const Vec3 line = planes.lines[0].second - planes.lines[0].first;
  CHECK(norm(line - Vec3{2, 0, 0}) < 1e-6);
  REQUIRE(planes.extensions.size() == 1);
  CHECK(std::abs(planes.extensions[0].second.y - 6.5) < 1e-6);

  for (const double angle : {0.3, 1.2, 2.5}) {
    CAPTURE(angle);
    const Transform tilted = aside * Transform::rotation({0, 0, 1}, angle);
    const MeantValue turned = meant(face(0, cube, {}, plusX), face(1, cube, tilted, plusX));
    CHECK(turned.meaning == Meaning::angle);
    CHECK(turned.value == Approx(std::min(angle, std::numbers::pi - angle)));
    // The arc is about a point of both planes, and leads from one to the other.
    REQUIRE(turned.ends.size() == 2);
    const Vec3 normal = tilted.apply({1, 0, 0}) - tilted.apply({}), apex = turned.extensions.at(0).first;
    const auto offSecond = [&](const Vec3& p) { return dot(p - tilted.apply({0.5, 0, 0}), normal); };
    CHECK(turned.ends[0].x == Approx(0.5));
    CHECK(apex.x == Approx(0.5));
    CHECK(std::abs(offSecond(apex)) < 1e-6);
    CHECK(std::abs(offSecond(turned.ends[1])) < 1e-6);
    const Vec3 from = turned.ends[0] - apex, to = turned.ends[1] - apex;
    CHECK(norm(from) == Approx(norm(to)));
    CHECK(std::atan2(norm(cross(from, to)), dot(from, to)) == Approx(turned.value));
    // It is beside the nearer face.
    CHECK(norm(from) ==
          Approx(std::min(norm(Vec3{0.5, 0, 0} - apex), norm(tilted.apply({0.5, 0, 0}) - apex))));
    CHECK(norm(turned.label - apex) == Approx(norm(from)));
    CHECK(std::abs(turned.label.z) < 1e-6);
  }
  const MeantValue edge = meant(face(0, cube, {}, plusX), face(0, cube, {}, plusY));
  CHECK(edge.value == Approx(std::numbers::pi / 2));
}

TEST_CASE("between skew axes the angle is meant, otherwise the least distance", "[viewer]") {
  const MeshPtr pin = cylinder(1, 4, 96), cube = sixSidedBox(1, 1, 1);
  const Transform crossing = Transform::translation({0, 5, 9}) * Transform::rotation({0, 1, 0}, 0.7);
  const MeantValue askew = meant(face(0, pin, {}, mantle), face(1, pin, crossing, mantle));
  CHECK(askew.meaning == Meaning::angle);
  CHECK(askew.value == Approx(0.7));
  REQUIRE(askew.ends.size() == 2);
  CHECK(distanceFromLine(askew.ends[0], {}, {0, 0, 1}) < 1e-4);
  CHECK(std::abs(askew.ends[1].y) < 1e-4);

  const Transform away = Transform::translation({4, 0, 0});
  const auto corner = face(1, cube, away, minusX, Vec3{-0.5, 0, 0});
  for (const auto& other : {face(1, cube, away, minusX), face(1, cube, away, std::nullopt), corner}) {
    const MeantValue least = meant(face(0, pin, {}, mantle), other);
    CHECK(least.meaning == Meaning::leastDistance);
    CHECK(least.value == Approx(2.5).epsilon(1e-3));
    REQUIRE(least.lines.size() == 1);
    CHECK(norm(least.lines[0].second - least.lines[0].first) == Approx(least.value));
  }
}

}  // namespace meant_value_tests
