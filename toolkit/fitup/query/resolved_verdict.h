#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <fitup/query/verdict.h>

namespace FITUP_EXPORT fitup {

/// The chord error of a surface (`TriangleMesh::chordErrorOf`) in world units; 0 if it is not known.
double chordErrorInWorld(const PosedModel& posed, SurfaceId surface);

/// The surfaces of two parts that are near each other, with their chord errors.
struct NearSurfaces {
  std::vector<SurfaceId> a, b;  ///< ascending, each once
  double errorA = 0,
         errorB = 0;  ///< the largest chord errors of them, in world units; unknown ones count as 0
  [[nodiscard]] double error() const noexcept { return errorA + errorB; }
};

/// Finds the surfaces whose exact faces may be at most `within` (world units) from the other part: those of
/// each pair of surfaces that are farther apart by no more than their two chord errors. `status` becomes
/// that of the query if that is worse. Throws as `surfacePairsWithin`.
NearSurfaces nearSurfaces(const PosedModel& first, const PosedModel& second, double within,
                          const QueryLimits& limits, QueryContext& context, ReportStatus& status);

/// Makes a finer solid of the first or the second part: `faces` (ascending) get chord errors of at most
/// `chordError`, in the unit of the part, or come near to it. Returns null if the part has no exact shape.
using RefineSolid = std::function<std::shared_ptr<const SolidModel>(
    bool isFirst, std::span<const SurfaceId> faces, double chordError)>;

/// The solids on which a verdict was found.
struct JudgedSolids {
  PosedSolid first, second;
};

/// The verdict on the exact shapes of two parts, whatever the tessellation, at the tolerance of the request,
/// which must be given. `verdict` answers for the triangles. Depths and distances of the exact shapes differ
/// from those by at most the chord errors of the surfaces that are within the tolerance of the other part
/// (`VerdictReport::chordError`); surfaces farther away cannot matter. Where that leaves the answer open,
/// these surfaces are refined: to an eighth of the tolerance at first, then to a 64th or to four times the
/// rounding of coordinates, whichever is larger. What is open even then is undecided.
///
/// Clashes of parts that pierce each other have no such bound. They count if the chord errors are at most a
/// quarter of the depth at which they do.
///
/// The answer depends on the parts and the request only. `refine` may be empty. Errors of `refine` make the
/// pair undecided; CancelledError ends the query. `judged`, if not null, receives the solids of the answer.
/// Throws as `verdict`.
VerdictReport resolvedVerdict(const PosedSolid& first, const PosedSolid& second,
                              const VerdictRequest& request, const RefineSolid& refine, QueryContext& context,
                              JudgedSolids* judged = nullptr);

}  // namespace fitup
