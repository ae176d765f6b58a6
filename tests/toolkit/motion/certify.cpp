#include <fitup/motion/certify.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <numbers>
#include <stop_token>

#include <fitup/base/error.h>
#include <fitup/geometry/distance_point_triangle.h>
#include <fitup/geometry/distance_triangle_triangle.h>
#include <fitup/motion/verify_certificate.h>

#include "support/analytic_solids.h"
#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace certify_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Poses between steps from the definition of a way (docs/reference/track.md), by Rodrigues' formula.
struct Oracle {
  const Scene& scene;
  const Track& track;

  static Vec3 turned(const Vec3& r, const Vec3& axis, double angle) {
    return r * std::cos(angle) + cross(axis, r) * std::sin(angle) +
           axis * (dot(axis, r) * (1 - std::cos(angle)));
  }

  /// Where a point of the design placement of moved[i] is at a time.
  [[nodiscard]] Vec3 moved(std::size_t i, const Vec3& centre, const Vec3& p, double time) const {
    const auto k = std::min(static_cast<std::size_t>(time), track.steps.size() - 1);
    const RigidMotion& from = track.steps[k][i];
    const double s = time - static_cast<double>(k);
    const Vec3 now = from.transform().apply(p);
    if (s == 0 || k + 1 == track.steps.size()) return now;
    const RigidMotion& to = track.steps[k + 1][i];
    const StepWay way = track.wayTo(k + 1, i);
    if (way.turn) {
      const Vec3 axis = normalized(way.turn->direction);
      return way.turn->point +
             turned(now - way.turn->point, axis, s * way.turn->degrees * std::numbers::pi / 180) +
             (s * way.turn->advance) * axis;
    }
    const Vec3 c = way.pivot.value_or(centre);
    const Vec3 at = from.transform().apply(c), end = to.transform().apply(c);
    const Quaternion q =
        to.rotation * Quaternion{-from.rotation.x, -from.rotation.y, -from.rotation.z, from.rotation.w};
    const Vec3 v = (q.w < 0 ? -1.0 : 1.0) * Vec3{q.x, q.y, q.z};
    const double angle = 2 * std::atan2(norm(v), std::abs(q.w));
    const Vec3 axis = norm(v) > 0 ? normalized(v) : Vec3{0, 0, 1};
    return at + s * (end - at) + turned(now - at, axis, s * angle);
  }

  /// The triangles of an instance in the world at a time.
  [[nodiscard]] std::vector<Triangle> at(NodeId instance, double time) const {
    const Assembly& assembly = scene.assembly();
    const TriangleMesh& mesh = assembly.meshOf(instance);
    const Transform placed = assembly.worldFromNode(instance);
    const auto group = std::ranges::find(track.moved, assembly.path(instance));
    Box box = assembly.worldBounds(instance);
    std::vector<Triangle> triangles;
    for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
      Triangle t = mesh.triangle(TriangleId{i});
      for (Vec3& p : t.v) {
        p = placed.apply(mesh.origin() + p);
        if (group != track.moved.end())
          p = moved(static_cast<std::size_t>(group - track.moved.begin()), box.centre(), p, time);
      }
      triangles.push_back(t);
    }
    return triangles;
  }
};

double leastDistance(const std::vector<Triangle>& a, const std::vector<Triangle>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Triangle& s : a)
    for (const Triangle& t : b) least = std::min(least, distanceTriangleTriangle(s, t).distance);
  return least;
}

