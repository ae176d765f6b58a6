#include <models/solids/prism.h>
#include <models/ways_out/scene_maker.h>

namespace fitup::models {

WayOutScene makePeg(double play) {
  requireBetween("peg", "play", play, 0.004, 5, true);  // points are rounded to a grid of 0.001 mm
  constexpr double radius = 10, height = 30;
  constexpr int steps = 48;
  SceneMaker maker("peg");
  maker.place("block", restingColour,
              prism({}, {Outline::rectangle(-30, -30, 30, 30), Outline::hole(0, 0, radius + play / 2, steps)},
                    height));
  Outline circle;
  circle.start(radius, 0).arcTo(0, 0, radius, 0, 1, steps);
  const NodeId moved = maker.place("moved", movedColour, prism({{0, 0, -5}}, {circle}, height + 10));
  maker.beginWay({moved});
  maker.shift(0, {0, 0, 50});
  return maker.finish();
}

}  // namespace fitup::models
