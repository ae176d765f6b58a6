#include <fitup/query/detail/overlap_regions.h>

#include <algorithm>
#include <cmath>

#include <fitup/geometry/closest_points.h>

namespace fitup::detail {
namespace {

constexpr std::uint32_t noChain = ~0U;

double parameter(const Vec3& p, const Vec3& from, const Vec3& to) {
  const Vec3 d = to - from;
  const double length2 = dot(d, d);
  return length2 > 0 ? std::clamp(dot(p - from, d) / length2, 0.0, 1.0) : 0;
}

}  // namespace

OverlapRegions::OverlapRegions(const BodyPair& pair, const CutGraph& graph, const IntersectionReport& report,
                               std::array<PointQuery*, 2> queries, const std::function<bool()>& stop)
    : pair_(pair),
      graph_(graph),
      queries_(queries),
      sets_(graph.chainCount + pair.a->solid->topology().pointCount() +
            pair.b->solid->topology().pointCount()),
      chainOfNode_(graph.nodes.size(), noChain) {
  for (std::uint32_t i = 0; i < graph.segments.size(); ++i) {
    const CutSegment& s = graph.segments[i];
    chainOfNode_[s.from] = chainOfNode_[s.to] = s.chain;
    segments_[0][static_cast<std::uint32_t>(s.a)].push_back(i);
    segments_[1][static_cast<std::uint32_t>(s.b)].push_back(i);
  }
  for (int side : {0, 1}) {
    findCuts(side);
    uniteAlongEdges(side, stop);
    uniteLonelyChains(side, stop);
    findContained(side, report);
  }
  const auto addRoot = [&](std::uint32_t node) {
    const std::uint32_t root = sets_.find(node);
    if (regionOfRoot_.try_emplace(root, static_cast<std::uint32_t>(roots_.size())).second)
      roots_.push_back(root);
  };
  for (std::uint32_t c = 0; c < graph.chainCount; ++c) addRoot(c);
  for (std::uint32_t node : contained_) addRoot(node);
  for (int side : {0, 1}) listTriangles(side);
}

Vec3 OverlapRegions::point(int side, std::uint32_t index) const noexcept {
  const Vec3 local = toVec3(mesh(side).points()[index]);
  return side == 0 ? local : pair_.frame.placement.aFromB.apply(local);
}

std::uint32_t OverlapRegions::node(int side, std::uint32_t weldedPoint) const noexcept {
  const auto before = side == 0 ? std::size_t{0} : topology(0).pointCount();
  return static_cast<std::uint32_t>(graph_.chainCount + before + weldedPoint);
}

bool OverlapRegions::insideOther(int side, const Vec3& inA) {
  const int other = 1 - side;
  const Vec3 p = other == 0 ? inA : pair_.frame.placement.bFromA.apply(inA);
  return queries_[static_cast<std::size_t>(other)]->side(p, pair_.body(other).solid->watertightness()) ==
         PointSide::inside;
}

void OverlapRegions::findCuts(int side) {
  CutsOfEdge& cuts = cuts_[static_cast<std::size_t>(side)];
  const auto add = [&](std::uint32_t edge, const CutNode& node) {
    const MeshTopology::Edge& e = topology(side).edges()[edge];
    cuts[edge].push_back(
        {parameter(node.p, point(side, e.low), point(side, e.high)), chainOfNode_[node.same]});
  };
  for (const CutNode& node : graph_.nodes)
    if (node.piercing && node.piercing->side == side && chainOfNode_[node.same] != noChain)
      add(node.piercing->edge, node);
  // Ends of touching triangles do not know on which edge they lie.
  for (const auto& [triangle, segments] : segments_[static_cast<std::size_t>(side)])
    for (std::uint32_t s : segments)
      for (std::uint32_t n : {graph_.segments[s].from, graph_.segments[s].to}) {
        const CutNode& node = graph_.nodes[n];
        if (node.piercing && node.piercing->side == side) continue;
        for (std::uint32_t edge : topology(side).edgesOf(TriangleId{triangle})) {
          if (edge == MeshTopology::noEdge) continue;
          const MeshTopology::Edge& e = topology(side).edges()[edge];
          const Vec3 q = closestPointOnSegment(node.p, point(side, e.low), point(side, e.high));
          if (norm(q - node.p) <= 4 * node.errorBound) add(edge, node);
        }
      }
}

/// Unites neighbours along a line if the middle between them is inside the other body.
void OverlapRegions::uniteAlong(int side, const Vec3& from, const Vec3& to, std::uint32_t fromNode,
                                std::uint32_t toNode, std::vector<Cut>& cuts) {
  std::sort(cuts.begin(), cuts.end());
  double at = 0;
  std::uint32_t last = fromNode;
  for (std::size_t i = 0; i <= cuts.size(); ++i) {
    const double next = i < cuts.size() ? cuts[i].at : 1;
    const std::uint32_t nextNode = i < cuts.size() ? cuts[i].chain : toNode;
    if (sets_.find(last) != sets_.find(nextNode) &&
        insideOther(side, from + (to - from) * (0.5 * (at + next))))
      sets_.unite(last, nextNode);
    at = next;
    last = nextNode;
  }
}

void OverlapRegions::uniteAlongEdges(int side, const std::function<bool()>& stop) {
  CutsOfEdge& cuts = cuts_[static_cast<std::size_t>(side)];
  const auto edges = topology(side).edges();
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    if (e % 64 == 0 && stop && stop()) return;
    const std::uint32_t low = node(side, edges[e].low), high = node(side, edges[e].high);
    if (const auto found = cuts.find(e); found != cuts.end())
      uniteAlong(side, point(side, edges[e].low), point(side, edges[e].high), low, high, found->second);
    else
      sets_.unite(low, high);
  }
}

