#pragma once

#include <functional>

#include <fitup/query/posed_solid.h>

namespace FITUP_EXPORT fitup {

/// False if certainly at least one of the bodies has no wall thinner than 2 t, so that the two cannot pierce
/// each other (verdicts, *Thin walls*) at that tolerance. `t` is in world units.
bool mayPierce(const PosedSolid& first, const PosedSolid& second, double t);
/// The same in these places: false also if such walls are not near the other body.
bool mayPierceHere(const PosedSolid& first, const PosedSolid& second, double t);

/// Returns true if the surface of `source` certainly keeps farther than `clearance` away from the middle
/// M_t(target): points of `target` at depth at most t whose nearest boundary points are seen under at least
/// 120 degrees. Then no motion of points by less than that makes the surface reach the middle.
///
/// Branch and bound over the triangles of `source`. In a piece x + B(r) of it the depth changes by at most r,
/// so a point of the middle within `clearance` has two opposed boundary triangles (`Walls::opposed`) that
/// are nearest to the piece up to 2 (r + clearance). Boundary points count as equally near with the slack
/// with which `verdict` finds middles, so that it finds none that this excludes. False may also mean
/// that nothing is known: near the clearance itself, if `stop` ends the search, which it may at every 16
/// pieces of surface, and for placements that are neither rigid nor mirrored.
///
/// Lengths in world units. Thread-safe.
bool keepsOffMiddle(const PosedSolid& source, const PosedSolid& target, double t, double clearance,
                    const std::function<bool()>& stop = {});

}  // namespace fitup
