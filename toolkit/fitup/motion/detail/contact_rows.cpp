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

  std::vector<std::pair<TriangleId, TriangleId>> pairs;

 private:
  [[nodiscard]] bool isNear(const Box& a, const Box& b) const {
    for (int k = 0; k < 3; ++k)
      if (a.min[k] - b.max[k] > reach_ || b.min[k] - a.max[k] > reach_) return false;
    return true;
  }

  const PlacedContactPart &a_, &b_;
  double reach_;
};

template <typename Value>
void sortUnique(std::vector<Value>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The corners of the triangles of one part with the triangles of the other that are near each.
template <typename CornerTriangle>
std::vector<CornerNear> nearCorners(const PlacedContactPart& part,
                                    const std::vector<std::pair<TriangleId, TriangleId>>& pairs,
                                    const CornerTriangle& inOrder) {
  const MeshTopology& topology = part.part().solid().topology();
  std::vector<CornerNear> near;
  near.reserve(3 * pairs.size());
  for (const auto& pair : pairs) {
    const auto [own, other] = inOrder(pair);
    for (const std::uint32_t p : part.part().solid().mesh().triangles()[index(own)])
      if (const std::uint32_t corner = topology.welded(p); part.part().isCorner(corner))
        near.push_back({corner, other});
  }
  sortUnique(near);
  return near;
}

std::vector<EdgePair> nearEdges(const PlacedContactPart& a, const PlacedContactPart& b,
                                const std::vector<std::pair<TriangleId, TriangleId>>& pairs) {
  const auto& ofA = a.part().solid().topology();
  const auto& ofB = b.part().solid().topology();
  const auto counts = [](const PlacedContactPart& part, std::uint32_t edge) {
    return edge != MeshTopology::noEdge && part.part().kindOf(edge) != ContactPart::EdgeKind::flat;
  };
  std::vector<EdgePair> near;
  for (const auto& [ta, tb] : pairs)
    for (const std::uint32_t i : ofA.edgesOf(ta)) {
      if (!counts(a, i)) continue;
      for (const std::uint32_t j : ofB.edgesOf(tb))
        if (counts(b, j)) near.push_back({i, j});
    }
  sortUnique(near);
  return near;
}

}  // namespace

std::vector<ContactRow> contactRows(const PlacedContactPart& moved, const PlacedContactPart& resting,
                                    const ContactReach& reach) {
  std::vector<ContactRow> rows;
  if (moved.part().solid().mesh().triangleCount() == 0 || resting.part().solid().mesh().triangleCount() == 0)
    return rows;
  NearTrianglePairs near(moved, resting, std::max(reach.gap, reach.overlap));
  visitPairs(moved.tree(), resting.tree(), near);
  using Pair = std::pair<TriangleId, TriangleId>;
  addCornerContacts(moved, resting, nearCorners(moved, near.pairs, [](const Pair& p) { return p; }), reach,
                    [&](const CornerContact& c) {
                      rows.push_back({c.point, c.normal, c.gap, c.isExact, c.corner, c.face});
                    });
  // Here the moved part has the face. What leads the corner away from it leads it towards the corner.
  addCornerContacts(resting, moved,
                    nearCorners(resting, near.pairs,
                                [](const Pair& p) {
                                  return Pair{p.second, p.first};
                                }),
                    reach, [&](const CornerContact& c) {
                      rows.push_back({c.point, -c.normal, c.gap, c.isExact, c.face, c.corner});
                    });
  addEdgeContacts(moved, resting, nearEdges(moved, resting, near.pairs), reach, rows);
  return rows;
}

}  // namespace fitup::detail
