#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/distance.h>
#include <fitup/scene/broad_phase.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Two instances and where they are nearest to each other; `nearest` has `a` first, its points are in the
/// world.
struct InstanceDistance {
  NodeId a{}, b{};
  NearestPair nearest;
};

/// The answer to a question for distances between instances.
struct ClearanceReport {
  /// The nearest pair, or all that are near enough, sorted by (a, b) and surfaces. In a report that is not
  /// complete some may be missing, and distances are upper bounds.
  std::vector<InstanceDistance> pairs;
  std::size_t consideredPairs = 0;  ///< pairs of instances that the question is about
  std::size_t measuredPairs = 0;    ///< of these, those whose boxes did not answer it
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;
  double milliseconds = 0;  ///< wall clock
};

/// The least distance between an instance of `first` and one of `second`; nearest boxes first, so that most
/// pairs are answered by theirs. `request.within` ends it with any pair that is near enough. `pairs` holds
/// one entry, or none where nothing is near enough or has triangles. The time budget is for all together.
///
/// Throws as `distance`; InputError for an instance in both groups.
ClearanceReport leastDistance(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                              std::span<const NodeId> second, const DistanceRequest& request = {},
                              const Progress& progress = {});

/// What `pairsWithin` lists.
enum class ClearanceDetail {
  instances,  ///< each pair of instances with its least distance
  surfaces,   ///< each pair of surfaces with its least distance
};

/// Every pair of instances of the scene that are at most `clearance` apart. `request.within` and
/// `request.ignoreBeyond` are not used; `maxPairs` counts what is listed. Throws as `distance`.
ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request = {}, const Progress& progress = {});
/// The same for pairs of an instance of `first` and one of `second`.
ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                            std::span<const NodeId> second, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request = {}, const Progress& progress = {});

}  // namespace fitup
