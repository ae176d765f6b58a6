#pragma once

#include <vector>

#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>

namespace FITUP_EXPORT fitup {

/// A straight piece of an intersection line and the surfaces and triangles that intersect in it. `a` belongs
/// to the first body of the query.
struct ChainStretch {
  SurfacePair surfaces;
  TrianglePair triangles;
};

/// A polyline along which two bodies intersect.
struct IntersectionChain {
  std::vector<Vec3> points;             ///< in the world; a closed chain does not repeat its first point
  std::vector<ChainStretch> stretches;  ///< Stretch i starts at point i. A closed chain and a single point
                                        ///< have as many stretches as points; an open chain has one less.
  bool closed = false;
  double errorBound = 0;  ///< bound on the error of each coordinate of a point
};

/// Joins the intersection lines of a report into polylines and closed loops.
///
/// Stretches are joined at ends that are the same crossing of an edge with a triangle. Exact predicates
/// decide this, not coordinates. Where triangles touch or are coplanar, ends are joined if they agree within
/// their error bounds. Two closed bodies in general position have closed loops only. A chain ends at the
/// border of an open part, and at a point where other than two stretches meet. For coplanar triangles the
/// outline of their common area is listed. A single common point is a chain of one point. The order follows
/// the report and is the same in every run.
///
/// `report` must be the result of querying the two in the mode `allTrianglePairs`. Throws InputError for any
/// other mode, and as `intersect`.
std::vector<IntersectionChain> intersectionChains(const PosedSolid& first, const PosedSolid& second,
                                                  const IntersectionReport& report);

}  // namespace fitup
