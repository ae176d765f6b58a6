#include <array>
#include <span>
#include <vector>

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

/// A pose of the spool on its way out of the variant. At `at` it clears by little or nothing what it passes;
/// `y`, `z` and `roll` are added for each millimetre of room.
struct ClearPose {
  KeyPose at;
  double y = 0, z = 0, roll = 0;
};

/// The room between the spool and what it passes, except its own flanges. It exceeds the clearance, because
/// faceted flanges wobble by up to 0.3 mm where they roll, and because it is the centre of the spool's box
/// that goes straight between two steps: its axis strays by up to 0.05 mm.
constexpr double roomFor(double clearance) { return 1.25 * clearance + 0.25; }

constexpr std::array clearPoses{
    // Out between the flanges, parallel to their faces.
    ClearPose{{0, 0, 0, 0, 0, 0, 0}},
    ClearPose{{11, 0, -220, 0, 0, 0, 0}},
    // Down to the rim of the drip tray, both flanges just above it, and rolled so that the corners of the
    // valve's body pass between the tray and the flange of the suction line.
    ClearPose{{17, 0, -220, -139, 0, 0, 0}, 0, 1},
    ClearPose{{23, 0, -161, -139, 15, 0, 0}, -1.65, 1},
    ClearPose{{37, 400, -161, -139, 15, 0, 0}, -1.65, 1},
    // Below the clamp and before the bend of the suction line, rolled so that the hand wheel passes the
    // middle column on the other side.
    ClearPose{{41, 500, -162.4, -139, 17.9, 0, 0}, -1.5, 1, -0.594},
    ClearPose{{54, 840, -162.4, -139, 17.9, 0, 0}, -1.5, 1, -0.594},
    ClearPose{{60, 900, -162.4, -139, 0, 0, 0}, -1.5, 1},
    // The valve's body along the bend.
    ClearPose{{63, 970, -142.2, -139, 0, 0, 0}, -1.5, 1},
    ClearPose{{67, 1080, -142.2, -139, 0, 0, 0}, -1.5, 1},
    ClearPose{{70, 1160, -162.4, -139, 0, 0, 0}, -1.5, 1},
    // Up past the bend, nose first, while the valve is turned down.
    ClearPose{{95, 1250, -162.3, 40, 77, -25, 0}, -1.5},
    ClearPose{{127, 1340, -165, 270, 174, 0, 0}, -1.5, -1},
    // Below the manway and along the shell of the tank; the hand wheel passes both legs.
    ClearPose{{131, 1410, -55, 270, 183.7, 0, 0}, -1, -1},
    ClearPose{{171, 2415, -55, 270, 183.7, 0, 0}, -1, -1},
    // Down along the brace of the end frame, the flange parallel to its side.
    ClearPose{{179, 2415, -60, 100, 180, 0, 0}, -1, -1},
    ClearPose{{185, 2415, -150, -20, 180, 0, 0}, -1},
    // Out past the corner column, parallel to its side, the valve just above the lower beam.
    ClearPose{{191, 2380, -280, -87, 180, 0, 0}, 0, 1},
    ClearPose{{205, 2380, -500, -87, 180, 0, 0}, 0, 1},
    ClearPose{{217, 2380, -850, -50, 180, 0, 20}, 0, 1},
};

KeyPose withRoom(const ClearPose& pose, double room) {
  KeyPose moved = pose.at;
  moved.y += pose.y * room;
  moved.z += pose.z * room;
  moved.roll += pose.roll * room;
  return moved;
}

Quaternion about(int axis, double degrees) {
  Quaternion q{0, 0, 0, cosTurns(degrees / 720)};
  (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sinTurns(degrees / 720);
  return q;
}

RigidMotion motionAt(std::span<const KeyPose> poses, int step) {
  std::size_t k = 0;
  while (k + 2 < poses.size() && poses[k + 1].step <= step) ++k;
  const KeyPose &a = poses[k], &b = poses[k + 1];
  const double s = static_cast<double>(step - a.step) / (b.step - a.step);
  const auto between = [&](double from, double to) { return from + (to - from) * s; };
  const Quaternion rotation = about(2, between(a.yaw, b.yaw)) * about(1, between(a.pitch, b.pitch)) *
                              about(0, between(a.roll, b.roll));
  return motionAbout(plant::spoolCentre, rotation, {between(a.x, b.x), between(a.y, b.y), between(a.z, b.z)});
}

}  // namespace

Track makeSpoolTrack(const Assembly& plant, const ProcessPlantOptions& options) {
  std::vector<KeyPose> poses(keyPoses.begin(), keyPoses.end());
  if (options.clearance) {
    (void)flangeGap(*options.clearance);  // refuses what the plant refuses
    poses.clear();
    for (const ClearPose& pose : clearPoses) poses.push_back(withRoom(pose, roomFor(*options.clearance)));
  }
  Track track;
  track.name = options.clearance ? "spool-removal-clear" : "spool-removal";
  track.unit = plant.unit();
  track.modelHash = plant.contentHash();
  track.moved = {plant.path(plant.at(spoolPath))};
  for (int step = 0; step <= poses.back().step; ++step) track.steps.push_back({motionAt(poses, step)});
  return track;
}

}  // namespace fitup::models
