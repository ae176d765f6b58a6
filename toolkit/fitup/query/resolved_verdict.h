#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <fitup/query/verdict.h>

namespace FITUP_EXPORT fitup {

/// Makes a finer solid of the first or the second part: `faces` (ascending) get chord errors of at most
/// `chordError`, in the unit of the part, or come near to it. Returns null if the part has no exact shape.
using RefineSolid = std::function<std::shared_ptr<const SolidModel>(
    bool isFirst, std::span<const SurfaceId> faces, double chordError)>;

/// What may be used to make parts finer than their meshes.
struct FinerShapes {
  /// Divide triangles on surfaces in closed form (`refinedLocally`), and use `exactShapes`. If off, the
  /// meshes remain as they are.
  bool isAllowed = true;
  RefineSolid exactShapes{};  ///< for all other surfaces; may be empty
};

/// The solids on which a verdict was found.
struct JudgedSolids {
  PosedSolid first, second;
};

/// The verdict on the exact shapes of two parts, whatever the tessellation, at the tolerance of the request,
/// which must be given. `verdict` answers for the triangles. Depths and distances of the exact shapes differ
/// from those by at most the chord errors of the triangles that are within the tolerance of the other part
/// (`nearTriangles`, `VerdictReport::chordError`); what is farther away cannot matter. Where that leaves the
/// answer open, these triangles are divided, and faces without a closed form are replaced by finer meshes:
/// to an eighth of the tolerance at first, then to a 64th or to four times the rounding of coordinates,
/// whichever is larger. What is open even then, or would need more than 300,000 triangles, is undecided.
///
/// Clashes of parts that pierce each other have no such bound. They count if the chord errors are at most a
/// quarter of the depth at which they do.
///
/// The answer depends on the parts and the request only. Errors of `finer` make the pair undecided;
/// CancelledError ends the query. `judged`, if not null, receives the solids of the answer. Throws as
/// `verdict`.
VerdictReport resolvedVerdict(const PosedSolid& first, const PosedSolid& second,
                              const VerdictRequest& request, const FinerShapes& finer, QueryContext& context,
                              JudgedSolids* judged = nullptr);

}  // namespace fitup
