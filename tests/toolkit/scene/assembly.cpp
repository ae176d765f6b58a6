#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <set>

#include <fitup/base/error.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/interference.h>

#include "support/placements.h"
#include "support/random_assembly.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace assembly_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

bool near(const Vec3& a, const Vec3& b, double tolerance) { return norm(a - b) <= tolerance; }

bool contains(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

/// plant / { left / bolt, bolt ; right / bolt } and a second root.
struct Plant {
  Assembly assembly{"plant"};
  PartId part = assembly.addPart(box(2, 2, 2));
  NodeId root = assembly.addNode("plant", {});
  NodeId left = assembly.addNode("left", Transform::translation({-10, 0, 0}), root);
  NodeId right = assembly.addNode("right", Transform::translation({10, 0, 0}), root);
  NodeId leftBolt1 = assembly.addNode("bolt", {}, left, part);
  NodeId leftBolt2 = assembly.addNode("bolt", Transform::translation({0, 5, 0}), left, part);
  NodeId rightBolt = assembly.addNode("bolt", {}, right, part);
  NodeId crate = assembly.addNode("crate", {}, {}, part);
};

}  // namespace

TEST_CASE("paths join names from the root down", "[scene][assembly]") {
  const Plant p;
  CHECK(p.assembly.path(p.root) == "plant");
  CHECK(p.assembly.path(p.left) == "plant/left");
  CHECK(p.assembly.path(p.rightBolt) == "plant/right/bolt");
  CHECK(p.assembly.path(p.crate) == "crate");
}

TEST_CASE("siblings of one name are numbered from 1 in their order", "[scene][assembly]") {
  Plant p;
  CHECK(p.assembly.path(p.leftBolt1) == "plant/left/bolt#1");
  CHECK(p.assembly.path(p.leftBolt2) == "plant/left/bolt#2");
  const NodeId second = p.assembly.addNode("plant", {});  // roots are siblings too
  CHECK(p.assembly.path(p.root) == "plant#1");
  CHECK(p.assembly.path(second) == "plant#2");
  CHECK(p.assembly.path(p.leftBolt2) == "plant#1/left/bolt#2");
}

TEST_CASE("what means something in a path is escaped in names", "[scene][assembly]") {
  CHECK(escapedName("a/b") == "a%2Fb");
  CHECK(escapedName("a#1") == "a%231");
  CHECK(escapedName("50 %") == "50 %25");
  CHECK(escapedName("%2F") == "%252F");
  CHECK(escapedName("Flansch ä") == "Flansch ä");
  CHECK(escapedName("").empty());

  Assembly assembly;
  const NodeId root = assembly.addNode("a/b", {});
  const NodeId child = assembly.addNode("c#1", {}, root);
  const NodeId plain = assembly.addNode("c", {}, root), plainToo = assembly.addNode("c", {}, root);
  CHECK(assembly.path(child) == "a%2Fb/c%231");
  CHECK(assembly.path(plain) == "a%2Fb/c#1");
  CHECK(assembly.find("a%2Fb/c%231") == child);
  CHECK(assembly.find("a%2Fb/c#2") == plainToo);
  CHECK_FALSE(assembly.find("a/b"));
  // A name is found only by its single escaped form.
  const NodeId percent = assembly.addNode("50 %", {}), code = assembly.addNode("x%2Fy", {});
  CHECK(assembly.path(code) == "x%252Fy");
  CHECK(assembly.find("50 %25") == percent);
  CHECK(assembly.find("x%252Fy") == code);
  for (const char* wrong : {"50 %", "x%2Fy", "x/y", "a%2fb", "a%2F", "%", "%2"})
    CHECK_FALSE(assembly.find(wrong));
}

TEST_CASE("paths are unique and lead back to their node", "[scene][assembly]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Assembly assembly = randomAssembly(seed, 25);
    std::set<std::string> seen;
    for (std::uint32_t i = 0; i < assembly.nodes().size(); ++i) {
      const std::string path = assembly.path(NodeId{i});
      INFO("seed " << seed << ", '" << path << "'");
      CHECK(seen.insert(path).second);
      CHECK(assembly.find(path) == NodeId{i});
      CHECK(assembly.at(path) == NodeId{i});
    }
  }
}

