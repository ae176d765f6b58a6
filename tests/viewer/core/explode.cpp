#include <viewer/core/explode.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include <models/random.h>

#include "support/random_assembly.h"
#include "support/tiny_meshes.h"

namespace explode_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

namespace {

Transform at(double x, double y, double z) { return Transform::translation({x, y, z}); }

Poses exploded(const Scene& scene, double fraction, const Poses& poses = {}) {
  return explodedPoses(scene, poses, explodedShifts(scene, poses), fraction);
}

Box boxBelow(const Scene& scene, NodeId node, const Poses& poses) {
  Box box;
  for (const NodeId below : scene.assembly().instancesBelow(node))
    box.extend(scene.worldBounds(below, poses));
  return box;
}

/// The boxes that must be disjoint: of the children of a node and of its own part, or of the roots.
std::vector<Box> boxesBelow(const Scene& scene, std::optional<NodeId> parent, const Poses& poses) {
  std::vector<Box> boxes;
  const Assembly& assembly = scene.assembly();
  for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i)
    if (assembly.nodes()[i].parent == parent) boxes.push_back(boxBelow(scene, NodeId{i}, poses));
  if (parent && assembly.node(*parent).part) boxes.push_back(scene.worldBounds(*parent, poses));
  std::erase_if(boxes, [](const Box& box) { return box.empty(); });
  return boxes;
}

std::size_t overlaps(const std::vector<Box>& boxes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      bool apart = false;
      for (int axis = 0; axis < 3; ++axis)
        apart = apart || boxes[i].max[axis] < boxes[k].min[axis] || boxes[k].max[axis] < boxes[i].min[axis];
      if (!apart) ++count;
    }
  return count;
}

std::size_t overlapsOfSiblings(const Scene& scene, const Poses& poses) {
  std::size_t count = overlaps(boxesBelow(scene, {}, poses));
  for (std::uint32_t i = 0; i < scene.assembly().nodes().size(); ++i)
    count += overlaps(boxesBelow(scene, NodeId{i}, poses));
  return count;
}

/// Two groups in a root and two more parts, of which one is where another one is, added in an order that
/// `seed` shuffles.
Assembly shuffled(std::uint64_t seed) {
  models::Random places(11), order(seed);
  struct Part {
    std::string name;
    MeshPtr mesh;
    Transform placement;
    std::string group;
  };
  std::vector<Part> parts;
  for (int i = 0; i < 12; ++i)
    parts.push_back({"p" + std::to_string(i),
                     box(places.between(1, 4), places.between(1, 4), places.between(1, 4)),
                     at(places.between(-3, 3), places.between(-3, 3), places.between(-3, 3)),
                     i % 2 == 0 ? "even" : "odd"});
  parts.push_back({"copy", parts[0].mesh, parts[0].placement, "even"});
  parts.push_back({"beside", box(2, 2, 2), at(1, 0, 0), ""});
  for (std::size_t i = parts.size(); i-- > 1;) std::swap(parts[i], parts[order.bits() % (i + 1)]);
  Assembly assembly("shuffled");
  const NodeId root = assembly.addNode("root", {});
  std::map<std::string, NodeId> groups{{"", root}};
  for (const Part& part : parts) {
    if (!groups.contains(part.group)) groups[part.group] = assembly.addNode(part.group, at(0, 0, 1), root);
    assembly.addNode(part.name, part.placement, groups.at(part.group), assembly.addPart(part.mesh));
  }
  return assembly;
}

std::map<std::string, Vec3> shiftsByPath(const Assembly& assembly) {
  std::map<std::string, Vec3> shifts;
  for (const auto& [node, shift] : explodedShifts(Scene(assembly), {})) shifts[assembly.path(node)] = shift;
  return shifts;
}

}  // namespace

