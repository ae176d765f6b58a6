#pragma once

#include <map>
#include <memory>
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
#include <fitup/scene/refinement.h>
#include <fitup/scene/rules.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// Options for the verdicts of a check.
struct VerdictOptions {
  /// World units. Unset: the `defaultTolerance` of each pair or, with `tolerancesOfFaces`, its
  /// `toleranceOfFaces`, which motions do not use.
  std::optional<double> tolerance{};
  bool tolerancesOfFaces = false;
  bool regions = true;      ///< as in `VerdictRequest`
  bool clearPairs = false;  ///< also list clear pairs whose boxes overlap, with their distance
  bool overlaps = false;    ///< as in `VerdictRequest`
  /// Depths up to which the overlap of some pairs counts as contact, where that is more than the tolerance,
  /// by nodes, the lower one first. Null: there are none. `replay` fills it for pairs that overlap at the
  /// start.
  std::shared_ptr<const std::map<std::pair<NodeId, NodeId>, double>> depthLimits{};
  /// For clashes, and with `overlaps` for contacts that overlap: also measure the common volume
  /// (`overlapVolume`), and look for a translation that frees the two (`wayOut`). Neither changes a verdict.
  bool volumes = false, waysOut = false;
  /// With a `tolerance`: judges the exact shapes (`resolvedVerdict`). If off, verdicts are about the
  /// triangles.
  bool exactShapes = false;
  /// For `exactShapes`: where chord errors leave a verdict open, the parts are made finer, with the exact
  /// shapes of `refinement` for faces without a closed form. If off, or without exact shapes, such pairs are
  /// undecided.
  bool refine = true;
  std::shared_ptr<Refinement> refinement{};
  /// True if chord errors count.
  [[nodiscard]] bool judgesExactShapes() const noexcept { return exactShapes && tolerance.has_value(); }
  /// True if a live check may judge in two steps: at once on the triangles, at the tolerances of whole parts,
  /// and as these options say once nothing moves (`LiveInterference::catchUp`).
  [[nodiscard]] bool catchesUp() const noexcept { return tolerance ? exactShapes : tolerancesOfFaces; }
};

/// Options of a check.
struct InterferenceOptions {
  IntersectionRequest request;
  Rules rules;
  /// Pairs to check, in addition to the rules.
  PairSelection selection{};
  /// Ends the whole check at the first intersecting pair; meant for `firstSurfacePair`. Pairs are checked in
  /// order. With `Coherence::on`, the pair at which the last check with these contexts ended comes first.
  bool stopAtFirstPair = false;
  /// If set, each pair whose boxes come within the tolerance gets a verdict besides its intersections. Needs
  /// the wide tree. Cannot be combined with `stopAtFirstPair` or `maxPairs`.
  std::optional<VerdictOptions> verdict{};
  /// Threads over pairs, 0: one for each core. A complete report does not depend on it. `stopAtFirstPair`
  /// uses one thread.
  unsigned threads = 1;
};

/// Places an instance for a check with these options. Its box is grown so that boxes overlap wherever the
/// report may list parts that do not touch: within the tolerance of verdicts and the clearances of rules.
/// Throws as `placedInstance`; also InputError if the tolerance must come from a deflection that is not
/// known, or if a clearance is negative or NaN.
PlacedInstance placedForCheck(const Assembly& assembly, NodeId node, const Transform& worldFromPart,
                              const InterferenceOptions& options);
/// Places all instances of a scene, by position. Also throws CancelledError.
std::vector<PlacedInstance> placedForCheck(const Scene& scene, const Poses& poses,
                                           const InterferenceOptions& options, const WorkMeter& meter = {});

/// How a check treats a pair of instances.
enum class PairKind {
  apart,       ///< their boxes are farther apart than the tolerance or clearance of the pair
  unselected,  ///< outside the sets of the rules
  excluded,    ///< a rule ignores it
  narrow,      ///< it is queried exactly
};
/// Classifies a pair. The paths are used only if there are rules. Throws as `Rules::find`.
PairKind kindOfPair(const PlacedInstance& a, const PlacedInstance& b, const Rules& rules,
                    std::string_view pathA, std::string_view pathB);

