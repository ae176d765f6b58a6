#pragma once

#include <span>
#include <vector>

#include <fitup/scene/scene.h>

namespace fitup::detail {

/// Those of `parts` that are not closed, for `InterferenceReport::openParts`. Parts without triangles do not
/// occur, because they are in no pair.
inline std::vector<PartId> openParts(const Scene& scene, std::span<const PartId> parts) {
  std::vector<PartId> open;
  for (const PartId part : parts)
    if (!scene.solid(part)->watertightness().closed()) open.push_back(part);
  return open;
}

}  // namespace fitup::detail
