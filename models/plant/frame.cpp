#include <models/plant/parts.h>
#include <models/solids/prism.h>

namespace fitup::models::plant {
namespace {

constexpr double columnWidth = 120, weldGap = 2, beamHeight = 160, beamWidth = 80;
constexpr double columnX[] = {60, 2100, 4140}, columnY[] = {60, 1940};
constexpr double baseLevel = 102, midLevel = 1400, topLevel = 2520;

/// A beam between two points on its centre line, web upright.
Solid beam(const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const Frame start = frameOf(from, along, cross(Vec3{0, 0, 1}, along));
  return iBeam(start, beamHeight, beamWidth, 8, 6, norm(along));
}

Solid hollowBeam(const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  return boxBeam(frameOf(from, along, cross(Vec3{0, 0, 1}, along)), columnWidth, 8, norm(along));
}

/// A square bar as a diagonal.
Solid brace(const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  return prism(frameOf(from, along, cross(Vec3{0, 0, 1}, along)), {Outline::rectangle(-25, -25, 25, 25)},
               norm(along));
}

Solid tube(const Vec3& from, const Vec3& to, double radius, int steps) {
  Solid solid;
  const Vec3 along = to - from;
  const double length = norm(along);
  Turning(solid, frameOf(from, along, {0.6, 0, 0.8}), {steps, 1}, 0, 0)
      .to(radius, 0)
      .to(radius, length)
      .to(0, length);
  return solid;
}

void addColumn(PartDescription& part, double x, double y) {
  const double p = 110, hole = 80;
  std::vector<Outline> plate{Outline::rectangle(-p, -p, p, p)};
  for (const double hx : {-hole, hole})
    for (const double hy : {-hole, hole}) plate.push_back(Outline::hole(hx, hy, 11, 8));
  part.solids.push_back(prism({{x, y, 0}}, plate, 20));
  part.solids.push_back(boxBeam({{x, y, 20 + weldGap}}, columnWidth, 8, 2600 - 20 - weldGap));
}

void addBeamsAlongX(PartDescription& part, double y, double z, int firstBay, int bays) {
  const double inset = columnWidth / 2 + weldGap;
  for (int i = firstBay; i < firstBay + bays; ++i)
    part.solids.push_back(beam({columnX[i] + inset, y, z}, {columnX[i + 1] - inset, y, z}));
}

void addBeamsAlongY(PartDescription& part, double x, double z, double inset) {
  part.solids.push_back(beam({x, columnY[0] + inset, z}, {x, columnY[1] - inset, z}));
}

void addLadder(PartDescription& part, double x, double y0, double y1, double height, int rungs) {
  for (const double y : {y0, y1})
    part.solids.push_back(prism({{x, y, 0}}, {Outline::rectangle(-30, -6, 30, 6)}, height));
  for (int i = 0; i < rungs; ++i) {
    const double z = 320.0 * (i + 1);
    part.solids.push_back(tube({x, y0 + 6 + weldGap, z}, {x, y1 - 6 - weldGap, z}, 15, 10));
  }
}

}  // namespace

PartDescription frame() {
  PartDescription part;
  part.name = "frame";
  part.colour = {0.85F, 0.62F, 0.15F};
  const double toColumn = columnWidth / 2 + weldGap, toBeam = beamWidth / 2 + weldGap;
  for (const double x : columnX)
    for (const double y : columnY) addColumn(part, x, y);
  for (const double y : columnY) {
    addBeamsAlongX(part, y, baseLevel, 0, 2);
    addBeamsAlongX(part, y, midLevel, 0, 1);
    addBeamsAlongX(part, y, topLevel, 0, 2);
  }
  for (const double x : {columnX[0], columnX[2]})
    for (const double z : {baseLevel, topLevel})
      part.solids.push_back(hollowBeam({x, columnY[0] + toColumn, z}, {x, columnY[1] - toColumn, z}));
  for (const double x : {columnX[0], columnX[1]}) addBeamsAlongY(part, x, midLevel, toColumn);
  for (const double x : {900.0, 1600.0}) addBeamsAlongY(part, x, midLevel, toBeam);

  part.solids.push_back(brace({2210, 1940, 225}, {4030, 1940, 2400}));
  part.solids.push_back(brace({60, 170, 225}, {60, 1830, 1270}));
  part.solids.push_back(brace({4140, 170, 225}, {4140, 1830, 2390}));

  // Hand rail of the platform that carries the drum.
  for (const double z : {1790.0, 2100.0}) part.solids.push_back(tube({122, 60, z}, {2038, 60, z}, 21, 12));
  // Rests of the drip tray.
  for (const double x : {1250.0, 1550.0}) {
    const std::vector<Outline> bar{Outline::rectangle(-25, -25, 25, 25)};
    part.solids.push_back(prism(frameOf({x, 180, 270}, {0, 1, 0}, {1, 0, 0}), bar, 640));
    for (const double y : {240.0, 760.0}) part.solids.push_back(prism({{x, y, 0}}, bar, 243));
  }
  addLadder(part, 4240, 800, 1200, 2900, 8);
  return part;
}

PartDescription dripTray() {
  PartDescription part;
  part.name = "drip-tray";
  part.colour = {0.75F, 0.78F, 0.8F};
  part.open = true;
  const double floor = 296, depth = 60, lip = 25, corner = 40;
  const double x = 270, y = 270;
  const int steps = 4;
  const auto outline = [&](double grow) {
    const double r = corner + grow, a = x - corner, b = y - corner;
    Outline o;
    o.start(x + grow, -b).lineTo(x + grow, b).arcTo(a, b, r, 0, 0.25, steps).lineTo(-a, y + grow);
    o.arcTo(-a, b, r, 0.25, 0.5, steps).lineTo(-x - grow, -b).arcTo(-a, -b, r, 0.5, 0.75, steps);
    o.lineTo(a, -y - grow).arcTo(a, -b, r, 0.75, 1, steps);
    return o;
  };
  const Frame base{{spoolCentre.x, spoolCentre.y, floor}};
  Solid sheet;
  addCap(sheet, base, {outline(0), Outline::hole(150, -180, 20, 11)}, 0, true);  // with a drain hole
  // Seen from inside, so that the sheet's normals all point to the wet side.
  Solid walls;
  addSides(walls, base, {outline(0)}, 0, depth);
  for (Face& face : walls.faces) {
    if (auto* curved = std::get_if<CurvedFace>(&face)) curved->inward = true;
    if (auto* plane = std::get_if<PlaneFace>(&face)) plane->frame = plane->frame.flipped();
    sheet.faces.push_back(face);
  }
  addCap(sheet, base, {outline(lip), outline(0)}, depth, true);
  part.solids.push_back(std::move(sheet));
  return part;
}

}  // namespace fitup::models::plant
