#pragma once

#include <cstddef>
#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/hierarchy/level_box.h>

namespace FITUP_EXPORT fitup {

/// The boxes of one level of a hierarchy, for looking at: together they hold the part. Level 0 is the box of
/// the whole; a branch that ends above the level shows its last box. Beyond `levelCount` nothing changes.
///
/// `scd`: the surface R-tree, and below each surface its triangle R-tree. `wide`: the boxes of
/// nodes and leaves in the axes of their node. `dop`: boxes along the axes around its polytopes. Trees
/// without leaves show the last box above a triangle instead. Lies around the part within the rounding of the
/// hierarchy. Throws NotBuiltError if the model does not carry the kind. Linear in the nodes down to the
/// level; thread-safe.
std::vector<LevelBox> levelBoxes(const CollisionModel& model, HierarchyKind kind, std::size_t level);

/// Levels that differ: 0 to one less. 0 for a part without triangles. Throws as `levelBoxes`.
std::size_t levelCount(const CollisionModel& model, HierarchyKind kind);

}  // namespace fitup
