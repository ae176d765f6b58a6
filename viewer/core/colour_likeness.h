#pragma once

#include <fitup/mesh/surface.h>

namespace fitup::viewer {

/// Whether a part of the colour `own` could be mistaken for one highlighted in `highlight`: both colours are
/// saturated, their hues are within 25 degrees of each other, and `own` is not dark. Alpha does not matter.
bool isMistakenFor(const Colour& own, const Colour& highlight);

}  // namespace fitup::viewer
