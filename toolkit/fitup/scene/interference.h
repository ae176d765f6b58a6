#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fitup/base/progress.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/query/intersect.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/broad_phase.h>
#include <fitup/scene/rules.h>

namespace FITUP_EXPORT fitup {

/// One model for each part of an assembly, by PartId.
using CollisionModels = std::vector<std::shared_ptr<const CollisionModel>>;

/// Builds the models of all parts on `threads` threads (0: one for each core). Parts that several PartIds
/// share are built once. Stops early when cancelled and then returns an empty list.
CollisionModels buildCollisionModels(const Assembly& assembly, const BuildOptions& options = {},
                                     const Progress& progress = {}, unsigned threads = 0);

/// One body for each part of an assembly, by PartId.
using BodyModels = std::vector<std::shared_ptr<const BodyModel>>;

/// Builds the bodies of all parts, which verdicts need, on `threads` threads (0: one for each core). Parts
/// that share a model are built once. Stops early when cancelled and then returns an empty list.
BodyModels buildBodyModels(const CollisionModels& models, const Progress& progress = {},
                           unsigned threads = 0);

/// What the check of one pair of instances found; `report` has `a` first. a < b.
struct PairInterference {
  NodeId a{}, b{};
  IntersectionReport report;
  /// Position of the rule that matches the pair (allowContact or clearance) in `InterferenceOptions::rules`.
  std::optional<std::size_t> rule{};
  /// If verdicts were asked for; what they mean says `VerdictReport`. World frame and unit.
  std::optional<Verdict> verdict{};
  bool verdictIsOpen = false;  ///< asked for, but the search was cut short before it was known
  std::optional<double> tolerance{};
  std::optional<double> depth{};
  std::optional<double> depthErrorBound{};
  bool depthIsLowerBound = false;
  /// Also without verdicts where a rule asks for a clearance and the parts are nearer; 0 where they
  /// intersect.
  std::optional<double> distance{};
  std::optional<Vec3> point{}, direction{};
  std::vector<PenetrationRegion> regions{};
  /// Nearer than the clearance of the pair's rule.
  bool tooNear = false;

  /// True if somebody has to act: a clash, or without verdicts an intersection; less than a rule's clearance.
  /// False where the verdict is not known: the report's status says so.
  [[nodiscard]] bool needsAction() const noexcept {
    if (tooNear || verdictIsOpen) return tooNear;
    return verdict ? *verdict == Verdict::clash : report.intersects();
  }
  /// Takes over what a verdict tells, with its tolerance. Of one that was cut short nothing but a clash and
  /// the tolerance: whatever else there may be is not known.
  void take(VerdictReport found);
};

/// Most pairs that a check lists; each takes some hundred bytes.
inline constexpr std::size_t mostListedPairs = 10'000'000;

/// The answer of a check over many pairs.
struct InterferenceReport {
  /// Only pairs that intersect, are in contact or clash, are nearer than a rule allows, or were cut short;
  /// sorted by (a, b).
  std::vector<PairInterference> pairs;
  std::size_t consideredPairs = 0;  ///< pairs of instances that were to be checked
  std::size_t excludedPairs = 0;    ///< pairs whose world boxes overlap, left out by a rule
  std::size_t unselectedPairs = 0;  ///< pairs whose world boxes overlap, outside the rules' `check` sets
  std::size_t narrowPairs = 0;      ///< pairs whose world boxes overlap, queried exactly
  /// With verdicts: parts of the queried pairs that are not closed, ascending. What lies inside one of them
  /// counts as clear.
  std::vector<PartId> openParts;
  ReportStatus status = ReportStatus::complete;
  QueryStats stats;         ///< sum over the queried pairs
  double milliseconds = 0;  ///< wall clock of broad and narrow phase

  /// A pair that was cut short is listed even without a hit.
  [[nodiscard]] bool intersects() const noexcept {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.report.intersects(); });
  }
  [[nodiscard]] bool needsAction() const noexcept {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.needsAction(); });
  }
  [[nodiscard]] std::size_t count(Verdict verdict) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.verdict == verdict; }));
  }
};

