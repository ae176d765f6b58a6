#include <models/solids/turning.h>

#include <cassert>
#include <cmath>

#include <models/angle.h>

namespace fitup::models {

Frame HoleCircle::holeFrame(const Frame& frame, int i) const {
  const double a = firstAngle + static_cast<double>(i) / count;
  return frame.movedTo(circleRadius * cosTurns(a), circleRadius * sinTurns(a), 0);
}

void addZone(Solid& solid, const Frame& frame, Roundness roundness, double r0, double z0, double r1,
             double z1, bool inward) {
  for (int i = 0; i < roundness.pieces; ++i) {
    CurvedFace face;
    face.kind = r0 == r1 ? SurfaceKind::cylinder : SurfaceKind::cone;
    face.frame = frame;
    face.radius = r0;
    face.secondRadius = r1;
    face.u0 = static_cast<double>(i) / roundness.pieces;
    face.u1 = static_cast<double>(i + 1) / roundness.pieces;
    face.uSteps = roundness.steps / roundness.pieces;
    face.v0 = z0;
    face.v1 = z1;
    face.inward = inward;
    solid.add(face);
  }
}

void addRing(Solid& solid, const Frame& frame, Roundness roundness, double outer, double inner,
             const HoleCircle& holes) {
  PlaneFace face;
  face.frame = frame;
  face.loops.push_back(circleLoop(frame, outer, roundness.steps, roundness.pieces));
  if (inner > 0) face.loops.push_back(circleLoop(frame, inner, roundness.steps, roundness.pieces));
  for (int i = 0; i < holes.count; ++i)
    face.loops.push_back(circleLoop(holes.holeFrame(frame, i), holes.holeRadius, holes.steps, 1));
  solid.add(std::move(face));
}

Turning& Turning::to(double r, double z, const HoleCircle& holes) {
  if (z == z_) {
    // Circles keep the frame's own angle, so that their points and seams are those of the walls beside the
    // plane.
    PlaneFace face;
    const Frame level = frame_.movedTo(0, 0, z);
    face.frame = r < r_ ? level : level.flipped();
    face.loops.push_back(circleLoop(level, std::max(r, r_), roundness_.steps, roundness_.pieces));
    if (std::min(r, r_) > 0)
      face.loops.push_back(circleLoop(level, std::min(r, r_), roundness_.steps, roundness_.pieces));
    for (int i = 0; i < holes.count; ++i)
      face.loops.push_back(circleLoop(holes.holeFrame(level, i), holes.holeRadius, holes.steps, 1));
    solid_.add(std::move(face));
  } else if (z > z_) {
    addZone(solid_, frame_, roundness_, r_, z_, r, z, false);
  } else {
    addZone(solid_, frame_, roundness_, r, z, r_, z_, true);
  }
  r_ = r;
  z_ = z;
  return *this;
}

Turning& Turning::arc(double centreR, double centreZ, double radius, double a0, double a1, int steps) {
  for (int i = 0; i < roundness_.pieces; ++i) {
    CurvedFace face;
    face.kind = centreR == 0 ? SurfaceKind::sphere : SurfaceKind::torus;
    face.frame = frame_.movedTo(0, 0, centreZ);
    face.radius = centreR == 0 ? radius : centreR;
    face.secondRadius = centreR == 0 ? 0 : radius;
    face.u0 = static_cast<double>(i) / roundness_.pieces;
    face.u1 = static_cast<double>(i + 1) / roundness_.pieces;
    face.uSteps = roundness_.steps / roundness_.pieces;
    face.v0 = std::min(a0, a1);
    face.v1 = std::max(a0, a1);
    face.vSteps = steps;
    face.inward = a1 < a0;
    solid_.add(face);
  }
  r_ = centreR + radius * cosTurns(a1);
  z_ = centreZ + radius * sinTurns(a1);
  // Ends at the pole of a sphere are exactly on the axis.
  if (std::abs(r_) < 1e-9) r_ = 0;
  return *this;
}

Turning& Turning::holeWalls(const HoleCircle& holes, double zLow, double zHigh) {
  for (int i = 0; i < holes.count; ++i)
    addZone(solid_, holes.holeFrame(frame_, i), {holes.steps, 1}, holes.holeRadius, zLow, holes.holeRadius,
            zHigh, true);
  return *this;
}

}  // namespace fitup::models
