#include <models/hall/parts.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include <models/hall/panel.h>
#include <models/random.h>
#include <models/solids/piping.h>
#include <models/solids/prism.h>
#include <models/solids/tessellate.h>
#include <models/torus.h>

namespace fitup::models::hall {
namespace {

constexpr int finest = 64;

/// What `tessellate` will make of a description, up to quads that degenerate at poles.
std::size_t expectedTriangles(const PartDescription& part) {
  std::size_t count = 0;
  for (const Solid& solid : part.solids)
    for (const Face& face : solid.faces) {
      if (const auto* curved = std::get_if<CurvedFace>(&face)) {
        count += static_cast<std::size_t>(2) * static_cast<std::size_t>(curved->uSteps * curved->vSteps);
        continue;
      }
      const auto& loops = std::get<PlaneFace>(face).loops;
      std::size_t corners = 0;
      for (const Loop& loop : loops)
        for (const LoopEdge& edge : loop) corners += static_cast<std::size_t>(std::max(edge.steps, 1));
      count += corners + 2 * loops.size() - 4;
    }
  return count;
}

/// The description whose fineness (1 to `finest`) comes closest to the wanted count.
PartDescription atFineness(const std::function<PartDescription(int)>& describe, std::size_t triangles) {
  int low = 1, high = finest + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (expectedTriangles(describe(middle)) <= triangles ? low : high) = middle;
  }
  PartDescription below = describe(low), above = describe(high);
  const std::size_t few = expectedTriangles(below), many = expectedTriangles(above);
  return few > triangles || triangles - few <= many - triangles ? below : above;
}

int whole(Random& random, int low, int high) {
  return std::min(high, static_cast<int>(random.between(low, high + 1)));
}

TriangleMesh beam(const std::string& name, Random& random) {
  PartDescription part{.name = name, .colour = {0.55F, 0.58F, 0.62F}, .solids = {}, .worldFromPart = {}};
  const double length = random.between(500, 2800), height = random.between(80, 220);
  const Frame along = frameOf({}, {1, 0, 0}, {0, 1, 0});
  if (random.unit() < 0.6)
    part.solids.push_back(iBeam(along, height, height * random.between(0.5, 1), 9, 6, length));
  else
    part.solids.push_back(boxBeam(along, height, random.between(4, 10), length));
  return tessellate(part);
}

TriangleMesh boredPlate(const std::string& name, std::size_t triangles, Random& random) {
  const double thickness = random.between(8, 40), pitch = random.between(40, 90);
  const double bore = pitch * random.between(0.2, 0.4);
  // A bore of n steps has 2 n triangles in its wall and n + 2 in each face of the plate.
  const int rows = whole(random, 1, 3);
  const int columns =
      std::clamp(static_cast<int>(triangles / static_cast<std::size_t>(rows * 80)), 1, 12 / rows);
  const auto describe = [&](int fineness) {
    PartDescription part{.name = name, .colour = {0.7F, 0.66F, 0.4F}, .solids = {}, .worldFromPart = {}};
    std::vector<Outline> outlines{Outline::rectangle(0, 0, pitch * (columns + 1), pitch * (rows + 1))};
    for (int i = 1; i <= columns; ++i)
      for (int j = 1; j <= rows; ++j)
        outlines.push_back(Outline::hole(i * pitch, j * pitch, bore, 4 * fineness));
    part.solids.push_back(prism({}, outlines, thickness));
    return part;
  };
  return tessellate(atFineness(describe, triangles));
}

TriangleMesh pipe(const std::string& name, std::size_t triangles, Random& random) {
  const double bend = random.between(150, 300);
  const double legs[] = {random.between(60, 600), random.between(60, 300), random.between(60, 600)};
  const bool upwards = random.unit() < 0.5, offset = random.unit() < 0.5;
  PipeSize size;
  size.outer = random.between(50, 58);
  size.inner = size.outer - random.between(3, 8);
  size.holes.circleRadius = random.between(84, 88);
  const auto describe = [&](int fineness) {
    PartDescription part{.name = name, .colour = {0.3F, 0.5F, 0.7F}, .solids = {}, .worldFromPart = {}};
    PipeSize fine = size;
    fine.roundness = {std::clamp(12 + 4 * (fineness / 2), 12, 64), 1};
    fine.holes.steps = std::clamp(2 * fineness, 6, 12);
    const int bendSteps = 1 + fineness * fineness / 8;
    const Vec3 aside = upwards ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    Solid solid;
    PipeLayer layer(solid, fine, frameOf({}, {1, 0, 0}, {0, 1, 0}));
    layer.flangeStart().straight(legs[0]).bend(aside, bend, bendSteps).straight(legs[1]);
    layer.bend(offset ? Vec3{1, 0, 0} : Vec3{-1, 0, 0}, bend, bendSteps).straight(legs[2]).flangeEnd();
    part.solids.push_back(std::move(solid));
    return part;
  };
  return tessellate(atFineness(describe, triangles));
}

/// A lying vessel: two hemispherical heads and beads round the shell.
TriangleMesh vessel(const std::string& name, std::size_t triangles, Random& random) {
  const double radius = random.between(60, 220), bead = random.between(8, 25);
  const int beads = whole(random, 1, triangles > 4000 ? 10 : 3);
  const double gap = random.between(20, 120);
  const int pieces = whole(random, 1, 2) * 2;
  const auto describe = [&](int fineness) {
    PartDescription part{.name = name, .colour = {0.62F, 0.7F, 0.6F}, .solids = {}, .worldFromPart = {}};
    Solid solid;
    Turning turning(solid, frameOf({}, {1, 0, 0}, {0, 1, 0}), {4 + 4 * fineness, pieces}, 0, 0);
    turning.arc(0, radius, radius, -0.25, 0, 1 + fineness);
    double z = radius;
    for (int i = 0; i < beads; ++i) {
      turning.to(radius, z + gap).arc(radius, z + gap + bead, bead, -0.25, 0.25, 1 + fineness / 2);
      z += gap + 2 * bead;
    }
    turning.to(radius, z + gap).arc(0, z + gap, radius, 0, 0.25, 1 + fineness);
    part.solids.push_back(std::move(solid));
    return part;
  };
  return tessellate(atFineness(describe, triangles));
}

TriangleMesh ring(const std::string& name, std::size_t triangles, Random& random) {
  TorusOptions o;
  o.ringRadius = random.between(80, 350);
  o.tubeRadius = o.ringRadius * random.between(0.12, 0.4);
  const double ratio = random.between(1, 3), quads = static_cast<double>(triangles) / 2;
  o.around = std::max(4, static_cast<int>(std::lround(std::sqrt(quads * ratio))));
  o.across = std::max(4, static_cast<int>(std::lround(quads / o.around)));
  o.patchesAround = std::min(o.around, whole(random, 1, 8));
  o.patchesAcross = std::min(o.across, whole(random, 1, 4));
  if (random.unit() < 0.5) {
    o.wrinkleDepth = random.between(0.02, 0.12);
    o.wavesAround = whole(random, 3, 12);
    o.wavesAcross = whole(random, 2, 6);
  }
  TriangleMesh::Data data = makeTorus(o).data();
  data.name = name;
  return TriangleMesh(std::move(data));
}

TriangleMesh panel(const std::string& name, std::size_t triangles, Random& random) {
  PanelOptions o;
  o.length = random.between(300, 1400);
  o.width = o.length * random.between(0.3, 0.8);
  o.thickness = random.between(2, 8);
  o.wrinkleDepth = random.between(5, 40);
  o.wavesAlong = whole(random, 2, 9);
  o.wavesAcross = whole(random, 1, 5);
  const double quads = static_cast<double>(triangles) / 4;
  o.along = std::max(2, static_cast<int>(std::lround(std::sqrt(quads * o.length / o.width))));
  o.across = std::max(2, static_cast<int>(std::lround(quads / o.along)) - 1);
  o.patchesAlong = std::min(o.along, whole(random, 1, 6));
  o.patchesAcross = std::min(o.across, whole(random, 1, 4));
  return makePanel(name, o);
}

}  // namespace

