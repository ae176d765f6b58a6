#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fitup/motion/track.h>
#include <fitup/scene/assembly.h>

namespace fitup::models {

/// Parameters of generated models; each model takes those it knows.
struct GenerateOptions {
  /// torus, spheres: nearest count that the model has; large: about so many.
  std::optional<std::size_t> triangles{};
  std::optional<std::size_t> parts{};  ///< large
  /// spheres: difference of the radii, 0.1 if unset; alpha, bug-trap, flange: see `ways_out.h`.
  std::optional<double> gap{};
  int patches = 1;                    ///< torus, wrinkled: patches x patches surfaces
  std::optional<double> clearance{};  ///< plant: `ProcessPlantOptions::clearance`
  std::optional<double> play{};       ///< burr-3, burr-6, pump-cover, peg: see `ways_out.h`
  bool locked = false;                ///< burr-6
};

/// plant, grid, torus, spheres, wrinkled, rods, large, and the scenes of `ways_out.h`: alpha, bug-trap,
/// flange, ring, burr-3, burr-6, pump-cover, peg.
std::vector<std::string> names();
/// Throws InputError for an unknown name, listing the known ones.
Assembly generate(const std::string& name, const GenerateOptions& options = {});
/// The track of a model generated with these options, if it has one: the motion of plant and large, the way
/// out of a scene of `ways_out.h` that has one.
std::optional<Track> recordedTrack(const std::string& name, const Assembly& assembly,
                                   const GenerateOptions& options = {});

}  // namespace fitup::models
