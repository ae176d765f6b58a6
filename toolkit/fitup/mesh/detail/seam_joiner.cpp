#include <fitup/mesh/detail/seam_joiner.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include <fitup/base/disjoint_sets.h>

namespace fitup::detail {
namespace {

/// Share of the shortest edge at a point over which it is joined. Two points of one side of a seam are at
/// least an edge apart, so a quarter never joins neighbours. Larger: wider seams are closed, and small
/// features at holes may be lost.
constexpr double shareOfEdge = 0.25;
/// The same as a share of the mesh's diagonal. Wider gaps are no errors of export.
constexpr double shareOfMesh = 1e-3;
/// Pairs of ends, and of ends and edges, that are looked at for each end or edge. Seams need a few dozen; if
/// the open edges of a mesh are more crowded than this, nothing is joined, so that no mesh takes quadratic
/// time.
constexpr std::size_t looksPerEnd = 512, looksAtLeast = 1'000'000;

}  // namespace

/// Buckets of ends by cells of space.
class SeamJoiner::Grid {
 public:
  Grid(std::span<const End> ends, std::span<const std::uint32_t> held, double cell) : cell_(cell) {
    for (const std::uint32_t i : held) buckets_[keyOf(ends[i].position)].push_back(i);
  }
  /// Calls `visit(end)` for all ends in the cell of `p` and in those around it. False once that has been too
  /// much work.
  template <class Visit>
  bool around(const Vec3& p, std::size_t& budget, const Visit& visit) const {
    const std::array<std::int64_t, 3> at = cellOf(p);
    for (std::int64_t x = at[0] - 1; x <= at[0] + 1; ++x)
      for (std::int64_t y = at[1] - 1; y <= at[1] + 1; ++y)
        for (std::int64_t z = at[2] - 1; z <= at[2] + 1; ++z) {
          const auto found = buckets_.find(keyOf(std::array<std::int64_t, 3>{x, y, z}));
          if (found == buckets_.end()) continue;
          if (found->second.size() > budget) return false;
          budget -= found->second.size();
          for (const std::uint32_t end : found->second) visit(end);
        }
    return true;
  }
  [[nodiscard]] double cell() const noexcept { return cell_; }

 private:
  [[nodiscard]] std::array<std::int64_t, 3> cellOf(const Vec3& p) const noexcept {
    const auto of = [&](double x) { return static_cast<std::int64_t>(std::floor(x / cell_)); };
    return {of(p.x), of(p.y), of(p.z)};
  }
  /// Cells of one key are only visited together, so a collision costs time and nothing else.
  static std::uint64_t keyOf(const std::array<std::int64_t, 3>& cell) noexcept {
    std::uint64_t key = 0;
    for (const std::int64_t x : cell)
      key = (key ^ static_cast<std::uint64_t>(x)) * 0x9e3779b97f4a7c15U + (key >> 29U);
    return key;
  }
  [[nodiscard]] std::uint64_t keyOf(const Vec3& p) const noexcept { return keyOf(cellOf(p)); }

