#include <fitup/scene/clash_depths.h>

#include <algorithm>

#include <fitup/base/error.h>
#include <fitup/scene/detail/judge_shapes.h>

namespace fitup {

bool needsDepth(const PairInterference& pair) noexcept {
  // The surfaces of copies in one place do not determine a depth.
  return !pair.areCopies && pair.is(Verdict::clash) && pair.verdict->depth && !pair.verdict->hasRegions &&
         std::ranges::none_of(pair.verdict->regions, &PenetrationRegion::pierced);
}

bool needsDepths(const InterferenceReport& report) noexcept {
  return std::ranges::any_of(report.pairs, needsDepth);
}

void ClashDepths::recall(const Scene& scene, const Poses& poses, InterferenceReport& report) const {
  if (known_.empty()) return;
  for (PairInterference& pair : report.pairs) {
    if (!needsDepth(pair)) continue;
    const auto found = known_.find({pair.a, pair.b});
    if (found != known_.end() && found->second.worldFromA == scene.worldFromPart(pair.a, poses) &&
        found->second.worldFromB == scene.worldFromPart(pair.b, poses))
      pair.verdict = found->second.verdict;
  }
}

void ClashDepths::measure(const Scene& scene, const Poses& poses, InterferenceReport& report,
                          const VerdictOptions& options, const Progress& progress,
                          const std::function<void()>& onDepth) {
  recall(scene, poses, report);
  QueryContext context;
  std::size_t done = 0;
  for (PairInterference& pair : report.pairs) {
    if (progress.cancelled()) return;
    progress.report("depths", static_cast<double>(done++) / static_cast<double>(report.pairs.size()));
    if (!needsDepth(pair)) continue;
    const std::pair key{pair.a, pair.b};
    const PosedSolid a = scene.posedSolid(pair.a, poses), b = scene.posedSolid(pair.b, poses);
    const auto known = known_.find(key);
    if (known != known_.end() && known->second.worldFromA == a.worldFromPart &&
        known->second.worldFromB == b.worldFromPart)
      continue;  // measured without a better result
    VerdictRequest request;
    request.tolerance = pair.verdict->tolerance;
    request.measureDistance = false;
    request.limits.cancel = progress.stopToken();
    VerdictReport found;
    try {
      found = detail::judgeShapes(scene, pair.a, a, pair.b, b, request, options, context, progress);
    } catch (const CancelledError&) {  // while a part was refined
      return;
    }
    if (found.status != ReportStatus::complete) return;
    pair.verdict = found;
    known_.insert_or_assign(key, Known{a.worldFromPart, b.worldFromPart, std::move(found)});
    if (onDepth) onDepth();
  }
}

}  // namespace fitup
