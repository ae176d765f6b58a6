#include <catch2/catch.hpp>

#include <cmath>
#include <numbers>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/detail/rigid_path.h>
#include <fitup/motion/first_contact.h>
#include <fitup/motion/track_edit.h>
#include <fitup/motion/track_poses.h>
#include <fitup/motion/verify_replay.h>

#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace track_ways_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

/// Turns a point about an axis by Rodrigues' formula, and takes it along the axis.
Vec3 turned(const Vec3& p, const AxisTurn& turn, double s) {
  const Vec3 k = normalized(turn.direction), r = p - turn.point;
  const double angle = s * turn.degrees * std::numbers::pi / 180;
  return turn.point + r * std::cos(angle) + cross(k, r) * std::sin(angle) +
         k * (dot(k, r) * (1 - std::cos(angle)) + s * turn.advance);
}

AxisTurn randomTurn(Random& random, double degrees, double reach) {
  return {random.inCube(reach), random.inCube(2), random.between(-degrees, degrees),
          random.below(2) == 0 ? 0 : random.between(-5, 5)};
}

/// A track of one path in two steps, along a way.
Track along(const std::string& path, const StepWay& way, const RigidMotion& from = {},
            const RigidMotion& to = {}) {
  return {.unit = "mm",
          .moved = {path},
          .steps = {{from}, {way.turn ? way.turn->at(1) * from : to}},
          .ways = {{{}}, {way}}};
}

/// A part that moves, and others at rest.
struct Stage {
  Assembly assembly{"stage"};
  NodeId add(const std::string& name, const MeshPtr& mesh, const Transform& where) {
    return assembly.addNode(name, where, {}, assembly.addPart(mesh));
  }
  [[nodiscard]] Scene scene() const { return Scene(assembly, buildCollisionModels(assembly, {}, {}, 1)); }
  [[nodiscard]] FirstContactReport firstContactOf(const Track& track,
                                                  const FirstContactOptions& options = {}) const {
    return firstContact(scene(), {}, track, options);
  }
};

/// A crank along x that turns about z through the origin, and a post on the y axis, at radius 400.
Stage crank() {
  Stage stage;
  stage.add("crank", sixSidedBox(500, 10, 10), at(250, 0, 0));
  stage.add("post", sixSidedBox(1, 1, 50), at(0, 400, 0));
  return stage;
}

}  // namespace

TEST_CASE("a turn goes round its axis, any number of times and far from the origin", "[motion][ways]") {
  Random random(1);
  for (const double far : {0.0, 1e3, 1e7})
    for (int i = 0; i < 50; ++i) {
      AxisTurn turn = randomTurn(random, i % 5 == 0 ? 1e5 : 720, 10);
      const Vec3 away{far, -far / 3, far / 7}, p = turn.point + away + random.inCube(20);
      turn.point = turn.point + away;
      for (const double s : {0.0, 0.125, 0.5, 0.75, 1.0}) {
        INFO("case " << i << ", " << far << " away, at " << s);
        CHECK(norm(turn.at(s).transform().apply(p) - turned(p, turn, s)) <= 1e-9 + 1e-14 * far);
      }
    }
  CHECK(AxisTurn{{1, 2, 3}, {0, 0, 5}, 720, 0}.at(0.5).transform().apply({7, 8, 9}).x == Approx(7));
  CHECK_FALSE(AxisTurn{{}, {0, 0, 0}, 90, 0}.isValid());
  CHECK_FALSE(AxisTurn{{}, {0, 0, 1}, std::nan(""), 0}.isValid());
}

