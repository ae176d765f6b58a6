#include <fitup/io/report_diff.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include <fitup/base/error.h>
#include <fitup/io/detail/former_pairs.h>
#include <fitup/io/detail/gathered_findings.h>
#include <fitup/io/detail/match_findings.h>
#include <fitup/io/detail/report_coverage.h>
#include <fitup/io/detail/reported_copies.h>
#include <fitup/io/detail/rule_review.h>

namespace fitup {
namespace {

/// True for a clash or a violated clearance of a finding that is known to have been better.
bool becameWorse(const Assessment& before, const Assessment& now) {
  const bool isKnown = before.verdict || (before.tooNear && before.distance.value_or(0) > 0);
  return isKnown && (now.verdict == Verdict::clash || now.tooNear) && now.severity() > before.severity();
}
std::string asItWas(const Assessment& before) {
  const bool isNear = before.tooNear && before.verdict != Verdict::clash;
  return "was " + std::string(isNear || !before.verdict ? "too near" : name(*before.verdict));
}

/// A review in a report, and the part of it that people wrote: empty if it comes from a rule.
struct OneReview {
  Review whole, byPeople;
};
OneReview reviewIn(const ReportDocument& report, const ReportedPair& pair, const Assessment& assessment,
                   const Review& review) {
  const bool byRule = review == detail::reviewByRule(report.request.rules, pair.rule, assessment.verdict);
  return {review, byRule ? Review{} : review};
}

/// Reviews by people of pairs and findings, by id. For a replay: at the worst step (as gathered in `pairs`),
/// otherwise at the first step with a review.
std::unordered_map<std::string, Review> reviewsByPeople(const ReportDocument& report,
                                                        const std::vector<ReportedPair>& pairs) {
  std::unordered_map<std::string, Review> result;
  const auto add = [&](const std::vector<ReportedPair>& listed) {
    for (const ReportedPair& pair : listed) {
      const auto keep = [&](const std::string& id, const Assessment& assessment, const Review& review) {
        const Review byPeople = reviewIn(report, pair, assessment, review).byPeople;
        if (byPeople != Review{}) result.try_emplace(id, byPeople);
      };
      keep(pair.id, pair.assessment, pair.review);
      for (const ReportedFinding& finding : pair.findings)
        keep(finding.id, finding.assessment, finding.review);
    }
  };
  add(pairs);
  for (const ReportedRun& run : report.runs) add(run.pairs);
  return result;
}

/// Carries over a review by people, unless they wrote a new one. An approved finding that became worse must
/// be reviewed again.
Review carried(const Review& byPeople, const OneReview& ofNew, bool isWorseNow) {
  if (ofNew.byPeople != Review{}) return ofNew.byPeople;
  if (byPeople == Review{} && ofNew.whole != Review{}) return ofNew.whole;
  Review result = byPeople;
  if (isWorseNow || result.status == ReviewStatus::isNew || result.status == ReviewStatus::resolved)
    result.status = ReviewStatus::active;
  return result;
}

void expectComparable(const ReportDocument& a, const ReportDocument& b) {
  for (const ReportDocument* report : {&a, &b})
    if (report->kind == ReportKind::diff)
      throw InputError("diff", "kind", "a report of differences cannot be compared");
  if (a.kind != b.kind) throw InputError("diff", "kind", "a check and a replay cannot be compared");
  if (a.model.unit != b.model.unit)
    throw InputError("diff", "unit", "'" + a.model.unit + "' and '" + b.model.unit + "'");
}

/// Joins pairs of the same id at the place of the first one.
std::vector<ReportedPair> joined(std::vector<ReportedPair> pairs) {
  std::vector<ReportedPair> result;
  std::unordered_map<std::string, std::size_t> at;
  for (ReportedPair& pair : pairs) {
    const auto [found, isNew] = at.try_emplace(pair.id, result.size());
    if (isNew) {
      result.push_back(std::move(pair));
      continue;
    }
    ReportedPair& known = result[found->second];
    const bool swapped = known.a != pair.a;
    for (ReportedFinding& finding : pair.findings) {
      if (swapped) std::swap(finding.a, finding.b);
      if (swapped)
        for (auto& t : finding.triangles) std::swap(t.first, t.second);
      known.findings.push_back(std::move(finding));
    }
  }
  return result;
}

/// The old findings by pair: those of the report (`gathered`) and those that it carried over.
std::vector<ReportedPair> allPairs(const ReportDocument& report, const std::vector<ReportedPair>& gathered) {
  std::vector<ReportedPair> pairs = gathered;
  for (ReportedPair& pair : pairs)
    for (ReportedFinding& finding : pair.findings) finding.trackHash = report.trackHash;
  pairs.insert(pairs.end(), report.carried.begin(), report.carried.end());
  return joined(std::move(pairs));
}

/// `ReportDocument::placedOtherwise` of a comparison, sorted.
std::vector<std::string> placedOtherwise(const ReportDocument& a, const ReportDocument& b) {
  std::map<std::string, std::pair<const ReportedPlacement*, const ReportedPlacement*>> both;
  for (const ReportedPlacement& placement : a.model.placed) both[placement.path].first = &placement;
  for (const ReportedPlacement& placement : b.model.placed) both[placement.path].second = &placement;
  std::set<std::string> paths;
  for (const auto& [path, placements] : both) {
    const auto [old, now] = placements;
    if (old == nullptr || now == nullptr || *old != *now) paths.insert(path);
  }
  if (a.trackHash && b.trackHash && *a.trackHash != *b.trackHash)
    for (const auto* moved : {&a.moved, &b.moved}) paths.insert(moved->begin(), moved->end());
  return {paths.begin(), paths.end()};
}

ReportedFinding* wholePartsIn(ReportedPair& pair) {
  const auto found = std::find_if(pair.findings.begin(), pair.findings.end(), detail::isBetweenWholeParts);
  return found == pair.findings.end() ? nullptr : &*found;
}

/// A pair is a finding of its own only if none of its findings shows its severity. If that is so in one
/// report and the findings of the other one show it, nothing is new or gone, so both get the finding.
void alignWholeParts(ReportedPair& before, ReportedPair& now) {
  const ReportedFinding *ofBefore = wholePartsIn(before), *ofNow = wholePartsIn(now);
  if (ofBefore == nullptr && ofNow != nullptr && !before.findings.empty() &&
      !becameWorse(before.assessment, ofNow->assessment))
    before.findings.push_back(detail::wholePartsOf(before));
  else if (ofBefore != nullptr && ofNow == nullptr &&
           now.assessment.severity() >= ofBefore->assessment.severity())
    now.findings.push_back(detail::wholePartsOf(now));
}

class Comparison {
 public:
  Comparison(const ReportDocument& oldReport, const ReportDocument& newReport, const CompareOptions& options)
      : old_(oldReport), new_(newReport), options_(options), coverage_(oldReport, newReport) {}

