#include <viewer/core/depths.h>

#include <algorithm>

namespace fitup::viewer {
namespace {

/// What a search for depth tells is off by an eighth of it at most, unless it was given up.
constexpr double roughShare = 0.25;

void take(const VerdictReport& from, PairInterference& to) {
  const auto distance = to.distance;
  to.take(from);
  if (to.tooNear) to.distance = distance;  // which a rule asked for
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

void Depths::measure(const Assembly& posed, const SolidModels& bodies, InterferenceReport& report,
                     const Progress& progress, const std::function<void()>& told) {
  recall(posed, report);
  const auto bodyOf = [&](NodeId node) {
    return PosedSolid{*bodies.at(index(posed.partOf(node))), posed.worldFromNode(node)};
  };
  QueryContext context;
  std::size_t done = 0;
  for (PairInterference& pair : report.pairs) {
    if (progress.cancelled()) return;
    progress.report("depths", static_cast<double>(done++) / static_cast<double>(report.pairs.size()));
    if (!needsDepth(pair)) continue;
    const std::pair key{pair.a, pair.b};
    const PosedSolid a = bodyOf(pair.a), b = bodyOf(pair.b);
    const auto known = known_.find(key);
    if (known != known_.end() && known->second.worldFromA == a.worldFromPart &&
        known->second.worldFromB == b.worldFromPart)
      continue;  // measured, and found no better
    VerdictRequest request;
    request.tolerance = pair.tolerance;
    request.measureDistance = false;
    request.limits.cancel = progress.stopToken();
    VerdictReport found = verdict(a, b, request, context);
    if (found.status != ReportStatus::complete) return;
    take(found, pair);
    known_.insert_or_assign(key, Known{a.worldFromPart, b.worldFromPart, std::move(found)});
    if (told) told();
  }
}

}  // namespace fitup::viewer