TEST_CASE("no point is faster than the bound on its speed, on any way", "[motion][ways][rigid-path]") {
  Random random(7);
  const MeshPtr mesh = sixSidedBox(2, 3, 5);
  for (const double degrees : {90.0, 720.0, 36000.0})
    for (const double far : {0.0, 1e7}) {
      double largest = 0;
      for (int i = 0; i < 100; ++i) {
        const Vec3 away{far, far / 2, -far};
        const Transform place = Transform::translation(away) * Transform::rigid(randomRotation(random), {});
        const RigidMotion from = motionAbout(away, randomRotation(random), random.inCube(5));
        StepWay way;
        if (i % 4 == 0) {
          way.pivot = away + random.inCube(10);
        } else {
          way.turn = randomTurn(random, degrees, 10);
          way.turn->point = way.turn->point + away;
        }
        const RigidMotion to =
            way.turn ? way.turn->at(1) * from : motionAbout(away, randomRotation(random), random.inCube(5));
        const RigidPath path(from, to, away, way);
        const auto corners = cornersInWorld(*mesh, place);
        const double bound = path.speedBound(corners), rounding = 1e-11 + 1e-14 * far;
        const Vec3 n = normalized(random.inCube(1));
        const double boundAlong = path.speedBoundAlong(n, corners);
        for (int k = 0; k < 40; ++k) {
          const double s = random.unit(), t = k % 2 == 0 ? random.unit() : s + 1e-3 * random.unit();
          const Vec3 p =
              place.apply({random.between(-1, 1), random.between(-1.5, 1.5), random.between(-2.5, 2.5)});
          const Vec3 between = path.at(s).transform().apply(p) - path.at(t).transform().apply(p);
          INFO("case " << i << ", up to " << degrees << " degrees, " << far << " away");
          REQUIRE(norm(between) <= bound * std::abs(s - t) + rounding);
          REQUIRE(std::abs(dot(n, between)) <= boundAlong * std::abs(s - t) + rounding);
          largest = std::max(largest, norm(between) / std::abs(s - t) / bound);
        }
        CHECK(path.gapAtEnd(corners) <= rounding);
      }
      CHECK(largest > (degrees > 720 ? 0.5 : 0.9));  // and the bound is not useless
    }
}

TEST_CASE("a crank that turns by more than half a turn hits what stands in its way", "[motion][ways]") {
  const Stage stage = crank();
  // The face of the crank reaches the post's corner (-0.5, 399.5) or (0.5, 399.5).
  const double r = std::hypot(0.5, 399.5);
  const double ahead = std::asin(5 / r) + std::asin(0.5 / r);
  const double hit = 90 - ahead * 180 / std::numbers::pi;
  for (const double degrees : {270.0, 350.0, 3690.0}) {
    const FirstContactReport report =
        stage.firstContactOf(along("crank", {AxisTurn{{0, 0, 7}, {0, 0, 1}, degrees, 0}, {}}));
    INFO(degrees);
    REQUIRE(report.contact);
    CHECK(report.contact->time * degrees == Approx(hit).epsilon(1e-4));
    CHECK(report.contact->time * degrees <= hit + 1e-6);
  }
  // The other way round it comes there after 270 degrees.
  CHECK_FALSE(stage.firstContactOf(along("crank", {AxisTurn{{}, {0, 0, 1}, -260, 0}, {}})).contact);
  const FirstContactReport back =
      stage.firstContactOf(along("crank", {AxisTurn{{}, {0, 0, -1}, 350, 0}, {}}));
  REQUIRE(back.contact);
  CHECK(back.contact->time * 350 == Approx(360 - 90 - ahead * 180 / std::numbers::pi).epsilon(1e-4));
  // A screw climbs out of the post's reach: 30 up in a quarter of a turn.
  CHECK(stage.firstContactOf(along("crank", {AxisTurn{{}, {0, 0, 1}, 180, 55}, {}})).contact);
  CHECK_FALSE(stage.firstContactOf(along("crank", {AxisTurn{{}, {0, 0, 1}, 180, 70}, {}})).contact);
}

TEST_CASE("a door goes about its hinge, not along the chord", "[motion][ways]") {
  Stage stage;
  stage.add("door", sixSidedBox(1000, 20, 2000), at(500, 0, 0));
  stage.add("post", sixSidedBox(1, 1, 1000), at(0, 700, 0));
  const RigidMotion open{axisAngle({0, 0, 1}, 179.9 * std::numbers::pi / 180), {}};
  Track track = along("door", {}, {}, open);
  CHECK_FALSE(stage.firstContactOf(track).contact);  // turns about its own centre
  const AmbiguousSteps found = ambiguousSteps(track);
  CHECK(found.count == 1);
  CHECK(found.step == 1);
  CHECK(found.degrees == Approx(179.9));
  REQUIRE(trackWarnings(track).size() == 1);
  CHECK(
      trackWarnings(track)[0].starts_with("step 1, 'door': the shortest turn from the step before is 179.9"));
  // About the hinge as a pivot, or with a turn about it.
  for (const StepWay& way : {StepWay{{}, Vec3{0, 0, 50}}, StepWay{AxisTurn{{}, {0, 0, 1}, 179.9, 0}, {}}}) {
    const Track about = along("door", way, {}, open);
    const FirstContactReport report = stage.firstContactOf(about);
    REQUIRE(report.contact);
    CHECK(report.contact->time == Approx(0.5).margin(0.01));
    CHECK(trackWarnings(about).size() == (way.turn ? 0U : 1U));
  }
}

