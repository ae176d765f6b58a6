#pragma once

#include <functional>
#include <optional>

#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// A point inside two bodies.
struct CommonPoint {
  Vec3 point;      ///< in the world
  double depth;    ///< distance from the nearer of the two surfaces, world units
  Vec3 direction;  ///< unit, from `point` to the nearest point of that surface
};

/// A point that lies deeper than `deeperThan` inside both of two bodies no point of whose *surfaces* lies
/// deeper than that in the other body, as where a solid stands twice in one place.
///
/// Then a connected set of points that lie deeper than `deeperThan` in one body, which the other's surface
/// cannot enter, is inside the other one as a whole or not at all; and where it is, its border runs along
/// both surfaces, with the material of both on one side. So points are looked up only behind triangles that
/// lie in one plane, within `deeperThan`, and face the same way: the middle of what they have in common and
/// points halfway to its corners, on a ray inward, and from there up the slope of the depth. Mated faces look
/// at each other, so that parts in contact cost a look at the triangles near to the other part and no more.
/// Two bodies whose boxes have less than twice `deeperThan` in common, along some axis, cost nothing.
///
/// A bound from below: what narrows below twice `deeperThan` wherever it is looked up may be missed, and so
/// may a part of a solid that other solids of the same body cut in many. The depth is a lower bound too. Open
/// components have no inside. The same answer whatever the order of the bodies. Asks `stop` now and then and
/// returns what is known so far, once it says so.
std::optional<CommonPoint> commonPoint(const PosedSolid& first, const PosedSolid& second, double deeperThan,
                                       const std::function<bool()>& stop = {});

}  // namespace fitup
