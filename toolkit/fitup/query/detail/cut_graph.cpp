#include <fitup/query/detail/cut_graph.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include <fitup/base/disjoint_sets.h>
#include <fitup/geometry/predicates.h>
#include <fitup/geometry/triangle_intersection.h>

namespace fitup::detail {
namespace {

struct PiercingHash {
  std::size_t operator()(const CutNode::Piercing& k) const noexcept {
    std::uint64_t h =
        k.edge * 0x9e3779b97f4a7c15ULL ^ static_cast<std::uint64_t>(k.triangle) * 0xc2b2ae3d27d4eb4fULL;
    return static_cast<std::size_t>(h ^ h >> 29) * 2 + static_cast<std::size_t>(k.side);
  }
};

class Builder {
 public:
  Builder(const BodyPair& pair, const std::function<bool()>& stop) : pair_(pair), stop_(stop) {}

  std::optional<CutGraph> build(const IntersectionReport& report) {
    for (const TrianglePair& t : report.trianglePairs) {
      if (stopped()) return std::nullopt;
      const TriangleId a = pair_.frame.swapped ? t.b : t.a, b = pair_.frame.swapped ? t.a : t.b;
      if (!addProper(a, b)) addTouching(a, b);
    }
    addOutlines();
    graph_.common = graph_.segments;
    if (!uniteTouchingEnds()) return std::nullopt;
    dropRepeated();
    findChains();
    return std::move(graph_);
  }

 private:
  /// Returns true if edge p q of a triangle properly crosses the other triangle.
  static bool pierces(const Vec3& p, const Vec3& q, const Triangle& t) noexcept {
    const int sideP = orient3d(t.v[0], t.v[1], t.v[2], p), sideQ = orient3d(t.v[0], t.v[1], t.v[2], q);
    if (sideP * sideQ >= 0) return false;
    const int first = orient3d(p, q, t.v[0], t.v[1]);
    return first != 0 && first == orient3d(p, q, t.v[1], t.v[2]) && first == orient3d(p, q, t.v[2], t.v[0]);
  }

  /// Handles triangles in general position: two edges cross properly, and the crossings are the ends.
  bool addProper(TriangleId a, TriangleId b) {
    const std::array<TriangleId, 2> id{a, b};
    const std::array<Triangle, 2> t{pair_.triangle(0, a), pair_.triangle(1, b)};
    std::array<CutNode::Piercing, 6> found;
    std::size_t count = 0;
    for (std::size_t side = 0; side < 2; ++side)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t edge = pair_.body(static_cast<int>(side)).solid->topology().edgesOf(id[side])[k];
        if (edge != MeshTopology::noEdge && pierces(t[side].v[k], t[side].v[(k + 1) % 3], t[1 - side]))
          found[count++] = {static_cast<int>(side), edge, id[1 - side]};
      }
    if (count != 2) return false;
    graph_.segments.push_back({nodeOf(found[0]), nodeOf(found[1]), a, b, 0});
    return true;
  }

