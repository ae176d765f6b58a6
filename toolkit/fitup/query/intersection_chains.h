#pragma once

#include <vector>

#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>

namespace FITUP_EXPORT fitup {

/// A straight stretch of an intersection and whose it is; `a` is of the first body of the query.
struct ChainStretch {
  SurfacePair surfaces;
  TrianglePair triangles;
};

/// A polyline in which two surfaces meet.
struct IntersectionChain {
  std::vector<Vec3> points;  ///< in the world; the first is not repeated at the end of a closed one
  std::vector<ChainStretch> stretches;  ///< stretch i starts at point i; one for each point of a closed chain
                                        ///< or of a single point, else one less
  bool closed = false;
  double errorBound = 0;  ///< of each coordinate of a point
};

/// The intersection lines of a report chained into polylines and closed loops.
///
/// Stretches are joined at ends that are the same crossing of an edge with a triangle, found by exact
/// predicates and not by coordinates; where triangles touch or are coplanar, at ends that agree within their
/// error bounds. Two closed bodies in general position have closed loops only. A chain ends, besides at the
/// borders of open parts, at points where other than two stretches meet. Of coplanar triangles the outline of
/// what they share is listed; a single common point is a chain of one point. Ordered by the report, and the
/// same for each run.
///
/// `report` is that of the query of the two in the mode `allTrianglePairs`; throws InputError for another
/// mode, and as `intersect`.
std::vector<IntersectionChain> intersectionChains(const PosedSolid& first, const PosedSolid& second,
                                                  const IntersectionReport& report);

}  // namespace fitup
