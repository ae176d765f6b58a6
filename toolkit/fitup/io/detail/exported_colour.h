#pragma once

#include <string>

#include <fitup/mesh/surface.h>

namespace fitup::detail {

/// The colour with components in [0, 1], as exchange formats require: larger and smaller values are clamped,
/// and NaN becomes 0.
Colour exportedColour(const Colour& colour) noexcept;

/// The name of a material of this colour: "rgba_1_0.5_0.25_1", with the fewest digits that give the same
/// floats back. Colours have the same name exactly if they are equal, in all files.
std::string materialName(const Colour& exported);

}  // namespace fitup::detail
