#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/first_contact.h>
#include <models/process_plant.h>

#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace first_contact_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RigidMotion shiftBy(double x, double y, double z) { return {{}, {x, y, z}}; }

/// A moving part ("moved") and parts at rest.
struct Scene {
  Assembly assembly{"scene"};
  NodeId moved;

  Scene(const MeshPtr& mesh, const Transform& at) { moved = add("moved", mesh, at); }
  NodeId add(const std::string& name, const MeshPtr& mesh, const Transform& at) {
    return assembly.addNode(name, at, {}, assembly.addPart(mesh));
  }
  [[nodiscard]] FirstContactReport run(const RigidMotion& to, const FirstContactOptions& options = {}) const {
    return firstContact(fitup::Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)), {}, moved, {}, to,
                        options);
  }
};

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

}  // namespace

TEST_CASE("no point is faster than the bound on its speed", "[motion][rigid-path]") {
  Random random(11);
  const MeshPtr mesh = sixSidedBox(2, 3, 5);
  double largest = 0;
  for (int i = 0; i < 400; ++i) {
    const Transform place = Transform::rigid(randomRotation(random), random.inCube(20));
    const Vec3 centre = random.inCube(20);
    const Quaternion first = randomRotation(random), second = randomRotation(random);
    const RigidMotion from{first, random.inCube(10)}, to{second, random.inCube(10)};
    const RigidPath path(from, to, centre);
    const auto corners = cornersInWorld(*mesh, place);
    const double bound = path.speedBound(corners);
    const Vec3 n = normalized(random.inCube(1));
    const double boundAlong = path.speedBoundAlong(n, corners);
    REQUIRE(boundAlong <= 3 * bound);
    double fastest = 0;
    for (int k = 0; k < 40; ++k) {
      const double s = random.unit(), t = random.unit();
      const Vec3 p =
          place.apply({random.between(-1, 1), random.between(-1.5, 1.5), random.between(-2.5, 2.5)});
      const Vec3 between = path.at(s).transform().apply(p) - path.at(t).transform().apply(p);
      const double way = norm(between);
      REQUIRE(std::abs(dot(n, between)) <= boundAlong * std::abs(s - t) + 1e-12);
      REQUIRE(way <= bound * std::abs(s - t) + 1e-12);
      fastest = std::max(fastest, way / std::abs(s - t));
    }
    largest = std::max(largest, fastest / bound);
  }
  CHECK(largest > 0.9);  // and the bound is not useless
  // A turn about the axis through the centre does not move points on the axis.
  const RigidPath turn({}, {axisAngle({0, 0, 1}, 1), {}}, {});
  const Vec3 onAxis[] = {{0, 0, 7}, {0, 0, -3}};
  CHECK(turn.speedBound(onAxis) == 0);
  const Vec3 beside[] = {{3, 4, 100}};
  CHECK(turn.speedBound(beside) == Approx(5).epsilon(1e-5));
}

TEST_CASE("first contact of boxes is when their faces meet", "[motion][first-contact]") {
  for (const double scale : {0.001, 1.0, 1000.0})
    for (const double far : {0.0, 1e4}) {
      Scene scene(sixSidedBox(2 * scale, 2 * scale, 2 * scale), at(far * scale, 0, 0));
      const NodeId wall =
          scene.add("wall", sixSidedBox(scale, 8 * scale, 8 * scale, 3), at((far + 10) * scale, 0, 0));
      // The face comes from 1 to 9.5, over a way of 20.
      const FirstContactReport report = scene.run(shiftBy(20 * scale, 0, 0));
      REQUIRE(report.contact);
      CHECK(report.status == ReportStatus::complete);
      CHECK(report.contact->time <= 8.5 / 20 + 1e-12);
      CHECK(report.contact->time >= 8.5 / 20 - 1.01 * report.resolution / (20 * scale));
      CHECK(report.contact->b == wall);
      CHECK(report.contact->nearest.surfaces.b == SurfaceId{0});
      CHECK(report.contact->nearest.pointB.x == Approx((far + 9.5) * scale).epsilon(1e-6));
      CHECK(report.contact->nearest.distance <= report.resolution);
      CHECK(report.contact->poses.size() == 1);
      FirstContactOptions near;
      near.clearance = 2.5 * scale;
      const FirstContactReport earlier = scene.run(shiftBy(20 * scale, 0, 0), near);
      REQUIRE(earlier.contact);
      CHECK(earlier.contact->time == Approx(6.0 / 20).epsilon(1e-4));
      CHECK(earlier.contact->nearest.distance == Approx(2.5 * scale).epsilon(1e-4));
      CHECK_FALSE(scene.run(shiftBy(8.4 * scale, 0, 0)).contact);
      CHECK(scene.run(shiftBy(8.4 * scale, 0, 0)).clearUntil == 1);
    }
}

