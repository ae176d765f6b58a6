// Tests the restricted boxtree: the laws of its nodes, and what its cuts are worth.
#include <fitup_field/trees/box_tree.h>

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <fitup/query/brute_force.h>
#include <fitup/query/intersect.h>
#include <fitup_field/field_kinds.h>
#include <models/torus.h>

#include "support/report_checks.h"
#include "support/tiny_meshes.h"

namespace box_tree_tests {

using namespace fitup;
using namespace fitup::test;

namespace {

bool contains(const Aabb& box, const Vec3& p) {
  return box.min.x <= p.x && p.x <= box.max.x && box.min.y <= p.y && p.y <= box.max.y && box.min.z <= p.z &&
         p.z <= box.max.z;
}

/// Checks the laws of a boxtree on every path from the root: each triangle lies within the boxes of all nodes
/// above it, is reached once, and no side of a box is cut twice on a level.
class LawCheck {
 public:
  LawCheck(const BoxTree& tree, const TriangleMesh& mesh)
      : tree_(tree), mesh_(mesh), timesFound_(mesh.triangleCount(), 0) {}

  std::string problem() {
    if (!tree_.nodes().empty()) descend(0, {tree_.rootBox()}, 0, 0);
    for (const int times : timesFound_)
      if (times != 1) fail("a triangle is found " + std::to_string(times) + " times");
    if (deepest_ != tree_.depth()) fail("depth " + std::to_string(deepest_));
    return problem_;
  }
  [[nodiscard]] std::size_t spareCuts() const noexcept { return spareCuts_; }

 private:
  void descend(std::uint32_t node, std::vector<Aabb> path, std::uint32_t cuts, unsigned sidesOfLevel) {
    const BoxTreeNode& n = tree_.nodes()[node];
    deepest_ = std::max(deepest_, cuts);
    if (n.isLeaf()) {
      ++timesFound_[n.index()];
      const Triangle triangle = mesh_.triangle(TriangleId(n.index()));
      for (const Aabb& box : path)
        for (const Vec3& p : triangle.v)
          if (!contains(box, p)) fail("triangle " + std::to_string(n.index()) + " lies outside");
      return;
    }
    if (!n.hasOnlyChild()) sidesOfLevel = 0;
    for (std::uint32_t k = 0; k < n.children(); ++k) {
      const BoxTreeNode& child = tree_.nodes()[n.index() + k];
      const unsigned side = 1U << child.side();
      if ((sidesOfLevel & side) != 0) fail("a side is cut twice");
      spareCuts_ += n.hasOnlyChild();
      path.push_back(path.back());
      child.cut(path.back());
      descend(n.index() + k, path, cuts + 1, sidesOfLevel | side);
      path.pop_back();
    }
  }
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  const BoxTree& tree_;
  const TriangleMesh& mesh_;
  std::vector<int> timesFound_;
  std::size_t spareCuts_ = 0;
  std::uint32_t deepest_ = 0;
  std::string problem_;
};

std::string problemOf(const MeshPtr& mesh) {
  const std::size_t n = mesh->triangleCount();
  for (const bool longest : {false, true})
    for (const float spare : {0.0F, 0.25F, 1.75F}) {
      const auto tree = BoxTree::build(*mesh, {.longestAxisOnly = longest, .spareCuts = spare});
      const std::string options = "spare " + std::to_string(spare) + (longest ? ", longest axis: " : ": ");
      LawCheck laws(*tree, *mesh);
      if (const std::string problem = laws.problem(); !problem.empty()) return options + problem;
      if (const auto problem = tree->problemFor(*mesh)) return options + *problem;
      if (double(laws.spareCuts()) > spare * double(n)) return options + "too many spare cuts";
      if (tree->nodes().size() != (n == 0 ? 0 : 2 * n - 1 + laws.spareCuts())) return options + "other nodes";
      // The paper counts 9 bytes per node, and 2 n - 1 nodes.
      if (tree->bytes() > 9 * tree->nodes().size()) return options + "bytes per node";
      if (spare <= 0.25F && tree->bytes() > 18 * n) return options + "bytes per triangle";
      if (tree->depth() > 6 * (64 + std::bit_width(n))) return options + "too deep";
    }
  return {};
}

/// Triangles that shrink by half, so that splitting off the largest is always cheapest.
MeshPtr shrinking(std::uint32_t n) {
  std::vector<Triangle> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const double s = std::ldexp(1.0, -static_cast<int>(i));
    triangles.push_back({{{s, 0, 0}, {2 * s, s, 0}, {s, s, s}}});
  }
  return fromTriangles("shrinking", triangles);
}

MeshPtr torus(std::uint32_t cells) {
  models::TorusOptions options = models::smallTorus();
  options.around = options.across = static_cast<int>(cells);
  return std::make_shared<const TriangleMesh>(models::makeTorus(options));
}

ModelPtr boxModel(const MeshPtr& mesh, const ResearchOptions& options) {
  BuildOptions build;
  build.wide.reset();
  field::add(build, field::box, options);
  field::add(build, field::aabb);
  field::add(build, field::dop);
  return modelOf(mesh, build);
}

/// Full turns about z and x at distances at which the part meets its copy in some of them.
std::vector<Transform> tumbling(double size) {
  std::vector<Transform> poses;
  for (double distance = 0.5; distance < 1.2; distance += 0.1)
    for (int i = 0; i < 40; ++i) {
      const double angle = 2 * std::numbers::pi * i / 40;
      poses.push_back(Transform::translation({distance * size, 0, 0}) *
                      Transform::rotation({0, 0, 1}, angle) * Transform::rotation({1, 0, 0}, angle));
    }
  return poses;
}

struct Tumbled {
  QueryStats stats;
  std::vector<bool> hits;
};

Tumbled tumble(const ModelPtr& model, const ModelPtr& other, HierarchyKind kind) {
  const Box box = model->mesh().boundsInPart();
  Tumbled result;
  QueryContext context;
  for (const Transform& pose : tumbling(box.max.x - box.min.x)) {
    const IntersectionRequest request{.mode = QueryMode::firstSurfacePair, .hierarchy = kind};
    const IntersectionReport report = intersect({model, {}}, {other, pose}, request, context);
    result.stats += report.stats;
    result.hits.push_back(report.intersects());
  }
  return result;
}

}  // namespace

