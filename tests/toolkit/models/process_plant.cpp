#include <models/process_plant.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <models/model_list.h>
#include <catch2/catch.hpp>

namespace process_plant_tests {

using namespace fitup;

namespace {

struct EdgeUse {
  int open = 0;      ///< directed edges without the opposite one
  int repeated = 0;  ///< directed edges used more than once
};

EdgeUse edgeUse(const TriangleMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const TriangleIndices& t : mesh.triangles())
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  EdgeUse use;
  for (const auto& [edge, count] : edges) {
    if (count > 1) ++use.repeated;
    if (!edges.count({edge.second, edge.first})) ++use.open;
  }
  return use;
}

double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const TriangleIndices& t : mesh.triangles())
    sum += dot(mesh.pointInPart(t[0]), cross(mesh.pointInPart(t[1]), mesh.pointInPart(t[2]))) / 6;
  return sum;
}

/// The plant of the benchmarks, and the variant whose spool comes out.
std::optional<double> anyClearance() {
  return GENERATE(as<std::optional<double>>{}, std::nullopt, 0.5, models::largestPlantClearance);
}

}  // namespace

TEST_CASE("the process plant has the published counts", "[models]") {
  const Assembly plant = models::makeProcessPlant();
  CHECK(plant.unit() == "mm");
  CHECK(plant.partCount() == 8);
  REQUIRE(plant.instances().size() == 8);
  std::size_t surfaces = 0, triangles = 0;
  std::map<std::string, std::pair<std::size_t, std::size_t>> counts;
  for (const NodeId node : plant.instances()) {
    const TriangleMesh& mesh = plant.meshOf(node);
    surfaces += mesh.surfaces().size();
    triangles += mesh.triangleCount();
    counts[mesh.name()] = {mesh.surfaces().size(), mesh.triangleCount()};
    CHECK(mesh.validation().degenerateTriangles == 0);
    for (const Surface& surface : mesh.surfaces()) {
      CHECK(surface.triangleCount > 0);
      CHECK(surface.description.has_value());
    }
  }
  CHECK(surfaces == 1073);
  CHECK(triangles == 24415);
  CHECK(counts["spool"] == std::pair<std::size_t, std::size_t>{61, 3916});
  CHECK(counts["frame"] == std::pair<std::size_t, std::size_t>{452, 2380});
}

TEST_CASE("seven parts of the plant are closed and the drip tray is open", "[models]") {
  const Assembly plant = models::makeProcessPlant({.clearance = anyClearance()});
  for (const NodeId node : plant.instances()) {
    const TriangleMesh& mesh = plant.meshOf(node);
    INFO(mesh.name());
    const EdgeUse use = edgeUse(mesh);
    CHECK(use.repeated == 0);
    if (mesh.name() == "drip-tray") {
      CHECK(use.open == 31);  // 20 along the lip, 11 around the drain hole
    } else {
      CHECK(use.open == 0);
      CHECK(volume(mesh) > 0);
    }
  }
}

TEST_CASE("points of the plant's surfaces lie on what the surfaces are said to be", "[models]") {
  for (const models::PartDescription& part : models::describeProcessPlant()) CHECK(part.faceCount() > 0);
  const Assembly plant = models::makeProcessPlant({.clearance = anyClearance()});
  for (const NodeId node : plant.instances()) {
    const TriangleMesh& mesh = plant.meshOf(node);
    double worst = 0;
    for (std::size_t i = 0; i < mesh.triangleCount(); ++i) {
      const TriangleId id{static_cast<std::uint32_t>(i)};
      const SurfaceDescription& d = *mesh.surfaces()[index(mesh.surfaceOf(id))].description;
      for (const std::uint32_t p : mesh.triangles()[i]) {
        const Vec3 offset = mesh.pointInPart(p) - d.point;
        const double along = dot(offset, d.axis), away = norm(offset - d.axis * along);
        double error = 0;
        if (d.kind == SurfaceKind::plane) error = along;
        if (d.kind == SurfaceKind::cylinder) error = away - d.radius;
        if (d.kind == SurfaceKind::cone) CHECK(std::abs(d.halfAngle) > 0.01);
        if (d.kind == SurfaceKind::cone) error = away - d.radius - along * std::tan(d.halfAngle);
        if (d.kind == SurfaceKind::sphere) error = norm(offset) - d.radius;
        if (d.kind == SurfaceKind::torus) error = std::hypot(away - d.radius, along) - d.secondRadius;
        worst = std::max(worst, std::abs(error));
      }
    }
    INFO(mesh.name());
    CHECK(worst < 0.0025);  // two steps of the coordinate grid, and the slope of a cone
  }
}

TEST_CASE("the plant is the same on every machine", "[models]") {
  const Assembly plant = models::makeProcessPlant();
  CHECK(plant.contentHash() == models::makeProcessPlant().contentHash());
  // Frozen: benchmarks and recorded tracks refer to this model. A change here is a new model.
  CHECK(plant.contentHash() == 0x99bfdab34e6e93d2ULL);
}