TEST_CASE("paths among many siblings", "[scene][assembly]") {
  constexpr std::uint32_t many = 20'000;
  Assembly assembly;
  const NodeId root = assembly.addNode("root", {});
  std::vector<NodeId> same, own;
  for (std::uint32_t i = 0; i < many; ++i) {
    same.push_back(assembly.addNode("bolt", {}, root));
    own.push_back(assembly.addNode("nut-" + std::to_string(i), {}, root));
  }
  std::size_t wrong = 0;
  for (std::uint32_t i = 0; i < many; ++i) {
    const std::string bolt = "root/bolt#" + std::to_string(i + 1), nut = "root/nut-" + std::to_string(i);
    wrong += assembly.path(same[i]) != bolt || assembly.find(bolt) != same[i];
    wrong += assembly.path(own[i]) != nut || assembly.find(nut) != own[i];
  }
  CHECK(wrong == 0);
}

TEST_CASE("paths of trees that are deeper than any stack", "[scene][assembly]") {
  constexpr std::size_t deep = 200'000;
  Assembly assembly;
  std::optional<NodeId> node;
  for (std::size_t i = 0; i < deep; ++i) node = assembly.addNode("a", {}, node);
  const std::string path = assembly.path(*node);
  CHECK(path.size() == 2 * deep - 1);
  CHECK(path.starts_with("a/a/a"));
  CHECK(assembly.find(path) == node);
}

TEST_CASE("find takes nothing but whole paths", "[scene][assembly]") {
  const Plant p;
  for (const char* wrong :
       {"", "/", "plant/", "/plant", "plan", "left", "plant/left/bolt", "plant/left/bolt#0",
        "plant/left/bolt#3", "plant/left/bolt#01", "plant/right/bolt#1", "plant//left", "PLANT"}) {
    INFO(wrong);
    CHECK_FALSE(p.assembly.find(wrong));
  }
  CHECK_FALSE(Assembly().find(""));
}

TEST_CASE("an unknown path lists near ones", "[scene][assembly]") {
  const Plant p;
  const auto messageFor = [&](const char* path) {
    return messageOf<InputError>([&] { (void)p.assembly.at(path); });
  };
  const std::string message = messageFor("plant/middle/bolt");
  INFO(message);
  CHECK(contains(message, "'plant/middle/bolt'"));
  CHECK(contains(message, "plant/left/bolt#1"));
  CHECK(contains(message, "plant/right/bolt"));
  CHECK_FALSE(contains(message, "crate"));
  // Users tend to omit the number among siblings, and to get the case wrong.
  CHECK(contains(messageFor("plant/left/bolt"), "plant/left/bolt#2"));
  CHECK(contains(messageFor("plant/left/Bolt#2"), "plant/left/bolt#2"));
  CHECK(contains(messageFor("plant/right/bolt#1"), "plant/right/bolt"));
  CHECK(contains(messageFor("plant/lefft"), "plant/left"));
  // Nothing is similar: the message shows some paths as examples.
  CHECK(contains(messageFor("xyz"), "plant/left"));
  CHECK(contains(messageFor(""), "plant"));
  CHECK(contains(messageFor("plant/left/"), "plant/left"));
  // An assembly without nodes has no examples to offer.
  const std::string none = messageOf<InputError>([] { (void)Assembly("void").at("a"); });
  INFO(none);
  CHECK(contains(none, "'a'"));
  CHECK_FALSE(contains(none, "example"));
}

