#pragma once

#include <vector>

#include <fitup/mesh/chord_errors.h>
#include <fitup/query/intersect.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// The chord error of a surface (`TriangleMesh::chordErrorOf`) in world units; 0 if it is not known.
double chordErrorInWorld(const PosedModel& posed, SurfaceId surface);

/// The largest of them of any surface of a part.
double largestChordError(const PosedModel& posed);

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

/// The triangles of two parts that are near each other, with their chord errors.
struct NearTriangles {
  std::vector<TriangleId> a, b;   ///< ascending, each once
  double errorA = 0, errorB = 0;  ///< the largest `ChordErrors` of them, in world units
  [[nodiscard]] double error() const noexcept { return errorA + errorB; }
};

/// Finds the triangles whose exact counterparts may be at most `within` (world units) from the other part:
/// those of each pair of triangles that are farther apart by no more than their two chord errors. Pairs
/// without chord errors are left out. `errorsOfFirst` and `errorsOfSecond` are those of the two meshes.
/// `status` becomes that of the query if that is worse; the list is then not complete. `maxPairs` of the
/// limits is ignored. Throws as `PlacedTree::inWorld`.
NearTriangles nearTriangles(const PosedModel& first, const PosedModel& second, double within,
                            const QueryLimits& limits, ChordErrors& errorsOfFirst,
                            ChordErrors& errorsOfSecond, ReportStatus& status);

/// The tolerance at which two parts that were given none cannot be told from touching: twice the larger chord
/// error of the surfaces that are near each other, those within `defaultTolerance`. It is at least 2^-16 of
/// the size of the larger part, as positions in files often have no more digits, and at least
/// `minimumTolerance`; at most `defaultTolerance`. It depends on the poses, so a motion cannot use it: other
/// surfaces come near later. If a limit ends the query, it is `defaultTolerance`. Throws as that.
double toleranceOfFaces(const PosedSolid& first, const PosedSolid& second, const QueryLimits& limits,
                        QueryContext& context);

}  // namespace fitup
