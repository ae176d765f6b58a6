#include <fitup/motion/verify_certificate.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

#include <fitup/motion/track_poses.h>
#include <fitup/query/brute_force.h>
#include <fitup/query/penetration.h>

#include "certified_stage.h"
#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace random_certificate_tests {

using namespace fitup;
using namespace fitup::test;
using Stage = CertifiedStage;

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
  constexpr double numbers[] = {notANumber, infinite, -infinite, -1, 0, 1e-300, 1e300, 0.5, 4e9};
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
        c.rest.set(anyNode(), shift(any(), any(), any()));
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

}  // namespace random_certificate_tests
