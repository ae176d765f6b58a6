
#include <fitup_field/detail/aabb_pairs.h>
#include <fitup_field/trees/obb_tree.h>

namespace fitup {
namespace {

using namespace detail;

Float4 threeOf(const float* p) noexcept { return firstThree(load4(p)); }

/// Pairs of oriented boxes; descends the one with the longest side. The matrix from B's axes to A's is the
/// product of (F_A M), which depends only on A's node, and the transpose of F_B, which is its inverse up to
/// 2^-21.
template <BoxTest test>
class ObbPairs {
 public:
  ObbPairs(const TraversalTask& task, const ObbNode* a, const std::uint32_t* triangleAtA, const ObbNode* b,
           const std::uint32_t* triangleAtB, double epsilon)
      : stats_(task.stats),
        a_(a),
        b_(b),
        triangleAtA_(triangleAtA),
        triangleAtB_(triangleAtB),
        place_(task.placement.aFromB),
        bounds_(RelationBounds::of(task.a, task.b, task.placement, epsilon)) {
    for (std::size_t k = 0; k < 3; ++k) rowOfM_[k] = firstThree(rowOf(task.placement.aFromB, k));
  }

  struct BoxOfA {
    Float4 column[3], row[3], centre, half;  ///< rows of F_A M
  };
  struct BoxOfB {
    Float4 column[3], half;
    PlacedCentre centre;
  };
  [[nodiscard]] bool isLeafA(std::uint32_t i) const noexcept { return a_[i].count != 0; }
  [[nodiscard]] bool isLeafB(std::uint32_t i) const noexcept { return b_[i].count != 0; }
  [[nodiscard]] std::uint32_t childA(std::uint32_t i) const noexcept { return a_[i].first; }
  [[nodiscard]] std::uint32_t childB(std::uint32_t i) const noexcept { return b_[i].first; }
  [[nodiscard]] bool aIsLarger(std::uint32_t i, std::uint32_t j) const noexcept {
    return a_[i].half[0] > b_[j].half[0];
  }
  [[nodiscard]] BoxOfA a(std::uint32_t i) const noexcept {
    const ObbNode& n = a_[i];
    BoxOfA box;
    for (int k = 0; k < 3; ++k) box.column[k] = threeOf(n.columns[k]);
    for (int r = 0; r < 3; ++r)
      box.row[r] = rowOfM_[0] * n.columns[0][r] + rowOfM_[1] * n.columns[1][r] + rowOfM_[2] * n.columns[2][r];
    box.centre = threeOf(n.centre);
    box.half = threeOf(n.half);
    return box;
  }
  [[nodiscard]] BoxOfB b(std::uint32_t i) const noexcept {
    const ObbNode& n = b_[i];
    BoxOfB box;
    for (int k = 0; k < 3; ++k) box.column[k] = threeOf(n.columns[k]);
    box.half = threeOf(n.half);
    box.centre = place_(threeOf(n.centre));
    return box;
  }
  [[nodiscard]] bool overlap(const BoxOfA& a, const BoxOfB& b) noexcept {
    const Float4 d = CentrePlacing::offset(b.centre, a.centre);
    const Float4 t = a.column[0] * d[0] + a.column[1] * d[1] + a.column[2] * d[2];
    const auto row = [&](int i) {
      return b.column[0] * a.row[i][0] + b.column[1] * a.row[i][1] + b.column[2] * a.row[i][2];
    };
    const BoxRelation relation = relationOf(bounds_, row(0), row(1), row(2));
    return countTest(stats_, separatingAxis<test>(relation, t, a.half, b.half));
  }
  template <typename Triangles>
  bool leaves(std::uint32_t i, std::uint32_t j, Triangles&& triangles) const {
    for (std::uint32_t l = 0; l < b_[j].count; ++l)
      for (std::uint32_t k = 0; k < a_[i].count; ++k)
        if (triangles(triangleAtA_[a_[i].first + k], triangleAtB_[b_[j].first + l])) return true;
    return false;
  }

 private:
  QueryStats& stats_;
  const ObbNode *a_, *b_;
  const std::uint32_t *triangleAtA_, *triangleAtB_;
  CentrePlacing place_;
  RelationBounds bounds_;
  Float4 rowOfM_[3];
};

}  // namespace

void ObbTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  const auto& b = static_cast<const ObbTree&>(treeOfB);
  withBoxTest(chosen(boxTest_, BoxTest::full), [&](auto test) {
    ObbPairs<test()> boxes(task, nodes_.data(), triangleAt_.data(), b.nodes_.data(), b.triangleAt_.data(),
                           std::max(epsilon_, b.epsilon_));
    LargerFirst pairs(boxes);
    traversePairs(task, pairs, scratch);
  });
}

}  // namespace fitup
