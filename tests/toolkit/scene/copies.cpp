#include <fitup/scene/copies.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <numbers>
#include <set>

#include <fitup/scene/explain.h>
#include <fitup/scene/finding_counts.h>
#include <fitup/scene/interference.h>
#include <fitup/scene/live_interference.h>
#include <fitup/scene/verify.h>

#include "support/effort.h"
#include "support/placements.h"
#include "support/tiny_meshes.h"

namespace copies_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr double t = 0.1;

/// One instance of a mesh, called `name`.
struct Item {
  std::string name;
  MeshPtr mesh;
  Transform worldFromPart;
};

/// Each item has a part of its own unless it shares the mesh.
Assembly assemblyOf(const std::vector<Item>& items) {
  Assembly assembly;
  std::map<const TriangleMesh*, PartId> parts;
  for (const Item& item : items) {
    const auto [part, isNew] = parts.try_emplace(item.mesh.get());
    if (isNew) part->second = assembly.addPart(item.mesh);
    assembly.addNode(item.name, item.worldFromPart, {}, part->second);
  }
  return assembly;
}

InterferenceOptions verdictsAt(double tolerance, Rules rules = {}) {
  InterferenceOptions options;
  options.verdict = VerdictOptions{.tolerance = tolerance};
  options.rules = std::move(rules);
  return options;
}

using Names = std::set<std::string>;

/// The sets of copies, and the pairs that clash, by names.
struct Found {
  std::set<Names> sets, clashes;
  friend bool operator==(const Found&, const Found&) = default;
};

Found foundIn(const Assembly& assembly, const InterferenceReport& report) {
  Found found;
  for (const auto& [pair, copies] : listedPairs(report)) {
    Names names;
    for (const NodeId node : copies ? copies->instances : std::vector{pair->a, pair->b})
      names.insert(assembly.path(node));
    if (copies)
      found.sets.insert(names);
    else if (pair->is(Verdict::clash))
      found.clashes.insert(names);
  }
  return found;
}

Found found(const std::vector<Item>& items, const InterferenceOptions& options = verdictsAt(t)) {
  const Assembly assembly = assemblyOf(items);
  return foundIn(assembly, checkAllPairs(Scene(assembly), {}, options));
}

}  // namespace

TEST_CASE("any number of copies in one place is one finding", "[scene][copies]") {
  const MeshPtr cube = sixSidedBox(2, 3, 4);
  for (const std::size_t n : {2U, 3U, 7U, 20U}) {
    INFO(n << " copies");
    std::vector<Item> shared, own;
    Names all;
    for (std::size_t i = 0; i < n; ++i) {
      const std::string name = "c" + std::to_string(i);
      shared.push_back({name, cube, shift(5, 6, 7)});
      own.push_back({name, sixSidedBox(2, 3, 4), shift(5, 6, 7)});  // a part of its own, the same mesh
      all.insert(name);
    }
    CHECK(found(shared) == Found{{all}, {}});
    CHECK(found(own) == Found{{all}, {}});

    const Assembly assembly = assemblyOf(own);
    const InterferenceReport report = checkAllPairs(Scene(assembly), {}, verdictsAt(t));
    CHECK(report.pairs.size() == n * (n - 1) / 2);  // each pair has its result
    CHECK(report.needsAction());
    const FindingCounts counts = countFindings(report);
    CHECK(counts.clashes == 1);
    CHECK(counts.copySets == 1);
    CHECK(counts.pairsOfParts == 0);
    const std::vector<ListedPair> listed = listedPairs(report);
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].copies->pairs == n * (n - 1) / 2);
    // Only one of them was searched, and each result is that of a search of its own.
    const PlacedInstance first =
                             placedForCheck(assembly, report.pairs.back().a, shift(5, 6, 7), verdictsAt(t)),
                         second =
                             placedForCheck(assembly, report.pairs.back().b, shift(5, 6, 7), verdictsAt(t));
    QueryContext context;
    const PairInterference alone = checkPair(Scene(assembly), first, second, verdictsAt(t), context);
    CHECK(alone.areCopies);
    CHECK(alone.assessment() == report.pairs.back().assessment());
    CHECK(alone.report.surfacePairs == report.pairs.back().report.surfacePairs);
    CHECK(alone.report.trianglePairs == report.pairs.back().report.trianglePairs);
    if (n > 2) CHECK(report.pairs.back().report.stats.boxTests == 0);
    CHECK(verifyAllPairs(Scene(assembly), {}, verdictsAt(t), report).differences.empty());
  }
}

TEST_CASE("a copy that was moved by more than the tolerance leaves the set", "[scene][copies]") {
  const MeshPtr cube = sixSidedBox(2, 3, 4);
  const auto with = [&](double by) {
    return found({{"a", cube, {}}, {"b", cube, {}}, {"c", cube, shift(by, 0, 0)}});
  };
  CHECK(with(0.5 * t) == Found{{{"a", "b", "c"}}, {}});
  CHECK(with(2 * t) == Found{{{"a", "b"}}, {{"a", "c"}, {"b", "c"}}});
  CHECK(with(1.999) == Found{{{"a", "b"}}, {}});  // only in contact
  // A chain: neighbours are within the tolerance, its ends are a pair of their own.
  CHECK(found({{"a", cube, {}}, {"b", cube, shift(0.7 * t, 0, 0)}, {"c", cube, shift(1.4 * t, 0, 0)}}) ==
        Found{{{"a", "b", "c"}}, {{"a", "c"}}});
}

