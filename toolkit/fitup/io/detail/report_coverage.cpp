#include <fitup/io/detail/report_coverage.h>

#include <algorithm>
#include <vector>

#include <fitup/io/detail/gathered_findings.h>

namespace fitup::detail {
namespace {

/// True if the new model lacks geometry that the old one had.
bool lacksMore(const ReportDocument& before, const ReportDocument& now) {
  return now.geometryIncomplete &&
         std::any_of(now.warnings.begin(), now.warnings.end(), [&](const ImportWarning& warning) {
           return warning.incomplete &&
                  std::find(before.warnings.begin(), before.warnings.end(), warning) == before.warnings.end();
         });
}

/// Older reports do not state it, but a verdict in a report shows it.
bool asksForVerdicts(const ReportDocument& report) {
  return report.request.verdicts ||
         std::any_of(report.runs.begin(), report.runs.end(), [](const ReportedRun& run) {
           return std::any_of(run.pairs.begin(), run.pairs.end(),
                              [](const ReportedPair& pair) { return pair.assessment.verdict.has_value(); });
         });
}

bool hasSurfaces(const ReportedPair& pair) {
  return !std::all_of(pair.findings.begin(), pair.findings.end(), isBetweenWholeParts);
}

}  // namespace

ReportCoverage::ReportCoverage(const ReportDocument& before, const ReportDocument& now)
    : before_(before),
      now_(now),
      lacksUnknown_(lacksMore(before, now) && !now.model.incomplete),
      asksForVerdicts_(asksForVerdicts(now)) {
  if (lacksMore(before, now) && now.model.incomplete)
    incomplete_.insert(now.model.incomplete->begin(), now.model.incomplete->end());
  for (std::size_t i = 0; i < now.model.instances.size(); ++i) positions_.emplace(now.model.instances[i], i);
}

std::string ReportCoverage::gap(const std::string& a, const std::string& b, const ReportedPair* pair) const {
  for (const std::string* path : {&a, &b})
    if (!positions_.contains(*path)) return "'" + *path + "' is not in the new model";
  const Rules& rules = now_.request.rules;
  if (!rules.selects(a, b)) return "outside the sets that were checked";
  if (const Rule* rule = rules.find(a, b); rule != nullptr && rule->action == RuleAction::ignore)
    return "left out by rule " + std::to_string(rule - rules.rules.data()) +
           (rule->reason.empty() ? "" : " (" + rule->reason + ")");
  if (now_.kind == ReportKind::replay && !now_.moved.empty()) {  // otherwise it is not known
    const std::string *moverOfA = mover(a), *moverOfB = mover(b);
    if (moverOfA == nullptr && moverOfB == nullptr) return "neither part moves";
    if (moverOfA == moverOfB) return "both parts move as one";
  }
  if (pair != nullptr && pair->status != ReportStatus::complete)
    return "its check was " + std::string(name(pair->status));
  if (pair != nullptr && pair->assessment.verdict == Verdict::undecided) return "its verdict is undecided";
  if (now_.status != ReportStatus::complete && (pair == nullptr || now_.kind == ReportKind::replay))
    return "the check was " + std::string(name(now_.status));
  if (now_.request.stopAtFirstPair && now_.intersects()) return "only a first pair was requested";
  for (const std::string* path : {&a, &b})
    if (lacksUnknown_ || incomplete_.contains(*path))
      return "geometry of '" + *path + "' " + (lacksUnknown_ ? "may be" : "is") + " missing";
  if (before_.request.touching == "include" && now_.request.touching == "exclude")
    return "touching was excluded this time";
  return {};
}

std::string ReportCoverage::gap(const ReportedPair& oldPair, const ReportedFinding& before,
                                const ReportedPair* pair) const {
  if (std::string motion = gapOfMotion(before); !motion.empty()) return motion;
  if (isBetweenWholeParts(before)) return gapOfWholeParts(oldPair, before.assessment, pair);
  if (now_.request.mode == "first" && pair != nullptr && hasSurfaces(*pair))
    return "only one pair of surfaces was requested";
  return {};
}

const std::string* ReportCoverage::mover(const std::string& path) const {
  const auto found = std::find_if(now_.moved.begin(), now_.moved.end(), [&](const std::string& moved) {
    return path == moved || path.starts_with(moved + "/");
  });
  return found == now_.moved.end() ? nullptr : &*found;
}

std::string ReportCoverage::gapOfMotion(const ReportedFinding& before) const {
  if (now_.kind != ReportKind::replay || (before.trackHash && before.trackHash == now_.trackHash)) return {};
  // An edited motion replaces the old one, as far as it goes.
  std::vector<std::string> movedBefore = before_.moved, movedNow = now_.moved;
  std::sort(movedBefore.begin(), movedBefore.end());
  std::sort(movedNow.begin(), movedNow.end());
  if (!movedBefore.empty() && !movedNow.empty() && movedBefore != movedNow)
    return "it was found in another motion";
  const std::size_t last = now_.runs.empty() ? 0 : now_.runs.back().step;
  if (!before.steps.empty() && (now_.runs.empty() || before.steps.back() > last))
    return "the motion ended before step " + std::to_string(before.steps.back());
  return {};
}

std::string ReportCoverage::gapOfWholeParts(const ReportedPair& oldPair, const Assessment& before,
                                            const ReportedPair* pair) const {
  const bool isClash = before.verdict == Verdict::clash;
  const double distance = before.distance.value_or(0);
  const Rule* rule = now_.request.rules.find(oldPair.a, oldPair.b);
  if (!isClash && rule != nullptr && rule->action == RuleAction::clearance && rule->distance >= distance)
    return {};
  if (!asksForVerdicts_)
    return before.tooNear ? "this clearance was not requested" : "verdicts were not requested";
  // The parts still meet; only the clearance was not requested.
  if (!isClash && before.tooNear && pair != nullptr && pair->assessment.verdict == Verdict::contact)
    return "this clearance was not requested";
  if (!isClash && toleranceOf(oldPair, pair).value_or(distance) < distance)
    return before.tooNear ? "this clearance was not requested" : "the tolerance was smaller";
  return {};
}

std::optional<double> ReportCoverage::toleranceOf(const ReportedPair& oldPair,
                                                  const ReportedPair* pair) const {
  if (pair != nullptr && pair->assessment.tolerance) return pair->assessment.tolerance;
  const std::vector<double>& own = now_.model.ownTolerances;
  if (now_.request.tolerance || own.empty()) return now_.request.tolerance;
  return std::max(own[positions_.at(oldPair.a)], own[positions_.at(oldPair.b)]);
}

}  // namespace fitup::detail
