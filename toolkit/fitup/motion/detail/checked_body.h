#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::detail {

using Corners = std::array<Vec3, 3>;

/// Two points of two things, and how far they are apart: an upper bound of the distance.
struct PointPair {
  double distance = std::numeric_limits<double>::infinity();
  Vec3 a, b;
};

/// The point of a triangle that is nearest to `p`.
Vec3 nearestOnTriangle(const Vec3& p, const Corners& t);
/// The nearest points of two triangles; of triangles that cross, a common one. Up to rounding; callers take
/// the distance as an upper bound, and the direction as one to try.
PointPair nearestOfTriangles(const Corners& a, const Corners& b);

/// The triangles of an instance, in a rigid frame of it, in a tree of boxes along the axes of this frame.
/// Part of the checker of certificates, which shares no traversal and no distance with the programs that it
/// checks.
class CheckedBody {
 public:
  struct Node {
    Vec3 centre, half;
    std::uint32_t left = 0;       ///< of the children; 0: a leaf
    std::uint32_t rightOrId = 0;  ///< the right child, or the triangle of a leaf
    std::uint32_t count = 1;      ///< of triangles in it
    [[nodiscard]] bool isLeaf() const noexcept { return left == 0; }
  };
  /// A re-entrant edge, with the outward normals of its two sides.
  struct ReentrantEdge {
    Vec3 from, to, normal, otherNormal;
  };

  CheckedBody(const TriangleMesh& mesh, const Transform& frameFromPart);

  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }  ///< the first is the root
  [[nodiscard]] const std::vector<Corners>& triangles() const noexcept { return triangles_; }

  /// The triangles in a node.
  [[nodiscard]] std::vector<std::uint32_t> trianglesIn(std::uint32_t node) const;

  struct Nearest {
    double distance = std::numeric_limits<double>::infinity();
    std::uint32_t triangle = 0;
    Vec3 point;
  };
  /// The point of the surface that is nearest to `p`; none is reported beyond `within`.
  [[nodiscard]] Nearest nearest(const Vec3& p, double within = std::numeric_limits<double>::infinity()) const;
  /// True if a point off the surface is inside: the parity of crossings of rays, of which two that come near
  /// no edge must agree. Unset if none do. Only for solids.
  [[nodiscard]] std::optional<bool> contains(const Vec3& p) const;

  /// Whether the triangles bound a volume whose boundary they are: every edge is used equally often in both
  /// directions, and triangles meet in common edges and corners only. A shell in another one then bounds a
  /// cavity, and the parity of crossings tells inside from outside.
  [[nodiscard]] bool isSolid() const;
  /// Every edge has as many triangles on one side as on the other, wherever they meet.
  [[nodiscard]] bool isClosed() const noexcept { return isClosed_; }
  /// A corner of each connected component.
  [[nodiscard]] const std::vector<Vec3>& cornersOfShells() const noexcept { return shellCorners_; }
  /// Of solids, by triangle: unit, out of the material. Zero for degenerate triangles.
  [[nodiscard]] const std::vector<Vec3>& outwardNormals() const;
  [[nodiscard]] const std::vector<ReentrantEdge>& reentrantEdges() const;
  /// Of solids: the normals of large faces, at most six, the largest first.
  [[nodiscard]] const std::vector<Vec3>& mainNormals() const;
  /// False if certainly no wall of the solid is thinner than `width`, in the sense of the middle of walls
  /// (`ContactLimit::keepsOffMiddles`, with width 2 t).
  [[nodiscard]] bool mayHaveWallThinnerThan(double width) const;

 private:
  struct EdgeUse {
    std::uint32_t low, high, triangle;
    bool isForward;
    friend auto operator<=>(const EdgeUse&, const EdgeUse&) = default;
  };
  std::uint32_t build(std::span<std::uint32_t> ids);
  void weld(const TriangleMesh& mesh);
  void findShells();
  [[nodiscard]] bool crossesItself() const;
  [[nodiscard]] bool meets(std::uint32_t a, std::uint32_t b) const;
  /// +1 if the edge of these two triangles is convex or flat, -1 if it is re-entrant.
  [[nodiscard]] int senseOfEdge(std::uint32_t a, std::uint32_t b) const;
  /// Calls `visit(a, b)` for every two triangles whose boxes are within `width`, until it returns false.
  template <typename Visit>
  bool forNeighbours(double width, const Visit& visit) const;
  /// Calls `visit(a, b)` for every edge of two triangles of the solid.
  template <typename Visit>
  void forEdges(const Visit& visit) const;

  std::vector<Corners> triangles_;
  std::vector<Node> nodes_;
  std::vector<std::array<std::uint32_t, 3>> corners_;  ///< welded, by triangle
  std::vector<EdgeUse> edges_;                         ///< sorted
  std::vector<std::uint32_t> shellOf_;                 ///< by triangle
  std::vector<Vec3> shellCorners_;
  std::size_t pointCount_ = 0;
  bool isClosed_ = false;
  mutable std::optional<bool> isSolid_;
  mutable std::vector<Vec3> normals_, mainNormals_;
  mutable std::optional<std::vector<ReentrantEdge>> reentrantEdges_;
  mutable std::optional<std::pair<double, bool>> thinWalls_;  ///< the answer for the width asked for last
};

}  // namespace fitup::detail
