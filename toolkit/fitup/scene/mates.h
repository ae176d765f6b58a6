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

/// What may count as a mate. Lengths in the assembly's unit.
struct MateTolerances {
  /// How far two planes, or two axes, may be apart. Larger: more and farther-fetched suggestions.
  double reach = 1;
  /// Between normals or axes, in radians; below one.
  double angle = 0.03490658503988659;  // 2 degrees
  /// By how much a hole may be larger (or, press fit, smaller) in radius than the peg.
  double play = 0.5;
  /// How far corners may lie off a plane or cylinder that is recognised from triangles (mesh/recognise.h).
  /// Unset: the part's chord error, else 1e-4 of its size. 0: only described faces count.
  std::optional<double> recognise{};
};

enum class MateKind {
  planes,             ///< faces that look at each other
  cylinders,          ///< a peg and a hole
  planeAndCylinders,  ///< both at once: a peg in its hole, down to its shoulder
};
/// "planes", "cylinders", "planeAndCylinders".
std::string_view name(MateKind kind) noexcept;

/// A mate that two instances seem to be meant for.
struct MateSuggestion {
  MateKind kind = MateKind::planes;
  NodeId moved{}, fixed{};
  /// Faces that take part, ascending: one for planes; all faces of one cylinder (CAD systems split them);
  /// both.
  std::vector<SurfaceId> movedSurfaces, fixedSurfaces;
  /// How far the snap brings the faces: the distance of the planes at the moved face's centroid, or of the
  /// axes in the middle of the moved cylinder; of both the larger one.
  double deviation = 0;
  double angle = 0;        ///< between normals or axes, radians
  double overlapArea = 0;  ///< that the faces share once snapped
  double play = 0;         ///< of cylinders: radius of the hole less that of the peg
  bool movedIsPeg = false;
  /// Smallest rigid motion in the world that makes the faces coincide: the turn by `angle`, about that
  /// centroid or middle, and the shortest shift. `worldFromPart' = snap * worldFromPart` for all that moves
  /// along.
  Transform snap;
  double score = 0;  ///< suggestions come by this, highest first: shared area, less for what is far or askew
};

struct MateReport {
  std::vector<MateSuggestion> suggestions;
  ReportStatus status = ReportStatus::complete;
};

/// Mates between instances of `moved`, which move together, and of `others`: planes that look at each other
/// and coaxial cylinders of a peg and a hole that come within the tolerances and share some area once
/// snapped.
///
/// Faces are known by their descriptions, else recognised from their triangles. Which side is material is
/// given by the triangles' orientation in the part, so it holds for mirrored placements; under a placement
/// that makes a cylinder oval it is none. Throws InputError for tolerances that are negative or no numbers,
/// nodes that are no instances, and an instance on both sides.
MateReport suggestMates(const Scene& scene, const Poses& poses, std::span<const NodeId> moved,
                        std::span<const NodeId> others, const MateTolerances& tolerances = {},
                        const Progress& progress = {});
/// The same for every pair of instances; the later one of the two is the moved one.
MateReport suggestMates(const Scene& scene, const Poses& poses = {}, const MateTolerances& tolerances = {},
                        const Progress& progress = {});

}  // namespace fitup
