#include <models/solids/prism.h>

#include <models/angle.h>

namespace fitup::models {

Outline& Outline::start(double x, double y) {
  startX_ = x_ = x;
  startY_ = y_ = y;
  return *this;
}

Outline& Outline::lineTo(double x, double y) {
  Edge edge;
  edge.x0 = x_;
  edge.y0 = y_;
  edge.x1 = x_ = x;
  edge.y1 = y_ = y;
  edges_.push_back(edge);
  return *this;
}

Outline& Outline::arcTo(double cx, double cy, double radius, double a0, double a1, int steps) {
  Edge edge;
  edge.x0 = x_;
  edge.y0 = y_;
  edge.cx = cx;
  edge.cy = cy;
  edge.radius = radius;
  edge.a0 = a0;
  edge.a1 = a1;
  edge.steps = steps;
  edge.x1 = x_ = cx + radius * cosTurns(a1);
  edge.y1 = y_ = cy + radius * sinTurns(a1);
  edges_.push_back(edge);
  return *this;
}

Outline& Outline::close() { return lineTo(startX_, startY_); }

Outline Outline::hole(double cx, double cy, double radius, int steps) {
  Outline outline;
  outline.start(cx + radius, cy).arcTo(cx, cy, radius, 1, 0, steps);
  return outline;
}

Outline Outline::rectangle(double x0, double y0, double x1, double y1) {
  Outline outline;
  outline.start(x0, y0).lineTo(x1, y0).lineTo(x1, y1).lineTo(x0, y1).close();
  return outline;
}

Outline Outline::rectangularHole(double x0, double y0, double x1, double y1) {
  Outline outline;
  outline.start(x0, y0).lineTo(x0, y1).lineTo(x1, y1).lineTo(x1, y0).close();
  return outline;
}

Outline Outline::regularPolygon(int corners, double inradius) {
  const double radius = inradius / cosTurns(0.5 / corners);
  Outline outline;
  outline.start(radius, 0);
  for (int i = 1; i < corners; ++i) {
    const double a = static_cast<double>(i) / corners;
    outline.lineTo(radius * cosTurns(a), radius * sinTurns(a));
  }
  outline.close();
  return outline;
}

Loop Outline::loopAt(const Frame& frame, double height) const {
  Loop loop;
  for (const Edge& e : edges_) {
    LoopEdge edge;
    edge.start = frame.at(e.x0, e.y0, height);
    edge.end = frame.at(e.x1, e.y1, height);
    edge.frame = frame.movedTo(e.cx, e.cy, height);
    edge.radius = e.radius;
    edge.a0 = e.a0;
    edge.a1 = e.a1;
    edge.steps = e.steps;
    loop.push_back(edge);
  }
  return loop;
}

void addSides(Solid& solid, const Frame& frame, const std::vector<Outline>& outlines, double z0, double z1) {
  for (const Outline& outline : outlines)
    for (const Outline::Edge& e : outline.edges()) {
      if (e.steps > 0) {
        CurvedFace face;
        face.kind = SurfaceKind::cylinder;
        face.frame = frame.movedTo(e.cx, e.cy, 0);
        face.radius = face.secondRadius = e.radius;
        face.u0 = std::min(e.a0, e.a1);
        face.u1 = std::max(e.a0, e.a1);
        face.uSteps = e.steps;
        face.v0 = z0;
        face.v1 = z1;
        face.inward = e.a1 < e.a0;
        solid.add(face);
        continue;
      }
      const Vec3 a = frame.at(e.x0, e.y0, z0), b = frame.at(e.x1, e.y1, z0);
      PlaneFace face;
      face.frame.origin = a;
      face.frame.x = normalized(b - a);
      face.frame.y = frame.z;
      face.frame.z = cross(face.frame.x, face.frame.y);
      face.loops.push_back(polygonLoop({a, b, frame.at(e.x1, e.y1, z1), frame.at(e.x0, e.y0, z1)}));
      solid.add(std::move(face));
    }
}

void addCap(Solid& solid, const Frame& frame, const std::vector<Outline>& outlines, double z, bool up) {
  PlaneFace face;
  face.frame = frame.movedTo(0, 0, z);
  if (!up) face.frame = face.frame.flipped();
  for (const Outline& outline : outlines) face.loops.push_back(outline.loopAt(frame, z));
  solid.add(std::move(face));
}

Solid prism(const Frame& frame, const std::vector<Outline>& outlines, double length) {
  Solid solid;
  addCap(solid, frame, outlines, 0, false);
  addSides(solid, frame, outlines, 0, length);
  addCap(solid, frame, outlines, length, true);
  return solid;
}

Solid iBeam(const Frame& frame, double height, double width, double flange, double web, double length) {
  const double h = height / 2, w = width / 2, t = web / 2, i = h - flange;
  Outline outline;
  outline.start(-w, -h).lineTo(w, -h).lineTo(w, -i).lineTo(t, -i).lineTo(t, i).lineTo(w, i).lineTo(w, h);
  outline.lineTo(-w, h).lineTo(-w, i).lineTo(-t, i).lineTo(-t, -i).lineTo(-w, -i).close();
  return prism(frame, {outline}, length);
}

Solid boxBeam(const Frame& frame, double width, double wall, double length) {
  const double w = width / 2, i = w - wall;
  return prism(frame, {Outline::rectangle(-w, -w, w, w), Outline::rectangularHole(-i, -i, i, i)}, length);
}

}  // namespace fitup::models
