#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/motion/track.h>

namespace fitup::bench {

using Parts = std::vector<std::shared_ptr<const TriangleMesh>>;

/// Two parts at their places: one question to every contestant. A rests, B is the one that moves.
struct PosedPair {
  std::uint32_t partA, partB;
  Transform worldFromA, worldFromB;
  std::uint32_t number = 0;              ///< of the two instances among those that the scene asks about
  std::uint32_t resting = 0, mover = 0;  ///< A and B: into the scene's lists of them
};

/// A frozen workload: parts, and steps that each ask a list of pairs. Every pair is asked, without a broad
/// phase: contestants do their own rejection.
struct Scene {
  std::string name;
  std::string description;
  Parts parts;
  std::vector<std::vector<PosedPair>> steps;
  /// What a user places once: the parts that rest, each where it does, and those that move, which have one
  /// place in a step.
  struct Resting {
    std::uint32_t part;
    Transform worldFromPart;
  };
  std::vector<Resting> resting;
  std::vector<std::uint32_t> movers;  ///< their parts

  /// False where a coherent contestant would be asked what it was asked just before, or anything else that no
  /// user does: it is left out.
  bool suitsCoherence = true;

  [[nodiscard]] std::size_t questionCount() const;
};

std::size_t triangleCount(const Parts& parts);

/// Every step of a track: each moved instance against each instance that rests.
Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track);

/// Part B of two parts at a list of placements, a step each; A rests at the world's origin.
Scene sceneOfPlacements(const std::string& name, const Parts& parts, std::uint32_t partB,
                        const std::vector<Transform>& placements);

/// Any assembly, as a designer nudges its parts: each instance in turn is shifted by up to 2 % of its size
/// and turned by up to 3 degrees (seeded, uniform), against each instance whose world box its own then meets.
/// About `steps` steps, at least one an instance; parts without neighbours give empty steps. Nothing moves
/// along a path there, so that coherence is not asked.
Scene sceneOfNudges(const std::string& name, const Assembly& assembly, std::size_t steps, std::uint64_t seed);

}  // namespace fitup::bench
