#include <fitup/scene/threads.h>

#include <catch2/catch.hpp>

#include <numbers>

#include <fitup/base/error.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/rule_attributes.h>

#include "support/analytic_solids.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace threads_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr std::uint32_t segments = 48;

/// Tabulated values of ISO 965: nominal diameter, pitch, core of the inner thread, core of the outer thread.
struct Tabulated {
  double nominal, pitch, inner, outerCore;
};
constexpr Tabulated tabulated[] = {
    {3, 0.5, 2.459, 2.387},    {4, 0.7, 3.242, 3.141},  {5, 0.8, 4.134, 4.019},    {6, 1, 4.917, 4.773},
    {8, 1.25, 6.647, 6.466},   {10, 1.5, 8.376, 8.160}, {12, 1.75, 10.106, 9.853}, {16, 2, 13.835, 13.546},
    {20, 2.5, 17.294, 16.933}, {24, 3, 20.752, 20.319}};

std::optional<fitup::Thread> threadIn(double pin, double hole, const Transform& worldFromPin = {},
                                      const Transform& worldFromHole = {}, double unit = 1) {
  return recogniseThread(*cylinder(pin / 2, 4 * pin, segments), worldFromPin,
                         *tube(pin, hole / 2, pin, segments), worldFromHole, unit);
}

}  // namespace

TEST_CASE("metric coarse threads are recognised by the tabulated core diameters", "[scene][threads]") {
  for (const Tabulated& each : tabulated) {
    INFO("M" << each.nominal);
    for (const double core : {each.inner, each.outerCore}) {
      const auto thread = threadIn(each.nominal, core);
      REQUIRE(thread);
      CHECK(thread->nominal == each.nominal);
      CHECK(thread->overlap() == Approx((each.nominal - core) / 2).epsilon(1e-5));
    }
    CHECK(threadIn(each.nominal, each.nominal - each.pitch));  // the hole that is drilled for it
    // A fine thread, a press fit, a clearance hole, a hole of half the size.
    CHECK_FALSE(threadIn(each.nominal, each.nominal - 0.7 * each.pitch));
    CHECK_FALSE(threadIn(each.nominal, each.nominal - 0.05));
    CHECK_FALSE(threadIn(each.nominal, each.nominal + 0.1 * each.nominal));
    CHECK_FALSE(threadIn(each.nominal, 0.5 * each.nominal));
  }
}

TEST_CASE("a thread needs a common axis and a common length", "[scene][threads]") {
  CHECK(threadIn(8, 6.647));
  CHECK(threadIn(8, 6.647, shift(0, 0, 10)));        // screwed out, but still in
  CHECK_FALSE(threadIn(8, 6.647, shift(0, 0, 30)));  // out
  CHECK(threadIn(8, 6.647, shift(0.02, 0, 0)));
  CHECK_FALSE(threadIn(8, 6.647, shift(0.3, 0, 0)));
  CHECK_FALSE(threadIn(8, 6.647, Transform::rotation(Vec3{1, 0, 0}, 0.1)));
  // The same in inches, upside down, moved rigidly, and seen from the other part.
  CHECK(threadIn(8 / 25.4, 6.647 / 25.4, {}, {}, 25.4));
  CHECK_FALSE(threadIn(8 / 25.4, 6.647 / 25.4));
  CHECK(threadIn(8, 6.647, Transform::rotation(Vec3{1, 0, 0}, std::numbers::pi)));
  Random random(5);
  for (int i = 0; i < 5; ++i) {
    const Transform move = Transform::rigid(randomRotation(random), random.inCube(100));
    CHECK(threadIn(8, 6.647, move, move));
  }
  const auto swapped =
      recogniseThread(*tube(8, 6.647 / 2, 8, segments), {}, *cylinder(4, 32, segments), {}, 1);
  REQUIRE(swapped);
  CHECK(swapped->outer == Approx(8).epsilon(1e-5));
  // Two rings, and two pins.
  CHECK_FALSE(recogniseThread(*tube(8, 6.647 / 2, 8, segments), {}, *tube(8, 4, 8, segments), {}, 1));
  CHECK_FALSE(recogniseThread(*cylinder(4, 32, segments), {}, *cylinder(3.3235, 32, segments), {}, 1));
}

