#include <models/solids/piping.h>

#include <cmath>

#include <models/angle.h>
#include <models/solids/prism.h>

namespace fitup::models {

PipeLayer& PipeLayer::plainStart() {
  PlaneFace face;
  face.frame = cursor_.flipped();
  for (const double r : {size_.outer, size_.inner})
    if (r > 0) face.loops.push_back(circleLoop(cursor_, r, size_.roundness.steps, size_.roundness.pieces));
  solid_.add(std::move(face));
  return *this;
}

PipeLayer& PipeLayer::plainEnd() {
  addRing(solid_, cursor_, size_.roundness, size_.outer, size_.inner);
  return *this;
}

void PipeLayer::flange(const Frame& towardsFace) {
  const double back = size_.hubLength, front = back + size_.plate, face = front + size_.raisedHeight;
  Turning(solid_, towardsFace, size_.roundness, size_.outer, 0)
      .to(size_.hub, back)
      .to(size_.rim, back, size_.holes)
      .to(size_.rim, front)
      .to(size_.raised, front, size_.holes)
      .to(size_.raised, face)
      .to(size_.inner, face)
      .to(size_.inner, 0)
      .holeWalls(size_.holes, back, front);
}

PipeLayer& PipeLayer::flangeStart() {
  cursor_ = cursor_.movedTo(0, 0, size_.flangeLength());
  flange(cursor_.flipped());
  return *this;
}

PipeLayer& PipeLayer::flangeEnd() {
  flange(cursor_);
  cursor_ = cursor_.movedTo(0, 0, size_.flangeLength());
  return *this;
}

PipeLayer& PipeLayer::straight(double length) {
  addZone(solid_, cursor_, size_.roundness, size_.outer, 0, size_.outer, length, false);
  if (size_.inner > 0) addZone(solid_, cursor_, size_.roundness, size_.inner, 0, size_.inner, length, true);
  cursor_ = cursor_.movedTo(0, 0, length);
  return *this;
}

PipeLayer& PipeLayer::bend(const Vec3& direction, double radius, int steps) {
  const Vec3 axis = cross(cursor_.z, direction);
  const Frame centre{cursor_.origin + direction * radius, -direction, cursor_.z, axis};
  // The tube angle v of the torus and the angle a of the pipe's ring are related by a = beta + 1/2 - v, where
  // beta is the angle of `direction` in the ring; the pieces keep the ring's seams.
  const double c = dot(direction, cursor_.x), s = dot(direction, cursor_.y);
  const double beta = std::abs(c) > std::abs(s) ? (c > 0 ? 0.0 : 0.5) : (s > 0 ? 0.25 : 0.75);
  for (const bool inward : {false, true})
    for (int i = 0; i < size_.roundness.pieces && (!inward || size_.inner > 0); ++i) {
      CurvedFace face;
      face.kind = SurfaceKind::torus;
      face.frame = centre;
      face.radius = radius;
      face.secondRadius = inward ? size_.inner : size_.outer;
      face.u0 = 0;
      face.u1 = 0.25;
      face.uSteps = steps;
      face.v1 = beta + 0.5 - static_cast<double>(i) / size_.roundness.pieces;
      face.v0 = beta + 0.5 - static_cast<double>(i + 1) / size_.roundness.pieces;
      face.vSteps = size_.roundness.steps / size_.roundness.pieces;
      face.inward = inward;
      solid_.add(face);
    }
  // A quarter turn about the axis takes z to direction and direction to -z.
  const auto turned = [&](const Vec3& a) {
    return axis * dot(a, axis) + direction * dot(a, cursor_.z) - cursor_.z * dot(a, direction);
  };
  cursor_ = {centre.origin + cursor_.z * radius, turned(cursor_.x), turned(cursor_.y), direction};
  return *this;
}

PipeLayer& PipeLayer::valveBody(double length, double width, const Vec3& side, double neck,
                                Roundness neckRoundness) {
  const Frame square{cursor_.origin, cross(side, cursor_.z), side, cursor_.z};  // y towards the bonnet
  const double w = width / 2;
  const auto corners = [&](double z) {
    return polygonLoop({square.at(-w, -w, z), square.at(w, -w, z), square.at(w, w, z), square.at(-w, w, z)});
  };
  const Frame far = cursor_.movedTo(0, 0, length);
  for (const bool end : {false, true}) {
    const Frame& ring = end ? far : cursor_;
    PlaneFace face;
    face.frame = end ? ring : ring.flipped();
    face.loops = {corners(end ? length : 0),
                  circleLoop(ring, size_.outer, size_.roundness.steps, size_.roundness.pieces)};
    solid_.add(std::move(face));
  }
  opening_ = {square.at(0, w, length / 2), cursor_.z, square.x, side};
  addSides(solid_, square, {Outline::rectangle(-w, -w, w, w)}, 0, length);
  auto& top = std::get<PlaneFace>(solid_.faces[solid_.faces.size() - 2]);  // the edge from (w, w) to (-w, w)
  top.loops.push_back(circleLoop(opening_, neck, neckRoundness.steps, neckRoundness.pieces));
  addZone(solid_, cursor_, size_.roundness, size_.inner, 0, size_.inner, length, true);
  cursor_ = far;
  return *this;
}

Solid bolt(const Frame& frame, double radius, double grip, int steps) {
  Solid solid;
  const double across = 1.5 * radius, height = 1.6 * radius, stub = 0.8 * radius;
  const Outline hexagon = Outline::regularPolygon(6, across);
  Outline shank;
  shank.start(radius, 0).arcTo(0, 0, radius, 1, 0, steps);
  addCap(solid, frame, {hexagon}, grip + height, true);
  addSides(solid, frame, {hexagon}, grip, grip + height);
  addCap(solid, frame, {hexagon, shank}, grip, false);
  addZone(solid, frame, {steps, 1}, radius, 0, radius, grip, false);
  addCap(solid, frame, {hexagon, shank}, 0, true);
  addSides(solid, frame, {hexagon}, -height, 0);
  addCap(solid, frame, {hexagon, shank}, -height, false);
  addZone(solid, frame, {steps, 1}, radius, -height - stub, radius, -height, false);
  PlaneFace end;
  const Frame tip = frame.movedTo(0, 0, -height - stub);
  end.frame = tip.flipped();
  end.loops = {circleLoop(tip, radius, steps, 1)};
  solid.add(std::move(end));
  return solid;
}

void addBolts(std::vector<Solid>& solids, const Frame& frame, const HoleCircle& holes, double radius,
              double grip, int steps) {
  for (int i = 0; i < holes.count; ++i)
    solids.push_back(bolt(holes.holeFrame(frame, i), radius, grip, steps));
}

Solid blindFlange(const Frame& frame, const PipeSize& size) {
  Solid solid;
  const double top = size.raisedHeight + size.plate;
  Turning(solid, frame, size.roundness, 0, 0)
      .to(size.raised, 0)
      .to(size.raised, size.raisedHeight)
      .to(size.rim, size.raisedHeight, size.holes)
      .to(size.rim, top)
      .to(0, top, size.holes)
      .holeWalls(size.holes, size.raisedHeight, top);
  return solid;
}

}  // namespace fitup::models
