#include <fitup/motion/verify_certificate.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/base/error.h>

#include "certified_stage.h"
#include "support/tiny_meshes.h"

namespace verify_certificate_tests {

using namespace fitup;
using namespace fitup::test;
using Stage = CertifiedStage;

namespace {

/// A unit cube that goes by another one at a distance of 2.
struct Passing : Stage {
  NodeId a, b;
  explicit Passing(double scale = 1) {
    a = add("a", box(scale, scale, scale), shift(-5 * scale, 0, 0));
    b = add("b", box(scale, scale, scale), shift(0, 3 * scale, 0));
    certificate.clearance = scale;
    move({"a"}, {{motionBy(0, 0, 0)}, {motionBy(4 * scale, 0, 0)}, {motionBy(10 * scale, 0, 0)}});
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
  faultOf([](C c, S) { c.pairs[0].intervals[7].atLeast = notANumber; }, "below the clearance");
  faultOf([](C c, S) { c.pairs[0].intervals[7].to = notANumber; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].intervals[7].from = -infinite; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].intervals[15].to = 3; }, "is none of the track");
  faultOf([](C c, S) { c.pairs[0].clearance = 0.5; }, "below that of the certificate");
  faultOf([](C c, S) { c.pairs[0].clearance = notANumber; }, "below that of the certificate");
  faultOf([](C c, S) { std::swap(c.pairs[0].a, c.pairs[0].b); }, "the second moves, and not the first");
  faultOf([](C c, S) { c.pairs[0].b = NodeId{4711}; }, "not both instances");
  faultOf([](C c, S s) { c.pairs[0].b = s.a; }, "not in relative motion");
  faultOf([](C c, S) { c.excluded.push_back({NodeId{0}, NodeId{99}}); }, "not both instances");
  faultOf([](C c, S s) { c.unknown.push_back({s.b, s.a}); }, "both leaves out and bounds");
  faultOf([](C c, S) { ++c.modelHash; }, "another model");
  faultOf([](C c, S) { c.track.modelHash = 1; }, "recorded on another model");
  faultOf([](C c, S) { c.certainUntil = 2.5; }, "the track ends at 2");
  faultOf([](C c, S) { c.certainUntil = notANumber; }, "certain until");
  faultOf([](C c, S) { c.clearance = -1; }, "clearance is negative");
  faultOf([](C c, S) { c.clearance = notANumber; }, "clearance is negative");
  faultOf([](C c, S) { c.tolerance = infinite; }, "tolerance is negative or not finite");
  faultOf([](C c, S) { c.rest.set(NodeId{77}, Transform{}); }, "no instance");
  faultOf([](C c, S s) { c.rest.set(s.b, shift(notANumber, 0, 0)); }, "not finite");
  faultOf([](C c, S) { c.track.steps.clear(); }, "no steps");
  faultOf(
      [](C c, S) {
        c.pairs[0].contact = ContactLimit{0, notANumber, 0, {}, true};
      },
      "negative or not finite");
  // Many faults are counted, and some listed.
  Passing many;
  many.certificate.pairs[0].intervals.assign(5000, {notANumber, notANumber, notANumber});
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
  moved.certificate.rest.set(moved.b, shift(0, 2.9, 0));
  CHECK_FALSE(moved.checked().refuted.empty());
  Passing away;
  away.certificate.rest.set(away.b, shift(0, 3.1, 0));
  CHECK(away.checked().isConfirmed());
}

TEST_CASE("a part that passes through another one refutes any distance", "[motion][certificate]") {
  Stage stage;
  const NodeId a = stage.add("a", box(1, 1, 1), shift(-5, 0, 0)),
               b = stage.add("b", box(0.01, 3, 3), shift(0, 0, 0));
  stage.move({"a"}, {{RigidMotion{}}, {motionBy(10, 0, 0)}});
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
  const NodeId rod = stage.add("rod", box(10, 1, 1), shift(5, 0, 0));
  const NodeId lid = stage.add("lid", sixSidedBox(40, 1, 4, 3), shift(0, std::hypot(10, 0.5) + 1.5, 0));
  for (const double degrees : {90.0, -450.0}) {
    stage.certificate.pairs.clear();
    stage.turn("rod", {{0, 0, 0}, {0, 0, 2}, degrees, 0});
    stage.pair(rod, lid, {{0, 1, 1}});
    const CertificateCheck check = stage.checked();
    INFO(degrees << "\n" << text(check));
    CHECK(check.isConfirmed());
    stage.certificate.pairs[0].intervals[0].atLeast = 1 + 1e-5;
    CHECK(stage.checked().refuted.size() == 1);
  }
}

TEST_CASE("a screw comes nearer by its advance, a straight way turns about its pivot",
          "[motion][certificate]") {
  Stage screw;
  const NodeId bar = screw.add("bar", box(10, 1, 1), shift(0, 0, 0)),
               lid = screw.add("lid", box(30, 30, 1), shift(0, 0, 8));
  screw.turn("bar", {{0, 0, 0}, {0, 0, 1}, 1000, 3});
  screw.pair(bar, lid, {{0, 0.5, 5.5}, {0.5, 1, 4}});
  const CertificateCheck check = screw.checked();
  INFO(text(check));
  CHECK(check.isConfirmed());
  screw.certificate.pairs[0].intervals[0].atLeast = 5.51;
  CHECK(screw.checked().refuted.size() == 1);

  // Half of a turn of 120 degrees about one end, while that end goes along x.
  Stage straight;
  const NodeId rod = straight.add("rod", box(10, 0.5, 0.5), shift(5, 0, 0));
  const NodeId wall = straight.add("wall", box(60, 1, 20), shift(0, std::hypot(10, 0.25) + 0.5 + 0.75, 0));
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
  const NodeId rod = stage.add("rod", box(10, 1, 1), shift(0, 0, 0)),
               far = stage.add("far", box(1, 1, 1), shift(0, 50, 0));
  stage.move({"rod"}, {{RigidMotion{}}, {RigidMotion{{0, 0, 1, 0}, {}}}});
  stage.pair(rod, far, {{0, 1, 1}});
  const CertificateCheck check = stage.checked();
  CHECK(check.uncheckedIntervals == 1);
  CHECK(check.unchecked[0].reason.find("half a turn") != std::string::npos);
}

TEST_CASE("groups that move against each other are a pair, those that move as one are not",
          "[motion][certificate]") {
  Stage stage;
  const NodeId a = stage.add("a", box(1, 1, 1), shift(-5, 0, 0)),
               b = stage.add("b", box(1, 1, 1), shift(5, 0, 0));
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {motionBy(3, 0, 0), motionBy(-2, 0, 0)}});
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
  stage.move({"a", "b"}, {{RigidMotion{}, RigidMotion{}}, {motionBy(3, 1, 0), motionBy(3, 1, 0)}});
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

TEST_CASE("far from the origin, what rounding hides is unchecked", "[motion][certificate]") {
  Stage stage;
  const double far = 1e9;
  const NodeId a = stage.add("a", box(1, 1, 1), shift(far - 5, 0, 0)),
               b = stage.add("b", box(1, 1, 1), shift(far, 3, 0));
  stage.move({"a"}, {{RigidMotion{}}, {motionBy(10, 0, 0)}});
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

}  // namespace verify_certificate_tests
