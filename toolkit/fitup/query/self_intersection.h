#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <fitup/base/work_meter.h>
#include <fitup/hierarchy/solid_model.h>
#include <fitup/mesh/ids.h>

namespace FITUP_EXPORT fitup {

/// What crosses, and what that means for the inside of the part. A shell is a connected component of the
/// surface.
enum class SelfIntersectionKind {
  itself,  ///< a shell crosses itself: what it winds round backwards counts as outside
  folded,  ///< triangles of one shell lie on each other in one plane and face opposite ways: they bound
           ///< nothing
  open,    ///< two shells cross, one of which is not closed
  shells,  ///< two closed shells cross: the part is their union, which verdicts know
};
/// Returns "itself", "folded", "open" or "shells".
std::string_view name(SelfIntersectionKind kind) noexcept;

/// Pairs of triangles of a part that cross, of one kind and on two surfaces.
struct SelfIntersection {
  SelfIntersectionKind kind = SelfIntersectionKind::itself;
  SurfaceId a{}, b{};            ///< a <= b; they may be equal
  std::size_t pairs = 0;         ///< pairs of triangles
  TriangleId first{}, second{};  ///< one of these pairs, of the solid's mesh: `first` on `a`
  Vec3 point;                    ///< a common point of the two, in the part frame
};

/// Finds the pairs of triangles of a part's boundary (`SolidModel::mesh`) that cross each other, grouped by
/// kind and surfaces and sorted so. Exact for the stored coordinates.
///
/// Two triangles cross if their relative interiors have a common point. Neighbours that share an edge or a
/// corner cross only beyond it, or if they are folded onto each other. Surfaces that touch do not cross,
/// neither do faces of different shells in one plane. A crossing that runs along edges of both surfaces is
/// not found, since no interiors meet there. Degenerate triangles bound nothing and are left out.
///
/// Takes about as long as a build of the hierarchy. Thread-safe. Throws CancelledError.
std::vector<SelfIntersection> selfIntersections(const SolidModel& solid, const WorkMeter& meter = {});

}  // namespace fitup
