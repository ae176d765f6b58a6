#include <fitup/motion/track_edit.h>

#include <catch2/catch.hpp>

#include <fitup/base/error.h>

namespace track_edit_tests {

using namespace fitup;

namespace {

RigidMotion shift(double x) { return {{}, {x, 0, 0}}; }

std::vector<double> xs(const Track& track) {
  std::vector<double> result;
  for (const auto& step : track.steps) result.push_back(step[0].translation.x);
  return result;
}

}  // namespace

TEST_CASE("steps of a track are inserted, removed, moved, turned around", "[motion][track]") {
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

}  // namespace track_edit_tests
