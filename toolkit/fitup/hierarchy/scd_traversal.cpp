#include <fitup/hierarchy/detail/scd_hierarchy.h>

#include <algorithm>
#include <optional>

#include <fitup/hierarchy/detail/box_query.h>
#include <fitup/hierarchy/detail/tree_scratch.h>

namespace fitup {
namespace {

using detail::descend;

/// Returns the optimal box of a placed triangle (figure 4, line 9), rounded outward.
Aabb optimalBox(const Triangle& t) noexcept {
  const auto low = [](double a, double b, double c) { return floatBelow(std::min(std::min(a, b), c)); };
  const auto high = [](double a, double b, double c) { return floatAbove(std::max(std::max(a, b), c)); };
  const Vec3 &p = t.v[0], &q = t.v[1], &r = t.v[2];
  return {{low(p.x, q.x, r.x), low(p.y, q.y, r.y), low(p.z, q.z, r.z)},
          {high(p.x, q.x, r.x), high(p.y, q.y, r.y), high(p.z, q.z, r.z)}};
}

template <typename BoxQuery>
class ScdTraversal {
 public:
  ScdTraversal(const TraversalTask& task, const ScdTrees& a, const ScdTrees& b, detail::ScdScratch& scratch)
      : task_(task),
        stats_(task.stats),
        a_(a),
        b_(b),
        entriesA_(a.entries.data()),
        entriesB_(b.entries.data()),
        scratch_(scratch) {
    scratch_.candidateOf.assign(task.a.surfaces().size(), 0);
    scratch_.foundOf.assign(task.a.surfaces().size(), 0);
  }

  void run() {
    // Lines 1 and 2: the cover box of A in B. It is tested in every setting, because without overlap a pair
    // of parts is not a candidate.
    const Aabb coverInB = task_.placement.transformedToB(task_.a.bounds());
    ++stats_.boxUpdates;
    ++stats_.boxTests;
    if (!coverInB.overlaps(task_.b.bounds())) return;
    switch (task_.overlapBox) {
      case OverlapBoxSetting::on:
        return withOverlapBox(coverInB.intersection(task_.b.bounds()));
      case OverlapBoxSetting::off:
        return withoutFilter();
      case OverlapBoxSetting::classical:
        return classical();
    }
  }

 private:
  /// Lines 3 to 7. The paper leaves the order of a descent open. A query for the first pair starts in the
  /// middle.
  void withOverlapBox(const Aabb& overlapInB) {
    const BoxQuery overlap(overlapInB);
    const Vec3 centre = overlapInB.centre();
    const auto descendB = [&](const RTreeRoot& tree, auto&& visit) {
      std::uint64_t &tests = stats_.boxTests, &rejected = stats_.overlapBoxRejected;
      return task_.mode == QueryMode::firstSurfacePair
                 ? detail::descendNearestFirst(entriesB_, tree.first, tree.count, overlap, centre, tests,
                                               rejected, visit)
                 : descend(entriesB_, tree.first, tree.count, overlap, tests, rejected, visit);
    };
    descendB(b_.surfaceTree, [&](std::uint32_t surfaceB) {
      return descendB(b_.triangleTrees[surfaceB],
                      [&](std::uint32_t triangleB) { return carryTriangle(surfaceB, triangleB); });
    });
  }

  /// Maps every triangle of B to A.
  void withoutFilter() {
    for (std::uint32_t surfaceB = 0; surfaceB < task_.b.surfaces().size(); ++surfaceB) {
      const Surface& surface = task_.b.surfaces()[surfaceB];
      for (std::uint32_t i = 0; i < surface.triangleCount; ++i)
        if (carryTriangle(surfaceB, surface.firstTriangle + i)) return;
    }
  }

  /// Lines 8 to 13 for one triangle of B. Returns true if the traversal must end.
  bool carryTriangle(std::uint32_t surfaceB, std::uint32_t triangleB) {
    if (task_.stop.stop()) return true;
    const Triangle placed = task_.placement.placed(task_.b.triangle(TriangleId(triangleB)));
    const BoxQuery box(optimalBox(placed));
    ++stats_.boxUpdates;
    std::optional<TriangleTester> tester;  // most triangles meet no box of A
    const bool ended =
        descend(entriesA_, a_.surfaceTree.first, a_.surfaceTree.count, box, stats_.boxTests, uncounted_,
                [&](std::uint32_t surfaceA) {
                  if (alreadyFound(surfaceA, surfaceB)) return false;
                  countCandidate(surfaceA, surfaceB);
                  const RTreeRoot& tree = a_.triangleTrees[surfaceA];
                  bool end = false;
                  descend(entriesA_, tree.first, tree.count, box, stats_.boxTests, uncounted_,
                          [&](std::uint32_t triangleA) {
                            if (!tester) tester.emplace(placed, task_.touching);
                            return testTriangles(surfaceA, triangleA, surfaceB, triangleB, *tester, end);
                          });
                  return end;
                });
    if (tester) stats_.exactTests += tester->exactTests();
    return ended;
  }

