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

/// How well the plane, axis, centre and radii of a shape are known. Units of the part, and radians.
struct ShapeAccuracy {
  double length = 0;  ///< of points and radii, where the face is
  double angle = 0;   ///< of normals and axes
};

/// The same for the shape in its placement, in world units.
ShapeAccuracy placed(const ShapeAccuracy& inPart, const Transform& worldFromPart) noexcept;

/// How well a shape that `describeSurface` has returned for the surface is known. A shape that the file
/// describes is exact; its numbers have the rounding of double precision, and its directions that of numbers
/// with nine decimals, which files often have. A shape that was recognised is as good as its corners fit it
/// (`triangleAccuracy`). Throws InputError for a surface that does not exist.
ShapeAccuracy shapeAccuracy(const TriangleMesh& mesh, SurfaceId surface, const SurfaceDescription& shape);

/// How well a plane or cylinder is known from the triangles of the surface alone: to the largest distance of
/// a corner from it, plus the rounding of coordinates to storage, at least that of 32-bit coordinates, in
/// which many files are written. An angle is that length over the width of the face. This is an estimate: how
/// a corner of a file was rounded is not known. Linear in the triangles. Throws as above.
ShapeAccuracy triangleAccuracy(const TriangleMesh& mesh, SurfaceId surface, const SurfaceDescription& shape);

}  // namespace fitup
