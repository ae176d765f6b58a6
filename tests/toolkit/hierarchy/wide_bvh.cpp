#include <fitup/hierarchy/wide_bvh.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <functional>

#include <fitup/base/error.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/intersect.h>
#include <models/grid.h>
#include <models/torus.h>

#include "support/placements.h"
#include "support/report_checks.h"
#include "support/temporary_folder.h"
#include "support/tiny_meshes.h"

namespace wide_bvh_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

constexpr WideBvhOptions allOptions[] = {{WideLayout::fast, true},
                                         {WideLayout::fast, false},
                                         {WideLayout::compact, true},
                                         {WideLayout::compact, false}};

/// Returns the number of nodes on the longest way from the root down. Precondition: well formed.
std::size_t depth(const WideBvh& tree) {
  std::vector<std::size_t> depths(tree.nodeCount(), 1);
  for (std::size_t i = 0; i < tree.nodeCount(); ++i) {
    const bool fast = tree.layout == WideLayout::fast;
    const WideNodeHead& head = fast ? tree.nodes[i].head : tree.compactNodes[i].head;
    for (std::size_t k = 0; k < head.childCount; ++k) {
      const WideChild child = fast ? tree.nodes[i].child[k] : tree.compactNodes[i].child[k];
      if (!child.isLeaf()) depths[child.node()] = depths[i] + 1;
    }
  }
  return depths.empty() ? 0 : *std::max_element(depths.begin(), depths.end());
}

/// Returns the first problem of the mesh's trees, with its options.
std::string problemOfTrees(const MeshPtr& mesh, std::size_t greatestDepth = 16) {
  for (const WideBvhOptions& options : allOptions) {
    const WideBvh tree = WideBvh::build(*mesh, options);
    const std::string with = std::string(options.layout == WideLayout::fast ? "fast" : "compact") +
                             (options.orientNodes ? ", turned: " : ": ");
    if (const auto problem = tree.problemFor(*mesh, true)) return with + *problem;
    if (tree.layout != options.layout) return with + "another layout";
    if (!options.orientNodes && tree.frames.size() > 1) return with + "turned nodes";
    if (depth(tree) > greatestDepth) return with + "depth " + std::to_string(depth(tree));
  }
  return {};
}

MeshPtr scaled(const MeshPtr& mesh, double s) { return transformed(mesh, Transform::scaling(s, s, s)); }

