#include <algorithm>
#include <functional>

#include <fitup/motion/replay.h>
#include <models/grid.h>
#include <models/mesh_distance.h>
#include <models/placements.h>
#include <models/process_plant.h>
#include <models/random.h>
#include <models/sphere.h>
#include <models/torus.h>
#include <models/wrinkled.h>

#include "scene_family.h"

namespace fitup::bench {
namespace {

/// Keeps every `stride`th step.
void thinOut(Track& track, std::size_t stride) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < track.steps.size(); i += stride) track.steps[kept++] = track.steps[i];
  track.steps.resize(kept);
}
Vec3 centreOf(const Assembly& assembly, const MovedGroup& group) {
  Box box;
  for (const NodeId node : group.instances)
    box.extend(
        placedBox(assembly.worldFromNode(node), assembly.sharedPart(assembly.partOf(node))->boundsInPart()));
  return box.centre();
}
/// Divides each step into `parts` steps.
void divide(Track& track, const Assembly& assembly, std::size_t parts) {
  const std::vector<MovedGroup> groups = resolve(track, assembly);
  std::vector<std::vector<RigidMotion>> fine;
  for (std::size_t i = 0; i + 1 < track.steps.size(); ++i)
    for (std::size_t k = 0; k < parts; ++k) {
      const double s = static_cast<double>(k) / static_cast<double>(parts);
      auto& step = fine.emplace_back();
      for (std::size_t g = 0; g < groups.size(); ++g)
        step.push_back(
            interpolate(track.steps[i][g], track.steps[i + 1][g], centreOf(assembly, groups[g]), s));
    }
  fine.push_back(track.steps.back());
  track.steps = std::move(fine);
}

Scene plant(SceneSize size) {
  const Assembly assembly = models::makeProcessPlant();
  Track track = models::makeSpoolTrack(assembly);
  if (size == SceneSize::quick) thinOut(track, 60);
  return sceneOfTrack("plant", assembly, track);
}

/// The recorded steps are as long as a triangle; a part that a user moves takes shorter ones.
Scene plantFine(SceneSize size) {
  const Assembly assembly = models::makeProcessPlant();
  Track track = models::makeSpoolTrack(assembly);
  divide(track, assembly, 10);
  if (size == SceneSize::quick) thinOut(track, 600);
  return sceneOfTrack("plant-fine", assembly, track);
}

/// The side of the cube is chosen by the share of hits, 60 to 64 % as in van den Bergen (1998).
Scene torus(const std::string& name, models::TorusOptions options, std::size_t poses) {
  options.patchesAround = 10;  // surfaces of CAD size rather than one soup
  options.patchesAcross = 5;
  return sceneOfPlacements(name, single(models::makeTorus(options)), 0,
                           models::randomPlacements(poses, 3.8, 7));
}

void makeQuick(models::TorusOptions& options) {
  options.around = 40;
  options.across = 30;
}

Scene smallTorus(SceneSize size) {
  models::TorusOptions options = models::smallTorus();
  if (size == SceneSize::quick) makeQuick(options);
  return torus("torus-5k", options, size == SceneSize::full ? 2000 : 8);
}

Scene largeTorus(SceneSize size) {
  models::TorusOptions options = models::largeTorus();
  if (size == SceneSize::quick) makeQuick(options);
  return torus("torus-100k", options, size == SceneSize::full ? 500 : 4);
}

/// Uses the model's own pose and three near it, so that no pose is special.
Scene wrinkled(SceneSize size) {
  models::TorusOptions options = models::wrinkledTorus();
  if (size == SceneSize::quick) makeQuick(options);
  options.patchesAround = 10;
  options.patchesAcross = 5;
  const Assembly pair = models::makeWrinkledPair(options);
  const Transform own = pair.worldFromNode(pair.instances()[1]);
  std::vector<Transform> poses{own};
  models::Random random(3);
  while (poses.size() < 20) {
    const Vec3 axis = random.direction();
    poses.push_back(own * Transform::rotation(axisAngle(axis, random.between(0.01, 0.05))));
  }
  return sceneOfPlacements("wrinkled", {pair.sharedPart(PartId{0})}, 0, poses);
}