TEST_CASE("first contact along seeded turns is never late", "[motion][ways][first-contact]") {
  int contacts = 0;
  constexpr int count = 150, samples = 80;
  for (int i = 0; i < count; ++i) {
    Random random(5000 + static_cast<std::uint64_t>(i));
    const MeshPtr shapes[] = {lShape(2, 1), icosphere(1, 1), sixSidedBox(3, 0.02, 2), cylinder(0.4, 4, 12)};
    const Vec3 away = i % 3 == 0 ? Vec3{4e4, -3e4, 1e4} : Vec3{};
    Stage stage;
    const NodeId moved = stage.add("moved", shapes[random.below(4)],
                                   at(away.x, away.y, away.z) * Transform::rigid(randomRotation(random), {}));
    const NodeId rest =
        stage.add("rest", shapes[random.below(4)],
                  at(away.x, away.y, away.z) * Transform::rigid(randomRotation(random), random.inCube(4)));
    AxisTurn turn = randomTurn(random, 800, 2);
    turn.point = turn.point + away;
    const RigidMotion from = motionAbout(away, randomRotation(random), random.inCube(3));
    FirstContactOptions options;
    options.resolution = 1e-3;
    const Scene scene = stage.scene();
    const FirstContactReport report = firstContact(scene, {}, along("moved", {turn, {}}, from), options);
    REQUIRE(report.status == ReportStatus::complete);
    const auto meets = [&](double s) {
      // By three points: the frame of the part at s.
      const Transform begun = from.transform() * stage.assembly.worldFromNode(moved);
      const Vec3 o = turned(begun.apply({}), turn, s);
      Transform placed = Transform::translation(o);
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 unit;
        unit[axis] = 1;
        const Vec3 column = turned(begun.apply(unit), turn, s) - o;
        for (std::size_t row = 0; row < 3; ++row)
          placed.m[row][static_cast<std::size_t>(axis)] = column[static_cast<int>(row)];
      }
      return intersect({borrowed(scene.modelOf(moved)), placed},
                       {borrowed(scene.modelOf(rest)), stage.assembly.worldFromNode(rest)})
          .intersects();
    };
    INFO("seed " << 5000 + i);
    const double until = report.contact ? report.contact->time : 1;
    for (int k = 0; k < samples && until > 0; ++k) REQUIRE_FALSE(meets(until * (k + 0.5) / samples));
    if (report.contact) {
      ++contacts;
      CHECK(report.contact->nearest.distance <= options.resolution);
    }
  }
  CHECK(contacts > count / 4);
  CHECK(contacts < count);
}

