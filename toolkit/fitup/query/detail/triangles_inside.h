#pragma once

#include <functional>
#include <vector>

#include <fitup/geometry/transform.h>
#include <fitup/hierarchy/point_query.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/query/detail/convex_polygon.h>

namespace fitup::detail {

/// The largest distance of a point of a mesh from its local origin, or a little more.
double farthestFromOrigin(const TriangleMesh& mesh);

/// The box of a mesh in another frame.
Box placedBounds(const TriangleMesh& mesh, const Transform& place);

/// Finds all triangles of `body` from which points at most `reach` away lie inside `around` and in `region`,
/// and some others: those whose boxes reach neither its surface nor its inside are left out. `inAround`
/// belongs to `around`; `region` and `reach` are in the local frame of `body`. Ends with part of them when
/// `stop` returns true. Sorted.
std::vector<TriangleId> trianglesInside(const SolidModel& body, const SolidModel& around,
                                        PointQuery& inAround, const Transform& aroundFromBody,
                                        const Box& region, double reach, const std::function<bool()>& stop);

/// True if a flat piece meets the surface of `around`. Exact for its corners as they are placed.
bool meets(PointQuery& around, const Transform& aroundFromPiece, const ConvexPolygon& piece);

}  // namespace fitup::detail