TEST_CASE("instances are the nodes with a part", "[scene][assembly]") {
  const Plant p;
  CHECK(p.assembly.instances() == std::vector{p.leftBolt1, p.leftBolt2, p.rightBolt, p.crate});
  CHECK(p.assembly.instancesBelow(p.left) == std::vector{p.leftBolt1, p.leftBolt2});
  CHECK(p.assembly.instancesBelow(p.rightBolt) == std::vector{p.rightBolt});
  CHECK(p.assembly.isAtOrBelow(p.leftBolt1, p.root));
  CHECK(p.assembly.isAtOrBelow(p.left, p.left));
  CHECK_FALSE(p.assembly.isAtOrBelow(p.left, p.leftBolt1));
  CHECK_FALSE(p.assembly.isAtOrBelow(p.crate, p.root));
}

TEST_CASE("placements compose from the root down", "[scene][assembly]") {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    Assembly assembly;
    std::optional<NodeId> parent;
    std::vector<Transform> chain;
    for (int depth = 0; depth < 6; ++depth) {
      const auto kind = allPlacementClasses[random.below(allPlacementClasses.size())];
      chain.push_back(randomPlacement(kind, random, 10));
      parent = assembly.addNode("n", chain.back(), parent);
    }
    const Vec3 point = random.inCube(3);
    Vec3 expected = point;
    for (auto link = chain.rbegin(); link != chain.rend(); ++link) expected = link->apply(expected);
    CHECK(near(assembly.worldFromNode(*parent).apply(point), expected, 1e-10 * (1 + norm(expected))));
  }
}

TEST_CASE("moving a node moves what is below it and nothing else", "[scene][assembly]") {
  Plant p;
  const Transform crateBefore = p.assembly.worldFromNode(p.crate),
                  rightBefore = p.assembly.worldFromNode(p.rightBolt);
  p.assembly.setPlacement(p.left, Transform::translation({0, 0, 7}));
  CHECK(p.assembly.worldFromNode(p.leftBolt1).t == Vec3{0, 0, 7});
  CHECK(p.assembly.worldFromNode(p.leftBolt2).t == Vec3{0, 5, 7});
  CHECK(p.assembly.worldFromNode(p.crate) == crateBefore);
  CHECK(p.assembly.worldFromNode(p.rightBolt) == rightBefore);
}

TEST_CASE("placements that cannot be undone name their node", "[scene][assembly]") {
  Plant p;
  Transform singular = Transform::scaling(1, 0, 1), notANumber, infinite;
  notANumber.m[1][2] = std::numeric_limits<double>::quiet_NaN();
  infinite.t.z = std::numeric_limits<double>::infinity();
  for (const Transform& bad : {singular, notANumber, infinite}) {
    const std::size_t nodes = p.assembly.nodes().size();
    const Transform before = p.assembly.node(p.left).parentFromNode;
    CHECK(contains(messageOf<PlacementError>([&] { p.assembly.addNode("bent", bad); }), "'bent'"));
    CHECK(contains(messageOf<PlacementError>([&] { p.assembly.setPlacement(p.left, bad); }), "'left'"));
    CHECK(p.assembly.nodes().size() == nodes);
    CHECK(p.assembly.node(p.left).parentFromNode == before);
  }
}

TEST_CASE("parents and parts must exist", "[scene][assembly]") {
  Assembly assembly;
  CHECK_THROWS_AS(assembly.addPart(nullptr), InputError);
  CHECK(contains(messageOf<InputError>([&] { assembly.addNode("a", {}, NodeId{0}); }), "unknown parent 0"));
  CHECK(contains(messageOf<InputError>([&] { assembly.addNode("a", {}, {}, PartId{0}); }), "unknown part 0"));
  CHECK(assembly.nodes().empty());
}

