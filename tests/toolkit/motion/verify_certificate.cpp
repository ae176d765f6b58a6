#include <fitup/motion/verify_certificate.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include <fitup/base/error.h>
#include <fitup/motion/track_poses.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/penetration.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace verify_certificate_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }
RigidMotion shiftBy(double x, double y, double z) { return {{}, {x, y, z}}; }

/// An assembly and the certificate of a motion of it.
struct Stage {
  Assembly assembly{"stage"};
  Certificate certificate{};

  NodeId add(const std::string& name, const MeshPtr& mesh, const Transform& where) {
    return assembly.addNode(name, where, {}, assembly.addPart(mesh));
  }
  void move(std::vector<std::string> moved, std::vector<std::vector<RigidMotion>> steps,
            std::vector<std::vector<StepWay>> ways = {}) {
    certificate.track.moved = std::move(moved);
    certificate.track.steps = std::move(steps);
    certificate.track.ways = std::move(ways);
    certificate.modelHash = assembly.contentHash();
    certificate.certainUntil = static_cast<double>(certificate.track.steps.size()) - 1;
  }
  /// Moves one path along a turn or screw.
  void turn(const std::string& path, const AxisTurn& turn) {
    move({path}, {{RigidMotion{}}, {turn.at(1)}}, {{StepWay{}}, {StepWay{turn, {}}}});
  }
  CertifiedPair& pair(NodeId a, NodeId b, std::vector<CertifiedInterval> intervals) {
    certificate.pairs.push_back({a, b, certificate.clearance, {}, std::move(intervals)});
    return certificate.pairs.back();
  }
  [[nodiscard]] CertificateCheck checked(const CertificateCheckOptions& options = {}) const {
    return verifyCertificate(Scene(assembly), certificate, options);
  }
};

std::string text(const CertificateCheck& check) {
  std::string text;
  for (const std::string& fault : check.faults) text += fault + "\n";
  for (const RefutedClaim& claim : check.refuted) text += claim.problem + "\n";
  for (const UncheckedInterval& interval : check.unchecked) text += "unchecked: " + interval.reason + "\n";
  return text;
}

bool hasFault(const CertificateCheck& check, const std::string& words) {
  return std::ranges::any_of(check.faults,
                             [&](const std::string& f) { return f.find(words) != std::string::npos; });
}

/// A unit cube that goes by another one at a distance of 2.
struct Passing : Stage {
  NodeId a, b;
  explicit Passing(double scale = 1) {
    a = add("a", box(scale, scale, scale), at(-5 * scale, 0, 0));
    b = add("b", box(scale, scale, scale), at(0, 3 * scale, 0));
    certificate.clearance = scale;
    move({"a"}, {{shiftBy(0, 0, 0)}, {shiftBy(4 * scale, 0, 0)}, {shiftBy(10 * scale, 0, 0)}});
    std::vector<CertifiedInterval> intervals;
    for (int i = 0; i < 16; ++i) {
      CertifiedInterval interval{i / 8.0, (i + 1) / 8.0, 0};
      interval.atLeast = scale * std::min(distanceAt(interval.from), distanceAt(interval.to));
      if (xAt(interval.from) < 0 && xAt(interval.to) > 0) interval.atLeast = 2 * scale;
      intervals.push_back(interval);
    }
    pair(a, b, intervals);
  }
  static double xAt(double time) { return time < 1 ? -5 + 4 * time : -1 + 6 * (time - 1); }
  static double distanceAt(double time) { return std::hypot(std::max(0.0, std::abs(xAt(time)) - 1), 2.0); }
};

/// A box that slides on a plate, sunk into it.
struct Sliding : Stage {
  NodeId slider, plate;
  static constexpr double t = 0.01;
  explicit Sliding(double sunk = 0, double scale = 1, std::uint32_t cells = 1) {
    slider = add("slider", sixSidedBox(4 * scale, 4 * scale, 4 * scale, cells),
                 at(-6 * scale, 0, (2 - sunk) * scale));
    plate = add("plate", sixSidedBox(30 * scale, 20 * scale, 3 * scale, cells), at(0, 0, -1.5 * scale));
    certificate.tolerance = t * scale;
    move({"slider"}, {{RigidMotion{}}, {shiftBy(12 * scale, scale, 0)}});
    pair(slider, plate, {{0, 0.5, (t - sunk) * scale}, {0.5, 1, (t - sunk) * scale}}).contact =
        ContactLimit{t * scale, t * scale, 0, {}, true};
  }
};

/// A box sunk into a block by more than the tolerance, from the start.
struct Sunk : Stage {
  NodeId slider, block;
  Sunk() {
    slider = add("slider", box(4, 4, 4), at(-3, 0, 1));
    block = add("block", box(30, 20, 10), at(0, 0, -5));
    certificate.tolerance = 0.1;
    move({"slider"}, {{RigidMotion{}}, {shiftBy(6, 0, 0)}});
    pair(slider, block, {{0, 1, 0.05}}).contact = ContactLimit{0.1, 1.05, 1, Vec3{-3, 0, -1}, true};
  }
};

}  // namespace

