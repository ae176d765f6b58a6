#include <models/solids/turning.h>
#include <models/ways_out/scene_maker.h>

namespace fitup::models {

WayOutScene makeBugTrap(double gap) {
  requireBetween("bug-trap", "gap", gap, 1, 1.5, false);
  constexpr double rodRadius = 10, rodLength = 30;
  const double bore = gap * rodRadius, pipe = bore + 4;
  SceneMaker maker("bug-trap");
  Solid drum;
  // Up the outside, down the funnel and the pipe, up behind them, and down the inside of the wall.
  Turning(drum, {}, {48, 2}, 0, 0)
      .to(60, 0)
      .to(60, 100)
      .to(40, 100)
      .to(bore, 70)
      .to(bore, 40)
      .to(pipe, 40)
      .to(pipe, 70)
      .to(40, 95)
      .to(55, 95)
      .to(55, 5)
      .to(0, 5);
  maker.place("trap", restingColour, std::move(drum));
  Solid rod;
  Turning(rod, {{}, {1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {32, 2}, 0, -rodLength / 2)
      .to(rodRadius, -rodLength / 2)
      .to(rodRadius, rodLength / 2)
      .to(0, rodLength / 2);
  // Beside the pipe, on its side.
  constexpr Vec3 start{36, 0, 60};
  const PartId part = maker.part("rod", movedColour, {std::move(rod)});
  const NodeId moved = maker.place("moved", part, movedColour, Transform::translation(start));
  maker.beginWay({moved});
  constexpr double upright = 22.5;  // its middle, halfway between the bottom and the pipe
  maker.shift(0, {0, 0, 24.5 - start.z});
  maker.turn(0, {{start.x, 0, 24.5}, {1, 0, 0}, 90, 0});
  maker.shift(0, {0, 0, upright - 24.5});
  maker.shift(0, {-start.x, 0, 0});
  maker.shift(0, {0, 0, 130 - upright});
  return maker.finish();
}

}  // namespace fitup::models
