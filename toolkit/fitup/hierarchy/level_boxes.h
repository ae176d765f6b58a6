#pragma once

#include <cstddef>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/level_box.h>

namespace FITUP_EXPORT fitup {

/// Returns the boxes of one level of a hierarchy, for display, in the part frame. Together they contain the
/// part. Level 0 is the box of the whole part. A branch that ends above the level contributes its last box.
/// Levels from `levelCount` on are all the same.
///
/// For `scd` these are the boxes of the surface R-tree and, below each surface, those of its triangle R-tree.
/// For `wide` they are the boxes of nodes and leaves in the axes of their node. For `dop` they are
/// axis-aligned boxes around the polytopes. Trees without leaves return the last box above a triangle. Boxes
/// contain the part up to the rounding of the hierarchy. Throws NotBuiltError if the model lacks the kind.
/// Linear in the nodes down to the level; thread-safe.
std::vector<LevelBox> levelBoxes(const CollisionModel& model, HierarchyKind kind, std::size_t level);

/// Returns the number of different levels; 0 for a part without triangles. Throws as `levelBoxes`.
std::size_t levelCount(const CollisionModel& model, HierarchyKind kind);

}  // namespace fitup
