#pragma once

#include <optional>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>

// Scenes for finding ways out: parts that come out along a known way, through a narrow passage or in an
// order, and parts that do not come out. Millimetres. All parts are closed and keep clear of each other at
// the start.

namespace fitup::models {

struct WayOutScene {
  Assembly assembly;
  /// A way out that is certainly free of contact, from the start; unset if there is none.
  std::optional<Track> way{};
};

/// Two equal open links of a tube of 10 mm diameter that are linked into each other, as the two tubes of the
/// alpha puzzle are. `gap` is the width of the opening of a link over the diameter of the tube, above 0 and
/// at most 3. "moved" comes out if the gap is above 1, and certainly not if it is at most 0.95 (see
/// `alpha.cpp`); the way needs shifts and a turn. Throws InputError for other gaps, as do the other scenes.
WayOutScene makeAlpha(double gap = 1.5);

/// A rod in a drum whose only opening is a pipe that begins with a funnel and reaches far inwards. `gap` is
/// the diameter of the pipe over that of the rod, above 1 and at most 1.5. "moved" lies in the drum.
WayOutScene makeBugTrap(double gap = 1.2);

/// A ring with a hub on a bent pipe that has a flange at one end: "moved" sits beside the flange and comes
/// off at the other end, around the bend. `gap` is the diameter of its hole over that of the pipe, 1.08
/// to 1.5.
WayOutScene makeFlange(double gap = 1.2);

/// A ring, "moved", on a closed loop: it moves and never comes off.
WayOutScene makeRingOnLoop();

/// Burr puzzles of square sticks of 20 mm. `play` is the distance of faces that would touch in a puzzle
/// without play: above 0.01 mm and at most 0.8 mm.
///
/// Three sticks, "key", "y" and "z": the key is turned by half a turn in the two others, which lets "y" out.
WayOutScene makeBurr3(double play = 0.2);
/// Six sticks, "stick-0" to "stick-4" and "key", a solid one that comes out first. If `locked`, the notches
/// are others (and "key" is "stick-5"): no set of sticks has a straight first move beyond the play.
WayOutScene makeBurr6(double play = 0.2, bool locked = false);

/// A pump's rotor behind a cover with four screws. The screws come out straight, the cover after them, and
/// the rotor after the cover. `play`: distance of parts that touch in a real pump, 0.2 to 1.5 mm.
WayOutScene makePumpCover(double play = 0.5);

/// A screw, "moved", with a right-handed thread of a pitch of 8 mm along z, in a nut. `play` is what the
/// nut's thread is larger in radius, 0.3 to 1 mm. Six turns and a half take it out; it cannot be pulled.
WayOutScene makeScrew(double play = 0.5);

/// A peg, "moved", in the hole of a block. `play` is the difference of the diameters, 0.004 mm to 5 mm. The
/// facets of peg and hole are parallel.
WayOutScene makePeg(double play = 0.005);

}  // namespace fitup::models
