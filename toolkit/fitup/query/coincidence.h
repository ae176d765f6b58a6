#pragma once

#include <functional>
#include <optional>

#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// A point inside two bodies.
struct CommonPoint {
  Vec3 point;      ///< in the world
  double depth;    ///< distance from the nearer of the two surfaces, in world units
  Vec3 direction;  ///< unit vector from `point` to the nearest point of that surface
};

/// Finds a point that lies deeper than `deeperThan` inside both bodies, given that no point of either
/// *surface* lies deeper than that in the other body. This is the case if a solid is present twice in one
/// place. `deeperThan` is in world units.
///
/// The surface of one body cannot enter a connected set of points that lie deeper than `deeperThan` in the
/// other body. Such a set is therefore inside the first body either as a whole or not at all. If it is, its
/// border runs along both surfaces, with the material of both on the same side. The search therefore looks
/// only behind triangles that lie in one plane, within `deeperThan`, and face the same way. It tries the
/// middle of their common area and points halfway to its corners, on a ray inward, and from there climbs the
/// gradient of the depth. Mated faces face each other, so for parts in contact only the triangles near the
/// other part are examined. Bodies whose boxes overlap by less than twice `deeperThan` along some axis cost
/// nothing.
///
/// The result is a lower bound, and so is its depth. The search may miss a point if the body is narrower than
/// twice `deeperThan` wherever it looks, or if other solids of the same body cut a part of a solid into many
/// pieces. In an open body, points count that its surface clearly encloses. The order of the bodies does not
/// affect the result. The function calls `stop` at intervals; once that returns true, it returns the best
/// point found so far. Precondition: neither solid is null. Throws PlacementError and RangeError as
/// `PairFrame::of`.
std::optional<CommonPoint> commonPoint(const PosedSolid& first, const PosedSolid& second, double deeperThan,
                                       const std::function<bool()>& stop = {});

/// Finds a point of one body that lies deeper than `deeperThan` below the surface of the other one, given
/// that no point of either *surface* lies deeper than that in the other body: a body whose core another one
/// encloses, such as a plate that a wider sheet runs through. `CommonPoint::depth` is then the distance from
/// the surface of the enclosed body.
///
/// A connected set of points deeper than `deeperThan` in one body is inside the other body as a whole or not
/// at all. The search tries points at that depth behind the faces of the one body, and halfway through the
/// material behind the faces of the other, a few hundred for each, evenly spread over the faces in the common
/// part of the boxes. It is therefore a lower bound: cores that are smaller than the distance of these points
/// may be missed. The order of the bodies does not affect whether a point is found. Precondition and errors
/// as for `commonPoint`.
std::optional<CommonPoint> enclosedCore(const PosedSolid& first, const PosedSolid& second, double deeperThan,
                                        const std::function<bool()>& stop = {});

}  // namespace fitup
