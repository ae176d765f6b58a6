#include <catch2/catch.hpp>

#include <map>
#include <stop_token>
#include <tuple>

#include <nlohmann/json.hpp>

#include <fitup/base/error.h>
#include <fitup/io/contact_map_file.h>
#include <fitup/query/distance.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace contact_map_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

RigidMotion shiftBy(double x, double y, double z) { return {{}, {x, y, z}}; }

/// A cube that passes over a long box and ends at a wall.
struct Passage {
  Model model;
  Track track{.moved = {"cube"}, .steps = {}};
  NodeId cube, floor, wall;

  Passage() {
    Assembly& a = model.assembly;
    const PartId unit = a.addPart(sixSidedBox(1, 1, 1));
    cube = a.addNode("cube", {}, {}, unit);
    floor = a.addNode("floor", Transform::translation({5, 0, -2}), {}, a.addPart(sixSidedBox(20, 4, 1)));
    wall = a.addNode("wall, far", Transform::translation({8, 0, 0.5}), {}, unit);
    model.collisionModels = buildCollisionModels(a, {}, {}, 1);
    for (int k = 0; k <= 7; ++k) track.steps.push_back({shiftBy(k, 0, k == 3 ? -0.75 : 0)});
  }
  [[nodiscard]] ContactMap map(const ContactMapOptions& options) const {
    return contactMap(sceneOf(model), {}, track, options);
  }
};

const SurfaceContact* find(const ContactMap& map, NodeId instance, std::uint32_t surface) {
  for (const SurfaceContact& s : map.surfaces)
    if (s.instance == instance && s.surface == SurfaceId{surface}) return &s;
  return nullptr;
}

std::string textOf(const ContactMap& map) {
  std::string text;
  for (const SurfaceContact& s : map.surfaces)
    text +=
        std::to_string(index(s.instance)) + "/" + std::to_string(index(s.surface)) + ":" +
        std::to_string(s.least.distance) + "@" + std::to_string(s.least.step) + "," +
        std::to_string(index(s.least.other)) + "/" + std::to_string(index(s.least.otherSurface)) +
        (s.first ? "!" + std::to_string(s.first->step) + "," + std::to_string(index(s.first->other)) : "") +
        "\n";
  return text;
}

}  // namespace

TEST_CASE("a contact map reports least clearance and first contact of each surface",
          "[motion][contact-map]") {
  const Passage p;
  const ContactMap map = p.map({.range = 1.2});
  CHECK(map.status == ReportStatus::complete);
  CHECK(map.answeredSteps == 8);
  // -z of the cube is 1 above the floor, a quarter at step 3.
  const SurfaceContact* below = find(map, p.cube, 4);
  REQUIRE(below);
  CHECK(below->moves);
  CHECK(below->least.step == 3);
  CHECK(below->least.distance == Approx(0.25));
  CHECK(below->least.other == p.floor);
  CHECK(below->least.otherSurface == SurfaceId{5});
  CHECK(below->least.point.z - below->least.otherPoint.z == Approx(0.25));
  CHECK_FALSE(below->first);
  // +x of the cube meets the wall at the last step.
  const SurfaceContact* front = find(map, p.cube, 1);
  REQUIRE(front);
  REQUIRE(front->first);
  CHECK(front->first->step == 7);
  CHECK(front->first->other == p.wall);
  CHECK(front->least.distance == 0);
  const SurfaceContact* ofFloor = find(map, p.floor, 5);
  REQUIRE(ofFloor);
  CHECK_FALSE(ofFloor->moves);
  CHECK_FALSE(ofFloor->first);
  CHECK(ofFloor->least.step == 3);
  CHECK_FALSE(find(map, p.floor, 4));  // its lower side is out of range
  const ContactMap near = p.map({.range = 1.2, .contactAt = 0.3});
  REQUIRE(find(near, p.floor, 5)->first);
  CHECK(find(near, p.floor, 5)->first->step == 3);
  CHECK(find(near, p.cube, 4)->first->step == 3);
}

