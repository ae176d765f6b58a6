#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <fitup/query/resolved_verdict.h>
#include <fitup/scene/refinement.h>
#include <fitup/scene/scene.h>

namespace FITUP_EXPORT fitup {

/// True if the chord error of a part is known, so that exact shapes can be judged.
inline bool hasChordErrors(const Assembly& assembly) {
  for (std::uint32_t i = 0; i < assembly.partCount(); ++i)
    if (assembly.part(PartId(i)).deflection()) return true;
  return false;
}

/// What makes the parts of two instances finer: their closed forms and, for other faces, `refinement`, which
/// may be null. Nothing, unless `isAllowed`. Keeps references to the arguments.
inline FinerShapes finerShapes(const Scene& scene, NodeId a, NodeId b, bool isAllowed,
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

}  // namespace fitup
