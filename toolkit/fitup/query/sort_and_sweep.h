#pragma once

#include <fitup/query/distance.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

// Oracles for parts that are too large for brute force: they sort the triangles' boxes along one axis and
// sweep over them, in the pair's placed coordinates, without any hierarchy. They answer as `bruteForce`,
// `bruteForceDistance` and `bruteForceSurfacePairsWithin` do, and throw the same.

/// Every pair whose boxes overlap meets the exact test.
IntersectionReport sweepIntersect(const PosedModel& first, const PosedModel& second,
                                  const IntersectionRequest& request = {});

/// Every pair whose boxes are nearer than the least distance so far is measured. `ignoreBeyond` makes it
/// fast.
DistanceReport sweepDistance(const PosedModel& first, const PosedModel& second,
                             const DistanceRequest& request = {});

SurfaceDistanceReport sweepSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                              double clearance, const DistanceRequest& request = {});

}  // namespace fitup