/// A lower bound of how deep points of one surface are in the other body, from its samples.
double sampledDepth(const std::vector<Triangle>& a, const std::vector<Triangle>& b, Random& random,
                    int samples) {
  double deepest = 0;
  for (int k = 0; k < samples; ++k) {
    const Triangle& t = a[random.below(static_cast<std::uint32_t>(a.size()))];
    double u = random.unit(), v = random.unit();
    if (k % 3 == 0) u = v = 0;  // corners are deepest most often
    if (u + v > 1) u = 1 - u, v = 1 - v;
    const Vec3 p = t.v[0] + u * (t.v[1] - t.v[0]) + v * (t.v[2] - t.v[0]);
    double angle = 0, near = std::numeric_limits<double>::infinity();
    for (const Triangle& other : b) {
      const Vec3 x = other.v[0] - p, y = other.v[1] - p, z = other.v[2] - p;
      near = std::min(near, distancePointTriangle(p, other).distance);
      if (near <= deepest) break;
      // The solid angle of a triangle (Van Oosterom and Strackee, 1983).
      const double l = norm(x), m = norm(y), n = norm(z);
      angle += 2 * std::atan2(dot(x, cross(y, z)), l * m * n + dot(x, y) * n + dot(y, z) * l + dot(z, x) * m);
    }
    if (near > deepest && std::abs(angle) > 2 * std::numbers::pi) deepest = near;
  }
  return deepest;
}

/// Everything that a certificate claims, against samples of the motion. Returns the number of samples.
std::size_t checkClaims(const Scene& scene, const Track& track, const CertifyReport& report, Random& random) {
  const Oracle oracle{scene, track};
  const Certificate& certificate = report.certificate;
  std::size_t samples = 0;
  for (const CertifiedPair& pair : certificate.pairs) {
    if (certificate.certainUntil == 0) continue;  // nothing is claimed
    REQUIRE(!pair.intervals.empty());
    REQUIRE(pair.intervals.front().from == 0);
    REQUIRE(pair.intervals.back().to >= certificate.certainUntil);
    for (std::size_t i = 0; i < pair.intervals.size(); ++i) {
      const CertifiedInterval& interval = pair.intervals[i];
      REQUIRE(interval.from <= interval.to);
      if (i > 0) REQUIRE(interval.from == pair.intervals[i - 1].to);
      if (pair.contact)
        REQUIRE(interval.atLeast >= 0);
      else
        REQUIRE(interval.atLeast > pair.clearance);
      const int count = pair.intervals.size() > 20 ? 2 : 9;
      for (int k = 0; k <= count; ++k) {
        const double time = interval.from + (interval.to - interval.from) * k / count;
        const std::vector<Triangle> a = oracle.at(pair.a, time), b = oracle.at(pair.b, time);
        INFO("time " << time << " of [" << interval.from << ", " << interval.to << "]");
        ++samples;
        if (!pair.contact) {
          REQUIRE(leastDistance(a, b) >= interval.atLeast - 1e-9);
          continue;
        }
        double q = std::max(sampledDepth(a, b, random, 30), sampledDepth(b, a, random, 30));
        if (q == 0) q = -leastDistance(a, b);
        REQUIRE(q <= pair.contact->depth - interval.atLeast + 1e-9);
      }
    }
  }
  if (report.violation && report.violation->event == MotionEvent::contact) {
    const MotionContact& found = *report.violation;
    REQUIRE(leastDistance(oracle.at(found.a, found.time), oracle.at(found.b, found.time)) <=
            found.clearance + report.resolution + 1e-9);
  }
  return samples;
}

AxisTurn randomTurn(Random& random) {
  return {random.inCube(3), random.inCube(2) + Vec3{0, 0, 3}, random.between(-400, 400),
          random.below(2) == 0 ? 0 : random.between(-2, 2)};
}

Track randomTrack(Random& random, const std::vector<std::string>& moved,
                  const std::vector<RigidMotion>& start, double reach) {
  Track track{.moved = moved, .steps = {start}, .ways = {std::vector<StepWay>(moved.size())}};
  const std::uint32_t steps = random.below(3);
  for (std::uint32_t k = 0; k <= steps; ++k) {
    std::vector<RigidMotion> next;
    std::vector<StepWay> ways;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const RigidMotion& from = track.steps.back()[i];
      StepWay way;
      switch (random.below(4)) {
        case 0:
          way.turn = randomTurn(random);
          next.push_back(way.turn->at(1) * from);
          break;
        case 1:
          way.pivot = random.inCube(2);
          [[fallthrough]];
        default: {
          const Quaternion turn =
              random.below(2) == 0 ? Quaternion{}
                                   : axisAngle(random.inCube(1) + Vec3{0, 0, 2}, random.between(-1.5, 1.5));
          next.push_back(RigidMotion{turn, random.inCube(reach)} * from);
        }
      }
      ways.push_back(way);
    }
    track.steps.push_back(next);
    track.ways.push_back(ways);
  }
  return track;
}

