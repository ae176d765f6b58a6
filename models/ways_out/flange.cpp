#include <models/solids/piping.h>
#include <models/solids/turning.h>
#include <models/ways_out/scene_maker.h>

namespace fitup::models {

WayOutScene makeFlange(double gap) {
  requireBetween("flange", "gap", gap, 1.08, 1.5, true);
  PipeSize size;
  size.outer = 10;
  size.inner = 8;
  size.rim = 25;
  size.plate = 5;
  size.hub = 13;
  size.hubLength = 6;
  size.raised = 17;
  size.raisedHeight = 1;
  size.holes = {4, 20.5, 2.5, 8, 0.125};
  size.roundness = {32, 2};
  constexpr double bendRadius = 40, leg = 60;
  SceneMaker maker("flange");
  Solid pipe;
  PipeLayer layer(pipe, size, Frame().alongX());
  layer.flangeStart().straight(leg);
  const Vec3 bendStart = layer.cursor().origin;
  layer.bend({0, 1, 0}, bendRadius, 12).straight(leg).plainEnd();
  maker.place("pipe", restingColour, std::move(pipe));

  // The hole of the ring is 12 mm long: in the bend, the pipe reaches out to 10.62 mm from its axis.
  const double hole = gap * size.outer;
  constexpr double start = 24;
  Solid ring;
  Turning(ring, Frame{{start, 0, 0}}.alongX(), {48, 2}, hole, 0)
      .to(25, 0)
      .to(25, 6)
      .to(17, 6)
      .to(17, 12)
      .to(hole, 12)
      .to(hole, 0);
  const NodeId moved = maker.place("moved", movedColour, std::move(ring));
  maker.beginWay({moved});
  maker.shift(0, {bendStart.x - (start + 6), 0, 0});
  maker.turn(0, {{bendStart.x, bendRadius, 0}, {0, 0, 1}, 90, 0});
  maker.shift(0, {0, 2 * leg, 0});
  return maker.finish();
}

WayOutScene makeRingOnLoop() {
  const auto loop = [](const Frame& frame, double radius, double tube, int around, int across) {
    CurvedFace face;
    face.kind = SurfaceKind::torus;
    face.frame = frame;
    face.radius = radius;
    face.secondRadius = tube;
    face.uSteps = around;
    face.vSteps = across;
    Solid solid;
    solid.add(face);
    return solid;
  };
  SceneMaker maker("ring");
  maker.place("loop", restingColour, loop({}, 40, 5, 48, 16));
  maker.place("moved", movedColour, loop(Frame{{40, 0, 0}}.alongY(), 12, 3, 32, 16));
  return maker.finish();
}

}  // namespace fitup::models