TEST_CASE("a turning bar meets a pin where geometry says", "[motion][first-contact]") {
  Scene scene(sixSidedBox(20, 0.5, 1), at(0, 0, 0));
  scene.add("pin", sixSidedBox(0.5, 0.5, 4), at(0, 6, 0));
  // The bar's upper face reaches the pin's corner (0.25, 5.75): with r the corner's distance from the centre,
  // the face lies 0.25 off the centre line, so the line's angle is that of the corner minus asin(0.25 / r).
  const double r = std::hypot(0.25, 5.75);
  const double angle = std::atan2(5.75, 0.25) - std::asin(0.25 / r);
  const FirstContactReport report = scene.run({axisAngle({0, 0, 1}, 3.0), {}});
  REQUIRE(report.contact);
  CHECK(report.contact->time <= angle / 3 + 1e-9);
  CHECK(report.contact->time == Approx(angle / 3).margin(1e-4));
}

TEST_CASE("thin walls are not tunnelled through", "[motion][first-contact]") {
  for (const double speed : {10.0, 1e3, 1e6}) {
    Scene scene(sixSidedBox(1, 1, 1), at(0, 0, 0));
    scene.add("sheet", transformed(flatSheet(4, 4), Transform::rotation({0, 1, 0}, -std::numbers::pi / 2)),
              at(5, -2, -2));
    const FirstContactReport report = scene.run(shiftBy(speed, 0, 0));
    REQUIRE(report.contact);
    CHECK(report.contact->time * speed <= 4.5 + 1e-9 * speed);
    CHECK(report.contact->time * speed >= 4.5 - 1.01 * report.resolution);
  }
}

TEST_CASE("a step too far away for contact to be found is refused, and named", "[motion][first-contact]") {
  Scene scene(sixSidedBox(1, 1, 1), {});
  scene.add("wall", sixSidedBox(1, 10, 10), at(3, 0, 0));
  CHECK(scene.run(shiftBy(-1e6, 0, 0)).status == ReportStatus::complete);
  CHECK_FALSE(scene.run(shiftBy(-1e6, 0, 0)).contact);
  for (const double far : {1e12, 1e30, 1e300}) {
    CAPTURE(far);
    try {
      (void)scene.run(shiftBy(-far, 0, 0));
      FAIL("accepted");
    } catch (const InputError& error) {
      CHECK(std::string(error.what()) == "track: step 1: is so far away that contact cannot be determined");
    }
  }
}