  std::uint32_t nodeOf(const CutNode::Piercing& key) {
    const auto [known, isNew] = byPiercing_.try_emplace(key, static_cast<std::uint32_t>(graph_.nodes.size()));
    if (!isNew) return known->second;
    // Always computed in the same direction along the edge, so that all triangles at the edge give the same
    // coordinates.
    const MeshTopology::Edge& edge = pair_.body(key.side).solid->topology().edges()[key.edge];
    const Vec3 p = point(key.side, edge.low), q = point(key.side, edge.high);
    const Triangle t = pair_.triangle(1 - key.side, key.triangle);
    const double dp = std::abs(orient3dValue(t.v[0], t.v[1], t.v[2], p)),
                 dq = std::abs(orient3dValue(t.v[0], t.v[1], t.v[2], q));
    CutNode node;
    node.p = dp <= dq ? p + (q - p) * (dp / (dp + dq)) : q + (p - q) * (dq / (dp + dq));
    node.piercing = key;
    // The parameter has a relative error of 2^-49 and is at most 1/2 of twice the largest coordinate; four
    // roundings follow.
    double largest = 0;
    for (const Vec3& v : {p, q}) largest = std::max({largest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    node.errorBound = largest * 0x1p-47;
    graph_.nodes.push_back(node);
    return known->second;
  }

  [[nodiscard]] Vec3 point(int side, std::uint32_t index) const {
    const Vec3 local = toVec3(pair_.body(side).solid->mesh().points()[index]);
    return side == 0 ? local : pair_.frame.placement.aFromB.apply(local);
  }

  void addTouching(TriangleId a, TriangleId b) {
    const TriangleIntersection common = triangleIntersection(pair_.triangle(0, a), pair_.triangle(1, b));
    std::array<std::uint32_t, 6> node{};
    for (std::size_t i = 0; i < common.count; ++i) {
      node[i] = static_cast<std::uint32_t>(graph_.nodes.size());
      graph_.nodes.push_back({common.points[i], std::nullopt, common.errorBound, 0});
    }
    switch (common.kind) {
      case TriangleIntersection::Kind::none:
        break;
      case TriangleIntersection::Kind::point:
        graph_.segments.push_back({node[0], node[0], a, b, 0});
        break;
      case TriangleIntersection::Kind::segment:
        graph_.segments.push_back({node[0], node[1], a, b, 0});
        break;
      case TriangleIntersection::Kind::polygon:
        for (std::size_t i = 0; i < common.count; ++i)
          outlines_.push_back({node[i], node[(i + 1U) % common.count], a, b, 0});
        break;
    }
  }

  /// Keeps outlines for later. Which edges two polygons share is known only after their ends are merged.
  void addOutlines() {
    firstOutline_ = graph_.segments.size();
    graph_.segments.insert(graph_.segments.end(), outlines_.begin(), outlines_.end());
  }

  /// Returns false if `stop` ended it.
  bool uniteTouchingEnds() {
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) graph_.nodes[i].same = i;
    if (byPiercing_.size() == graph_.nodes.size()) return true;
    std::vector<std::uint32_t> order(graph_.nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    // Sorts along the axis of the largest extent, because parts often touch in planes perpendicular to an
    // axis.
    Box box;
    for (const CutNode& n : graph_.nodes) box.extend(n.p);
    const Vec3 extent = box.max - box.min;
    int axis = extent.x >= extent.y ? 0 : 1;
    if (extent.z > extent[axis]) axis = 2;
    std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
      return std::pair(graph_.nodes[i].p[axis], i) < std::pair(graph_.nodes[j].p[axis], j);
    });
    double widest = 0;
    for (const CutNode& n : graph_.nodes) widest = std::max(widest, n.errorBound);
    DisjointSets sets(graph_.nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (stopped()) return false;
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        const CutNode &n = graph_.nodes[order[i]], &o = graph_.nodes[order[j]];
        if (o.p[axis] - n.p[axis] > 2 * widest) break;
        if (n.piercing && o.piercing) continue;
        const double bound = n.errorBound + o.errorBound;
        if (std::abs(n.p.x - o.p.x) <= bound && std::abs(n.p.y - o.p.y) <= bound &&
            std::abs(n.p.z - o.p.z) <= bound)
          sets.unite(order[i], order[j]);
      }
    }
    for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i) graph_.nodes[i].same = sets.find(i);
    for (CutSegment& s : graph_.segments) {
      s.from = sets.find(s.from);
      s.to = sets.find(s.to);
    }
    return true;
  }

  bool stopped() { return stop_ && stop_(); }

  void dropRepeated() {
    if (byPiercing_.size() == graph_.nodes.size()) return;
    using Ends = std::pair<std::uint32_t, std::uint32_t>;
    const auto ends = [](const CutSegment& s) { return Ends(std::minmax(s.from, s.to)); };
    std::map<Ends, std::size_t> outlineUses, seen;
    for (std::size_t i = firstOutline_; i < graph_.segments.size(); ++i)
      ++outlineUses[ends(graph_.segments[i])];
    std::vector<CutSegment> kept;
    for (std::size_t i = 0; i < graph_.segments.size(); ++i) {
      const CutSegment& s = graph_.segments[i];
      if (i >= firstOutline_ && (outlineUses[ends(s)] % 2 == 0 || s.from == s.to)) continue;
      if (seen[ends(s)]++ == 0) kept.push_back(s);
    }
    // A single point at the end of a stretch adds nothing.
    std::vector<char> used(graph_.nodes.size(), 0);
    for (const CutSegment& s : kept)
      if (s.from != s.to) used[s.from] = used[s.to] = 1;
    graph_.segments.clear();
    for (const CutSegment& s : kept)
      if (s.from != s.to || !used[s.from]) graph_.segments.push_back(s);
  }

  void findChains() {
    DisjointSets sets(graph_.nodes.size());
    for (const CutSegment& s : graph_.segments) sets.unite(s.from, s.to);
    std::map<std::uint32_t, std::uint32_t> number;
    for (CutSegment& s : graph_.segments)
      s.chain =
          number.try_emplace(sets.find(s.from), static_cast<std::uint32_t>(number.size())).first->second;
    graph_.chainCount = static_cast<std::uint32_t>(number.size());
  }

  const BodyPair& pair_;
  const std::function<bool()>& stop_;
  CutGraph graph_;
  std::unordered_map<CutNode::Piercing, std::uint32_t, PiercingHash> byPiercing_;
  std::vector<CutSegment> outlines_;
  std::size_t firstOutline_ = 0;
};

}  // namespace

BodyPair BodyPair::of(const PosedSolid& first, const PosedSolid& second) {
  BodyPair pair{nullptr, nullptr, PairFrame::of(first.posed(), second.posed())};
  pair.a = pair.frame.swapped ? &second : &first;
  pair.b = pair.frame.swapped ? &first : &second;
  return pair;
}

Triangle BodyPair::triangle(int side, TriangleId id) const noexcept {
  const Triangle t = body(side).solid->mesh().triangle(id);
  return side == 0 ? t : frame.placement.placed(t);
}

std::optional<CutGraph> CutGraph::of(const BodyPair& pair, const IntersectionReport& report,
                                     const std::function<bool()>& stop) {
  return Builder(pair, stop).build(report);
}

}  // namespace fitup::detail
