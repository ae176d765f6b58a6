#pragma once

#include <vector>

#include <fitup/geometry/triangle_intersection.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>

namespace FITUP_EXPORT fitup {

/// The common part of two triangles of a report, in the world.
struct IntersectionLine {
  TrianglePair triangles;       ///< as in the report
  TriangleIntersection common;  ///< corners in the world; the error bound includes their transformation there
};

/// Returns the common parts of all triangle pairs of a report, in its order. They are computed from the same
/// coordinates that decided the answer. `first` and `second` are the models of the query. Throws as
/// `intersect`.
std::vector<IntersectionLine> intersectionLines(const PosedModel& first, const PosedModel& second,
                                                const IntersectionReport& report);

}  // namespace fitup
