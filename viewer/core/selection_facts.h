#pragma once

#include <cstddef>
#include <optional>
#include <set>

#include <fitup/scene/scene.h>

namespace fitup::viewer {

/// The facts about selected instances that need no computation.
struct SelectionFacts {
  /// The only instance, or the lowest subassembly that consists of exactly these instances.
  std::optional<NodeId> node;
  std::size_t instances = 0, distinctParts = 0;
  // Counted at each instance:
  std::size_t surfaces = 0, untessellated = 0, triangles = 0, degenerate = 0;
  std::size_t hierarchyBytes = 0;  ///< memory of distinct parts
};

/// Linear in the selected instances and the surfaces of distinct parts.
SelectionFacts factsOf(const Scene& scene, const std::set<NodeId>& selection);

}  // namespace fitup::viewer