const char* name(PartKind kind) noexcept {
  switch (kind) {
    case PartKind::beam:
      return "beam";
    case PartKind::boredPlate:
      return "plate";
    case PartKind::pipe:
      return "pipe";
    case PartKind::vessel:
      return "vessel";
    case PartKind::ring:
      return "ring";
    case PartKind::panel:
      return "panel";
  }
  return "part";
}

bool suits(PartKind kind, std::size_t triangles) noexcept {
  switch (kind) {
    case PartKind::beam:
      return triangles <= 100;
    case PartKind::boredPlate:
      return triangles >= 60 && triangles <= 1800;
    case PartKind::pipe:
    case PartKind::vessel:
      return triangles >= 800 && triangles <= 40000;
    case PartKind::ring:
    case PartKind::panel:
      return triangles >= 60;
  }
  return false;
}

TriangleMesh makePart(PartKind kind, const std::string& name, std::size_t triangles, std::uint64_t seed) {
  Random random(seed);
  switch (kind) {
    case PartKind::beam:
      return beam(name, random);
    case PartKind::boredPlate:
      return boredPlate(name, triangles, random);
    case PartKind::pipe:
      return pipe(name, triangles, random);
    case PartKind::vessel:
      return vessel(name, triangles, random);
    case PartKind::ring:
      return ring(name, triangles, random);
    case PartKind::panel:
      return panel(name, triangles, random);
  }
  return {};
}

}  // namespace fitup::models::hall