  ReportComparison run() {
    const std::vector<ReportedPair> listed = detail::gatherPairs(old_), news = detail::gatherPairs(new_);
    for (const ReportedPair& pair : listed) listedBefore_.insert(pair.id);
    for (const ReportedPair& pair : new_.carried) carriedBefore_.insert(pair.id);
    std::vector<ReportedPair> olds = allPairs(old_, listed);
    writtenBefore_ = reviewsByPeople(old_, olds);
    follow(detail::followFormerPairs(olds, news, new_.model.instances, options_.tolerance));
    olds = joined(std::move(olds));
    std::unordered_map<std::string, const ReportedPair*> oldById;
    for (const ReportedPair& pair : olds) oldById.emplace(pair.id, &pair);
    result_.diff = new_;
    result_.diff.kind = ReportKind::diff;
    result_.diff.carried.clear();
    result_.diff.placedOtherwise = placedOtherwise(old_, new_);
    result_.diff.runs = {ReportedRun{}};
    result_.carriedOver = new_;
    pairs_ = &result_.diff.runs.front().pairs;

    const detail::ReportedCopies setsBefore(olds), setsNow(news);
    std::set<std::string> seen;
    for (const ReportedPair& pair : news) {
      seen.insert(pair.id);
      const auto found = oldById.find(pair.id);
      const ReportedPair* before =
          found != oldById.end() ? found->second : setsBefore.covering(pair.a, pair.b);
      if (before == nullptr) {
        addNew(pair);
        continue;
      }
      if (!before->copies.empty()) seen.insert(before->id);
      if (!pair.copies.empty())
        compareSet(*before, pair, olds);
      else if (!before->copies.empty())
        compareWithSet(*before, pair);
      else
        compare(*before, pair);
    }
    for (const ReportedPair& pair : olds)
      if (!seen.contains(pair.id)) {
        if (const ReportedPair* set = setsNow.covering(pair.a, pair.b))
          addCopies(pair, *set);
        else
          addMissing(pair);
      }
    applyReviews();
    return std::move(result_);
  }