TEST_CASE("ids that an assembly does not have are refused by name", "[scene][assembly]") {
  Plant p;
  const NodeId node{static_cast<std::uint32_t>(p.assembly.nodes().size())};
  const PartId part{static_cast<std::uint32_t>(p.assembly.partCount())};
  const Assembly& plant = p.assembly;
  const auto nodeRefused = [](auto call) {
    return messageOf<InputError>(call) == "assembly 'plant': node 7: does not exist";
  };
  CHECK(nodeRefused([&] { (void)plant.node(node); }));
  CHECK(nodeRefused([&] { (void)plant.partOf(node); }));
  CHECK(nodeRefused([&] { (void)plant.meshOf(node); }));
  CHECK(nodeRefused([&] { (void)plant.path(node); }));
  CHECK(nodeRefused([&] { (void)plant.worldFromNode(node); }));
  CHECK(nodeRefused([&] { (void)plant.worldBounds(node); }));
  CHECK(nodeRefused([&] { (void)plant.instancesBelow(node); }));
  CHECK(nodeRefused([&] { (void)plant.isAtOrBelow(node, p.root); }));
  CHECK(nodeRefused([&] { (void)plant.isAtOrBelow(p.root, node); }));
  CHECK(nodeRefused([&] { p.assembly.setPlacement(node, {}); }));
  const auto partRefused = [](auto call) {
    return messageOf<InputError>(call) == "assembly 'plant': part 1: does not exist";
  };
  CHECK(partRefused([&] { (void)plant.part(part); }));
  CHECK(partRefused([&] { (void)plant.sharedPart(part); }));
  CHECK(partRefused([&] { p.assembly.replacePart(part, box(1, 1, 1)); }));
}

TEST_CASE("only instances have a part", "[scene][assembly]") {
  const Plant p;
  CHECK(p.assembly.partOf(p.crate) == p.part);
  CHECK(&p.assembly.meshOf(p.crate) == &p.assembly.part(p.part));
  for (const auto& call : {std::function([&] { (void)p.assembly.partOf(p.left); }),
                           std::function([&] { (void)p.assembly.meshOf(p.left); })})
    CHECK(messageOf<InputError>(call) ==
          "assembly 'plant': node 'plant/left': is a subassembly, not an instance of a part");
}

TEST_CASE("world boxes hold every placed point", "[scene][assembly]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Assembly assembly = randomAssembly(seed, 20);
    for (NodeId node : assembly.instances()) {
      const TriangleMesh& mesh = assembly.meshOf(node);
      const Box bounds = assembly.worldBounds(node);
      CHECK(bounds.empty() == (mesh.triangleCount() == 0));
      if (bounds.empty()) continue;
      const Transform worldFromPart = assembly.worldFromNode(node);
      Box exact;
      for (const TriangleIndices& t : mesh.triangles())
        for (std::uint32_t corner : t) exact.extend(worldFromPart.apply(mesh.pointInPart(corner)));
      for (int axis = 0; axis < 3; ++axis) {
        CHECK(bounds.min[axis] <= exact.min[axis]);
        CHECK(bounds.max[axis] >= exact.max[axis]);
      }
    }
  }
  const Plant p;
  CHECK(p.assembly.worldBounds(p.root).empty());  // not an instance
  const Box bolt = p.assembly.worldBounds(p.leftBolt2);
  CHECK(near(bolt.min, {-11, 4, -1}, 1e-9));
  CHECK(near(bolt.max, {-9, 6, 1}, 1e-9));
}

TEST_CASE("append puts another assembly below a new root", "[scene][assembly]") {
  Plant p;
  Assembly all("all");
  const NodeId first = all.append(p.assembly, "first"), second = all.append(p.assembly, "second");
  CHECK(all.path(first) == "first");
  CHECK(all.partCount() == 2);
  CHECK(all.sharedPart(PartId{0}) == all.sharedPart(PartId{1}));
  CHECK(all.instances().size() == 8);
  CHECK(all.instancesBelow(second).size() == 4);
  const NodeId bolt = all.at("second/plant/left/bolt#2");
  CHECK(all.partOf(bolt) == PartId{1});
  CHECK(all.worldFromNode(bolt) == p.assembly.worldFromNode(p.leftBolt2));
  CHECK(all.find("first/crate"));  // every root of the other is placed below

  p.assembly.setUnit("m");
  const std::string message = messageOf<InputError>([&] { all.append(p.assembly, "third"); });
  CHECK(contains(message, "'third'"));
  CHECK(contains(message, "m, not in mm"));
  CHECK(all.partCount() == 2);
}

