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

}  // namespace track_recording_tests
