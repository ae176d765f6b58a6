#include <fitup/motion/verify_certificate.h>

#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <numbers>

#include "certified_stage.h"
#include "support/analytic_solids.h"
#include "support/tiny_meshes.h"

namespace verify_contact_certificate_tests {

using namespace fitup;
using namespace fitup::test;
using Stage = CertifiedStage;

namespace {

/// A box that slides on a plate, sunk into it.
struct Sliding : Stage {
  NodeId slider, plate;
  static constexpr double t = 0.01;
  explicit Sliding(double sunk = 0, double scale = 1, std::uint32_t cells = 1) {
    slider = add("slider", sixSidedBox(4 * scale, 4 * scale, 4 * scale, cells),
                 shift(-6 * scale, 0, (2 - sunk) * scale));
    plate = add("plate", sixSidedBox(30 * scale, 20 * scale, 3 * scale, cells), shift(0, 0, -1.5 * scale));
    certificate.tolerance = t * scale;
    move({"slider"}, {{RigidMotion{}}, {motionBy(12 * scale, scale, 0)}});
    pair(slider, plate, {{0, 0.5, (t - sunk) * scale}, {0.5, 1, (t - sunk) * scale}}).contact =
        ContactLimit{t * scale, t * scale, 0, {}, true};
  }
};

}  // namespace

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
  apart.certificate.rest.set(apart.plate, shift(0, 0, -1.6));
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
  lifted.move({"slider"}, {{RigidMotion{}}, {motionBy(0, 0, 2)}});
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
  const NodeId pin = stage.add("pin", cylinder(4.99, 12, segments), shift(0, 0, 0));
  const NodeId ring = stage.add("ring", tube(8, 5, 6, segments), shift(0, 0, 0));
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
  const NodeId pin = stage.add("pin", cylinder(4.99, 12, segments), shift(20, 0, 0));
  const NodeId ring = stage.add("ring", tube(8, 5, 6, segments), shift(20, 0, 0));
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
  const NodeId a = open.add("a", box(1, 1, 1), shift(0.2, 0.3, 0.5)),
               b = open.add("b", flatSheet(5, 5), shift(-2, -2, 0));
  open.certificate.tolerance = 0.01;
  open.move({"a"}, {{RigidMotion{}}, {motionBy(1, 0, 0)}});
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
  const NodeId a = stage.add("a", shells, shift(0, 0, 0)),
               b = stage.add("b", box(10, 10, 10), shift(0, 0, 0));
  stage.certificate.tolerance = 0.1;
  stage.move({"a"}, {{RigidMotion{}}, {motionBy(1, 0, 0)}});
  stage.pair(a, b, {{0, 1, 0}}).contact = ContactLimit{0.1, 0.1, 0, {}, true};
  const CertificateCheck check = stage.checked();
  REQUIRE(check.refuted.size() == 1);
  CHECK(check.refuted[0].isDepth);
  CHECK(check.refuted[0].measured > 3);
  // The same once the parts are claimed to be apart.
  stage.certificate.rest.set(b, shift(0, 0, -0.05));
  stage.certificate.pairs[0].intervals[0].atLeast = 0.13;
  const CertificateCheck apart = stage.checked();
  REQUIRE(apart.refuted.size() == 1);
  CHECK(apart.refuted[0].isDepth);
}

TEST_CASE("a core that is enclosed does not pass for contact", "[motion][certificate]") {
  // Two equal blocks in one place, one a trifle larger: no surface is deep in the other.
  Stage stage;
  const NodeId a = stage.add("a", box(10, 10, 10), shift(0, 0, 0)),
               b = stage.add("b", box(10.01, 10.01, 10.01), shift(0, 0, 0));
  stage.certificate.tolerance = 0.1;
  stage.move({"a"}, {{RigidMotion{}}, {motionBy(0, 0, 0.05)}});
  stage.pair(a, b, {{0, 1, 0}}).contact = ContactLimit{0.1, 0.1, 0, {}, true};
  CertificateCheckOptions options;
  options.piecesPerInterval = 100'000;
  CHECK_FALSE(stage.checked(options).isConfirmed());
}

}  // namespace verify_contact_certificate_tests
