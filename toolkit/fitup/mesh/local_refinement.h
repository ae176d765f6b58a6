#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include <fitup/base/work_meter.h>
#include <fitup/mesh/chord_errors.h>

namespace FITUP_EXPORT fitup {

/// Divides some triangles of a mesh, so that their chord errors (`ChordErrors`) become at most `chordError`,
/// in the part's unit, as far as their faces are surfaces in closed form (`AnalyticSurface`): new points lie
/// on the surface or, on edges between two faces, on both. What lies on other surfaces is left as it is.
/// Edges are divided for all their triangles, so a closed mesh remains closed. The result has the surfaces
/// and the points of `mesh`, and no feature edges. It depends on the arguments only.
///
/// Returns null if nothing was divided, or if a face turned over where triangles are as thin as the chord
/// errors: a finer mesh of all of the part is needed there.
/// Throws RangeError if the mesh gets more than `mostTriangles`, and CancelledError.
std::shared_ptr<const TriangleMesh> refinedLocally(const TriangleMesh& mesh, const MeshTopology& topology,
                                                   const ChordErrors& errors,
                                                   std::span<const TriangleId> triangles, double chordError,
                                                   std::size_t mostTriangles, const WorkMeter& meter = {});

}  // namespace fitup