TEST_CASE("the spool's track has 233 continuous steps", "[models]") {
  const Assembly plant = models::makeProcessPlant();
  const Track track = models::makeSpoolTrack(plant);
  REQUIRE(track.steps.size() == 233);
  REQUIRE(track.moved == std::vector<std::string>{models::spoolPath});
  CHECK(track.modelHash == plant.contentHash());
  CHECK(track.steps[0][0] == RigidMotion{});
  const Vec3 centre = plant.worldFromNode(plant.at(models::spoolPath)).t;
  for (std::size_t i = 1; i < track.steps.size(); ++i) {
    const RigidMotion &a = track.steps[i - 1][0], &b = track.steps[i][0];
    CHECK(norm(b.transform().apply(centre) - a.transform().apply(centre)) < 60);
    const double cosHalf = std::abs(a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y +
                                    a.rotation.z * b.rotation.z + a.rotation.w * b.rotation.w);
    CHECK(cosHalf > std::cos(3 * 3.14159265358979 / 180));  // 6 degrees
  }
}

TEST_CASE("the spool interferes at every step of its track", "[models]") {
  const Assembly plant = models::makeProcessPlant();
  const Track track = models::makeSpoolTrack(plant);
  const NodeId spool = plant.at(models::spoolPath);
  std::vector<std::pair<std::shared_ptr<const CollisionModel>, Transform>> others;
  std::shared_ptr<const CollisionModel> moved;
  for (const NodeId node : plant.instances()) {
    auto model = CollisionModel::build(plant.sharedPart(plant.partOf(node)));
    if (node == spool)
      moved = std::move(model);
    else
      others.emplace_back(std::move(model), plant.worldFromNode(node));
  }
  const Transform design = plant.worldFromNode(spool);
  IntersectionRequest all;
  all.mode = QueryMode::allTrianglePairs;
  std::size_t triangles = 0, surfaces = 0, fewest = 1000000, most = 0;
  for (std::size_t step = 0; step < track.steps.size(); ++step) {
    const PosedModel posed{moved, track.steps[step][0].transform() * design};
    std::size_t pairs = 0;
    for (const auto& [model, placement] : others) {
      const IntersectionReport report = intersect(posed, PosedModel{model, placement}, all);
      pairs += report.trianglePairs.size();
      surfaces += report.surfacePairs.size();
    }
    INFO("step " << step);
    CHECK(pairs > 0);
    triangles += pairs;
    fewest = std::min(fewest, pairs);
    most = std::max(most, pairs);
  }
  CHECK(triangles / 233 == 219);
  CHECK(surfaces / 233 == 23);
  CHECK(fewest < 30);
  CHECK(most > 900);

  // More than a touch: a tenth of a millimetre aside, in eight directions, it still intersects.
  IntersectionRequest first;
  first.mode = QueryMode::firstSurfacePair;
  for (std::size_t step = 0; step < track.steps.size(); step += 4)
    for (int corner = 0; corner < 8; ++corner) {
      const double e = 0.0578;  // 0.1 / sqrt(3)
      const Vec3 aside{(corner & 1) ? e : -e, (corner & 2) ? e : -e, (corner & 4) ? e : -e};
      const PosedModel posed{moved,
                             Transform::translation(aside) * track.steps[step][0].transform() * design};
      const bool hit = std::any_of(others.begin(), others.end(), [&](const auto& other) {
        return !intersect(posed, PosedModel{other.first, other.second}, first).surfacePairs.empty();
      });
      INFO("step " << step << ", corner " << corner);
      CHECK(hit);
    }
}

TEST_CASE("nothing but the seated spool touches anything in the plant", "[models]") {
  const Assembly plant = models::makeProcessPlant();
  const std::vector<NodeId> instances = plant.instances();
  std::vector<std::shared_ptr<const CollisionModel>> parts;
  for (const NodeId node : instances)
    parts.push_back(CollisionModel::build(plant.sharedPart(plant.partOf(node))));
  std::set<std::string> touching;
  for (std::size_t i = 0; i < instances.size(); ++i)
    for (std::size_t j = i + 1; j < instances.size(); ++j)
      if (!intersect({parts[i], plant.worldFromNode(instances[i])},
                     {parts[j], plant.worldFromNode(instances[j])})
               .surfacePairs.empty())
        touching.insert(plant.node(instances[i]).name + " " + plant.node(instances[j]).name);
  CHECK(touching == std::set<std::string>{"pump spool", "suction-line spool"});
}

TEST_CASE("models are generated by name", "[models]") {
  for (const std::string& name : models::names())
    if (name != "grid") CHECK_FALSE(models::generate(name).instances().empty());
  CHECK_THROWS_WITH(models::generate("teapot"), Catch::Contains("teapot") && Catch::Contains("plant"));
  CHECK(models::recordedTrack("plant", models::generate("plant")).has_value());
  CHECK_FALSE(models::recordedTrack("torus", models::generate("torus")).has_value());
}

}  // namespace process_plant_tests
