// The first contact of exact shapes: round parts whose triangles lie inside of them, and known times.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/motion/first_contact.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/revolved_part.h"
#include "support/tiny_meshes.h"

namespace exact_contact_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// A pin of radius 1 that moves along x, towards what stands there.
struct Approach {
  Assembly assembly{"approach"};
  double error = 0;

  explicit Approach(std::uint32_t segments, double turn, bool isExact = false) : error(sagitta(1, segments)) {
    const MeshPtr mesh = cylinder(1, 3, segments);
    add("pin", isExact ? mesh : withDeflection(mesh, error), Transform::rotation({0, 0, 1}, turn));
  }
  void add(const std::string& name, const MeshPtr& mesh, const Transform& at) {
    assembly.addNode(name, at, {}, assembly.addPart(mesh));
  }
  [[nodiscard]] FirstContactReport run(const std::vector<Vec3>& places,
                                       const FirstContactOptions& options = {}) const {
    Track track{.name = "way", .unit = assembly.unit(), .modelHash = {}, .moved = {"pin"}, .steps = {}};
    for (const Vec3& place : places) track.steps.push_back({RigidMotion{{}, place}});
    return firstContact(Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)), {}, track, options);
  }
};

}  // namespace

TEST_CASE("the first contact of exact shapes lies between its bounds", "[motion][first-contact][exact]") {
  Random random(31);
  for (int i = 0; i < 40; ++i) {
    Approach approach(static_cast<std::uint32_t>(random.integer(5, 60)), random.between(0, 6));
    const double wall = random.between(1.5, 9), way = random.between(10, 30);
    // Exact: a mesh without chord errors.
    approach.add("wall", sixSidedBox(2, 20, 20), Transform::translation({wall + 1, 0.3, 0.2}));
    FirstContactOptions options;
    options.clearance = i % 2 == 0 ? 0 : random.between(0.01, 0.3);
    const int steps = random.integer(1, 5);
    std::vector<Vec3> places;
    for (int k = 0; k <= steps; ++k) places.push_back({way * k / steps, 0, 0});
    const FirstContactReport report = approach.run(places, options);
    const double truth = (wall - 1 - options.clearance) / way * steps;
    CAPTURE(i, approach.error, wall, way, options.clearance, truth, report.clearUntil);
    REQUIRE(report.contact);
    REQUIRE(report.exactClearUntil);
    CAPTURE(*report.exactClearUntil);
    CHECK(*report.exactClearUntil <= truth);
    CHECK(*report.exactClearUntil <= report.clearUntil);
    REQUIRE(report.contact->exactLatest);
    CAPTURE(*report.contact->exactLatest);
    CHECK(*report.contact->exactLatest >= truth);
    // They are near it: a few chord errors, of which the search doubles its steps.
    const double perLength = steps / way;
    CHECK(*report.exactClearUntil >= truth - perLength * (1.01 * approach.error + 1e-3));
    CHECK(*report.contact->exactLatest <= truth + perLength * (5 * approach.error + 1e-3));
    REQUIRE(report.contact->error.chordError.value_or(0) == 0);  // the wall is no CAD part
  }
}

TEST_CASE("meshes have no other first contact than their triangles", "[motion][first-contact][exact]") {
  Approach approach(12, 0.2, true);
  approach.add("wall", sixSidedBox(2, 20, 20), Transform::translation({5, 0, 0}));
  const FirstContactReport report = approach.run({{}, {10, 0, 0}});
  REQUIRE(report.contact);
  CHECK_FALSE(report.exactClearUntil);
  CHECK_FALSE(report.contact->exactLatest);
  CHECK(report.contact->error.rounding > 0);
}

