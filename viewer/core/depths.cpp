#include <viewer/core/depths.h>

#include <algorithm>

namespace fitup::viewer {
namespace {

/// What a search for depth tells is off by an eighth of it at most, unless it was given up.
constexpr double roughShare = 0.25;

/// What `checkPairs` takes over of a verdict.
void take(const PairInterference& from, PairInterference& to) {
  to.verdict = from.verdict;
  to.depth = from.depth;
  to.depthErrorBound = from.depthErrorBound;
  to.depthIsLowerBound = from.depthIsLowerBound;
  to.point = from.point;
  to.direction = from.direction;
  to.regions = from.regions;
  if (!to.tooNear) to.distance = from.distance;
}

}  // namespace

bool needsDepth(const PairInterference& pair) noexcept {
  return pair.verdict == Verdict::clash && pair.depth && pair.depthErrorBound &&
         *pair.depthErrorBound > roughShare * *pair.depth;
}

bool needsDepths(const InterferenceReport& report) noexcept {
  return std::ranges::any_of(report.pairs, needsDepth);
}

void Depths::recall(const Assembly& posed, InterferenceReport& report) const {
  if (known_.empty()) return;
  for (PairInterference& pair : report.pairs) {
    if (!needsDepth(pair)) continue;
    const auto found = known_.find({pair.a, pair.b});
    if (found != known_.end() && found->second.worldFromA == posed.worldFromNode(pair.a) &&
        found->second.worldFromB == posed.worldFromNode(pair.b))
      take(found->second.verdict, pair);
  }
}

void Depths::measure(const Assembly& posed, const BodyModels& bodies, InterferenceReport& report,
                     const Progress& progress, const std::function<void()>& told) {
  recall(posed, report);
  const auto bodyOf = [&](NodeId node) {
    return PosedBody{*bodies.at(index(posed.partOf(node))), posed.worldFromNode(node)};
  };
  QueryContext context;
  std::size_t done = 0;
  for (PairInterference& pair : report.pairs) {
    if (progress.cancelled()) return;
    progress.report("depths", static_cast<double>(done++) / static_cast<double>(report.pairs.size()));
    if (!needsDepth(pair)) continue;
    const auto [known, fresh] = known_.try_emplace({pair.a, pair.b});
    const PosedBody a = bodyOf(pair.a), b = bodyOf(pair.b);
    if (!fresh && known->second.worldFromA == a.worldFromPart && known->second.worldFromB == b.worldFromPart)
      continue;  // measured, and found no better
    VerdictRequest request;
    request.tolerance = pair.tolerance;
    request.measureDistance = false;
    request.limits.cancel = progress.stopToken();
    VerdictReport found = verdict(a, b, request, context);
    if (found.status != ReportStatus::complete) {
      known_.erase(known);
      return;
    }
    Known& entry = known->second;
    entry = {a.worldFromPart, b.worldFromPart, {}};
    entry.verdict.verdict = found.verdict;
    entry.verdict.depth = found.depth;
    if (found.depth) entry.verdict.depthErrorBound = found.depthErrorBound;
    entry.verdict.depthIsLowerBound = found.depthIsLowerBound;
    entry.verdict.distance = found.distance;
    entry.verdict.point = found.point;
    entry.verdict.direction = found.direction;
    entry.verdict.regions = std::move(found.regions);
    take(entry.verdict, pair);
    if (told) told();
  }
}

}  // namespace fitup::viewer
