#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/report.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Limits for mates. Lengths in the assembly's unit.
struct MateTolerances {
  /// Largest distance between two planes or two axes. Larger: more suggestions, and less likely ones.
  double reach = 1;
  /// Largest angle between normals or axes, in radians; at most 1.
  double angle = 0.03490658503988659;  // 2 degrees
  /// Largest difference in radius between hole and peg, in both directions: a press fit has the smaller hole.
  double play = 0.5;
  /// Largest distance of corners from a plane or cylinder that is recognised from triangles
  /// (mesh/recognise.h). Unset: the part's chord error or, if unknown, 1e-4 of its size. 0: only described
  /// faces count.
  std::optional<double> recognise{};
  /// Axes may be apart by this many radii of the thinner cylinder, if that is more than `reach`.
  double radii = 0;
  /// A hole may be wider than its peg by this share of its radius, if that is more than `play`.
  double looseness = 0;
  /// A peg may be beyond the end of its hole by this share of the moved part's length along the axis. 0: they
  /// must share some area.
  double along = 0;
};
/// How far from moved parts, whose boxes have this diagonal, others may be and still be suggested.
double searchDistance(const MateTolerances& tolerances, double diagonal) noexcept;

/// The faces that a mate joins.
enum class MateKind {
  planes,             ///< faces that face each other
  cylinders,          ///< a peg and a hole
  planeAndCylinders,  ///< both: a peg in its hole, down to its shoulder
};
/// "planes", "cylinders", "planeAndCylinders".
std::string_view name(MateKind kind) noexcept;

/// A likely mate of two instances.
struct MateSuggestion {
  MateKind kind = MateKind::planes;
  NodeId moved{}, fixed{};
  /// Faces that take part, ascending: one for planes, all faces of a cylinder (CAD systems split them), or
  /// both.
  std::vector<SurfaceId> movedSurfaces, fixedSurfaces;
  /// Distance by which the snap moves the faces: between the planes at the centroid of the moved face, or
  /// between the axes in the middle of the moved cylinder; the larger of the two if both apply.
  double deviation = 0;
  double angle = 0;        ///< between normals or axes, radians
  double overlapArea = 0;  ///< area that the faces share after the snap; 0 for a peg beyond its hole
  double play = 0;         ///< cylinders: radius of the hole minus that of the peg
  /// How well the faces are known (`ShapeAccuracy`): by how much `deviation` and `play` may be off, and by
  /// how much `angle`.
  double lengthError = 0, angleError = 0;
  bool movedIsPeg = false;
  /// Smallest rigid motion in the world that makes the faces coincide: the rotation by `angle` about that
  /// centroid or middle, unless `angleError` is as large, then the shortest translation. `worldFromPart' =
  /// snap * worldFromPart` for everything that moves along.
  Transform snap;
  double score = 0;  ///< shared area, reduced by distance and angle; suggestions are in descending order
};

/// The result of `suggestMates`.
struct MateReport {
  std::vector<MateSuggestion> suggestions;
  ReportStatus status = ReportStatus::complete;
};

/// Suggests mates between instances of `moved`, which move together, and of `others`: planes that face each
/// other, and coaxial cylinders of a peg and a hole, that are within the tolerances and share some area after
/// the snap (see `MateTolerances::along`).
///
/// Faces are known by their descriptions or, without one, recognised from their triangles. The orientation of
/// the triangles in the part says which side is material, so mirrored placements work. A cylinder that its
/// placement makes oval is skipped. Throws InputError for tolerances that are negative or not finite, for
/// nodes that are not instances, and for an instance on both sides.
MateReport suggestMates(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                        std::span<const NodeId> others, const MateTolerances& tolerances = {},
                        const Progress& progress = {});
/// The same for every pair of instances; the later instance of a pair is the moved one.
MateReport suggestMates(const Scene& scene, const Poses& poses = {}, const MateTolerances& tolerances = {},
                        const Progress& progress = {});

}  // namespace fitup
