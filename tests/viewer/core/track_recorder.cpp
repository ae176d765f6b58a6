#include <viewer/core/track_recorder.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

using namespace fitup;
using namespace fitup::viewer;

namespace {

RigidMotion shift(double x) { return {{}, {x, 0, 0}}; }

std::vector<double> xs(const Track& track) {
  std::vector<double> result;
  for (const auto& step : track.steps) result.push_back(step[0].translation.x);
  return result;
}

}  // namespace

TEST_CASE("poses are recorded by distance and angle", "[viewer][recorder]") {
  const Vec3 centre{100, 0, 0};
  TrackRecorder recorder({"a/part"}, centre, "mm", 42, {1.0, 5.0});
  CHECK(recorder.add(std::vector{shift(0)}));
  CHECK_FALSE(recorder.add(std::vector{shift(0.9)}));
  CHECK(recorder.add(std::vector{shift(1.0)}));
  CHECK(recorder.add(std::vector{shift(1.5)}, true));
  CHECK_FALSE(recorder.add(std::vector{shift(1.5)}, true));  // the same once more
  // About the part's own centre only the angle counts.
  const auto turned = [&](double degrees) {
    return std::vector{
        motionAbout(centre, axisAngle({0, 0, 1}, degrees * 3.14159265358979 / 180), {1.5, 0, 0})};
  };
  CHECK_FALSE(recorder.add(turned(4.9)));
  CHECK(recorder.add(turned(5.1)));
  CHECK(recorder.track().steps.size() == 4);
  CHECK(recorder.track().moved == std::vector<std::string>{"a/part"});
  CHECK(recorder.track().modelHash == 42U);
  CHECK_THROWS_AS(recorder.add(std::vector{shift(0), shift(1)}), InputError);
}

TEST_CASE("steps of a track are inserted, removed, moved, turned around", "[viewer][recorder]") {
  Track track;
  track.moved = {"p"};
  for (double x : {0.0, 1.0, 2.0, 3.0}) track.steps.push_back({shift(x)});
  CHECK(xs(withStepInserted(track, 0, {shift(9)})) == std::vector<double>{9, 0, 1, 2, 3});
  CHECK(xs(withStepInserted(track, 4, {shift(9)})) == std::vector<double>{0, 1, 2, 3, 9});
  CHECK(xs(withStepRemoved(track, 1)) == std::vector<double>{0, 2, 3});
  CHECK(xs(withStepMoved(track, 0, 2)) == std::vector<double>{1, 2, 0, 3});
  CHECK(xs(withStepMoved(track, 3, 1)) == std::vector<double>{0, 3, 1, 2});
  CHECK(xs(withStepMoved(track, 2, 2)) == xs(track));
  CHECK(xs(reversed(track)) == std::vector<double>{3, 2, 1, 0});
  CHECK_THROWS_AS(withStepInserted(track, 5, {shift(9)}), InputError);
  CHECK_THROWS_AS(withStepInserted(track, 0, {}), InputError);
  CHECK_THROWS_AS(withStepRemoved(track, 4), InputError);
  CHECK_THROWS_AS(withStepMoved(track, 0, 4), InputError);
}
