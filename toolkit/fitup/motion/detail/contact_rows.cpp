#include <fitup/motion/detail/contact_rows.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fitup/motion/detail/corner_contacts.h>
#include <fitup/motion/detail/edge_contacts.h>

namespace fitup::detail {
namespace {

Box boxOf(const Triangle& t) {
  Box box;
  for (const Vec3& v : t.v) box.extend(v);
  return box;
}

using TrianglePairs = std::vector<std::pair<TriangleId, TriangleId>>;

/// Collects the pairs of triangles whose boxes are within reach of each other.
class NearTrianglePairs final : public PairVisitor {
 public:
  NearTrianglePairs(const PlacedContactPart& a, const PlacedContactPart& b, double reach)
      : a_(a), b_(b), reach_(reach) {
    limit = std::nextafter(reach, std::numeric_limits<double>::infinity());
  }
  double bound(const NodeBox& a, const NodeBox& b) override { return minimumDistance(a, b); }
  void visit(std::span<const TriangleId> ofA, std::span<const TriangleId> ofB) override {
    std::array<Box, 8> boxes;
    for (std::size_t j = 0; j < ofB.size(); ++j) boxes[j] = boxOf(b_.triangle(ofB[j]));
    for (const TriangleId i : ofA) {
      const Box box = boxOf(a_.triangle(i));
      for (std::size_t j = 0; j < ofB.size(); ++j)
        if (isNear(box, boxes[j])) pairs.emplace_back(i, ofB[j]);
    }
  }

  TrianglePairs pairs;

 private:
  [[nodiscard]] bool isNear(const Box& a, const Box& b) const {
    for (int k = 0; k < 3; ++k)
      if (a.min[k] - b.max[k] > reach_ || b.min[k] - a.max[k] > reach_) return false;
    return true;
  }

  const PlacedContactPart &a_, &b_;
  double reach_;
};

/// For each triangle of one part, those of the other one that are near it.
class NearOthers {
 public:
  /// Which triangle of a pair belongs to the part.
  enum class Own : std::uint8_t { first, second };
  NearOthers(const PlacedContactPart& part, const TrianglePairs& pairs, Own own)
      : first_(part.part().solid().mesh().triangleCount() + 1, 0), others_(pairs.size()) {
    const bool isFirst = own == Own::first;
    for (const auto& [a, b] : pairs) ++first_[index(isFirst ? a : b) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const auto& [a, b] : pairs) others_[next[index(isFirst ? a : b)]++] = isFirst ? b : a;
  }
  [[nodiscard]] std::span<const TriangleId> of(TriangleId own) const noexcept {
    return std::span(others_).subspan(first_[index(own)], first_[index(own) + 1] - first_[index(own)]);
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<TriangleId> others_;
};

/// Which of some things have been met since it was last cleared.
class Marks {
 public:
  explicit Marks(std::size_t count) : marks_(count, 0) {}
  void clear() noexcept { ++now_; }
  /// False if it was met before.
  bool meet(std::size_t i) noexcept { return std::exchange(marks_[i], now_) != now_; }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t now_ = 1;
};

/// The corners of the triangles of one part with the triangles of the other that are near each.
std::vector<CornerNear> nearCorners(const PlacedContactPart& part, const PlacedContactPart& other,
                                    const NearOthers& near) {
  const TriangleMesh& mesh = part.part().solid().mesh();
  const MeshTopology& topology = part.part().solid().topology();
  Marks corners(topology.pointCount()), others(other.part().solid().mesh().triangleCount());
  std::vector<CornerNear> found;
  for (std::uint32_t i = 0; i < mesh.triangleCount(); ++i) {
    if (near.of(TriangleId{i}).empty()) continue;
    for (const std::uint32_t p : mesh.triangles()[i]) {
      const std::uint32_t corner = topology.welded(p);
      if (!part.part().isCorner(corner) || !corners.meet(corner)) continue;
      others.clear();
      for (const TriangleId at : part.part().trianglesAt(corner))
        for (const TriangleId each : near.of(at))
          if (others.meet(index(each))) found.push_back({corner, each});
    }
  }
  return found;
}

std::vector<EdgePair> nearEdges(const PlacedContactPart& a, const PlacedContactPart& b,
                                const NearOthers& near) {
  const MeshTopology &ofA = a.part().solid().topology(), &ofB = b.part().solid().topology();
  const auto counts = [](const PlacedContactPart& part, std::uint32_t edge) {
    return edge != MeshTopology::noEdge && part.part().kindOf(edge) != ContactPart::EdgeKind::flat;
  };
  Marks edges(ofA.edges().size()), others(ofB.edges().size());
  std::vector<EdgePair> found;
  for (std::uint32_t i = 0; i < a.part().solid().mesh().triangleCount(); ++i) {
    if (near.of(TriangleId{i}).empty()) continue;
    for (const std::uint32_t edge : ofA.edgesOf(TriangleId{i})) {
      if (!counts(a, edge) || !edges.meet(edge)) continue;
      others.clear();
      for (const MeshTopology::Use& use : ofA.uses(ofA.edges()[edge]))
        for (const TriangleId each : near.of(TriangleId{use.triangle}))
          for (const std::uint32_t other : ofB.edgesOf(each))
            if (counts(b, other) && others.meet(other)) found.push_back({edge, other});
    }
  }
  return found;
}

}  // namespace

std::vector<ContactRow> contactRows(const PlacedContactPart& moved, const PlacedContactPart& resting,
                                    const ContactReach& reach) {
  std::vector<ContactRow> rows;
  if (moved.part().solid().mesh().triangleCount() == 0 || resting.part().solid().mesh().triangleCount() == 0)
    return rows;
  NearTrianglePairs near(moved, resting, std::max(reach.gap, reach.overlap));
  visitPairs(moved.tree(), resting.tree(), near);
  const NearOthers ofMoved(moved, near.pairs, NearOthers::Own::first),
      ofResting(resting, near.pairs, NearOthers::Own::second);
  addCornerContacts(moved, resting, nearCorners(moved, resting, ofMoved), reach, [&](const CornerContact& c) {
    rows.push_back({c.point, c.normal, c.gap, c.isExact, c.corner, c.face});
  });
  // Here the moved part has the face. What leads the corner away from it leads it towards the corner.
  addCornerContacts(resting, moved, nearCorners(resting, moved, ofResting), reach,
                    [&](const CornerContact& c) {
                      rows.push_back({c.point, -c.normal, c.gap, c.isExact, c.face, c.corner});
                    });
  addEdgeContacts(moved, resting, nearEdges(moved, resting, ofMoved), reach, rows);
  return rows;
}

}  // namespace fitup::detail