TEST_CASE("groups that turn alike, each about its own centre, move against each other", "[motion][ways]") {
  Stage stage;
  stage.add("a", sixSidedBox(1, 1, 1), at(-1.6, 0, 0));
  stage.add("b", sixSidedBox(1, 1, 1), at(1.6, 0, 0));
  const RigidMotion half{axisAngle({0, 0, 1}, 170 * std::numbers::pi / 180), {}};
  Track track{.moved = {"a", "b"}, .steps = {{{}, {}}, {half, half}}};
  // The centres approach each other along chords, the cubes turn: at the contact the nearest corner of one
  // meets the face of the other. Found by sampling.
  const auto apart = [&](double s) {
    const Scene scene = stage.scene();
    const NodeId a = stage.assembly.at("a"), b = stage.assembly.at("b");
    const auto placed = [&](NodeId node, const Vec3& centre) {
      return PosedModel{borrowed(scene.modelOf(node)),
                        interpolate({}, half, centre, s).transform() * stage.assembly.worldFromNode(node)};
    };
    return distance(placed(a, {-1.6, 0, 0}), placed(b, {1.6, 0, 0})).distance();
  };
  double clear = 0, hit = 0.5;
  REQUIRE(apart(hit) == 0);
  while (hit - clear > 1e-7) (apart((clear + hit) / 2) > 0 ? clear : hit) = (clear + hit) / 2;
  const FirstContactReport report = stage.firstContactOf(track);
  REQUIRE(report.contact);
  CHECK(report.contact->time == Approx(hit).margin(1e-4));
  CHECK(replay(stage.scene(), {}, track, {}).steps[0].interference.consideredPairs == 1);

  // About one centre, they are one rigid group, whatever says so.
  const AxisTurn turn{{0, 0, 9}, {0, 0, 2}, 170, 0};
  for (const std::vector<StepWay>& ways : {std::vector<StepWay>{{{}, Vec3{}}, {{}, Vec3{}}},
                                           {{turn, {}}, {turn, {}}},
                                           {{turn, {}}, {{}, Vec3{}}},
                                           {{{}, Vec3{0, 0, 3}}, {{}, Vec3{0, 0, -4}}}}) {
    track.ways = {{{}, {}}, ways};
    const FirstContactReport together = stage.firstContactOf(track);
    CHECK_FALSE(together.contact);
    CHECK(together.consideredPairs == 0);
    const ReplayReport replayed = replay(stage.scene(), {}, track, {});
    CHECK(replayed.steps[0].interference.consideredPairs == 0);
    CHECK(verifyReplay(stage.scene(), {}, track, {}, replayed).differences.empty());
  }
  // The same turn, once more around, or the other way round, is another motion.
  for (const double degrees : {530.0, -190.0}) {
    track.ways = {{{}, {}}, {{turn, {}}, {AxisTurn{{}, {0, 0, 1}, degrees, 0}, {}}}};
    track.steps[1] = {turn.at(1), turn.at(1)};
    const FirstContactReport other = stage.firstContactOf(track);
    CHECK(other.consideredPairs == 1);
    CHECK(other.contact);
  }
  // Where nothing turns, equal poses are one rigid motion.
  track.ways.clear();
  track.steps[1] = {RigidMotion{{}, {0, 9, 0}}, RigidMotion{{}, {0, 9, 0}}};
  CHECK(stage.firstContactOf(track).consideredPairs == 0);
}

TEST_CASE("the verification knows which groups move together by itself", "[motion][ways][verify]") {
  Stage stage;
  stage.add("a", sixSidedBox(1, 1, 1), at(0, 0, 0));
  stage.add("b", sixSidedBox(1, 1, 1), at(0.5, 0, 0));
  const RigidMotion turn{axisAngle({0, 0, 1}, 1), {}};
  const Track track{.moved = {"a", "b"}, .steps = {{{}, {}}, {turn, turn}}};
  ReplayReport report = replay(stage.scene(), {}, track, {});
  CHECK(report.steps[1].interference.intersects());
  CHECK(verifyReplay(stage.scene(), {}, track, {}, report).differences.empty());
  report.steps[1].interference.pairs.clear();
  CHECK(verifyReplay(stage.scene(), {}, track, {}, report).differences.size() == 1);
}

TEST_CASE("ways that do not lead to their poses are refused", "[motion][ways][resolve]") {
  const Stage stage = crank();
  const auto problem = [&](const Track& track) {
    return messageOf<InputError>([&] { (void)resolve(track, stage.assembly); });
  };
  const StepWay quarter{AxisTurn{{}, {0, 0, 1}, 90, 0}, {}};
  Track track = along("crank", quarter);
  CHECK(problem(track) == "nothing thrown");
  track.steps[1][0] = RigidMotion{axisAngle({0, 0, 1}, 1.5), {}};
  CHECK(problem(track) == "track '': step 1, 'crank': is not where its turn leads from the step before");
  track = along("crank", quarter);
  track.ways[0] = {quarter};
  CHECK(problem(track) == "track '': step 0, 'crank': has a turn, but no step before it");
  track = along("crank", quarter);
  track.ways[1][0].pivot = Vec3{};
  CHECK(problem(track) == "track '': step 1, 'crank': has a turn and a pivot");
  track = along("crank", quarter);
  track.ways[1][0].turn->direction = {};
  CHECK(problem(track) == "track '': step 1, 'crank': has a turn without an axis, or one that is not finite");
  track.ways.pop_back();
  CHECK(problem(track) == "track '': ways: 1 for 2 steps");
  track.ways.push_back({});
  CHECK(problem(track) == "track '': step 1: must have a pose and a way for each of 1 moved paths");
}

