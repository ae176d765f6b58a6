#pragma once

#include <fitup/motion/replay.h>

namespace fitup::cli {

/// Replays the track with every mode and every setting of the overlap box, `rounds` times in turn on one
/// thread, and prints medians of time and counts per step. `withPaper` adds the values of Figueiredo's tables
/// 1 and 2. Returns false if it was cancelled.
bool compareSettings(const Scene& scene, const Poses& poses, const Track& track, const ReplayOptions& options,
                     int rounds, bool withPaper, const Progress& progress);

}  // namespace fitup::cli
