#pragma once

#include <cstdint>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>

namespace fitup::models {

struct LargeAssemblyOptions {
  std::size_t parts = 3000;            ///< distinct parts, one instance each, and the spool besides
  std::size_t triangles = 10'000'000;  ///< of all parts, met to within some hundredths; 50 to 50,000 a part
  std::uint64_t seed = 1;
};

/// A store hall, in millimetres, z up: parts of a plant (beams, bored plates, pipes, vessels, rings, pressed
/// panels) packed on the shelves of racks, a few millimetres from their neighbours; one in forty is pushed
/// into the next. No two parts are alike, and their counts of triangles range from some forty to forty
/// thousand. The process plant's spool waits at the mouth of the first aisle. Equal on every machine.
/// Throws InputError for no parts and for counts of triangles that so many parts cannot have.
Assembly makeLargeAssembly(const LargeAssemblyOptions& options = {});

/// Path of the spool in it.
inline constexpr const char* largeSpoolPath = "hall/spool";

/// The spool carried through the first aisle in 400 steps, turning, swinging from the inside of the rack
/// on one side to that on the other, up and down: at a quarter of the steps it intersects parts.
Track makeLargeTrack(const Assembly& hall);

}  // namespace fitup::models
