#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <fitup/mesh/triangle_mesh.h>

namespace FITUP_EXPORT fitup {

/// Recognises a plane, a cylinder, a cone or a sphere from the triangles of a surface: for freeform faces
/// that are really bores, and for meshes without descriptions. In the part's frame.
///
/// The candidates are the plane through the centroid, and least-squares fits of the others over all corners
/// (for cylinders and cones Gauss-Newton from the axis to which the normals are most alike). A candidate is
/// accepted only if every corner lies within `tolerance` of it and the normals agree: for a plane, those of
/// nearly all of its area; for the others, every normal. The triangles of a cylinder or cone must turn by at
/// least half a radian in at least three steps, the normals of a sphere spread by as much in both directions.
/// The first in the order above is taken, so a strip of triangles between two circles is a cylinder or a
/// cone. A plane's axis points out as the triangles do. `tolerance` is in the part's unit; larger accepts
/// coarser and less round faces. Linear in the number of triangles. Thread-safe. Throws InputError for a
/// surface that does not exist.
std::optional<SurfaceDescription> recogniseSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                   double tolerance);

/// The known shape of a surface, in the part's frame: the plane, cylinder, cone, sphere or torus of its
/// description, otherwise what `recogniseSurface` finds. `tolerance` is in the part's
/// unit. Unset: the part's chord error or, if unknown, 1e-4 of its size; 0: descriptions only. Throws as
/// `recogniseSurface`.
std::optional<SurfaceDescription> describeSurface(const TriangleMesh& mesh, SurfaceId surface,
                                                  std::optional<double> tolerance = {});

/// A mesh whose surfaces have been recognised.
struct RecognisedMesh {
  std::shared_ptr<const TriangleMesh> mesh;
  std::size_t recognised = 0;  ///< number of surfaces
};

/// Returns the same mesh as a tessellation of the shapes that `recogniseSurface` finds, which replace its
/// descriptions: with chord errors, so that exact shapes can be judged (`resolvedVerdict`). Surfaces that are
/// not recognised count as exact as they are, with chord errors of 0. So do surfaces at an open border, and
/// those whose chord errors would exceed a sixteenth of the part's size, because nothing says where their
/// exact edges are. `tolerance` is in the part's unit. Throws InputError unless it is above zero.
RecognisedMesh withRecognisedSurfaces(const TriangleMesh& mesh, double tolerance);

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

/// How well a shape in closed form (`AnalyticSurface`) is known from the triangles of the surface alone: to
/// the largest distance of a corner from it, plus the rounding of coordinates to storage, at least that of
/// 32-bit coordinates, in which many files are written. An angle is that length over the width of the face.
/// This is an estimate: how a corner of a file was rounded is not known. Linear in the triangles. Throws as
/// above, and InputError for other shapes.
ShapeAccuracy triangleAccuracy(const TriangleMesh& mesh, SurfaceId surface, const SurfaceDescription& shape);

}  // namespace fitup