TEST_CASE("exact shapes that may touch though their triangles do not are reported",
          "[motion][first-contact][exact]") {
  // The pin passes a block at less than its chord error: its mantle may touch it, its flat sides do not.
  const double error = sagitta(1, 6);
  Approach approach(6, 0);  // a corner at 0 degrees, flats at 30, 90, ...
  approach.add("block", sixSidedBox(2, 2, 2), Transform::translation({5, 1 - 0.5 * error + 1, 0}));
  const FirstContactReport passed = approach.run({{}, {10, 0, 0}});
  CHECK_FALSE(passed.contact);
  CHECK(passed.clearUntil == 1);
  REQUIRE(passed.exactClearUntil);
  CHECK(*passed.exactClearUntil > 0.3);
  CHECK(*passed.exactClearUntil <= 0.5);  // where the mantle is nearest
  // Where no chord error reaches, nothing is open.
  Approach far(6, 0);
  far.add("block", sixSidedBox(2, 2, 2), Transform::translation({5, 2 + 1.5 * error, 0}));
  const FirstContactReport clear = far.run({{}, {10, 0, 0}});
  CHECK_FALSE(clear.contact);
  CHECK(clear.exactClearUntil == 1.0);
}

TEST_CASE("no latest time is claimed where none is certain", "[motion][first-contact][exact]") {
  const double error = sagitta(1, 24);
  // It slides on a floor that it hardly touches: never deeper than its chord error.
  Approach sliding(24, 0);
  sliding.add("floor", sixSidedBox(30, 2, 30), Transform::translation({0, -2 + 0.2 * error, 0}));
  const FirstContactReport slid = sliding.run({{0, 0.5, 0}, {0, 0, 0}, {5, 0, 0}});
  REQUIRE(slid.contact);
  CHECK_FALSE(slid.contact->exactLatest);
  // A pin inside a hollow block from the start meets its wall from inside; an overlap says nothing there.
  Approach inside(24, 0.1);
  inside.add("block", sixSidedBox(12, 12, 12), {});
  const FirstContactReport out = inside.run({{}, {20, 0, 0}});
  REQUIRE(out.contact);
  CHECK(out.clearUntil == Approx(5.0 / 20).epsilon(0.01));
  REQUIRE(out.exactClearUntil);
  CHECK(*out.exactClearUntil <= 5.0 / 20);
  CHECK_FALSE(out.contact->exactLatest);
  // Nor for pairs that were in contact at the start.
  Approach pressed(24, 0.1);
  pressed.add("wall", withDeflection(sixSidedBox(2, 20, 20), 0.001), Transform::translation({2, 0, 0}));
  FirstContactOptions options;
  options.initialContacts = InitialContacts::keepLimits;
  options.tolerance = 0.05;
  const FirstContactReport deep = pressed.run({{}, {1, 0, 0}}, options);
  REQUIRE(deep.contact);
  CHECK(deep.contact->event == MotionEvent::depth);
  CHECK_FALSE(deep.contact->exactLatest);
}

TEST_CASE("the contact of exact shapes is found as accurately as asked for",
          "[motion][first-contact][exact]") {
  for (const double error : {0.05, 0.5})
    for (const double clearance : {0.0, 0.2}) {
      // A ball falls on a plate; a pin moves aside in its bore.
      RevolvedScene parts;
      parts.add("ball", ball(10), error, Transform::translation({1, 2, 15}), 0.3);
      parts.add("plate", shaft(30, -20, 0), error);
      parts.add("pin", shaft(10, 95, 135), error, Transform::translation({100, 0, 0}), 0.1);
      parts.add("bore", bushing(10.4, 20, 100, 130), error, Transform::translation({100, 0, 0}));
      const Scene scene = parts.scene();
      const auto run = [&](const char* moved, const Vec3& way) {
        FirstContactOptions options;
        options.clearance = clearance;
        options.exact = ExactDistances{0.001};
        return firstContact(scene, {}, parts.assembly.at(moved), {}, RigidMotion{{}, way}, options);
      };
      CAPTURE(error, clearance);
      const FirstContactReport fall = run("ball", {0, 0, -10});
      REQUIRE(fall.contact);
      CHECK(std::abs(fall.contact->time - (0.5 - clearance / 10)) <= 0.003 / 10);
      CHECK(fall.contact->time <= 0.5 - clearance / 10 + 1e-6);
      CHECK(*fall.contact->error.chordError <= 0.001);
      CHECK(*fall.exactClearUntil == Approx(fall.contact->time));
      const FirstContactReport aside = run("pin", {1, 0, 0});
      REQUIRE(aside.contact);
      CHECK(std::abs(aside.contact->time - (0.4 - clearance)) <= 0.004);
      CHECK(aside.contact->time <= 0.4 - clearance + 1e-5);
    }
}

}  // namespace exact_contact_tests
