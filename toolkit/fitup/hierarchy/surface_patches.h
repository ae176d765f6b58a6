#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <fitup/base/export.h>
#include <fitup/geometry/vec3.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The flat surfaces of a mesh, and those round an axis such as bores and shafts, as wholes, whatever
/// triangles they are made of: a point whose projection lies on one is no farther from it than from its plane
/// or, at most, from the shell between two cylinders that contains it. Refined faces consist of needles;
/// bounds by single triangles would need the overlay of the tessellations of two such faces. In local
/// coordinates of the mesh.
///
/// Immutable, so every const member is thread-safe. Refers to the mesh, which must outlive it.
class SurfacePatches {
 public:
  /// Of a convex body, such as a triangle or what it sweeps; at least three, at most 12.
  using Corners = std::span<const Vec3>;

  /// O(n log n) in the triangles of these surfaces. Axes are those of descriptions, or recognised
  /// (`describeSurface`).
  explicit SurfacePatches(const TriangleMesh& mesh);
  ~SurfacePatches();
  SurfacePatches(SurfacePatches&&) noexcept;
  SurfacePatches& operator=(SurfacePatches&&) noexcept;

  /// An upper bound, at most `useful`, on the distance from the mesh of all points between the corners; empty
  /// if there is none. There is one if the surface of `facing` is a patch, near enough, and everything
  /// between the corners lies over it or beside it by much less than `useful`. `middle` is a point between
  /// the corners, and `facing` the triangle nearest to it.
  [[nodiscard]] std::optional<double> heightOver(TriangleId facing, const Corners& corners,
                                                 const Vec3& middle, double useful) const;

  struct Plane {
    Vec3 point, normal;
  };
  /// The plane of the surface of a triangle, if that is flat.
  [[nodiscard]] std::optional<Plane> planeOf(TriangleId triangle) const;
  struct Crossings {
    std::vector<Plane> sides;  ///< upright on the surface, along sides of its border; at most `most`
    std::size_t count = 0;     ///< of different ones, at most one more than that
  };
  /// The border, where it may run between the corners as seen along the normals, of the first patch of which
  /// there is any and from which no corner is farther than `useful`.
  [[nodiscard]] Crossings borderBetween(const Corners& corners, double useful, std::size_t most) const;

 private:
  struct Patch;
  [[nodiscard]] std::unique_ptr<Patch> patchOf(SurfaceId surface) const;

  const TriangleMesh* mesh_;
  std::vector<std::unique_ptr<Patch>> patches_;  ///< by surface; null: of another shape, or of few triangles
};

}  // namespace fitup
