#include <fitup/query/intersection_chains.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fitup/base/error.h>
#include <fitup/query/detail/cut_graph.h>

namespace fitup {
namespace {

using detail::BodyPair;
using detail::CutGraph;
using detail::CutSegment;

class Chainer {
 public:
  Chainer(const BodyPair& pair, const CutGraph& graph)
      : pair_(pair), graph_(graph), at_(graph.nodes.size()), used_(graph.segments.size(), 0) {
    for (std::uint32_t i = 0; i < graph.segments.size(); ++i) {
      const CutSegment& s = graph.segments[i];
      if (s.from == s.to) continue;
      at_[s.from].push_back(i);
      at_[s.to].push_back(i);
    }
  }

  std::vector<IntersectionChain> chains() {
    // Open chains first take the pieces between ends and branch points. Loops remain.
    for (const bool loops : {false, true})
      for (std::uint32_t i = 0; i < graph_.segments.size(); ++i) {
        if (used_[i]) continue;
        const CutSegment& s = graph_.segments[i];
        if (s.from == s.to) {
          if (!loops) continue;
          used_[i] = 1;
          begin(s.from);
          result_.back().chain.stretches.push_back(stretch(s));
          result_.back().order = i;
        } else if (loops) {
          follow(s.from, i);
        } else if (at_[s.from].size() != 2) {
          follow(s.from, i);
        } else if (at_[s.to].size() != 2) {
          follow(s.to, i);
        }
      }
    std::stable_sort(result_.begin(), result_.end(),
                     [](const Ordered& p, const Ordered& q) { return p.order < q.order; });
    std::vector<IntersectionChain> chains;
    for (Ordered& o : result_) {
      if (o.chain.points.size() == 1) o.chain.stretches.resize(1);
      chains.push_back(std::move(o.chain));
    }
    return chains;
  }

 private:
  struct Ordered {
    IntersectionChain chain;
    std::uint32_t order = 0;
  };

  void begin(std::uint32_t node) {
    result_.emplace_back();
    addPoint(node);
  }

  void follow(std::uint32_t start, std::uint32_t segment) {
    begin(start);
    Ordered& to = result_.back();
    to.order = segment;
    std::uint32_t node = start;
    while (true) {
      used_[segment] = 1;
      to.order = std::min(to.order, segment);
      const CutSegment& s = graph_.segments[segment];
      to.chain.stretches.push_back(stretch(s));
      node = s.from == node ? s.to : s.from;
      if (node == start) {
        to.chain.closed = true;
        return;
      }
      addPoint(node);
      if (at_[node].size() != 2) return;
      const std::uint32_t next = at_[node][0] == segment ? at_[node][1] : at_[node][0];
      if (used_[next]) return;
      segment = next;
    }
  }

  void addPoint(std::uint32_t node) {
    // The map to the world scales the bound and adds six roundings.
    const Vec3 local = graph_.nodes[node].p, origin = pair_.a->solid->mesh().origin();
    const Transform& world = pair_.a->worldFromPart;
    IntersectionChain& chain = result_.back().chain;
    for (std::size_t i = 0; i < 3; ++i) {
      double stretch = 0, magnitude = std::abs(world.t[static_cast<int>(i)]);
      for (int j = 0; j < 3; ++j) {
        const double m = std::abs(world.m[i][static_cast<std::size_t>(j)]);
        stretch += m;
        magnitude += m * (std::abs(origin[j]) + std::abs(local[j]));
      }
      chain.errorBound =
          std::max(chain.errorBound, stretch * graph_.nodes[node].errorBound + 0x1p-50 * magnitude);
    }
    chain.points.push_back(pair_.a->inWorld(local));
  }

  [[nodiscard]] ChainStretch stretch(const CutSegment& s) const {
    ChainStretch r{{pair_.a->solid->mesh().surfaceOf(s.a), pair_.b->solid->mesh().surfaceOf(s.b)},
                   {s.a, s.b}};
    if (pair_.frame.swapped) {
      std::swap(r.surfaces.a, r.surfaces.b);
      std::swap(r.triangles.a, r.triangles.b);
    }
    return r;
  }

  const BodyPair& pair_;
  const CutGraph& graph_;
  std::vector<std::vector<std::uint32_t>> at_;
  std::vector<char> used_;
  std::vector<Ordered> result_;
};

}  // namespace

std::vector<IntersectionChain> intersectionChains(const PosedSolid& first, const PosedSolid& second,
                                                  const IntersectionReport& report) {
  if (report.mode != QueryMode::allTrianglePairs)
    throw InputError("intersection chains", "report", "needs all triangle pairs");
  const BodyPair pair = BodyPair::of(first, second);
  const CutGraph graph = *CutGraph::of(pair, report);
  return Chainer(pair, graph).chains();
}

}  // namespace fitup
