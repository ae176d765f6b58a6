#pragma once

#include <fitup/mesh/surface.h>

namespace fitup::viewer {

/// Whether a part of the colour `own` could be mistaken for one highlighted in `highlight`: both colours are
/// saturated, their hues are within 25 degrees of each other, and `own` is not dark. Alpha does not matter.
bool isMistakenFor(const Colour& own, const Colour& highlight);

/// Whether black lines are hard to see on the colour: its relative luminance (ITU-R BT.709) is below 0.05.
bool isDark(const Colour& colour);

}  // namespace fitup::viewer
