#pragma once

#include <models/solids/turning.h>

namespace fitup::models {

/// Sizes of a pipe and of its flanges, millimetres (DN100 with PN6 flanges unless changed).
struct PipeSize {
  double outer = 57.15;
  double inner = 51.1;  ///< 0: a bar without a bore, which has plain ends and no valve
  double rim = 105;     ///< flange
  double plate = 20;    ///< thickness of the flange plate without its raised face
  double hub = 66;      ///< radius of the hub where it meets the plate
  double hubLength = 30;
  double raised = 74;  ///< radius of the raised face
  double raisedHeight = 2;
  HoleCircle holes{4, 85, 9, 8, 0.125};
  Roundness roundness;

  [[nodiscard]] double flangeLength() const { return hubLength + plate + raisedHeight; }
};

/// Lays a pipe face by face along a path: one closed solid with an outside and, unless the inner radius
/// is 0, a bore. Every element starts where the one before ended; `cursor().z` is the direction of travel.
class PipeLayer {
 public:
  PipeLayer(Solid& solid, const PipeSize& size, const Frame& start)
      : solid_(solid), size_(size), cursor_(start) {}

  [[nodiscard]] const Frame& cursor() const { return cursor_; }

  /// A cut end, at the start (faces back) or at the end.
  PipeLayer& plainStart();
  PipeLayer& plainEnd();
  /// A weld-neck flange whose raised face is the start / the end of the pipe.
  PipeLayer& flangeStart();
  PipeLayer& flangeEnd();
  PipeLayer& straight(double length);
  /// Bend towards `direction` (square to the path) by a quarter turn, radius of the centre line.
  PipeLayer& bend(const Vec3& direction, double radius, int steps);
  /// A square valve body across the path; leaves a round opening of `neck` radius in the side that faces
  /// `side` (square to the path), at which the bonnet begins. Returns to the path behind the body.
  PipeLayer& valveBody(double length, double width, const Vec3& side, double neck, Roundness neckRoundness);
  /// Frame of the opening that `valveBody` left: its z points outwards.
  [[nodiscard]] const Frame& opening() const { return opening_; }

 private:
  void flange(const Frame& towardsFace);

  Solid& solid_;
  PipeSize size_;
  Frame cursor_;
  Frame opening_;
};

/// A stud bolt with a hexagon at both ends, as one closed solid. frame.z is its axis; the hexagons bear on
/// the planes z = 0 (the nut grows down from it) and z = `grip`.
Solid bolt(const Frame& frame, double radius, double grip, int steps);
/// Bolts in all holes of a pair of flanges; the frame is that of the lower bearing plane.
void addBolts(std::vector<Solid>& solids, const Frame& frame, const HoleCircle& holes, double radius,
              double grip, int steps);
/// A cover plate with holes for a flange; its inner face is the plane z = 0 and it grows along frame.z.
Solid blindFlange(const Frame& frame, const PipeSize& size);

}  // namespace fitup::models