 private:
  /// If one pair corresponds to several current ones, none of these was reviewed.
  void follow(const std::vector<detail::FollowedPair>& pairs) {
    for (const auto& [oldId, id, isOneOfSeveral] : pairs) {
      if (listedBefore_.contains(oldId)) listedBefore_.insert(id);
      Review review = writtenBefore(oldId);
      if (isOneOfSeveral && review.status != ReviewStatus::isNew) review.status = ReviewStatus::active;
      if (review != Review{}) writtenBefore_.try_emplace(id, review);
    }
  }

  void addNew(ReportedPair pair) {
    for (ReportedFinding& finding : pair.findings) finding.change = FindingChange::isNew;
    add(std::move(pair));
  }

  /// Adds a pair that only the old report lists.
  void addMissing(const ReportedPair& pair) {
    ReportedPair merged = pair;
    merged.rule.reset();  // its position is in the old report's rules
    merged.findings.clear();
    addUnfound(pair, pair.findings, nullptr, merged);
    add(std::move(merged));
  }

  /// Adds a pair that the old report lists and the new one counts in a set of copies.
  void addCopies(const ReportedPair& pair, const ReportedPair& set) {
    ReportedPair merged = pair;
    merged.rule.reset();  // its position is in the old report's rules
    for (ReportedFinding& finding : merged.findings) {
      finding.trackHash.reset();
      finding.change = FindingChange::unchanged;
      finding.changeReason = "now one of " + copiesText(set.copies.size(), set.a);
    }
    add(std::move(merged));
  }

  /// Compares a set of copies with what the old report says of its first pair. A set with more copies than
  /// before is new.
  void compareSet(ReportedPair before, const ReportedPair& now, const std::vector<ReportedPair>& olds) {
    const std::unordered_set<std::string> members(now.copies.begin(), now.copies.end());
    std::unordered_set<std::string> known(before.copies.begin(), before.copies.end());
    Review review = writtenBefore(before.id);
    for (const ReportedPair& pair : olds) {
      if (!members.contains(pair.a) || !members.contains(pair.b)) continue;
      if (pair.assessment.severity() == Severity::clash || !pair.assessment.verdict)
        known.insert({pair.a, pair.b});
      for (const ReportedFinding& finding : pair.findings)
        if (review == Review{}) review = writtenBefore(finding.id);
      if (review == Review{}) review = writtenBefore(pair.id);
    }
    if (review != Review{}) writtenBefore_.try_emplace(now.id, review);
    const auto added = static_cast<std::size_t>(std::count_if(
        now.copies.begin(), now.copies.end(), [&](const auto& path) { return !known.contains(path); }));
    before.id = now.id;
    before.a = now.a;
    before.b = now.b;
    before.findings = {detail::wholePartsOf(before)};
    compare(std::move(before), now, added == 0 ? "" : std::to_string(added) + " of them are new");
  }

  /// Compares a pair with the set of copies that it was in.
  void compareWithSet(const ReportedPair& set, const ReportedPair& now) {
    ReportedPair before = now;
    before.assessment = set.assessment;
    for (ReportedFinding& finding : before.findings) finding.assessment = set.assessment;
    compare(std::move(before), now);
  }

