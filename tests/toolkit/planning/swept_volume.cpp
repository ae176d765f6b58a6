#include <catch2/catch.hpp>

#include <array>
#include <numbers>
#include <set>
#include <tuple>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/planning/swept_volume.h>

#include "support/effort.h"
#include "toolkit/planning/swept_checks.h"

namespace swept_volume_tests {

using namespace fitup;
using namespace fitup::test;
using Catch::Matchers::Contains;

namespace {

constexpr double pi = std::numbers::pi;

SweptVolume swept(const Scene& scene, const Track& track, double accuracy) {
  SweptVolume result = sweptVolume(scene, track, {.accuracy = accuracy});
  REQUIRE(result.outer);
  CHECK(result.accuracy <= accuracy);
  CHECK(result.accuracy > 0.25 * accuracy);  // a much finer one would have taken much longer
  CHECK(result.times.size() == result.outer->triangleCount());
  CHECK(result.patches.size() == result.outer->surfaces().size());
  return result;
}

/// The distances of the points of a mesh, and of the centres of its triangles, from something: least, most.
template <typename Distance>
std::pair<double, double> distancesOf(const TriangleMesh& mesh, const Distance& distance) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    const Triangle t = mesh.triangle(TriangleId{i});
    for (const Vec3& p : {t.v[0], (t.v[0] + t.v[1] + t.v[2]) * (1 / 3.0)}) {
      const double d = distance(mesh.origin() + p);
      least = std::min(least, d);
      most = std::max(most, d);
    }
  }
  return {least, most};
}

/// V - E + F of a closed mesh.
long euler(const TriangleMesh& mesh) {
  std::set<std::uint32_t> points;
  for (const TriangleIndices& t : mesh.triangles()) points.insert(t.begin(), t.end());
  return static_cast<long>(points.size()) - static_cast<long>(mesh.triangleCount()) / 2;
}

}  // namespace

