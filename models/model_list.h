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
  double gap = 0.1;                    ///< spheres
  int patches = 1;                     ///< torus, wrinkled: patches x patches surfaces
  std::optional<double> clearance{};   ///< plant: `ProcessPlantOptions::clearance`
};

/// plant, grid, torus, spheres, wrinkled, rods, large.
std::vector<std::string> names();
/// Throws InputError for an unknown name, listing the known ones.
Assembly generate(const std::string& name, const GenerateOptions& options = {});
/// The track of a model generated with these options, if it has one (plant, large).
std::optional<Track> recordedTrack(const std::string& name, const Assembly& assembly,
                                   const GenerateOptions& options = {});

}  // namespace fitup::models
