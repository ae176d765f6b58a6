#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/motion/track.h>

namespace fitup::bench {

using Parts = std::vector<std::shared_ptr<const TriangleMesh>>;

/// Two parts in their placements: one question to every contestant. A rests, B moves.
struct PosedPair {
  std::uint32_t partA, partB;
  Transform worldFromA, worldFromB;
  std::uint32_t number = 0;              ///< number of the two instances among those of the scene
  std::uint32_t resting = 0, mover = 0;  ///< A and B: into the scene's lists of them
};

/// A frozen workload: parts, and steps with lists of pairs. Every pair is asked, without a broad phase;
/// contestants reject pairs themselves.
struct Scene {
  std::string name;
  std::string description;
  Parts parts;
  std::vector<std::vector<PosedPair>> steps;
  /// Parts that a user places once: the resting ones in their placements, and the moving ones, which have one
  /// placement per step.
  struct Resting {
    std::uint32_t part;
    Transform worldFromPart;
  };
  std::vector<Resting> resting;
  std::vector<std::uint32_t> movers;  ///< their parts

  /// False if the questions repeat or come in an order that no user would produce; coherent contestants are
  /// then left out.
  bool suitsCoherence = true;

  [[nodiscard]] std::size_t questionCount() const;
};

std::size_t triangleCount(const Parts& parts);

/// Makes a scene of every step of a track: each moved instance against each resting instance.
Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track);

/// Makes a scene of part B of two parts at a list of placements, one per step; A rests at the world's origin.
Scene sceneOfPlacements(const std::string& name, const Parts& parts, std::uint32_t partB,
                        const std::vector<Transform>& placements);

/// Two of a scene's parts, A at the world's origin.
struct PartPair {
  std::uint32_t partA, partB;
  Transform worldFromB;
};

/// Makes a scene of pairs of parts, one per step.
Scene sceneOfPairs(const std::string& name, const Parts& parts, const std::vector<PartPair>& pairs);

/// Makes a scene of any assembly, as a designer nudges its parts. Each instance in turn is shifted by up to 2
/// % of its size and turned by up to 3 degrees (seeded, uniform), and tested against each instance whose
/// world box its own then meets. There are about `steps` steps, at least one per instance; parts without
/// neighbours give empty steps. Nothing moves along a path, so coherence is not measured.
Scene sceneOfNudges(const std::string& name, const Assembly& assembly, std::size_t steps, std::uint64_t seed);

}  // namespace fitup::bench