  /// `grown`: why a set of copies is new, although it was there.
  void compare(ReportedPair before, ReportedPair now, const std::string& grown = {}) {
    alignWholeParts(before, now);
    const std::vector<std::size_t> match = detail::matchFindings(before, now, options_.tolerance).newOf;
    const bool isWorse = becameWorse(before.assessment, now.assessment);
    const std::string notSeen = gapBefore(before);
    ReportedPair merged = now;
    merged.review = carryOver(before.id, now, now.id, now.assessment, now.review, isWorse);
    for (ReportedFinding& finding : merged.findings) {
      finding.change = FindingChange::isNew;
      const bool isWhole = detail::isBetweenWholeParts(finding);
      if (!isWhole && notSeen.empty()) continue;
      if (becameWorse(before.assessment, finding.assessment)) {
        finding.changeReason = asItWas(before.assessment);
      } else if (!isWhole) {
        finding.change = FindingChange::unchanged;
        finding.changeReason = notSeen;
      }
    }
    std::vector<ReportedFinding> unfound;
    for (std::size_t i = 0; i < match.size(); ++i) {
      if (match[i] == detail::FindingMatches::none) {
        unfound.push_back(before.findings[i]);
        continue;
      }
      ReportedFinding& found = merged.findings[match[i]];
      const Assessment& was =
          detail::isBetweenWholeParts(found) ? before.assessment : before.findings[i].assessment;
      const bool isWorseNow = becameWorse(was, found.assessment) || !grown.empty();
      found.change = isWorseNow ? FindingChange::isNew : FindingChange::unchanged;
      found.changeReason = !isWorseNow ? "" : !grown.empty() ? grown : asItWas(was);
      if (found.assessment.verdict == Verdict::undecided && was.verdict != Verdict::undecided) {
        found.change = FindingChange::notRechecked;
        found.changeReason = "its verdict is undecided";
      }
      found.review =
          carryOver(before.findings[i].id, now, found.id, found.assessment, found.review, isWorseNow);
    }
    if (isWorse) showWorse(before, merged);
    addUnfound(before, unfound, &now, merged);
    add(std::move(merged));
  }

  /// A finding that became worse is new, if only as one between the whole parts.
  static void showWorse(const ReportedPair& before, ReportedPair& merged) {
    const Severity severity = merged.assessment.severity();
    ReportedFinding* whole = wholePartsIn(merged);
    if (whole == nullptr && std::any_of(merged.findings.begin(), merged.findings.end(), [&](const auto& f) {
          return f.change == FindingChange::isNew && f.assessment.severity() >= severity;
        }))
      return;
    if (whole == nullptr) whole = &merged.findings.emplace_back(detail::wholePartsOf(merged));
    whole->change = FindingChange::isNew;
    whole->changeReason = asItWas(before.assessment);
    whole->review = merged.review;
  }

  /// Adds the findings of an old pair that the new report lacks to the merged pair; keeps those that it did
  /// not check again.
  void addUnfound(const ReportedPair& oldPair, const std::vector<ReportedFinding>& findings,
                  const ReportedPair* newPair, ReportedPair& merged) {
    if (findings.empty()) return;
    ReportedPair kept = merged;
    kept.a = oldPair.a;
    kept.b = oldPair.b;
    kept.review = writtenBefore(oldPair.id);
    kept.rule.reset();  // its position is in the old report's rules
    kept.findings.clear();
    const std::string gap = coverage_.gap(oldPair.a, oldPair.b, newPair);
    for (const ReportedFinding& before : findings) {
      ReportedFinding finding = before;
      if (merged.a != oldPair.a) {
        std::swap(finding.a, finding.b);
        for (auto& t : finding.triangles) std::swap(t.first, t.second);
      }
      finding.trackHash.reset();
      finding.changeReason = gap.empty() ? coverage_.gap(oldPair, before, newPair) : gap;
      const bool isGone = finding.changeReason.empty();
      finding.change = isGone ? FindingChange::gone : FindingChange::notRechecked;
      if (isGone) {
        finding.review.status = ReviewStatus::resolved;
      } else {
        // For later reports, which may have other rules.
        kept.findings.push_back(before);
        kept.findings.back().review = writtenBefore(before.id);
      }
      merged.findings.push_back(std::move(finding));
    }
    if (!kept.findings.empty()) keep(std::move(kept));
  }

