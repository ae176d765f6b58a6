#include <array>

#include <models/angle.h>
#include <models/plant/parts.h>
#include <models/process_plant.h>

namespace fitup::models {
namespace {

/// Pose of the spool against its seat: shift in mm, then turns in degrees: roll about the spool's axis, pitch
/// about y, yaw about z, about the middle of the valve.
struct KeyPose {
  int step;
  double x, y, z, roll, pitch, yaw;
};

constexpr std::array keyPoses{
    // Seated, and out between the raised faces of its neighbours.
    KeyPose{0, 0, 0, 0, 0, 0, 0},
    KeyPose{20, 0, -110, 0, 0, 0, 0},
    // Levered free of the pump's flange, lowered onto the drip tray and turned on it.
    KeyPose{30, -2, -140, -10, 0, 0, 4},
    KeyPose{44, 0, -150, -98, 0, 9, 4},
    KeyPose{54, 0, -150, -147, 0, 0, 2},
    KeyPose{66, 5, -205, -150, 5, 0, 12},
    KeyPose{80, 25, -140, -147, 15, 0, 2},
    // Along the suction line, past its flange and its clamp, the hand wheel against the middle column.
    KeyPose{87, 30, -135, -78, 20, 0, 0},
    KeyPose{94, 140, -135, -75, 25, 0, 0},
    KeyPose{132, 860, -132, -70, 45, 0, 0},
    // Over the bend to the leg of the tank.
    KeyPose{144, 1130, -100, -100, 45, 0, 0},
    KeyPose{152, 1270, -55, -112, 40, 0, 13},
    KeyPose{158, 1340, -30, -112, 35, 0, 18},
    KeyPose{161, 1390, 12, -80, 28, 0, 15},
    // Up and along the tank below the manway.
    KeyPose{164, 1440, 38, -40, 20, 0, 10},
    KeyPose{171, 1555, 48, 90, 10, 0, 2},
    KeyPose{178, 1690, 0, 190, 0, 0, 0},
    KeyPose{184, 1820, -25, 240, 0, 0, 0},
    KeyPose{198, 2200, -10, 240, 0, 0, -12},
    // Round the leg to the diagonal of the end frame, down along it, and out past the corner column.
    KeyPose{207, 2420, 60, 240, 0, 0, 0},
    KeyPose{216, 2440, -60, 40, 0, 0, 0},
    KeyPose{223, 2440, -240, -200, 0, 0, 0},
    KeyPose{227, 2455, -340, -210, 0, 0, 5},
    KeyPose{232, 2490, -560, -210, 0, 0, 12},
};

Quaternion about(int axis, double degrees) {
  Quaternion q{0, 0, 0, cosTurns(degrees / 720)};
  (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sinTurns(degrees / 720);
  return q;
}

RigidMotion motionAt(int step) {
  std::size_t k = 0;
  while (k + 2 < keyPoses.size() && keyPoses[k + 1].step <= step) ++k;
  const KeyPose &a = keyPoses[k], &b = keyPoses[k + 1];
  const double s = static_cast<double>(step - a.step) / (b.step - a.step);
  const auto between = [&](double from, double to) { return from + (to - from) * s; };
  const Quaternion rotation = about(2, between(a.yaw, b.yaw)) * about(1, between(a.pitch, b.pitch)) *
                              about(0, between(a.roll, b.roll));
  return motionAbout(plant::spoolCentre, rotation, {between(a.x, b.x), between(a.y, b.y), between(a.z, b.z)});
}

}  // namespace

Track makeSpoolTrack(const Assembly& plant) {
  Track track;
  track.name = "spool-removal";
  track.unit = plant.unit();
  track.modelHash = plant.contentHash();
  track.moved = {plant.path(plant.at(spoolPath))};
  for (int step = 0; step <= keyPoses.back().step; ++step) track.steps.push_back({motionAt(step)});
  return track;
}

}  // namespace fitup::models
