#include <fitup/base/error.h>
#include <fitup_field/detail/compact_nodes.h>
#include <fitup_field/detail/triangle_box.h>
#include <fitup_field/trees/compact_aabb_tree.h>

namespace fitup {
namespace {

using namespace detail;

Vec3 toVec3(Float4 v) noexcept { return {v[0], v[1], v[2]}; }

template <BoxTest test>
bool meets(const Triangle& t, const Vec3& centre, Float4 half, Float4 slack) noexcept {
  return triangleMayMeetBox<test>(floats(t.v[0] - centre), floats(t.v[1] - centre), floats(t.v[2] - centre),
                                  half, slack);
}

/// Trees without leaves: children are boxes or triangles. A triangle of B is placed in A and tested in the
/// axes of A's boxes. A triangle of A is transformed to B and tested in the axes of B's boxes, which grow by
/// the error of the inverse (`PairPlacement::inflationInB`).
template <typename Nodes, BoxTest test>
class NoLeafPairs {
 public:
  struct Visit {
    TreeLink a, b;
  };
  struct MemberA {
    TreeLink link;
    bool isLeaf;
    LinkedBox box;
    bool carried;  ///< `inB` is set
    Triangle inB;
  };
  struct MemberB {
    TreeLink link;
    bool isLeaf;
    LinkedBox box;
    PlacedCentre centre;
    bool carried;  ///< `inA` is set
    Triangle inA;
  };

  NoLeafPairs(const TraversalTask& task, Nodes a, TreeLink rootA, Nodes b, TreeLink rootB)
      : task_(task), a_(a), b_(b), rootA_(rootA), rootB_(rootB), place_(task.placement.aFromB) {
    const RelationBounds bounds = RelationBounds::of(task.a, task.b, task.placement);
    relation_ = alignedRelation(bounds, task.placement.aFromB);
    slackInA_ = broadcast(bounds.slackA);
    // Rounding of the transformed corner: fewer than 8 of |N||a| + |s|, in double precision.
    const Transform& n = task.placement.bFromA;
    const Aabb& box = task.a.bounds();
    const Vec3 c = box.centre(), h = box.halfExtent();
    for (int i = 0; i < 3; ++i) {
      double size = std::abs(n.t[i]);
      for (int k = 0; k < 3; ++k)
        size +=
            std::abs(n.m[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)]) * (std::abs(c[k]) + h[k]);
      slackInB_[i] = floatAbove(task.placement.inflationInB[i] * (1 + 0x1p-40) + size * 0x1p-48);
    }
  }

  void roots(MemberA& a, MemberB& b) const {
    set(a, rootA_);
    set(b, rootB_);
  }
  int childrenOfA(const Visit& visit, MemberA* out) const {
    if (visit.a.isTriangle()) return set(out[0], visit.a), 1;
    for (int k = 0; k < 2; ++k) set(out[k], a_.child(visit.a.node(), k));
    return 2;
  }
  int childrenOfB(const Visit& visit, MemberB* out) const {
    if (visit.b.isTriangle()) return set(out[0], visit.b), 1;
    for (int k = 0; k < 2; ++k) set(out[k], b_.child(visit.b.node(), k));
    return 2;
  }
  [[nodiscard]] bool overlap(MemberA& a, MemberB& b) {
    if (a.isLeaf && b.isLeaf) return true;
    if (!a.isLeaf && !b.isLeaf)
      return countTest(task_.stats,
                       separatingAxis<test>(relation_, CentrePlacing::offset(b.centre, a.box.centre),
                                            a.box.half, b.box.half));
    ++task_.stats.triangleBoxTests;
    if (b.isLeaf) {
      if (!b.carried) {
        b.inA = task_.placement.placed(task_.b.triangle(TriangleId(b.link.triangle())));
        b.carried = true;
      }
      return meets<test>(b.inA, toVec3(a.box.centre), a.box.half, slackInA_);
    }
    if (!a.carried) {
      const Triangle t = task_.a.triangle(TriangleId(a.link.triangle()));
      for (int k = 0; k < 3; ++k) a.inB.v[k] = task_.placement.bFromA.apply(t.v[k]);
      a.carried = true;
    }
    return meets<test>(a.inB, toVec3(b.box.centre), b.box.half, slackInB_);
  }
  [[nodiscard]] Visit visit(const MemberA& a, const MemberB& b) const noexcept { return {a.link, b.link}; }
  template <typename Triangles>
  bool leaves(const MemberA& a, const MemberB& b, Triangles&& triangles) const {
    return triangles(a.link.triangle(), b.link.triangle());
  }

 private:
  /// Triangles are transformed when the first box needs them.
  void set(MemberA& m, TreeLink link) const noexcept {
    m.link = link;
    m.isLeaf = link.isTriangle();
    m.carried = false;
    if (!m.isLeaf) m.box = a_(link.node());
  }
  void set(MemberB& m, TreeLink link) const noexcept {
    m.link = link;
    m.isLeaf = link.isTriangle();
    m.carried = false;
    if (m.isLeaf) return;
    m.box = b_(link.node());
    m.centre = place_(m.box.centre);
  }

  const TraversalTask& task_;
  Nodes a_, b_;
  TreeLink rootA_, rootB_;
  CentrePlacing place_;
  BoxRelation relation_;
  Float4 slackInA_{}, slackInB_{};
};

template <typename Nodes>
void traverseNoLeaf(const TraversalTask& task, Nodes a, TreeLink rootA, Nodes b, TreeLink rootB,
                    BoxTest boxTest, TreeScratch& scratch) {
  withBoxTest(boxTest, [&](auto test) {
    NoLeafPairs<Nodes, test()> boxes(task, a, rootA, b, rootB);
    BothOpened pairs(boxes);
    traversePairs(task, pairs, scratch);
  });
}

}  // namespace

void CompactAabbTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB,
                               TreeScratch& scratch) const {
  const Data& b = static_cast<const CompactAabbTree&>(treeOfB).data_;
  if (b.withLeaves != data_.withLeaves)
    throw NotBuiltError("parts '" + task.a.name() + "' and '" + task.b.name() +
                        "': only one was built with '" + std::string(name(kind())) + "' with leaves");
  const BoxTest boxTest = chosen(data_.boxTest, BoxTest::full);
  if (data_.withLeaves && !data_.quantized)
    return traverseAabbs(task, AabbNodeBoxes{data_.nodes.data()}, AabbNodeBoxes{b.nodes.data()}, boxTest,
                         scratch);
  if (data_.withLeaves)
    return traverseAabbs(task, QuantizedNodeBoxes{data_.quantizedNodes.data(), QuantizedScale(data_)},
                         QuantizedNodeBoxes{b.quantizedNodes.data(), QuantizedScale(b)}, boxTest, scratch);
  if (!data_.quantized)
    return traverseNoLeaf(task, NoLeafBoxes{data_.noLeafNodes.data()}, data_.root,
                          NoLeafBoxes{b.noLeafNodes.data()}, b.root, boxTest, scratch);
  traverseNoLeaf(task, QuantizedNoLeafBoxes{data_.quantizedNoLeafNodes.data(), QuantizedScale(data_)},
                 data_.root, QuantizedNoLeafBoxes{b.quantizedNoLeafNodes.data(), QuantizedScale(b)}, b.root,
                 boxTest, scratch);
}

}  // namespace fitup
