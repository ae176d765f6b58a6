#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fitup/io/model_file.h>
#include <fitup/motion/track.h>

namespace fitup::bench {

/// Two parts at their places: one question to every contestant.
struct PosedPair {
  std::uint32_t partA, partB;
  Transform worldFromA, worldFromB;
};

/// A frozen workload: parts, and steps that each ask a list of pairs.
struct Scene {
  std::string name;
  std::vector<std::shared_ptr<const TriangleMesh>> parts;
  std::vector<std::vector<PosedPair>> steps;
};

/// Every step of a track: each moved instance against each instance that rests. No broad phase, so that
/// contestants do their own rejection.
Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track);

/// Any assembly, as a designer nudges its parts: each instance in turn is shifted by up to 2 % of its size
/// and turned by up to 3 degrees (seeded, uniform), against each instance whose world box its own then meets.
/// About `steps` steps, at least one an instance; parts without neighbours give empty steps.
Scene sceneOfNudges(const std::string& name, const Assembly& assembly, std::size_t steps, std::uint64_t seed);

}  // namespace fitup::bench
