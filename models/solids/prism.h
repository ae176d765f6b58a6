#pragma once

#include <models/solids/solid.h>

namespace fitup::models {

/// A profile in the plane, walked with the material on the left: outlines counter-clockwise, holes clockwise.
class Outline {
 public:
  Outline& start(double x, double y);
  Outline& lineTo(double x, double y);
  /// Arc about (cx, cy) from the angle a0 (of the present point) to a1, turns.
  Outline& arcTo(double cx, double cy, double radius, double a0, double a1, int steps);
  /// Back to the start.
  Outline& close();
  /// A round hole.
  static Outline hole(double cx, double cy, double radius, int steps);
  static Outline rectangle(double x0, double y0, double x1, double y1);
  /// The same walked the other way, as a hole.
  static Outline rectangularHole(double x0, double y0, double x1, double y1);
  static Outline regularPolygon(int corners, double inradius);

  struct Edge {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    double cx = 0, cy = 0, radius = 0, a0 = 0, a1 = 0;
    int steps = 0;  ///< 0: straight
  };
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  /// The loop in the plane z = `height` of a frame.
  [[nodiscard]] Loop loopAt(const Frame& frame, double height) const;

 private:
  double startX_ = 0, startY_ = 0, x_ = 0, y_ = 0;
  std::vector<Edge> edges_;
};

/// Appends the side faces of the profile swept along frame.z from z0 to z1 > z0.
void addSides(Solid& solid, const Frame& frame, const std::vector<Outline>& outlines, double z0, double z1);
/// The plane face of the profile at height z, facing frame.z (`up`) or against it.
void addCap(Solid& solid, const Frame& frame, const std::vector<Outline>& outlines, double z, bool up);
/// Sides and both caps.
Solid prism(const Frame& frame, const std::vector<Outline>& outlines, double length);

/// Beams along frame.z, centred on it; the I's web stands along y.
Solid iBeam(const Frame& frame, double height, double width, double flange, double web, double length);
Solid boxBeam(const Frame& frame, double width, double wall, double length);

}  // namespace fitup::models
