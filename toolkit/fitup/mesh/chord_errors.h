#pragma once

#include <optional>
#include <vector>

#include <fitup/mesh/analytic_surface.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// The chord errors of the triangles of a mesh: by how much the exact part of a face that a triangle stands
/// for may differ from it. At most `TriangleMesh::chordErrorOf` of its surface; on surfaces in closed form,
/// where triangles are smaller than elsewhere on the face, less.
///
/// At an edge between two faces, the exact edge is where both exact surfaces meet. If the triangles' edge is
/// at most d from both surfaces, and their normals enclose an angle w, it counts as d / cos(w / 2) off: so
/// far the corner of a wedge moves if both of its sides move by d. Nearly smooth edges may run elsewhere
/// along the surfaces; that changes the shape by d only.
///
/// Keeps references to mesh and topology. Not thread-safe: it computes what is asked for, once.
class ChordErrors {
 public:
  ChordErrors(const TriangleMesh& mesh, const MeshTopology& topology);

  /// In the unit of the part; 0 if nothing is known of the surface.
  [[nodiscard]] double of(TriangleId triangle);
  /// By how much the corners of a triangle are off the closed forms of the surfaces at them: what no division
  /// can mend. 0 if nothing is known.
  [[nodiscard]] double ofCorners(TriangleId triangle) const noexcept;
  /// The closed form of a surface; null if it has none, or an unknown chord error: then nobody said that the
  /// triangles stand for it.
  [[nodiscard]] const AnalyticSurface* analytic(SurfaceId surface) const noexcept {
    const auto& known = analytic_[index(surface)];
    return known ? &*known : nullptr;
  }
  /// How far an edge is off the exact one, as above. `normals` are those of the two sides, outward.
  [[nodiscard]] static double ofEdge(const AnalyticSurface& one, const AnalyticSurface& other,
                                     const Vec3& from, const Vec3& to, double cosineOfNormals) noexcept;
  /// The cosine of the angle between the outward normals of two surfaces at a point; `sideOne` and
  /// `sideOther` are the normals of triangles there, of any length.
  [[nodiscard]] static double cosineAt(const AnalyticSurface& one, const AnalyticSurface& other,
                                       const Vec3& point, const Vec3& sideOne,
                                       const Vec3& sideOther) noexcept;

 private:
  [[nodiscard]] double measured(TriangleId triangle) const;
  [[nodiscard]] Triangle inPart(TriangleId triangle) const noexcept;

  const TriangleMesh& mesh_;
  const MeshTopology& topology_;
  std::vector<std::optional<AnalyticSurface>> analytic_;
  std::vector<float> known_;  ///< negative: not computed yet
};

}  // namespace fitup
