#include <models/angle.h>
#include <models/solids/prism.h>
#include <models/solids/turning.h>
#include <models/ways_out/scene_maker.h>

namespace fitup::models {
namespace {

constexpr double outerRadius = 50, top = 40, floorHeight = 8, cavity = 32, screwRadius = 3;

HoleCircle screwHoles(double play) { return {4, 41, screwRadius + play, 16, 0.125}; }

Solid housing(double play) {
  constexpr double holeBottom = 20;
  const HoleCircle holes = screwHoles(play);
  Solid solid;
  Turning(solid, {}, {48, 2}, 0, 0)
      .to(outerRadius, 0)
      .to(outerRadius, top)
      .to(cavity, top, holes)
      .to(cavity, floorHeight)
      .to(0, floorHeight)
      .holeWalls(holes, holeBottom, top);
  for (int i = 0; i < holes.count; ++i)
    addRing(solid, holes.holeFrame(Frame{{0, 0, holeBottom}}, i), {holes.steps, 1}, holes.holeRadius, 0);
  return solid;
}

/// Its lower face is the plane z = 0.
Solid cover(double play) {
  const HoleCircle holes = screwHoles(play);
  Solid solid;
  Turning(solid, {}, {48, 2}, 0, 0)
      .to(outerRadius, 0, holes)
      .to(outerRadius, 6)
      .to(14, 6, holes)
      .to(14, 12)
      .to(0, 12)
      .holeWalls(holes, 0, 6);
  return solid;
}

/// The plane z = 0 is that below its head.
Solid screw() {
  Solid solid;
  Turning(solid, {}, {16, 1}, 0, -22).to(screwRadius, -22).to(screwRadius, 0).to(5.5, 0).to(5.5, 5).to(0, 5);
  return solid;
}

/// A hub with six vanes.
Solid rotor(double play) {
  constexpr int vanes = 6;
  const double tip = cavity - play, height = top - floorHeight - 2 * play;
  Outline outline;
  for (int i = 0; i < vanes; ++i)
    for (const auto& [radius, angle] : {std::pair{10.0, -0.04}, {tip, -0.01}, {tip, 0.01}, {10.0, 0.04}}) {
      const double a = static_cast<double>(i) / vanes + angle;
      const double x = radius * cosTurns(a), y = radius * sinTurns(a);
      if (outline.edges().empty() && i == 0 && angle == -0.04)
        outline.start(x, y);
      else
        outline.lineTo(x, y);
    }
  outline.close();
  return prism({{0, 0, floorHeight + play}}, {outline, Outline::hole(0, 0, 5, 16)}, height);
}

}  // namespace

WayOutScene makePumpCover(double play) {
  requireBetween("pump-cover", "play", play, 0.2, 1.5, true);
  SceneMaker maker("pump-cover");
  maker.place("housing", restingColour, housing(play));
  const NodeId wheel = maker.place("rotor", movedColour, rotor(play));
  constexpr Colour coverColour{0.5F, 0.6F, 0.7F, 1}, screwColour{0.4F, 0.42F, 0.45F, 1};
  const NodeId lid = maker.place("cover", maker.part("cover", coverColour, {cover(play)}), coverColour,
                                 Transform::translation({0, 0, top + play}));
  const PartId screwPart = maker.part("screw", screwColour, {screw()});
  const HoleCircle holes = screwHoles(play);
  std::vector<NodeId> moved;
  for (int i = 0; i < holes.count; ++i) {
    const Frame hole = holes.holeFrame(Frame{{0, 0, top + 6 + 2 * play}}, i);
    moved.push_back(maker.place("screw-" + std::to_string(i + 1), screwPart, screwColour,
                                Transform::translation(hole.origin)));
  }
  moved.push_back(lid);
  moved.push_back(wheel);
  maker.beginWay(moved);
  for (std::size_t i = 0; i < 4; ++i) maker.shift(i, {0, 0, 200});
  maker.shift(4, {0, 0, 100});
  maker.shift(5, {0, 0, 50});
  return maker.finish();
}

}  // namespace fitup::models
