#include <cmath>

#include <models/angle.h>
#include <models/solids/piping.h>
#include <models/ways_out/scene_maker.h>

// Two equal links with an opening, each a rounded rectangle of round tube. The ends of the tube face each
// other across the opening, on one axis. This differs from the tubes of the alpha puzzle, whose legs cross:
// two such crossings pass through each other askew while the gap is smaller than the tube, so that no factor
// is certain to lock them. Here the factor decides:
//
// Gap above the diameter: `makeAlpha` gives a way. The second link hooks into the first with its closed short
// side, askew. It is shifted to the middle of the first, turned until its plane is square to that of the
// first, and drawn along both. Then its closed side leaves through the opening of the first link while the
// closed side of the first leaves through its own. Askew by 45 degrees, the closed side fits through an
// opening of d (1 + sqrt(2)) only.
//
// Gap g below the diameter d: the links do not come apart. Let C be the centre line of a link, closed by the
// segment s across the opening, and let C' and s' be those of the other link. C and C' are linked once, and
// apart they would not be, so at some time they intersect. The links overlap then:
// - The two centre lines intersect, which is an overlap.
// - C' crosses s at x, at least d / 2 along the tube from both of its ends. The ball of radius d / 2 about x
//   lies in the tube, and one of the ends of the first link is within g / 2 < d / 2 of x.
// - C' crosses s at x, nearer to an end or in s'. Their straight ends are 1.8 d long. Look at the plane of
//   the axes of both openings. There, the ends of the first link are the strips of width d from a1 on in
//   direction a, and from a2 on in direction -a, with a1 + a2 = g. Those of the other link begin at b1 and b2
//   in the directions b and -b, where b1 + b2 = g in s'. Inside an end, there is only b1, from -d / 2 to 0.
//   Let p be the angle of a and b, at most 90 degrees by choice of signs, and T = tan(p / 2) <= 1.
//   - a1, b1 <= g / 2 (or a2, b2). If b1 >= a1, the corner of the strip b that is nearer to a has the
//     coordinate b1 cos p + d / 2 sin p >= b1 (cos p + sin p) >= a1 along a, and is within d / 2 of the axis:
//     it lies in the strip a. If a1 >= b1, exchange the two.
//   - a1, b2 <= g / 2 (or a2, b1). The same corners lie in the other strip as long as g - b2 <= d / (2 T), or
//     g - a1 <= d / (2 T). Otherwise a1 and b2 are below (d / 2) (2 - 1 / T) <= (d / 2) T, because
//     T + 1 / T >= 2. Then the corner of the strip -b at the side of a is within d / 2 of the axis of a, and
//     its coordinate along a is at least a1: a1 + b2 cos p <= (d / 2) (2 - 1 / T) 2 / (1 + T^2)
//     <= (d / 2) 2 T / (1 + T^2) = (d / 2) sin p.
//   - b1 inside an end. The corner of the strip a at the side of b lies in the strip b if a1 <= d / (2 T).
//     Otherwise a2 < (d / 2) T as before, and the corner of the strip -a does.
// The triangles contain round tubes of 0.968 d about the same lines, with the same ends, so for them this
// holds up to a gap of 0.968 d.

namespace fitup::models {
namespace {

constexpr double tubeDiameter = 10, linkBend = 15, longSide = 80, endLength = 18;
/// From the middle of a link to the centre line of its short sides.
constexpr double reach = longSide / 2 + linkBend;

/// In the plane z = 0, the opening at x = -reach.
Solid openLink(double gap) {
  // The ends lie exactly on the grid.
  const double half = std::round(gap * tubeDiameter / 2 / coordinateGrid) * coordinateGrid;
  PipeSize size;
  size.outer = tubeDiameter / 2;
  size.inner = 0;
  size.roundness = {20, 2};
  constexpr int bendSteps = 8;
  Solid solid;
  PipeLayer(solid, size, {{-reach, half, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}})
      .plainStart()
      .straight(endLength)
      .bend({1, 0, 0}, linkBend, bendSteps)
      .straight(longSide)
      .bend({0, -1, 0}, linkBend, bendSteps)
      .straight(2 * (half + endLength))
      .bend({-1, 0, 0}, linkBend, bendSteps)
      .straight(longSide)
      .bend({0, 1, 0}, linkBend, bendSteps)
      .straight(endLength)
      .plainEnd();
  return solid;
}

}  // namespace

WayOutScene makeAlpha(double gap) {
  requireBetween("alpha", "gap", gap, 0, 2, false);
  SceneMaker maker("alpha");
  const PartId link = maker.part("link", restingColour, {openLink(gap)});
  maker.place("fixed", link, restingColour);
  // The closed short side of the second link is 4 mm off that of the first one along x, and askew in the
  // plane of y and z.
  constexpr double start = reach - tubeDiameter - 4;
  constexpr Vec3 offset{0, 6, -5};
  const double h = cosTurns(0.125);
  Transform hooked = Transform::translation(Vec3{start + reach, 0, 0} + offset);
  hooked.m = {{{-1, 0, 0}, {0, -h, h}, {0, h, h}}};
  const NodeId moved = maker.place("moved", link, movedColour, hooked);
  if (gap > 1) {
    maker.beginWay({moved});
    maker.shift(0, -offset);
    maker.turn(0, {{}, {1, 0, 0}, -45, 0});
    maker.shift(0, {-start, 0, 0});
    maker.shift(0, {-300, 0, 0});
  }
  return maker.finish();
}

}  // namespace fitup::models