TEST_CASE("boxes of a boxtree hold their triangles on every level", "[hierarchy][trees][boxtree]") {
  for (std::uint32_t n = 0; n <= 60; n += n < 20 ? 1 : 8) {
    INFO("triangles " << n);
    CHECK(problemOf(soup(n, n, 0.4)) == "");
    CHECK(problemOf(latticeSoup(n, n, 2)) == "");
  }
  for (const MeshPtr& mesh : {sixSidedBox(2, 2, 2, 9), icosphere(1, 3), cylinder(1, 2, 333), torus(30),
                              sliverFan(500, 5, 1e-5), degenerateSet(), flatSheet(20, 30), shrinking(90)}) {
    INFO(mesh->name());
    CHECK(problemOf(mesh) == "");
    CHECK(problemOf(transformed(mesh, Transform::rotation({1, 2, 3}, 1))) == "");
    CHECK(problemOf(transformed(mesh, Transform::translation({1e7, 3, -40}))) == "");
    for (const double s : {0x1p-97, 0x1p90})
      CHECK(problemOf(transformed(mesh, Transform::scaling(s, s, s))) == "");
  }
  const Triangle one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  CHECK(problemOf(fromTriangles("pile", std::vector<Triangle>(700, one))) == "");
  CHECK(problemOf(fromTriangles("points", std::vector<Triangle>(300))) == "");
}

TEST_CASE("a boxtree spends the spare cuts that it is given", "[hierarchy][trees][boxtree]") {
  const MeshPtr mesh = torus(40);
  for (const float spare : {0.0F, 0.1F, 0.25F, 0.5F}) {
    const auto tree = BoxTree::build(*mesh, {.spareCuts = spare});
    LawCheck laws(*tree, *mesh);
    CHECK(laws.problem() == "");
    CHECK(double(laws.spareCuts()) >= 0.95 * spare * double(mesh->triangleCount()));
  }
}

