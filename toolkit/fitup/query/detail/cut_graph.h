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
  /// Corners in the local frame of A, B placed: the coordinates that decide the answer.
  [[nodiscard]] Triangle triangle(int side, TriangleId id) const noexcept;
};

/// An end of what two triangles have in common, in the local frame of A.
struct CutNode {
  Vec3 p;
  /// Where an edge of one mesh properly crosses a triangle of the other: the mesh (0: A), its edge, the
  /// triangle. Unset where triangles touch.
  struct Piercing {
    int side = 0;
    std::uint32_t edge = 0;
    TriangleId triangle{};
    friend bool operator==(const Piercing&, const Piercing&) = default;
  };
  std::optional<Piercing> piercing;
  double errorBound = 0;
  std::uint32_t same = 0;  ///< the node that stands for this one, itself if none other
};

/// A straight stretch of the intersection; both ends may be one node (a single common point).
struct CutSegment {
  std::uint32_t from = 0, to = 0;
  TriangleId a{}, b{};
  std::uint32_t chain = 0;
};

/// The intersection of two bodies as a graph. Ends that are the same crossing of an edge and a triangle are
/// one node, whatever their coordinates; where triangles touch or are coplanar, ends within the sum of their
/// error bounds are one. Of coplanar triangles the outline of their common area takes part (edges that two of
/// the common polygons share cancel out). Everything in the order of the report.
struct CutGraph {
  std::vector<CutNode> nodes;
  std::vector<CutSegment> segments;
  std::uint32_t chainCount = 0;  ///< connected pieces
  /// All that two triangles have in common, before ends were united and what is there twice was dropped;
  /// without chains.
  std::vector<CutSegment> common;

  /// `report` must list all triangle pairs of the bodies given as `first` and `second`.
  /// Nothing once `stop` says so; it is asked now and then.
  static std::optional<CutGraph> of(const BodyPair& pair, const IntersectionReport& report,
                                    const std::function<bool()>& stop = {});
};

}  // namespace fitup::detail
