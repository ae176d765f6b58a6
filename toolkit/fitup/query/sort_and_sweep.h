#pragma once

#include <fitup/query/distance.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

/// Reference answer for parts that are too large for brute force. It sorts the bounding boxes of the
/// triangles along one axis, sweeps over them, and applies the exact test to every pair whose boxes overlap.
/// It uses the placed coordinates of the pair and no hierarchy. Results and exceptions are those of
/// `bruteForce`.
IntersectionReport sweepIntersect(const PosedModel& first, const PosedModel& second,
                                  const IntersectionRequest& request = {});

/// Reference distance by sort and sweep. It measures every pair whose boxes are nearer than the least
/// distance found so far. Set `ignoreBeyond` to make it fast. Results and exceptions are those of
/// `bruteForceDistance`.
DistanceReport sweepDistance(const PosedModel& first, const PosedModel& second,
                             const DistanceRequest& request = {});

/// Reference distances by sort and sweep. Results and exceptions are those of `bruteForceSurfacePairsWithin`.
SurfaceDistanceReport sweepSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                              double clearance, const DistanceRequest& request = {});

}  // namespace fitup
