#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <fitup/query/distance.h>
#include <fitup/query/report.h>
#include <fitup/query/verdict.h>
#include <fitup/scene/assembly.h>
#include <fitup/scene/assessment.h>

namespace FITUP_EXPORT fitup {

/// What the check of one pair of instances found; `report` has `a` first. a < b.
struct PairInterference {
  NodeId a{}, b{};
  IntersectionReport report;
  /// Position of the rule that matches the pair (allowContact or clearance) in `InterferenceOptions::rules`.
  std::optional<std::size_t> rule{};
  /// If verdicts were asked for. Of one that was cut short (`isOpen`) only tolerance and status mean
  /// something.
  std::optional<VerdictReport> verdict{};
  /// Where the two are nearer than the clearance of their rule: their nearest triangles.
  std::optional<NearestPair> tooNear{};

  /// A verdict was asked for, but the search was cut short before it was known.
  [[nodiscard]] bool isOpen() const noexcept { return verdict && verdict->isOpen(); }
  [[nodiscard]] bool is(Verdict asked) const noexcept {
    return verdict && !verdict->isOpen() && verdict->verdict == asked;
  }
  [[nodiscard]] Assessment assessment() const noexcept;
  [[nodiscard]] Severity severity() const noexcept;
  /// False where the verdict is not known: the report's status says so.
  [[nodiscard]] bool needsAction() const noexcept { return fitup::needsAction(severity()); }
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
        std::count_if(pairs.begin(), pairs.end(), [&](const auto& p) { return p.is(verdict); }));
  }
};

/// Why there was nothing to check, for people: fewer than two instances, or rules leave out all pairs. Empty
/// where a pair was looked at; pairs whose boxes are apart have been.
std::string nothingCheckedText(const InterferenceReport& report);

/// What so many `openParts` mean for the verdicts, for people; empty for none.
std::string openPartsText(std::size_t parts);

/// One report of what several checks of the same instances with the same options say, each of other pairs, as
/// threads or machines have shared them. Counts and statistics are sums, the status is the worst, the time
/// that of the longest. In no order. Throws InputError for a pair that is in two of the reports.
InterferenceReport mergeReports(std::vector<InterferenceReport> reports);

}  // namespace fitup