TEST_CASE("thin parts of a stack are no copies, though they lie within the tolerance", "[scene][copies]") {
  const MeshPtr shim = sixSidedBox(10, 10, 0.05);
  CHECK(found({{"a", shim, {}}, {"b", shim, shift(0, 0, 0.05)}, {"c", shim, shift(0, 0, 0.1)}}) == Found{});
  CHECK(found({{"a", shim, {}}, {"b", shim, {}}}) == Found{{{"a", "b"}}, {}});
}

TEST_CASE("open copies in one place clash too", "[scene][copies]") {
  const MeshPtr sheet = flatSheet(3, 2);
  const std::vector<Item> items{{"a", sheet, {}}, {"b", sheet, {}}, {"c", sheet, shift(0, 0, 5)}};
  CHECK(found(items) == Found{{{"a", "b"}}, {}});
  const Assembly assembly = assemblyOf(items);
  const InterferenceReport report = checkAllPairs(Scene(assembly), {}, verdictsAt(t));
  CHECK(report.needsAction());
  CHECK(report.isDecided());
  CHECK(verifyAllPairs(Scene(assembly), {}, verdictsAt(t), report).differences.empty());
  ExplainQuestion question{assembly.at("a"), assembly.at("b"), {}, verdictsAt(t)};
  const Explanation explanation = explain(Scene(assembly), {}, question);
  CHECK(explanation.areCopies);
  CHECK(explanation.needsAction());
}

TEST_CASE("other parts, other placements and checks without verdicts have no copies", "[scene][copies]") {
  const MeshPtr cube = sixSidedBox(2, 2, 2);
  CHECK(found({{"a", cube, {}}, {"b", sixSidedBox(2, 2, 2, 2), {}}}).sets.empty());
  CHECK(found({{"a", cube, {}}, {"b", sixSidedBox(2, 2, 2.5), {}}}).sets.empty());
  // The same set of points, turned by a quarter: the faces are at other places.
  CHECK(found({{"a", cube, {}}, {"b", cube, Transform::rotation(Vec3{0, 0, 1}, std::numbers::pi / 2)}})
            .sets.empty());
  CHECK(found({{"a", cube, {}}, {"b", cube, {}}}, InterferenceOptions{}) == Found{});
}

TEST_CASE("a pair that a rule matches leaves the set", "[scene][copies][rules]") {
  const MeshPtr cube = sixSidedBox(2, 3, 4);
  const std::vector<Item> items{{"a", cube, {}}, {"b", cube, {}}, {"c", cube, {}}};
  const auto with = [&](Rule rule) { return found(items, verdictsAt(t, {.rules = {std::move(rule)}})); };
  CHECK(with({.a = "a", .b = "*"}) == Found{{{"b", "c"}}, {}});
  CHECK(with({.a = "a", .b = "*", .action = RuleAction::allowContact}) ==
        Found{{{"b", "c"}}, {{"a", "b"}, {"a", "c"}}});
  CHECK(with({.a = "*", .b = "*"}) == Found{});
  // Connected through b, which is a copy of both.
  const auto one = with({.a = "a", .b = "c", .action = RuleAction::allowContact});
  CHECK(one == Found{{{"a", "b", "c"}}, {{"a", "c"}}});
}

TEST_CASE("sets of copies depend neither on orders nor on a motion of everything", "[scene][copies]") {
  for (std::uint64_t seed = 1; seed <= effort<std::uint64_t>(12, 60); ++seed) {
    Random random(seed);
    const MeshPtr meshes[] = {sixSidedBox(2, 3, 4), icosphere(1.5, 1), lShape(2, 1)};
    std::vector<Item> items;
    for (int place = 0; place < 4; ++place) {
      const Transform at = Transform::rigid(randomRotation(random), random.inCube(4));
      const MeshPtr& mesh = meshes[random.below(3)];
      const int copies = random.integer(1, 4);
      for (int k = 0; k < copies; ++k) {
        const double by = random.below(3) == 0 ? 3 * t : 0;  // some are moved away
        items.push_back({"i" + std::to_string(items.size()), mesh, shift(by, 0, 0) * at});
      }
    }
    const Found expected = found(items);
    INFO("seed " << seed << ", " << items.size() << " instances");
    for (std::size_t i = items.size(); i-- > 1;)
      std::swap(items[i], items[random.below(static_cast<std::uint32_t>(i + 1))]);
    CHECK(found(items) == expected);
    const Transform move = Transform::rigid(randomRotation(random), random.inCube(50));
    for (Item& item : items) item.worldFromPart = move * item.worldFromPart;
    CHECK(found(items) == expected);
  }
}

TEST_CASE("a live check has the sets of a new check after each move", "[scene][copies]") {
  const MeshPtr cube = sixSidedBox(2, 3, 4);
  const Assembly assembly =
      assemblyOf({{"a", cube, {}}, {"b", cube, {}}, {"c", cube, shift(9, 0, 0)}, {"d", cube, {}}});
  const Scene scene(assembly);
  LiveInterference live(scene, {}, verdictsAt(t));
  Poses poses;
  for (const double x : {0.0, 0.05, 0.5, 9.0, 20.0}) {
    poses.set(assembly.at("c"), shift(x, 0, 0));
    poses.set(assembly.at("a"), shift(0.5 * x, 0, 0));
    const InterferenceReport& report = live.moveTo(poses);
    const InterferenceReport again = checkAllPairs(scene, poses, verdictsAt(t));
    INFO("x " << x);
    CHECK(foundIn(assembly, report) == foundIn(assembly, again));
    REQUIRE(report.pairs.size() == again.pairs.size());
    for (std::size_t i = 0; i < again.pairs.size(); ++i) {
      CHECK(report.pairs[i].assessment() == again.pairs[i].assessment());
      CHECK(report.pairs[i].report.trianglePairs == again.pairs[i].report.trianglePairs);
    }
  }
}

}  // namespace copies_tests
