#pragma once

#include <vector>

#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/watertightness.h>

namespace fitup::detail {

/// Returns for each component whether it bounds a cavity: a shell that lies wholly inside the material of
/// larger ones; it may touch them. Shells that cross each other are a union, and neither is a cavity of the
/// other.
///
/// The shells of a CAD solid (a mesh with feature edges) say by their orientation which of them bound
/// cavities, so that only a shell of negative volume can be one. Other meshes do not, and there it does not
/// matter which way a shell points. `topology` and `watertightness` are those of the model's mesh. A segment
/// and the look at what is near to its triangles for each shell. Throws NotBuiltError if the model has no
/// wide tree, and CancelledError.
std::vector<char> findCavities(const CollisionModel& model, const MeshTopology& topology,
                               const Watertightness& watertightness, const WorkMeter& meter);

}  // namespace fitup::detail
