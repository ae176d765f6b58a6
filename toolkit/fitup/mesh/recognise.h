#pragma once

#include <optional>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Recognises a plane or a cylinder from the triangles of a surface: for freeform faces that are really
/// bores, and for meshes without descriptions. In the part's frame.
///
/// The candidates are the plane through the centroid, and the least-squares cylinder over all corners
/// (Gauss-Newton from the axis to which the normals are most perpendicular). A candidate is accepted only if
/// every corner lies within `tolerance` of it and the normals agree: for a plane, those of nearly all of its
/// area; for a cylinder, every normal, and the normals must turn by at least half a radian in at least three
/// steps. A plane's axis points out as the triangles do. `tolerance` is in the part's unit; larger accepts
/// coarser and less round faces. Linear in the number of triangles.
/// Thread-safe. Throws InputError for a surface that does not exist.
std::optional<SurfaceDescription> recogniseSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                   double tolerance);

/// The known shape of a surface, in the part's frame: the plane, cylinder, cone, sphere or torus of its
/// description, otherwise the plane or cylinder that `recogniseSurface` finds. `tolerance` is in the part's
/// unit. Unset: the part's chord error or, if unknown, 1e-4 of its size; 0: descriptions only. Throws as
/// `recogniseSurface`.
std::optional<SurfaceDescription> describeSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                  std::optional<double> tolerance = {});

}  // namespace fitup
