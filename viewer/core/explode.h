#pragma once

#include <map>

#include <fitup/scene/scene.h>

namespace fitup::viewer {

/// Returns how far each instance of a scene moves until its exploded view is complete, in world coordinates;
/// instances that stay are left out. At a fraction of the view, every instance has moved by that fraction of
/// its way.
///
/// The nodes of each subassembly move away from its middle, and what is below them moves with them. The
/// largest ones move least. In the complete view, the boxes of siblings are disjoint, where the box of a node
/// contains everything below it. The result does not depend on the order of the nodes. Takes O(n^2 log n) for
/// n siblings.
std::map<NodeId, Vec3> explodedShifts(const Scene& scene, const Poses& poses);

/// Returns the placements of a view that is exploded by a fraction in 0 ... 1; 0 is as assembled.
Poses explodedPoses(const Scene& scene, const Poses& poses, const std::map<NodeId, Vec3>& shifts,
                    double fraction);

}  // namespace fitup::viewer
