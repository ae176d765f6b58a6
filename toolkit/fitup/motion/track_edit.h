#pragma once

#include <cstddef>
#include <vector>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

// Edits of a track by step position. They throw InputError for a position that the track does not have.
Track withStepInserted(const Track& track, std::size_t before, std::vector<RigidMotion> poses);
Track withStepRemoved(const Track& track, std::size_t step);
Track withStepMoved(const Track& track, std::size_t from, std::size_t to);
Track reversed(const Track& track);

}  // namespace fitup
