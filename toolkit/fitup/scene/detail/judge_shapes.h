#pragma once

#include <functional>
#include <optional>

#include <fitup/base/borrowed.h>
#include <fitup/query/resolved_distance.h>
#include <fitup/scene/finer_shapes.h>
#include <fitup/scene/interference.h>

namespace fitup::detail {

/// Measures the exact shapes of two instances, if `options` ask for that and allow refinement; otherwise
/// empty. Keeps references to the arguments.
inline std::function<ResolvedDistance(double)> measureShapes(
    const Scene& scene, NodeId a, NodeId b, const Transform& worldFromA, const Transform& worldFromB,
    double within, const std::optional<VerdictOptions>& options, const QueryLimits& limits,
    const Progress& progress, QueryContext& context) {
  if (!options || !options->judgesExactShapes() || !options->refine) return {};
  return
      [&scene, a, b, worldFromA, worldFromB, within, &options, limits, &progress, &context](double accuracy) {
        return resolvedDistance(
            {borrowed(scene.solidOf(a)), worldFromA}, {borrowed(scene.solidOf(b)), worldFromB}, accuracy,
            within, finerShapes(scene, a, b, true, options->refinement, progress), limits, context);
      };
}

/// The verdict on a pair as `VerdictOptions` ask for it: on the exact shapes, or on the triangles. `judged`,
/// if not null, receives the solids that were judged at last.
inline VerdictReport judgeShapes(const Scene& scene, NodeId a, const PosedSolid& first, NodeId b,
                                 const PosedSolid& second, const VerdictRequest& request,
                                 const VerdictOptions& options, QueryContext& context,
                                 const Progress& progress, JudgedSolids* judged = nullptr) {
  VerdictReport report;
  if (!options.judgesExactShapes()) {
    if (judged != nullptr) *judged = {first, second};
    report = verdict(first, second, request, context);
  } else {
    const FinerShapes finer = finerShapes(scene, a, b, options.refine, options.refinement, progress);
    report = resolvedVerdict(first, second, request, finer, context, judged);
  }
  report.hasRegions =
      report.verdict == Verdict::clash && request.regions && report.status == ReportStatus::complete;
  return report;
}

}  // namespace fitup::detail
