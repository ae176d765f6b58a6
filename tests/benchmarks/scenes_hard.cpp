#include <array>
#include <cmath>

#include <models/angle.h>
#include <models/fan.h>
#include <models/grid.h>
#include <models/mesh_distance.h>
#include <models/pins.h>
#include <models/placements.h>
#include <models/plate.h>
#include <models/random.h>
#include <models/rod_bundle.h>
#include <models/sphere.h>
#include <models/torus.h>

#include "scene_family.h"

namespace fitup::bench {
namespace {

constexpr double degree = 1.0 / 360;  ///< in turns
constexpr double radiansPerTurn = 6.283185307179586;

std::shared_ptr<const TriangleMesh> shared(TriangleMesh mesh) {
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

/// The orientation of the frames of parts that lie along no axis: 36 degrees about (1, 2, 3).
Quaternion aslant() { return models::rotationByTurns(Vec3{1, 2, 3} * (1 / std::sqrt(14.0)), 0.1); }

std::shared_ptr<const TriangleMesh> sharedAslant(const TriangleMesh& mesh) {
  return shared(models::turnedMesh(mesh, aslant()));
}

/// The placement, relative to each other, of two parts both of which are aslant.
Transform betweenAslant(const Transform& aFromB) {
  const Transform turned = Transform::rotation(aslant());
  return turned * aFromB * turned.inverse();
}

/// The placements of scene torus-100k.
Scene torusInPatches(const std::string& name, int along, int across, SceneSize size) {
  models::TorusOptions options = models::largeTorus();
  if (size == SceneSize::quick) {
    options.around = 40;
    options.across = 30;
  }
  options.patchesAround = std::min(along, options.around);
  options.patchesAcross = std::min(across, options.across);
  return sceneOfPlacements(name, single(models::makeTorus(options)), 0,
                           models::randomPlacements(size == SceneSize::full ? 500 : 4, 3.8, 7));
}

/// Interlocked as in grid-entwined-hits, but all turned by 5 degrees, about any axis; bars are not cut along
/// their length and lie along no axis.
Scene turnedGrids(const std::string& name, bool barsAsSurfaces, SceneSize size) {
  models::GridOptions options;
  options.bars = size == SceneSize::full ? 16 : 7;
  options.cells = 1;
  options.size = 62.5 * options.bars;
  options.barsAsSurfaces = barsAsSurfaces;
  models::Random random(21);
  std::vector<Transform> poses;
  for (const Transform& inside :
       models::entwinedGridPoses(options, size == SceneSize::full ? 16 : 2, true, 22))
    poses.push_back(
        betweenAslant(Transform::rigid(models::rotationByTurns(random.direction(), 5 * degree), inside.t)));
  return sceneOfPlacements(name, {sharedAslant(models::makeGrid(options))}, 0, poses);
}

/// Two plates, one on the other.
struct Plates {
  models::PlateOptions lower, upper;
  Parts parts;
};

Plates makePlates(SceneSize size, bool inclined, bool sheets = false) {
  Plates plates;
  plates.lower.along = plates.lower.across = size == SceneSize::full ? 100 : 6;
  plates.upper.along = size == SceneSize::full ? 110 : 7;
  plates.upper.across = size == SceneSize::full ? 90 : 5;
  plates.lower.jitter = plates.upper.jitter = inclined ? 0.25 : 0;
  plates.upper.seed = 2;
  plates.lower.sheet = plates.upper.sheet = sheets;
  if (sheets) plates.lower.size.z = plates.upper.size.z = 0;
  plates.lower.inclined = plates.upper.inclined = inclined;
  plates.parts = {shared(makePlate(plates.lower)), shared(makePlate(plates.upper))};
  return plates;
}

/// How the upper plate is turned about the vertical, besides that it is shifted by up to three tenths of the
/// size. Its coordinates stay exact unless by any angle.
enum class Turn { none, byQuarters, byAnyAngle };

std::vector<Transform> onPlate(const Plates& plates, double gap, Turn turn, std::size_t count) {
  models::Random random(31);
  const double side = plates.lower.size.x;
  std::vector<Transform> poses;
  while (poses.size() < count) {
    const auto shift = [&] { return std::floor(random.between(-0.3, 0.3) * side / 5 * 1024) * 5 / 1024; };
    const double x = shift(), y = shift(), turns = random.unit();
    const Vec3 at{x, y, plates.lower.size.z + gap};
    Transform pose = Transform::translation(plates.lower.inclined ? models::inclinedPoint(at) : at);
    if (turn == Turn::byAnyAngle) pose = Transform::rigid(models::rotationByTurns({0, 0, 1}, turns), at);
    if (turn == Turn::byQuarters) {
      const auto quarter = static_cast<std::size_t>(turns * 4);
      const double c = std::array{1, 0, -1, 0}[quarter], s = std::array{0, 1, 0, -1}[quarter];
      pose.m = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    }
    poses.push_back(pose);
  }
  return poses;
}

struct Gap {
  const char* name;
  double share;  ///< of the plates' size
};
constexpr Gap gaps[] = {{"plates-gap-1e-3", 1e-3},
                        {"plates-gap-1e-4", 1e-4},
                        {"plates-gap-1e-5", 1e-5},
                        {"plates-gap-1e-6", 1e-6}};

/// 1e-7 radians, about a horizontal line through the upper plate's middle.
std::vector<Transform> tilted(const std::vector<Transform>& poses, const Vec3& along, const Vec3& across) {
  models::Random random(32);
  std::vector<Transform> all;
  for (const Transform& flat : poses) {
    const double turns = random.unit();
    const Vec3 axis = along * models::cosTurns(turns) + across * models::sinTurns(turns);
    const Transform tilt = Transform::rotation(models::rotationByTurns(axis, 1e-7 / radiansPerTurn));
    all.push_back(Transform::translation(flat.t) * tilt * Transform{flat.m, {}});
  }
  return all;
}

std::vector<Scene> platesOnPlates(SceneSize size, const IsWanted&) {
  const Plates plates = makePlates(size, false);
  const std::size_t count = size == SceneSize::full ? 8 : 2;
  std::vector<Scene> scenes;
  const auto add = [&](const char* name, const std::vector<Transform>& poses) {
    scenes.push_back(sceneOfPlacements(name, plates.parts, 1, poses));
  };
  add("plates-touching", onPlate(plates, 0, Turn::byQuarters, count));
  for (const Gap& gap : gaps)
    add(gap.name, onPlate(plates, gap.share * plates.lower.size.x, Turn::byQuarters, count));
  add("plates-turned-gap-1e-5", onPlate(plates, 1e-5 * plates.lower.size.x, Turn::byAnyAngle, count));
  add("plates-tilted-1e-7", tilted(onPlate(plates, 0, Turn::byQuarters, count), {1, 0, 0}, {0, 1, 0}));
  return scenes;
}

std::vector<Scene> sheetsOnSheets(SceneSize size, const IsWanted&) {
  const Plates plates = makePlates(size, false, true);
  const std::size_t count = size == SceneSize::full ? 8 : 2;
  std::vector<Scene> scenes;
  const auto add = [&](const char* name, const std::vector<Transform>& poses) {
    scenes.push_back(sceneOfPlacements(name, plates.parts, 1, poses));
  };
  const auto apart = [&](double share) {
    return onPlate(plates, share * plates.lower.size.x, Turn::byQuarters, count);
  };
  add("sheets-touching", apart(0));
  add("sheets-gap-1e-4", apart(1e-4));
  add("sheets-gap-1e-6", apart(1e-6));
  add("sheets-tilted-1e-7", tilted(apart(0), {1, 0, 0}, {0, 1, 0}));
  return scenes;
}

std::vector<Scene> inclinedPlates(SceneSize size, const IsWanted&) {
  const Plates plates = makePlates(size, true);
  const std::size_t count = size == SceneSize::full ? 8 : 2;
  std::vector<Scene> scenes;
  const auto add = [&](const char* name, const std::vector<Transform>& poses) {
    scenes.push_back(sceneOfPlacements(name, plates.parts, 1, poses));
  };
  add("plates-inclined-touching", onPlate(plates, 0, Turn::none, count));
  add("plates-inclined-gap-1e-5", onPlate(plates, 1e-5 * plates.lower.size.x, Turn::none, count));
  add("plates-inclined-tilted-1e-7", tilted(onPlate(plates, 0, Turn::none, count), {1, 0, 0}, {0, 0.8, 0.6}));
  return scenes;
}

/// A layer of rods between two others, and turned by 3 to 10 degrees: without contact, or just reaching into
/// one of them. Rods lie along no axis.
std::vector<Scene> bundles(SceneSize size, const IsWanted&) {
  models::RodBundleOptions options;
  options.layers = 2;
  if (size == SceneSize::quick) {
    options.perLayer = 3;
    options.sides = 6;
  }
  models::RodBundleOptions between = options;
  between.layers = 1;
  const Parts parts{sharedAslant(makeRodBundle(options)), sharedAslant(makeRodBundle(between))};
  const int count = size == SceneSize::full ? 8 : 2;
  std::vector<Scene> scenes;
  for (const bool crossing : {false, true}) {
    models::Random random(41);
    std::vector<Transform> poses;
    for (int k = 0; k < count; ++k) {
      const double angle = (3 + 7.0 * k / (count - 1)) * degree * (k % 2 == 0 ? 1 : -1),
                   slack = options.layerPitch / 2 - 2 * options.radius;
      const auto within = [&](double limit) { return random.between(-limit, limit); };
      const double lift = crossing ? slack + random.between(0.1, 0.2) * options.radius : within(slack / 2);
      poses.push_back(
          betweenAslant(Transform::rigid(models::rotationByTurns({0, 0, 1}, angle),
                                         {within(options.length / 10), within(options.pitch), lift})));
    }
    scenes.push_back(sceneOfPlacements(crossing ? "rods-crossing" : "rods-clear", parts, 1, poses));
  }
  return scenes;
}

/// One bundle lies on the other, turned by 3 to 10 degrees, between 1e-6 and 1e-5 of its length above, no
/// hits it.
Scene stackedBundles(const std::string& name, SceneSize size) {
  models::RodBundleOptions options;
  options.layers = size == SceneSize::full ? 8 : 2;
  options.perLayer = size == SceneSize::full ? 16 : 3;
  models::Random random(42);
  // The upper and the lower sides of the prisms are horizontal.
  const double height =
      (options.layers - 1) * options.layerPitch + 2 * options.radius * models::cosTurns(0.5 / options.sides);
  std::vector<Transform> poses;
  for (int k = 0; k < (size == SceneSize::full ? 8 : 2); ++k) {
    const double gap = random.between(1e-6, 1e-5) * options.length;
    poses.push_back(betweenAslant(
        Transform::rigid(models::rotationByTurns({0, 0, 1}, random.between(3, 10) * degree),
                         {random.between(-100, 100), random.between(-100, 100), height + gap})));
  }
  return sceneOfPlacements(name, {sharedAslant(makeRodBundle(options))}, 0, poses);
}

/// Tips above or in the middle of a plate forty times as wide; both lie along no axis.
std::vector<Scene> pinsOnPlate(SceneSize size, const IsWanted&) {
  models::PinsOptions pins;
  models::GradedPlateOptions plate;
  plate.radius = 20 * pins.size();
  if (size == SceneSize::quick) {
    pins.perRow = 2;
    plate.sectors = 16;
  }
  const Parts parts{sharedAslant(makeGradedPlate(plate)), sharedAslant(makePins(pins))};
  std::vector<Scene> scenes;
  for (const bool inside : {false, true}) {
    models::Random random(51);
    std::vector<Transform> poses;
    for (int k = 0; k < (size == SceneSize::full ? 16 : 2); ++k) {
      const double depth = pins.tip * (inside ? random.between(0.1, 0.9) : -random.between(0.0001, 0.001));
      poses.push_back(betweenAslant(Transform::rigid(
          models::rotationByTurns({0, 0, 1}, random.unit()),
          {random.between(-pins.pitch, pins.pitch), random.between(-pins.pitch, pins.pitch), -depth})));
    }
    scenes.push_back(sceneOfPlacements(inside ? "pins-in" : "pins-near", parts, 1, poses));
  }
  return scenes;
}

/// Three meshes, each on itself.
std::vector<Scene> onThemselves(SceneSize size, const IsWanted&) {
  models::TorusOptions torus, wrinkled;
  wrinkled.wrinkleDepth = 0.18;
  wrinkled.wavesAround = 8;
  wrinkled.wavesAcross = 4;
  models::SphereOptions sphere;
  sphere.frequency = size == SceneSize::full ? 16 : 3;
  sphere.patches = true;
  for (models::TorusOptions* options : {&torus, &wrinkled}) {
    if (size == SceneSize::quick) options->around = options->across = 12;
    options->patchesAround = 10;
    options->patchesAcross = 5;
  }
  const Parts parts{shared(makeTorus(torus)), shared(makeTorus(wrinkled)), shared(makeSphere(sphere))};
  std::vector<PartPair> inPlace, turned;
  models::Random random(61);
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    inPlace.push_back({i, i, {}});
    for (int k = 0; k < (size == SceneSize::full ? 4 : 1); ++k)
      turned.push_back(
          {i, i, Transform::rotation(models::rotationByTurns(random.direction(), 1e-3 / radiansPerTurn))});
  }
  return {sceneOfPairs("self-in-place", parts, inPlace), sceneOfPairs("self-turned-1e-3", parts, turned)};
}

/// Apex on apex, in all directions in which the cones meet nowhere else.
Scene fans(const std::string& name, SceneSize size) {
  models::FanOptions options;
  if (size == SceneSize::quick) options.slivers = 12;
  models::Random random(71);
  std::vector<Transform> poses;
  for (int k = 0; k < (size == SceneSize::full ? 8 : 2); ++k) {
    const Quaternion spin = models::rotationByTurns({0, 0, 1}, random.unit());
    const double way = random.unit();
    // The half angle of a cone is 27 degrees.
    const Quaternion over = models::rotationByTurns({models::cosTurns(way), models::sinTurns(way), 0},
                                                    random.between(100, 180) * degree);
    poses.push_back(Transform::rotation(over * spin));
  }
  return sceneOfPlacements(name, single(models::makeFan(options)), 0, poses);
}

/// Parts of 12 to 200 triangles, all about 10 mm in size.
Parts smallParts() {
  models::PlateOptions box;
  box.along = box.across = 1;
  box.size = {10, 6, 4};
  Parts parts{shared(makePlate(box))};
  box.size = {10, 10, 1};
  parts.push_back(shared(makePlate(box)));
  models::RodBundleOptions prism;
  prism.perLayer = prism.layers = 1;
  prism.length = 8;
  for (const int sides : {6, 16, 40}) {
    prism.sides = sides;
    prism.radius = sides == 16 ? 1 : 5;
    parts.push_back(shared(makeRodBundle(prism)));
  }
  models::TorusOptions torus;
  torus.ringRadius = 4;
  torus.tubeRadius = 1;
  torus.around = torus.across = 10;
  parts.push_back(shared(makeTorus(torus)));
  parts.push_back(shared(models::makeSphere({5, 2, false})));
  parts.push_back(shared(models::makeSphere({4, 3, false})));
  return parts;
}

std::vector<Scene> smallPairs(SceneSize size, const IsWanted& isWanted) {
  const Parts parts = smallParts();
  const std::size_t count = size == SceneSize::full ? 200 : 4;
  std::vector<PartPair> near, hits, apart;
  models::Random random(81);
  const auto any = [&] { return static_cast<std::uint32_t>(random.bits() % parts.size()); };
  while ((near.size() < count || hits.size() < count) && (isWanted("small-near") || isWanted("small-hits"))) {
    const std::uint32_t a = any(), b = any();
    const Transform at = Transform::rigid(random.rotation(), random.direction() * random.between(2, 12));
    if (!placedBox(at, parts[b]->boundsInPart()).overlaps(parts[a]->boundsInPart())) continue;
    const models::MeshDistance distance(*parts[a], {}, *parts[b]);
    std::vector<PartPair>& of = distance(at) > 0 ? near : hits;
    if (of.size() < count) of.push_back({a, b, at});
  }
  while (apart.size() < count) {
    const std::uint32_t a = any(), b = any();
    apart.push_back({a, b, Transform::rigid(random.rotation(), random.direction() * random.between(20, 60))});
  }
  return {sceneOfPairs("small-near", parts, near), sceneOfPairs("small-hits", parts, hits),
          sceneOfPairs("small-apart", parts, apart)};
}

}  // namespace

std::vector<Family> hardFamilies() {
  std::vector<Family> all;
  struct Cut {
    const char *name, *description;
    int along, across;
  };
  for (const Cut& cut : {Cut{"torus-100k-whole", "scene torus-100k, one surface", 1, 1},
                         Cut{"torus-100k-slices", "the same, 250 surfaces around the tube", 250, 1},
                         Cut{"torus-100k-rings", "the same, 200 surfaces along the ring", 1, 200}})
    all.push_back(one(cut.name, cut.description, [cut](SceneSize size) {
      return torusInPatches(cut.name, cut.along, cut.across, size);
    }));
  for (const bool bars : {true, false}) {
    const std::string name = bars ? "grid-aslant-bars" : "grid-aslant-whole";
    all.push_back(one(name,
                      std::string("two grids of 9,216 triangles in each other, turned by 5 degrees, ") +
                          (bars ? "each bar a surface" : "one surface"),
                      [name, bars](SceneSize size) { return turnedGrids(name, bars, size); }));
  }
  Family plates;
  plates.scenes.push_back({"plates-touching", "plates of 40,000 triangles, faces in one plane, exactly"});
  for (const Gap& gap : gaps)
    plates.scenes.push_back({gap.name, "the same apart by that part of their size, no hits"});
  plates.scenes.push_back(
      {"plates-turned-gap-1e-5", "the same, turned by any angle about the vertical, no hits"});
  plates.scenes.push_back({"plates-tilted-1e-7", "the same tilted by that many radians"});
  plates.make = platesOnPlates;
  all.push_back(std::move(plates));
  all.push_back(
      {{{"sheets-touching", "single faces of such plates, of 20,000 triangles, in one plane, exactly"},
        {"sheets-gap-1e-4", "the same apart by that part of their size, no hits"},
        {"sheets-gap-1e-6", "the same apart by that part of their size, no hits"},
        {"sheets-tilted-1e-7", "the same tilted by that many radians"}},
       sheetsOnSheets});
  all.push_back(
      {{{"plates-inclined-touching", "the same plates as parts that are inclined by 36.9 degrees, touching"},
        {"plates-inclined-gap-1e-5", "the same apart by that part of their size, no hits"},
        {"plates-inclined-tilted-1e-7", "the same tilted by that many radians"}},
       inclinedPlates});
  all.push_back({{{"rods-clear", "16 rods between two layers of 16, turned by 3 to 10 degrees, no hits"},
                  {"rods-crossing", "the same, reaching into one of the layers"}},
                 bundles});
  all.push_back(one(
      "rods-stacked",
      "a bundle of 128 rods on another, turned by 3 to 10 degrees, 1e-6 to 1e-5 of its length above, no hits",
      [](SceneSize size) { return stackedBundles("rods-stacked", size); }));
  all.push_back(
      {{{"pins-near", "tips of 16 pins over a plate forty times as wide, finer near the pins, no hits"},
        {"pins-in", "the same, tips in the plate"}},
       pinsOnPlate});
  all.push_back({{{"self-in-place", "three meshes of 5,000 triangles, each on itself"},
                  {"self-turned-1e-3", "the same, turned by that many radians"}},
                 onThemselves});
  all.push_back(one("fans-apex", "two cones of 500 slivers, apex on apex",
                    [](SceneSize size) { return fans("fans-apex", size); }));
  all.push_back({{{"small-near", "parts of 12 to 200 triangles whose boxes meet, no hits"},
                  {"small-hits", "the same, hits"},
                  {"small-apart", "the same, far apart, no hits"}},
                 smallPairs});
  return all;
}

}  // namespace fitup::bench
