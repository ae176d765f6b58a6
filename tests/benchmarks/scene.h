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

/// Every step of a track: each moved instance against each instance that rests. No broad phase, so that contestants do
/// their own rejection.
Scene sceneOfTrack(const std::string& name, const Assembly& assembly, const Track& track);

}  // namespace fitup::bench
