#include <fitup/mesh/boundary_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fitup/base/disjoint_sets.h>
#include <fitup/mesh/detail/seam_joiner.h>

namespace fitup {
namespace {

/// The corners of a triangle as welded points, ascending, and the parity of the order that the file gives.
struct Corners {
  std::array<std::uint32_t, 3> sorted;
  bool even;
};

Corners cornersOf(const TriangleMesh& mesh, const MeshTopology& topology, std::uint32_t triangle) {
  Corners c{mesh.triangles()[triangle], true};
  for (std::uint32_t& p : c.sorted) p = topology.welded(p);
  const auto order = [&](std::size_t i, std::size_t k) {
    if (c.sorted[i] <= c.sorted[k]) return;
    std::swap(c.sorted[i], c.sorted[k]);
    c.even = !c.even;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return c;
}

/// Which triangles are left after those with equal corners have cancelled.
class Duplicates {
 public:
  Duplicates(const TriangleMesh& mesh, const MeshTopology& topology, BoundaryRepairs& repairs,
             const WorkMeter& meter)
      : mesh_(mesh), topology_(topology), repairs_(repairs), meter_(meter) {}

  /// One flag for each triangle; empty if all are kept.
  std::vector<char> kept() {
    findGroups();
    if (groups_.empty()) return {};
    std::vector<char> kept(mesh_.triangleCount(), 1);
    for (std::size_t first = 0, end = 0; first < groups_.size(); first = end) {
      end = first + 1;
      while (end < groups_.size() && groups_[end].corners == groups_[first].corners) ++end;
      cancel(std::span(groups_).subspan(first, end - first), kept);
    }
    keepSkins(kept);
    closeHoles(kept);
    repairs_.cancelledTriangles -= 2 * repairs_.doubleSidedTriangles;
    return kept;
  }

 private:
  struct Member {
    std::array<std::uint32_t, 3> corners;
    std::uint32_t triangle;
    bool even;
  };

  /// Triangles with equal corners share all of their edges, so only triangles at one edge are compared.
  void findGroups() {
    std::vector<char> listed;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> byApex;  // third corner, triangle
    const auto list = [&](std::uint32_t triangle) {
      if (listed.empty()) listed.resize(mesh_.triangleCount());
      if (std::exchange(listed[triangle], 1) != 0) return;
      const Corners c = cornersOf(mesh_, topology_, triangle);
      groups_.push_back({c.sorted, triangle, c.even});
    };
    polledLoop(topology_.edges().size(), meter_, [&](std::size_t i) {
      const MeshTopology::Edge& edge = topology_.edges()[i];
      if (edge.useCount < 2) return;
      byApex.clear();
      for (const MeshTopology::Use& use : topology_.uses(edge)) {
        const Corners c = cornersOf(mesh_, topology_, use.triangle);
        // Sums of three indices may wrap round, their difference does not.
        byApex.emplace_back(c.sorted[0] + c.sorted[1] + c.sorted[2] - edge.low - edge.high, use.triangle);
      }
      if (byApex.size() == 2) {
        if (byApex[0].first != byApex[1].first) return;
      } else {
        std::sort(byApex.begin(), byApex.end());
      }
      for (std::size_t k = 1; k < byApex.size(); ++k)
        if (byApex[k].first == byApex[k - 1].first && byApex[k].second != byApex[k - 1].second) {
          list(byApex[k - 1].second);
          list(byApex[k].second);
        }
    });
    auto less = polled(meter_, [](const Member& a, const Member& b) {
      return a.corners != b.corners ? a.corners < b.corners : a.triangle < b.triangle;
    });
    std::sort(groups_.begin(), groups_.end(), std::ref(less));
  }

  void cancel(std::span<const Member> group, std::vector<char>& kept) {
    std::int64_t balance = 0;
    for (const Member& m : group) balance += m.even ? 1 : -1;
    bool isKept = balance == 0;
    for (const Member& m : group) {
      kept[m.triangle] = static_cast<char>(!isKept && m.even == (balance > 0));
      if (kept[m.triangle] != 0) isKept = true;
    }
    if (balance == 0) {
      skins_.push_back(group[0].triangle);
      repairs_.cancelledTriangles += static_cast<std::uint32_t>(group.size());
      return;
    }
    const auto extra = static_cast<std::uint32_t>(std::abs(balance)) - 1;
    repairs_.duplicateTriangles += extra;
    repairs_.cancelledTriangles += static_cast<std::uint32_t>(group.size()) - extra - 1;
  }

  /// Keeps one skin of each component in which everything cancelled, if the skin is closed by itself.
  void keepSkins(std::vector<char>& kept) {
    if (skins_.empty()) return;
    std::vector<char> isWhole(topology_.componentCount(), 1);
    polledLoop(kept.size(), meter_, [&](std::size_t t) {
      if (kept[t] != 0) isWhole[topology_.componentOf(TriangleId{static_cast<std::uint32_t>(t)})] = 0;
    });
    std::vector<char> inSkin(kept.size());
    for (const std::uint32_t t : skins_) inSkin[t] = isWhole[topology_.componentOf(TriangleId{t})];
    polledLoop(topology_.edges().size(), meter_, [&](std::size_t i) {
      unsigned uses = 0;
      const MeshTopology::Edge& edge = topology_.edges()[i];
      for (const MeshTopology::Use& use : topology_.uses(edge)) uses += inSkin[use.triangle] != 0;
      if (uses % 2 == 1) isWhole[topology_.componentOf(TriangleId{topology_.uses(edge)[0].triangle})] = 0;
    });
    for (const std::uint32_t t : skins_)
      if (isWhole[topology_.componentOf(TriangleId{t})] != 0) {
        kept[t] = 1;
        ++repairs_.doubleSidedTriangles;
      }
  }

  /// Keeps one triangle of each group of a patch that cancelled, if it closes the hole that it left: a face
  /// that the file has a second time, in the opposite sense. Walls between two solids leave no hole.
  void closeHoles(std::vector<char>& kept) {
    std::erase_if(skins_, [&](std::uint32_t t) { return kept[t] != 0; });
    if (skins_.empty()) return;
    const auto isOdd = [&](const MeshTopology::Edge& edge) {
      return std::ranges::count_if(topology_.uses(edge),
                                   [&](const MeshTopology::Use& use) { return kept[use.triangle] != 0; }) %
                 2 ==
             1;
    };
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> atEdge;  // positions in skins_
    for (std::uint32_t i = 0; i < skins_.size(); ++i)
      for (const std::uint32_t edge : topology_.edgesOf(TriangleId{skins_[i]}))
        if (edge != MeshTopology::noEdge) atEdge[edge].push_back(i);
    DisjointSets patches(skins_.size());
    for (const auto& [edge, at] : atEdge)
      for (const std::uint32_t i : at) patches.unite(at.front(), i);
    std::vector<char> closes(skins_.size(), 1), isOpen(skins_.size());
    for (const auto& [edge, at] : atEdge) {
      const bool odd = isOdd(topology_.edges()[edge]);
      const std::uint32_t patch = patches.find(at.front());
      if (odd) isOpen[patch] = 1;
      if (odd != (at.size() % 2 == 1)) closes[patch] = 0;
    }
    for (std::uint32_t i = 0; i < skins_.size(); ++i)
      if (const std::uint32_t patch = patches.find(i); closes[patch] != 0 && isOpen[patch] != 0) {
        kept[skins_[i]] = 1;
        ++repairs_.doubleSidedTriangles;
      }
  }

  const TriangleMesh& mesh_;
  const MeshTopology& topology_;
  BoundaryRepairs& repairs_;
  const WorkMeter& meter_;
  std::vector<Member> groups_;
  std::vector<std::uint32_t> skins_;  ///< the first triangle of each group that cancels
};

/// Appends the triangle with points inserted into its sides, as triangles with the same sense. `sides[k]` are
/// the points between corner k and the next one, in this order.
void addDivided(const TriangleIndices& corners, std::array<std::span<const std::uint32_t>, 3> sides,
                std::vector<TriangleIndices>& out) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (sides[k].empty()) continue;
    // A fan from the opposite corner; its first and its last triangle have the other two sides.
    const std::uint32_t apex = corners[(k + 2) % 3];
    const std::span<const std::uint32_t> before = sides[(k + 2) % 3], after = sides[(k + 1) % 3];
    std::uint32_t from = corners[k];
    for (std::size_t i = 0; i <= sides[k].size(); ++i) {
      const bool isFirst = i == 0, isLast = i == sides[k].size();
      const std::uint32_t to = isLast ? corners[(k + 1) % 3] : sides[k][i];
      const std::span<const std::uint32_t> none;
      addDivided({from, to, apex}, {none, isLast ? after : none, isFirst ? before : none}, out);
      from = to;
    }
    return;
  }
  out.push_back(corners);
}

}  // namespace