TEST_CASE("distances of a box that passes another one are confirmed, and no larger ones",
          "[motion][certificate]") {
  for (const double scale : {1.0, 0x1p10, 0x1p-10}) {
    const Passing right(scale);
    const CertificateCheck check = right.checked();
    INFO("scale " << scale << "\n" << text(check));
    CHECK(check.isConfirmed());
    CHECK(check.pairs == 1);
    CHECK(check.confirmedIntervals == 16);
    for (std::size_t i = 0; i < 16; ++i) {
      Passing wrong(scale);
      wrong.certificate.pairs[0].intervals[i].atLeast *= 1 + 1e-5;
      const CertificateCheck refused = wrong.checked();
      REQUIRE(refused.refuted.size() == 1);
      CHECK(refused.refutedIntervals == 1);
      CHECK(refused.confirmedIntervals == 15);
      const RefutedClaim& claim = refused.refuted[0];
      CHECK(claim.time >= i / 8.0);
      CHECK(claim.time <= (i + 1) / 8.0);
      CHECK(claim.measured == Approx(scale * Passing::distanceAt(claim.time)));
      CHECK(norm(claim.pointB - claim.pointA) == Approx(claim.measured));
      CHECK(claim.measured < claim.claimed);
      CHECK(claim.pointB.y == Approx(2.5 * scale));
    }
  }
}

TEST_CASE("an interval over several steps is checked in each of them", "[motion][certificate]") {
  Passing passing;
  passing.certificate.pairs[0].intervals = {{0, 2, 2}};
  CHECK(passing.checked().isConfirmed());
  passing.certificate.pairs[0].intervals = {{0, 2, 2.0001}};
  CHECK(passing.checked().refuted.size() == 1);
}

TEST_CASE("a certificate that does not cover the motion has faults", "[motion][certificate]") {
  const auto faultOf = [](const auto& change, const std::string& words) {
    Passing passing;
    change(passing.certificate, passing);
    const CertificateCheck check = passing.checked();
    INFO(words << "\n" << text(check));
    CHECK_FALSE(check.isConfirmed());
    CHECK(hasFault(check, words));
    CHECK(check.faultCount == check.faults.size());
  };
  using C = Certificate&;
  using S = const Passing&;
  faultOf([](C c, S) { c.pairs.clear(); }, "does not cover the pair 'a' and 'b'");
  faultOf([](C c, S) { c.pairs.push_back(c.pairs[0]); }, "twice");
  faultOf([](C c, S) { c.pairs[0].intervals.clear(); }, "covers 0");
  faultOf([](C c, S) { c.pairs[0].intervals.pop_back(); }, "certain until 2, and covers 1.875");
  faultOf([](C c, S) { c.pairs[0].intervals.erase(c.pairs[0].intervals.begin() + 3); },
          "a gap is between 0.375 and 0.5");
  faultOf([](C c, S) { c.pairs[0].intervals[0].from = 0.01; }, "a gap is between 0 and 0.01");
  faultOf([](C c, S) { c.pairs[0].intervals[5].to = 0.7; }, "a gap is between 0.7 and 0.75");
  faultOf([](C c, S) { c.pairs[0].intervals[5].from = 0.6; }, "an overlap is between 0.6 and 0.625");
  faultOf([](C c, S) { c.pairs[0].intervals[7].atLeast = 0.5; }, "below the clearance of 1");
  faultOf([](C c, S) { c.pairs[0].intervals[7].atLeast = nan; }, "below the clearance");
  faultOf([](C c, S) { c.pairs[0].intervals[7].to = nan; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].intervals[7].from = -infinite; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].intervals[15].to = 3; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].clearance = 0.5; }, "below that of the certificate");
  faultOf([](C c, S) { c.pairs[0].clearance = nan; }, "below that of the certificate");
  faultOf([](C c, S) { std::swap(c.pairs[0].a, c.pairs[0].b); }, "the second moves, and not the first");
  faultOf([](C c, S) { c.pairs[0].b = NodeId{4711}; }, "not both instances");
  faultOf([](C c, S s) { c.pairs[0].b = s.a; }, "not in relative motion");
  faultOf([](C c, S) { c.excluded.push_back({NodeId{0}, NodeId{99}}); }, "not both instances");
  faultOf([](C c, S s) { c.unknown.push_back({s.b, s.a}); }, "both leaves out and bounds");
  faultOf([](C c, S) { ++c.modelHash; }, "another model");
  faultOf([](C c, S) { c.track.modelHash = 1; }, "recorded on another model");
  faultOf([](C c, S) { c.certainUntil = 2.5; }, "the track ends at 2");
  faultOf([](C c, S) { c.certainUntil = nan; }, "certain until");
  faultOf([](C c, S) { c.clearance = -1; }, "clearance is negative");
  faultOf([](C c, S) { c.clearance = nan; }, "clearance is negative");
  faultOf([](C c, S) { c.tolerance = infinite; }, "tolerance is negative or not finite");
  faultOf([](C c, S) { c.rest.set(NodeId{77}, Transform{}); }, "no instance");
  faultOf([](C c, S s) { c.rest.set(s.b, at(nan, 0, 0)); }, "not finite");
  faultOf([](C c, S) { c.track.steps.clear(); }, "no steps");
  faultOf(
      [](C c, S s) {
        c.pairs[0].contact = ContactLimit{0, nan, 0, {}, true};
        (void)s;
      },
      "negative or not finite");
  // Many faults are counted, and some listed.
  Passing many;
  many.certificate.pairs[0].intervals.assign(5000, {nan, nan, nan});
  const CertificateCheck check = many.checked();
  CHECK(check.faultCount > 5000);
  CHECK(check.faults.size() == CertificateCheck::mostListed);
  // A track that does not fit the assembly is an error.
  many.certificate.track.moved = {"nothing"};
  CHECK_THROWS_AS(many.checked(), InputError);
}