/// Number of pairs of instances that a check covers, before boxes are compared: those of the selection or, if
/// it selects all, of the sets of the rules. Throws InputError for a selection made for a different number of
/// instances.
std::size_t countConsideredPairs(const Scene& scene, const InterferenceOptions& options);

/// Pairs that a check must query exactly, and the numbers of those left out before.
struct CandidatePairs {
  std::vector<PlacedInstance> placed;  ///< all instances, by position
  std::vector<CandidatePair> pairs;    ///< by position, the lower node first; sorted by nodes
  std::size_t consideredPairs = 0, excludedPairs = 0, unselectedPairs = 0;  ///< as in `InterferenceReport`
};
/// Finds the candidate pairs with an R-tree of the instances' world boxes, then applies selection and rules.
/// Throws as `placedForCheck`; InputError for more than `mostCandidatePairs` pairs; CancelledError.
CandidatePairs candidatePairs(const Scene& scene, const Poses& poses, const InterferenceOptions& options,
                              const Progress& progress = {});

/// The tolerance of the verdict of a pair, as `VerdictRequest::tolerance`: the depth of its rule, if that
/// allows an overlap that is deeper than the tolerance given or known; otherwise `given`. Throws as
/// `effectiveTolerance`.
std::optional<double> toleranceByRule(const std::optional<double>& given, const Rule* rule,
                                      const PosedSolid& first, const PosedSolid& second);

/// The same for a pair of instances: from its faces if the options ask for that, also if that is less than
/// its `VerdictOptions::depthLimits`.
std::optional<double> toleranceOfPair(const VerdictOptions& options, NodeId a, NodeId b, const Rule* rule,
                                      const PosedSolid& first, const PosedSolid& second,
                                      const QueryLimits& limits, QueryContext& context);

/// Checks one pair as a check with these options does; the limits apply to this pair alone. `a` has the lower
/// node. Several threads, each with a context of its own, may share the pairs of a check; list the results
/// for which `isListed` is true. Throws as `intersect` and `verdict`, naming the instances.
PairInterference checkPair(const Scene& scene, const PlacedInstance& a, const PlacedInstance& b,
                           const InterferenceOptions& options, QueryContext& context,
                           const Progress& progress = {});
/// True if a check with these options lists the pair.
bool isListed(const PairInterference& pair, const InterferenceOptions& options) noexcept;

/// Scratch memory that checks reuse: a context for each thread and, with `Coherence::on`, one for each pair
/// of instances. Serves one check at a time.
class CheckContexts {
 public:
  /// Prepares the contexts of a check of `pairs`. Query k of the check, on thread `worker`, uses `of(k,
  /// worker)`.
  void prepare(std::span<const std::pair<NodeId, NodeId>> pairs, unsigned threads, bool coherent);
  [[nodiscard]] QueryContext& of(std::size_t k, unsigned worker) {
    return ofQuery_.empty() ? ofWorker_[worker] : *ofQuery_[k];
  }
  /// The pair at which the last check with `stopAtFirstPair` ended.
  [[nodiscard]] const std::optional<std::pair<NodeId, NodeId>>& endedAt() const noexcept { return endedAt_; }
  void endAt(NodeId a, NodeId b) noexcept { endedAt_.emplace(a, b); }

 private:
  std::optional<std::pair<NodeId, NodeId>> endedAt_;
  std::vector<QueryContext> ofWorker_;
  std::map<std::pair<NodeId, NodeId>, QueryContext> ofPair_;
  std::vector<QueryContext*> ofQuery_;
};

/// Checks exactly those `candidates` whose world boxes (see `placedForCheck`) overlap; `options.selection` is
/// ignored. `placed` is indexed by position in the scene. The cost depends on the number of candidates, not
/// on the size of the scene. Pair limits and the time budget apply to the whole call; with a pair limit the
/// check uses one thread. Throws as `checkPair`, and InputError for more than `mostListedPairs` pairs.
InterferenceReport checkPairs(const Scene& scene, std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, const InterferenceOptions& options,
                              CheckContexts& contexts, const Progress& progress = {});

/// Checks every pair of instances: `checkPair` for each of the `candidatePairs`. Throws as these do.
InterferenceReport checkAllPairs(const Scene& scene, const Poses& poses = {},
                                 const InterferenceOptions& options = {}, const Progress& progress = {});

}  // namespace fitup