/// Why there was nothing to check, for people: fewer than two instances, or rules leave out all pairs. Empty
/// where a pair was looked at; pairs whose boxes are apart have been.
std::string nothingCheckedText(const InterferenceReport& report);

/// What so many `openParts` mean for the verdicts, for people; empty for none.
std::string openPartsText(std::size_t parts);

/// Verdicts of a check.
struct VerdictOptions {
  /// World units; unset: each pair's `defaultTolerance`.
  std::optional<double> tolerance{};
  bool regions = true;      ///< as in `VerdictRequest`
  bool clearPairs = false;  ///< list also pairs that are clear though their boxes meet, with their distance
  /// Bodies of the parts, by PartId, to be kept between checks; must outlive the check. Null: it builds them.
  /// Bodies of another number, as what a cancelled `buildBodyModels` returns, or of other meshes are refused
  /// with InputError.
  const BodyModels* bodies = nullptr;
};

/// How to run a check.
struct InterferenceOptions {
  IntersectionRequest request;
  Rules rules;
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

/// An instance as `checkPairs` with these options needs it: its box is grown so that boxes meet wherever
/// there is something to say of parts that do not touch, within the tolerance of verdicts and the clearances
/// of rules. Throws as `placedInstance`, and InputError where the tolerance has to come from a deflection
/// that is not known, or a clearance is no length.
PlacedInstance placedForCheck(const Assembly& assembly, NodeId node, const Transform& worldFromPart,
                              const InterferenceOptions& options);

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

/// Every pair of instances of the assembly in its design placements; an R-tree of their world boxes finds the
/// candidates. `models` by PartId. Pair limits and the time budget hold for the whole check (a check with a
/// pair limit runs on one thread). Throws as `intersect` and `verdict`; InputError if there is not one model
/// for each part, and for more than `mostCandidatePairs` or `mostListedPairs` pairs.
InterferenceReport checkAllPairs(const Assembly& assembly, const CollisionModels& models,
                                 const InterferenceOptions& options, const Progress& progress = {});

/// An assembly and the models of its parts, found to belong together: whoever checks again and again, as
/// while a part is dragged, pays for that once. Refers to both; they must outlive it unchanged but for
/// placements.
class MatchedModels {
 public:
  /// Throws InputError if there is not one model for each part. Linear in the parts.
  MatchedModels(const Assembly& assembly, const CollisionModels& models);
  [[nodiscard]] const Assembly& assembly() const noexcept { return *assembly_; }
  [[nodiscard]] const CollisionModel& of(NodeId instance) const {
    return *(*models_)[index(assembly_->partOf(instance))];
  }
  [[nodiscard]] const CollisionModels& models() const noexcept { return *models_; }
  /// Throws InputError unless there is one body for each part, of its mesh. Linear in the parts.
  void requireBodies(const BodyModels& bodies) const;

 private:
  const Assembly* assembly_;
  const CollisionModels* models_;
};

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

/// The pairs of `candidates` whose world boxes (see `placedForCheck`) overlap, checked exactly. The building
/// block of `checkAllPairs` and `replay`. `paths` holds the instances' paths by position in `placed`; needed
/// (and only read) if there are rules. What it costs depends on the candidates, not on the size of the
/// assembly.
InterferenceReport checkPairs(const MatchedModels& matched, std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, std::span<const std::string> paths,
                              const InterferenceOptions& options, CheckContexts& contexts,
                              const Progress& progress = {});
/// The same for a single time: throws InputError if there is not one model for each part.
InterferenceReport checkPairs(const Assembly& assembly, const CollisionModels& models,
                              std::span<const PlacedInstance> placed,
                              std::span<const CandidatePair> candidates, std::span<const std::string> paths,
                              const InterferenceOptions& options, const Progress& progress = {});

}  // namespace fitup