std::vector<OverlapRegions::Cut> OverlapRegions::cutsAcross(int side, TriangleId triangle, const Vec3& from,
                                                            const Vec3& to) const {
  std::vector<Cut> cuts;
  const auto found = segments_[static_cast<std::size_t>(side)].find(static_cast<std::uint32_t>(triangle));
  if (found == segments_[static_cast<std::size_t>(side)].end()) return cuts;
  const Triangle t = pair_.triangle(side, triangle);
  const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
  const int drop = std::abs(n.x) >= std::abs(n.y) && std::abs(n.x) >= std::abs(n.z) ? 0
                   : std::abs(n.y) >= std::abs(n.z)                                 ? 1
                                                                                    : 2;
  const int u = (drop + 1) % 3, v = (drop + 2) % 3;
  const auto turn = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
  };
  for (std::uint32_t i : found->second) {
    const CutSegment& s = graph_.segments[i];
    const Vec3 &p = graph_.nodes[s.from].p, &q = graph_.nodes[s.to].p;
    const double sideP = turn(from, to, p), sideQ = turn(from, to, q);
    const double sideFrom = turn(p, q, from), sideTo = turn(p, q, to);
    if ((sideP > 0) == (sideQ > 0) || (sideFrom > 0) == (sideTo > 0)) continue;
    cuts.push_back({sideFrom / (sideFrom - sideTo), s.chain});
  }
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

void OverlapRegions::uniteLonelyChains(int side, const std::function<bool()>& stop) {
  const SegmentsOfTriangle& segments = segments_[static_cast<std::size_t>(side)];
  const CutsOfEdge& cuts = cuts_[static_cast<std::size_t>(side)];
  std::vector<std::uint32_t> ids;
  for (const auto& entry : segments) ids.push_back(entry.first);
  std::sort(ids.begin(), ids.end());
  for (std::uint32_t id : ids) {
    std::vector<std::uint32_t> atEdges;
    for (std::uint32_t edge : topology(side).edgesOf(TriangleId{id}))
      if (const auto found = cuts.find(edge); found != cuts.end())
        for (const Cut& c : found->second) atEdges.push_back(c.chain);
    std::vector<std::uint32_t> done;
    for (std::uint32_t i : segments.at(id)) {
      const CutSegment& s = graph_.segments[i];
      if (std::find(atEdges.begin(), atEdges.end(), s.chain) != atEdges.end() ||
          std::find(done.begin(), done.end(), s.chain) != done.end())
        continue;
      if (stop && stop()) return;
      done.push_back(s.chain);
      const Vec3 from = graph_.nodes[s.from].p;
      for (std::uint32_t corner : mesh(side).triangles()[id]) {
        std::vector<Cut> across = cutsAcross(side, TriangleId{id}, from, point(side, corner));
        uniteAlong(side, from, point(side, corner), s.chain, node(side, topology(side).welded(corner)),
                   across);
      }
    }
  }
}

