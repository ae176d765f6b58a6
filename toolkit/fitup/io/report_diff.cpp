#include <fitup/io/report_diff.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include <fitup/base/error.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/rule_review.h>

namespace fitup {
namespace {

/// How far two fingerprints are from each other, as `CompareOptions::tolerance` counts it; infinite for
/// different kinds.
double mismatch(const SurfaceFingerprint& a, const SurfaceFingerprint& b) {
  if (a.kind != b.kind) return std::numeric_limits<double>::infinity();
  const double area = std::max(a.area, b.area);
  if (!(area > 0)) return a.centroid == b.centroid ? 0 : std::numeric_limits<double>::infinity();
  return std::max(std::abs(a.area - b.area) / area, norm(a.centroid - b.centroid) / std::sqrt(area));
}

/// `oldFinding` and `newFinding` by their surfaces; swapped: the reports list the instances in different
/// order.
double mismatch(const ReportedFinding& oldFinding, const ReportedFinding& newFinding, bool swapped) {
  const ReportedSurface &a = swapped ? newFinding.b : newFinding.a,
                        &b = swapped ? newFinding.a : newFinding.b;
  return std::max(mismatch(oldFinding.a.fingerprint, a.fingerprint),
                  mismatch(oldFinding.b.fingerprint, b.fingerprint));
}

constexpr std::size_t none = ~std::size_t{0};

/// For each old finding the position of the new one that it is, or `none`.
std::vector<std::size_t> matchFindings(const ReportedPair& oldPair, const ReportedPair& newPair,
                                       double tolerance) {
  const auto &olds = oldPair.findings, &news = newPair.findings;
  const bool swapped = oldPair.a != newPair.a;
  std::vector<std::size_t> result(olds.size(), none);
  std::vector<char> taken(news.size(), 0);
  std::unordered_map<std::string_view, std::size_t> byId;
  for (std::size_t j = 0; j < news.size(); ++j) byId.emplace(news[j].id, j);
  for (std::size_t i = 0; i < olds.size(); ++i)
    if (const auto found = byId.find(olds[i].id); found != byId.end()) {
      result[i] = found->second;
      taken[found->second] = 1;
    }
  std::vector<std::tuple<double, bool, std::size_t, std::size_t>> candidates;
  for (std::size_t i = 0; i < olds.size(); ++i) {
    if (result[i] != none) continue;
    for (std::size_t j = 0; j < news.size(); ++j) {
      if (taken[j]) continue;
      const double m = mismatch(olds[i], news[j], swapped);
      const ReportedSurface &a = swapped ? news[j].b : news[j].a, &b = swapped ? news[j].a : news[j].b;
      const bool renumbered = olds[i].a.ordinal != a.ordinal || olds[i].b.ordinal != b.ordinal;
      if (m <= tolerance) candidates.emplace_back(m, renumbered, i, j);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  for (const auto& [m, renumbered, i, j] : candidates)
    if (result[i] == none && !taken[j]) {
      result[i] = j;
      taken[j] = 1;
    }
  return result;
}

/// Answers whether a report looked at a pair of instances to the end.
class Coverage {
 public:
  explicit Coverage(const ReportDocument& report)
      : report_(report), instances_(report.model.instances.begin(), report.model.instances.end()) {}

  /// Empty if it did: what is not listed is then not there. `pair` is what it lists of the two, or null.
  [[nodiscard]] std::string gap(const std::string& a, const std::string& b, const ReportedPair* pair) const {
    for (const std::string* path : {&a, &b})
      if (!instances_.contains(*path)) return "'" + *path + "' is not in the new model";
    const Rules& rules = report_.request.rules;
    if (!rules.selects(a, b)) return "outside the sets that were checked";
    if (const Rule* rule = rules.find(a, b); rule != nullptr && rule->action == RuleAction::ignore)
      return "left out by rule " + std::to_string(rule - rules.rules.data()) +
             (rule->reason.empty() ? "" : " (" + rule->reason + ")");
    if (report_.kind == ReportKind::replay && !isMoved(a) && !isMoved(b)) return "neither part moves";
    if (pair != nullptr && pair->status != ReportStatus::complete)
      return "its check was " + std::string(name(pair->status));
    if (report_.status != ReportStatus::complete && (pair == nullptr || report_.kind == ReportKind::replay))
      return "the check was " + std::string(name(report_.status));
    if (report_.request.stopAtFirstPair && report_.intersects()) return "only a first pair was asked for";
    if (report_.request.mode == "first" && pair != nullptr && !pair->findings.empty())
      return "only one pair of surfaces was asked for";
    return {};
  }

  /// The same of a finding of whole parts, which no query for surfaces finds.
  [[nodiscard]] std::string gapOfWholeParts(const std::string& a, const std::string& b,
                                            const Assessment& before) const {
    const bool isClash = before.verdict == Verdict::clash;
    const double distance = before.distance.value_or(0);
    const ReportedRequest& request = report_.request;
    const Rule* rule = request.rules.find(a, b);
    if (!isClash && rule != nullptr && rule->action == RuleAction::clearance && rule->distance >= distance)
      return {};
    if (!asksForVerdicts_)
      return before.tooNear ? "no such clearance was asked for" : "verdicts were not asked for";
    if (!isClash && request.tolerance.value_or(distance) < distance)
      return before.tooNear ? "no such clearance was asked for" : "the tolerance was smaller";
    return {};
  }

 private:
  /// Older reports do not say it; that they list one does.
  [[nodiscard]] static bool asksForVerdicts(const ReportDocument& report) {
    return report.request.verdicts ||
           std::any_of(report.runs.begin(), report.runs.end(), [](const ReportedRun& run) {
             return std::any_of(run.pairs.begin(), run.pairs.end(),
                                [](const ReportedPair& pair) { return pair.assessment.verdict.has_value(); });
           });
  }
  [[nodiscard]] bool isMoved(const std::string& path) const {
    return report_.moved.empty() ||  // not known: taken as moved
           std::any_of(report_.moved.begin(), report_.moved.end(), [&](const std::string& moved) {
             return path == moved || path.starts_with(moved + "/");
           });
  }
  const ReportDocument& report_;
  std::unordered_set<std::string> instances_;
  bool asksForVerdicts_ = asksForVerdicts(report_);
};

bool becameClash(const Assessment& before, const Assessment& now) {
  return before.verdict && *before.verdict != Verdict::clash && now.verdict == Verdict::clash;
}

/// A review as a report has it, and what of it people wrote: nothing where a rule said it in their place.
struct OneReview {
  Review whole, byPeople;
};
OneReview reviewIn(const ReportDocument& report, const ReportedPair& pair, const Assessment& assessment,
                   const Review& review) {
  const bool byRule = review == detail::reviewByRule(report.request.rules, pair.rule, assessment.verdict);
  return {review, byRule ? Review{} : review};
}

/// What people wrote goes along, unless they wrote something new; what they approved has to be looked at
/// again where it is a clash now.
Review carried(const OneReview& ofOld, const OneReview& ofNew, bool isClashNow) {
  if (ofNew.byPeople != Review{}) return ofNew.byPeople;
  if (ofOld.byPeople == Review{} && ofNew.whole != Review{}) return ofNew.whole;
  Review result = ofOld.byPeople;
  if (isClashNow || result.status == ReviewStatus::isNew || result.status == ReviewStatus::resolved)
    result.status = ReviewStatus::active;
  return result;
}

void expectComparable(const ReportDocument& a, const ReportDocument& b) {
  for (const ReportDocument* report : {&a, &b})
    if (report->kind == ReportKind::diff)
      throw InputError("diff", "kind", "a report of differences cannot be compared again");
  if (a.kind != b.kind) throw InputError("diff", "kind", "a check and a replay cannot be compared");
  if (a.model.unit != b.model.unit)
    throw InputError("diff", "unit", "'" + a.model.unit + "' and '" + b.model.unit + "'");
}

/// The old findings by pair: those of the report and those that it carried along.
std::vector<ReportedPair> allPairs(const ReportDocument& report) {
  std::vector<ReportedPair> pairs = detail::gatherPairs(report);
  std::unordered_map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < pairs.size(); ++i) at.emplace(pairs[i].id, i);
  for (const ReportedPair& pair : report.carried) {
    const auto [found, isNew] = at.try_emplace(pair.id, pairs.size());
    if (isNew) {
      pairs.push_back(pair);
      continue;
    }
    ReportedPair& known = pairs[found->second];
    const bool swapped = known.a != pair.a;
    for (ReportedFinding finding : pair.findings) {
      if (swapped) std::swap(finding.a, finding.b);
      if (swapped)
        for (auto& t : finding.triangles) std::swap(t.first, t.second);
      known.findings.push_back(std::move(finding));
    }
  }
  return pairs;
}

/// Instances whose entries in `placed` differ, sorted.
std::vector<std::string> placedOtherwise(const ReportedModel& a, const ReportedModel& b) {
  std::map<std::string, std::pair<const ReportedPlacement*, const ReportedPlacement*>> both;
  for (const ReportedPlacement& placement : a.placed) both[placement.path].first = &placement;
  for (const ReportedPlacement& placement : b.placed) both[placement.path].second = &placement;
  std::vector<std::string> paths;
  for (const auto& [path, placements] : both) {
    const auto [old, now] = placements;
    if (old == nullptr || now == nullptr || *old != *now) paths.push_back(path);
  }
  return paths;
}

class Comparison {
 public:
  Comparison(const ReportDocument& oldReport, const ReportDocument& newReport, const CompareOptions& options)
      : old_(oldReport), new_(newReport), options_(options), coverage_(newReport) {}

  ReportComparison run() {
    const std::vector<ReportedPair> olds = allPairs(old_), news = detail::gatherPairs(new_);
    std::unordered_map<std::string, const ReportedPair*> oldById;
    for (const ReportedPair& pair : olds) oldById.emplace(pair.id, &pair);
    result_.diff = new_;
    result_.diff.kind = ReportKind::diff;
    result_.diff.carried.clear();
    result_.diff.placedOtherwise = placedOtherwise(old_.model, new_.model);
    result_.diff.runs = {ReportedRun{}};
    result_.carriedOver = new_;
    pairs_ = &result_.diff.runs.front().pairs;

    std::set<std::string> seen;
    for (const ReportedPair& pair : news) {
      seen.insert(pair.id);
      const auto found = oldById.find(pair.id);
      compare(found == oldById.end() ? nullptr : found->second, &pair);
    }
    for (const ReportedPair& pair : olds)
      if (!seen.contains(pair.id)) compare(&pair, nullptr);
    applyReviews();
    return std::move(result_);
  }

 private:
  void compare(const ReportedPair* oldPair, const ReportedPair* newPair) {
    ReportedPair merged = newPair != nullptr ? *newPair : *oldPair;
    if (oldPair != nullptr && newPair != nullptr) {
      merged.review = carried(reviewIn(old_, *oldPair, oldPair->assessment, oldPair->review),
                              reviewIn(new_, *newPair, newPair->assessment, newPair->review),
                              becameClash(oldPair->assessment, newPair->assessment));
      pairReview_[merged.id] = merged.review;
    }
    const std::vector<std::size_t> match =
        oldPair != nullptr && newPair != nullptr
            ? matchFindings(*oldPair, *newPair, options_.tolerance)
            : std::vector<std::size_t>(oldPair != nullptr ? oldPair->findings.size() : 0, none);
    for (ReportedFinding& finding : newPair != nullptr ? merged.findings : none_)
      finding.change = FindingChange::isNew;
    if (newPair == nullptr) merged.findings.clear();

    ReportedPair kept = merged;  // what was not checked again
    kept.findings.clear();
    std::string gap = oldPair == nullptr ? std::string() : coverage_.gap(oldPair->a, oldPair->b, newPair);
    if (gap.empty() && old_.request.touching == "include" && new_.request.touching == "exclude")
      gap = "touching was excluded this time";
    for (std::size_t i = 0; i < match.size(); ++i) {
      const ReportedFinding& before = oldPair->findings[i];
      if (match[i] != none) {
        ReportedFinding& now = merged.findings[match[i]];
        const bool isClashNow = becameClash(before.assessment, now.assessment);
        now.change = isClashNow ? FindingChange::isNew : FindingChange::unchanged;
        if (isClashNow) now.changeReason = "was " + std::string(name(*before.assessment.verdict));
        now.review = carried(reviewIn(old_, *oldPair, before.assessment, before.review),
                             reviewIn(new_, *newPair, now.assessment, now.review), isClashNow);
        findingReview_[now.id] = now.review;
        continue;
      }
      ReportedFinding finding = before;
      if (merged.a != oldPair->a) {
        std::swap(finding.a, finding.b);
        for (auto& t : finding.triangles) std::swap(t.first, t.second);
      }
      finding.changeReason = gap.empty() && before.a.ordinal == wholePart
                                 ? coverage_.gapOfWholeParts(oldPair->a, oldPair->b, before.assessment)
                                 : gap;
      const bool isGone = finding.changeReason.empty();
      finding.change = isGone ? FindingChange::gone : FindingChange::notRechecked;
      if (isGone) {
        finding.review.status = ReviewStatus::resolved;
      } else {
        // For later reports, whose rules may be others.
        kept.findings.push_back(before);
        kept.findings.back().review = reviewIn(old_, *oldPair, before.assessment, before.review).byPeople;
      }
      merged.findings.push_back(std::move(finding));
    }
    if (!kept.findings.empty()) {
      kept.a = oldPair->a;
      kept.b = oldPair->b;
      kept.review = reviewIn(old_, *oldPair, oldPair->assessment, oldPair->review).byPeople;
      kept.rule.reset();  // of the old report's rules
      keep(std::move(kept));
    }
    for (const ReportedFinding& finding : merged.findings) count(*finding.change);
    if (!merged.findings.empty()) pairs_->push_back(std::move(merged));
  }

  void keep(ReportedPair pair) {
    for (const ReportedPair& there : new_.carried)
      if (there.id == pair.id) return;  // the new report has carried it along already
    result_.carriedOver.carried.push_back(std::move(pair));
  }

  void count(FindingChange change) {
    result_.isNew += change == FindingChange::isNew;
    result_.gone += change == FindingChange::gone;
    result_.unchanged += change == FindingChange::unchanged;
    result_.notRechecked += change == FindingChange::notRechecked;
  }

  void applyReviews() {
    for (ReportedRun& run : result_.carriedOver.runs)
      for (ReportedPair& pair : run.pairs) {
        if (const auto found = pairReview_.find(pair.id); found != pairReview_.end())
          pair.review = found->second;
        // A finding between the whole parts is the pair itself.
        if (const auto found = findingReview_.find(pair.id); found != findingReview_.end())
          pair.review = found->second;
        for (ReportedFinding& finding : pair.findings)
          if (const auto at = findingReview_.find(finding.id); at != findingReview_.end())
            finding.review = at->second;
      }
  }

  const ReportDocument &old_, &new_;
  const CompareOptions& options_;
  Coverage coverage_;
  ReportComparison result_;
  std::vector<ReportedPair>* pairs_ = nullptr;
  std::vector<ReportedFinding> none_;
  std::unordered_map<std::string, Review> pairReview_, findingReview_;
};

}  // namespace

ReportComparison compareReports(const ReportDocument& oldReport, const ReportDocument& newReport,
                                const CompareOptions& options) {
  expectComparable(oldReport, newReport);
  return Comparison(oldReport, newReport, options).run();
}

}  // namespace fitup
