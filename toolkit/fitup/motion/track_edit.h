#pragma once

#include <cstddef>
#include <vector>

#include <fitup/motion/track.h>

namespace FITUP_EXPORT fitup {

// Edits of a track by step position. They throw InputError for a position that the track does not have.
//
// Ways stay with the steps that they lead to. A turn that would no longer lead from the new step before to
// its pose becomes a straight way about the same centre.

/// The new step divides the way that led to the step after it: a straight way into two about the same centre,
/// and a turn, if the pose is on its way, into two turns.
Track withStepInserted(const Track& track, std::size_t before, std::vector<RigidMotion> poses);
/// Two turns about the same axis and with the same pitch become one, with the sum of their angles.
Track withStepRemoved(const Track& track, std::size_t step);
Track withStepMoved(const Track& track, std::size_t from, std::size_t to);
/// Turns turn back.
Track reversed(const Track& track);

/// Sets the poses at the ends of turns to where these lead exactly, as a file with this track is read.
void followTurns(Track& track);

}  // namespace fitup
