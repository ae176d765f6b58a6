#include <fitup/hierarchy/scd_trees.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include <fitup/base/error.h>
#include <fitup/query/intersect.h>

#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace scd_trees_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

/// Checks, independently of `isWellFormedFor`, whether every descent that follows overlapping boxes is safe
/// and complete: every index in range, no cycle, every triangle and every surface with triangles reached once
/// through boxes that all contain it.
class Soundness {
 public:
  Soundness(const ScdTrees& trees, const TriangleMesh& mesh) : trees_(trees), mesh_(mesh) {}

  bool sound() {
    if (trees_.triangleTrees.size() != mesh_.surfaces().size()) return false;
    std::vector<int> triangles(mesh_.triangleCount()), surfaces(mesh_.surfaces().size());
    for (std::uint32_t s = 0; s < mesh_.surfaces().size(); ++s) {
      const RTreeRoot& root = trees_.triangleTrees[s];
      const bool good = leavesBelow(root, [&](const RTreeEntry& e) {
        if (e.first >= triangles.size() || index(mesh_.surfaceOf(TriangleId(e.first))) != s) return false;
        ++triangles[e.first];
        return inside(mesh_.triangleBounds(TriangleId(e.first)));
      });
      if (!good) return false;
    }
    const bool good = leavesBelow(trees_.surfaceTree, [&](const RTreeEntry& e) {
      if (e.first >= surfaces.size() || mesh_.surfaces()[e.first].triangleCount == 0) return false;
      ++surfaces[e.first];
      const Surface& s = mesh_.surfaces()[e.first];
      for (std::uint32_t i = 0; i < s.triangleCount; ++i)
        if (!inside(mesh_.triangleBounds(TriangleId(s.firstTriangle + i)))) return false;
      return true;
    });
    for (std::size_t s = 0; s < surfaces.size(); ++s)
      if (surfaces[s] != (mesh_.surfaces()[s].triangleCount > 0 ? 1 : 0)) return false;
    return good && std::all_of(triangles.begin(), triangles.end(), [](int n) { return n == 1; });
  }

 private:
  bool inside(const Aabb& box) const {
    return std::all_of(path_.begin(), path_.end(), [&](const Aabb& b) { return b.contains(box); });
  }
  bool leavesBelow(const RTreeRoot& root, const std::function<bool(const RTreeEntry&)>& leaf) {
    if (root.count == 0) return true;
    path_ = {root.box};
    return node(root.first, root.count, leaf, 0);
  }
  bool node(std::uint32_t first, std::uint32_t count, const std::function<bool(const RTreeEntry&)>& leaf,
            int depth) {
    if (depth > 64 || std::uint64_t(first) + count > trees_.entries.size()) return false;
    for (std::uint32_t i = first; i < first + count; ++i) {
      const RTreeEntry& e = trees_.entries[i];
      path_.push_back(e.box());
      const bool good = e.count == 0 ? leaf(e) : node(e.first, e.count, leaf, depth + 1);
      path_.pop_back();
      if (!good) return false;
    }
    return true;
  }

  const ScdTrees& trees_;
  const TriangleMesh& mesh_;
  std::vector<Aabb> path_;
};

/// Returns the largest number of entries of a node.
std::uint32_t largestNode(const ScdTrees& trees) {
  std::uint32_t most = trees.surfaceTree.count;
  for (const RTreeRoot& r : trees.triangleTrees) most = std::max(most, r.count);
  for (const RTreeEntry& e : trees.entries) most = std::max(most, e.count);
  return most;
}

constexpr std::uint32_t fanOuts[] = {2, 3, 4, 8, 16, 64};
constexpr RTreeBuild builds[] = {RTreeBuild::packed, RTreeBuild::guttman};

}  // namespace

TEST_CASE("built trees are well formed", "[hierarchy]") {
  for (RTreeBuild build : builds)
    for (std::uint32_t fanOut : fanOuts)
      for (std::uint32_t n = 0; n <= 100; ++n) {
        const MeshPtr mesh = n % 2 == 0 ? soup(n, n, 0.4, 1 + n % 7) : latticeSoup(n, n, 2, 1 + n % 7);
        const ScdTrees trees = ScdTrees::build(*mesh, {build, fanOut});
        INFO("triangles " << n << ", fan-out " << fanOut << ", packed " << (build == RTreeBuild::packed));
        REQUIRE(trees.isWellFormedFor(*mesh));
        REQUIRE(Soundness(trees, *mesh).sound());
        REQUIRE(largestNode(trees) <= fanOut);
        REQUIRE(trees.options == RTreeOptions{build, fanOut});
        if (n > 0) REQUIRE(trees.surfaceTree.box == mesh->bounds());
        // Trees of another mesh are rejected.
        if (n > 0) REQUIRE_FALSE(trees.isWellFormedFor(*soup(n + 1, n, 0.4, 1 + n % 7)));
      }
}