TEST_CASE("contacts at the start are reported, or keep their limits", "[motion][first-contact]") {
  Scene scene(sixSidedBox(2, 2, 2), at(0, 0, 0));
  const NodeId floor = scene.add("floor", sixSidedBox(40, 40, 2), at(0, 0, -2));
  const NodeId wall = scene.add("wall", sixSidedBox(2, 40, 40), at(12, 0, 0));
  const FirstContactReport start = scene.run(shiftBy(20, 0, 0));
  REQUIRE(start.contact);
  CHECK(start.contact->time == 0);
  CHECK(start.contact->b == floor);
  FirstContactOptions options;
  options.initialContacts = InitialContacts::keepLimits;
  options.tolerance = 0.1;
  const FirstContactReport slid = scene.run(shiftBy(20, 0, 0), options);
  REQUIRE(slid.contact);
  CHECK(slid.contact->b == wall);
  CHECK(slid.contact->event == MotionEvent::contact);
  CHECK(slid.contact->time == Approx(0.5).epsilon(1e-5));
  REQUIRE(slid.initialContacts.size() == 1);
  CHECK(slid.initialContacts[0] == std::pair{scene.moved, floor});
  // Pressed into the floor: as soon as it is deeper than the tolerance, not where it leaves below.
  const FirstContactReport pressed = scene.run(shiftBy(0, 0, -25), options);
  REQUIRE(pressed.contact);
  CHECK(pressed.contact->b == floor);
  CHECK(pressed.contact->event == MotionEvent::depth);
  CHECK(pressed.contact->depthLimit == 0.1);
  CHECK(pressed.contact->time <= 0.1 / 25);
  CHECK(pressed.contact->time >= 0.075 / 25 * (1 - 1e-6));
  // Without a tolerance, meshes of unknown chord error get no deeper than the resolution.
  options.tolerance.reset();
  CHECK(scene.run(shiftBy(0, 0, -25), options).contact->time < 1e-4 / 25);
  // Lifted, and set down again a little too deep: the limit is that of the start.
  options.tolerance = 0.1;
  const CollisionModels models = buildCollisionModels(scene.assembly, {}, {}, 1);
  const auto setDown = [&](double z) {
    const Track track{.moved = {"moved"},
                      .steps = {{shiftBy(0, 0, 0)}, {shiftBy(0, 0, 5)}, {shiftBy(0, 0, z)}}};
    return firstContact(fitup::Scene(scene.assembly, models), {}, track, options);
  };
  CHECK_FALSE(setDown(-0.05).contact);
  const FirstContactReport again = setDown(-5);
  REQUIRE(again.contact);
  CHECK(again.contact->b == floor);
  CHECK(again.contact->time <= 1 + 5.1 / 10);
  CHECK(again.contact->time >= 1 + 5.075 / 10 - 1e-9);
  options.rules.rules = {{"moved", "floor", ""}};
  CHECK_FALSE(setDown(-5).contact);
}

TEST_CASE("a clash of the start may not get deeper", "[motion][first-contact]") {
  Scene scene(sixSidedBox(4, 4, 4), {});
  scene.add("wall", sixSidedBox(6, 20, 20), at(4, 0, 0));  // 1 deep
  FirstContactOptions options;
  options.initialContacts = InitialContacts::keepLimits;
  options.tolerance = 0.08;
  CHECK_FALSE(scene.run(shiftBy(-10, 3, 0), options).contact);
  CHECK_FALSE(scene.run(shiftBy(0, 6, 0), options).contact);
  const FirstContactReport in = scene.run(shiftBy(2, 0, 0), options);
  REQUIRE(in.contact);
  CHECK(in.contact->event == MotionEvent::depth);
  CHECK(in.contact->time * 2 <= 0.04);
  CHECK(in.contact->depthLimit == Approx(1.04).margin(0.01));
  // Parts in one place may come apart: each encloses the core of the other, so they get no deeper.
  Scene copies(sixSidedBox(4, 4, 4), {});
  copies.add("copy", sixSidedBox(4, 4, 4), {});
  const FirstContactReport apart = copies.run(shiftBy(9, 1, 2), options);
  CHECK_FALSE(apart.contact);
  CHECK(apart.unknownContacts.empty());
}

TEST_CASE("a blade that touches a wall of the start does not pierce it", "[motion][first-contact][thin]") {
  for (const double thickness : {0.1, 0.2, 0.3}) {
    CAPTURE(thickness);
    Scene scene(sixSidedBox(10, thickness, 4), at(-5 - thickness / 2, 0.3, 0.2));
    scene.add("wall", sixSidedBox(thickness, 10, 10), {});
    FirstContactOptions options;
    options.initialContacts = InitialContacts::keepLimits;
    options.tolerance = 0.2;
    CHECK_FALSE(scene.run(shiftBy(-3, 2, 0), options).contact);
    const FirstContactReport report = scene.run(shiftBy(8, 0, 0), options);
    REQUIRE(report.contact);
    CHECK(report.contact->event == MotionEvent::piercing);
    CHECK(report.contact->time * 8 <= thickness / 2);
  }
}