TEST_CASE("a rule for threads allows them up to its depth, and nothing else", "[scene][threads][rules]") {
  Assembly assembly;
  const PartId bolt = assembly.addPart(cylinder(4, 32, segments)),
               nut = assembly.addPart(tube(8, 6.647 / 2, 8, segments));
  const auto add = [&](const char* name, PartId part, const Transform& at) {
    assembly.addNode(name, at, {}, part);
  };
  add("bolt1", bolt, {});
  add("nut1", nut, {});
  add("bolt2", bolt, shift(100, 0, 0));
  add("nut2", nut, shift(100.9, 0, 0));  // beside the axis
  add("nut3", nut, shift(0, 0, 6));      // sunk into nut1 by 2
  const Scene scene(assembly);
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = 0.05};
  const auto verdictOf = [&](const InterferenceReport& report, const char* a, const char* b) {
    for (const PairInterference& pair : report.pairs)
      if (assembly.path(pair.a) == a && assembly.path(pair.b) == b) return pair.verdict->verdict;
    return Verdict::clear;
  };
  const InterferenceReport plain = checkAllPairs(scene, {}, options);
  CHECK(plain.count(Verdict::clash) == 4);
  const ThreadSuggestion suggestion = findThreads(scene, {}, plain, 1);
  CHECK(suggestion.pairs == 2);  // bolt1 with both nuts
  CHECK(suggestion.mostOverlap == Approx(0.6765).epsilon(1e-4));

  const Rule rule{
      .a = "*", .b = "*", .action = RuleAction::allowOverlap, .depth = 0.7, .fastener = Fastener::thread};
  options.rules.rules = {rule};
  CHECK_THROWS_AS(checkAllPairs(scene, {}, options), InputError);  // not resolved
  options.rules = resolveAttributes(options.rules, scene, {}, 1);
  const InterferenceReport ruled = checkAllPairs(scene, {}, options);
  CHECK(verdictOf(ruled, "bolt1", "nut1") == Verdict::contact);
  CHECK(verdictOf(ruled, "bolt1", "nut3") == Verdict::contact);
  CHECK(verdictOf(ruled, "bolt2", "nut2") == Verdict::clash);
  CHECK(verdictOf(ruled, "nut1", "nut3") == Verdict::clash);
  CHECK(findThreads(scene, {}, ruled, 1).pairs == 0);
  // Deeper than the rule allows; the pair stays a thread where it moves.
  Poses poses{{assembly.at("bolt1"), shift(0.5, 0, 0)}};
  CHECK(verdictOf(checkAllPairs(scene, poses, options), "bolt1", "nut1") == Verdict::clash);
  poses = {{assembly.at("bolt1"), shift(0, 0, 5)}};
  CHECK(verdictOf(checkAllPairs(scene, poses, options), "bolt1", "nut1") == Verdict::contact);
}