TEST_CASE("tumbling boxtrees hit whenever other trees do", "[hierarchy][trees][boxtree]") {
  const MeshPtr mesh = torus(40);
  const ModelPtr usual = boxModel(mesh, {});
  const Tumbled aabb = tumble(usual, usual, field::aabb);
  REQUIRE(std::count(aabb.hits.begin(), aabb.hits.end(), true) > 40);
  REQUIRE(std::count(aabb.hits.begin(), aabb.hits.end(), false) > 40);
  CHECK(tumble(usual, usual, field::dop).hits == aabb.hits);
  for (const BoxTest test : {BoxTest::aligned, BoxTest::lite, BoxTest::full})
    for (const float spare : {0.0F, 0.25F, 1.75F}) {
      INFO("box test " << name(test) << ", spare " << spare);
      const ModelPtr model = boxModel(mesh, {.boxTest = test, .spareCuts = spare});
      CHECK(tumble(model, model, field::box).hits == aabb.hits);
      // Parts need not be built with the same options.
      CHECK(tumble(model, usual, field::box).hits == aabb.hits);
    }
}

TEST_CASE("spare cuts make a boxtree reject nearly as early as an AABB tree", "[hierarchy][trees][boxtree]") {
  const MeshPtr mesh = torus(100);
  const auto tests = [&](float spare, HierarchyKind kind) {
    const ModelPtr model = boxModel(mesh, {.spareCuts = spare});
    return double(tumble(model, model, kind).stats.boxTests);
  };
  const double none = tests(0, field::box), usual = tests(0.25F, field::box), all = tests(1.75F, field::box);
  const double aabb = tests(0.25F, field::aabb);
  INFO("none " << none << ", usual " << usual << ", all " << all << ", aabb " << aabb);
  CHECK(usual < 0.4 * none);
  CHECK(all < usual);
  CHECK(usual < 1.5 * aabb);
}

TEST_CASE("deep boxtrees answer like brute force", "[hierarchy][trees][boxtree][oracle]") {
  for (const float spare : {0.0F, 0.25F, 1.75F}) {
    const ModelPtr model = boxModel(shrinking(80), {.spareCuts = spare});
    for (const double angle : {0.0, 1e-3, 0.4}) {
      const Transform q = Transform::rotation({1, 1, 0}, angle);
      const IntersectionRequest request{.hierarchy = field::box};
      CHECK(sameAnswer(intersect({model, {}}, {model, q}, request), bruteForce({model, {}}, {model, q})));
    }
  }
}

TEST_CASE("a damaged boxtree is no tree of its mesh", "[hierarchy][trees][boxtree]") {
  const MeshPtr mesh = torus(10);
  const auto tree = BoxTree::build(*mesh);
  const auto problemWith = [&](const auto& damage, std::uint32_t depth) {
    std::vector<BoxTreeNode> nodes(tree->nodes().begin(), tree->nodes().end());
    damage(nodes);
    return BoxTree(tree->rootBox(), SharedArray<BoxTreeNode>(std::move(nodes)), depth, BoxTest::usual)
        .problemFor(*mesh)
        .has_value();
  };
  CHECK_FALSE(problemWith([](auto&) {}, tree->depth()));
  CHECK(problemWith([](auto&) {}, tree->depth() - 1));
  CHECK(problemWith([](auto& nodes) { nodes[0].setOnlyChild(1); }, tree->depth()));
  CHECK(problemWith([](auto& nodes) { nodes[0].setChildren(0); }, tree->depth()));
  CHECK(problemWith([](auto& nodes) { nodes[5].setOnlyChild(5); }, tree->depth()));
  CHECK(problemWith([](auto& nodes) { nodes[1] = BoxTreeNode(9, 0, false); }, tree->depth()));
  CHECK(problemWith([](auto& nodes) { nodes[1] = BoxTreeNode(NAN, 0, false); }, tree->depth()));
  CHECK(problemWith(
      [](auto& nodes) {
        nodes.back().setTriangle(0);
        nodes.back().setTriangle(1 << 20);
      },
      tree->depth()));
}

}  // namespace box_tree_tests