TEST_CASE("many equal boxes, one surface each", "[hierarchy]") {
  const std::vector<Triangle> same(90, Triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
  for (RTreeBuild build : builds)
    for (std::uint32_t fanOut : fanOuts)
      for (std::uint32_t surfaces : {1U, 90U}) {
        const MeshPtr mesh = fromTriangles("pile", same, surfaces);
        CHECK(ScdTrees::build(*mesh, {build, fanOut}).isWellFormedFor(*mesh));
      }
}

TEST_CASE("fan-outs out of range are refused", "[hierarchy]") {
  for (std::uint32_t fanOut : {0U, 1U, 65U, 0xFFFFFFFFU})
    CHECK_THROWS_AS(ScdTrees::build(*box(1, 1, 1), {RTreeBuild::packed, fanOut}), InputError);
}

namespace {

/// Calls `check` with every single-bit change of every field of the trees.
void forEachDamage(const ScdTrees& good,
                   const std::function<void(const ScdTrees&, const std::string&)>& check) {
  const auto damagedWord = [](std::uint32_t& word, int bit, const std::function<void()>& use) {
    const std::uint32_t kept = word;
    word ^= 1U << bit;
    use();
    word = kept;
  };
  const auto damagedFloat = [&](float& value, int bit, const std::function<void()>& use) {
    auto word = std::bit_cast<std::uint32_t>(value);
    const float kept = value;
    damagedWord(word, bit, [&] {
      value = std::bit_cast<float>(word);
      use();
    });
    value = kept;
  };
  const auto damagedPoint = [&](Point3f& p, int bit, const std::function<void()>& use) {
    damagedFloat(p.x, bit, use);
    damagedFloat(p.y, bit, use);
    damagedFloat(p.z, bit, use);
  };
  std::vector<RTreeEntry> entries(good.entries.begin(), good.entries.end());
  std::vector<RTreeRoot> roots(good.triangleTrees.begin(), good.triangleTrees.end());
  RTreeRoot top = good.surfaceTree;
  const auto use = [&](const std::string& where) {
    return [&, where] {
      ScdTrees t = good;
      t.entries = SharedArray<RTreeEntry>(entries);
      t.triangleTrees = SharedArray<RTreeRoot>(roots);
      t.surfaceTree = top;
      check(t, where);
    };
  };
  const auto damagedRoot = [&](RTreeRoot& r, int bit, const std::string& where) {
    damagedWord(r.first, bit, use(where + " first"));
    damagedWord(r.count, bit, use(where + " count"));
    damagedPoint(r.box.min, bit, use(where + " min"));
    damagedPoint(r.box.max, bit, use(where + " max"));
  };
  for (int bit = 0; bit < 32; ++bit) {
    const std::string atBit = ", bit " + std::to_string(bit);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::string where = "entry " + std::to_string(i) + atBit;
      damagedWord(entries[i].first, bit, use(where + " first"));
      damagedWord(entries[i].count, bit, use(where + " count"));
      damagedPoint(entries[i].min, bit, use(where + " min"));
      damagedPoint(entries[i].max, bit, use(where + " max"));
    }
    for (std::size_t i = 0; i < roots.size(); ++i)
      damagedRoot(roots[i], bit, "root " + std::to_string(i) + atBit);
    damagedRoot(top, bit, "surface root" + atBit);
  }
}

}  // namespace

TEST_CASE("damaged trees are detected or harmless", "[hierarchy][damage]") {
  // Surfaces 1, 4 and 6 of the second one have no triangles.
  const MeshPtr withHollow = [] {
    const MeshPtr s = soup(4, 3, 0.5);
    std::vector<Triangle> t;
    for (std::uint32_t i = 0; i < 4; ++i) t.push_back(s->triangle(TriangleId(i)));
    return fromTriangles("hollow", t, 7);
  }();
  for (const MeshPtr& mesh : {soup(9, 7, 0.5, 3), withHollow}) {
    const ScdTrees good = ScdTrees::build(*mesh, {RTreeBuild::packed, 2});
    const ModelPtr model = modelOf(mesh), other = modelOf(soup(60, 8, 2));
    const IntersectionReport expected = intersect({model, {}}, {other, {}});
    REQUIRE(expected.intersects());
    std::size_t accepted = 0, detected = 0;
    forEachDamage(good, [&](const ScdTrees& t, const std::string& where) {
      INFO(where);
      if (!t.isWellFormedFor(*mesh)) {
        ++detected;
        REQUIRE_THROWS_AS(CollisionModel::fromTrees(mesh, t, std::nullopt), InputError);
        return;
      }
      ++accepted;
      CHECK(Soundness(t, *mesh).sound());
      if (!Soundness(t, *mesh).sound()) return;
      const ModelPtr damaged = CollisionModel::fromTrees(mesh, t, std::nullopt);
      CHECK(sameAnswer(intersect({damaged, {}}, {other, {}}, {.hierarchy = HierarchyKind::scd}), expected));
    });
    INFO(accepted << " accepted");
    CHECK(detected > accepted);
  }
}