  void add(ReportedPair pair) {
    for (const ReportedFinding& finding : pair.findings) count(finding);
    if (!pair.findings.empty()) pairs_->push_back(std::move(pair));
  }

  void keep(ReportedPair pair) {
    if (carriedBefore_.contains(pair.id)) return;  // the new report has carried it over already
    result_.carriedOver.carried.push_back(std::move(pair));
  }

  void count(const ReportedFinding& finding) {
    const FindingChange change = *finding.change;
    result_.isNew += change == FindingChange::isNew;
    result_.newToActOn += change == FindingChange::isNew && needsAction(finding.assessment.severity());
    result_.gone += change == FindingChange::gone;
    result_.unchanged += change == FindingChange::unchanged;
    result_.notRechecked += change == FindingChange::notRechecked;
  }

  /// The reason why the old report may have listed only some findings of a pair.
  [[nodiscard]] std::string gapBefore(const ReportedPair& pair) const {
    if (!listedBefore_.contains(pair.id) ||
        std::all_of(pair.findings.begin(), pair.findings.end(), detail::isBetweenWholeParts))
      return {};
    if (pair.status != ReportStatus::complete)
      return "not examined before: the check of the pair was " + std::string(name(pair.status));
    // Older reports of checks that stop at the first pair have another mode.
    if (old_.request.mode == "first" || old_.request.stopAtFirstPair)
      return "not examined before: only one pair of surfaces was requested";
    return {};
  }

  [[nodiscard]] Review writtenBefore(const std::string& id) const {
    const auto found = writtenBefore_.find(id);
    return found == writtenBefore_.end() ? Review{} : found->second;
  }

  /// The review of the pair or finding `id` of the new report, which was `oldId`. Recorded for the report
  /// that is carried over.
  Review carryOver(const std::string& oldId, const ReportedPair& newPair, const std::string& id,
                   const Assessment& assessment, const Review& review, bool isWorseNow) {
    CarriedReview& noted = carriedOver_[id];  // a finding between the whole parts has the id of the pair
    noted.byPeople = writtenBefore(oldId);
    noted.isWorseNow = noted.isWorseNow || isWorseNow;
    return carried(noted.byPeople, reviewIn(new_, newPair, assessment, review), noted.isWorseNow);
  }

  /// Rules apply at each step of a replay; reviews by people apply to all steps.
  void applyReviews() {
    for (ReportedRun& run : result_.carriedOver.runs)
      for (ReportedPair& pair : run.pairs) {
        const auto apply = [&](const std::string& id, const Assessment& assessment, Review& review) {
          if (const auto found = carriedOver_.find(id); found != carriedOver_.end())
            review = carried(found->second.byPeople, reviewIn(new_, pair, assessment, review),
                             found->second.isWorseNow);
        };
        apply(pair.id, pair.assessment, pair.review);
        for (ReportedFinding& finding : pair.findings) apply(finding.id, finding.assessment, finding.review);
      }
  }

  struct CarriedReview {
    Review byPeople;
    bool isWorseNow = false;
  };

  const ReportDocument &old_, &new_;
  const CompareOptions& options_;
  detail::ReportCoverage coverage_;
  ReportComparison result_;
  std::vector<ReportedPair>* pairs_ = nullptr;
  std::unordered_set<std::string> listedBefore_, carriedBefore_;  ///< pairs of the old and the new report
  std::unordered_map<std::string, Review> writtenBefore_;
  std::unordered_map<std::string, CarriedReview> carriedOver_;
};

}  // namespace

ReportComparison compareReports(const ReportDocument& oldReport, const ReportDocument& newReport,
                                const CompareOptions& options) {
  expectComparable(oldReport, newReport);
  return Comparison(oldReport, newReport, options).run();
}

}  // namespace fitup
