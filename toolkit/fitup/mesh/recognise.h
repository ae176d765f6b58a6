#pragma once

#include <optional>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Whether a surface is a plane or a cylinder, found from its triangles alone: for freeform faces that are in
/// truth bores, and for meshes that come without descriptions. In the part's frame.
///
/// The plane through the centroid, or the cylinder of least squares over all corners (Gauss-Newton from the
/// axis to which normals are most perpendicular), is accepted only if every corner lies within `tolerance` of
/// it, the normals of nearly all of a plane's area agree with it, every normal of a cylinder, and these turn
/// by at least half a radian in at least three steps. A plane's axis points out as the triangles do.
/// `tolerance` in the part's unit: larger accepts coarser and less round faces. Linear in the triangles.
/// Thread-safe. Throws InputError for a surface that is not there.
std::optional<SurfaceDescription> recogniseSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                   double tolerance);

/// What a surface is known to be, in the part's frame: the plane, cylinder, cone, sphere or torus of its
/// description, else the plane or cylinder that `recogniseSurface` finds. `tolerance` unset: the part's chord
/// error, else 1e-4 of its size; 0: descriptions only. Throws as `recogniseSurface`.
std::optional<SurfaceDescription> describeSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                  std::optional<double> tolerance = {});

}  // namespace fitup
