#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/distance.h>
#include <fitup/scene/broad_phase.h>
#include <fitup/scene/refinement.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Two instances and the points where they are nearest to each other. `nearest` has `a` first; its points are
/// in the world.
struct InstanceDistance {
  NodeId a{}, b{};
  NearestPair nearest;
  /// By how much the distance of the exact shapes of these two may differ, because of the chord errors of the
  /// surfaces that are as near. Unset if these are not known, or if the report is not complete.
  std::optional<double> chordError{};
  double rounding = 0;  ///< by how much the distance may be off by rounding, on top of it (`lengthRounding`)
  /// With `ExactDistances`: why the chord error is larger than was asked for; empty if it is not.
  std::string problem{};
};

/// The result of `minimumDistance` or `pairsWithin`.
struct ClearanceReport {
  /// The nearest pair, or all pairs that are near enough, sorted by (a, b) and surfaces. In an incomplete
  /// report some may be missing, and distances are upper bounds.
  std::vector<InstanceDistance> pairs;
  std::size_t consideredPairs = 0;  ///< pairs of instances that the question covers
  std::size_t measuredPairs = 0;    ///< those among them that the boxes did not decide
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;
  double milliseconds = 0;  ///< wall clock
};

/// Asks for distances of the exact shapes instead of the triangles (`resolvedDistance`).
struct ExactDistances {
  double accuracy = 0;                       ///< chord error that may remain, in world units
  std::shared_ptr<Refinement> refinement{};  ///< as in `VerdictOptions`; may be null
};

/// Returns the least distance between an instance of `first` and one of `second`. Pairs are taken in
/// ascending order of box distance, so boxes decide most of them. The search ends at any pair within
/// `request.within`. `pairs` holds one entry, or none if nothing is near enough or has triangles. The time
/// budget covers the whole call.
///
/// With `exact`, distances are those of the exact shapes; the triangles and faces of `nearest` are those of
/// the meshes that they were measured on, with the same surfaces. `chordError` holds for the least distance.
///
/// Throws as `distance`, and InputError for an instance in both groups.
ClearanceReport minimumDistance(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                                std::span<const NodeId> second, const DistanceRequest& request = {},
                                const Progress& progress = {},
                                const std::optional<ExactDistances>& exact = {});

/// The level of detail that `pairsWithin` lists.
enum class ClearanceDetail {
  instances,  ///< each pair of instances with its least distance
  surfaces,   ///< each pair of surfaces with its least distance
};

/// Lists every pair of instances of the scene at a distance of at most `clearance`. With `exact`, which needs
/// `ClearanceDetail::instances`, it lists those whose exact shapes may be that near. Ignores `request.within`
/// and `request.ignoreBeyond`; `maxPairs` limits the listed pairs. Throws as `distance`.
ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request = {}, const Progress& progress = {},
                            const std::optional<ExactDistances>& exact = {});
/// The same for pairs of an instance of `first` and one of `second`.
ClearanceReport pairsWithin(const Scene& scene, const Poses& poses, std::span<const NodeId> first,
                            std::span<const NodeId> second, double clearance, ClearanceDetail detail,
                            const DistanceRequest& request = {}, const Progress& progress = {},
                            const std::optional<ExactDistances>& exact = {});

}  // namespace fitup
