#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <stop_token>
#include <vector>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/planning/swept_volume.h>

#include "support/effort.h"
#include "toolkit/planning/swept_checks.h"

namespace inner_volume_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double pi = std::numbers::pi;

InnerVolume innerOf(const Scene& scene, const Track& track, double accuracy) {
  const SweptVolume result = sweptVolume(scene, track, {.accuracy = accuracy, .inner = true});
  REQUIRE(result.outer);
  REQUIRE(result.inner);
  const InnerVolume& inner = *result.inner;
  CHECK(inner.depth >= 0);
  CHECK((inner.mesh == nullptr) == inner.missing.has_value());
  if (inner.mesh) {
    CHECK(inner.volume > 0);
    CHECK(inner.volume < result.outerVolume);
    CHECK(Envelope(inner.mesh).isClosed());
  }
  return inner;
}

/// What is known of a swept set by other means: how deep a point certainly lies in it, at least; negative
/// where it may be outside. And the same from above: negative where a point is outside for certain.
struct KnownDepths {
  std::function<double(const Vec3&)> least, most;
};

/// No point of the surface or of its inside is outside of the set, and every deep point is inside.
void checkByDepths(const InnerVolume& inner, const KnownDepths& known, const Box& around, int points) {
  REQUIRE(inner.mesh);
  double shallowest = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < inner.mesh->triangleCount(); ++i) {
    const Triangle t = inner.mesh->triangle(TriangleId{i});
    for (const Vec3& p :
         {t.v[0], t.v[1], t.v[2], (t.v[0] + t.v[1]) * 0.5, (t.v[0] + t.v[1] + t.v[2]) * (1 / 3.0)})
      shallowest = std::min(shallowest, known.most(inner.mesh->origin() + p));
  }
  CHECK(shallowest >= 0);
  Envelope envelope(inner.mesh);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  int inside = 0, tooFar = 0, missing = 0, deep = 0;
  double deepestMissing = 0;
  for (int i = 0; i < points; ++i) {
    const Vec3 size = around.max - around.min;
    const Vec3 p{around.min.x + share(random) * size.x, around.min.y + share(random) * size.y,
                 around.min.z + share(random) * size.z};
    const bool isInside = envelope.contains(p);
    inside += isInside;
    tooFar += isInside && known.most(p) < 0;
    deep += known.least(p) > inner.depth;
    missing += !isInside && known.least(p) > inner.depth;
    if (!isInside) deepestMissing = std::max(deepestMissing, known.least(p));
  }
  INFO("depth " << inner.depth << ", deepest that is left out " << deepestMissing);
  CHECK(tooFar == 0);
  CHECK(missing == 0);
  CHECK(inside > points / 100);
  CHECK(deep > points / 100);
  CHECK(deepestMissing > 0.1 * inner.depth);  // the bound is not idle
}

/// How deep a point lies in a box.
double depthInBox(const Vec3& p, const Vec3& low, const Vec3& high) {
  double depth = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) depth = std::min({depth, p[k] - low[k], high[k] - p[k]});
  return depth;
}

/// Whether closed parts reach a point at some time, by poses: an oracle that knows nothing of ways of points.
/// No point of a part moves faster than `speed` in a step.
class ReachedByPoses {
 public:
  ReachedByPoses(const Scene& scene, const Track& track, double speed)
      : distance_(scene, track), speed_(speed) {}

  bool isReached(const Vec3& p) { return isReached(p, 0, distance_.lastStep(), 0); }

 private:
  bool isReached(const Vec3& p, double from, double to, int depth) {
    const double middle = 0.5 * (from + to), d = distance_.at(middle, p);
    if (d == 0) return true;
    if (depth == 24 || d > 0.5 * (to - from) * speed_) return false;
    return isReached(p, from, middle, depth + 1) || isReached(p, middle, to, depth + 1);
  }

  PosedDistance distance_;
  double speed_;
};

/// A random point inside of an envelope.
Vec3 pointInside(Envelope& envelope, const Box& box, std::mt19937_64& random) {
  std::uniform_real_distribution<double> share(0, 1);
  const Vec3 size = box.max - box.min;
  for (int i = 0; i < 100'000; ++i) {
    const Vec3 p{box.min.x + share(random) * size.x, box.min.y + share(random) * size.y,
                 box.min.z + share(random) * size.z};
    if (envelope.contains(p)) return p;
  }
  FAIL("no point is inside");
  return {};
}

