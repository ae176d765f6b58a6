#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fitup/base/error.h>
#include <fitup_field/detail/pair_traversal.h>
#include <fitup_field/trees/dop_tree.h>

namespace fitup {
namespace {

using namespace detail;

Vec3 direction(std::size_t i) noexcept {
  const auto& d = dopDirections[i];
  return {double(d[0]), double(d[1]), double(d[2])};
}

/// Three independent directions, and the inverse of the matrix with these columns.
struct Triple {
  std::array<std::uint32_t, 3> index;
  std::array<Vec3, 3> inverse;  ///< rows
};

/// The triples that span a face of the convex hull of the unit normals and their negatives, up to signs. For
/// every direction, one of them has the least sum of coefficients (times lengths).
template <std::size_t slabs>
std::vector<Triple> makeTriples() {
  std::vector<Triple> triples;
  for (std::uint32_t i = 0; i < slabs; ++i)
    for (std::uint32_t j = i + 1; j < slabs; ++j)
      for (std::uint32_t k = j + 1; k < slabs; ++k) {
        const Vec3 d = direction(i), e = direction(j), f = direction(k);
        const double determinant = dot(d, cross(e, f));
        if (std::abs(determinant) < 0.5) continue;
        const Triple triple{{i, j, k},
                            {cross(e, f) * (1 / determinant), cross(f, d) * (1 / determinant),
                             cross(d, e) * (1 / determinant)}};
        bool isFace = false;
        for (int signs = 0; signs < 4 && !isFace; ++signs) {
          // The plane n.p = 1 through the three points +-d/|d|.
          const Vec3 n = triple.inverse[0] * norm(d) + triple.inverse[1] * (norm(e) * (signs & 1 ? -1 : 1)) +
                         triple.inverse[2] * (norm(f) * (signs & 2 ? -1 : 1));
          isFace = true;
          for (std::size_t l = 0; l < slabs; ++l)
            isFace = isFace && std::abs(dot(n, direction(l))) <= norm(direction(l)) * (1 + 1e-9);
        }
        if (isFace) triples.push_back(triple);
      }
  return triples;
}

template <std::size_t slabs>
const std::vector<Triple>& triples() {
  static const std::vector<Triple> made = makeTriples<slabs>();
  return made;
}

/// Pairs of polytopes in A's directions. With v = M^T d_i = sum c_m d_jm, and c_m of any sign,
///   d_i . (M b + t) <= sum (c_m > 0 ? c_m high_jm : c_m low_jm) + d_i . t   for every b of a polytope,
/// for any triple; the best one only makes the bound tight.
///
/// Bound, u = 2^-24: with S = sum |c_m| |d_jm . b| + |d_i . t|, coefficients, products, sums and offset round
/// by at most 7 u S, the placement of points by less than 2^-48 S; 2^-20 S covers both.
template <std::size_t slabs>
class DopPairs {
 public:
  struct Visit {
    std::uint32_t a, b;
  };
  struct MemberA {
    std::uint32_t node;
    bool isLeaf;
    const DopNode<slabs>* dop;
  };
  struct MemberB {
    std::uint32_t node;
    bool isLeaf;
    float low[slabs], high[slabs];  ///< in A's directions
  };

  DopPairs(const TraversalTask& task, const DopNode<slabs>* a, const DopNode<slabs>* b)
      : stats_(task.stats), a_(a), b_(b) {
    const Transform& f = task.placement.aFromB;
    const Vec3 low = toVec3(task.b.bounds().min), high = toVec3(task.b.bounds().max);
    Vec3 reach;
    for (int k = 0; k < 3; ++k) reach[k] = std::max(std::abs(low[k]), std::abs(high[k]));
    for (std::size_t i = 0; i < slabs; ++i) {
      const Vec3 d = direction(i);
      Vec3 v;
      for (std::size_t j = 0; j < 3; ++j)
        v[static_cast<int>(j)] = d.x * f.m[0][j] + d.y * f.m[1][j] + d.z * f.m[2][j];
      setDirection(i, v, dot(d, f.t), reach);
    }
  }

  void roots(MemberA& a, MemberB& b) {
    a = memberA(0);
    b = memberB(0);
  }
  int childrenOfA(const Visit& visit, MemberA* out) const noexcept {
    const TreeLink link = a_[visit.a].link;
    if (link.isTriangle()) return out[0] = memberA(visit.a), 1;
    out[0] = memberA(link.node());
    out[1] = memberA(link.node() + 1);
    return 2;
  }
  int childrenOfB(const Visit& visit, MemberB* out) noexcept {
    const TreeLink link = b_[visit.b].link;
    if (link.isTriangle()) return out[0] = memberB(visit.b), 1;
    out[0] = memberB(link.node());
    out[1] = memberB(link.node() + 1);
    return 2;
  }
  [[nodiscard]] bool overlap(const MemberA& a, const MemberB& b) noexcept {
    ++stats_.boxTests;
    int apart = 0;
    for (std::size_t i = 0; i < slabs; ++i)
      apart |= static_cast<int>(a.dop->low[i] > b.high[i]) | static_cast<int>(b.low[i] > a.dop->high[i]);
    return apart == 0;
  }
  [[nodiscard]] Visit visit(const MemberA& a, const MemberB& b) const noexcept { return {a.node, b.node}; }
  template <typename Triangles>
  bool leaves(const MemberA& a, const MemberB& b, Triangles&& triangles) const {
    return triangles(a_[a.node].link.triangle(), b_[b.node].link.triangle());
  }

