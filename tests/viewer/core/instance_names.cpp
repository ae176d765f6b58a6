#include <viewer/core/instance_names.h>

#include <set>

#include <catch2/catch.hpp>

#include "support/tiny_meshes.h"

namespace instance_names_tests {

using namespace fitup;
using namespace fitup::test;
using namespace fitup::viewer;

TEST_CASE("instances of one name are distinguished by the ends of their paths", "[viewer][names]") {
  Assembly assembly("machine");
  const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
  const auto add = [&](const char* name, std::optional<NodeId> parent, bool isPart) {
    return assembly.addNode(name, {}, parent, isPart ? std::optional(part) : std::nullopt);
  };
  const NodeId left = add("left", {}, false), right = add("right", {}, false);
  const NodeId leftDoor = add("door", left, false), rightDoor = add("door", right, false);
  const NodeId frame = add("frame", left, true), slash = add("1/2 inch", left, true);
  const NodeId bolt = add("bolt", left, true);
  const NodeId bolts[] = {add("bolt", right, true), add("bolt", right, true)};
  const NodeId hinges[] = {add("hinge", leftDoor, true), add("hinge", rightDoor, true)};
  const NodeId pins[] = {add("a/b", leftDoor, true), add("a/b", right, true)};
  add("spare", {}, false);
  const InstanceNames names(assembly);
  CHECK(names.of(frame) == "frame");
  CHECK(names.of(slash) == "1/2 inch");
  CHECK(names.of(bolt) == "left/bolt");
  CHECK(names.of(bolts[0]) == "bolt#1");
  CHECK(names.of(bolts[1]) == "bolt#2");
  CHECK(names.of(hinges[0]) == "left/door/hinge");
  CHECK(names.of(hinges[1]) == "right/door/hinge");
  CHECK(names.of(pins[0]) == "door/a%2Fb");
  CHECK(names.of(pins[1]) == "right/a%2Fb");
}

TEST_CASE("instances that only the beginnings of long paths tell apart have those", "[viewer][names]") {
  Assembly assembly("deep");
  const PartId part = assembly.addPart(sixSidedBox(1, 1, 1));
  for (const char* root : {"x", "y"}) {
    NodeId at = assembly.addNode(root, {});
    for (int i = 0; i < 12; ++i) at = assembly.addNode("step", {}, at, part);
  }
  const InstanceNames names(assembly);
  std::set<std::string> all;
  for (const NodeId node : assembly.instances()) {
    const std::string name = names.of(node);
    CHECK(all.insert(name).second);
    CHECK(assembly.path(node).ends_with(name));
  }
}

}  // namespace instance_names_tests
