#pragma once

#include <limits>
#include <optional>
#include <vector>

#include <fitup/hierarchy/wide_distance.h>
#include <fitup/query/intersect.h>

namespace FITUP_EXPORT fitup {

/// Options of a distance query. Immutable during the query. Lengths are in world units.
struct DistanceRequest {
  /// Only `wide` measures distances; other kinds throw NotBuiltError.
  HierarchyKind hierarchy = HierarchyKind::wide;
  /// If unset, the query finds the least distance. If set, it only decides whether the two are at most this
  /// far apart: it ends with any pair that is near enough, or with none.
  std::optional<double> within{};
  /// Limit of the search: the answer is the least distance up to this value, or none. Makes queries of
  /// distant parts cheaper.
  std::optional<double> ignoreBeyond{};
  VectorUse vectorUse = VectorUse::best;
  /// If on, the query starts from the nearest triangles of the last query with the same context. The context
  /// remembers one pair of instances. The distance is the same, but among several equally near triangle pairs
  /// a different one may be reported.
  Coherence coherence = Coherence::off;
  QueryLimits limits{};
};

/// The nearest triangles of two parts, or of two of their surfaces.
struct NearestPair {
  SurfacePair surfaces;
  TrianglePair triangles;
  double distance = 0;  ///< zero if and only if the two triangles intersect
  Vec3 pointA, pointB;  ///< closest points in the world, on the triangle of the first and of the second model

  /// Returns the pair of the query with its arguments exchanged.
  [[nodiscard]] NearestPair swapped() const noexcept {
    return {{surfaces.b, surfaces.a}, {triangles.b, triangles.a}, distance, pointB, pointA};
  }
};

/// Result of a distance query.
struct DistanceReport {
  /// The nearest pair. Empty if one of the two has no triangles, or if nothing is as near as the request asks
  /// for. In a truncated or cancelled report it is the nearest pair seen, whose distance is an upper bound.
  std::optional<NearestPair> nearest;
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;

  /// Returns infinity if there is no nearest pair.
  [[nodiscard]] double distance() const noexcept {
    return nearest ? nearest->distance : std::numeric_limits<double>::infinity();
  }
  /// Returns the report of the query with its arguments exchanged.
  [[nodiscard]] DistanceReport swapped() const;
};

/// Pairs of surfaces within a clearance, sorted by ids.
struct SurfaceDistanceReport {
  std::vector<NearestPair> pairs;
  ReportStatus status = ReportStatus::complete;
  DistanceStats stats;

  /// Returns the report of the query with its arguments exchanged.
  [[nodiscard]] SurfaceDistanceReport swapped() const;
};

/// Returns the least distance of two posed models in the world, and the points at which it is attained.
///
/// The distance is zero if and only if `intersect` finds a pair. It is the distance of the surfaces, even if
/// one part lies inside the other. A positive distance is that of the two nearest triangles of the pair's
/// `PairFrame` in double precision: no two other triangles are nearer by more than the rounding of that
/// distance. Distances are those in the world even for placements that scale or shear. Exchanging the models
/// exchanges the report, bit for bit.
///
/// Thread-safe for distinct contexts. Throws PlacementError and RangeError as `intersect`, InputError for a
/// null model or a length that is negative or NaN, and NotBuiltError for a hierarchy that measures no
/// distances.
DistanceReport distance(const PosedModel& first, const PosedModel& second, const DistanceRequest& request,
                        QueryContext& context);
/// Same as above with a context of its own, for single queries.
DistanceReport distance(const PosedModel& first, const PosedModel& second,
                        const DistanceRequest& request = {});

/// Same as above for one surface of each model. Throws InputError for a surface that does not exist.
DistanceReport distance(const PosedModel& first, const PosedModel& second, SurfacePair surfaces,
                        const DistanceRequest& request, QueryContext& context);

/// Returns every pair of surfaces that are at most `clearance` (in world units) apart, with its least
/// distance. Ignores `within` and `ignoreBeyond` of the request. `maxPairs` limits the number of surface
/// pairs. In a truncated report the distances are upper bounds. Thread-safe and throws as `distance`.
SurfaceDistanceReport surfacePairsWithin(const PosedModel& first, const PosedModel& second, double clearance,
                                         const DistanceRequest& request, QueryContext& context);

/// Reference answer that measures every triangle against every other one, with the same roles and placement
/// as `distance`.
DistanceReport bruteForceDistance(const PosedModel& first, const PosedModel& second,
                                  const DistanceRequest& request = {});
/// Same for `surfacePairsWithin`.
SurfaceDistanceReport bruteForceSurfacePairsWithin(const PosedModel& first, const PosedModel& second,
                                                   double clearance, const DistanceRequest& request = {});

}  // namespace fitup