TEST_CASE("a pair that is left out needs no bounds", "[motion][certificate]") {
  Passing passing;
  passing.certificate.pairs.clear();
  passing.certificate.excluded = {{passing.b, passing.a}};
  const CertificateCheck check = passing.checked();
  CHECK(check.isConfirmed());
  CHECK(check.excluded == 1);
  CHECK(check.pairs == 0);
}

TEST_CASE("a certificate for another track, or with a part elsewhere, is refuted", "[motion][certificate]") {
  Passing nearer;
  nearer.certificate.track.steps[1][0].translation.y = 0.1;
  CHECK_FALSE(nearer.checked().isConfirmed());
  CHECK_FALSE(nearer.checked().refuted.empty());
  Passing moved;
  moved.certificate.rest.set(moved.b, at(0, 2.9, 0));
  CHECK_FALSE(moved.checked().refuted.empty());
  Passing away;
  away.certificate.rest.set(away.b, at(0, 3.1, 0));
  CHECK(away.checked().isConfirmed());
}

TEST_CASE("a part that passes through another one refutes any distance", "[motion][certificate]") {
  Stage stage;
  const NodeId a = stage.add("a", box(1, 1, 1), at(-5, 0, 0)),
               b = stage.add("b", box(0.01, 3, 3), at(0, 0, 0));
  stage.move({"a"}, {{RigidMotion{}}, {shiftBy(10, 0, 0)}});
  stage.pair(a, b, {{0, 1, 0}});
  const CertificateCheck check = stage.checked();
  REQUIRE(check.refuted.size() == 1);
  CHECK(check.refuted[0].measured == 0);
  stage.certificate.pairs[0].intervals = {{0, 0.44, 0}};
  stage.certificate.certainUntil = 0.44;
  CHECK(stage.checked().isConfirmed());
}

TEST_CASE("a turning rod keeps a distance at the top of its circle", "[motion][certificate]") {
  Stage stage;
  const NodeId rod = stage.add("rod", box(10, 1, 1), at(5, 0, 0));
  const NodeId lid = stage.add("lid", sixSidedBox(40, 1, 4, 3), at(0, std::hypot(10, 0.5) + 1.5, 0));
  for (const double degrees : {90.0, -450.0}) {
    stage.certificate.pairs.clear();
    stage.turn("rod", {{0, 0, 0}, {0, 0, 2}, degrees, 0});
    const double lowest = degrees > 0 ? 1 : 1;
    stage.pair(rod, lid, {{0, 1, lowest}});
    const CertificateCheck check = stage.checked();
    INFO(degrees << "\n" << text(check));
    CHECK(check.isConfirmed());
    stage.certificate.pairs[0].intervals[0].atLeast = lowest + 1e-5;
    CHECK(stage.checked().refuted.size() == 1);
  }
}

TEST_CASE("a screw comes nearer by its advance, a straight way turns about its pivot",
          "[motion][certificate]") {
  Stage screw;
  const NodeId bar = screw.add("bar", box(10, 1, 1), at(0, 0, 0)),
               lid = screw.add("lid", box(30, 30, 1), at(0, 0, 8));
  screw.turn("bar", {{0, 0, 0}, {0, 0, 1}, 1000, 3});
  screw.pair(bar, lid, {{0, 0.5, 5.5}, {0.5, 1, 4}});
  const CertificateCheck check = screw.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  screw.certificate.pairs[0].intervals[0].atLeast = 5.51;
  CHECK(screw.checked().refuted.size() == 1);

  // Half of a turn of 120 degrees about one end, while that end goes along x.
  Stage straight;
  const NodeId rod = straight.add("rod", box(10, 0.5, 0.5), at(5, 0, 0));
  const NodeId wall = straight.add("wall", box(60, 1, 20), at(0, std::hypot(10, 0.25) + 0.5 + 0.75, 0));
  const RigidMotion end{axisAngle({0, 0, 1}, 2 * std::numbers::pi / 3), {7, 0, 0}};
  straight.move({"rod"}, {{RigidMotion{}}, {end}}, {{StepWay{}}, {StepWay{{}, Vec3{0, 0, 0}}}});
  straight.pair(rod, wall, {{0, 1, 0.75}});
  const CertificateCheck ofStraight = straight.checked();
  INFO(text(ofStraight));
  CHECK(ofStraight.isConfirmed());
  straight.certificate.pairs[0].intervals[0].atLeast = 0.751;
  CHECK(straight.checked().refuted.size() == 1);
}

