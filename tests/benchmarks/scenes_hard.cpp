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

std::shared_ptr<const TriangleMesh> shared(TriangleMesh mesh) {
  return std::make_shared<const TriangleMesh>(std::move(mesh));
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

/// Interlocked as in grid-entwined-hits, but all turned by 5 degrees, about any axis.
Scene turnedGrids(const std::string& name, bool barsAsSurfaces, SceneSize size) {
  models::GridOptions options;
  options.bars = size == SceneSize::full ? 8 : 3;
  options.cells = size == SceneSize::full ? 33 : 6;
  options.size = 62.5 * options.bars;
  options.barsAsSurfaces = barsAsSurfaces;
  models::Random random(21);
  std::vector<Transform> poses;
  for (const Transform& inside :
       models::entwinedGridPoses(options, size == SceneSize::full ? 16 : 2, true, 22))
    poses.push_back(Transform::rigid(models::rotationByTurns(random.direction(), 5 * degree), inside.t));
  return sceneOfPlacements(name, single(models::makeGrid(options)), 0, poses);
}

/// Two plates, one on the other.
struct Plates {
  models::PlateOptions lower, upper;
  Parts parts;
};

Plates makePlates(SceneSize size) {
  Plates plates;
  plates.lower.along = plates.lower.across = size == SceneSize::full ? 100 : 6;
  plates.upper.along = size == SceneSize::full ? 110 : 7;
  plates.upper.across = size == SceneSize::full ? 90 : 5;
  plates.lower.jitter = plates.upper.jitter = 0.25;
  plates.upper.seed = 2;
  plates.parts = {shared(makePlate(plates.lower)), shared(makePlate(plates.upper))};
  return plates;
}

/// The upper plate is shifted by up to three tenths of the size and turned about the vertical: by any angle,
/// or by quarters, which leave its coordinates exact.
std::vector<Transform> onPlate(const Plates& plates, double gap, bool quarters, std::size_t count) {
  models::Random random(31);
  const double side = plates.lower.size.x;
  std::vector<Transform> poses;
  while (poses.size() < count) {
    // Multiples of 2^-10 mm, so that nothing is rounded.
    const auto shift = [&] { return std::floor(random.between(-0.3, 0.3) * side * 1024) / 1024; };
    const Vec3 at{shift(), shift(), plates.lower.size.z + gap};
    const double turns = random.unit();
    if (!quarters) {
      poses.push_back(Transform::rigid(models::rotationByTurns({0, 0, 1}, turns), at));
      continue;
    }
    Transform pose = Transform::translation(at);
    const auto quarter = static_cast<int>(turns * 4);
    const double c = std::array{1, 0, -1, 0}[static_cast<std::size_t>(quarter)],
                 s = std::array{0, 1, 0, -1}[static_cast<std::size_t>(quarter)];
    pose.m = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
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

std::vector<Scene> platesOnPlates(SceneSize size, const IsWanted&) {
  const Plates plates = makePlates(size);
  const std::size_t count = size == SceneSize::full ? 8 : 2;
  const auto scene = [&](const char* name, const std::vector<Transform>& poses) {
    return sceneOfPlacements(name, plates.parts, 1, poses);
  };
  std::vector<Scene> scenes{scene("plates-touching", onPlate(plates, 0, true, count))};
  for (const Gap& gap : gaps)
    scenes.push_back(scene(gap.name, onPlate(plates, gap.share * plates.lower.size.x, false, count)));
  // 1e-7 radians, about a horizontal line through the upper plate's middle.
  models::Random random(32);
  std::vector<Transform> tilted;
  for (const Transform& flat : onPlate(plates, 0, false, count)) {
    const double turns = random.unit();
    tilted.push_back(
        Transform::rigid(models::rotationByTurns({models::cosTurns(turns), models::sinTurns(turns), 0},
                                                 1e-7 / 6.283185307179586),
                         flat.t) *
        Transform{flat.m, {}});
  }
  scenes.push_back(scene("plates-tilted-1e-7", tilted));
  return scenes;
}

/// Layers of one bundle between those of the other, turned by 3 to 10 degrees.
std::vector<Scene> bundles(SceneSize size, const IsWanted&) {
  models::RodBundleOptions options;
  if (size == SceneSize::quick) {
    options.perLayer = 3;
    options.layers = 2;
    options.sides = 6;
  }
  const Parts parts = single(models::makeRodBundle(options));
  const int count = size == SceneSize::full ? 8 : 2;
  std::vector<Scene> scenes;
  for (const bool crossing : {false, true}) {
    models::Random random(41);
    std::vector<Transform> poses;
    for (int k = 0; k < count; ++k) {
      const double angle = (3 + 7.0 * k / (count - 1)) * degree * (k % 2 == 0 ? 1 : -1),
                   between = options.layerPitch / 2, slack = between - 2 * options.radius;
      const auto within = [&](double limit) { return random.between(-limit, limit); };
      // Without contact: up to half the way from the middle to the next layer.
      const double lift = crossing ? random.between(0.3, 1.6) * options.radius : between + within(slack / 2);
      poses.push_back(Transform::rigid(models::rotationByTurns({0, 0, 1}, angle),
                                       {within(options.length / 10), within(options.pitch), lift}));
    }
    scenes.push_back(sceneOfPlacements(crossing ? "rods-crossing" : "rods-clear", parts, 0, poses));
  }
  return scenes;
}

/// Tips above or in the middle of a plate forty times as wide.
std::vector<Scene> pinsOnPlate(SceneSize size, const IsWanted&) {
  models::PinsOptions pins;
  models::GradedPlateOptions plate;
  plate.radius = 20 * pins.size();
  if (size == SceneSize::quick) {
    pins.perRow = 2;
    plate.sectors = 16;
  }
  const Parts parts{shared(makeGradedPlate(plate)), shared(makePins(pins))};
  std::vector<Scene> scenes;
  for (const bool inside : {false, true}) {
    models::Random random(51);
    std::vector<Transform> poses;
    for (int k = 0; k < (size == SceneSize::full ? 16 : 2); ++k) {
      const double depth =
          inside ? random.between(0.1, 0.9) * pins.tip : -random.between(0.01, 0.1) * pins.tip;
      poses.push_back(Transform::rigid(
          models::rotationByTurns({0, 0, 1}, random.unit()),
          {random.between(-pins.pitch, pins.pitch), random.between(-pins.pitch, pins.pitch), -depth}));
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
          {i, i, Transform::rotation(models::rotationByTurns(random.direction(), 1e-3 / 6.283185307179586))});
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
  while (near.size() < count && (isWanted("small-near") || isWanted("small-hits"))) {
    const std::uint32_t a = any(), b = any();
    const models::MeshDistance distance(*parts[a], {}, *parts[b]);
    const models::Approach way = models::randomApproach(distance.boxA(), distance.boxB(), random.bits());
    const double wanted = random.between(0.01, 0.5), depth = random.between(0.1, 2);
    const auto t = models::approachToDistance(
        way, [&](const Transform& at) { return distance(at); }, wanted, 1e-3);
    if (!t || distance(way.at(*t - wanted - depth)) > 0) continue;
    near.push_back({a, b, way.at(*t)});
    hits.push_back({a, b, way.at(*t - wanted - depth)});
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
  all.push_back(one("torus-100k-strips", "scene torus-100k, cut into 500 narrow surfaces",
                    [](SceneSize size) { return torusInPatches("torus-100k-strips", 10, 50, size); }));
  all.push_back(one("torus-100k-whole", "scene torus-100k, one surface",
                    [](SceneSize size) { return torusInPatches("torus-100k-whole", 1, 1, size); }));
  for (const bool bars : {true, false}) {
    const std::string name = bars ? "grid-turned-bars" : "grid-turned-whole";
    all.push_back(one(name,
                      std::string("two grids of 51,456 triangles in each other, turned by 5 degrees, ") +
                          (bars ? "each bar a surface" : "one surface"),
                      [name, bars](SceneSize size) { return turnedGrids(name, bars, size); }));
  }
  Family plates;
  plates.scenes.push_back({"plates-touching", "plates of 40,000 triangles, faces in one plane, exactly"});
  for (const Gap& gap : gaps)
    plates.scenes.push_back({gap.name, "the same apart by that part of their size"});
  plates.scenes.push_back({"plates-tilted-1e-7", "the same tilted by that many radians"});
  plates.make = platesOnPlates;
  all.push_back(std::move(plates));
  all.push_back({{{"rods-clear",
                   "bundles of 128 rods, their layers between each other, turned by 3 to 10 "
                   "degrees, no hits"},
                  {"rods-crossing", "the same, layers in each other"}},
                 bundles});
  all.push_back({{{"pins-near", "tips of 16 pins over a plate forty times as wide, finer near the pins"},
                  {"pins-in", "the same, tips in the plate"}},
                 pinsOnPlate});
  all.push_back({{{"self-in-place", "three meshes of 5,000 triangles, each on itself"},
                  {"self-turned-1e-3", "the same, turned by that many radians"}},
                 onThemselves});
  all.push_back(one("fans-apex", "two cones of 500 slivers, apex on apex",
                    [](SceneSize size) { return fans("fans-apex", size); }));
  all.push_back({{{"small-near", "parts of 12 to 200 triangles that come near each other"},
                  {"small-hits", "the same, hits"},
                  {"small-apart", "the same, far apart"}},
                 smallPairs});
  return all;
}

}  // namespace fitup::bench
