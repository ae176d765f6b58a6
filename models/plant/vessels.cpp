#include <cmath>

#include <models/plant/parts.h>
#include <models/solids/prism.h>

namespace fitup::models::plant {
namespace {

/// A vessel of revolution with torispherical heads whose centres make a 3-4-5 triangle: knuckle centres lie
/// 3k from the axis, crown centres 4k behind the tangent line, crown radius - knuckle radius = 5k.
struct Vessel {
  double radius, knuckle, wall;
  double firstTangent, lastTangent;  ///< heights of the tangent lines along the axis
  double firstFace, lastFace;        ///< raised faces of the two nozzles on the axis
  int crownSteps, knuckleSteps;
};

constexpr double tangentAngle = 0.14758361765043326;  // atan(4/3) in turns
constexpr double turn = 6.283185307179586476925286766559;

Solid shell(const Frame& frame, const Vessel& v, const PipeSize& nozzle) {
  const double k3 = v.radius - v.knuckle, k4 = k3 * 4 / 3, crown = k3 * 5 / 3 + v.knuckle;
  const double innerCrown = crown - v.wall, innerKnuckle = v.knuckle - v.wall;
  const double outerEnd = std::acos(nozzle.outer / crown) / turn,
               innerEnd = std::acos(nozzle.inner / innerCrown) / turn;
  const double lowCentre = v.firstTangent + k4, highCentre = v.lastTangent - k4;
  const double f = v.firstFace, l = v.lastFace, h = nozzle.raisedHeight, p = h + nozzle.plate,
               e = nozzle.flangeLength();
  Solid solid;
  Turning turning(solid, frame, nozzle.roundness, nozzle.inner, f);
  turning.to(nozzle.raised, f)
      .to(nozzle.raised, f + h)
      .to(nozzle.rim, f + h, nozzle.holes)
      .to(nozzle.rim, f + p)
      .to(nozzle.hub, f + p, nozzle.holes)
      .to(nozzle.outer, f + e)
      .to(nozzle.outer, lowCentre - crown * std::sin(outerEnd * turn))
      .arc(0, lowCentre, crown, -outerEnd, -tangentAngle, v.crownSteps)
      .arc(k3, v.firstTangent, v.knuckle, -tangentAngle, 0, v.knuckleSteps)
      .to(v.radius, v.lastTangent)
      .arc(k3, v.lastTangent, v.knuckle, 0, tangentAngle, v.knuckleSteps)
      .arc(0, highCentre, crown, tangentAngle, outerEnd, v.crownSteps)
      .to(nozzle.outer, l - e)
      .to(nozzle.hub, l - p)
      .to(nozzle.rim, l - p, nozzle.holes)
      .to(nozzle.rim, l - h)
      .to(nozzle.raised, l - h, nozzle.holes)
      .to(nozzle.raised, l)
      .to(nozzle.inner, l)
      .to(nozzle.inner, highCentre + innerCrown * std::sin(innerEnd * turn))
      .arc(0, highCentre, innerCrown, innerEnd, tangentAngle, v.crownSteps)
      .arc(k3, v.lastTangent, innerKnuckle, tangentAngle, 0, v.knuckleSteps)
      .to(v.radius - v.wall, v.firstTangent)
      .arc(k3, v.firstTangent, innerKnuckle, 0, -tangentAngle, v.knuckleSteps)
      .arc(0, lowCentre, innerCrown, -tangentAngle, -innerEnd, v.crownSteps)
      .to(nozzle.inner, f)
      .holeWalls(nozzle.holes, f + h, f + p)
      .holeWalls(nozzle.holes, l - p, l - h);
  return solid;
}

/// A nozzle that stands on the shell: a solid of its own whose inner end is sunk into the wall, as a weld
/// would join it.
Solid nozzle(const Frame& start, const PipeSize& size, double length) {
  Solid solid;
  PipeLayer(solid, size, start).plainStart().straight(length - size.flangeLength()).flangeEnd();
  return solid;
}

void closeNozzle(PartDescription& part, const Frame& face, const PipeSize& size) {
  part.solids.push_back(blindFlange(face.movedTo(0, 0, gasket), size));
}

}  // namespace

PartDescription tank() {
  PartDescription part;
  part.name = "tank";
  part.colour = {0.55F, 0.65F, 0.72F};
  part.worldFromPart = Transform::translation({3300, 1000, 0});
  const PipeSize pipe = processPipe(28);
  const Vessel vessel{450, 60, 8, 800, 1900, 520, 2180, 3, 2};
  part.solids.push_back(shell({}, vessel, pipe));
  closeNozzle(part, Frame{{0, 0, vessel.lastFace}}, pipe);

  PipeSize manway;
  manway.outer = 200;
  manway.inner = 190;
  manway.rim = 275;
  manway.plate = 24;
  manway.hub = 212;
  manway.hubLength = 24;
  manway.raised = 228;
  manway.holes = {8, 252, 11, 8, 0.0625};
  manway.roundness = {24, 1};
  const Frame towardsFront = frameOf({0, -385, 1250}, {0, -1, 0}, {1, 0, 0});
  part.solids.push_back(nozzle(towardsFront, manway, 175));
  closeNozzle(part, towardsFront.movedTo(0, 0, 175), manway);

  for (int i = 0; i < 4; ++i) {
    const double s = 0.70710678118654752440;
    const Vec3 out{(i == 0 || i == 3) ? s : -s, i < 2 ? s : -s, 0};
    const Frame leg = frameOf(out * 491 + Vec3{0, 0, 16}, {0, 0, 1}, out);
    part.solids.push_back(prism(leg.movedTo(0, 0, -16), {Outline::rectangle(-80, -80, 80, 80)}, 15));
    part.solids.push_back(prism(leg, {Outline::rectangle(-40, -40, 40, 40)}, 1000));
  }
  return part;
}

PartDescription drum() {
  PartDescription part;
  part.name = "drum";
  part.colour = {0.45F, 0.6F, 0.5F};
  // Drawn upright and laid down: the part's z runs along the plant.
  part.worldFromPart = {{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {520, 1200, 2000}};
  const PipeSize pipe = processPipe(28);
  const Vessel vessel{350, 50, 8, 240, 1240, 0, 1462, 3, 2};
  part.solids.push_back(shell({}, vessel, pipe));
  closeNozzle(part, Frame{{0, 0, vessel.lastFace}}, pipe);

  const Frame up = frameOf({0, 330, 580}, {0, 1, 0}, {1, 0, 0});
  part.solids.push_back(nozzle(up, pipe, 120));

  for (const double z : {340.0, 1020.0}) {
    Outline saddle;
    const double r = 354, x = r * 0.86602540378443864676, y = -r / 2;
    saddle.start(-280, -518).lineTo(280, -518).lineTo(x, y).arcTo(0, 0, r, -1.0 / 12, -5.0 / 12, 10).close();
    part.solids.push_back(prism({{0, 0, z}}, {saddle}, 80));
  }
  return part;
}

}  // namespace fitup::models::plant