 private:
  /// The computation of one of A's directions from a polytope of B: positions in its low and high values,
  /// which are consecutive.
  struct Realignment {
    std::array<std::uint32_t, 3> forLow, forHigh;
    std::array<float, 3> coefficient;
    float offset, slack;
  };
  static_assert(offsetof(DopNode<slabs>, high) == slabs * sizeof(float));

  void setDirection(std::size_t i, const Vec3& v, double offset, const Vec3& reach) {
    double least = std::numeric_limits<double>::infinity();
    const Triple* best = &triples<slabs>().front();
    for (const Triple& triple : triples<slabs>()) {
      double sum = 0;
      for (std::size_t m = 0; m < 3; ++m)
        sum += std::abs(dot(triple.inverse[m], v)) * norm(direction(triple.index[m]));
      if (sum < least) {
        least = sum;
        best = &triple;
      }
    }
    Realignment& r = realignments_[i];
    double size = std::abs(offset);
    for (std::size_t m = 0; m < 3; ++m) {
      const std::uint32_t j = best->index[m];
      const double c = dot(best->inverse[m], v);
      const auto slabCount = static_cast<std::uint32_t>(slabs);
      r.coefficient[m] = static_cast<float>(c);
      r.forLow[m] = c > 0 ? j : slabCount + j;
      r.forHigh[m] = c > 0 ? slabCount + j : j;
      const Vec3 d = direction(j);
      // Subnormal coefficients have errors of 2^-150; adding this to the size costs nothing.
      size += (std::abs(c) + 0x1p-120) *
              (std::abs(d.x) * reach.x + std::abs(d.y) * reach.y + std::abs(d.z) * reach.z);
    }
    r.offset = static_cast<float>(offset);
    r.slack = size < 0x1p120 && least < 0x1p120 ? floatAbove(size * 0x1p-20 + 0x1p-130)
                                                : std::numeric_limits<float>::infinity();
  }

  [[nodiscard]] MemberA memberA(std::uint32_t i) const noexcept {
    return {i, a_[i].link.isTriangle(), &a_[i]};
  }
  [[nodiscard]] MemberB memberB(std::uint32_t node) noexcept {
    ++stats_.boxUpdates;
    MemberB m;
    m.node = node;
    m.isLeaf = b_[node].link.isTriangle();
    const DopNode<slabs>& dop = b_[node];
    float sides[2 * slabs];
    std::copy(dop.low, dop.low + slabs, sides);
    std::copy(dop.high, dop.high + slabs, sides + slabs);
    for (std::size_t i = 0; i < slabs; ++i) {
      const Realignment& r = realignments_[i];
      const float low = r.coefficient[0] * sides[r.forLow[0]] + r.coefficient[1] * sides[r.forLow[1]] +
                        r.coefficient[2] * sides[r.forLow[2]];
      const float high = r.coefficient[0] * sides[r.forHigh[0]] + r.coefficient[1] * sides[r.forHigh[1]] +
                         r.coefficient[2] * sides[r.forHigh[2]];
      m.low[i] = (low + r.offset) - r.slack;
      m.high[i] = (high + r.offset) + r.slack;
    }
    return m;
  }

  QueryStats& stats_;
  const DopNode<slabs>*a_, *b_;
  std::array<Realignment, slabs> realignments_;
};

template <std::size_t slabs>
void traverseDops(const TraversalTask& task, const DopNode<slabs>* a, const DopNode<slabs>* b,
                  TreeScratch& scratch) {
  DopPairs<slabs> boxes(task, a, b);
  BothOpened pairs(boxes);
  traversePairs(task, pairs, scratch);
}

}  // namespace

void DopTree::traverse(const TraversalTask& task, const HierarchyTree& treeOfB, TreeScratch& scratch) const {
  const auto& b = static_cast<const DopTree&>(treeOfB);
  if (b.k_ != k_)
    throw NotBuiltError("parts '" + task.a.name() + "' and '" + task.b.name() +
                        "' were built with 'dop' of different k");
  if (k_ == DopKind::dop18) return traverseDops(task, nodes18_.data(), b.nodes18_.data(), scratch);
  traverseDops(task, nodes24_.data(), b.nodes24_.data(), scratch);
}

}  // namespace fitup