TEST_CASE("contacts of parts that are not closed are named as not followed", "[motion][first-contact]") {
  Scene scene(sixSidedBox(2, 2, 2), at(0, 0, 1));
  const NodeId sheet = scene.add("sheet", flatSheet(10, 10), at(-5, -5, 0));
  FirstContactOptions options;
  options.initialContacts = InitialContacts::keepLimits;
  options.tolerance = 0.1;
  const FirstContactReport report = scene.run(shiftBy(0, 0, -1), options);
  CHECK_FALSE(report.contact);
  REQUIRE(report.unknownContacts.size() == 1);
  CHECK(report.unknownContacts[0] == std::pair{scene.moved, sheet});
}

TEST_CASE("moved groups meet each other, unless they move alike", "[motion][first-contact]") {
  Assembly assembly("two");
  const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
  assembly.addNode("left", at(0, 0, 0), {}, part);
  assembly.addNode("right", at(10, 0, 0), {}, part);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  const Track towards{.moved = {"left", "right"}, .steps = {{{}, {}}, {shiftBy(6, 0, 0), shiftBy(-6, 0, 0)}}};
  const FirstContactReport report = firstContact(fitup::Scene(assembly, models), {}, towards);
  REQUIRE(report.contact);
  CHECK(report.contact->time == Approx(9.0 / 12).epsilon(1e-5));
  const RigidMotion turned{axisAngle({0, 1, 0}, 2), {}};
  const std::vector<StepWay> about(2, {{}, Vec3{}});
  const Track alike{
      .moved = {"left", "right"}, .steps = {{{}, {}}, {turned, turned}}, .ways = {about, about}};
  CHECK_FALSE(firstContact(fitup::Scene(assembly, models), {}, alike).contact);
  CHECK(firstContact(fitup::Scene(assembly, models), {}, alike).consideredPairs == 0);
}

namespace {

/// Compares first contact with dense sampling: before the reported time nothing intersects along the way, and
/// at that time the pair is at most clearance + resolution apart.
void checkSeededMotions(std::uint64_t firstSeed, int count, int samples) {
  int contacts = 0;
  for (int i = 0; i < count; ++i) {
    Random random(firstSeed + static_cast<std::uint64_t>(i));
    const MeshPtr shapes[] = {lShape(2, 1),
                              icosphere(1, 1),
                              sixSidedBox(3, 0.02, 2),
                              cylinder(0.4, 4, 12),
                              soup(20, random.next(), 0.6),
                              tetrahedron(2)};
    const std::uint32_t shape = random.below(6);
    Scene scene(shapes[shape], Transform::rigid(randomRotation(random), {}));
    for (int k = 0; k < 3; ++k) {
      const Transform place =
          randomPlacement(k == 0 ? PlacementClass::mirrored : PlacementClass::rigid, random, 4);
      scene.add("rest" + std::to_string(k), shapes[random.below(6)], place);
    }
    const Quaternion first = randomRotation(random), second = randomRotation(random);
    const RigidMotion from{first, random.inCube(7)};
    const RigidMotion to{second, random.inCube(7)};
    const CollisionModels models = buildCollisionModels(scene.assembly, {}, {}, 1);
    FirstContactOptions options;
    options.resolution = 1e-4;
    const FirstContactReport report =
        firstContact(fitup::Scene(scene.assembly, models), {}, scene.moved, from, to, options);
    REQUIRE(report.status == ReportStatus::complete);
    Box box;
    box.extend(scene.assembly.worldBounds(scene.moved));
    const auto meets = [&](double s) {
      const Transform moved =
          interpolate(from, to, box.centre(), s).transform() * scene.assembly.worldFromNode(scene.moved);
      for (NodeId other : scene.assembly.instances()) {
        if (other == scene.moved) continue;
        IntersectionRequest request;
        request.mode = QueryMode::firstSurfacePair;
        if (intersect({models[index(scene.assembly.partOf(scene.moved))], moved},
                      {models[index(scene.assembly.partOf(other))], scene.assembly.worldFromNode(other)},
                      request)
                .intersects())
          return true;
      }
      return false;
    };
    INFO("seed " << firstSeed + static_cast<std::uint64_t>(i));
    const double until = report.contact ? report.contact->time : 1;
    for (int k = 0; k < samples && until > 0; ++k) {
      const double s = until * (k + 0.5) / samples;
      REQUIRE_FALSE(meets(s));
    }
    if (report.contact) {
      ++contacts;
      CHECK(report.contact->nearest.distance <= options.resolution);
      const DistanceReport there =
          distance({models[index(scene.assembly.partOf(scene.moved))],
                    report.contact->poses[0].transform() * scene.assembly.worldFromNode(scene.moved)},
                   {models[index(scene.assembly.partOf(report.contact->b))],
                    scene.assembly.worldFromNode(report.contact->b)});
      CHECK(there.distance() == Approx(report.contact->nearest.distance).margin(1e-9));
    } else {
      CHECK_FALSE(meets(1));
    }
  }
  CHECK(contacts > count / 4);
  CHECK(contacts < count);
}

}  // namespace

