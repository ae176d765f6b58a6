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

/// How thoroughly answers are verified, and what is done about a difference.
struct VerifyOptions {
  /// All pairs of triangles up to so many of two parts; beyond, or once `bruteForceInAll` are tried, sort and
  /// sweep.
  std::uint64_t bruteForceUpTo = largestBruteForce;
  std::uint64_t bruteForceInAll = 500'000'000;
  std::size_t mostDifferences = 1;  ///< then it ends
  std::size_t mostChecks = 2000;    ///< while a difference is cut down, see `smallestReproduction`
  /// What is asked again while a difference is cut down. Unset: `intersect`. Meant for tests, which hand in
  /// one that errs.
  std::function<IntersectionReport(const PosedModel&, const PosedModel&, const IntersectionRequest&)> query{};
};

/// A pair of instances of which an answer says something else than the oracle.
struct PairDifference {
  NodeId a{}, b{};
  std::optional<std::size_t> step;  ///< of a replay
  std::string question;             ///< "intersection", "verdict" or "distance"
  Discrepancy discrepancy;          ///< of the instances as they are
  Reproduction reproduction;
};

struct VerificationReport {
  std::vector<PairDifference> differences;
  std::size_t bruteForcePairs = 0, sweptPairs = 0;  ///< pairs of instances, by the way they were answered
  std::size_t apartPairs = 0;                       ///< answered by boxes over their placed points
  std::size_t samples = 0;                          ///< points looked up for verdicts
  /// Truncated: it ended at `mostDifferences`.
  ReportStatus status = ReportStatus::complete;
  double milliseconds = 0;  ///< wall clock
};

/// Asks the oracles about pairs of an assembly, one after the other, and keeps count. Shares nothing with the
/// broad phase: boxes are taken over all placed points. Shares the scene, refers to options and progress. Not
/// thread-safe.
class Verifier {
 public:
  Verifier(const Scene& scene, const VerifyOptions& options, const Progress& progress);
  ~Verifier();
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// `candidates` are all pairs that `answer` is about, before any filter.
  void interference(std::span<const PlacedInstance> placed, std::span<const CandidatePair> candidates,
                    const InterferenceOptions& asked, const InterferenceReport& answer,
                    std::optional<std::size_t> step = {});
  /// True if nothing more has to be asked: cancelled, or enough differences.
  [[nodiscard]] bool ended() const noexcept;
  [[nodiscard]] VerificationReport finish();

 private:
  friend class ClearanceVerifier;
  struct State;
  std::unique_ptr<State> state_;
};

/// Verifies the answer of `checkAllPairs` with the same scene, poses and options: every pair of
/// instances. Throws as `intersect`.
VerificationReport verifyAllPairs(const Scene& scene, const Poses& poses, const InterferenceOptions& asked,
                                  const InterferenceReport& answer, const VerifyOptions& options = {},
                                  const Progress& progress = {});

/// What a `ClearanceReport` answers.
struct ClearanceQuestion {
  /// Both empty: every pair of instances of the assembly.
  std::vector<NodeId> first, second;
  /// Unset: the least distance (`leastDistance`, with the request's `within`); else what is listed within it.
  std::optional<double> listWithin{};
  ClearanceDetail detail = ClearanceDetail::instances;
  DistanceRequest request{};
};

/// Verifies the answer of `leastDistance` or `pairsWithin`.
VerificationReport verifyClearance(const Scene& scene, const Poses& poses, const ClearanceQuestion& asked,
                                   const ClearanceReport& answer, const VerifyOptions& options = {},
                                   const Progress& progress = {});

}  // namespace fitup
