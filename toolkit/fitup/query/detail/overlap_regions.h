#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fitup/base/disjoint_sets.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/query/detail/cut_graph.h>

namespace fitup::detail {

/// The connected regions in which two bodies overlap, as sets of patches of their surfaces.
///
/// A patch is a connected piece of one surface inside the other body. Patches of both bodies that share an
/// intersection chain bound one region. Regions are found by uniting what is connected *inside*: chains,
/// corners of the meshes, and the pieces of mesh edges between them whose middle lies inside the other body
/// (`PointQuery::side`, exact). A chain that meets no edge of a triangle is connected to the rest by lines
/// across the triangle. A coarse triangle may thus belong to several regions: two pegs through one large
/// triangle are two regions. A component of one body that no chain touches and that lies inside the other one
/// is a region too.
///
/// Where triangles touch exactly, rounded coordinates decide what belongs together. Where components of one
/// body overlap each other, regions are not well defined. In both cases one region may be reported as
/// several, or several as one; the depth of the pair is not affected.
class OverlapRegions {
 public:
  /// `queries[0]` tests points against A, `queries[1]` against B, in their local frames. `stop` is called at
  /// intervals; once it returns true, regions are not separated further.
  OverlapRegions(const BodyPair& pair, const CutGraph& graph, const IntersectionReport& report,
                 std::array<PointQuery*, 2> queries, const std::function<bool()>& stop);

  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(roots_.size()); }
  /// Returns the triangles of a side (0 is A) with a part in the region, or that may have one.
  [[nodiscard]] const std::vector<TriangleId>& triangles(std::uint32_t region, int side) const noexcept {
    return triangles_[static_cast<std::size_t>(side)][region];
  }
  /// Returns the region of a point inside the other body, on a triangle of a side, in the local frame of A.
  /// Returns nothing if that cannot be decided.
  [[nodiscard]] std::optional<std::uint32_t> regionOf(int side, TriangleId triangle, const Vec3& inA);
  /// Returns true if the triangle belongs to this region alone.
  [[nodiscard]] bool onlyOf(int side, TriangleId triangle, std::uint32_t region);
  /// Returns true if a piece of `CutGraph::common` may bound the region. It is true for all pieces where
  /// triangles touch, because their chains may not be known.
  [[nodiscard]] bool bounds(const CutSegment& common, std::uint32_t region);
  /// Returns the surfaces (of A and of B) that intersect at the border of the region, sorted.
  [[nodiscard]] std::vector<SurfacePair> surfacePairs(std::uint32_t region);

 private:
  struct Cut {
    double at = 0;  ///< parameter along the edge
    std::uint32_t chain = 0;
    bool operator<(const Cut& o) const noexcept { return at < o.at || (at == o.at && chain < o.chain); }
  };
  using CutsOfEdge = std::unordered_map<std::uint32_t, std::vector<Cut>>;
  using SegmentsOfTriangle = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

  [[nodiscard]] const MeshTopology& topology(int side) const noexcept {
    return pair_.body(side).solid->topology();
  }
  [[nodiscard]] const TriangleMesh& mesh(int side) const noexcept { return pair_.body(side).solid->mesh(); }
  [[nodiscard]] Vec3 point(int side, std::uint32_t index) const noexcept;
  [[nodiscard]] std::uint32_t node(int side, std::uint32_t weldedPoint) const noexcept;
  bool insideOther(int side, const Vec3& inA);
  void findCuts(int side);
  void uniteAlong(int side, const Vec3& from, const Vec3& to, std::uint32_t fromNode, std::uint32_t toNode,
                  std::vector<Cut>& cuts);
  void uniteAlongEdges(int side, const std::function<bool()>& stop);
  void uniteLonelyChains(int side, const std::function<bool()>& stop);
  [[nodiscard]] std::vector<Cut> cutsAcross(int side, TriangleId triangle, const Vec3& from,
                                            const Vec3& to) const;
  void findContained(int side, const IntersectionReport& report);
  void listTriangles(int side);
  /// Returns the regions to which a triangle may belong.
  std::vector<std::uint32_t> regionsAt(int side, TriangleId triangle);

  const BodyPair& pair_;
  const CutGraph& graph_;
  std::array<PointQuery*, 2> queries_;
  DisjointSets sets_;  ///< chains, points of A, points of B
  std::vector<std::uint32_t> chainOfNode_;
  std::array<CutsOfEdge, 2> cuts_;
  std::array<SegmentsOfTriangle, 2> segments_;
  std::vector<std::uint32_t> contained_;  ///< nodes
  std::vector<std::uint32_t> roots_;
  std::unordered_map<std::uint32_t, std::uint32_t> regionOfRoot_;
  std::array<std::vector<std::vector<TriangleId>>, 2> triangles_;
};

}  // namespace fitup::detail