TEST_CASE("the sense of half a turn is uncertain", "[motion][certificate]") {
  Stage stage;
  const NodeId rod = stage.add("rod", box(10, 1, 1), at(0, 0, 0)),
               far = stage.add("far", box(1, 1, 1), at(0, 50, 0));
  stage.move({"rod"}, {{RigidMotion{}}, {RigidMotion{{0, 0, 1, 0}, {}}}});
  stage.pair(rod, far, {{0, 1, 1}});
  const CertificateCheck check = stage.checked();
  CHECK(check.uncheckedIntervals == 1);
  CHECK(check.unchecked[0].reason.find("half a turn") != std::string::npos);
}

TEST_CASE("groups that move against each other are a pair, those that move as one are not",
          "[motion][certificate]") {
  Stage stage;
  const NodeId a = stage.add("a", box(1, 1, 1), at(-5, 0, 0)), b = stage.add("b", box(1, 1, 1), at(5, 0, 0));
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {shiftBy(3, 0, 0), shiftBy(-2, 0, 0)}});
  stage.pair(a, b, {{0, 0.5, 6.5}, {0.5, 1, 4}});
  CHECK(stage.checked().isConfirmed());
  // The roles may be exchanged.
  std::swap(stage.certificate.pairs[0].a, stage.certificate.pairs[0].b);
  CHECK(stage.checked().isConfirmed());
  stage.certificate.pairs[0].intervals[0].atLeast = 6.51;
  CHECK(stage.checked().refuted.size() == 1);
  stage.certificate.pairs.clear();
  CHECK(hasFault(stage.checked(), "does not cover"));

  // Together along a line; the same turn about one axis; but not about the centre of each.
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {shiftBy(3, 1, 0), shiftBy(3, 1, 0)}});
  CHECK(stage.checked().isConfirmed());
  const AxisTurn turn{{1, 2, 3}, {1, 1, 0}, 200, 1};
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {turn.at(1), turn.at(1)}},
             {{StepWay{}, StepWay{}}, {StepWay{turn, {}}, StepWay{turn, {}}}});
  CHECK(stage.checked().isConfirmed());
  const Quaternion quarter = axisAngle({0, 0, 1}, 0.5 * std::numbers::pi);
  const auto aboutOwn = [&](double x) { return motionAbout({x, 0, 0}, quarter, {}); };
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {aboutOwn(-5), aboutOwn(5)}});
  CHECK(hasFault(stage.checked(), "does not cover"));
  // Turning alike, their diagonals point at each other half way.
  stage.pair(a, b, {{0, 1, 10 - std::numbers::sqrt2}});
  const CertificateCheck check = stage.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  stage.certificate.pairs[0].intervals[0].atLeast += 1e-5;
  CHECK(stage.checked().refuted.size() == 1);
}

TEST_CASE("a box that slides on a plate keeps its limit, and no more", "[motion][certificate]") {
  for (const double scale : {1.0, 0x1p9})
    for (const std::uint32_t cells : {1U, 7U})
      for (const double sunk : {0.0, 0.004, 0.01}) {
        const Sliding sliding(sunk, scale, cells);
        const CertificateCheck check = sliding.checked();
        INFO("scale " << scale << ", " << cells << " cells, sunk by " << sunk << "\n" << text(check));
        CHECK(check.isConfirmed());
        CHECK(check.confirmedIntervals == 2);
        Sliding wrong(sunk + 1e-4, scale, cells);
        wrong.certificate.pairs[0].intervals[1].atLeast = (Sliding::t - sunk) * scale;
        const CertificateCheck refused = wrong.checked();
        REQUIRE(refused.refuted.size() == 1);
        CHECK(refused.refuted[0].isDepth);
        CHECK(refused.refuted[0].measured <= (sunk + 1e-4) * scale * (1 + 1e-6));
        CHECK(refused.refuted[0].measured > sunk * scale);
      }
}

TEST_CASE("limits of contact have to follow from the first step", "[motion][certificate]") {
  Sliding deeper;
  deeper.certificate.pairs[0].contact->depth = 0.0101;
  CHECK(hasFault(deeper.checked(), "larger than the first step justifies"));
  deeper.certificate.pairs[0].contact->tolerance = 0.0101;
  CHECK(hasFault(deeper.checked(), "larger than the first step justifies"));
  CertificateCheckOptions byRule;
  byRule.allowedOverlap = [](NodeId, NodeId) { return 0.0101; };
  CHECK(deeper.checked(byRule).isConfirmed());

  Sliding apart;
  apart.certificate.rest.set(apart.plate, at(0, 0, -1.6));
  CHECK(hasFault(apart.checked(), "keep their clearance"));

  const Sunk right;
  const CertificateCheck check = right.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  Sunk invented;
  invented.certificate.pairs[0].contact->overlap = 1.01;
  CHECK(invented.checked().refuted.size() == 1);
  Sunk outside;
  outside.certificate.pairs[0].contact->deepest = Vec3{-3, 0, 1};
  CHECK(outside.checked().refuted.size() == 1);
  Sunk without;
  without.certificate.pairs[0].contact->deepest.reset();
  CHECK(hasFault(without.checked(), "no point shows the overlap"));
  Sunk larger;
  larger.certificate.pairs[0].contact->depth = 1.06;
  CHECK(hasFault(larger.checked(), "larger than the first step justifies"));
  Sunk raised;
  raised.certificate.pairs[0].intervals[0].atLeast = 0.06;
  CHECK(raised.checked().refuted.size() == 1);
}

