#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fitup/query/distance_error.h>
#include <fitup/query/overlap_volume.h>
#include <fitup/query/report.h>
#include <fitup/query/verdict.h>
#include <fitup/query/way_out.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/assessment.h>

namespace FITUP_EXPORT fitup {

/// The result of the check of one pair of instances, a < b; `report` has `a` first.
struct PairInterference {
  NodeId a{}, b{};
  IntersectionReport report;
  /// Position of the rule that matches the pair (not one that ignores it) in `InterferenceOptions::rules`.
  std::optional<std::size_t> rule{};
  /// Set if verdicts were requested. If it was cut short (`isOpen`), it is undecided, and only its tolerance,
  /// status and reason are valid.
  std::optional<VerdictReport> verdict{};
  /// The nearest triangles if the two are nearer than the clearance of their rule.
  std::optional<NearestPair> tooNear{};
  DistanceError tooNearError{};  ///< that of the distance of `tooNear`
  /// Set if they were requested and the two overlap.
  std::optional<OverlapVolume> volume{};
  std::optional<WayOut> wayOut{};
  /// With verdicts: the two are identical and in one place, and no rule matches them. Corresponding points
  /// are then at most `minimumTolerance` apart or, in a pair that clashes, at most the tolerance. Such a pair
  /// is a clash, also if its parts are open or too thin for a depth; `listedPairs` lists all copies as one
  /// finding.
  bool areCopies = false;

  /// True if a verdict was requested but the search was cut short before it was known.
  [[nodiscard]] bool isOpen() const noexcept { return verdict && verdict->isOpen(); }
  [[nodiscard]] bool is(Verdict asked) const noexcept { return verdict && verdict->verdict == asked; }
  [[nodiscard]] Assessment assessment() const noexcept;
  [[nodiscard]] Severity severity() const noexcept;
  /// False if the verdict is not known; `InterferenceReport::isDecided` shows that.
  [[nodiscard]] bool needsAction() const noexcept { return fitup::needsAction(severity()); }
};

/// Maximum number of pairs that a check lists; each takes a few hundred bytes.
inline constexpr std::size_t mostListedPairs = 10'000'000;

/// The result of a check over many pairs.
struct InterferenceReport {
  /// Pairs that intersect, are in contact or clash, are nearer than a rule allows, or were cut short; with
  /// `VerdictOptions::clearPairs` also clear ones. Sorted by (a, b).
  std::vector<PairInterference> pairs;
  std::size_t consideredPairs = 0;  ///< pairs of instances that the check covers
  std::size_t excludedPairs = 0;    ///< pairs whose world boxes overlap, left out by a rule
  std::size_t unselectedPairs = 0;  ///< pairs whose world boxes overlap, outside the rules' `check` sets
  std::size_t narrowPairs = 0;      ///< pairs whose world boxes overlap, queried exactly
  /// With verdicts: parts of the queried pairs that are not closed, ascending. The depth of a clash with such
  /// a part is a lower bound, and verdicts that depend on what is near its holes are undecided.
  std::vector<PartId> openParts;
  ReportStatus status = ReportStatus::complete;
  QueryStats stats;         ///< sum over the queried pairs
  double milliseconds = 0;  ///< wall clock of broad and narrow phase

  /// True if a pair intersects. Pairs that were cut short are listed even without an intersection.
  [[nodiscard]] bool intersects() const noexcept {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.report.intersects(); });
  }
  [[nodiscard]] bool needsAction() const noexcept {
    return std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.needsAction(); });
  }
  /// False if a verdict is undecided. Nothing then follows from a report that needs no action.
  [[nodiscard]] bool isDecided() const noexcept { return count(Verdict::undecided) == 0; }
  [[nodiscard]] std::size_t count(Verdict verdict) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.is(verdict); }));
  }
};

/// The reason why no pair was checked, for people: fewer than two instances, or rules that leave out all
/// pairs. Empty if a pair was checked, including pairs whose boxes are separated.
std::string nothingCheckedText(const InterferenceReport& report);

/// The effect of this number of `openParts` on the verdicts, for people. Empty for 0.
std::string openPartsText(std::size_t parts);

/// Merges the reports of checks of the same instances with the same options on disjoint sets of pairs, as
/// threads or machines share them. Counts and statistics are sums, the status is the worst, the time is that
/// of the longest. The order of `reports` does not matter. Throws InputError for a pair that is in two of
/// them.
InterferenceReport mergeReports(std::vector<InterferenceReport> reports);

}  // namespace fitup
