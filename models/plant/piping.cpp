#include <models/plant/parts.h>
#include <models/solids/prism.h>

namespace fitup::models::plant {
namespace {

constexpr double bendRadius = 152;  // 1.5 times the nominal diameter

/// A block clamped round a pipe, square to it, with half a millimetre of play.
Solid clamp(const Frame& pipe, const PipeSize& size, double halfWidth, double thickness) {
  return prism(pipe.movedTo(0, 0, -thickness / 2),
               {Outline::rectangle(-halfWidth, -halfWidth, halfWidth, halfWidth),
                Outline::hole(0, 0, size.outer + 0.5, 24)},
               thickness);
}

}  // namespace

PipeSize processPipe(int steps) {
  PipeSize size;
  size.roundness = {steps, 1};
  return size;
}

PipeSize matingPipe(int steps) {
  PipeSize size = processPipe(steps);
  size.raised = 71;
  return size;
}

void boltFlanges(PartDescription& part, const Frame& frame, const PipeSize& size, double gap, int steps) {
  const double play = 0.3, thickness = size.raisedHeight + size.plate + play;
  const double radius = size.holes.holeRadius - 1;
  addBolts(part.solids, frame.movedTo(0, 0, -thickness), size.holes, radius, 2 * thickness + gap, steps);
}

PartDescription suctionLine() {
  PartDescription part;
  part.name = "suction-line";
  part.colour = {0.3F, 0.45F, 0.75F};
  const PipeSize size = matingPipe(24);
  const Frame start = frameOf({3300, 1000, 520 - gasket}, {0, 0, -1}, {1, 0, 0});
  const double face = spoolCentre.x + spoolHalfLength - matingOverlap;
  const double level = 260;
  Solid pipe;
  PipeLayer layer(pipe, size, start);
  layer.flangeStart().straight(520 - gasket - size.flangeLength() - level - bendRadius);
  layer.bend({-1, 0, 0}, bendRadius, 5).straight(900 - 2 * bendRadius);
  layer.bend({0, -1, 0}, bendRadius, 5).straight(500 - 2 * bendRadius);
  layer.bend({0, 0, 1}, bendRadius, 5).straight(spoolCentre.z - level - 2 * bendRadius);
  layer.bend({-1, 0, 0}, bendRadius, 5).straight(2400 - bendRadius - face - size.flangeLength()).flangeEnd();
  part.solids.push_back(std::move(pipe));

  // Two supports: a clamp on a post with a foot.
  const Vec3 supports[] = {{2850, 1000, level}, {1960, spoolCentre.y, spoolCentre.z}};
  for (const Vec3& at : supports) {
    part.solids.push_back(clamp(frameOf(at, {1, 0, 0}, {0, 1, 0}), size, 75, 40));
    part.solids.push_back(prism({{at.x, at.y, 13}}, {Outline::rectangle(-25, -25, 25, 25)}, at.z - 75 - 14));
    part.solids.push_back(prism({{at.x, at.y, 0}}, {Outline::rectangle(-70, -70, 70, 70)}, 12));
  }
  return part;
}

PartDescription dischargeLine() {
  PartDescription part;
  part.name = "discharge-line";
  part.colour = {0.7F, 0.3F, 0.28F};
  const PipeSize size = processPipe(24);
  const Vec3 from{985, 500, 900 + gasket};
  const double drumFace = 520 - gasket, run = 1180, riser = 250, drumY = 1200, drumZ = 2000;
  const Frame start = frameOf(from, {0, 0, 1}, {1, 0, 0});
  Solid pipe;
  PipeLayer layer(pipe, size, start);
  layer.flangeStart().straight(run - bendRadius - from.z - size.flangeLength());
  layer.bend({-1, 0, 0}, bendRadius, 5).straight(from.x - riser - 2 * bendRadius);
  layer.bend({0, 0, 1}, bendRadius, 5).straight(drumZ - run - 2 * bendRadius);
  layer.bend({0, 1, 0}, bendRadius, 5).straight(drumY - from.y - 2 * bendRadius);
  layer.bend({1, 0, 0}, bendRadius, 5)
      .straight(drumFace - riser - bendRadius - size.flangeLength())
      .flangeEnd();
  part.solids.push_back(std::move(pipe));
  boltFlanges(part, start.movedTo(0, 0, -gasket), size, gasket, 8);

  // The riser is held by a clamp on an arm from the end beam of the frame.
  part.solids.push_back(clamp({{riser, from.y, 1400}}, size, 75, 40));
  part.solids.push_back(
      boxBeam(frameOf({102, from.y, 1400}, {1, 0, 0}, {0, 1, 0}), 60, 5, riser - 75 - 102 - 1));
  return part;
}

PartDescription spool(double halfLength) {
  PartDescription part;
  part.name = "spool";
  part.colour = {0.85F, 0.2F, 0.15F};
  part.worldFromPart = Transform::translation(spoolCentre);
  const PipeSize size = processPipe(40);
  const double body = 170, straight = (2 * halfLength - 2 * size.flangeLength() - body) / 2;
  const Roundness round{32, 1};
  Solid solid;
  PipeLayer layer(solid, size, frameOf({-halfLength, 0, 0}, {1, 0, 0}, {0, 1, 0}));
  layer.flangeStart()
      .straight(straight)
      .valveBody(body, body, {0, 0, 1}, 46, round)
      .straight(straight)
      .flangeEnd();

  // Bonnet, stem and hand wheel grow from the opening of the body. The rim meets the web where its section
  // has a 3-4-5 triangle.
  const HoleCircle bonnetHoles{6, 60, 5, 8, 0}, windows{5, 72, 22, 12, 0};
  const double alpha = 0.1024163823495667;  // atan(3/4) in turns
  Turning(solid, layer.opening(), round, 46, 0)
      .to(46, 30)
      .to(72, 30, bonnetHoles)
      .to(72, 44)
      .to(36, 44, bonnetHoles)
      .to(36, 100)
      .to(22, 128)
      .to(12, 128)
      .to(12, 190)
      .to(30, 190)
      .to(30, 200)
      .to(110, 200, windows)
      .arc(120, 207.5, 12.5, 0.5 + alpha, 1.5 - alpha, 8)
      .to(30, 215, windows)
      .to(30, 228)
      .to(14, 228)
      .to(14, 245)
      .to(0, 245)
      .holeWalls(bonnetHoles, 30, 44)
      .holeWalls(windows, 200, 215);
  part.solids.push_back(std::move(solid));
  return part;
}

}  // namespace fitup::models::plant
