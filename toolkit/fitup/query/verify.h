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

/// How an answer is not what it should be.
struct Discrepancy {
  std::string problem;  ///< for people
  /// Triangles that the problem is about, as far as it has some: pairs that are missing from or invented by
  /// the answer, witnesses that are none.
  std::vector<TrianglePair> triangles;
};

/// Up to how many pairs of triangles an oracle tries all of them; beyond it sorts and sweeps
/// (sort_and_sweep.h).
inline constexpr std::uint64_t largestBruteForce = 100'000'000;  // 10,000 x 10,000

struct OracleOptions {
  std::uint64_t bruteForceUpTo = largestBruteForce;
  std::stop_token cancel{};
};

/// True if the oracle tries all pairs of the two.
bool isForBruteForce(const PosedModel& first, const PosedModel& second, const OracleOptions& oracle) noexcept;

/// Compares an answer with that of the oracle: sets, order, witnesses, and which surfaces triangles belong
/// to, as the mode promises. Of a report that is not complete only that what it says is true. `answer` is
/// that of the query of the two with that request, or what somebody claims it to be. Nothing: no difference,
/// or cancelled (then `oracle.cancel` says so). Throws as `intersect`.
std::optional<Discrepancy> verifyIntersection(const PosedModel& first, const PosedModel& second,
                                              const IntersectionRequest& request,
                                              const IntersectionReport& answer,
                                              const OracleOptions& oracle = {});

/// The same for a distance: that nothing is nearer, that it is zero exactly where the oracle finds an
/// intersection, that its witnesses are as far apart as it says. Values may differ by `distanceSlop`.
std::optional<Discrepancy> verifyDistance(const PosedModel& first, const PosedModel& second,
                                          const DistanceRequest& request, const DistanceReport& answer,
                                          const OracleOptions& oracle = {});

/// The same for all pairs of surfaces within a clearance.
std::optional<Discrepancy> verifySurfaceDistances(const PosedModel& first, const PosedModel& second,
                                                  double clearance, const DistanceRequest& request,
                                                  const SurfaceDistanceReport& answer,
                                                  const OracleOptions& oracle = {});

/// By how much two ways to compute one distance may differ: 2^-33 of the size of both in the world.
double distanceSlop(const PosedModel& first, const PosedModel& second);

/// What `verifyVerdict` could look at.
struct VerdictCheck {
  std::optional<Discrepancy> discrepancy;
  /// Points of either surface that were looked up in the other body, and points that were looked up in both.
  std::size_t samples = 0;
};

/// The same for a verdict, by means that share nothing with it but the placement: winding numbers and
/// distances over all triangles.
///
/// Contact and clear: the distance, exactly as `verifyDistance`. A clash: its deepest point lies on the
/// surface it names, inside the other body, as deep as reported. That nothing is deeper, and that what is no
/// clash has no point deeper than the tolerance, is tried at corners, middles of edges and centroids of
/// triangles of both, at most `mostSamples` a side. What is no clash is tried inside, too: halfway through
/// the material behind centroids, and on a lattice in the box that both have in common, no point lies deeper
/// in both than the tolerance and an eighth of it. A bound from below, no proof. Open components have no
/// inside; of surfaces in parts that are not closed only the distance is verified. Scaled and sheared
/// placements are compared in the same way, in the world.
VerdictCheck verifyVerdict(const PosedSolid& first, const PosedSolid& second, const VerdictRequest& request,
                           const VerdictReport& answer, const OracleOptions& oracle = {},
                           std::size_t mostSamples = 2000);

}  // namespace fitup