TEST_CASE("poses of a track at any time follow its ways", "[motion][ways]") {
  const Stage stage = crank();
  const AxisTurn turn{{0, 0, 7}, {0, 0, 1}, 270, 4};
  Track track = along("crank", {turn, {}});
  track.steps.push_back({RigidMotion{{}, {9, 8, 7}}});
  track.ways.push_back({{{}, Vec3{500, 0, 0}}});
  const TrackPoses poses(track, stage.assembly);
  CHECK(poses.groups().size() == 1);
  CHECK(poses.at(0) == track.steps[0]);
  CHECK(poses.at(1) == track.steps[1]);
  CHECK(poses.at(2) == track.steps[2]);
  const Vec3 tip{500, 0, 0};
  CHECK(norm(poses.at(0.5)[0].transform().apply(tip) - turned(tip, turn, 0.5)) < 1e-9);
  // The pivot goes straight.
  const Vec3 from = track.steps[1][0].transform().apply(tip), to = tip + Vec3{9, 8, 7};
  CHECK(norm(poses.at(1.25)[0].transform().apply(tip) - (from * 0.75 + to * 0.25)) < 1e-9);
  for (const double time : {-0.5, 2.01, std::nan("")}) CHECK_THROWS_AS(poses.at(time), InputError);
}

TEST_CASE("edits of a track keep its ways", "[motion][ways]") {
  const auto turnBy = [](double degrees) { return AxisTurn{{1, 2, 0}, {0, 0, 1}, degrees, degrees / 10}; };
  Track track{.moved = {"p"}, .steps = {{{}}}, .ways = {{{}}}};
  for (const double degrees : {90.0, 200.0, -30.0}) {
    track.steps.push_back({turnBy(degrees).at(1) * track.steps.back()[0]});
    track.ways.push_back({{turnBy(degrees), {}}});
  }
  requireWays(track, "track");

  const Track back = reversed(track);
  requireWays(back, "reversed");
  CHECK(back.ways[1][0].turn == turnBy(30));
  CHECK(back.ways[2][0].turn == turnBy(-200));
  CHECK(norm(back.steps[3][0].translation) < 1e-12);
  CHECK(reversed(back).ways == track.ways);

  const Track shorter = withStepRemoved(track, 2);
  requireWays(shorter, "removed");
  CHECK(shorter.ways[2][0].turn == turnBy(170));
  CHECK(withStepRemoved(track, 0).ways[0][0].turn == std::nullopt);
  requireWays(withStepRemoved(track, 0), "removed");
  CHECK(withStepRemoved(track, 3).ways == std::vector(track.ways.begin(), track.ways.begin() + 3));

  // A pose on the way divides the turn.
  for (const double share : {0.0, 0.25, 0.5, 0.95}) {
    const RigidMotion between = turnBy(200 * share).at(1) * track.steps[1][0];
    const Track divided = withStepInserted(track, 2, {between});
    requireWays(divided, "divided");
    REQUIRE(divided.ways[2][0].turn);
    REQUIRE(divided.ways[3][0].turn);
    CHECK(divided.ways[2][0].turn->degrees == Approx(200 * share).margin(1e-9));
    CHECK(divided.ways[2][0].turn->advance == Approx(20 * share).margin(1e-9));
    CHECK(divided.ways[3][0].turn->degrees == Approx(200 * (1 - share)));
    CHECK(divided.ways[4] == track.ways[3]);
  }
  Track many = along("p", {AxisTurn{{1, 2, 0}, {0, 0, 1}, -1000, -50}, {}});
  const RigidMotion late = AxisTurn{{1, 2, 0}, {0, 0, 1}, -800, -40}.at(1);
  many = withStepInserted(many, 1, {late});
  CHECK(many.ways[1][0].turn->degrees == Approx(-800));
  CHECK(many.ways[2][0].turn->degrees == Approx(-200));

  // A pose beside the way: neither turn can stay, but their centre does.
  const Track longer = withStepInserted(track, 2, {RigidMotion{{}, {5, 5, 5}}});
  requireWays(longer, "inserted");
  REQUIRE(longer.steps.size() == 5);
  for (const std::size_t k : {2, 3}) {
    CHECK_FALSE(longer.ways[k][0].turn);
    REQUIRE(longer.ways[k][0].pivot);
    CHECK(longer.ways[k][0].pivot->x == Approx(1));
    CHECK(longer.ways[k][0].pivot->y == Approx(2));
  }
  CHECK(longer.ways[4] == track.ways[3]);

  const Track moved = withStepMoved(track, 1, 3);
  requireWays(moved, "moved");
  CHECK(moved.ways.size() == 4);
  CHECK(moved.steps[3] == track.steps[1]);
}

}  // namespace track_ways_tests
