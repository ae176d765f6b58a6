#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/hierarchy/tree_queries.h>
#include <fitup/mesh/analytic_surface.h>

namespace fitup::detail {

/// The corners and edges of a part that can touch others. Immutable; all instances of the part share it.
class ContactPart {
 public:
  enum class EdgeKind : std::uint8_t {
    flat,    ///< its two triangles are in one plane, or it is re-entrant: nothing touches it first
    convex,  ///< two triangles with material on one side
    open,    ///< any other number of triangles
  };

  /// O(n). Precondition: the solid has a mesh.
  explicit ContactPart(std::shared_ptr<const SolidModel> solid);

  [[nodiscard]] const SolidModel& solid() const noexcept { return *solid_; }
  [[nodiscard]] const std::shared_ptr<const SolidModel>& sharedSolid() const noexcept { return solid_; }
  [[nodiscard]] bool isClosed() const noexcept { return solid_->watertightness().closed(); }
  [[nodiscard]] EdgeKind kindOf(std::uint32_t edge) const noexcept { return kinds_[edge]; }
  /// The triangles at a welded point.
  [[nodiscard]] std::span<const TriangleId> trianglesAt(std::uint32_t corner) const noexcept {
    return std::span(atCorner_).subspan(firstAt_[corner], firstAt_[corner + 1] - firstAt_[corner]);
  }
  /// True if a face of the part is described as round, so that its triangles are off the exact face.
  [[nodiscard]] bool hasRoundFaces() const noexcept { return hasRoundFaces_; }
  /// False for a welded point in the middle of a flat face: others touch the border of the face as well.
  [[nodiscard]] bool isCorner(std::uint32_t corner) const noexcept { return isCorner_[corner] != 0; }

 private:
  [[nodiscard]] EdgeKind kindOf(const MeshTopology::Edge& edge) const;

  std::shared_ptr<const SolidModel> solid_;
  std::vector<EdgeKind> kinds_;
  std::vector<std::uint32_t> firstAt_;
  std::vector<TriangleId> atCorner_;
  std::vector<char> isCorner_;
  bool hasRoundFaces_ = false;
};

/// A part at a place in the world. Keeps a reference to the part. Not thread-safe: surfaces are placed when
/// they are first asked for.
class PlacedContactPart {
 public:
  enum class Faces : std::uint8_t { exact, triangles };
  /// With `Faces::triangles`, no face counts as having a closed form.
  PlacedContactPart(const ContactPart& part, const Transform& worldFromPart, Faces faces = Faces::exact);

  [[nodiscard]] const ContactPart& part() const noexcept { return *part_; }
  [[nodiscard]] const PlacedTree& tree() const noexcept { return tree_; }
  [[nodiscard]] Triangle triangle(TriangleId id) const noexcept { return tree_.triangle(id); }
  [[nodiscard]] Vec3 corner(std::uint32_t point) const noexcept;
  [[nodiscard]] SurfaceId surfaceOf(TriangleId id) const noexcept { return mesh_->surfaceOf(id); }
  /// Unit normal out of the material; zero for a degenerate triangle.
  [[nodiscard]] Vec3 normal(TriangleId id) const noexcept;

  /// The closed form of a face in the world; null if it has none, or if its triangles do not lie on it.
  struct ExactFace {
    AnalyticSurface surface;
    SurfaceDescription description;
    bool isRound = false;  ///< not a plane, so triangles are off the surface
  };
  [[nodiscard]] const ExactFace* exactFace(SurfaceId surface) const;
  /// How far a point of the triangles of a face is from the exact face, as far as that is known; else 0.
  [[nodiscard]] double deviation(SurfaceId surface, const Vec3& point) const;
  /// Whether a point is inside the part, or outside by no more than `within`. Precondition: it is closed.
  [[nodiscard]] bool holds(const Vec3& point, double within) const;
  /// Bound on the rounding of coordinates in storage and by placing.
  [[nodiscard]] double rounding() const noexcept { return rounding_; }

 private:
  const ContactPart* part_;
  const TriangleMesh* mesh_;
  PlacedTree tree_;
  Transform worldFromPart_;
  double mirrored_ = 1, rounding_ = 0;
  mutable std::unique_ptr<PointQuery> points_;  ///< made when first needed
  enum class Asked : std::uint8_t { no, yes };
  mutable std::vector<Asked> asked_;
  mutable std::vector<std::optional<ExactFace>> faces_;
};

}  // namespace fitup::detail
