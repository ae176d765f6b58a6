#include <fitup/motion/track_recording.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

namespace track_recording_tests {

using namespace fitup;

namespace {

RigidMotion shift(double x) { return {{}, {x, 0, 0}}; }

}  // namespace

TEST_CASE("poses are recorded by distance and angle", "[motion][recorder]") {
  const Vec3 centre{100, 0, 0};
  TrackRecording recorder(
      {.name = "by hand", .unit = "mm", .modelHash = 42, .moved = {"a/part"}, .steps = {}}, centre,
      {1.0, 5.0});
  CHECK(recorder.add(std::vector{shift(0)}));
  CHECK_FALSE(recorder.add(std::vector{shift(0.9)}));
  CHECK(recorder.add(std::vector{shift(1.0)}));
  CHECK(recorder.add(std::vector{shift(1.5)}, true));
  CHECK_FALSE(recorder.add(std::vector{shift(1.5)}, true));  // the same pose again
  // About the part's own centre, only the angle counts.
  const auto turned = [&](double degrees) {
    return std::vector{
        motionAbout(centre, axisAngle({0, 0, 1}, degrees * 3.14159265358979 / 180), {1.5, 0, 0})};
  };
  CHECK_FALSE(recorder.add(turned(4.9)));
  CHECK(recorder.add(turned(5.1)));
  CHECK(recorder.track().steps.size() == 4);
  CHECK(recorder.track().moved == std::vector<std::string>{"a/part"});
  CHECK(recorder.track().modelHash == 42U);
  CHECK(recorder.track().name == "by hand");
  CHECK_THROWS_AS(recorder.add(std::vector{shift(0), shift(1)}), InputError);
}

TEST_CASE("turns are recorded as turns, also by more than half a turn", "[motion][recorder]") {
  TrackRecording recorder({.moved = {"a"}}, {}, {1.0, 5.0});
  const Vec3 centre{10, 0, 0};
  const auto turned = [&](double degrees) {
    return std::vector{AxisTurn{centre, {0, 0, 1}, degrees, 0}.at(1)};
  };
  const auto by = [&](double degrees) { return AxisTurn{centre, {0, 0, 1}, degrees, 0}; };
  CHECK(recorder.add(turned(0)));
  CHECK(recorder.track().ways.empty());
  CHECK(recorder.add(turned(200), false, by(200)));
  CHECK_FALSE(recorder.add(turned(203), false, by(3)));
  CHECK(recorder.add(turned(560), false, by(360)));                           // where it was
  CHECK(recorder.add(std::vector{shift(1) * turned(560)[0]}, false, by(0)));  // not what the turn says
  REQUIRE(recorder.track().steps.size() == 4);
  REQUIRE(recorder.track().ways.size() == 4);
  CHECK(recorder.track().ways[1][0].turn == by(200));
  CHECK(recorder.track().ways[2][0].turn == by(360));
  CHECK(recorder.track().ways[3][0] == StepWay{});
  requireWays(recorder.track(), "recorded");
}

TEST_CASE("parts that are recorded together turn about one centre", "[motion][recorder]") {
  const Vec3 centre{3, 4, 5};
  TrackRecording recorder({.moved = {"a", "b", "c"}}, centre);
  const RigidMotion turn = motionAbout(centre, axisAngle({0, 1, 0}, 1), {1, 0, 0});
  const RigidMotion other = motionAbout({}, axisAngle({1, 0, 0}, 1), {7, 0, 0});  // moved before
  CHECK(recorder.add(std::vector{RigidMotion{}, RigidMotion{}, other}));
  CHECK(recorder.add(std::vector{shift(5), shift(5), shift(5) * other}));
  CHECK(recorder.track().ways.empty());  // nothing turns: version 1 says it
  CHECK(recorder.add(std::vector{turn * shift(5), turn * shift(5), turn * shift(5) * other}));
  const Track& track = recorder.track();
  REQUIRE(track.ways.size() == 3);
  CHECK(track.ways[2][0].pivot == centre);
  CHECK(track.ways[2][1].pivot == centre);
  REQUIRE(track.ways[2][2].pivot);
  const Vec3 pivot = *track.ways[2][2].pivot;
  CHECK(norm(track.steps[1][2].transform().apply(pivot) - track.steps[1][0].transform().apply(centre)) <
        1e-12);
}

TEST_CASE("a part that is recorded later has rested before", "[motion][recorder]") {
  TrackRecording recorder({.moved = {"a"}});
  const RigidMotion turn = motionAbout({}, axisAngle({0, 1, 0}, 1), {1, 0, 0});
  CHECK(recorder.add(std::vector{RigidMotion{}}));
  CHECK(recorder.add(std::vector{turn}, false, AxisTurn{{}, {0, 1, 0}, 57.29577951308232, 0}));
  recorder.addMoved("b", shift(7));
  CHECK(recorder.add(std::vector{turn, shift(9)}));
  const Track& track = recorder.track();
  CHECK(track.moved == std::vector<std::string>{"a", "b"});
  REQUIRE(track.steps.size() == 3);
  CHECK(track.steps[0] == std::vector{RigidMotion{}, shift(7)});
  CHECK(track.steps[1] == std::vector{turn, shift(7)});
  CHECK(track.steps[2] == std::vector{turn, shift(9)});
  for (const std::vector<StepWay>& ways : track.ways) CHECK(ways.size() == 2);
  CHECK_THROWS_AS(recorder.addMoved("a", {}), InputError);
}

}  // namespace track_recording_tests