void OverlapRegions::findContained(int side, const IntersectionReport& report) {
  const MeshTopology& t = topology(side);
  std::vector<char> touched(t.componentCount(), 0);
  for (const TrianglePair& p : report.trianglePairs)
    touched[t.componentOf((side == 0) != pair_.frame.swapped ? p.a : p.b)] = 1;
  for (std::uint32_t i = 0; i < mesh(side).triangleCount(); ++i) {
    char& seen = touched[t.componentOf(TriangleId{i})];
    if (seen) continue;
    seen = 1;
    const std::uint32_t corner = mesh(side).triangles()[i][0];
    if (insideOther(side, point(side, corner))) contained_.push_back(node(side, t.welded(corner)));
  }
}

std::vector<std::uint32_t> OverlapRegions::regionsAt(int side, TriangleId triangle) {
  std::vector<std::uint32_t> regions;
  const auto add = [&](std::uint32_t node) {
    if (const auto found = regionOfRoot_.find(sets_.find(node)); found != regionOfRoot_.end())
      regions.push_back(found->second);
  };
  for (std::uint32_t corner : mesh(side).triangles()[index(triangle)])
    add(node(side, topology(side).welded(corner)));
  const SegmentsOfTriangle& segments = segments_[static_cast<std::size_t>(side)];
  if (const auto found = segments.find(static_cast<std::uint32_t>(triangle)); found != segments.end())
    for (std::uint32_t s : found->second) add(graph_.segments[s].chain);
  std::sort(regions.begin(), regions.end());
  regions.erase(std::unique(regions.begin(), regions.end()), regions.end());
  return regions;
}

void OverlapRegions::listTriangles(int side) {
  auto& lists = triangles_[static_cast<std::size_t>(side)];
  lists.resize(roots_.size());
  for (std::uint32_t i = 0; i < mesh(side).triangleCount(); ++i)
    for (std::uint32_t region : regionsAt(side, TriangleId{i})) lists[region].push_back(TriangleId{i});
}

bool OverlapRegions::onlyOf(int side, TriangleId triangle, std::uint32_t region) {
  const std::vector<std::uint32_t> all = regionsAt(side, triangle);
  return all.size() == 1 && all[0] == region;
}

std::optional<std::uint32_t> OverlapRegions::regionOf(int side, TriangleId triangle, const Vec3& inA) {
  const std::vector<std::uint32_t> all = regionsAt(side, triangle);
  if (all.size() == 1) return all[0];
  const std::uint32_t corner = mesh(side).triangles()[index(triangle)][0];
  const std::vector<Cut> cuts = cutsAcross(side, triangle, inA, point(side, corner));
  const std::uint32_t next = cuts.empty() ? node(side, topology(side).welded(corner)) : cuts.front().chain;
  const auto found = regionOfRoot_.find(sets_.find(next));
  return found != regionOfRoot_.end() ? std::optional(found->second) : std::nullopt;
}

bool OverlapRegions::bounds(const CutSegment& common, std::uint32_t region) {
  const CutNode &from = graph_.nodes[common.from], &to = graph_.nodes[common.to];
  if (!from.piercing || !to.piercing || chainOfNode_[from.same] == noChain) return true;
  return regionOfRoot_.at(sets_.find(chainOfNode_[from.same])) == region;
}

std::vector<SurfacePair> OverlapRegions::surfacePairs(std::uint32_t region) {
  std::vector<SurfacePair> pairs;
  for (const CutSegment& s : graph_.segments)
    if (regionOfRoot_.at(sets_.find(s.chain)) == region)
      pairs.push_back({mesh(0).surfaceOf(s.a), mesh(1).surfaceOf(s.b)});
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace fitup::detail
