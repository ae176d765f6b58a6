#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <fitup/query/distance.h>
#include <fitup/query/intersect.h>
#include <fitup/query/verdict.h>

namespace FITUP_EXPORT fitup {

/// A difference between a result and the reference.
struct Discrepancy {
  std::string problem;  ///< description for people
  /// Triangles that show the problem, if any: pairs that the result misses or invents, or wrong witnesses.
  std::vector<TrianglePair> triangles;
};

/// Number of triangle pairs up to which a reference answer tests all pairs. Larger problems use sort and
/// sweep (sort_and_sweep.h).
inline constexpr std::uint64_t largestBruteForce = 100'000'000;  // 10,000 x 10,000

/// Options of the reference answers.
struct OracleOptions {
  std::uint64_t bruteForceUpTo = largestBruteForce;
  std::stop_token cancel{};
};

/// Returns true if the reference answer tests all pairs of the two.
bool isForBruteForce(const PosedModel& first, const PosedModel& second, const OracleOptions& oracle) noexcept;

/// Compares a result with the reference: the sets, the order, the witnesses, and the surfaces of triangles,
/// as the mode promises. For an incomplete report it checks only that what is reported is true. `answer` is
/// the result of this query, or a claimed one. Returns nothing if there is no difference or if
/// `oracle.cancel` was requested. Throws as `intersect`.
std::optional<Discrepancy> verifyIntersection(const PosedModel& first, const PosedModel& second,
                                              const IntersectionRequest& request,
                                              const IntersectionReport& answer,
                                              const OracleOptions& oracle = {});

/// Same for a distance. Checks that nothing is nearer, that the distance is zero if and only if the reference
/// finds an intersection, and that the witnesses have the reported distance. Values may differ by
/// `distanceSlop`.
std::optional<Discrepancy> verifyDistance(const PosedModel& first, const PosedModel& second,
                                          const DistanceRequest& request, const DistanceReport& answer,
                                          const OracleOptions& oracle = {});

/// Same for all pairs of surfaces within a clearance.
std::optional<Discrepancy> verifySurfaceDistances(const PosedModel& first, const PosedModel& second,
                                                  double clearance, const DistanceRequest& request,
                                                  const SurfaceDistanceReport& answer,
                                                  const OracleOptions& oracle = {});

/// Largest difference between two ways to compute one distance: 2^-33 of the size of both parts in the world.
double distanceSlop(const PosedModel& first, const PosedModel& second);

/// Result of `verifyVerdict`.
struct VerdictCheck {
  std::optional<Discrepancy> discrepancy;
  /// Number of points of either surface that were located in the other body, plus points that were located in
  /// both.
  std::size_t samples = 0;
};

/// Same for a verdict, by means that share only the placement with it: winding numbers and distances over all
/// triangles.
///
/// For contact and clear pairs, the distance is checked as by `verifyDistance`. For a clash, the deepest
/// point must lie on the reported surface, inside the other body, and as deep as reported. Corners, middles
/// of edges and centroids of triangles of both, at most `mostSamples` for each side, test that no point is
/// deeper, and that a pair that is not a clash has no point deeper than the tolerance. For a pair that is not
/// a clash, points inside are tested too, halfway through the material behind centroids and on a lattice in
/// the common part of the boxes: none may lie deeper in both than 9/8 of the tolerance. This is a lower bound
/// and not a proof. Points inside open parts are those with a winding number of at least 3/4. For surfaces of
/// parts that are not closed only the distance is verified. Scaled and sheared placements are compared in the
/// same way, in the world.
VerdictCheck verifyVerdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                           const VerdictReport& answer, const OracleOptions& oracle = {},
                           std::size_t mostSamples = 2000);

}  // namespace fitup
