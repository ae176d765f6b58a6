#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <fitup/query/pair_frame.h>
#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>

namespace fitup::detail {

/// The bodies of a pair in their roles, and the placement of B in A.
struct BodyPair {
  const PosedSolid* a;
  const PosedSolid* b;
  PairFrame frame;

  static BodyPair of(const PosedSolid& first, const PosedSolid& second);
  [[nodiscard]] const PosedSolid& body(int side) const noexcept { return side == 0 ? *a : *b; }
  /// Corners in the local frame of A, with B placed: the coordinates that decide the answer.
  [[nodiscard]] Triangle triangle(int side, TriangleId id) const noexcept;
};

/// An end of the common part of two triangles, in the local frame of A.
struct CutNode {
  Vec3 p;
  /// A proper crossing of an edge of one mesh with a triangle of the other: the mesh (0 is A), its edge, and
  /// the triangle. Unset where triangles touch.
  struct Piercing {
    int side = 0;
    std::uint32_t edge = 0;
    TriangleId triangle{};
    friend bool operator==(const Piercing&, const Piercing&) = default;
  };
  std::optional<Piercing> piercing;
  double errorBound = 0;
  std::uint32_t same = 0;  ///< the node that represents this one; itself if there is no other
};

/// A straight piece of the intersection. Both ends may be one node (a single common point).
struct CutSegment {
  std::uint32_t from = 0, to = 0;
  TriangleId a{}, b{};
  std::uint32_t chain = 0;
};

/// The intersection of two bodies as a graph. Ends that are the same crossing of an edge and a triangle are
/// one node, whatever their coordinates. Where triangles touch or are coplanar, ends within the sum of their
/// error bounds are one node. Coplanar triangles contribute the outline of their common area; an edge that
/// two of these polygons share cancels out. The order follows the report.
struct CutGraph {
  std::vector<CutNode> nodes;
  std::vector<CutSegment> segments;
  std::uint32_t chainCount = 0;  ///< number of connected pieces
  /// All common parts of two triangles, before ends were merged and duplicates were dropped. The chain
  /// numbers are not set.
  std::vector<CutSegment> common;

  /// `report` must list all triangle pairs of the bodies given as `first` and `second`. Returns nothing once
  /// `stop` returns true; `stop` is called at intervals.
  static std::optional<CutGraph> of(const BodyPair& pair, const IntersectionReport& report,
                                    const std::function<bool()>& stop = {});
};

}  // namespace fitup::detail