TEST_CASE("a ball along a line sweeps a capsule", "[planning][sweep]") {
  const double radius = 10, length = 40, chord = 0.06;  // of the icosphere, checked below
  const auto ball = icosphere(radius, 3);
  const Scene scene = sceneOfPart(ball);
  const Track track = trackOf({shiftBy({}), shiftBy({length, 0, 0})});
  const double e = effort(1.0, 0.5);
  const SweptVolume result = swept(scene, track, e);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(envelope.watertightness().components().size() == 1);
  CHECK(euler(*result.outer) == 2);
  const auto fromAxis = [&](const Vec3& p) { return norm(p - closestPointOnSegment(p, {}, {length, 0, 0})); };
  const auto [least, most] = distancesOf(*result.outer, fromAxis);
  // No point is in the swept set of the icosphere, which lies between two capsules.
  const auto [innermost, outermost] = distancesOf(*ball, [](const Vec3& p) { return norm(p); });
  CHECK(outermost <= radius + 1e-6);
  CHECK(innermost >= radius - chord);
  CHECK(least > radius - chord);
  CHECK(most <= radius + e);
  const auto volume = [&](double r) { return pi * r * r * (length + 4 * r / 3); };
  CHECK(result.outerVolume > volume(radius - chord));
  CHECK(result.outerVolume < volume(radius + e));
  CHECK(countOutside(scene, track, envelope, effort(2000, 20'000), 1) == 0);
  CHECK(result.open.empty());

  // One face, the first and the last of whose triangles are nearest at the start and at the end.
  REQUIRE(result.patches.size() == 1);
  CHECK(result.patches[0].earliest == 0);
  CHECK(result.patches[0].latest == 1);
  for (std::uint32_t i = 0; i < result.outer->triangleCount(); ++i) {
    const Vec3 p = result.outer->origin() + result.outer->triangle(TriangleId{i}).v[0];
    if (p.x < -1) CHECK(result.times[i] == 0);
    if (p.x > length + 1) CHECK(result.times[i] == 1);
  }
}

TEST_CASE("a ball along an arc sweeps a piece of a torus", "[planning][sweep]") {
  const double radius = 5, arc = 20, chord = 0.13, e = effort(1.0, 0.4);
  const Scene scene = sceneOfPart(icosphere(radius, 2), Transform::translation({arc, 0, 0}));
  const Track track = turnTrack({{0, 0, 0}, {0, 0, 1}, 120, 0});
  const SweptVolume result = swept(scene, track, e);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(euler(*result.outer) == 2);
  const auto fromArc = [&](const Vec3& p) {
    const double angle = std::clamp(std::atan2(p.y, p.x), 0.0, 2 * pi / 3);
    const double behind = std::atan2(p.y, p.x) < 2 * pi / 3 - pi ? 2 * pi / 3 : angle;
    return norm(p - Vec3{arc * std::cos(behind), arc * std::sin(behind), 0});
  };
  const auto [least, most] = distancesOf(*result.outer, fromArc);
  CHECK(least > radius - chord);
  CHECK(most <= radius + e);
  CHECK(countOutside(scene, track, envelope, effort(2000, 20'000), 2) == 0);
}

TEST_CASE("a ball that goes round leaves the hole of the ring open", "[planning][sweep]") {
  const double e = effort(1.5, 0.6);
  const Scene scene = sceneOfPart(icosphere(5, 2), Transform::translation({15, 0, 0}));
  for (const double degrees : {360.0, -800.0}) {
    const Track track = turnTrack({{0, 0, 0}, {0, 0, 1}, degrees, 0});
    const SweptVolume result = swept(scene, track, e);
    Envelope envelope(result.outer);
    CHECK(envelope.isClosed());
    CHECK(euler(*result.outer) == 0);  // one hole
    CHECK_FALSE(envelope.contains({0, 0, 0}));
    CHECK_FALSE(envelope.contains({10 - e, 0, 0}));
    CHECK(envelope.contains({0, -15, 0}));
    CHECK(countOutside(scene, track, envelope, effort(500, 5000), 3) == 0);
  }
}

TEST_CASE("a box that turns about its axis sweeps a cylinder", "[planning][sweep]") {
  const double e = 0.3;
  const Scene scene = sceneOfPart(box(8, 6, 4));
  const SweptVolume result = swept(scene, turnTrack({{0, 0, 0}, {0, 0, 1}, 180, 0}), e);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(euler(*result.outer) == 2);
  const auto fromCylinder = [](const Vec3& p) {
    const double beside = std::max(std::hypot(p.x, p.y) - 5, 0.0), above = std::max(std::abs(p.z) - 2, 0.0);
    return std::hypot(beside, above);
  };
  const auto [least, most] = distancesOf(*result.outer, fromCylinder);
  CHECK(least > 0);
  CHECK(most <= e);
}

TEST_CASE("every triangle knows its face", "[planning][sweep]") {
  // The order of the faces is -x, +x, -y, +y, -z, +z.
  const Scene scene = sceneOfPart(sixSidedBox(4, 4, 4));
  const SweptVolume result =
      swept(scene, trackOf({shiftBy({}), shiftBy({3, 0, 0}), shiftBy({9, 0, 0})}), 0.3);
  CHECK(result.patches.size() == 6);
  for (std::size_t s = 0; s < result.patches.size(); ++s) {
    const Surface& surface = result.outer->surfaces()[s];
    CHECK(surface.name.starts_with("part: face " + std::to_string(s) + " '"));
    CHECK(index(result.patches[s].face) == s);
    const bool isAcross = s < 2;  // at one end of the motion all the time
    CHECK(surface.name.ends_with(isAcross ? s == 0 ? "', step 0" : "', step 2" : "', steps 0 to 2"));
    const double latest =
        *std::max_element(result.times.begin() + surface.firstTriangle,
                          result.times.begin() + surface.firstTriangle + surface.triangleCount);
    CHECK(result.patches[s].latest == latest);
  }
  for (std::uint32_t i = 0; i < result.outer->triangleCount(); ++i) {
    const Vec3 p = result.outer->origin() + result.outer->triangle(TriangleId{i}).v[0];
    const std::size_t face = index(result.outer->surfaceOf(TriangleId{i}));
    if (std::max(std::abs(p.y), std::abs(p.z)) < 1.5) {
      CHECK(face == (p.x < 0 ? 0 : 1));
      CHECK(std::abs(result.times[i] - (p.x < 0 ? 0 : 2)) < 1e-6);
    }
    // The faces along the way, away from where those across it begin and end.
    if (p.x < 0 || p.x > 9) continue;
    if (std::abs(p.z) < 1.5) CHECK(face == (p.y < 0 ? 2 : 3));
    if (std::abs(p.y) < 1.5) CHECK(face == (p.z < 0 ? 4 : 5));
  }
}

TEST_CASE("a cavity that nothing reaches stays a cavity, and material does not become one",
          "[planning][sweep]") {
  // A box of 20 with a cavity of 12, moved by 2: the cavity that remains is 10 long.
  std::vector<Triangle> triangles = trianglesOf(box(20, 20, 20));
  for (const Triangle& t : trianglesOf(box(12, 12, 12))) triangles.push_back(turned(t));
  const Scene scene = sceneOfPart(fromTriangles("hollow", triangles));
  const double e = effort(1.0, 0.5);
  const SweptVolume result = swept(scene, trackOf({shiftBy({}), shiftBy({2, 0, 0})}), e);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(envelope.watertightness().components().size() == 2);
  CHECK_FALSE(envelope.contains({1, 0, 0}));
  CHECK_FALSE(envelope.contains({1 + 5 - e, 6 - e, 6 - e}));
  CHECK(envelope.contains({1 + 5.01, 0, 0}));
  CHECK(envelope.contains({-8, 0, 0}));
  CHECK(result.outerVolume > 22 * 20 * 20 - 10 * 12 * 12);

  // Moved by 14, no place stays free.
  const SweptVolume filled = swept(scene, trackOf({shiftBy({}), shiftBy({14, 0, 0})}), e);
  Envelope full(filled.outer);
  CHECK(full.watertightness().components().size() == 1);
  CHECK(full.contains({7, 0, 0}));

  // A part that hardly moves sweeps all of its inside.
  const Scene solid = sceneOfPart(box(20, 20, 20));
  const SweptVolume thick = swept(solid, trackOf({shiftBy({}), shiftBy({0.1, 0, 0})}), e);
  CHECK(Envelope(thick.outer).watertightness().components().size() == 1);
  CHECK(thick.outerVolume > 20 * 20 * 20.1);
  CHECK(thick.outerVolume < (20 + 2 * e) * (20 + 2 * e) * (20.1 + 2 * e));
}

TEST_CASE("an open part sweeps with its surface", "[planning][sweep]") {
  const Scene scene = sceneOfPart(flatSheet(6, 5));
  const double e = 0.3;
  const SweptVolume along = swept(scene, trackOf({shiftBy({}), shiftBy({3, 0, 0})}), e);
  CHECK(along.open == std::vector<NodeId>{scene.instances()[0]});
  CHECK(along.outerVolume > 0);
  CHECK(along.outerVolume < (9 + 2 * e) * (5 + 2 * e) * 2 * e);
  const SweptVolume across = swept(scene, trackOf({shiftBy({}), shiftBy({0, 0, 4})}), e);
  CHECK(across.outerVolume > 6 * 5 * 4);
  CHECK(across.outerVolume < (6 + 2 * e) * (5 + 2 * e) * (4 + 2 * e));
}

TEST_CASE("screws, straight turns and several groups stay inside", "[planning][sweep]") {
  Assembly assembly("pair");
  const PartId l = assembly.addPart(lShape(6, 1)), needle = assembly.addPart(sliverFan(3, 8, 0.2));
  assembly.addNode("l", Transform::translation({0, 0, 5}), {}, l);
  // A mirrored one, and one that is stretched.
  assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), {}, l);
  assembly.addNode("stretched", Transform::translation({0, 0, -9}) * Transform::scaling(1, 2, 0.5), {},
                   needle);
  const Scene scene{assembly};
  Track track;
  track.moved = {"l", "mirrored", "stretched"};
  const AxisTurn screw{{1, 2, 0}, {0.3, 0.1, 1}, 290, 7};
  const AxisTurn back{{0, -4, 0}, {1, 0, 0}, -75, 0};
  const RigidMotion tilt = motionAbout({0, 0, 3}, axisAngle({1, 2, 3}, 2.0), {4, -3, 2});
  track.steps = {{{}, {}, {}}, {screw.at(1), tilt, {}}, {back.at(1) * screw.at(1), shiftBy({5, 0, 0}), tilt}};
  track.ways = {{{}, {}, {}}, {{screw, {}}, {}, {}}, {{back, {}}, {{}, Vec3{3, 0, 0}}, {}}};
  const double e = 0.4;
  const SweptVolume result = swept(scene, track, e);
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  CHECK(countOutside(scene, track, envelope, effort(3000, 30'000), 4) == 0);
  CHECK(result.open.size() == 1);
  // By samples of time, which may be farther than the nearest time by what a part moves in half a sample.
  PosedDistance posed(scene, track);
  std::mt19937_64 random(5);
  const int samples = effort(200, 1000);
  for (int i = 0; i < effort(60, 1000); ++i) {
    const double d = posed.least(surfacePoint(*result.outer, random), samples);
    CHECK(d > 0);
    CHECK(d <= e + 40.0 / samples);
  }
}

TEST_CASE("a surface that lies low is measured, and one that cannot be lies higher", "[planning][sweep]") {
  const Track track = trackOf({shiftBy({}), shiftBy({5, 3, 1})});
  const double e = 0.4;
  // Boxes in a row, each a shell of its own.
  const auto row = [&](int count) {
    std::vector<Triangle> triangles;
    for (int i = 0; i < count; ++i)
      for (const Triangle& t :
           trianglesOf(transformed(box(1, 1, 1), Transform::translation({2.0 * i, 0, 0}))))
        triangles.push_back(t);
    return sceneOfPart(fromTriangles("row", triangles));
  };
  for (const int count : {3, 65}) {
    const Scene scene = row(count);
    const SweptVolume result = swept(scene, track, e);
    CHECK((result.voxel > e / 2) == (count == 3));
    Envelope envelope(result.outer);
    CHECK(envelope.isClosed());
    CHECK(countOutside(scene, track, envelope, effort(1000, 20'000), 8) == 0);
  }
}

TEST_CASE("laws of swept volumes", "[planning][sweep]") {
  const auto part = lShape(6, 2);
  const AxisTurn turn{{8, 0, 0}, {0, 0, 1}, 80, 3};
  const Track track = turnTrack(turn);
  const Scene scene = sceneOfPart(part);
  const double e = 0.3;
  const SweptVolume result = swept(scene, track, e);

  // Threads change nothing.
  const SweptVolume threads = sweptVolume(scene, track, {.accuracy = e, .threads = 3});
  CHECK(threads.outer->contentHash() == result.outer->contentHash());
  CHECK(threads.times == result.times);

  // A scaled model has a scaled result; by a power of two, with the same bits.
  const auto scaled = [&](double s) {
    AxisTurn larger = turn;
    larger.point = turn.point * s;
    larger.advance = turn.advance * s;
    return swept(sceneOfPart(transformed(part, Transform::scaling(s, s, s))), turnTrack(larger), e * s);
  };
  CHECK(scaled(1024).outerVolume == Approx(std::pow(1024, 3) * result.outerVolume).epsilon(1e-9));
  CHECK(scaled(0.001).outerVolume == Approx(1e-9 * result.outerVolume).epsilon(1e-3));

  // A step that is cut in two, and the motion backwards, sweep the same. Both envelopes are within e of it.
  Track halves = track;
  AxisTurn half = turn;
  half.degrees /= 2;
  half.advance /= 2;
  halves.steps = {{{}}, {half.at(1)}, {half.at(1) * half.at(1)}};
  halves.ways = {{{}}, {{half, {}}}, {{half, {}}}};
  AxisTurn reversed = turn;
  reversed.degrees = -turn.degrees;
  reversed.advance = -turn.advance;
  Track back = track;
  back.steps = {{turn.at(1)}, {reversed.at(1) * turn.at(1)}};
  back.ways = {{{}}, {{reversed, {}}}};
  for (const Track& other : {halves, back}) {
    const SweptVolume same = swept(scene, other, e);
    CHECK(same.outerVolume == Approx(result.outerVolume).epsilon(1e-3));
    Envelope envelope(same.outer);
    CHECK(countOutside(scene, track, envelope, effort(1000, 10'000), 6) == 0);
  }
  // Times run the other way.
  const SweptVolume backwards = swept(scene, back, e);
  double forth = 0, aback = 0;
  for (const double t : result.times) forth += t / double(result.times.size());
  for (const double t : backwards.times) aback += t / double(backwards.times.size());
  CHECK(forth + aback == Approx(1).margin(0.05));
}

TEST_CASE("a track of one pose sweeps the part", "[planning][sweep]") {
  const Scene scene = sceneOfPart(box(4, 4, 4));
  const SweptVolume result = swept(scene, trackOf({shiftBy({100, 0, 0})}), 0.2);
  CHECK(result.outerVolume > 64);
  CHECK(result.outerVolume < 4.4 * 4.4 * 4.4);
  CHECK(Envelope(result.outer).contains({101.9, 1.9, 1.9}));
}

TEST_CASE("questions about swept volumes that have no answer", "[planning][sweep]") {
  const Scene scene = sceneOfPart(box(4, 4, 4));
  const Track track = trackOf({shiftBy({}), shiftBy({5, 0, 0})});
  for (const double accuracy : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_WITH(sweptVolume(scene, track, {.accuracy = accuracy}), Contains("is not above 0"));
  CHECK_THROWS_AS(sweptVolume(scene, track, {.accuracy = 1e-14}), InputError);
  CHECK_THROWS_AS(sweptVolume(scene, track, {.accuracy = 1e-6}), InputError);
  Track other = track;
  other.moved = {"absent"};
  CHECK_THROWS_WITH(sweptVolume(scene, other), Contains("absent"));
  CHECK_FALSE(sweptVolume(sceneOfPart(emptyMesh()), track).outer);

  // Work that is cancelled at any of its first looks, or at a later one, ends with an exception.
  for (const int at : {1, 2, 3, 5, 9}) {
    std::stop_source stop;
    int looks = 0;
    const Progress progress(stop.get_token(), {}, [&] {
      if (++looks >= at) stop.request_stop();
    });
    CHECK_THROWS_AS(sweptVolume(scene, track, {}, progress), CancelledError);
  }
}

}  // namespace swept_volume_tests
