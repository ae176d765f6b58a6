#include <models/angle.h>
#include <models/plant/parts.h>
#include <models/solids/prism.h>

namespace fitup::models::plant {
namespace {

/// Cooling fins all round; the motor's body is their section swept along the shaft.
Outline finnedSection(int fins, double root, double tip) {
  Outline outline;
  for (int i = 0; i < fins; ++i) {
    const double a = static_cast<double>(i) / fins, fin = 0.2 / fins, gap = 0.24 / fins;
    const auto corner = [&](double r, double angle, bool first) {
      const double x = r * cosTurns(angle), y = r * sinTurns(angle);
      first ? outline.start(x, y) : outline.lineTo(x, y);
    };
    corner(root, a - gap, i == 0);
    corner(tip, a - fin, false);
    corner(tip, a + fin, false);
    corner(root, a + gap, false);
  }
  return outline.close();
}

/// A block with a hollow for a round housing, across the shaft. `depth` is its foot below the shaft.
Solid cradle(const Frame& shaft, double radius, double halfWidth, double depth, double from, double length) {
  Outline outline;
  const double c = 0.8 * radius, s = -0.6 * radius, alpha = 0.1024163823495667;  // atan(3/4) in turns
  outline.start(-halfWidth, -depth).lineTo(halfWidth, -depth).lineTo(halfWidth, s).lineTo(c, s);
  outline.arcTo(0, 0, radius, -alpha, alpha - 0.5, 8).lineTo(-halfWidth, s).close();
  return prism(shaft.movedTo(0, 0, from), {outline}, length);
}

}  // namespace

PartDescription pump() {
  PartDescription part;
  part.name = "pump";
  part.colour = {0.2F, 0.5F, 0.42F};
  const PipeSize size = matingPipe(24);
  // s runs from the suction flange towards the motor.
  const Vec3 face{spoolCentre.x - spoolHalfLength + matingOverlap, spoolCentre.y, spoolCentre.z};
  const Frame shaft = frameOf(face, {-1, 0, 0}, {0, -1, 0});  // y of this frame is up
  const double front = size.raisedHeight, back = front + size.plate;
  Solid casing;
  Turning(casing, shaft, size.roundness, 0, 90)
      .to(size.inner, 90)
      .to(size.inner, 0)
      .to(size.raised, 0)
      .to(size.raised, front)
      .to(size.rim, front, size.holes)
      .to(size.rim, back)
      .to(size.hub, back, size.holes)
      .to(size.outer, size.flangeLength())
      .to(size.outer, 70)
      .to(150, 70)
      .arc(150, 115, 45, -0.25, 0.25, 8)
      .to(90, 160)
      .to(90, 200)
      .to(60, 260)
      .to(60, 330)
      .to(24, 330)
      .to(24, 400)
      .to(55, 400)
      .to(55, 460)
      .to(24, 460)
      .to(24, 500)
      .to(0, 500)
      .holeWalls(size.holes, front, back);
  part.solids.push_back(std::move(casing));

  const Frame discharge = frameOf({985, face.y, 780}, {0, 0, 1}, {1, 0, 0});
  const PipeSize outlet = processPipe(24);
  Solid neck;
  PipeLayer(neck, outlet, discharge).plainStart().straight(120 - outlet.flangeLength()).flangeEnd();
  part.solids.push_back(std::move(neck));

  part.solids.push_back(prism(shaft.movedTo(0, 0, 502), {finnedSection(10, 116, 136)}, 360));
  Solid fanCover;
  Turning(fanCover, shaft, {16, 1}, 0, 864)
      .to(134, 864)
      .to(134, 920)
      .arc(104, 920, 30, 0, 0.25, 4)
      .to(0, 950);
  part.solids.push_back(std::move(fanCover));
  part.solids.push_back(
      prism(frameOf({430, face.y, 737.5}, {0, 0, 1}, {1, 0, 0}), {Outline::rectangle(-60, -50, 60, 50)}, 80));

  const double plateTop = 250;
  part.solids.push_back(cradle(shaft, 60.5, 70, face.z - plateTop - 1, 270, 50));
  for (const double s : {540.0, 760.0})
    part.solids.push_back(cradle(shaft, 137, 130, face.z - plateTop - 1, s, 60));
  std::vector<Outline> plate{Outline::rectangle(-460, -170, 460, 170)};
  for (const double x : {-430.0, 430.0}) plate.push_back(Outline::hole(x, 145, 11, 8));
  part.solids.push_back(prism({{600, face.y, plateTop - 20}}, plate, 20));
  for (const double x : {220.0, 980.0})
    for (const double y : {-120.0, 120.0})
      part.solids.push_back(
          prism({{x, face.y + y, 0}}, {Outline::rectangle(-35, -35, 35, 35)}, plateTop - 21));
  return part;
}

}  // namespace fitup::models::plant