TEST_CASE("rules select by the name of the part and by colour", "[scene][rules]") {
  Assembly assembly;
  TriangleMeshBuilder painted("M8 bolt");
  for (const float red : {1.0F, 0.0F}) {
    painted.beginSurface("", Colour{red, 0.5F, 0, 1});
    painted.addTriangle(painted.addPoint({0, 0, red}), painted.addPoint({1, 0, 0}),
                        painted.addPoint({0, 1, 0}));
  }
  const PartId bolt = assembly.addPart(finished(painted)), cube = assembly.addPart(box(1, 1, 1));
  assembly.addNode("x", {}, {}, bolt);
  assembly.addNode("y", {}, {}, bolt, Colour{0, 0, 1, 1});  // covers the colours of the surfaces
  assembly.addNode("z", {}, {}, cube);
  const Scene scene(assembly);
  const auto matches = [&](Rule rule) {
    const Rules rules = resolveAttributes({.rules = {std::move(rule)}}, scene, {}, 1);
    std::string pairs;
    for (const auto& [p, q] : {std::pair{"x", "y"}, {"x", "z"}, {"z", "y"}})
      if (rules.find(p, q) != nullptr) pairs += std::string(p) + q + " ";
    return pairs;
  };
  CHECK(matches({.a = "*", .b = "*", .whereA = {.part = "M8*"}}) == "xy xz zy ");
  CHECK(matches({.a = "*", .b = "*", .whereA = {.part = "M8*"}, .whereB = {.part = "M?*"}}) == "xy ");
  CHECK(matches({.a = "*", .b = "z", .whereA = {.colour = "#ff8000"}}) == "xz ");
  CHECK(matches({.a = "*", .b = "z", .whereA = {.colour = "#008000"}}) == "xz ");  // its other surface
  CHECK(matches({.a = "*", .b = "z", .whereA = {.part = "M8*", .colour = "#0000ff"}}) == "zy ");
  CHECK(matches({.a = "x", .b = "*", .whereA = {.colour = "#0000ff"}}).empty());  // the path too
  CHECK(matches({.a = "*", .b = "*", .whereA = {.part = "m8*"}}).empty());
  CHECK_THROWS_AS((Rules{.rules = {{.a = "*", .b = "*", .whereB = {.part = "M8*"}}}}.find("x", "y")),
                  InputError);
}

TEST_CASE("rules select by the layers of an instance and of what is above it", "[scene][rules]") {
  Assembly assembly;
  const PartId cube = assembly.addPart(box(1, 1, 1));
  const NodeId group = assembly.addNode("group", {});
  const NodeId x = assembly.addNode("x", {}, group, cube);
  assembly.addNode("y", {}, group, cube);
  const NodeId z = assembly.addNode("z", {}, {}, cube);
  assembly.setLayers(group, {"piping", "", "hot", "piping"});
  CHECK(assembly.node(group).layers == std::vector<std::string>{"hot", "piping"});
  assembly.setLayers(x, {"12"});
  assembly.setLayers(z, {"120"});
  CHECK_THROWS_AS(assembly.setLayers(NodeId(9), {"12"}), InputError);
  Assembly both("both");
  both.append(assembly, "copy");  // layers come along
  const Scene scene(both);
  const auto matches = [&](Rule rule) {
    const Rules rules = resolveAttributes({.rules = {std::move(rule)}}, scene, {}, 1);
    std::string pairs;
    for (const auto& [p, q] : {std::pair{"group/x", "group/y"}, {"group/x", "z"}, {"z", "group/y"}})
      if (rules.find(std::string("copy/") + p, std::string("copy/") + q) != nullptr)
        pairs += std::string(p) + "-" + q + " ";
    return pairs;
  };
  CHECK(matches({.a = "*", .b = "*", .whereA = {.layer = "12"}}) == "group/x-group/y group/x-z ");
  CHECK(matches({.a = "*", .b = "*", .whereA = {.layer = "12"}, .whereB = {.layer = "12?"}}) == "group/x-z ");
  CHECK(matches({.a = "*", .b = "*", .whereA = {.layer = "pip*"}, .whereB = {.layer = "hot"}}) ==
        "group/x-group/y ");
  CHECK(matches({.a = "*", .b = "*", .whereA = {.layer = "PIP*"}}).empty());
  CHECK(matches({.a = "copy/group/y", .b = "*", .whereA = {.layer = "12"}}).empty());
}

TEST_CASE("the rule for threads allows the deepest of them", "[scene][threads]") {
  const Rule rule = ruleFor({2, 0.4, 0.6766});
  CHECK(rule.fastener == Fastener::thread);
  CHECK(rule.action == RuleAction::allowOverlap);
  CHECK(rule.depth == 0.7);  // 1.02 * 0.6766 = 0.6901
  CHECK((rule.a == "*" && rule.b == "*"));
}

}  // namespace threads_tests