TEST_CASE("parts that separate keep a negative depth", "[motion][certificate]") {
  Sliding lifted;
  lifted.move({"slider"}, {{RigidMotion{}}, {shiftBy(0, 0, 2)}});
  // The gap is twice the time.
  lifted.certificate.pairs[0].intervals = {{0, 0.25, 0.01}, {0.25, 0.5, 0.51}, {0.5, 1, 1.01}};
  const CertificateCheck check = lifted.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  lifted.certificate.pairs[0].intervals[1].atLeast = 0.52;
  const CertificateCheck refused = lifted.checked();
  REQUIRE(refused.refuted.size() == 1);
  CHECK_FALSE(refused.refuted[0].isDepth);
}

TEST_CASE("a pin turns in its bore", "[motion][certificate]") {
  constexpr std::uint32_t segments = 24;
  Stage stage;
  const NodeId pin = stage.add("pin", cylinder(4.99, 12, segments), at(0, 0, 0));
  const NodeId ring = stage.add("ring", tube(8, 5, 6, segments), at(0, 0, 0));
  stage.certificate.tolerance = 0.1;
  stage.turn("pin", {{0, 0, 0}, {0, 0, 1}, 40, 1});
  // Corners of the pin come to the middles of the chords of the bore.
  // Coordinates are stored to seven digits.
  const double deepest = 1e-6 + 4.99 - 5 * std::cos(std::numbers::pi / segments);
  REQUIRE(deepest > 0.03);
  stage.pair(pin, ring, {{0, 1, 0.1 - deepest}}).contact = ContactLimit{0.1, 0.1, 0, {}, true};
  const CertificateCheck check = stage.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  stage.certificate.pairs[0].intervals[0].atLeast += 1e-3;
  CHECK(stage.checked().refuted.size() == 1);
}

TEST_CASE("a pin and a ring that both move are followed in the frame of each other",
          "[motion][certificate]") {
  constexpr std::uint32_t segments = 24;
  Stage stage;
  const NodeId pin = stage.add("pin", cylinder(4.99, 12, segments), at(20, 0, 0));
  const NodeId ring = stage.add("ring", tube(8, 5, 6, segments), at(20, 0, 0));
  stage.certificate.tolerance = 0.1;
  // The ring is carried about a far axis and the pin goes along, turning in it a little more.
  const AxisTurn carried{{0, 0, 0}, {0, 0, 1}, 30, 2};
  const RigidMotion turned = motionAbout({20, 0, 0}, axisAngle({0, 0, 1}, 0.4), {0, 0, 1});
  stage.move({"pin", "ring"}, {{RigidMotion{}, RigidMotion{}}, {carried.at(1) * turned, carried.at(1)}},
             {{StepWay{}, StepWay{}}, {StepWay{{}, Vec3{20, 0, 0}}, StepWay{carried, {}}}});
  // The centre of the pin goes along the chord, while that of the ring goes round.
  const double off = 20 * (1 - std::cos(15 * std::numbers::pi / 180));
  stage.certificate.tolerance = 2;
  const double deepest = off + 4.99 - 5 * std::cos(std::numbers::pi / segments);
  stage.pair(pin, ring, {{0, 1, 2 - 1.05 * deepest}}).contact = ContactLimit{2, 2, 0, {}, true};
  // The ring is thinner than twice this tolerance, and the pin is not.
  const CertificateCheck check = stage.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  std::swap(stage.certificate.pairs[0].a, stage.certificate.pairs[0].b);
  CHECK(stage.checked().isConfirmed());
  stage.certificate.pairs[0].intervals[0].atLeast = 2 - 0.9 * (off - 0.01);
  const CertificateCheck refused = stage.checked();
  REQUIRE(refused.refuted.size() == 1);
  CHECK(refused.refuted[0].time == Approx(0.5).margin(0.3));
}

TEST_CASE("far from the origin, what rounding hides is unchecked", "[motion][certificate]") {
  Stage stage;
  const double far = 1e9;
  const NodeId a = stage.add("a", box(1, 1, 1), at(far - 5, 0, 0)),
               b = stage.add("b", box(1, 1, 1), at(far, 3, 0));
  stage.move({"a"}, {{RigidMotion{}}, {shiftBy(10, 0, 0)}});
  CertificateCheckOptions options;
  options.piecesPerInterval = 20'000;
  stage.pair(a, b, {{0, 1, 2}});
  const CertificateCheck check = stage.checked(options);
  INFO(text(check));
  CHECK(check.refuted.empty());
  CHECK(check.uncheckedIntervals == 1);
  stage.certificate.pairs[0].intervals[0].atLeast = 1.999;
  CHECK(stage.checked(options).isConfirmed());
}

TEST_CASE("a track of one step is certain of nothing but it", "[motion][certificate]") {
  Passing passing;
  passing.certificate.track.steps.resize(1);
  passing.certificate.certainUntil = 0;
  passing.certificate.pairs[0].intervals.clear();
  CHECK(passing.checked().isConfirmed());
  passing.certificate.pairs[0].intervals = {{0, 0, Passing::distanceAt(0)}};
  CHECK(passing.checked().isConfirmed());
  passing.certificate.pairs[0].intervals[0].atLeast = 5;
  CHECK(passing.checked().refuted.size() == 1);
}