template <typename T>
bool sameBytes(const SharedArray<T>& a, const SharedArray<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

TEST_CASE("wide trees are well formed", "[hierarchy][wide]") {
  for (std::uint32_t n = 0; n <= 100; ++n) {
    INFO("triangles " << n);
    REQUIRE(problemOfTrees(soup(n, n, 0.4, 1 + n % 7), 4) == "");
    REQUIRE(problemOfTrees(latticeSoup(n, n, 2, 1 + n % 11), 4) == "");
    const WideBvh tree = WideBvh::build(*soup(n, n, 0.4));
    // One surface: the tree is as flat as possible.
    REQUIRE(depth(tree) == (n == 0 ? 0U : n <= 8 ? 1U : n <= 64 ? 2U : 3U));
    // Trees of another mesh are rejected.
    if (n > 0) REQUIRE(tree.problemFor(*soup(n + 1, n, 0.4), false));
    if (n > 1) REQUIRE(tree.problemFor(*soup(n, n + 1, 0.4), false));
  }
}

TEST_CASE("wide trees of named meshes are well formed", "[hierarchy][wide]") {
  for (const MeshPtr& mesh :
       {tetrahedron(2), box(1, 2, 3), sixSidedBox(2, 2, 2, 9), icosphere(1, 3), uvSphere(1, 31, 17, 4),
        cylinder(1, 2, 333), sliverFan(500, 5, 1e-5), degenerateSet(), flatSheet(20, 30), lShape(3, 1),
        emptyMesh(), soup(3000, 1, 0.1, 40), latticeSoup(3000, 2, 3, 40)}) {
    INFO(mesh->name());
    CHECK(problemOfTrees(mesh) == "");
    CHECK(problemOfTrees(transformed(mesh, Transform::rotation({1, 2, 3}, 1))) == "");
    // Any size that a mesh may have.
    for (const double s : {0x1p-97, 0x1p-60, 0x1p60, 0x1p90}) CHECK(problemOfTrees(scaled(mesh, s)) == "");
  }
}

TEST_CASE("wide trees of meshes with points of very different size are well formed", "[hierarchy][wide]") {
  Random random(21);
  for (std::uint64_t k = 0; k < 200; ++k) {
    INFO("mesh " << k);
    const MeshPtr mesh = soup(60, k, 0.4);
    const int most = 10 + static_cast<int>(random.below(70));
    std::vector<Vec3> points;
    for (std::uint32_t i = 0; i < mesh->points().size(); ++i) {
      const int power = static_cast<int>(random.below(2 * static_cast<std::uint32_t>(most) + 1)) - most;
      const Vec3 p = mesh->pointInPart(i);
      points.push_back(k % 2 == 0 ? p * std::ldexp(1, power) : Vec3{p.x * std::ldexp(1, power), p.y, p.z});
    }
    REQUIRE(problemOfTrees(std::make_shared<const TriangleMesh>(withPoints(*mesh, points))) == "");
  }
}

TEST_CASE("wide trees of meshes that cannot be split well", "[hierarchy][wide]") {
  const Triangle one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  SECTION("identical triangles") {
    for (const std::uint32_t n : {9U, 64U, 65U, 513U, 5000U})
      for (const std::uint32_t surfaces : {1U, 2U, n, 2 * n})
        CHECK(problemOfTrees(fromTriangles("pile", std::vector<Triangle>(n, one), surfaces)) == "");
  }
  SECTION("points, all the same") {
    CHECK(problemOfTrees(fromTriangles("points", std::vector<Triangle>(777))) == "");
  }
  SECTION("one centre, many sizes") {
    std::vector<Triangle> triangles;
    for (int i = 1; i <= 700; ++i) {
      const double s = i;
      triangles.push_back({{{-s, -s, -s}, {s, s, s}, {s, -s, 0}}});
    }
    CHECK(problemOfTrees(fromTriangles("nested", triangles, 1)) == "");
    CHECK(problemOfTrees(fromTriangles("nested", triangles, 700)) == "");
  }
  SECTION("surfaces of one triangle and of none") {
    const MeshPtr many = soup(5000, 7, 0.05, 5000);
    CHECK(problemOfTrees(many) == "");
    CHECK(problemOfTrees(soup(50, 7, 0.05, 5000)) == "");
  }
  SECTION("one of two axes, or of all three, without extent") {
    std::vector<Triangle> line, plane;
    for (int i = 0; i < 900; ++i) {
      line.push_back({{{i * 1.0, 5, -3}, {i + 1.0, 5, -3}, {i + 0.5, 5, -3}}});
      plane.push_back({{{i % 30 * 1.0, i / 30 * 1.0, 7}, {i % 30 + 1.0, 0, 7}, {0, 1, 7}}});
    }
    CHECK(problemOfTrees(fromTriangles("line", line)) == "");
    CHECK(problemOfTrees(fromTriangles("plane", plane, 9)) == "");
  }
  SECTION("sizes from the smallest number to the largest") {
    // The surface area heuristic splits off all bins except the lowest, four octaves at a time, and nodes of
    // the least area hold what was split off. This is the deepest tree possible, with a node for each of 50
    // splits.
    std::vector<Triangle> triangles;
    for (int e = -99; e < 99; ++e)
      for (int k = 0; k < 3; ++k) {
        const double s = std::ldexp(1.0 + k * 0.25, e);
        triangles.push_back({{{s, s, s}, {s * 1.01, s, s}, {s, s, s * 1.01}}});
      }
    CHECK(problemOfTrees(fromTriangles("sizes", triangles)) == "");
    CHECK(problemOfTrees(fromTriangles("sizes", triangles, 594), 51) == "");
  }
  SECTION("the smallest differences there are") {
    std::vector<Triangle> triangles;
    Random random(5);
    const auto p = [&] { return 0x1p-100 * (1 + random.integer(0, 7) * 0x1p-23); };
    for (int i = 0; i < 200; ++i) triangles.push_back({{{p(), p(), p()}, {p(), p(), p()}, {-p(), p(), p()}}});
    CHECK(problemOfTrees(fromTriangles("tight", triangles, 3)) == "");
    for (Triangle& t : triangles) t.v[2].x = -t.v[2].x;
    CHECK(problemOfTrees(fromTriangles("tighter", triangles, 3)) == "");
  }
}

TEST_CASE("wide trees do not depend on the number of threads", "[hierarchy][wide]") {
  // Subtrees of one surface, of many, of shells and of pieces are tasks.
  models::TorusOptions rings = models::largeTorus();
  rings.patchesAcross = rings.across;
  const auto torus = std::make_shared<const TriangleMesh>(models::makeTorus(rings));
  const auto grid = std::make_shared<const TriangleMesh>(models::makeGrid({.bars = 8, .cells = 67}));
  for (const MeshPtr& mesh : {icosphere(1, 6), soup(70'000, 3, 0.02, 9000), MeshPtr(grid), MeshPtr(torus)})
    for (const WideBvhOptions& options : allOptions) {
      const WideBvh one = WideBvh::build(*mesh, options, 1);
      for (const unsigned threads : {2U, 0U}) {
        const WideBvh other = WideBvh::build(*mesh, options, threads);
        CHECK(sameBytes(one.nodes, other.nodes));
        CHECK(sameBytes(one.compactNodes, other.compactNodes));
        CHECK(sameBytes(one.frames, other.frames));
        CHECK(sameBytes(one.packets, other.packets));
        CHECK(sameBytes(one.triangleAt, other.triangleAt));
        CHECK(sameBytes(one.surfaces, other.surfaces));
      }
      CHECK_FALSE(one.problemFor(*mesh, true));
    }
}

TEST_CASE("wide trees take the memory they are said to", "[hierarchy][wide]") {
  for (const models::TorusOptions& options : {models::smallTorus(), models::largeTorus()}) {
    const TriangleMesh torus = models::makeTorus(options);
    const auto perTriangle = [&](WideLayout layout) {
      return double(WideBvh::build(torus, {.layout = layout}).bytes()) / double(torus.triangleCount());
    };
    CHECK(perTriangle(WideLayout::fast) <= 56);
    CHECK(perTriangle(WideLayout::compact) <= 8);
  }
}

TEST_CASE("leaves of wide trees hold no denormal numbers", "[hierarchy][wide]") {
  // Lanes beyond a leaf's triangles read whatever follows, and some processors are slow with denormals.
  for (const std::uint32_t id : {0U, 1U, 0x7fffffU, 0x800000U, WideChild::maxSlots - 1}) {
    CHECK(std::fpclassify(encodeTriangleId(TriangleId{id})) == FP_NORMAL);
    CHECK(decodeTriangleId(encodeTriangleId(TriangleId{id})) == TriangleId{id});
  }
  const auto torus = std::make_shared<const TriangleMesh>(models::makeTorus(models::smallTorus()));
  for (const MeshPtr& mesh : {MeshPtr(torus), soup(300, 3, 0.2, 40)}) {
    const WideBvh tree = WideBvh::build(*mesh);
    std::size_t denormal = 0;
    for (const float word : tree.packets) denormal += std::fpclassify(word) == FP_SUBNORMAL;
    CHECK(denormal == 0);
  }
}

TEST_CASE("a wide tree that was not built cannot be asked", "[hierarchy][wide]") {
  const ModelPtr without = modelOf(box(1, 1, 1), withScd({.rtree = {}, .wide = std::nullopt})),
                 with = modelOf(box(1, 1, 1));
  CHECK_FALSE(without->hasWide());
  CHECK(with->hasWide());
  CHECK_THROWS_AS(without->wide(), NotBuiltError);
  CHECK_THROWS_AS(SolidModel::build(without), NotBuiltError);
  CHECK_THROWS_AS(SolidModel::build(nullptr), InputError);
  CHECK_THROWS_AS(CollisionModel::with(nullptr, {}), InputError);
  const IntersectionRequest scd{.hierarchy = HierarchyKind::scd};
  for (const auto& [a, b] : {std::pair{without, with}, {with, without}, {without, without}}) {
    CHECK(messageOf<NotBuiltError>([&] {
            (void)intersect({a, {}}, {b, {}});
          }) == "part 'box' was built without the hierarchy 'wide'");
    CHECK(intersect({a, {}}, {b, {}}, scd).intersects());
  }
}

namespace {

/// Calls `check` with every single-bit change of every word of the array, which `put` restores.
template <typename T>
void forEachFlip(const SharedArray<T>& good, const char* what,
                 const std::function<void(SharedArray<T>, const std::string&)>& check) {
  for (std::size_t i = 0; i < good.size(); ++i)
    for (std::size_t word = 0; word < sizeof(T) / 4; ++word)
      for (int bit = 0; bit < 32; ++bit) {
        std::vector<T> values(good.begin(), good.end());
        std::uint32_t bits = 0;
        char* const at = reinterpret_cast<char*>(&values[i]) + 4 * word;
        std::memcpy(&bits, at, 4);
        bits ^= 1U << bit;
        std::memcpy(at, &bits, 4);
        check(SharedArray<T>(std::move(values)), std::string(what) + " " + std::to_string(i) + ", word " +
                                                     std::to_string(word) + ", bit " + std::to_string(bit));
      }
}

}  // namespace

TEST_CASE("damaged wide trees are detected or harmless", "[hierarchy][wide][damage]") {
  // Slanted sheets, so that nodes are turned; a surface of few triangles and one of many.
  const MeshPtr mesh =
      transformed(flatSheet(4, 5), Transform::rotation({1, 2, 0.5}, 0.7) * Transform::scaling(0.3, 0.3, 1));
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < mesh->triangleCount(); ++i)
    triangles.push_back(mesh->triangle(TriangleId(i)));
  for (const std::uint32_t surfaces : {1U, 3U}) {
    const MeshPtr part = fromTriangles("sheet", triangles, surfaces);
    const ModelPtr other = modelOf(soup(60, 8, 1.5, 2));
    const ScdTrees scd = ScdTrees::build(*part);
    for (const WideBvhOptions& options : allOptions) {
      const WideBvh good = WideBvh::build(*part, options);
      if (options.orientNodes) REQUIRE(good.frames.size() > 1);
      forEachFlip<std::uint32_t>(good.surfaces, "surface",
                                 [&](SharedArray<std::uint32_t> reported, const std::string& where) {
                                   WideBvh tree = good;
                                   std::size_t changed = 0;
                                   while (reported[changed] == good.surfaces[changed]) ++changed;
                                   tree.surfaces = std::move(reported);
                                   INFO(where);
                                   const bool isChild = changed % 8 < good.nodes[changed / 8].head.childCount;
                                   if (tree.problemFor(*part, false).has_value() != isChild)
                                     FAIL_CHECK("not as damaged as it is");
                                 });
      // As in a model file.
      WideBvh stored = good;
      stored.surfaces = {};
      const ModelPtr model = CollisionModel::fromTrees(part, scd, stored);
      if (!sameBytes(model->wide().surfaces, good.surfaces)) FAIL_CHECK("surfaces are not found again");
      const IntersectionReport expected = intersect({model, {}}, {other, {}});
      REQUIRE(expected.intersects());
      std::size_t detected = 0, accepted = 0, same = 0;
      const auto check = [&](const WideBvh& tree, const std::string& where) {
        INFO(where);
        if (tree.problemFor(*part, false)) {
          ++detected;
          return;
        }
        // Boxes may be wrong and pairs missing, but no pair is invented and nothing else is read.
        ++accepted;
        const ModelPtr damaged = CollisionModel::fromTrees(part, scd, tree);
        for (const auto& [a, b] : {std::pair{damaged, other}, {other, damaged}}) {
          const IntersectionReport report = intersect({a, {}}, {b, {}});
          const IntersectionReport all = a == damaged ? report : report.swapped();
          if (!std::includes(expected.trianglePairs.begin(), expected.trianglePairs.end(),
                             all.trianglePairs.begin(), all.trianglePairs.end()))
            FAIL_CHECK("a pair is invented");
          if (tree.problemFor(*part, true)) continue;
          ++same;
          if (!sameAnswer(all, expected)) FAIL_CHECK("pairs are missing though all boxes hold");
        }
      };
      WideBvh tree = stored;
      forEachFlip<WideNode>(good.nodes, "node", [&](SharedArray<WideNode> nodes, const std::string& where) {
        tree.nodes = std::move(nodes);
        check(tree, where);
      });
      tree = stored;
      forEachFlip<CompactWideNode>(good.compactNodes, "node",
                                   [&](SharedArray<CompactWideNode> nodes, const std::string& where) {
                                     tree.compactNodes = std::move(nodes);
                                     check(tree, where);
                                   });
      tree = stored;
      forEachFlip<WideFrame>(good.frames, "frame",
                             [&](SharedArray<WideFrame> frames, const std::string& where) {
                               tree.frames = std::move(frames);
                               check(tree, where);
                             });
      tree = stored;
      forEachFlip<float>(good.packets, "packet", [&](SharedArray<float> packets, const std::string& where) {
        tree.packets = std::move(packets);
        check(tree, where);
      });
      tree = stored;
      forEachFlip<std::uint32_t>(good.triangleAt, "slot",
                                 [&](SharedArray<std::uint32_t> ids, const std::string& where) {
                                   tree.triangleAt = std::move(ids);
                                   check(tree, where);
                                 });
      INFO(detected << " detected, " << accepted << " accepted, " << same << " with all boxes right");
      CHECK(detected > 1000);
      CHECK(same > 0);
    }
  }
}

TEST_CASE("wide trees with lists of the wrong length are detected", "[hierarchy][wide][damage]") {
  const MeshPtr mesh = soup(100, 5, 0.5, 4);
  const auto shorter = []<typename T>(SharedArray<T>& array) {
    array = SharedArray<T>({array.begin(), array.end() - (array.empty() ? 0 : 1)});
  };
  for (const WideBvhOptions& options : allOptions) {
    const WideBvh good = WideBvh::build(*mesh, options);
    const std::vector<std::function<void(WideBvh&)>> damages{
        [](WideBvh& t) { t.layout = t.layout == WideLayout::fast ? WideLayout::compact : WideLayout::fast; },
        [](WideBvh& t) { t.frames = {}; },
        [](WideBvh& t) { t.nodes = {}, t.compactNodes = {}; },
        [](WideBvh& t) { t.packets = {}, t.triangleAt = {}; },
        [&](WideBvh& t) { shorter(t.nodes), shorter(t.compactNodes); },
        [&](WideBvh& t) { shorter(t.packets), shorter(t.triangleAt); },
        [](WideBvh& t) { t.surfaces = SharedArray<std::uint32_t>({0}); }};
    for (const auto& damage : damages) {
      WideBvh tree = good;
      damage(tree);
      CHECK(tree.problemFor(*mesh, false));
      CHECK_THROWS_AS(CollisionModel::fromTrees(mesh, ScdTrees::build(*mesh), tree), InputError);
    }
  }
}

}  // namespace wide_bvh_tests