  /// Returns true if the search in this pair of surfaces ends. Sets `end` if the whole traversal ends.
  bool testTriangles(std::uint32_t surfaceA, std::uint32_t triangleA, std::uint32_t surfaceB,
                     std::uint32_t triangleB, TriangleTester& tester, bool& end) {
    ++stats_.triangleCandidates;
    ++stats_.triangleTests;
    if (task_.stop.stop()) return end = true;
    if (!tester.intersects(task_.a.triangle(TriangleId(triangleA)))) return false;
    end = task_.add(TriangleId(triangleA), TriangleId(triangleB));
    scratch_.foundOf[surfaceA] = surfaceB + 1;
    return end || task_.mode == QueryMode::allSurfacePairs;
  }

  /// Returns true if a query for all surfaces has already found this pair of surfaces. Triangles of one
  /// surface of B follow each other in both settings of figure 4, so it is sufficient to keep the last
  /// surface found.
  [[nodiscard]] bool alreadyFound(std::uint32_t surfaceA, std::uint32_t surfaceB) const noexcept {
    return task_.mode == QueryMode::allSurfacePairs && scratch_.foundOf[surfaceA] == surfaceB + 1;
  }
  void countCandidate(std::uint32_t surfaceA, std::uint32_t surfaceB) noexcept {
    if (scratch_.candidateOf[surfaceA] == surfaceB + 1) return;
    scratch_.candidateOf[surfaceA] = surfaceB + 1;
    ++stats_.surfaceCandidates;
  }

  struct Node {
    Aabb box;
    std::uint32_t first, count;  ///< count 0 means a leaf entry with value `first`
  };
  static Node nodeOf(const RTreeEntry& e) noexcept { return {e.box(), e.first, e.count}; }
  static Node nodeOf(const RTreeRoot& r) noexcept { return {r.box, r.first, r.count}; }

  /// Runs figure 1 over two trees and calls `leaves(valueA, valueB)` for leaf pairs. Returns true as soon as
  /// that does.
  template <typename Leaves>
  bool descendBoth(const Node& a, const Node& b, Leaves&& leaves) {
    if (task_.stop.stop()) return true;
    ++stats_.boxUpdates;
    ++stats_.boxTests;
    if (!a.box.overlaps(task_.placement.carriedToA(b.box))) return false;
    if (a.count == 0 && b.count == 0) return leaves(a.first, b.first);
    const auto forChildren = [](const RTreeEntry* entries, const Node& n, auto&& visit) {
      if (n.count == 0) return visit(n);
      for (std::uint32_t i = 0; i < n.count; ++i)
        if (visit(nodeOf(entries[n.first + i]))) return true;
      return false;
    };
    return forChildren(entriesA_, a, [&](const Node& childA) {
      return forChildren(entriesB_, b,
                         [&](const Node& childB) { return descendBoth(childA, childB, leaves); });
    });
  }

  void classical() {
    if (a_.surfaceTree.count == 0 || b_.surfaceTree.count == 0) return;
    descendBoth(
        nodeOf(a_.surfaceTree), nodeOf(b_.surfaceTree), [&](std::uint32_t surfaceA, std::uint32_t surfaceB) {
          ++stats_.surfaceCandidates;
          bool end = false;
          descendBoth(nodeOf(a_.triangleTrees[surfaceA]), nodeOf(b_.triangleTrees[surfaceB]),
                      [&](std::uint32_t triangleA, std::uint32_t triangleB) {
                        TriangleTester tester(task_.placement.placed(task_.b.triangle(TriangleId(triangleB))),
                                              task_.touching);
                        const bool done =
                            testTriangles(surfaceA, triangleA, surfaceB, triangleB, tester, end);
                        stats_.exactTests += tester.exactTests();
                        return done;
                      });
          return end || task_.stop.reason() != StopCheck::Reason::none;
        });
  }

  const TraversalTask& task_;
  QueryStats& stats_;
  const ScdTrees& a_;
  const ScdTrees& b_;
  const RTreeEntry* entriesA_;
  const RTreeEntry* entriesB_;
  detail::ScdScratch& scratch_;
  std::uint64_t uncounted_ = 0;  ///< rejections in A's trees do not count for the overlap box
};

}  // namespace

void ScdHierarchy::traverse(const TraversalTask& task, const HierarchyTree& treeOfB,
                            TreeScratch& scratch) const {
  const ScdTrees& b = static_cast<const ScdHierarchy&>(treeOfB).trees_;
  if (task.vectorUse == VectorUse::scalar)
    ScdTraversal<detail::ScalarBoxQuery>(task, trees_, b, scratch.data().scd).run();
  else
    ScdTraversal<detail::VectorBoxQuery>(task, trees_, b, scratch.data().scd).run();
}

}  // namespace fitup