TEST_CASE("what cannot be told is unchecked", "[motion][certificate]") {
  // Walls thinner than twice the tolerance in contact.
  Sliding thin;
  thin.certificate.tolerance = 2;
  *thin.certificate.pairs[0].contact = {2, 2, 0, {}, true};
  for (CertifiedInterval& interval : thin.certificate.pairs[0].intervals) interval.atLeast = 1;
  const CertificateCheck ofThin = thin.checked();
  CHECK(ofThin.uncheckedIntervals == 2);
  CHECK(ofThin.unchecked.at(0).reason.starts_with("thin walls"));
  CHECK(ofThin.refuted.empty());
  thin.certificate.pairs[0].contact->keepsOffMiddles = false;
  CHECK(thin.checked().uncheckedIntervals == 2);

  // An open part.
  Stage open;
  const NodeId a = open.add("a", box(1, 1, 1), at(0.2, 0.3, 0.5)),
               b = open.add("b", flatSheet(5, 5), at(-2, -2, 0));
  open.certificate.tolerance = 0.01;
  open.move({"a"}, {{RigidMotion{}}, {shiftBy(1, 0, 0)}});
  open.pair(a, b, {{0, 1, 0}}).contact = ContactLimit{0.01, 0.01, 0, {}, true};
  const CertificateCheck ofOpen = open.checked();
  INFO(text(ofOpen));
  CHECK(ofOpen.uncheckedIntervals == 1);
  CHECK(ofOpen.unchecked.at(0).reason.find("'b' has no certain inside") != std::string::npos);

  // A budget that is too small.
  Sliding sliding;
  CertificateCheckOptions little;
  little.piecesPerInterval = 3;
  CHECK(sliding.checked(little).uncheckedIntervals > 0);
  CHECK(sliding.checked(little).unchecked.at(0).reason.find("budget") != std::string::npos);
  CertificateCheckOptions late;
  late.timeBudget = std::chrono::nanoseconds(0);
  CHECK(sliding.checked(late).uncheckedIntervals > 0);
  std::stop_source stop;
  stop.request_stop();
  late.cancel = stop.get_token();
  CHECK(sliding.checked(late).status == ReportStatus::cancelled);
  CHECK_FALSE(sliding.checked(late).isConfirmed());
}

TEST_CASE("a shell that lies deep inside the other part is found", "[motion][certificate]") {
  // One of its two shells rests on the block, the other one is in the middle of it.
  Stage stage;
  const MeshPtr shells = joined({boxBetween({-2, -2, 5}, {2, 2, 7}), boxBetween({-1, -1, -1}, {1, 1, 1})});
  const NodeId a = stage.add("a", shells, at(0, 0, 0)), b = stage.add("b", box(10, 10, 10), at(0, 0, 0));
  stage.certificate.tolerance = 0.1;
  stage.move({"a"}, {{RigidMotion{}}, {shiftBy(1, 0, 0)}});
  stage.pair(a, b, {{0, 1, 0}}).contact = ContactLimit{0.1, 0.1, 0, {}, true};
  const CertificateCheck check = stage.checked();
  REQUIRE(check.refuted.size() == 1);
  CHECK(check.refuted[0].isDepth);
  CHECK(check.refuted[0].measured > 3);
  // The same once the parts are claimed to be apart.
  stage.certificate.rest.set(b, at(0, 0, -0.05));
  stage.certificate.pairs[0].intervals[0].atLeast = 0.13;
  const CertificateCheck apart = stage.checked();
  REQUIRE(apart.refuted.size() == 1);
  CHECK(apart.refuted[0].isDepth);
}

TEST_CASE("a core that is enclosed does not pass for contact", "[motion][certificate]") {
  // Two equal blocks in one place, one a trifle larger: no surface is deep in the other.
  Stage stage;
  const NodeId a = stage.add("a", box(10, 10, 10), at(0, 0, 0)),
               b = stage.add("b", box(10.01, 10.01, 10.01), at(0, 0, 0));
  stage.certificate.tolerance = 0.1;
  stage.move({"a"}, {{RigidMotion{}}, {shiftBy(0, 0, 0.05)}});
  stage.pair(a, b, {{0, 1, 0}}).contact = ContactLimit{0.1, 0.1, 0, {}, true};
  CertificateCheckOptions options;
  options.piecesPerInterval = 100'000;
  CHECK_FALSE(stage.checked(options).isConfirmed());
}

namespace {

/// Two parts of seeded shapes and motions, with sampled distances.
struct RandomCase : Stage {
  NodeId a, b;
  double sampled = infinite, bound = 0;

