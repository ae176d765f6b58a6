#pragma once

#include <string>

#include <fitup/mesh/surface.h>

namespace fitup::detail {

/// With components in [0, 1], as exchange formats want them: what is beyond is cut off, and 0 stands for what
/// is no number.
Colour exportedColour(const Colour& colour) noexcept;

/// The name of a material in such a colour: "rgba_1_0.5_0.25_1", the fewest digits that give the same floats
/// back. Colours have one name exactly if they are equal, in all files.
std::string materialName(const Colour& exported);

}  // namespace fitup::detail
