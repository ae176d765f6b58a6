#pragma once

#include <cstdint>

#include <fitup/hierarchy/detail/tree_scratch.h>
#include <fitup_field/detail/triangle_pairs.h>

namespace fitup::detail {

/// At part level the overlap box is tested first: the bounding box of A in B against B's box (Figueiredo).
/// Counted; returns true if the parts cannot intersect.
inline bool overlapBoxRejects(const TraversalTask& task) {
  ++task.stats.boxUpdates;
  ++task.stats.boxTests;
  if (task.placement.transformedToB(task.a.bounds()).overlaps(task.b.bounds())) return false;
  ++task.stats.overlapBoxRejected;
  return true;
}

/// The simultaneous descent of two binary trees that most systems of the field share. `Pairs` defines the
/// pairs of nodes:
///
/// - `struct Visit`: trivially copyable; two nodes whose boxes overlap and of which at least one is no leaf;
/// - `bool start(push, triangles)`: like `open`, for the pair of roots;
/// - `bool open(const Visit&, push, triangles)`: takes the children of one or both nodes, makes and counts
///   the box tests, calls `push(visit)` for pairs that overlap and `triangles(a, b)` for triangles that may
///   meet; returns true as soon as `triangles` does.
template <typename Pairs>
void traversePairs(const TraversalTask& task, Pairs& pairs, TreeScratch& scratch) {
  if (overlapBoxRejects(task)) return;
  TrianglePairs tests(task, scratch.data().found);
  VisitStack<typename Pairs::Visit> open(scratch.data().visits);
  const auto push = [&](const typename Pairs::Visit& visit) { open.push(visit); };
  const auto triangles = [&](std::uint32_t a, std::uint32_t b) { return tests.test(a, b); };
  if (pairs.start(push, triangles)) return;
  while (!open.empty()) {
    if (task.stop.stop()) return;
    if (pairs.open(open.pop(), push, triangles)) return;
  }
}

/// Descends the larger node of a pair (van den Bergen, section 3; RAPID). `Boxes` defines the nodes:
///
/// - `isLeafA(i)`, `childA(i)`, `isLeafB(i)`, `childB(i)`: children are adjacent;
/// - `aIsLarger(i, j)`: called only if neither is a leaf;
/// - `a(i)`, `b(j)`: the node in the form that tests need; work that concerns only the node is done once,
///   even if two pairs need it;
/// - `overlap(a, b)`: the box test, counted;
/// - `leaves(i, j, triangles)`: passes on the triangles of two leaves.
template <typename Boxes>
class LargerFirst {
 public:
  struct Visit {
    std::uint32_t a, b;
  };

  explicit LargerFirst(Boxes& boxes) : boxes_(boxes) {}

  template <typename Push, typename Triangles>
  bool start(Push&& push, Triangles&& triangles) {
    return meet({0, 0}, boxes_.a(0), boxes_.b(0), push, triangles);
  }

  template <typename Push, typename Triangles>
  bool open(const Visit& visit, Push&& push, Triangles&& triangles) {
    const auto [i, j] = visit;
    if (boxes_.isLeafB(j) || (!boxes_.isLeafA(i) && boxes_.aIsLarger(i, j))) {
      const auto b = boxes_.b(j);
      const std::uint32_t child = boxes_.childA(i);
      return meet({child, j}, boxes_.a(child), b, push, triangles) ||
             meet({child + 1, j}, boxes_.a(child + 1), b, push, triangles);
    }
    const auto a = boxes_.a(i);
    const std::uint32_t child = boxes_.childB(j);
    return meet({i, child}, a, boxes_.b(child), push, triangles) ||
           meet({i, child + 1}, a, boxes_.b(child + 1), push, triangles);
  }

 private:
  template <typename A, typename B, typename Push, typename Triangles>
  bool meet(const Visit& visit, const A& a, const B& b, Push&& push, Triangles&& triangles) {
    if (!boxes_.overlap(a, b)) return false;
    if (boxes_.isLeafA(visit.a) && boxes_.isLeafB(visit.b)) return boxes_.leaves(visit.a, visit.b, triangles);
    push(visit);
    return false;
  }

  Boxes& boxes_;
};

/// Opens both nodes of a pair at once and tests their children against each other (Zachmann 2002, section 3;
/// Terdiman 2001, section 3). `Boxes` defines the nodes:
///
/// - `Visit`, `MemberA`, `MemberB`: a pair to be opened later; a child whose own work is done once, although
///   two pairs need it (Zachmann, section 3.2.5);
/// - `roots(a, b)`: members for the roots;
/// - `childrenOfA(visit, out)`, `childrenOfB(visit, out)`: one or two members; the only child of a leaf is
///   itself;
/// - `overlap(a, b)`: the box test, counted (members may keep intermediate results);
/// - `visit(a, b)`: a pair to be opened later;
/// - `leaves(a, b, triangles)`: for two members with `isLeaf`.
template <typename Boxes>
class BothOpened {
 public:
  using Visit = typename Boxes::Visit;

  explicit BothOpened(Boxes& boxes) : boxes_(boxes) {}

  template <typename Push, typename Triangles>
  bool start(Push&& push, Triangles&& triangles) {
    typename Boxes::MemberA a;
    typename Boxes::MemberB b;
    boxes_.roots(a, b);
    return meet(a, b, push, triangles);
  }

  template <typename Push, typename Triangles>
  bool open(const Visit& visit, Push&& push, Triangles&& triangles) {
    typename Boxes::MemberA a[2];
    typename Boxes::MemberB b[2];
    const int ofA = boxes_.childrenOfA(visit, a), ofB = boxes_.childrenOfB(visit, b);
    for (int j = 0; j < ofB; ++j)
      for (int i = 0; i < ofA; ++i)
        if (meet(a[i], b[j], push, triangles)) return true;
    return false;
  }

 private:
  template <typename Push, typename Triangles>
  bool meet(typename Boxes::MemberA& a, typename Boxes::MemberB& b, Push&& push, Triangles&& triangles) {
    if (!boxes_.overlap(a, b)) return false;
    if (a.isLeaf && b.isLeaf) return boxes_.leaves(a, b, triangles);
    push(boxes_.visit(a, b));
    return false;
  }

  Boxes& boxes_;
};

}  // namespace fitup::detail