  explicit RandomCase(std::uint64_t seed) {
    Random random(seed);
    const auto shape = [&] {
      return random.below(2) == 0
                 ? tetrahedron(random.between(1, 3))
                 : box(random.between(0.5, 3), random.between(0.5, 3), random.between(0.5, 3));
    };
    const auto place = [&](double reach) {
      return Transform::rigid(randomRotation(random), random.inCube(reach));
    };
    const bool bothMove = random.below(2) == 0;
    a = add("a", shape(), place(2));
    b = add("b", shape(), Transform::translation({6, 0, 0}) * place(2));
    std::vector<std::vector<RigidMotion>> steps(1, std::vector<RigidMotion>(bothMove ? 2 : 1));
    std::vector<std::vector<StepWay>> ways(1, std::vector<StepWay>(steps[0].size()));
    for (int k = 0; k < 2; ++k) {
      steps.emplace_back();
      ways.emplace_back();
      for (const RigidMotion& before : steps[steps.size() - 2]) {
        StepWay way;
        RigidMotion next;
        if (random.below(2) == 0) {
          way.turn =
              AxisTurn{random.inCube(4), random.inCube(1), random.between(-300, 300), random.between(-1, 1)};
          next = way.turn->at(1) * before;
        } else {
          next = motionAbout({3, 0, 0}, axisAngle(random.inCube(1), random.between(0, 2)), random.inCube(2));
          if (random.below(2) == 0) way.pivot = random.inCube(3);
        }
        steps.back().push_back(next);
        ways.back().push_back(way);
      }
    }
    move(bothMove ? std::vector<std::string>{"a", "b"} : std::vector<std::string>{"a"}, steps, ways);
    sample();
  }

  void sample() {
    const TrackPoses poses(certificate.track, assembly);
    const CollisionModels models = buildCollisionModels(assembly);
    constexpr int perStep = 300;
    std::vector<Vec3> before;
    for (int i = 0; i <= 2 * perStep; ++i) {
      const std::vector<RigidMotion> at = poses.at(static_cast<double>(i) / perStep);
      const Transform placeA = at[0].transform() * assembly.worldFromNode(a);
      const Transform placeB = (at.size() > 1 ? at[1].transform() : Transform{}) * assembly.worldFromNode(b);
      const DistanceReport report =
          bruteForceDistance({models[0], placeA}, {models[1], placeB}, DistanceRequest{});
      sampled = std::min(sampled, report.distance());
      std::vector<Vec3> now;
      for (std::uint32_t p = 0; p < models[0]->mesh().points().size(); ++p)
        now.push_back(placeA.apply(models[0]->mesh().pointInPart(p)));
      const std::size_t ofA = now.size();
      for (std::uint32_t p = 0; p < models[1]->mesh().points().size(); ++p)
        now.push_back(placeB.apply(models[1]->mesh().pointInPart(p)));
      double most[2] = {0, 0};
      for (std::size_t p = 0; p < before.size(); ++p)
        most[p < ofA ? 0 : 1] = std::max(most[p < ofA ? 0 : 1], norm(now[p] - before[p]));
      // No farther from the samples than half of the way between them, with room for its curvature.
      bound = std::max(bound, 0.6 * (most[0] + most[1]));
      before = now;
    }
  }
};

}  // namespace

TEST_CASE("random motions: distances below the sampled ones are not refuted, larger ones not confirmed",
          "[motion][certificate]") {
  std::size_t confirmed = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomCase random(seed);
    if (!(random.sampled > 0)) continue;
    random.pair(random.a, random.b, {{0, 2, 1.02 * random.sampled}});
    const CertificateCheck wrong = random.checked();
    INFO("seed " << seed << ", sampled " << random.sampled << "\n" << text(wrong));
    CHECK_FALSE(wrong.isConfirmed());
    CHECK(wrong.refuted.size() == 1);
    const double certain = 0.98 * (random.sampled - random.bound);
    if (!(certain > 0)) continue;
    ++apart;
    random.certificate.pairs[0].intervals[0].atLeast = certain;
    const CertificateCheck right = random.checked();
    INFO(text(right));
    CHECK(right.refuted.empty());
    CHECK(right.faultCount == 0);
    confirmed += right.isConfirmed() ? 1 : 0;
  }
  CHECK(apart > 20);
  CHECK(confirmed == apart);
}

namespace {

/// A part that rests on a block, a trifle inside it, and is rubbed along it and tilted; with sampled depths.
struct RubbedCase : Stage {
  NodeId a, b;
  static constexpr double accuracy = 1e-5;
  double sampled = 0, bound = 0;

  explicit RubbedCase(std::uint64_t seed) {
    Random random(seed);
    const MeshPtr shape = random.below(3) == 0   ? tetrahedron(random.between(3, 5))
                          : random.below(2) == 0 ? lShape(random.between(2, 4), random.between(2, 4))
                                                 : sixSidedBox(3, 2, 4, 1 + random.below(3));
    const Transform turned =
        Transform::rotation(random.below(2) == 0 ? Quaternion{} : randomRotation(random));
    const MeshPtr lying = transformed(shape, turned);
    const Box box = lying->boundsInPart();
    const double sunk = random.below(3) == 0 ? 0 : random.between(0, 0.02);
    const Transform whole = Transform::rigid(randomRotation(random), random.inCube(5));
    a = add("a", lying, whole * Transform::translation({0, 0, -box.min.z - sunk}));
    b = add("b", sixSidedBox(30, 20, 10, 1 + random.below(4)), whole * Transform::translation({0, 0, -5}));
    // In the frame in which the block lies flat.
    const RigidMotion rub = motionAbout({0, 0, 0}, axisAngle({0, 0, 1}, random.between(-1, 1)),
                                        {random.between(-3, 3), random.between(-3, 3), 0});
    const RigidMotion tilt =
        motionAbout({0, 0, 0}, axisAngle(random.inCube(1), random.between(0, 0.005)), {});
    const RigidMotion frame{rotationOf(whole), whole.t};
    move({"a"}, {{RigidMotion{}}, {frame * rub * tilt * inverse(frame)}});
    sample();
  }

