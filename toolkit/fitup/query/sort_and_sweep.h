#pragma once

#include <fitup/query/distance.h>
#include <fitup/query/posed_model.h>
#include <fitup/query/report.h>
#include <fitup/query/request.h>

namespace FITUP_EXPORT fitup {

// Reference answers for parts that are too large for brute force. They sort the bounding boxes of the
// triangles along one axis and sweep over them, in the placed coordinates of the pair, without a hierarchy.
// Results and exceptions are those of `bruteForce`, `bruteForceDistance` and `bruteForceSurfacePairsWithin`.

/// Applies the exact test to every pair whose boxes overlap.
IntersectionReport sweepIntersect(const PosedModel& first, const PosedModel& second,
                                  const IntersectionRequest& request = {});

/// Measures every pair whose boxes are nearer than the least distance found so far. Set `ignoreBeyond` to
/// make it fast.
DistanceReport sweepDistance(const PosedModel& first, const PosedModel& second,
                             const DistanceRequest& request = {});

SurfaceDistanceReport sweepSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                              double clearance, const DistanceRequest& request = {});

}  // namespace fitup