TEST_CASE("what a user attaches to surfaces and instances is found again from a report",
          "[scene][assembly]") {
  const std::vector<Vec3> points{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {9, 9, 9}, {10, 9, 9}, {9, 10, 9}};
  const std::vector<TriangleIndices> triangles{{3, 4, 5}, {0, 1, 2}};
  const std::string words[] = {"floor", "wall"};
  const auto tagOf = [](const std::string& word) { return reinterpret_cast<std::uintptr_t>(&word); };
  Assembly part("pair");
  const PartId id = part.addPart(std::make_shared<const TriangleMesh>(
      TriangleMesh::from(points, triangles, std::vector<std::uint64_t>{tagOf(words[0]), tagOf(words[1])})));
  part.setTag(part.addNode("a", {}, {}, id), 11);
  part.setTag(part.addNode("b", Transform::rotation(Vec3{1, 0, 0}, 1), {}, id), 22);
  CHECK_THROWS_AS(part.setTag(NodeId{2}, 0), InputError);
  Assembly all("all");
  all.append(part, "below");

  const InterferenceReport report = checkAllPairs(Scene(all));
  REQUIRE(report.pairs.size() == 1);
  const PairInterference& pair = report.pairs.front();
  CHECK(all.node(pair.a).tag == 11);
  CHECK(all.node(pair.b).tag == 22);
  REQUIRE(pair.report.surfacePairs.size() == 1);
  const Surface& hit = all.meshOf(pair.a).surfaces()[index(pair.report.surfacePairs.front().a)];
  CHECK(*reinterpret_cast<const std::string*>(hit.tag) == "wall");
}

TEST_CASE("an assembly can be appended to itself", "[scene][assembly]") {
  Plant p;
  const std::size_t nodes = p.assembly.nodes().size();
  p.assembly.append(p.assembly, "copy");
  CHECK(p.assembly.nodes().size() == 2 * nodes + 1);
  CHECK(p.assembly.partCount() == 2);
  CHECK(p.assembly.find("copy/plant/left/bolt#2"));
}

TEST_CASE("the content hash distinguishes contents", "[scene][assembly]") {
  const auto hash = [](auto change) {
    Plant p;
    change(p);
    return p.assembly.contentHash();
  };
  const std::uint64_t same = hash([](Plant&) {});
  CHECK(hash([](Plant&) {}) == same);
  Plant p;
  const Assembly copy = p.assembly;
  CHECK(copy.contentHash() == same);
  // Back in its place, it is the same content again.
  CHECK(hash([](Plant& q) {
          const Transform old = q.assembly.node(q.left).parentFromNode;
          q.assembly.setPlacement(q.left, {});
          q.assembly.setPlacement(q.left, old);
        }) == same);

  const std::set<std::uint64_t> hashes{
      same,
      hash([](Plant& q) { q.assembly.setUnit("m"); }),
      hash([](Plant& q) {
        q.assembly.setPlacement(q.left, Transform::translation({-10, 0, 1e-9}));
      }),
      hash([](Plant& q) { q.assembly.addNode("empty", {}); }),
      hash([](Plant& q) { q.assembly.addNode("empty", {}, q.left); }),
      hash([](Plant& q) { q.assembly.addNode("other", {}, q.left); }),
      hash([](Plant& q) { q.assembly.addNode("empty", {}, q.left, q.part); }),
      hash([](Plant& q) { q.assembly.addNode("empty", {}, q.left, q.assembly.addPart(box(2, 2, 3))); })};
  CHECK(hashes.size() == 8);
  // Meshes count by content, not by address or by how often they are listed.
  CHECK(hash([](Plant& q) { q.assembly.addNode("empty", {}, q.left, q.assembly.addPart(box(2, 2, 2))); }) ==
        hash([](Plant& q) { q.assembly.addNode("empty", {}, q.left, q.part); }));
}

}  // namespace assembly_tests