void checkReached(const InnerVolume& inner, ReachedByPoses& oracle, int points) {
  REQUIRE(inner.mesh);
  Envelope envelope(inner.mesh);
  std::mt19937_64 random(8);
  int missed = 0;
  for (int i = 0; i < points; ++i) {
    missed += !oracle.isReached(surfacePoint(*inner.mesh, random));
    missed += !oracle.isReached(pointInside(envelope, inner.mesh->boundsInPart(), random));
  }
  CHECK(missed == 0);
}

}  // namespace

TEST_CASE("the inner surface of a ball along a line is within a capsule", "[planning][sweep]") {
  const double radius = 10, length = 40, chord = 0.06, e = effort(1.6, 0.5);
  const Scene scene = sceneOfPart(icosphere(radius, 3));
  const InnerVolume inner = innerOf(scene, trackOf({shiftBy({}), shiftBy({length, 0, 0})}), e);
  const auto fromAxis = [&](const Vec3& p) { return norm(p - closestPointOnSegment(p, {}, {length, 0, 0})); };
  // The icosphere lies between two balls (`swept_volume.cpp` checks it).
  const KnownDepths known{[&](const Vec3& p) { return radius - chord - fromAxis(p); },
                          [&](const Vec3& p) { return radius + 1e-6 - fromAxis(p); }};
  checkByDepths(inner, known, {{-10, -10, -10}, {50, 10, 10}}, effort(20'000, 200'000));
  CHECK(inner.depth <= e);
  const auto volume = [&](double r) { return pi * r * r * (length + 4 * r / 3); };
  CHECK(inner.volume < volume(radius));
  CHECK(inner.volume > volume(radius - chord - inner.depth));
}

TEST_CASE("the inner surface of a ball along an arc is within a piece of a torus", "[planning][sweep]") {
  const double radius = 5, arc = 20, chord = 0.13, e = effort(1.0, 0.4);
  const Scene scene = sceneOfPart(icosphere(radius, 2), Transform::translation({arc, 0, 0}));
  const InnerVolume inner = innerOf(scene, turnTrack({{0, 0, 0}, {0, 0, 1}, 120, 0}), e);
  const auto fromArc = [&](const Vec3& p) {
    double angle = std::atan2(p.y, p.x);
    if (angle < 2 * pi / 3 - pi) angle += 2 * pi;
    angle = std::clamp(angle, 0.0, 2 * pi / 3);
    return norm(p - Vec3{arc * std::cos(angle), arc * std::sin(angle), 0});
  };
  const KnownDepths known{[&](const Vec3& p) { return radius - chord - fromArc(p); },
                          [&](const Vec3& p) { return radius + 1e-6 - fromArc(p); }};
  checkByDepths(inner, known, {{-16, -5, -5}, {25, 25, 5}}, effort(20'000, 200'000));
  CHECK(inner.depth <= e);
}

TEST_CASE("the inner surface of a box that turns is within a cylinder", "[planning][sweep]") {
  const double e = effort(0.4, 0.2);
  const Scene scene = sceneOfPart(box(8, 6, 4));
  const InnerVolume inner = innerOf(scene, turnTrack({{0, 0, 0}, {0, 0, 1}, 180, 0}), e);
  const auto depth = [](const Vec3& p) { return std::min(5 - std::hypot(p.x, p.y), 2 - std::abs(p.z)); };
  checkByDepths(inner, {depth, depth}, {{-5, -5, -2}, {5, 5, 2}}, effort(20'000, 200'000));
  CHECK(inner.depth <= e);
}

TEST_CASE("the inner surface of a box along a line is within a box", "[planning][sweep]") {
  const Scene scene = sceneOfPart(box(4, 6, 5));
  for (const double e : {0.4, 0.7}) {
    const InnerVolume inner = innerOf(scene, trackOf({shiftBy({}), shiftBy({9, 0, 0})}), e);
    const auto depth = [](const Vec3& p) { return depthInBox(p, {-2, -3, -2.5}, {11, 3, 2.5}); };
    checkByDepths(inner, {depth, depth}, {{-2, -3, -2.5}, {11, 3, 2.5}}, effort(20'000, 200'000));
    CHECK(inner.depth <= e);
  }
}