/// A seeded scene, a motion through it, and what is asked of it.
struct SeededMotion {
  Assembly assembly{"motions"};
  Track track;
  CertifyOptions options;

  /// All lengths times `scale`.
  explicit SeededMotion(std::uint64_t seed, double scale = 1) {
    Random random(seed);
    static const std::vector<MeshPtr> shapes{lShape(2, 1),           icosphere(0.8, 1),
                                             sixSidedBox(2, 1.5, 1), cylinder(0.4, 2.5, 9),
                                             tetrahedron(1.5),       sixSidedBox(2, 0.1, 2)};
    const std::size_t parts = 2 + random.below(3), groups = random.below(4) == 0 ? 2 : 1;
    std::vector<std::string> moved;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::string name = "part" + std::to_string(i);
      // Every other scene is of parts that stand square, so that some slide along each other.
      const Vec3 where = random.inCube(3.5);
      Transform place =
          seed % 2 == 0
              ? Transform::rigid(randomRotation(random), where)
              : Transform::translation({std::round(where.x), std::round(where.y), std::round(where.z)});
      place.t = scale * place.t;
      const MeshPtr mesh = transformed(shapes[random.below(6)], Transform::scaling(scale, scale, scale));
      assembly.addNode(name, place, {}, assembly.addPart(mesh));
      if (i < groups) moved.push_back(name);
    }
    track = randomTrack(random, moved, std::vector<RigidMotion>(groups), random.between(0.5, 4));
    for (auto& step : track.steps)
      for (RigidMotion& pose : step) pose.translation = scale * pose.translation;
    for (auto& ways : track.ways)
      for (StepWay& way : ways) {
        if (way.pivot) way.pivot = scale * *way.pivot;
        if (way.turn) way.turn->point = scale * way.turn->point, way.turn->advance *= scale;
      }
    options.clearance = random.below(3) == 0 ? scale * random.between(0, 0.3) : 0;
    options.tolerance = scale * random.between(0.02, 0.3);
    options.resolution = scale * random.between(1e-3, 1e-2);
  }
};

struct Tried {
  int certain = 0, violated = 0, contacts = 0;
  std::size_t samples = 0, confirmed = 0, unchecked = 0;
};

void tryMotion(std::uint64_t seed, Tried& tried) {
  INFO("seed " << seed);
  Random random(seed + 1);
  const SeededMotion motion(seed);
  const Scene scene(motion.assembly);
  const CertifyReport report = certify(scene, {}, motion.track, motion.options);
  REQUIRE(report.status == ReportStatus::complete);
  (report.answer() == CertifyAnswer::certain ? tried.certain : tried.violated)++;
  for (const CertifiedPair& pair : report.certificate.pairs) tried.contacts += pair.contact ? 1 : 0;
  tried.samples += checkClaims(scene, motion.track, report, random);
  // The checker, which shares no search with the program that certifies, refutes nothing.
  CertificateCheckOptions options;
  options.piecesPerInterval = 20'000;
  const CertificateCheck check = verifyCertificate(scene, report.certificate, options);
  INFO((check.faults.empty() ? "" : check.faults.front()));
  INFO((check.refuted.empty() ? "" : check.refuted.front().problem));
  REQUIRE(check.faultCount == 0);
  REQUIRE(check.refutedIntervals == 0);
  tried.confirmed += check.confirmedIntervals;
  tried.unchecked += check.uncheckedIntervals;
}

