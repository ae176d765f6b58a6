#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/triangle_mesh.h>

namespace fitup::viewer {

/// A circle along an edge, or an arc of one; in the part's frame and unit.
struct EdgeCircle {
  Vec3 centre, axis;  ///< `axis` is a unit vector
  double radius = 0;
  /// How well centre and radius are known from the points of the edge, besides the chord error of the part:
  /// to their largest distance from the circle and their rounding; for a short arc, to what these do to its
  /// centre. An estimate, as `triangleAccuracy`.
  double error = 0;
  friend bool operator==(const EdgeCircle&, const EdgeCircle&) = default;
};

/// An edge of a part between two corners, or a closed one.
struct SnapEdge {
  std::vector<std::uint32_t> points;  ///< of the mesh, at least two; equal first and last ones: closed
  SurfaceId face{};                   ///< a face at the edge
  std::optional<EdgeCircle> circle;
  [[nodiscard]] bool isClosed() const noexcept { return points.front() == points.back(); }
};

/// An end of edges.
struct SnapCorner {
  std::uint32_t point = 0;
  SurfaceId face{};  ///< a face at the corner
};

/// What a cursor can snap to on a part.
struct SnapShapes {
  std::vector<SnapEdge> edges;
  std::vector<SnapCorner> corners;
};

/// Returns the edges that are drawn (`drawnEdges`), joined to curves, and their ends, except for those inside
/// a rim of two arcs. Creases of meshes are
/// joined where two of them meet at less than 30 degrees. Circles are those whose centre is known to a
/// thousandth of the radius: of edges around the axis of a cylinder or cone that the file describes, or of
/// edges with at least five points. O(n log n).
SnapShapes snapShapes(const TriangleMesh& mesh);

/// Returns the circle through the points, in the part's frame, as `snapShapes` recognises it. `rounding` is
/// that of the points. `faces` are the descriptions of the faces at the edge that are known.
std::optional<EdgeCircle> circleThrough(std::span<const Vec3> points, double rounding,
                                        std::span<const SurfaceDescription> faces = {});

/// Returns the edge as a part of its own, whose triangles are segments: with the points of the mesh, and with
/// the chord error of its face.
std::shared_ptr<const CollisionModel> modelOfEdge(const TriangleMesh& mesh, const SnapEdge& edge);

}  // namespace fitup::viewer