TEST_CASE("trees with lists of the wrong length are detected", "[hierarchy][damage]") {
  const MeshPtr mesh = soup(20, 5, 0.5, 4);
  const ScdTrees good = ScdTrees::build(*mesh, {RTreeBuild::packed, 3});
  REQUIRE(CollisionModel::fromTrees(mesh, good, std::nullopt));
  ScdTrees t = good;
  t.triangleTrees = SharedArray<RTreeRoot>({good.triangleTrees.begin(), good.triangleTrees.end() - 1});
  CHECK_FALSE(t.isWellFormedFor(*mesh));
  t.triangleTrees = {};  // a lean build: a missing list is not damage, but there are no trees for 'scd'
  CHECK(t.isWellFormedFor(*mesh));
  CHECK_FALSE(CollisionModel::fromTrees(mesh, t, std::nullopt)->has(HierarchyKind::scd));
  t = good;
  t.entries = {};
  CHECK_FALSE(t.isWellFormedFor(*mesh));
  for (std::size_t keep = 0; keep < good.entries.size(); ++keep) {
    t.entries = SharedArray<RTreeEntry>({good.entries.begin(), good.entries.begin() + std::ptrdiff_t(keep)});
    CHECK_FALSE(t.isWellFormedFor(*mesh));
  }
  // A subtree that occurs twice, in place of another.
  for (std::size_t i = 0; i < good.entries.size(); ++i)
    for (std::size_t j = 0; j < good.entries.size(); ++j) {
      std::vector<RTreeEntry> entries(good.entries.begin(), good.entries.end());
      if (std::bit_cast<std::array<char, 32>>(entries[i]) == std::bit_cast<std::array<char, 32>>(entries[j]))
        continue;
      entries[i] = entries[j];
      t = good;
      t.entries = SharedArray<RTreeEntry>(entries);
      CHECK((!t.isWellFormedFor(*mesh) || Soundness(t, *mesh).sound()));
    }
}

TEST_CASE("trees of files with nodes too wide or too deep are refused", "[hierarchy]") {
  // Descents keep a node's entries on the stack and recurse, so both errors would end in a crash.
  const MeshPtr mesh = soup(400, 5, 0.3);
  ScdTrees wide = ScdTrees::build(*mesh);
  std::vector<RTreeEntry> entries(wide.entries.begin(), wide.entries.end());
  const RTreeRoot tree = wide.triangleTrees[0];
  RTreeRoot flat{static_cast<std::uint32_t>(entries.size()), 400, tree.box};
  for (std::uint32_t i = 0; i < 400; ++i) {
    const Aabb b = mesh->triangleBounds(TriangleId{i});
    entries.push_back({b.min, i, b.max, 0});
  }
  wide.entries = SharedArray<RTreeEntry>(entries);
  wide.triangleTrees = SharedArray<RTreeRoot>(std::vector<RTreeRoot>{flat});
  CHECK_FALSE(wide.isWellFormedFor(*mesh));

  ScdTrees deep = ScdTrees::build(*mesh);
  entries.assign(deep.entries.begin(), deep.entries.end());
  const auto first = static_cast<std::uint32_t>(entries.size());
  constexpr std::uint32_t levels = 5000;
  for (std::uint32_t i = 0; i < levels; ++i)
    entries.push_back(
        {tree.box.min, i + 1 < levels ? first + i + 1 : 0, tree.box.max, i + 1 < levels ? 1U : 0U});
  deep.entries = SharedArray<RTreeEntry>(entries);
  deep.triangleTrees = SharedArray<RTreeRoot>(std::vector<RTreeRoot>{{first, 1, tree.box}});
  CHECK_FALSE(deep.isWellFormedFor(*mesh));
}

TEST_CASE("a lean build has the surface tree alone", "[hierarchy]") {
  const MeshPtr mesh = sixSidedBox(1, 2, 3, 4);
  BuildOptions leanOptions;
  leanOptions.triangleTrees = false;
  const ModelPtr full = modelOf(mesh), lean = modelOf(mesh, leanOptions);
  CHECK(full->has(HierarchyKind::scd));
  CHECK_FALSE(lean->has(HierarchyKind::scd));
  CHECK(lean->rtrees().isWellFormedFor(*mesh));
  CHECK(lean->rtrees().surfaceTree.box == full->rtrees().surfaceTree.box);
  CHECK(lean->hierarchyBytes() < full->hierarchyBytes());
  const Transform there = Transform::translation({0.4, 0.3, 0.2});
  CHECK(sameAnswer(intersect({lean, {}}, {full, there}), intersect({full, {}}, {full, there})));
  const IntersectionRequest scd{.hierarchy = HierarchyKind::scd};
  CHECK_THROWS_AS(intersect({lean, {}}, {full, there}, scd), NotBuiltError);
  CHECK_THROWS_AS(intersect({full, {}}, {lean, there}, scd), NotBuiltError);
  // A surface tree that is too small is not a tree of the mesh.
  ScdTrees damaged = lean->rtrees();
  std::vector<RTreeEntry> entries(damaged.entries.begin(), damaged.entries.end());
  for (RTreeEntry& e : entries) e.max.x -= 0.5F;
  damaged.entries = SharedArray<RTreeEntry>(std::move(entries));
  CHECK_FALSE(damaged.isWellFormedFor(*mesh));
}

}  // namespace scd_trees_tests