  void sample() {
    const TrackPoses poses(certificate.track, assembly);
    const Scene scene(assembly);
    constexpr int samples = 40;
    std::vector<Vec3> before;
    for (int i = 0; i <= samples; ++i) {
      Poses now;
      now.set(a, poses.at(static_cast<double>(i) / samples)[0].transform() * assembly.worldFromNode(a));
      PenetrationRequest request;
      request.accuracy = accuracy;
      sampled =
          std::max(sampled, penetration(scene.posedSolid(a, now), scene.posedSolid(b, now), request).depth());
      std::vector<Vec3> points;
      for (std::uint32_t p = 0; p < assembly.meshOf(a).points().size(); ++p)
        points.push_back(scene.worldFromPart(a, now).apply(assembly.meshOf(a).pointInPart(p)));
      // Only the way along the block's normal makes a part deeper in a block without edges nearby.
      const Vec3 up = assembly.worldFromNode(b).applyToVector({0, 0, 1});
      for (std::size_t p = 0; p < before.size(); ++p)
        bound = std::max(bound, 0.6 * std::abs(dot(up, points[p] - before[p])));
      before = points;
    }
  }
};

}  // namespace

TEST_CASE("random contacts: depths above the sampled ones are not refuted, smaller ones not confirmed",
          "[motion][certificate]") {
  std::size_t confirmed = 0, cases = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RubbedCase random(seed);
    const double depth = 1.02 * (random.sampled + random.bound + RubbedCase::accuracy), t = 1.5 * depth;
    random.certificate.tolerance = t;
    random.pair(random.a, random.b, {{0, 0.5, t - depth}, {0.5, 1, t - depth}}).contact =
        ContactLimit{t, t, 0, {}, true};
    const CertificateCheck right = random.checked();
    INFO("seed " << seed << ", sampled " << random.sampled << " +- " << random.bound << "\n" << text(right));
    CHECK(right.refuted.empty());
    CHECK(right.faultCount == 0);
    ++cases;
    confirmed += right.isConfirmed() ? 1 : 0;
    if (!(random.sampled > 1e-3)) continue;
    for (CertifiedInterval& interval : random.certificate.pairs[0].intervals)
      interval.atLeast = t - 0.98 * random.sampled;
    const CertificateCheck wrong = random.checked();
    INFO(text(wrong));
    CHECK_FALSE(wrong.isConfirmed());
    CHECK(wrong.refutedIntervals > 0);
  }
  INFO(confirmed << " of " << cases << " confirmed");
  CHECK(10 * confirmed >= 9 * cases);
}

TEST_CASE("certificates with any numbers in them do not throw, and are not taken for more than they were",
          "[motion][certificate]") {
  constexpr double numbers[] = {nan, infinite, -infinite, -1, 0, 1e-300, 1e300, 0.5, 4e9};
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const auto any = [&] { return numbers[random.below(9)]; };
    const auto anyNode = [&] {
      return NodeId{random.below(3) == 0 ? random.below(4) : static_cast<std::uint32_t>(random.next())};
    };
    Sunk sunk;
    Certificate& c = sunk.certificate;
    CertifiedPair& pair = c.pairs[0];
    switch (random.below(14)) {
      case 0:
        c.clearance = any();
        break;
      case 1:
        c.tolerance = any();
        break;
      case 2:
        c.certainUntil = any();
        break;
      case 3:
        pair.a = anyNode();
        break;
      case 4:
        pair.b = anyNode();
        break;
      case 5:
        pair.clearance = any();
        break;
      case 6:
        pair.contact->tolerance = any();
        break;
      case 7:
        pair.contact->depth = any();
        break;
      case 8:
        pair.contact->overlap = any();
        break;
      case 9:
        pair.contact->deepest = Vec3{any(), any(), any()};
        break;
      case 10:
        pair.intervals[0].from = any();
        break;
      case 11:
        pair.intervals[0].to = any();
        break;
      case 12:
        pair.intervals[0].atLeast = any();
        break;
      default:
        c.rest.set(anyNode(), at(any(), any(), any()));
    }
    CertificateCheckOptions options;
    options.piecesPerInterval = 2'000;
    CertificateCheck check;
    INFO("seed " << seed);
    REQUIRE_NOTHROW(check = sunk.checked(options));
    if (!check.isConfirmed()) continue;
    const CertifiedInterval& interval = pair.intervals[0];
    const ContactLimit& limit = *pair.contact;
    for (const double number : {c.clearance, *c.tolerance, c.certainUntil, pair.clearance, limit.tolerance,
                                limit.depth, limit.overlap, interval.from, interval.to, interval.atLeast})
      CHECK((number >= 0 && number <= 1e300));
    CHECK((pair.a == sunk.slider && pair.b == sunk.block));
    CHECK(interval.atLeast <= 0.05);
    CHECK(limit.overlap <= 1);
    CHECK(interval.to >= c.certainUntil);
  }
}

}  // namespace verify_certificate_tests
