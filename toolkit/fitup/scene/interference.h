#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/query/intersect.h>
#include <fitup/scene/broad_phase.h>
#include <fitup/scene/interference_report.h>
#include <fitup/scene/pair_selection.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Verdicts of a check.
struct VerdictOptions {
  /// World units; unset: each pair's `defaultTolerance`.
  std::optional<double> tolerance{};
  bool regions = true;      ///< as in `VerdictRequest`
  bool clearPairs = false;  ///< list also pairs that are clear though their boxes meet, with their distance
};

/// How to run a check.
struct InterferenceOptions {
  IntersectionRequest request;
  Rules rules;
  /// Besides rules: which pairs it is about.
  PairSelection selection{};
  /// Ends the whole check at the first intersecting pair; meant for `firstSurfacePair`. In the order of
  /// pairs; with `Coherence::on` the one at which the last check with these contexts ended comes before the
  /// others.
  bool stopAtFirstPair = false;
  /// Set: each pair whose boxes come within the tolerance gets a verdict besides its intersections. Needs the
  /// wide tree. Not with `stopAtFirstPair` or `maxPairs`.
  std::optional<VerdictOptions> verdict{};
  /// Threads over pairs, 0: one for each core. A complete report does not depend on it (`stopAtFirstPair`
  /// runs on one).
  unsigned threads = 1;
};

/// An instance as a check with these options needs it: its box is grown so that boxes meet wherever there is
/// something to say of parts that do not touch, within the tolerance of verdicts and the clearances of rules.
/// Throws as `placedInstance`, and InputError where the tolerance has to come from a deflection that is not
/// known, or a clearance is not a valid length.
PlacedInstance placedForCheck(const Assembly& assembly, NodeId node, const Transform& worldFromPart,
                              const InterferenceOptions& options);
/// All instances of a scene, by position. Throws CancelledError too.
std::vector<PlacedInstance> placedForCheck(const Scene& scene, const Poses& poses,
                                           const InterferenceOptions& options, const WorkMeter& meter = {});

/// What becomes of a pair of instances in a check.
enum class PairKind {
  apart,       ///< their boxes (see `placedForCheck`) are farther apart than there is anything to say
  unselected,  ///< outside the rules' sets
  excluded,    ///< a rule ignores it
  narrow,      ///< it is queried exactly
};
/// Paths are only read where there are rules.
PairKind kindOfPair(const PlacedInstance& a, const PlacedInstance& b, const Rules& rules,
                    std::string_view pathA, std::string_view pathB) noexcept;

/// Pairs of instances that a check is about, before any boxes are looked at. Throws InputError for a
/// selection of another number of instances.
std::size_t countConsideredPairs(const Scene& scene, const InterferenceOptions& options);

/// The pairs of a check that have to be asked exactly, and how many were left out before.
struct CandidatePairs {
  std::vector<PlacedInstance> placed;  ///< all instances, by position
  std::vector<CandidatePair> pairs;    ///< by position, the lower node first; sorted by nodes
  std::size_t consideredPairs = 0, excludedPairs = 0, unselectedPairs = 0;  ///< as in `InterferenceReport`
};
/// Finds them: an R-tree of the instances' world boxes, then selection and rules. Throws as
/// `placedForCheck`; InputError for more than `mostCandidatePairs` pairs, and CancelledError.
CandidatePairs candidatePairs(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                              const Progress& progress = {});

/// What a check with these options finds of one pair; its limits hold for this pair alone. `a` has the lower
/// node. Any number of threads, each with a context of its own, may share the pairs of a check; whoever does
/// lists those that `isListed`. Throws as `intersect` and `verdict`, naming the instances.
PairInterference checkPair(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b,
                           const InterferenceOptions& options, QueryContext& context,
                           const Progress& progress = {});
/// Whether a check with these options lists the pair.
bool isListed(const PairInterference& pair, const InterferenceOptions& options) noexcept;

/// Scratch memory of checks, kept between them: a context for each thread, and with `Coherence::on` one for
/// each pair of instances. One check at a time.
class CheckContexts {
 public:
  /// The contexts of a check: `pairs[k]` with the context that query k uses on thread `worker`.
  void prepare(std::span<const std::pair<NodeId, NodeId>> pairs, unsigned threads, bool coherent);
  [[nodiscard]] QueryContext& of(std::size_t k, unsigned worker) {
    return ofQuery_.empty() ? ofWorker_[worker] : *ofQuery_[k];
  }
  /// Of checks that end at the first pair: the one at which the last ended.
  [[nodiscard]] const std::optional<std::pair<NodeId, NodeId>>& endedAt() const noexcept { return endedAt_; }
  void endAt(NodeId a, NodeId b) noexcept { endedAt_.emplace(a, b); }

 private:
  std::optional<std::pair<NodeId, NodeId>> endedAt_;
  std::vector<QueryContext> ofWorker_;
  std::map<std::pair<NodeId, NodeId>, QueryContext> ofPair_;
  std::vector<QueryContext*> ofQuery_;
};

/// Those of `candidates`, whatever `options.selection` says, whose world boxes (see `placedForCheck`)
/// overlap, checked exactly. `placed` by position in the scene. What it costs depends on the candidates, not
/// on the size of the scene. Pair limits and the time budget hold for all together (a check with a pair limit
/// runs on one thread). Throws as `checkPair`, and InputError for more than `mostListedPairs` pairs.
InterferenceReport checkPairs(const Scene& scene, std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, const InterferenceOptions& options,
                              CheckContexts& contexts, const Progress& progress = {});

/// Every pair of instances: `candidatePairs`, and of each `checkPair`. Throws as these.
InterferenceReport checkAllPairs(const Scene& scene, const Poses& poses = {},
                                 const InterferenceOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