TEST_CASE("exploding separates the boxes of siblings on every level", "[explode]") {
  std::size_t before = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scene scene(randomAssembly(seed, 60));
    before += overlapsOfSiblings(scene, {});
    CHECK(overlapsOfSiblings(scene, exploded(scene, 1)) == 0);
    Poses moved;
    for (const NodeId node : scene.instances()) moved.set(node, at(0.1, 0, 0) * scene.designPlacement(node));
    CHECK(overlapsOfSiblings(scene, exploded(scene, 1, moved)) == 0);
  }
  CHECK(before > 100);
}

TEST_CASE("at fraction 0 nothing moves, and parts move continuously with the fraction", "[explode]") {
  const Scene scene(randomAssembly(5, 40));
  const Poses moved{{scene.instances()[3], at(0, 0, 2) * scene.designPlacement(scene.instances()[3])}};
  CHECK(exploded(scene, 0, moved) == moved);
  const auto shifts = explodedShifts(scene, moved);
  REQUIRE(shifts.size() > 20);
  double longest = 0;
  for (const auto& [node, shift] : shifts) longest = std::max(longest, norm(shift));
  const auto originOf = [&](NodeId node, double fraction) {
    return scene.worldFromPart(node, explodedPoses(scene, moved, shifts, fraction)).apply(Vec3{});
  };
  constexpr int steps = 50;
  for (const NodeId node : scene.instances()) {
    for (int i = 0; i < steps; ++i) {
      const double from = static_cast<double>(i) / steps, to = static_cast<double>(i + 1) / steps;
      CHECK(norm(originOf(node, to) - originOf(node, from)) <= longest / steps * (1 + 1e-9));
    }
    const Vec3 shift = shifts.contains(node) ? shifts.at(node) : Vec3{};
    CHECK(norm(originOf(node, 1) - originOf(node, 0) - shift) < 1e-9 * (1 + norm(shift)));
  }
}

TEST_CASE("an exploded view does not depend on the order of nodes", "[explode]") {
  const auto expected = shiftsByPath(shuffled(1));
  REQUIRE(expected.size() >= 12);
  for (std::uint64_t seed = 2; seed < 20; ++seed) {
    const Assembly assembly = shuffled(seed);
    REQUIRE(assembly.instances().size() == 14);
    CHECK(shiftsByPath(assembly) == expected);
  }
}

TEST_CASE("small parts leave the large one on the shortest way, and a subassembly stays together",
          "[explode]") {
  Assembly assembly("plate");
  const NodeId root = assembly.addNode("root", {});
  const NodeId plate = assembly.addNode("plate", {}, root, assembly.addPart(box(100, 100, 4)));
  const NodeId bolt = assembly.addNode("bolt", at(30, 10, 1), root, assembly.addPart(box(4, 4, 12)));
  const NodeId lower = assembly.addNode("lower", at(-30, 10, -1), root, assembly.addPart(box(4, 4, 12)));
  const NodeId group = assembly.addNode("group", at(0, -30, 2.5), root);
  const NodeId inner = assembly.addNode("inner", {}, group, assembly.addPart(box(2, 2, 2)));
  const NodeId outer = assembly.addNode("outer", {}, group, assembly.addPart(box(2, 6, 6)));
  const Scene scene(assembly);
  const auto shifts = explodedShifts(scene, {});
  const auto shiftOf = [&](NodeId node) { return shifts.contains(node) ? shifts.at(node) : Vec3{}; };
  CHECK(norm(shiftOf(plate)) < 1);
  CHECK(shiftOf(bolt).z > 6);
  CHECK(shiftOf(lower).z < -6);
  CHECK(std::abs(shiftOf(bolt).x) < 15);
  // The parts of the group have one middle; they part along x, and go up together.
  const Vec3 between = shiftOf(inner) - shiftOf(outer);
  CHECK(std::abs(between.x) > 2);
  CHECK(Vec3{0, between.y, between.z} == Vec3{});
  CHECK(shiftOf(outer).z > 3);
}

}  // namespace explode_tests
