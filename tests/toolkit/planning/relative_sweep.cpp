#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include <fitup/base/error.h>
#include <fitup/planning/detail/swept_motion.h>
#include <fitup/planning/swept_volume.h>

#include "support/effort.h"
#include "toolkit/planning/swept_checks.h"

namespace relative_sweep_tests {

using namespace fitup;
using namespace fitup::test;
using Catch::Matchers::Contains;

namespace {

/// Two parts, "part" and "frame", and one that rests, "post".
struct Pair {
  Scene scene;
  NodeId part, frame, post;

  explicit Pair(const MeshPtr& mesh, const Transform& placement = {}) : scene(made(mesh, placement)) {
    part = scene.assembly().at("part");
    frame = scene.assembly().at("group/frame");
    post = scene.assembly().at("post");
  }

 private:
  static Assembly made(const MeshPtr& mesh, const Transform& placement) {
    Assembly assembly("pair");
    const PartId cube = assembly.addPart(box(2, 3, 1));
    assembly.addNode("part", placement, {}, assembly.addPart(mesh));
    const NodeId group = assembly.addNode("group", Transform::translation({0, 12, 0}));
    assembly.addNode("frame", {}, group, cube);
    assembly.addNode("companion", Transform::translation({5, 0, 0}), group, cube);
    assembly.addNode("post", Transform::translation({-20, 0, 0}), {}, cube);
    return assembly;
  }
};

/// The same track for both parts or for one, from the poses and ways of each.
Track pairTrack(const Track& part, const Track& frame) {
  Track track;
  track.moved = {"part", "group"};
  for (std::size_t k = 0; k < part.steps.size(); ++k) {
    track.steps.push_back({part.steps[k][0], frame.steps[k][0]});
    track.ways.push_back({part.wayTo(k, 0), frame.wayTo(k, 0)});
  }
  return track;
}

Track only(const Track& both, std::size_t i) {
  Track track;
  track.moved = {both.moved[i]};
  for (std::size_t k = 0; k < both.steps.size(); ++k) {
    track.steps.push_back({both.steps[k][i]});
    track.ways.push_back({both.wayTo(k, i)});
  }
  return track;
}

/// By poses of both parts, sampled in time: the oracle, which knows nothing of curves.
class RelativeSamples {
 public:
  RelativeSamples(const Pair& pair, const Track& both)
      : pair_(pair),
        frame_(only(both, 1), pair.scene.assembly()),
        part_(only(both, 0), pair.scene.assembly()),
        partTrack_(only(both, 0)),
        distance_(pair.scene, partTrack_) {}

  [[nodiscard]] double lastStep() const { return static_cast<double>(partTrack_.steps.size() - 1); }
  [[nodiscard]] Transform worldFromFrame(double time) const { return frame_.at(time)[0].transform(); }
  [[nodiscard]] Transform frameFromPart(double time) const {
    return worldFromFrame(time).inverse() * part_.at(time)[0].transform() *
           pair_.scene.designPlacement(pair_.part);
  }
  /// Distance of a point of the frame from the part, at the best of so many times of each step.
  double least(const Vec3& x, int samples) {
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= samples * lastStep(); ++k) {
      const double time = double(k) / samples;
      best = std::min(best, distance_.at(time, worldFromFrame(time).apply(x)));
    }
    return best;
  }
  /// How many of random points of the part, at random times, are not inside of the envelope.
  int countOutside(Envelope& envelope, int count, std::uint64_t seed) const {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> when(0, lastStep());
    int outside = 0;
    for (int i = 0; i < count; ++i) {
      const Vec3 p = surfacePoint(pair_.scene.assembly().meshOf(pair_.part), random);
      if (!envelope.contains(frameFromPart(when(random)).apply(p))) ++outside;
    }
    return outside;
  }
  /// The longest way of a corner of the part between neighbouring samples, seen from the frame.
  [[nodiscard]] double longestWay(int samples) const {
    const Box bounds = pair_.scene.assembly().meshOf(pair_.part).boundsInPart();
    double longest = 0;
    for (int k = 0; k < samples * lastStep(); ++k)
      for (unsigned c = 0; c < 8; ++c) {
        const Vec3 p{(c & 1U) != 0 ? bounds.max.x : bounds.min.x, (c & 2U) != 0 ? bounds.max.y : bounds.min.y,
                     (c & 4U) != 0 ? bounds.max.z : bounds.min.z};
        longest = std::max(longest, norm(frameFromPart(double(k + 1) / samples).apply(p) -
                                         frameFromPart(double(k) / samples).apply(p)));
      }
    return longest;
  }

