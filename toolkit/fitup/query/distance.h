#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <fitup/hierarchy/wide_distance.h>
#include <fitup/query/intersect.h>

namespace FITUP_EXPORT fitup {

/// What to ask of a distance. Immutable during the query. Lengths are in the world's unit.
struct DistanceRequest {
  /// Only `wide` measures distances; others are a NotBuiltError.
  HierarchyKind hierarchy = HierarchyKind::wide;
  /// Unset: the least distance. Set: whether the two are at most so far apart; ends as soon as that is known,
  /// with any pair that is near enough or with none.
  std::optional<double> within{};
  /// Nothing farther apart is looked for: the answer is the least distance up to here, or none. Makes queries
  /// of distant parts cheaper.
  std::optional<double> ignoreBeyond{};
  VectorUse vectorUse = VectorUse::best;
  /// On: the query starts from the nearest triangles of the last one with the same context, which is kept for
  /// one pair of instances. The distance is the same; which of several equally near triangles are named may
  /// not be.
  Coherence coherence = Coherence::off;
  QueryLimits limits{};
};

/// The nearest triangles of two parts, or of two surfaces of theirs.
struct NearestPair {
  SurfacePair surfaces;
  TrianglePair triangles;
  double distance = 0;  ///< zero exactly if the two triangles intersect
  Vec3 pointA, pointB;  ///< in the world, on the triangle of the first and of the second model

  [[nodiscard]] NearestPair swapped() const noexcept {
    return {{surfaces.b, surfaces.a}, {triangles.b, triangles.a}, distance, pointB, pointA};
  }
};

struct DistanceReport {
  /// Nothing if one of the two has no triangles, or if nothing is as near as the request asks for. In a
  /// truncated or cancelled report the nearest pair that was seen: its distance is an upper bound.
  std::optional<NearestPair> nearest;
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;

  /// Infinity where there is no nearest pair.
  [[nodiscard]] double distance() const noexcept {
    return nearest ? nearest->distance : std::numeric_limits<double>::infinity();
  }
  /// The report of the query with its arguments exchanged.
  [[nodiscard]] DistanceReport swapped() const;
};

/// Pairs of surfaces that are near each other, sorted by ids.
struct SurfaceDistanceReport {
  std::vector<NearestPair> pairs;
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;

  [[nodiscard]] SurfaceDistanceReport swapped() const;
};

/// Least distance of two posed models in the world, with the points where it is taken.
///
/// Zero exactly when `intersect` finds a pair (surfaces are meant: a part that lies inside another one is as
/// far away as their surfaces are). Else it is the distance of the two nearest triangles of the pair's
/// `PairFrame` in double precision: no other two triangles are nearer by more than the rounding of that.
/// Placements that are no multiple of a rigid or mirrored one are measured in the world as well. Exchanging
/// the models exchanges the report, bit by bit.
///
/// Thread-safe for distinct contexts. Throws PlacementError and RangeError as `intersect`, InputError for a
/// length that is negative or not a number, NotBuiltError for a hierarchy without distances.
DistanceReport distance(const PosedModel& first, const PosedModel& second, const DistanceRequest& request,
                        QueryContext& context);
DistanceReport distance(const PosedModel& first, const PosedModel& second,
                        const DistanceRequest& request = {});

/// The same for one surface of each model. Throws InputError for a surface that is not there.
DistanceReport distance(const PosedModel& first, const PosedModel& second, SurfacePair surfaces,
                        const DistanceRequest& request, QueryContext& context);

/// Every pair of surfaces that are at most `clearance` apart, with its least distance. `within` and
/// `ignoreBeyond` of the request are not used; `maxPairs` counts pairs of surfaces. In a truncated report the
/// distances are upper bounds.
SurfaceDistanceReport surfacePairsWithin(const PosedModel& first, const PosedModel& second, double clearance,
                                         const DistanceRequest& request, QueryContext& context);

/// Oracles: every triangle against every other one, with the same roles and placement.
DistanceReport bruteForceDistance(const PosedModel& first, const PosedModel& second,
                                  const DistanceRequest& request = {});
SurfaceDistanceReport bruteForceSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                                   double clearance, const DistanceRequest& request = {});

}  // namespace fitup