TEST_CASE("parts without an inside have no inner surface", "[planning][sweep]") {
  const Track track = trackOf({shiftBy({}), shiftBy({0, 0, 4})});
  const InnerVolume open = innerOf(sceneOfPart(flatSheet(6, 5)), track, 0.3);
  CHECK_FALSE(open.mesh);
  CHECK(open.missing == InnerMissing::notClosed);
  CHECK(open.depth == 0);

  // Of several parts, those that are closed have one.
  Assembly assembly("both");
  assembly.addNode("box", {}, {}, assembly.addPart(box(4, 4, 4)));
  assembly.addNode("sheet", Transform::translation({20, 0, 0}), {}, assembly.addPart(flatSheet(6, 5)));
  Track both;
  both.moved = {"box", "sheet"};
  both.steps = {{{}, {}}, {shiftBy({0, 0, 4}), shiftBy({0, 0, 4})}};
  const InnerVolume inner = innerOf(Scene(assembly), both, 0.3);
  const auto depth = [](const Vec3& p) { return depthInBox(p, {-2, -2, -2}, {2, 2, 6}); };
  checkByDepths(inner, {depth, depth}, {{-2, -2, -2}, {2, 2, 6}}, effort(20'000, 200'000));
  CHECK(inner.depth <= 0.3);
}

TEST_CASE("what is swept too thin has no inner surface", "[planning][sweep]") {
  const double e = 0.3;
  // A plate that is much thinner than the accuracy.
  const Scene scene = sceneOfPart(box(8, 6, 0.14));
  const InnerVolume sideways = innerOf(scene, trackOf({shiftBy({}), shiftBy({5, 2, 0})}), e);
  CHECK_FALSE(sideways.mesh);
  CHECK(sideways.missing == InnerMissing::tooThin);
  CHECK(sideways.depth >= 0.07);
  CHECK(sideways.depth <= e);

  // Plates sweep a thick space along their normals: the thinner one by its faces only, because it contains
  // none of the cells that a cell is divided into.
  for (const double thickness : {0.14, 0.02}) {
    const InnerVolume across =
        innerOf(sceneOfPart(box(8, 6, thickness)), trackOf({shiftBy({}), shiftBy({0, 0, 5})}), e);
    const Vec3 low{-4, -3, -0.5 * thickness}, high{4, 3, 5 + 0.5 * thickness};
    const auto depth = [&](const Vec3& p) { return depthInBox(p, low, high); };
    checkByDepths(across, {depth, depth}, {low, high}, effort(20'000, 200'000));
    // Faces cover nothing near to the rim of the plate, where one side goes over into the other.
    CHECK(across.depth <= (thickness > 0.1 ? 1 : 2) * e);
  }
}

TEST_CASE("a cavity that nothing reaches is outside of the inner surface", "[planning][sweep]") {
  std::vector<Triangle> triangles = trianglesOf(box(20, 20, 20));
  for (const Triangle& t : trianglesOf(box(12, 12, 12))) triangles.push_back(turned(t));
  const Scene scene = sceneOfPart(fromTriangles("hollow", triangles));
  const double e = effort(1.0, 0.5);
  const InnerVolume inner = innerOf(scene, trackOf({shiftBy({}), shiftBy({2, 0, 0})}), e);
  // From below: the depth in the box less the cavity that remains.
  const auto depth = [](const Vec3& p) {
    const Vec3 low{-4, -6, -6}, high{6, 6, 6};
    const double within = depthInBox(p, low, high);
    Vec3 beside;
    for (int k = 0; k < 3; ++k) beside[k] = std::max({low[k] - p[k], p[k] - high[k], 0.0});
    return std::min(depthInBox(p, {-10, -10, -10}, {12, 10, 10}), within > 0 ? -within : norm(beside));
  };
  checkByDepths(inner, {depth, depth}, {{-10, -10, -10}, {12, 10, 10}}, effort(20'000, 200'000));
  CHECK(inner.depth <= e);
  CHECK(Envelope(inner.mesh).watertightness().components().size() == 2);
}