/// The outer sphere is turned: with one orientation, axis-aligned boxes of both would fit each other
/// unusually well.
Scene spheres(const std::string& name, double gap, SceneSize size) {
  const int frequency = size == SceneSize::full ? 40 : 8;
  if (size == SceneSize::quick) gap = std::max(gap, 0.1);  // coarse spheres would reach through a narrow gap
  const auto sphere = [&](double radius) {
    return std::make_shared<const TriangleMesh>(models::makeSphere({radius, frequency, true}));
  };
  models::Random random(5);
  std::vector<Transform> poses;
  for (int i = 0; i < 4; ++i) poses.push_back(Transform::rotation(random.rotation()));
  return sceneOfPlacements(name, {sphere(1), sphere(1 + gap)}, 1, poses);
}

models::GridOptions gridOptions(SceneSize size) {
  models::GridOptions options;
  if (size == SceneSize::quick) {
    options.size *= 3.0 / options.bars;  // the same cells and bars, fewer of them
    options.bars = 3;
    options.cells = 12;
  }
  return options;
}

const std::vector<double> gridDistances{0.0, 0.01, 0.05, 0.1, 0.5, 1.0};

std::string gridName(double distance) {
  std::string digits = std::to_string(static_cast<int>(distance * 100 + 0.5));
  while (digits.size() < 3) digits.insert(digits.begin(), '0');
  std::string text = digits.substr(0, 1) + "." + digits.substr(1);
  if (text.back() == '0') text.pop_back();
  return "grid-" + text;
}

/// Scenes of grids share their parts, and those outside each other also the approaches of Trenkel's protocol,
/// whose distances take a minute; they are made only if such a scene is wanted.
std::vector<Scene> grids(SceneSize size, const IsWanted& isWanted) {
  const models::GridOptions options = gridOptions(size);
  const Parts parts = single(models::makeGrid(options));
  std::vector<Scene> scenes;
  if (std::any_of(gridDistances.begin(), gridDistances.end(),
                  [&](double relative) { return isWanted(gridName(relative)); })) {
    const models::MeshDistance distance(*parts[0], {}, *parts[0]);
    const auto poses = models::distancePoses(
        distance.boxA(), distance.boxB(), [&](const Transform& t) { return distance(t); }, gridDistances,
        size == SceneSize::full ? 200 : 2, 11);
    for (const double relative : gridDistances) {
      std::vector<Transform> placements;
      for (const models::DistancePose& pose : poses)
        if (pose.relativeDistance == relative) placements.push_back(pose.worldFromB);
      scenes.push_back(sceneOfPlacements(gridName(relative), parts, 0, placements));
    }
  }
  const std::size_t entwined = size == SceneSize::full ? 16 : 1;
  for (const bool clear : {true, false})
    scenes.push_back(sceneOfPlacements(clear ? "grid-entwined-clear" : "grid-entwined-hits", parts, 0,
                                       models::entwinedGridPoses(options, entwined, clear, 3)));
  return scenes;
}

}  // namespace

std::vector<Family> usualFamilies() {
  std::vector<Family> all;
  all.push_back(
      one("plant", "process plant, the recorded way of the spool: 7 resting parts, 233 steps", plant));
  all.push_back(one("plant-fine", "the same in steps a tenth as long", plantFine));
  all.push_back(
      one("torus-5k", "two tori of 5,000 triangles, random placements, two thirds hits", smallTorus));
  all.push_back(one("torus-100k", "the same with 100,000 triangles", largeTorus));
  all.push_back(one("wrinkled", "two wrinkled tori of 100,000 triangles in deep overlap", wrinkled));
  for (const auto& [name, gap] :
       {std::pair{"spheres-0.1", 0.1}, {"spheres-0.01", 0.01}, {"spheres-0.003", 0.003}})
    all.push_back(
        one(name, "concentric spheres of 32,000 triangles each, radii 1 and 1 + gap, no hits",
            [name = std::string(name), gap = gap](SceneSize size) { return spheres(name, gap, size); }));
  Family grid;
  for (const double relative : gridDistances)
    grid.scenes.push_back({gridName(relative),
                           "two grids of 414,720 triangles at that part of their size, no hits "
                           "(Trenkel's protocol)"});
  grid.scenes.push_back({"grid-entwined-clear", "the grids reach into each other, no hits"});
  grid.scenes.push_back({"grid-entwined-hits", "the grids reach into each other, bars cross"});
  grid.make = grids;
  all.push_back(std::move(grid));
  return all;
}

}  // namespace fitup::bench
