#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <fitup/query/reproduction.h>
#include <fitup/query/verify.h>
#include <fitup/scene/clearance.h>
#include <fitup/scene/interference.h>

namespace FITUP_EXPORT fitup {

/// How thoroughly results are verified, and what happens on a difference.
struct VerifyOptions {
  /// Two parts with at most `bruteForceUpTo` pairs of triangles are verified by brute force. Larger ones, and
  /// all others once `bruteForceInAll` pairs are tested, by sort and sweep.
  std::uint64_t bruteForceUpTo = largestBruteForce;
  std::uint64_t bruteForceInAll = 500'000'000;
  std::size_t mostDifferences = 1;  ///< verification ends after this many
  std::size_t mostChecks = 2000;    ///< while a difference is reduced, see `smallestReproduction`
  /// Query that is repeated while a difference is reduced. Unset: `intersect`. Meant for tests, which pass a
  /// faulty one.
  std::function<IntersectionReport(const PosedModel&, const PosedModel&, const IntersectionRequest&)> query{};
};

/// A pair of instances whose result differs from that of the oracle.
struct PairDifference {
  NodeId a{}, b{};
  std::optional<std::size_t> step;  ///< in a replay
  std::string question;             ///< "intersection", "verdict" or "distance"
  Discrepancy discrepancy;          ///< for the instances as they are
  Reproduction reproduction;
};

/// The result of a verification.
struct VerificationReport {
  std::vector<PairDifference> differences;
  std::size_t bruteForcePairs = 0, sweptPairs = 0;  ///< pairs of instances, by method
  std::size_t separatedPairs = 0;                   ///< decided by boxes over their placed points
  std::size_t samples = 0;                          ///< points tested for verdicts
  /// Truncated: ended at `mostDifferences`.
  ReportStatus status = ReportStatus::complete;
  double milliseconds = 0;  ///< wall clock
};

/// Verifies results for pairs of an assembly against the oracles, one call after the other, and collects
/// statistics. It is independent of the broad phase: its boxes cover all placed points. Shares the scene;
/// refers to options and progress. Not thread-safe.
class Verifier {
 public:
  Verifier(const Scene& scene, const VerifyOptions& options, const Progress& progress);
  ~Verifier();
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// Verifies `answer`. `candidates` are all pairs that it covers, before any filter.
  void interference(std::span<const PlacedInstance> placed, std::span<const CandidatePair> candidates,
                    const InterferenceOptions& asked, const InterferenceReport& answer,
                    std::optional<std::size_t> step = {});
  /// True if no further call is needed: cancelled, or `mostDifferences` reached.
  [[nodiscard]] bool ended() const noexcept;
  [[nodiscard]] VerificationReport finish();

 private:
  friend class ClearanceVerifier;
  struct State;
  std::unique_ptr<State> state_;
};

/// Verifies the result of `checkAllPairs` with the same scene, poses and options for every pair of instances.
/// Throws as `intersect`.
VerificationReport verifyAllPairs(const Scene& scene, const Poses& poses, const InterferenceOptions& asked,
                                  const InterferenceReport& answer, const VerifyOptions& options = {},
                                  const Progress& progress = {});

/// The question that a `ClearanceReport` answers.
struct ClearanceQuestion {
  /// Both empty: every pair of instances of the assembly.
  std::vector<NodeId> first, second;
  /// Unset: the least distance (`minimumDistance`, with the request's `within`). Otherwise the pairs within
  /// this distance are listed.
  std::optional<double> listWithin{};
  ClearanceDetail detail = ClearanceDetail::instances;
  DistanceRequest request{};
};

/// Verifies the result of `minimumDistance` or `pairsWithin`.
VerificationReport verifyClearance(const Scene& scene, const Poses& poses, const ClearanceQuestion& asked,
                                   const ClearanceReport& answer, const VerifyOptions& options = {},
                                   const Progress& progress = {});

}  // namespace fitup