BoundaryMesh boundaryMesh(std::shared_ptr<const TriangleMesh> mesh, const MeshTopology& topology,
                          const WorkMeter& meter) {
  BoundaryMesh result;
  const std::vector<char> kept = Duplicates(*mesh, topology, result.repairs, meter).kept();
  const detail::SeamJoiner seams(*mesh, topology, kept, meter);
  result.repairs.joinedPoints = seams.joinedPoints();
  result.repairs.insertedPoints = seams.insertedPoints();
  result.repairs.joinedWithin = seams.joinedWithin();
  if (!result.repairs.any()) {
    result.mesh = std::move(mesh);
    return result;
  }

  TriangleMesh::Data data;
  data.name = mesh->name();
  data.origin = mesh->origin();
  data.deflection = mesh->deflection();
  data.validation = mesh->validation();
  data.points = mesh->data().points;
  data.surfaces.assign(mesh->surfaces().begin(), mesh->surfaces().end());
  std::vector<TriangleIndices> triangles;
  std::vector<std::uint32_t> sources;
  for (Surface& surface : data.surfaces) {
    const std::uint32_t first = surface.firstTriangle, count = surface.triangleCount;
    surface.firstTriangle = static_cast<std::uint32_t>(triangles.size());
    polledLoop(count, meter, [&](std::size_t i) {
      const TriangleId id{first + static_cast<std::uint32_t>(i)};
      if (!kept.empty() && kept[index(id)] == 0) return;
      TriangleIndices corners = mesh->triangles()[index(id)];
      for (std::uint32_t& p : corners) p = seams.joined(topology.welded(p));
      std::array<std::vector<std::uint32_t>, 3> inserted;
      for (std::size_t k = 0; k < 3; ++k)
        if (const std::uint32_t edge = topology.edgesOf(id)[k]; edge != MeshTopology::noEdge) {
          const auto points = seams.insertedInto(edge);
          inserted[k].assign(points.begin(), points.end());
          if (topology.welded(mesh->triangles()[index(id)][k]) != topology.edges()[edge].low)
            std::reverse(inserted[k].begin(), inserted[k].end());
        }
      addDivided(corners, {inserted[0], inserted[1], inserted[2]}, triangles);
      sources.resize(triangles.size(), mesh->sourceTriangle(id));
    });
    surface.triangleCount = static_cast<std::uint32_t>(triangles.size()) - surface.firstTriangle;
  }
  data.triangles = SharedArray(std::move(triangles));
  data.sourceTriangles = SharedArray(std::move(sources));
  result.mesh = std::make_shared<const TriangleMesh>(std::move(data));
  return result;
}

}  // namespace fitup
