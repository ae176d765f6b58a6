#pragma once

#include <vector>

#include <fitup/geometry/triangle_intersection.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>

namespace FITUP_EXPORT fitup {

/// What two triangles of a report have in common, in the world.
struct IntersectionLine {
  TrianglePair triangles;       ///< as in the report
  TriangleIntersection common;  ///< corners in the world; its error bound includes their way there
};

/// The common parts of all triangle pairs of a report, in its order: computed from the very coordinates that
/// decided the answer. `first` and `second` are those of the query. Throws as `intersect`.
std::vector<IntersectionLine> intersectionLines(const PosedModel& first, const PosedModel& second,
                                                const IntersectionReport& report);

}  // namespace fitup
