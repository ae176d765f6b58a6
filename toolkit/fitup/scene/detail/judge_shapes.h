#pragma once

#include <fitup/query/resolved_verdict.h>
#include <fitup/scene/interference.h>

namespace fitup::detail {

/// What makes the parts of two instances finer. Keeps references to the arguments.
inline FinerShapes finerShapesOf(const Scene& scene, NodeId a, NodeId b, bool isAllowed,
                                 const std::shared_ptr<Refinement>& refinement, const Progress& progress) {
  FinerShapes finer{.isAllowed = isAllowed};
  if (isAllowed && refinement)
    finer.exactShapes = [&scene, a, b, &refinement, &progress](
                            bool isFirst, std::span<const SurfaceId> faces,
                            double chordError) -> std::shared_ptr<const SolidModel> {
      const PartId part = scene.assembly().partOf(isFirst ? a : b);
      if (!refinement->isOf(part, scene.assembly().part(part))) return nullptr;
      return refinement->solid(part, faces, chordError, progress);
    };
  return finer;
}

/// The verdict on a pair as `VerdictOptions` ask for it: on the exact shapes, or on the triangles. `judged`,
/// if not null, receives the solids that were judged at last.
inline VerdictReport judgeShapes(const Scene& scene, NodeId a, const PosedSolid& first, NodeId b,
                                 const PosedSolid& second, const VerdictRequest& request,
                                 const VerdictOptions& options, QueryContext& context,
                                 const Progress& progress, JudgedSolids* judged = nullptr) {
  if (!options.judgesExactShapes()) {
    if (judged != nullptr) *judged = {first, second};
    return verdict(first, second, request, context);
  }
  const FinerShapes finer = finerShapesOf(scene, a, b, options.refine, options.refinement, progress);
  return resolvedVerdict(first, second, request, finer, context, judged);
}

}  // namespace fitup::detail
