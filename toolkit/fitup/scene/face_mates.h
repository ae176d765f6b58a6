#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/mesh/recognise.h>

namespace FITUP_EXPORT fitup {

/// A face of a placed part that can be mated with another one, in world coordinates.
struct MatableFace {
  /// A plane, cylinder, cone, torus or sphere. The axis of a plane points away from the material.
  SurfaceDescription shape;
  /// A point of the plane or axis, or the centre: in the middle of the face, or of its extent along the axis.
  Vec3 middle;
  ShapeAccuracy accuracy;
};

/// The face of a part in its placement, if it has a plane, an axis or a centre: by its description or,
/// without one, recognised from its triangles with `recognise` as `describeSurface` does. Empty for freeform
/// faces, and for round ones that the placement makes oval. Linear in the triangles. Throws InputError for a
/// surface that does not exist.
std::optional<MatableFace> matableFace(const TriangleMesh& mesh, SurfaceId surface,
                                       const Transform& worldFromPart, std::optional<double> recognise = {});

/// What a mate of two chosen faces brings together.
enum class FaceMateKind {
  planes,        ///< two planes
  axes,          ///< two axes: of cylinders, cones and tori
  centres,       ///< two centres of spheres
  centreOnAxis,  ///< a centre and an axis, in either order
};
/// "planes", "axes", "centres", "centreOnAxis".
std::string_view name(FaceMateKind kind) noexcept;

/// A way to mate two faces.
struct FaceMate {
  FaceMateKind kind = FaceMateKind::planes;
  /// Planes: their outward normals are opposite, so the faces face each other; otherwise they are flush.
  /// Axes: the directions of their shapes are opposite.
  bool opposed = false;
  /// The rigid motion in the world: the smallest rotation, about `MatableFace::middle` of the moved face,
  /// then the shortest translation. A part keeps its position along an axis, and within a plane.
  Transform motion;
  double angle = 0;     ///< of the rotation, radians
  double distance = 0;  ///< of the translation
};

/// The ways to mate a face of a part that moves with a face of one that does not: by the smallest rotation
/// first. Two senses for planes and axes, one for centres, none for a plane with anything else.
///
/// Directions that agree to within their accuracy count as parallel: the part is then only shifted. Otherwise
/// normals, planes and axes agree afterwards up to rounding, so mating the result again moves nothing.
std::vector<FaceMate> faceMates(const MatableFace& moved, const MatableFace& fixed);

}  // namespace fitup
