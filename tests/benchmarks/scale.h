#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "statistics.h"

namespace fitup::bench {

/// Options of the measurement of large sizes: `models::makeLargeAssembly`.
struct ScaleOptions {
  std::size_t parts = 3000;
  std::size_t triangles = 10'000'000;
  int rounds = 7;  ///< rounds of opening and of the replay
  /// The folder for the model file, which is removed again. It should be on a local file system.
  std::filesystem::path folder = std::filesystem::temp_directory_path();
};

struct ScaleResult {
  std::size_t parts = 0, surfaces = 0, triangles = 0;  ///< including the spool
  double generateSeconds = 0;                          ///< on all threads
  double buildSecondsOneThread = 0, buildSecondsTwoThreads = 0;
  double meshBytesPerTriangle = 0, hierarchyBytesPerTriangle = 0;
  double writeSeconds = 0;  ///< to the disk, not only to the page cache
  std::size_t fileBytes = 0;
  MedianInterval openSeconds;  ///< `readModelFile` with a warm page cache
  std::size_t steps = 0, hitSteps = 0;
  /// The dragged spool on one thread, all pairs of triangles; each step is the median of its rounds.
  double stepMillisecondsMedian = 0, stepMillisecondsMean = 0;
  double stepMilliseconds95 = 0, stepMillisecondsWorst = 0;  ///< 95 % of the steps are faster / all are
  double stepMillisecondsWorstSeen = 0;                      ///< over all steps in all rounds
};

/// Generates, builds, writes, opens and replays. Needs some 25 bytes of memory per triangle for the meshes
/// and at most three times the hierarchies' size. Throws like the functions that it measures.
ScaleResult runScale(const ScaleOptions& options = {});

/// Prints to standard output.
void print(const ScaleResult& result);

}  // namespace fitup::bench
