#pragma once

#include <models/solids/solid.h>

namespace fitup::models {

/// How round things are divided.
struct Roundness {
  int steps = 24;  ///< around the full turn; a multiple of `pieces` and of 4
  int pieces = 2;  ///< faces a full turn is split into, as many CAD systems do; 1 = one face with a seam
};

/// Holes of equal size on a circle, parallel to the axis.
struct HoleCircle {
  int count = 0;
  double circleRadius = 0;
  double holeRadius = 0;
  int steps = 12;
  double firstAngle = 0;  ///< turns

  [[nodiscard]] Frame holeFrame(const Frame& frame, int i) const;
};

/// Appends the faces that a profile in the (r, z) half plane of a frame sweeps about z.
///
/// The profile is walked with the outside on its right: up the outer side, inwards over the top, down a bore.
class Turning {
 public:
  Turning(Solid& solid, const Frame& frame, Roundness roundness, double r, double z)
      : solid_(solid), frame_(frame), roundness_(roundness), r_(r), z_(z) {}

  /// Straight profile: plane, cylinder or cone. Holes are allowed where it is a plane.
  Turning& to(double r, double z, const HoleCircle& holes = {});
  /// Arc about (centreR, centreZ) from the present point to the angle `a1` (turns, 0 = away from the axis,
  /// 1/4 = up); `a0` is the angle of the present point. A centre on the axis makes a sphere, else a torus.
  Turning& arc(double centreR, double centreZ, double radius, double a0, double a1, int steps);
  /// The walls of the holes between two planes.
  Turning& holeWalls(const HoleCircle& holes, double zLow, double zHigh);

 private:
  Solid& solid_;
  Frame frame_;
  Roundness roundness_;
  double r_, z_;
};

/// A cylinder or cone zone about frame.z from z0 to z1 > z0.
void addZone(Solid& solid, const Frame& frame, Roundness roundness, double r0, double z0, double r1,
             double z1, bool inward);
/// A plane ring (a disc for an inner radius of 0) at the frame's origin, facing frame.z.
void addRing(Solid& solid, const Frame& frame, Roundness roundness, double outer, double inner,
             const HoleCircle& holes = {});

}  // namespace fitup::models