TEST_CASE("first contact along a thousand seeded motions is never late", "[motion][first-contact]") {
  checkSeededMotions(1000, 1000, 60);
}

TEST_CASE("first contact along the spool's way out of the plant", "[motion][first-contact]") {
  const Assembly plant = models::makeProcessPlant();
  const CollisionModels models = buildCollisionModels(plant);
  Track track = models::makeSpoolTrack(plant);
  const FirstContactReport start = firstContact(fitup::Scene(plant, models), {}, track);
  REQUIRE(start.contact);
  CHECK(start.contact->time == 0);  // it sits between its flanges
  FirstContactOptions options;
  options.initialContacts = InitialContacts::keepLimits;
  options.tolerance = 0.5;
  track.steps.resize(60);
  options.resolution = 0.5;
  const FirstContactReport report = firstContact(fitup::Scene(plant, models), {}, track, options);
  CHECK(report.status == ReportStatus::complete);
  CHECK_FALSE(report.initialContacts.empty());
  REQUIRE(report.contact);
  CHECK(report.contact->event == MotionEvent::depth);  // it turns into the pump
  CHECK(report.contact->time > 1);
  // Until then, only pairs of the start intersect.
  const ReplayReport steps = replay(fitup::Scene(plant, models), {}, track, {});
  std::size_t before = 0;
  for (const ReplayStep& step : steps.steps) {
    if (static_cast<double>(step.step) >= report.contact->time) continue;
    ++before;
    for (const PairInterference& p : step.interference.pairs) {
      const auto& known = report.initialContacts;
      CHECK((std::find(known.begin(), known.end(), std::pair{p.a, p.b}) != known.end() ||
             std::find(known.begin(), known.end(), std::pair{p.b, p.a}) != known.end()));
    }
  }
  CHECK(before > 1);
}

TEST_CASE("a search for contact that is cut short says how far it came", "[motion][first-contact][limits]") {
  Scene scene(sixSidedBox(2, 2, 2), at(0, 0, 0));
  scene.add("floor", sixSidedBox(40, 40, 2), at(0, 0, -2.01));
  FirstContactOptions options;
  options.maxQueries = 5;
  Track track{.moved = {"moved"}};
  for (int k = 0; k <= 50; ++k) track.steps.push_back({shiftBy(0.2 * k, 0, 0)});
  const FirstContactReport few = firstContact(
      fitup::Scene(scene.assembly, buildCollisionModels(scene.assembly, {}, {}, 1)), {}, track, options);
  CHECK(few.status == ReportStatus::truncated);
  CHECK_FALSE(few.contact);
  CHECK(few.clearUntil > 0);
  CHECK(few.clearUntil <= 5);
  std::stop_source source;
  source.request_stop();
  const FirstContactReport none =
      firstContact(fitup::Scene(scene.assembly, buildCollisionModels(scene.assembly, {}, {}, 1)), {},
                   scene.moved, {}, shiftBy(10, 0, 0), {}, Progress(source.get_token()));
  CHECK(none.status == ReportStatus::cancelled);
  CHECK(none.clearUntil == 0);
  CHECK_THROWS_AS(firstContact(fitup::Scene(scene.assembly, buildCollisionModels(scene.assembly, {}, {}, 1)),
                               {}, NodeId{99}, {}, shiftBy(10, 0, 0), {}),
                  InputError);
  options.clearance = -1;
  CHECK_THROWS_AS(scene.run({}, options), InputError);
  options.clearance = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(scene.run({}, options), InputError);
}

}  // namespace first_contact_tests
