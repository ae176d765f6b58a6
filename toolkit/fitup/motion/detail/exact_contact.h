#pragma once

#include <fitup/motion/detail/pair_limit.h>

namespace fitup::detail {

/// True if the surfaces of the exact shapes of two parts meet wherever the two overlap along a motion that
/// comes to this pose: both are closed parts of one shell, and neither can be inside the other, because the
/// box of each reaches out of that of the other one by more than the chord errors. Then either they overlap
/// here, and their surfaces cross, or they are apart here, and cannot overlap later before their surfaces
/// meet.
bool canMeet(const MovingPair& pair);

/// True if the exact shapes of two parts have certainly been at most `clearance` apart at some time of a
/// motion, up to this pose: their distance is at most that now, or they overlap now. For the latter,
/// `mayMeet` says that they could meet (`canMeet`) at an earlier pose, at which they were in contact, or
/// nearly. They overlap if a point inside both, or on the surface of one and inside the other, lies deeper
/// than the chord errors of both. False if a limit ended the search.
bool haveMet(const MovingPair& pair, double clearance, bool mayMeet, const QueryLimits& limits);

}  // namespace fitup::detail
