#include <fitup/scene/interference_report.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fitup/base/count_text.h>
#include <fitup/base/error.h>

namespace fitup {

Assessment PairInterference::assessment() const noexcept {
  Assessment result;
  if (verdict) {
    result.tolerance = verdict->tolerance;
    result.verdict = verdict->verdict;
    if (!verdict->isOpen()) {
      result.depth = verdict->depth;
      result.depthErrorBound = verdict->depth ? verdict->depthErrorBound : 0;
      result.depthIsLowerBound = verdict->depthIsLowerBound;
      const bool hasLength = verdict->depth || verdict->distance;
      result.chordError = hasLength ? verdict->chordError : 0;
      result.rounding = hasLength ? verdict->rounding : 0;
      result.distance = verdict->distance;
      result.point = verdict->point;
      result.direction = verdict->direction;
    }
  }
  if (volume) {
    result.volume = volume->volume;
    result.volumeErrorBound = volume->volume ? volume->errorBound : 0;
  }
  if (wayOut) result.wayOut = wayOut->translation;
  if (!tooNear) return result;
  result.tooNear = true;
  if (result.verdict == Verdict::clash) return result;
  result.distance = tooNear->distance;
  result.chordError = tooNearError.chordError.value_or(0);
  result.rounding = tooNearError.rounding;
  result.point = tooNear->pointA;
  const Vec3 way = tooNear->pointB - tooNear->pointA;
  result.direction = norm(way) > 0 ? std::optional(normalized(way)) : std::nullopt;
  return result;
}

Severity PairInterference::severity() const noexcept {
  if (!verdict && !tooNear && !report.intersects()) return Severity::undecided;
  return assessment().severity();
}

std::string nothingCheckedText(const InterferenceReport& report) {
  if (report.status != ReportStatus::complete || report.narrowPairs > 0 ||
      report.consideredPairs != report.excludedPairs + report.unselectedPairs)
    return {};
  return std::string("nothing was checked: ") + (report.consideredPairs == 0
                                                     ? "the model has fewer than two parts"
                                                     : "rules leave out every pair of parts");
}

std::string openPartsText(std::size_t parts) {
  if (parts == 0) return {};
  return countText(parts, "part") +
         (parts == 1 ? " is not closed, so the depth of its clashes is a lower bound"
                     : " are not closed, so the depths of their clashes are lower bounds");
}

InterferenceReport mergeReports(std::vector<InterferenceReport> reports) {
  InterferenceReport all;
  if (!reports.empty()) all = std::move(reports.front());
  std::set<PartId> open(all.openParts.begin(), all.openParts.end());
  for (InterferenceReport& report : std::span(reports).subspan(std::min<std::size_t>(reports.size(), 1))) {
    all.consideredPairs += report.consideredPairs;
    all.excludedPairs += report.excludedPairs;
    all.unselectedPairs += report.unselectedPairs;
    all.narrowPairs += report.narrowPairs;
    all.stats += report.stats;
    all.status = std::max(all.status, report.status);
    all.milliseconds = std::max(all.milliseconds, report.milliseconds);
    open.insert(report.openParts.begin(), report.openParts.end());
    all.pairs.insert(all.pairs.end(), std::make_move_iterator(report.pairs.begin()),
                     std::make_move_iterator(report.pairs.end()));
    report.pairs.clear();
  }
  all.openParts.assign(open.begin(), open.end());
  const auto nodesOf = [](const PairInterference& p) { return std::pair(p.a, p.b); };
  std::ranges::sort(all.pairs, {}, nodesOf);
  const auto twice = std::ranges::adjacent_find(all.pairs, {}, nodesOf);
  if (twice != all.pairs.end())
    throw InputError(
        "reports",
        "pair of nodes " + std::to_string(index(twice->a)) + " and " + std::to_string(index(twice->b)),
        "is in two of the reports");
  return all;
}

}  // namespace fitup