TEST_CASE("the inner surfaces of screws and straight turns hold only what is reached", "[planning][sweep]") {
  Assembly assembly("pair");
  const PartId l = assembly.addPart(lShape(6, 1));
  assembly.addNode("l", Transform::translation({0, 0, 5}), {}, l);
  assembly.addNode("mirrored", Transform::scaling(-1, 1, 1), {}, l);
  assembly.addNode("stretched", Transform::translation({0, 0, -9}) * Transform::scaling(1, 2, 0.5), {},
                   assembly.addPart(icosphere(2, 1)));
  const Scene scene{assembly};
  Track track;
  track.moved = {"l", "mirrored", "stretched"};
  const AxisTurn screw{{1, 2, 0}, {0.3, 0.1, 1}, 290, 7}, back{{0, -4, 0}, {1, 0, 0}, -75, 0};
  const RigidMotion tilt = motionAbout({0, 0, 3}, axisAngle({1, 2, 3}, 2.0), {4, -3, 2});
  track.steps = {{{}, {}, {}}, {screw.at(1), tilt, {}}, {back.at(1) * screw.at(1), shiftBy({5, 0, 0}), tilt}};
  track.ways = {{{}, {}, {}}, {{screw, {}}, {}, {}}, {{back, {}}, {{}, Vec3{3, 0, 0}}, {}}};
  const double e = effort(0.6, 0.3);
  const InnerVolume inner = innerOf(scene, track, e);
  ReachedByPoses oracle(scene, track, 120);
  checkReached(inner, oracle, effort(300, 5000));
}

TEST_CASE("laws of inner surfaces", "[planning][sweep]") {
  const Scene scene = sceneOfPart(lShape(6, 2));
  const Track track = turnTrack({{8, 0, 0}, {0, 0, 1}, 80, 3});
  const double e = 0.6;
  const InnerVolume inner = innerOf(scene, track, e);
  REQUIRE(inner.mesh);
  const SweptVolume threads = sweptVolume(scene, track, {.accuracy = e, .inner = true, .threads = 3});
  CHECK(threads.inner->mesh->contentHash() == inner.mesh->contentHash());
  CHECK(threads.inner->depth == inner.depth);
  CHECK_FALSE(sweptVolume(scene, track, {.accuracy = e}).inner);

  // Finer ones hold more.
  const InnerVolume finer = innerOf(scene, track, 0.5 * e);
  CHECK(finer.volume > inner.volume);
  CHECK(finer.depth < inner.depth);

  // Seen from a part that moves alike, a part rests.
  Assembly assembly("pair");
  assembly.addNode("part", {}, {}, assembly.addPart(box(4, 6, 5)));
  assembly.addNode("frame", Transform::translation({0, 12, 0}), {}, assembly.addPart(box(1, 1, 1)));
  const Scene pair{assembly};
  const AxisTurn screw{{4, 2, 0}, {0.3, 0.2, 1}, 130, 6};
  Track alike;
  alike.moved = {"part", "frame"};
  alike.steps = {{{}, {}}, {screw.at(1), screw.at(1)}};
  alike.ways = {{{}, {}}, {{screw, {}}, {screw, {}}}};
  const SweptVolume seen =
      sweptVolume(pair, alike, {.accuracy = e, .relativeTo = pair.assembly().at("frame"), .inner = true});
  const auto depth = [](const Vec3& p) { return depthInBox(p, {-2, -3, -2.5}, {2, 3, 2.5}); };
  REQUIRE(seen.inner);
  const auto within = [&](const Vec3& p) { return depth(p) + 1e-9; };
  checkByDepths(*seen.inner, {depth, within}, {{-2, -3, -2.5}, {2, 3, 2.5}}, effort(20'000, 200'000));
  CHECK(seen.inner->depth <= e);

  CHECK_FALSE(sweptVolume(sceneOfPart(emptyMesh()), track, {.inner = true}).inner);
  for (const int at : {40, 60}) {
    std::stop_source stop;
    int looks = 0;
    const Progress progress(stop.get_token(), {}, [&] {
      if (++looks >= at) stop.request_stop();
    });
    CHECK_THROWS_AS(sweptVolume(scene, track, {.accuracy = e, .inner = true}, progress), CancelledError);
  }
}

}  // namespace inner_volume_tests