  double cell_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> buckets_;
};

SeamJoiner::SeamJoiner(const TriangleMesh& mesh, const MeshTopology& topology, std::span<const char> kept,
                       const WorkMeter& meter) {
  findEnds(mesh, topology, kept, meter);
  if (open_.empty()) return;
  for (const End& end : ends_) widest_ = std::max(widest_, end.reach);
  if (!(widest_ > 0)) return;
  if (!joinEnds(meter) || !findInsertions(topology, meter) ||
      openPieces(topology, meter).size() >= open_.size()) {
    forget();
    return;
  }
  joined_.resize(topology.pointCount());
  std::iota(joined_.begin(), joined_.end(), 0U);
  for (const End& end : ends_) joined_[end.point] = ends_[end.joined].point;
}

void SeamJoiner::forget() {
  insertions_.clear();
  inserted_.clear();
  joinedPoints_ = 0;
  joinedWithin_ = 0;
}

std::uint32_t SeamJoiner::endAt(std::uint32_t welded) const noexcept {
  const auto found = std::lower_bound(ends_.begin(), ends_.end(), welded,
                                      [](const End& end, std::uint32_t point) { return end.point < point; });
  return static_cast<std::uint32_t>(found - ends_.begin());
}

std::span<const std::uint32_t> SeamJoiner::insertedInto(std::uint32_t edge) const noexcept {
  const auto found = std::lower_bound(insertions_.begin(), insertions_.end(), edge,
                                      [](const Insertion& i, std::uint32_t e) { return i.edge < e; });
  if (found == insertions_.end() || found->edge != edge) return {};
  return std::span(inserted_).subspan(found->first, found->count);
}

void SeamJoiner::findEnds(const TriangleMesh& mesh, const MeshTopology& topology, std::span<const char> kept,
                          const WorkMeter& meter) {
  const auto usesOf = [&](const MeshTopology::Edge& edge) {
    if (kept.empty()) return edge.useCount;
    std::uint32_t uses = 0;
    for (const MeshTopology::Use& use : topology.uses(edge)) uses += kept[use.triangle] != 0;
    return uses;
  };
  polledLoop(topology.edges().size(), meter, [&](std::size_t e) {
    if (usesOf(topology.edges()[e]) % 2 == 1) open_.push_back(static_cast<std::uint32_t>(e));
  });
  if (open_.empty()) return;
  std::vector<std::uint32_t> points;
  for (const std::uint32_t e : open_) {
    points.push_back(topology.edges()[e].low);
    points.push_back(topology.edges()[e].high);
  }
  auto less = polled(meter, std::less<std::uint32_t>());
  std::sort(points.begin(), points.end(), std::ref(less));
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const double most = shareOfMesh * 2 * norm(mesh.bounds().halfExtent());
  for (std::uint32_t i = 0; i < points.size(); ++i)
    ends_.push_back({points[i], toVec3(mesh.points()[points[i]]), most, i});
  std::vector<std::uint32_t> ofPoint(topology.pointCount(), ~0U);
  for (std::uint32_t i = 0; i < ends_.size(); ++i) ofPoint[ends_[i].point] = i;
  polledLoop(topology.edges().size(), meter, [&](std::size_t e) {
    const MeshTopology::Edge& edge = topology.edges()[e];
    const std::uint32_t low = ofPoint[edge.low], high = ofPoint[edge.high];
    if ((low == ~0U && high == ~0U) || usesOf(edge) == 0) return;
    const double reach =
        shareOfEdge * norm(toVec3(mesh.points()[edge.low]) - toVec3(mesh.points()[edge.high]));
    for (const std::uint32_t end : {low, high})
      if (end != ~0U) ends_[end].reach = std::min(ends_[end].reach, reach);
  });
}

bool SeamJoiner::joinEnds(const WorkMeter& meter) {
  std::vector<std::uint32_t> all(ends_.size());
  std::iota(all.begin(), all.end(), 0U);
  const Grid grid(ends_, all, widest_);
  DisjointSets sets(ends_.size());
  std::size_t budget = looksAtLeast + looksPerEnd * ends_.size();
  bool done = true;
  polledLoop(ends_.size(), meter, [&](std::size_t i) {
    const End& end = ends_[i];
    done = done && grid.around(end.position, budget, [&](std::uint32_t k) {
      if (k > i && norm(ends_[k].position - end.position) <= std::min(end.reach, ends_[k].reach))
        sets.unite(static_cast<std::uint32_t>(i), k);
    });
  });
  if (!done) return false;
  for (std::uint32_t i = 0; i < ends_.size(); ++i) {
    const std::uint32_t to = sets.find(i);
    const double distance = norm(ends_[to].position - ends_[i].position);
    // A chain of neighbours is not joined over more than each of them allows.
    if (to == i || distance > std::min(ends_[i].reach, ends_[to].reach)) continue;
    ends_[i].joined = to;
    ++joinedPoints_;
    joinedWithin_ = std::max(joinedWithin_, distance);
  }
  return true;
}

bool SeamJoiner::findInsertions(const MeshTopology& topology, const WorkMeter& meter) {
  // Most seams are closed by the joined ends; what is left is small, or not a seam.
  std::vector<std::uint32_t> left, nearby;
  std::vector<double> lengths;
  for (const Piece& piece : openPieces(topology, meter)) {
    left.push_back(piece.edge);
    nearby.push_back(endAt(piece.low));
    nearby.push_back(endAt(piece.high));
    lengths.push_back(norm(ends_[nearby.back()].position - ends_[nearby[nearby.size() - 2]].position));
  }
  if (left.empty()) return true;
  std::sort(left.begin(), left.end());
  left.erase(std::unique(left.begin(), left.end()), left.end());
  std::sort(nearby.begin(), nearby.end());
  nearby.erase(std::unique(nearby.begin(), nearby.end()), nearby.end());
  // A cell as long as most edges, so that an edge has few cells and a cell few ends.
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  const Grid grid(ends_, nearby, std::max(widest_, *middle));
  std::size_t budget = looksAtLeast + looksPerEnd * (left.size() + ends_.size());
  std::vector<std::pair<double, std::uint32_t>> on;  // place along the edge, end
  bool done = true;
  polledLoop(left.size(), meter, [&](std::size_t i) {
    if (!done) return;
    const MeshTopology::Edge& edge = topology.edges()[left[i]];
    const std::uint32_t from = ends_[endAt(edge.low)].joined, to = ends_[endAt(edge.high)].joined;
    const Vec3 start = ends_[from].position, along = ends_[to].position - start;
    const double length = norm(along), ownReach = std::min(ends_[from].reach, ends_[to].reach);
    if (!(length > 0)) return;
    on.clear();
    const auto look = [&](std::uint32_t k) {
      const End& end = ends_[k];
      if (k == from || k == to) return;
      const double place = dot(end.position - start, along) / length, reach = std::min(end.reach, ownReach);
      if (place <= reach || place >= length - reach) return;
      const double distance = norm(end.position - (start + (place / length) * along));
      if (distance > reach) return;
      on.emplace_back(place, k);
    };
    const double steps = std::ceil(length / grid.cell());
    if (!(steps < static_cast<double>(budget))) {
      done = false;
      return;
    }
    for (double s = 0; done && s <= steps; ++s) {
      budget -= std::min<std::size_t>(budget, 1);
      done = grid.around(start + (s / steps) * along, budget, look);
    }
    std::sort(on.begin(), on.end());
    on.erase(std::unique(on.begin(), on.end()), on.end());
    if (on.empty()) return;
    insertions_.push_back(
        {left[i], static_cast<std::uint32_t>(inserted_.size()), static_cast<std::uint32_t>(on.size())});
    for (const auto& [place, k] : on) {
      inserted_.push_back(ends_[k].point);
      joinedWithin_ = std::max(joinedWithin_, norm(ends_[k].position - (start + (place / length) * along)));
    }
  });
  return done;
}

std::vector<SeamJoiner::Piece> SeamJoiner::openPieces(const MeshTopology& topology,
                                                      const WorkMeter& meter) const {
  std::vector<Piece> pieces;
  polledLoop(open_.size(), meter, [&](std::size_t i) {
    const MeshTopology::Edge& edge = topology.edges()[open_[i]];
    std::uint32_t from = ends_[ends_[endAt(edge.low)].joined].point;
    const auto extend = [&](std::uint32_t to) {
      pieces.push_back({std::min(from, to), std::max(from, to), open_[i]});
      from = to;
    };
    for (const std::uint32_t p : insertedInto(open_[i])) extend(p);
    extend(ends_[ends_[endAt(edge.high)].joined].point);
  });
  auto less = polled(meter, [](const Piece& a, const Piece& b) {
    return std::tie(a.low, a.high, a.edge) < std::tie(b.low, b.high, b.edge);
  });
  std::sort(pieces.begin(), pieces.end(), std::ref(less));
  std::vector<Piece> open;
  for (std::size_t first = 0, end = 0; first < pieces.size(); first = end) {
    end = first + 1;
    while (end < pieces.size() && pieces[end].low == pieces[first].low &&
           pieces[end].high == pieces[first].high)
      ++end;
    if ((end - first) % 2 == 1) open.push_back(pieces[first]);
  }
  return open;
}

}  // namespace fitup::detail