 private:
  const Pair& pair_;
  TrackPoses frame_, part_;
  Track partTrack_;
  PosedDistance distance_;
};

SweptVolume seen(const Pair& pair, const Track& track, double accuracy, std::vector<NodeId> parts = {}) {
  SweptVolume result = sweptVolume(
      pair.scene, track, {.accuracy = accuracy, .relativeTo = pair.frame, .parts = std::move(parts)});
  REQUIRE(result.outer);
  CHECK(result.accuracy <= accuracy);
  CHECK(result.relativeTo == pair.frame);
  return result;
}

/// The part is in the envelope at all times, and the envelope is near to it at some.
void checkBySamples(const Pair& pair, const Track& both, const SweptVolume& result, std::uint64_t seed) {
  Envelope envelope(result.outer);
  CHECK(envelope.isClosed());
  RelativeSamples samples(pair, both);
  CHECK(samples.countOutside(envelope, effort(3000, 30'000), seed) == 0);
  const int times = effort(300, 1000);
  const double between = 0.51 * samples.longestWay(times);
  std::mt19937_64 random(seed);
  int wrong = 0;
  for (int i = 0; i < effort(100, 1000); ++i) {
    const double d = samples.least(surfacePoint(*result.outer, random), times);
    wrong += d <= 0 || d > result.accuracy + between;
  }
  CHECK(wrong == 0);
}

const AxisTurn screw{{4, 2, 0}, {0.3, 0.2, 1}, 130, 6};

/// Two steps of turns and straight ways, which do not begin in the design placement.
Track windingTrack(double sense) {
  const RigidMotion start = motionAbout({1, 5, 0}, axisAngle({1, 0, 2}, 0.4 * sense), {sense, 2, 0});
  const AxisTurn turn{{3, -2, sense}, {0.2, sense, 1}, 110 * sense, 2};
  const RigidMotion end =
      motionAbout({2, 0, 3}, axisAngle({1, 2, 3}, 1.3), {4, -3 * sense, 2}) * turn.at(1) * start;
  return trackOf({start, turn.at(1) * start, end}, {{}, {turn, {}}, {{}, Vec3{0, 3, 0}}});
}

}  // namespace

TEST_CASE("seen from a part that moves alike, a part rests", "[planning][sweep]") {
  const Pair pair(box(4, 6, 2));
  const double e = 0.2;
  for (const Track& way : {turnTrack(screw), trackOf({shiftBy({1, 2, 3}), shiftBy({40, -7, 3})})}) {
    const SweptVolume result = seen(pair, pairTrack(way, way), e);
    Envelope envelope(result.outer);
    CHECK(envelope.isClosed());
    // The part is in its design placement, not where the track begins.
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i)
      if (!envelope.contains(surfacePoint(pair.scene.assembly().meshOf(pair.part), random)))
        FAIL("a point of the part is outside");
    for (std::uint32_t i = 0; i < result.outer->points().size(); ++i) {
      const Vec3 p = result.outer->pointInPart(i);
      const Vec3 beyond{std::max(std::abs(p.x) - 2, 0.0), std::max(std::abs(p.y) - 3, 0.0),
                        std::max(std::abs(p.z) - 1, 0.0)};
      if (norm(beyond) > e) FAIL("a point of the envelope is far from the part");
    }
    CHECK(result.patches.front().instance == pair.part);
    CHECK(result.makers == std::vector<NodeId>{pair.part});
  }
}

TEST_CASE("seen from a part that moves, others move inversely", "[planning][sweep]") {
  const Pair pair(lShape(6, 2), Transform::translation({3, 0, 0}));
  const double e = 0.3;
  // The inverse of a screw is the screw backwards.
  const Track frame = only(pairTrack(turnTrack(screw), turnTrack(screw)), 1);
  AxisTurn back = screw;
  back.degrees = -screw.degrees;
  back.advance = -screw.advance;
  const SweptVolume inverse = sweptVolume(pair.scene, turnTrack(back), {.accuracy = e});
  const SweptVolume result = seen(pair, frame, e, {pair.part});
  CHECK(result.outerVolume == Approx(inverse.outerVolume).epsilon(0.01));
  Envelope envelope(result.outer);
  CHECK(countOutside(pair.scene, turnTrack(back), envelope, effort(3000, 30'000), 2) == 0);
  for (const SweptPatch& patch : result.patches) CHECK(patch.instance == pair.part);

  // Turns and straight ways, of which no inverse is a way of a track.
  Track winding = windingTrack(1);
  const Track rest = trackOf({{}, {}, {}});
  const SweptVolume wound = seen(pair, only(pairTrack(rest, winding), 1), e, {pair.part});
  checkBySamples(pair, pairTrack(rest, winding), wound, 3);
}

TEST_CASE("the envelope of two motions against each other holds them", "[planning][sweep]") {
  const Pair pair(lShape(6, 2), Transform::translation({3, 0, 0}));
  const double e = 0.4;
  const Track part = windingTrack(-1), frame = windingTrack(1);
  const SweptVolume result = seen(pair, pairTrack(part, frame), e);
  CHECK(result.patches.front().instance == pair.part);
  CHECK(result.patches.back().instance == pair.part);  // not the companion of the frame
  checkBySamples(pair, pairTrack(part, frame), result, 4);

  // Several turns of a frame, and a slide.
  const Track slide = trackOf({shiftBy({}), shiftBy({10, 0, 0})});
  const Track spin = turnTrack({{0, 12, 0}, {0, 0, 1}, 500, 0});
  checkBySamples(pair, pairTrack(slide, spin), seen(pair, pairTrack(slide, spin), e), 5);

  // Threads change nothing.
  const SweptVolume threads = sweptVolume(pair.scene, pairTrack(part, frame),
                                          {.accuracy = e, .relativeTo = pair.frame, .threads = 3});
  CHECK(threads.outer->contentHash() == result.outer->contentHash());
}

TEST_CASE("seen from a part that rests, a motion sweeps the same", "[planning][sweep]") {
  const Pair pair(lShape(6, 2));
  const double e = 0.4;
  const Track winding = windingTrack(1), rest = trackOf({{}, {}, {}});
  const SweptVolume plain = sweptVolume(pair.scene, winding, {.accuracy = e});
  // The frame is not in the track, or never leaves its design placement.
  for (const Track& track : {winding, pairTrack(winding, rest)}) {
    const SweptVolume result = seen(pair, track, e);
    CHECK(result.outer->contentHash() == plain.outer->contentHash());
    CHECK(result.times == plain.times);
  }
  CHECK(seen(pair, winding, e, {pair.part, pair.post}).outer->contentHash() == plain.outer->contentHash());
}

TEST_CASE("the curve of a point of a moving frame stays near to its chord", "[planning][sweep]") {
  const Pair pair(lShape(6, 2), Transform::translation({3, 0, 0}));
  const Track both = pairTrack(windingTrack(-1), windingTrack(1));
  detail::SweptMotion motion = detail::makeSweptMotion(pair.scene, both, {.relativeTo = pair.frame}, {});
  detail::halvePieces(motion, 20, 0.5);
  const RelativeSamples samples(pair, both);
  const Vec3 origin = pair.scene.assembly().meshOf(pair.part).origin();
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> unit(-1, 1);
  double largestShare = 0, fastestShare = 0;
  std::size_t leaves = 0;
  for (const detail::SweptPiece& piece : motion.pieces) {
    if (piece.firstHalf != detail::SweptPiece::none) continue;
    ++leaves;
    for (int i = 0; i < effort(20, 200); ++i) {
      const Vec3 x{20 * unit(random), 20 * unit(random), 20 * unit(random)};
      const Vec3 a = piece.localFromWorldAtFrom.apply(x), b = piece.localFromWorldAtTo.apply(x);
      double deviation = 0;
      for (int k = 0; k <= 16; ++k) {
        const double share = k / 16.0, s = piece.from + share * (piece.to - piece.from);
        const Vec3 y = samples.frameFromPart(piece.step + s).inverse().apply(x) - origin;
        deviation = std::max(deviation, norm(y - (a + (b - a) * share)));
      }
      CHECK(deviation <= piece.sagOf(x) + 1e-9);
      largestShare = std::max(largestShare, deviation / piece.sagOf(x));
      // No point of the part is faster than the bound. The part stays in the box of the piece.
      const Vec3 q = surfacePoint(pair.scene.assembly().meshOf(pair.part), random);
      const double s = piece.from + 0.5 * (1 + unit(random)) * (piece.to - piece.from);
      const Vec3 p = samples.frameFromPart(piece.step + s).apply(q);
      constexpr double soon = 1e-4;
      if (s + soon < piece.to) {
        const double speed = norm(samples.frameFromPart(piece.step + s + soon).apply(q) - p) / soon;
        CHECK(speed <= piece.relative->speed * (1 + 1e-6));
        fastestShare = std::max(fastestShare, speed / piece.relative->speed);
      }
      for (int axis = 0; axis < 3; ++axis)
        CHECK((p[axis] >= piece.box.min[axis] - 1e-5 && p[axis] <= piece.box.max[axis] + 1e-5));
    }
  }
  CHECK(leaves > 4);
  CHECK(largestShare > 0.3);  // the bounds are not idle
  CHECK(fastestShare > 0.7);
}

TEST_CASE("relative sweeps that have no answer", "[planning][sweep]") {
  const Pair pair(box(2, 2, 2));
  const Track track = pairTrack(trackOf({{}, shiftBy({3, 0, 0})}), trackOf({{}, shiftBy({0, 3, 0})}));
  const NodeId group = pair.scene.assembly().at("group");
  CHECK_THROWS_WITH(sweptVolume(pair.scene, track, {.relativeTo = group}), Contains("group"));
  CHECK_THROWS_AS(sweptVolume(pair.scene, track, {.relativeTo = NodeId{99}}), InputError);
  CHECK_THROWS_AS(sweptVolume(pair.scene, track, {.parts = {NodeId{99}}}), InputError);
  // Nothing moves against the frame.
  CHECK_FALSE(sweptVolume(pair.scene, only(track, 1), {.relativeTo = pair.frame}).outer);
  CHECK_FALSE(sweptVolume(pair.scene, track, {.relativeTo = pair.frame, .parts = {group}}).outer);
  CHECK_FALSE(sweptVolume(pair.scene, track, {.parts = {pair.post}}).outer);
}

}  // namespace relative_sweep_tests
