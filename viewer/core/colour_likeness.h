#pragma once

#include <fitup/mesh/surface.h>

namespace fitup::viewer {

/// Whether a part of the colour `own` could be taken for one that is lit in `highlight`: both are colourful
/// and of hues within 25 degrees of each other, and `own` is not dark. Alpha does not matter.
bool isMistakenFor(const Colour& own, const Colour& highlight);

}  // namespace fitup::viewer