/// Two certificates of one motion that should agree: their answers differ only where a pair comes as near to
/// its limit as the resolution.
void checkAlike(const SeededMotion& motion, const CertifyReport& one, const CertifyReport& other,
                double timeScale, double offset = 0) {
  const double end = one.certificate.certainUntil,
               otherEnd = offset + timeScale * other.certificate.certainUntil;
  if (std::abs(end - otherEnd) < 1e-6) return;
  // The earlier one ended at a near miss, or just before what ends the later one.
  const CertifyReport& earlier = end < otherEnd ? one : other;
  REQUIRE(earlier.violation);
  const MotionContact& found = *earlier.violation;
  if (found.event != MotionEvent::contact) {
    REQUIRE(std::abs(end - otherEnd) < 0.3);
    return;
  }
  const Scene scene(motion.assembly);
  const Oracle oracle{scene, motion.track};
  const double distance =
      leastDistance(oracle.at(found.a, std::min(end, otherEnd)), oracle.at(found.b, std::min(end, otherEnd)));
  REQUIRE(distance > found.clearance - 1e-9);
}

}  // namespace

TEST_CASE("what is certified of seeded motions holds at every sample", "[certify]") {
  Tried tried;
  const std::uint64_t count = effort(400, 10'000);
  for (std::uint64_t seed = 0; seed < count; ++seed) tryMotion(7'000'000 + seed, tried);
  CHECK(tried.certain > static_cast<int>(count / 10));
  CHECK(tried.violated > static_cast<int>(count / 10));
  CHECK(tried.contacts > static_cast<int>(count / 20));
  CHECK(tried.samples > 10 * count);
  CHECK(tried.confirmed > 20 * tried.unchecked);
}

TEST_CASE("a certificate does not depend on the unit of length", "[certify]") {
  for (std::uint64_t seed = 7'100'000; seed < 7'100'000 + effort(60, 1000); ++seed) {
    INFO("seed " << seed);
    const SeededMotion motion(seed), large(seed, 1024);
    const CertifyReport one = certify(Scene(motion.assembly), {}, motion.track, motion.options);
    const CertifyReport other = certify(Scene(large.assembly), {}, large.track, large.options);
    // Powers of two scale all numbers exactly.
    REQUIRE(one.answer() == other.answer());
    REQUIRE(one.certificate.certainUntil == Approx(other.certificate.certainUntil).margin(1e-6));
    REQUIRE(one.certificate.pairs.size() == other.certificate.pairs.size());
  }
}

TEST_CASE("a motion that is cut into more steps is certified alike", "[certify]") {
  for (std::uint64_t seed = 7'200'000; seed < 7'200'000 + effort(60, 1000); ++seed) {
    INFO("seed " << seed);
    SeededMotion motion(seed);
    // Only straight ways without a turn are the same when they are cut: the centre of others is the box's.
    for (std::size_t k = 1; k < motion.track.steps.size(); ++k)
      for (std::size_t i = 0; i < motion.track.moved.size(); ++i) {
        motion.track.steps[k][i].rotation = {};
        motion.track.ways[k][i] = {};
      }
    Track cut = motion.track;
    cut.steps.clear();
    cut.ways.clear();
    constexpr int pieces = 3;
    for (std::size_t k = 0; k + 1 < motion.track.steps.size(); ++k)
      for (int piece = 0; piece < pieces; ++piece) {
        auto& step = cut.steps.emplace_back();
        for (std::size_t i = 0; i < cut.moved.size(); ++i) {
          const Vec3 from = motion.track.steps[k][i].translation,
                     to = motion.track.steps[k + 1][i].translation;
          step.push_back({{}, from + (piece / double{pieces}) * (to - from)});
        }
      }
    cut.steps.push_back(motion.track.steps.back());
    const Scene scene(motion.assembly);
    checkAlike(motion, certify(scene, {}, motion.track, motion.options),
               certify(scene, {}, cut, motion.options), 1.0 / pieces);
  }
}

TEST_CASE("what a certificate cannot say is said", "[certify]") {
  Assembly assembly("said");
  const auto add = [&](const char* name, const MeshPtr& mesh, const Transform& at) {
    return assembly.addNode(name, at, {}, assembly.addPart(mesh));
  };
  const NodeId moved = add("moved", sixSidedBox(1, 1, 1), shift(0, 0, 1));
  const NodeId sheet = add("sheet", transformed(flatSheet(4, 4), shift(-2, -2, 0.5)), {});
  const NodeId inner = add("inner", sixSidedBox(0.2, 0.2, 0.2), shift(0, 0, 1));
  const NodeId far = add("far", sixSidedBox(1, 1, 1), shift(0, 9, 1));
  const Scene scene(assembly);
  const Track track{.moved = {"moved"}, .steps = {{{}}, {{{}, {0, 0, 0.05}}}}};
  CertifyOptions options;
  options.tolerance = 0.1;
  SECTION("contacts of open parts are unknown, and a part inside another one is in contact") {
    const CertifyReport report = certify(scene, {}, track, options);
    CHECK(report.answer() == CertifyAnswer::undecided);
    CHECK(report.certificate.unknown == std::vector{std::pair{moved, sheet}});
    REQUIRE(report.certificate.pairs.size() == 2);
    CHECK(report.certificate.pairs[0].b == inner);
    REQUIRE(report.certificate.pairs[0].contact);
    CHECK(report.certificate.pairs[0].contact->overlap == Approx(0.5).margin(0.02));
    REQUIRE(report.certificate.pairs[0].contact->deepest);
    CHECK_FALSE(report.certificate.pairs[1].contact);
  }
  SECTION("what rules exclude is listed") {
    options.rules.rules = {{.a = "moved", .b = "sheet", .action = RuleAction::ignore},
                           {.a = "*", .b = "far", .action = RuleAction::clearance, .distance = 3}};
    const CertifyReport report = certify(scene, {}, track, options);
    CHECK(report.answer() == CertifyAnswer::certain);
    CHECK(report.certificate.excluded == std::vector{std::pair{moved, sheet}});
    REQUIRE(report.certificate.pairs.size() == 2);
    CHECK(report.certificate.pairs[1].b == far);
    CHECK(report.certificate.pairs[1].clearance == 3);
  }
  SECTION("a limit ends it where it came to") {
    options.maxQueries = 1;
    const CertifyReport report = certify(scene, {}, track, options);
    CHECK(report.answer() == CertifyAnswer::undecided);
    CHECK(report.status == ReportStatus::truncated);
    std::stop_source stop;
    stop.request_stop();
    const CertifyReport none = certify(scene, {}, track, {}, Progress(stop.get_token()));
    CHECK(none.status == ReportStatus::cancelled);
    CHECK(none.certificate.certainUntil == 0);
  }
}

TEST_CASE("parts inside each other at the start are not certified as apart", "[certify]") {
  // A block inside a housing: solid, with a cavity around the block, and with a side that is missing.
  const MeshPtr outer = sixSidedBox(4, 4, 4);
  std::vector<Triangle> open = trianglesOf(outer), hollow = open;
  open.erase(open.begin(), open.begin() + 2);
  for (const Triangle& t : trianglesOf(sixSidedBox(3, 3, 3))) hollow.push_back(turned(t));
  const auto certified = [&](const MeshPtr& housing, double way) {
    Assembly assembly("housing");
    assembly.addNode("block", {}, {}, assembly.addPart(sixSidedBox(1, 1, 1)));
    assembly.addNode("housing", shift(0.1, 0, 0), {}, assembly.addPart(housing));
    const Track track{.moved = {"block"}, .steps = {{{}}, {{{}, {0, 0, way}}}}};
    const Scene scene(assembly);
    const CertifyReport report = certify(scene, {}, track, {.tolerance = 0.05, .resolution = 1e-3});
    const CertificateCheck check = verifyCertificate(scene, report.certificate);
    INFO((check.faults.empty() ? "" : check.faults.front()));
    CHECK(check.faultCount == 0);
    CHECK(check.refutedIntervals == 0);
    // Nobody may claim that the pair is apart where one part is inside the other.
    Certificate claimed = report.certificate;
    claimed.unknown.clear();
    claimed.pairs = {{scene.instances()[0], scene.instances()[1], 0, {}, {{0, 1, 0.3, {}}}}};
    claimed.certainUntil = 1;
    return std::pair(report, verifyCertificate(scene, claimed));
  };
  const double way = 0.1;
  const auto [solid, claimedOfSolid] = certified(outer, way);
  REQUIRE(solid.certificate.pairs.size() == 1);
  REQUIRE(solid.certificate.pairs[0].contact);
  CHECK(solid.certificate.pairs[0].contact->overlap > 1.9);
  CHECK(claimedOfSolid.faultCount == 1);
  const auto [inCavity, claimedInCavity] = certified(fromTriangles("hollow", hollow), way);
  CHECK(inCavity.answer() == CertifyAnswer::certain);
  CHECK_FALSE(inCavity.certificate.pairs.at(0).contact);
  CHECK(claimedInCavity.isConfirmed());
  // Of an open housing that encloses the block, nothing is certain.
  const auto [inOpen, claimedInOpen] = certified(fromTriangles("open", open), way);
  CHECK(inOpen.answer() == CertifyAnswer::undecided);
  CHECK(inOpen.certificate.unknown.size() == 1);
}

TEST_CASE("a certificate that claims nothing is not whole", "[certify]") {
  Assembly assembly("still");
  for (const auto& [name, x] : {std::pair{"moved", 0.0}, {"rest", 3.0}})
    assembly.addNode(name, shift(x, 0, 0), {}, assembly.addPart(sixSidedBox(1, 1, 1)));
  const Scene scene(assembly);
  // A track of one step ends where it begins, so that the time alone shows nothing.
  const Track track{.moved = {"moved"}, .steps = {{{}}}};
  const CertifyReport whole = certify(scene, {}, track, {.tolerance = 0.1});
  CHECK(whole.answer() == CertifyAnswer::certain);
  CHECK(whole.certificate.isWhole());
  CHECK(verifyCertificate(scene, whole.certificate).confirmedIntervals == 1);
  CertifyOptions none{.tolerance = 0.1};
  none.limits.timeBudget = std::chrono::nanoseconds(0);
  const CertifyReport ended = certify(scene, {}, track, none);
  CHECK(ended.answer() == CertifyAnswer::undecided);
  CHECK_FALSE(ended.certificate.isWhole());
}

TEST_CASE("exact shapes keep their clearance if their chord errors are added", "[certify]") {
  Assembly assembly("exact");
  const auto add = [&](const char* name, const Transform& at) {
    return assembly.addNode(name, at, {}, assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.05)));
  };
  add("moved", {});
  add("rest", shift(1.5, 0, 0));
  const Scene scene(assembly);
  // It comes as near as 0.2.
  const Track track{.moved = {"moved"}, .steps = {{{}}, {{{}, {0.3, 0, 0}}}}};
  const auto answer = [&](double clearance, bool exactShapes) {
    return certify(
        scene, {}, track,
        {.clearance = clearance, .tolerance = 0.01, .resolution = 1e-3, .exactShapes = exactShapes});
  };
  CHECK(answer(0.19, false).answer() == CertifyAnswer::certain);
  CHECK(answer(0.19, false).chordErrors == Approx(0.1));
  CHECK(answer(0.19, true).answer() == CertifyAnswer::violated);
  CHECK(answer(0.09, true).answer() == CertifyAnswer::certain);
  CHECK(answer(0.09, true).certificate.pairs[0].clearance == Approx(0.19));
  CHECK(answer(0.09, true).chordErrors == 0);
  // Pairs in contact are judged by their triangles, whatever the clearances.
  const Track apart{.moved = {"moved"}, .steps = {{{{}, {0.499, 0, 0}}}, {{{}, {0, 0, 0}}}}};
  CHECK(certify(scene, {}, apart, {.tolerance = 0.01, .exactShapes = true}).chordErrors == Approx(0.1));
  // The checker knows that, too.
  Certificate claimed = answer(0.09, true).certificate;
  CHECK(verifyCertificate(scene, claimed).isConfirmed());
  claimed.clearance = 0.1;
  CHECK(verifyCertificate(scene, claimed).faultCount == 1);
  claimed.exactShapes = false;
  CHECK(verifyCertificate(scene, claimed).isConfirmed());
}

}  // namespace certify_tests
