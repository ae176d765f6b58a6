#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <fitup/base/export.h>
#include <fitup/geometry/vec3.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The flat surfaces of a mesh as wholes, whatever triangles they are made of: a point whose projection lies
/// on one is no farther from it than from its plane. Refined planar faces consist of fans of needles; bounds
/// by single triangles would need the overlay of the fans of two such faces. In local coordinates of the
/// mesh.
///
/// Immutable, so every const member is thread-safe. Refers to the mesh, which must outlive it.
class FlatPatches {
 public:
  using Corners = std::array<Vec3, 3>;

  /// O(n log n) in the triangles of flat surfaces.
  explicit FlatPatches(const TriangleMesh& mesh);
  ~FlatPatches();
  FlatPatches(FlatPatches&&) noexcept;
  FlatPatches& operator=(FlatPatches&&) noexcept;

  /// An upper bound, at most `useful`, on the distance from the mesh of all points between the corners; empty
  /// if there is none. There is one if the surface of `facing` is flat, its plane near enough, and everything
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
    std::size_t count = 0;     ///< of all, at most one more than that
  };
  /// The border, where it may run between the corners as seen along the normal, of the first flat surface of
  /// which there is any and from whose plane no corner is farther than `useful`.
  [[nodiscard]] Crossings borderBetween(const Corners& corners, double useful, std::size_t most) const;

 private:
  struct Patch;
  [[nodiscard]] std::unique_ptr<Patch> patchOf(const Surface& surface) const;

  const TriangleMesh* mesh_;
  std::vector<std::unique_ptr<Patch>> patches_;  ///< by surface; null: not flat, or of few triangles
};

}  // namespace fitup
