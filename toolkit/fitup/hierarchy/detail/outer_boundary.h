#pragma once

#include <memory>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/collision_model.h>
#include <fitup/mesh/mesh_topology.h>
#include <fitup/mesh/watertightness.h>

namespace fitup::detail {

/// Returns the boundary of the union of a part's shells, without the inner walls where shells overlap or
/// touch: the points of the surface on exactly one side of which the winding number is positive. Triangles
/// that others cross, or lie on, are cut along these; the new corners are rounded to storage. What cannot be
/// settled counts as boundary: pieces through whose middle another face runs, and triangles that too many
/// others cross.
///
/// Surfaces keep their ordinals and triangles their source indices, but edges no longer match: the mesh
/// serves for distances from the boundary only. Null if there are no inner walls, and for open parts.
/// `topology` and `watertightness` are those of the model's mesh. Throws NotBuiltError if the model has no
/// wide tree, and CancelledError.
std::shared_ptr<const TriangleMesh> outerBoundary(const CollisionModel& model, const MeshTopology& topology,
                                                  const Watertightness& watertightness,
                                                  const WorkMeter& meter = {});

}  // namespace fitup::detail
