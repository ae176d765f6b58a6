#pragma once

#include <functional>
#include <optional>

#include <fitup/query/posed_solid.h>
#include <fitup/query/report.h>

namespace fitup::detail {

/// A point of one body in the middle of a wall of the other.
struct Piercing {
  Vec3 point;        ///< in the world
  Vec3 direction;    ///< unit, from `point` to the nearest point of the other surface
  double depth = 0;  ///< their distance
  bool pointOfFirst = true;
};
struct PiercingSearch {
  std::optional<Piercing> found;
  bool limited = false;  ///< nothing was found, and nothing is certain, because there were too many pieces
};

/// Finds out whether two bodies pierce each other: whether each of them reaches the middle of a wall of the
/// other that is thinner than 2 t. The middle of a body are its points at depth at most t whose nearest
/// boundary points are seen under at least 120 degrees (verdicts, *Thin walls*). The depth alone does not
/// show that: in a wall of 0.3 it cannot exceed 0.15.
///
/// `pairs` are all pairs of triangles of the two boundaries that intersect, in the order of the bodies. The
/// surfaces are followed from where they cross into the other body, along triangles with a corner inside it;
/// a change of side between two points of one triangle is bisected, and from there a rod's middle is climbed
/// to. Middles that no surface meets are enclosed by the other body or outside it (`findEnclosedMiddle`).
/// Boundary points count as equally near if their distances differ by at most a sixteenth, so a middle
/// that is missed or passed by less than that of the depth may be found or not. Precondition: no point of
/// either surface is deeper than t in the other body, and both placements are rigid or mirrored. With
/// `unknownIsInside`, points whose side of an open body is unknown count as inside. Asks `stop`
/// now and then, and returns nothing once it says so.
PiercingSearch findPiercing(const PosedSolid& first, const PosedSolid& second,
                            const IntersectionReport& pairs, double t, bool unknownIsInside,
                            const std::function<bool()>& stop);

}  // namespace fitup::detail
