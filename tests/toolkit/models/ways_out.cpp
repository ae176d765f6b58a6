// Scenes for finding ways out: what is known of them is true.

#include <models/ways_out.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fitup/base/borrowed.h>
#include <fitup/base/error.h>
#include <fitup/motion/certify.h>
#include <fitup/motion/verify_certificate.h>
#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <fitup/query/self_intersection.h>
#include <fitup/scene/interference.h>
#include <models/model_list.h>
#include <models/random.h>
#include <catch2/catch.hpp>

#include "support/effort.h"

namespace ways_out_tests {

using namespace fitup;
using namespace fitup::models;

namespace {

struct Case {
  std::string name;
  GenerateOptions options{};
};

Case gapCase(const char* name, double gap) { return {name, {.gap = gap}}; }
Case playCase(const char* name, double play) { return {name, {.play = play}}; }

std::string textOf(const Case& c) {
  std::string text = c.name;
  if (c.options.gap) text += " gap " + std::to_string(*c.options.gap);
  if (c.options.play) text += " play " + std::to_string(*c.options.play);
  return c.options.locked ? text + " locked" : text;
}

/// Scenes with a known way.
std::vector<Case> openCases() {
  return {{"alpha"},
          gapCase("alpha", 1.2),
          gapCase("alpha", 1.1),
          gapCase("alpha", 1.01),
          gapCase("alpha", 2),
          {"bug-trap"},
          gapCase("bug-trap", 1.03),
          gapCase("bug-trap", 1.5),
          {"flange"},
          gapCase("flange", 1.08),
          gapCase("flange", 1.5),
          {"burr-3"},
          playCase("burr-3", 0.02),
          playCase("burr-3", 0.8),
          {"burr-6"},
          playCase("burr-6", 0.02),
          playCase("burr-6", 0.8),
          {"pump-cover"},
          playCase("pump-cover", 0.2),
          playCase("pump-cover", 1.5),
          {"peg"},
          playCase("peg", 0.02),
          playCase("peg", 5)};
}

/// Scenes without one.
std::vector<Case> closedCases() {
  return {gapCase("alpha", 0.05),       gapCase("alpha", 0.95),
          gapCase("alpha", 1),          {"ring"},
          {"burr-6", {.locked = true}}, {"burr-6", {.play = 0.8, .locked = true}}};
}

std::vector<Case> allCases() {
  std::vector<Case> cases = openCases();
  cases.push_back(playCase("peg", 0.004));
  for (const Case& c : closedCases()) cases.push_back(c);
  return cases;
}

/// How far a point is from what its surface is said to be.
double errorOf(const SurfaceDescription& d, const Vec3& point) {
  const Vec3 offset = point - d.point;
  const double along = dot(offset, d.axis), away = norm(offset - d.axis * along);
  switch (d.kind) {
    case SurfaceKind::plane:
      return std::abs(along);
    case SurfaceKind::cylinder:
      return std::abs(away - d.radius);
    case SurfaceKind::cone:
      return std::abs(away - d.radius - along * std::tan(d.halfAngle));
    case SurfaceKind::torus:
      return std::abs(std::hypot(away - d.radius, along) - d.secondRadius);
    default:
      return INFINITY;
  }
}

/// Like the known ways: one group goes on at each step.
struct Way {
  explicit Way(const Assembly& assembly, const std::vector<std::string>& moved) {
    track.moved = moved;
    track.modelHash = assembly.contentHash();
    track.steps.emplace_back(moved.size());
    track.ways.emplace_back(moved.size());
  }
  Way& shift(std::size_t group, const Vec3& by) {
    track.steps.push_back(std::vector<RigidMotion>(track.steps.back()));
    track.ways.emplace_back(track.moved.size());
    Vec3& translation = track.steps.back()[group].translation;
    translation = translation + by;
    return *this;
  }
  Way& turn(std::size_t group, const AxisTurn& turn) {
    shift(group, {});
    track.steps.back()[group] = turn.at(1) * track.steps.back()[group];
    track.ways.back()[group].turn = turn;
    return *this;
  }
  Track track;
};

/// Any contact breaks the limit: no pair is within this tolerance at the start.
CertifyOptions free() {
  CertifyOptions options;
  options.tolerance = 1e-4;
  return options;
}

CertifyAnswer answerOn(const WayOutScene& scene, const Track& track) {
  return certify(Scene(scene.assembly), {}, track, free()).answer();
}

/// The first event of a motion that is not free of contact; the test fails if there is none.
MotionContact firstViolation(const WayOutScene& scene, const Track& track) {
  const CertifyReport report = certify(Scene(scene.assembly), {}, track, free());
  REQUIRE(report.answer() == CertifyAnswer::violated);
  return *report.violation;
}

/// The only moved part, shifted straight.
CertifyAnswer shifted(const WayOutScene& scene, const std::string& path, const Vec3& by) {
  return answerOn(scene, Way(scene.assembly, {path}).shift(0, by).track);
}

}  // namespace

TEST_CASE("parts of the scenes for ways out are closed, oriented and described", "[models]") {
  for (const Case& c : allCases()) {
    INFO(textOf(c));
    const Scene scene(generate(c.name, c.options));
    const Assembly& assembly = scene.assembly();
    CHECK(assembly.unit() == "mm");
    std::size_t triangles = 0;
    for (const NodeId node : assembly.instances()) {
      const TriangleMesh& mesh = assembly.meshOf(node);
      INFO(assembly.path(node));
      triangles += mesh.triangleCount();
      CHECK(mesh.validation().degenerateTriangles == 0);
      CHECK(selfIntersections(scene.solidOf(node)).empty());
      std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
      std::size_t repeated = 0, open = 0;
      double volume = 0, worst = 0;
      for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
        const TriangleIndices& t = mesh.triangles()[i];
        for (std::size_t k = 0; k < 3; ++k) repeated += !edges.emplace(t[k], t[(k + 1) % 3]).second;
        const Vec3 a = mesh.pointInPart(t[0]), b = mesh.pointInPart(t[1]), d = mesh.pointInPart(t[2]);
        volume += dot(a, cross(b, d)) / 6;
        const auto& description = mesh.surfaces()[index(mesh.surfaceOf(TriangleId{i}))].description;
        REQUIRE(description.has_value());
        for (const Vec3& p : {a, b, d}) worst = std::max(worst, errorOf(*description, p));
        if (description->kind == SurfaceKind::plane)
          CHECK(dot(normalized(cross(b - a, d - a)), description->axis) > 0.999);
      }
      for (const auto& [from, to] : edges) open += edges.count({to, from}) == 0;
      CHECK(repeated == 0);
      CHECK(open == 0);
      CHECK(volume > 0);
      CHECK(worst < 0.002);  // two steps of the grid of coordinates
    }
    CHECK(triangles >= 300);
    CHECK(triangles <= 10'000);
  }
}

TEST_CASE("parts of the scenes for ways out keep clear of each other at the start", "[models]") {
  for (const Case& c : allCases()) {
    INFO(textOf(c));
    const Scene scene(generate(c.name, c.options));
    const InterferenceReport report = checkAllPairs(scene);
    CHECK(report.status == ReportStatus::complete);
    CHECK_FALSE(report.intersects());
    const std::vector<NodeId> nodes = scene.assembly().instances();
    for (const NodeId a : nodes)
      for (const NodeId b : nodes) {
        if (index(a) >= index(b)) continue;
        const double d = distance({borrowed(scene.modelOf(a)), scene.assembly().worldFromNode(a)},
                                  {borrowed(scene.modelOf(b)), scene.assembly().worldFromNode(b)})
                             .distance();
        // Peg: half the play, less the rounding of coordinates.
        const double play = c.options.play.value_or(c.name == "peg" ? 0.005 : 0.2);
        CHECK(d > (c.name == "peg" ? 0.99 * play / 2 - 0.0015 : std::min(0.09, 0.9 * play)));
      }
  }
}

TEST_CASE("the known ways out are free of contact, and certificates of them are confirmed", "[models]") {
  for (const Case& c : openCases()) {
    INFO(textOf(c));
    const Assembly assembly = generate(c.name, c.options);
    const std::optional<Track> way = recordedTrack(c.name, assembly, c.options);
    REQUIRE(way.has_value());
    CHECK(way->modelHash == assembly.contentHash());
    REQUIRE_NOTHROW(requireWays(*way, c.name));
    CHECK(way->steps.front() == std::vector<RigidMotion>(way->moved.size()));
    const Scene scene(assembly);
    const CertifyReport report = certify(scene, {}, *way, free());
    REQUIRE(report.answer() == CertifyAnswer::certain);
    for (const CertifiedPair& pair : report.certificate.pairs) CHECK_FALSE(pair.contact.has_value());
    // In the end, no box of a part meets that of another one.
    std::map<NodeId, Box> boxes;
    for (const NodeId node : assembly.instances()) boxes[node] = assembly.worldBounds(node);
    for (std::size_t i = 0; i < way->moved.size(); ++i) {
      const NodeId node = assembly.at(way->moved[i]);
      const Transform placed = way->steps.back()[i].transform() * assembly.worldFromNode(node);
      Box box;
      const TriangleMesh& mesh = assembly.meshOf(node);
      for (std::uint32_t p = 0; p < mesh.points().size(); ++p) box.extend(placed.apply(mesh.pointInPart(p)));
      boxes[node] = box;
    }
    for (const auto& [a, boxA] : boxes)
      for (const auto& [b, boxB] : boxes) {
        const bool apart = boxA.max.x < boxB.min.x || boxB.max.x < boxA.min.x || boxA.max.y < boxB.min.y ||
                           boxB.max.y < boxA.min.y || boxA.max.z < boxB.min.z || boxB.max.z < boxA.min.z;
        CHECK((a == b || apart));
      }
    // What the checker confirms in a short time: much, but not where parts slide with little to spare.
    if (c.options.gap || c.options.play) continue;
    CertificateCheckOptions check;
    check.piecesPerInterval = 200'000;
    const CertificateCheck checked = verifyCertificate(scene, report.certificate, check);
    CHECK(checked.refutedIntervals == 0);
    CHECK(checked.faultCount == 0);
    CHECK(checked.confirmedIntervals > 0);
  }
}

TEST_CASE("scenes that are not known to come apart have no way", "[models]") {
  for (const Case& c : closedCases()) {
    INFO(textOf(c));
    CHECK_FALSE(recordedTrack(c.name, generate(c.name, c.options), c.options).has_value());
  }
}

TEST_CASE("the scenes for ways out are the same on every machine", "[models]") {
  const std::map<std::string, std::uint64_t> hashes{
      {"alpha", 0x89a221fbb99a6986ULL},      {"bug-trap", 0x61a83502d5bf478eULL},
      {"flange", 0xab4cff36831c06b2ULL},     {"ring", 0x8548e49fe9666437ULL},
      {"burr-3", 0x310d3e815de886bbULL},     {"burr-6", 0xe657c09b7d766565ULL},
      {"pump-cover", 0x2fe2a3591bd2760eULL}, {"peg", 0x97484fab9ee81d16ULL}};
  for (const auto& [name, hash] : hashes) {
    INFO(name);
    CHECK(generate(name).contentHash() == hash);
    CHECK(generate(name).contentHash() == generate(name).contentHash());
  }
  CHECK(hashes.size() == 8);
}

TEST_CASE("options of the scenes for ways out have bounds", "[models]") {
  const double nan = std::nan("");
  for (const double gap : {0.0, -1.0, 2.1, nan}) CHECK_THROWS_AS(makeAlpha(gap), InputError);
  for (const double gap : {1.0, 0.5, 1.6, nan}) CHECK_THROWS_AS(makeBugTrap(gap), InputError);
  for (const double gap : {1.07, 0.5, 1.6, nan}) CHECK_THROWS_AS(makeFlange(gap), InputError);
  for (const double play : {0.0, 0.01, 0.9, nan}) {
    CHECK_THROWS_AS(makeBurr3(play), InputError);
    CHECK_THROWS_AS(makeBurr6(play), InputError);
  }
  for (const double play : {0.1, 1.6, nan}) CHECK_THROWS_AS(makePumpCover(play), InputError);
  for (const double play : {0.003, 5.1, nan}) CHECK_THROWS_AS(makePeg(play), InputError);
  CHECK_THROWS_WITH(makeFlange(1), Catch::Contains("gap 1") && Catch::Contains("at least 1.08"));
}

TEST_CASE("the moved link of the alpha pair does not come out without its turn or through less room",
          "[models]") {
  const WayOutScene scene = makeAlpha(1.5);
  Random random(11);
  for (int i = 0; i < 50; ++i)
    CHECK(shifted(scene, "alpha/moved", random.direction() * 400) == CertifyAnswer::violated);
  // The known way without its turn, or with a turn that is 30 degrees short, hits.
  const Vec3 align{0, -6, 5};
  CHECK(answerOn(scene, Way(scene.assembly, {"alpha/moved"}).shift(0, align).shift(0, {-341, 0, 0}).track) ==
        CertifyAnswer::violated);
  const AxisTurn less{{}, {1, 0, 0}, -15, 0};
  CHECK(
      answerOn(
          scene,
          Way(scene.assembly, {"alpha/moved"}).shift(0, align).turn(0, less).shift(0, {-341, 0, 0}).track) ==
      CertifyAnswer::violated);
  // The way of a wide opening, through one that is narrower than the tube.
  const WayOutScene narrow = makeAlpha(0.95);
  Track track = *scene.way;
  track.modelHash = narrow.assembly.contentHash();
  const MotionContact contact = firstViolation(narrow, track);
  CHECK(contact.time > 3);
}

TEST_CASE("links whose opening is narrower than the tube overlap wherever the opening is crossed",
          "[models]") {
  // The argument of `alpha.cpp`, on samples: one point of the opening of a link lies on the closed centre
  // line of the other, at any angle.
  const auto overlapping = [](double gap, int samples) {
    const WayOutScene alpha = makeAlpha(gap);
    const Scene scene(alpha.assembly);
    const CollisionModel& link = scene.modelOf(alpha.assembly.at("alpha/fixed"));
    constexpr double reach = 55, bend = 15, diameter = 10;
    const double half = gap * diameter / 2, straight = half + 18;
    Random random(5);
    int count = 0;
    for (int i = 0; i < samples; ++i) {
      const Vec3 crossed{-reach, random.between(-half, half), 0};
      Vec3 own{-reach, random.between(-half, half), 0};
      const double share = random.unit();
      if (share < 0.3) own.y = (random.unit() < 0.5 ? 1 : -1) * (half + random.between(0, 18));
      if (share < 0.2) own = {random.between(-reach + bend, reach - bend), straight + bend, 0};
      if (share < 0.15) own = {reach, random.between(-straight, straight), 0};
      if (share < 0.1) {
        const double angle = random.between(0, 1.5707963);
        own = {reach - bend + bend * std::cos(angle), straight + bend * std::sin(angle), 0};
      }
      const Transform turned = Transform::rotation(random.rotation());
      Transform placed = turned;
      placed.t = crossed - turned.apply(own);
      const PosedModel fixed{borrowed(link), {}}, other{borrowed(link), placed};
      count += intersect(fixed, other, {.mode = QueryMode::firstSurfacePair}).intersects();
    }
    return count;
  };
  const int samples = test::effort(4000, 200'000);
  CHECK(overlapping(0.95, samples) == samples);
  CHECK(overlapping(0.5, samples / 4) == samples / 4);
  CHECK(overlapping(2, samples / 4) < samples / 4);  // else the samples would show nothing
}

TEST_CASE("the rod of the bug trap comes out upright and through the pipe only", "[models]") {
  const WayOutScene scene = makeBugTrap();
  for (int axis = 0; axis < 3; ++axis)
    for (const double length : {200.0, -200.0}) {
      Vec3 by;
      by[axis] = length;
      CAPTURE(axis, length);
      CHECK(shifted(scene, "bug-trap/moved", by) == CertifyAnswer::violated);
    }
  // On its side, it does not enter the pipe.
  const Track aside = Way(scene.assembly, {"bug-trap/moved"})
                          .shift(0, {0, 0, -35.5})
                          .shift(0, {-36, 0, 0})
                          .shift(0, {0, 0, 105.5})
                          .track;
  const MotionContact contact = firstViolation(scene, aside);
  CHECK(contact.time > 2);
}

TEST_CASE("the ring of the flange comes off around the bend only", "[models]") {
  const WayOutScene scene = makeFlange();
  for (int axis = 0; axis < 3; ++axis)
    for (const double length : {200.0, -200.0}) {
      Vec3 by;
      by[axis] = length;
      CAPTURE(axis, length);
      CHECK(shifted(scene, "flange/moved", by) == CertifyAnswer::violated);
    }
  // A bend about an axis that is off by a tenth of its radius is not that of the pipe.
  Way way(scene.assembly, {"flange/moved"});
  way.shift(0, {42, 0, 0}).turn(0, {{72, 36, 0}, {0, 0, 1}, 90, 0});
  CHECK(answerOn(scene, way.track) == CertifyAnswer::violated);
}

TEST_CASE("the ring turns on its loop and does not come off straight", "[models]") {
  const WayOutScene scene = makeRingOnLoop();
  CHECK(answerOn(scene, Way(scene.assembly, {"ring/moved"}).turn(0, {{}, {0, 0, 1}, 360, 0}).track) ==
        CertifyAnswer::certain);
  Random random(3);
  for (int i = 0; i < 20; ++i)
    CHECK(shifted(scene, "ring/moved", random.direction() * 200) == CertifyAnswer::violated);
}

TEST_CASE("the pump comes apart in its order only", "[models]") {
  const WayOutScene scene = makePumpCover();
  for (int screw = 1; screw <= 4; ++screw)
    CHECK(shifted(scene, "pump-cover/screw-" + std::to_string(screw), {0, 0, 200}) == CertifyAnswer::certain);
  for (const Vec3& by : {Vec3{0, 0, 100}, {100, 0, 0}, {0, 100, 0}})
    CHECK(shifted(scene, "pump-cover/cover", by) == CertifyAnswer::violated);
  for (const Vec3& by : {Vec3{0, 0, 50}, {0, 0, -50}, {100, 0, 0}, {0, 100, 0}})
    CHECK(shifted(scene, "pump-cover/rotor", by) == CertifyAnswer::violated);
  // One screw that stays holds the cover.
  for (std::size_t stays = 0; stays < 4; ++stays) {
    Track track = *scene.way;
    for (std::vector<RigidMotion>& step : track.steps) step[stays] = {};
    const MotionContact contact = firstViolation(scene, track);
    CHECK(contact.time > 4);
    CHECK(contact.time < 5);
  }
  // Screws do not come out at an angle.
  CHECK(shifted(scene, "pump-cover/screw-1", {40, 0, 200}) == CertifyAnswer::violated);
}

TEST_CASE("the peg comes out straight only", "[models]") {
  const WayOutScene scene = makePeg();
  CHECK(shifted(scene, "peg/moved", {0, 0, 50}) == CertifyAnswer::certain);
  CHECK(shifted(scene, "peg/moved", {0, 0, -50}) == CertifyAnswer::certain);
  for (const Vec3& by : {Vec3{0.01, 0, 0}, {0, -0.01, 0}, {0.01, 0, 50}})
    CHECK(shifted(scene, "peg/moved", by) == CertifyAnswer::violated);
  for (const Vec3& axis : {Vec3{1, 0, 0}, {0, 0, 1}}) {
    const double degrees = axis.z > 0 ? 3 : 0.05;  // about its own axis, the facets of 7.5 degrees meet
    const Track track = Way(scene.assembly, {"peg/moved"}).turn(0, {{0, 0, 15}, axis, degrees, 0}).track;
    CHECK(answerOn(scene, track) == CertifyAnswer::violated);
  }
}

}  // namespace ways_out_tests