TEST_CASE("a contact map is what a loop over steps and pairs of surfaces gives, on any number of threads",
          "[motion][contact-map]") {
  Random random(5);
  Assembly assembly("crowd");
  const PartId parts[] = {assembly.addPart(sixSidedBox(1, 2, 1)), assembly.addPart(lShape(1, 1))};
  for (int i = 0; i < 6; ++i)
    assembly.addNode("p" + std::to_string(i), randomPlacement(PlacementClass::rigid, random, 3), {},
                     parts[i % 2]);
  const CollisionModels models = buildCollisionModels(assembly, {}, {}, 1);
  Track track{.moved = {"p0", "p1"}, .steps = {}};
  for (int k = 0; k < 7; ++k) {
    const Quaternion one = randomRotation(random), two = randomRotation(random);
    track.steps.push_back({{one, random.inCube(2)}, {two, random.inCube(2)}});
  }
  const double range = 0.8;
  std::map<std::pair<NodeId, SurfaceId>, std::pair<double, std::size_t>> least, first;
  const std::vector<NodeId> nodes = assembly.instances();
  for (std::size_t k = 0; k < track.steps.size(); ++k)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = i + 1; j < nodes.size(); ++j) {
        const auto placed = [&](std::size_t n) {
          const Transform design = assembly.worldFromNode(nodes[n]);
          return PosedModel{models[index(assembly.partOf(nodes[n]))],
                            n < 2 ? track.steps[k][n].transform() * design : design};
        };
        for (const NearestPair& near : bruteForceSurfacePairsWithin(placed(i), placed(j), range).pairs)
          for (const auto& key :
               {std::pair{nodes[i], near.surfaces.a}, std::pair{nodes[j], near.surfaces.b}}) {
            const auto at = least.try_emplace(key, near.distance, k).first;
            if (near.distance < at->second.first) at->second = {near.distance, k};
            if (near.distance == 0) first.try_emplace(key, 0.0, k);
          }
      }
  const ContactMap map = contactMap(Scene(assembly, models), {}, track, {.range = range});
  REQUIRE(map.surfaces.size() == least.size());
  for (const SurfaceContact& s : map.surfaces) {
    const auto key = std::pair{s.instance, s.surface};
    REQUIRE(least.contains(key));
    CHECK(s.least.distance == Approx(least[key].first).margin(1e-9));
    if (least[key].first > 1e-9) CHECK(s.least.step == least[key].second);
    CHECK(s.first.has_value() == first.contains(key));
    if (s.first) CHECK(s.first->step == first[key].second);
  }
  CHECK(first.size() > 4);
  for (unsigned threads : {2U, 4U})
    CHECK(textOf(contactMap(Scene(assembly, models), {}, track, {.range = range, .threads = threads})) ==
          textOf(map));
}

TEST_CASE("a contact map as JSON and CSV", "[motion][contact-map]") {
  const Passage p;
  const TemporaryFolder folder;
  const ContactMap map = p.map({.range = 1.2});
  const ContactMapSource source{"fitup test", "passage.fitup", "passage.json"};
  writeContactMap(folder / "map.json", source, p.model, map);
  const nlohmann::json json = nlohmann::json::parse(readText(folder / "map.json"));
  CHECK(json.at("format") == "fitup-contact-map");
  CHECK(json.at("status") == "complete");
  REQUIRE(json.at("surfaces").size() == map.surfaces.size());
  std::size_t met = 0;
  for (const auto& s : json.at("surfaces"))
    if (s.at("instance") == "cube" && s.at("surface") == 1) {
      ++met;
      CHECK(s.at("first").at("step") == 7);
      CHECK(s.at("least").at("other").at("instance") == "wall, far");
      CHECK(s.at("least").at("rounding") > 0);
      CHECK(s.at("least").at("rounding") < 1e-8);
      CHECK_FALSE(s.at("least").contains("chordError"));  // meshes
    }
  CHECK(met == 1);
  writeContactMap(folder / "map.csv", source, p.model, map);
  const std::string csv = readText(folder / "map.csv");
  CHECK(csv.starts_with("# fitup-contact-map,1\n"));
  CHECK(csv.find("\ncube,1,") != std::string::npos);
  CHECK(csv.find("\"wall, far\"") != std::string::npos);
  CHECK_THROWS_AS(writeContactMap(folder / "map.txt", source, p.model, map), InputError);
}

TEST_CASE("clearances of a contact map come with the chord errors of their faces", "[motion][contact-map]") {
  Model model;
  model.assembly.addNode("rest", {}, {}, model.assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.01)));
  model.assembly.addNode("moves", Transform::translation({5, 0, 0}), {},
                         model.assembly.addPart(withDeflection(sixSidedBox(1, 1, 1), 0.02)));
  model.collisionModels = buildCollisionModels(model.assembly, {}, {}, 1);
  const Track track{.moved = {"moves"}, .steps = {{{{}, {-2, 0, 0}}}}};
  const ContactMap map = contactMap(sceneOf(model), {}, track, {.range = 3});
  REQUIRE_FALSE(map.surfaces.empty());
  for (const SurfaceContact& s : map.surfaces) {
    REQUIRE(s.least.error.chordError);
    CHECK(*s.least.error.chordError == Approx(0.03));
    CHECK(s.least.error.rounding > 0);
  }
}

TEST_CASE("a contact map that was cut short says so, and lengths are checked",
          "[motion][contact-map][limits]") {
  const Passage p;
  std::stop_source source;
  source.request_stop();
  const ContactMap none = contactMap(Scene(p.model.assembly, p.model.collisionModels), {}, p.track, {},
                                     Progress(source.get_token()));
  CHECK(none.status == ReportStatus::cancelled);
  CHECK(none.answeredSteps == 0);
  CHECK(none.surfaces.empty());
  CHECK_THROWS_AS(p.map({.range = -1.0}), InputError);
  CHECK_THROWS_AS(p.map({.range = 1.0, .contactAt = 2}), InputError);
  CHECK(p.map({}).range == Approx(std::sqrt(3.0) / 50));
}

}  // namespace contact_map_tests
